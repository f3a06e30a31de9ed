"""What goes out of the store into files, and back: nothing is gained or lost by that."""

import shutil
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import override

from astrbot_plugin_ltm.long_term_memory.domain.transfer import Contents
from hypothesis.stateful import precondition, rule

from tests.torture.model import checks
from tests.torture.model.deciding import Deciding
from tests.torture.model.life import Life
from tests.torture.model.machine import OPERATOR, PICKS


@dataclass(frozen=True, kw_only=True)
class Export:
    """A file, and what the store held when it was made."""

    file: Path
    at: datetime
    lines: Counter[checks.Line]


class Moving(Deciding):
    """All that may happen to a memory."""

    def __init__(self) -> None:
        super().__init__()
        self._exports: list[Export] = []

    @rule()
    def export(self) -> None:
        made = self.do(self.memory.transferring.export(None))
        file = self.life.folder / f"{self._number()}.json"
        shutil.move(made.path, file)
        lines = checks.lines_of(self.life.file, self.now)
        self._exports.append(Export(file=file, at=self.now, lines=lines))

    @precondition(lambda self: self._exports)
    @rule(pick=PICKS)
    def import_again(self, pick: int) -> None:
        file = self._exports[pick % len(self._exports)].file
        arrived = self._answer(self.memory.transferring.bring_in(file, actor=OPERATOR))
        assert arrived is None or arrived.added == Contents()

    @precondition(lambda self: self._exports)
    @rule(pick=PICKS)
    def import_into_another_store(self, pick: int) -> None:
        taken = self._exports[pick % len(self._exports)]
        other = Life()
        try:
            other.leap(self.now - other.outside.clock())
            for _ in range(2):
                other.do(other.memory.transferring.bring_in(taken.file, actor=OPERATOR))
                assert checks.lines_of(other.file, taken.at) == taken.lines
        finally:
            other.end()

    @rule()
    def snapshot(self) -> None:
        self._answer(self.memory.transferring.snapshot(actor=OPERATOR))

    @rule(pick=PICKS)
    def restore(self, pick: int) -> None:
        kept = self.do(self.memory.transferring.snapshots()).snapshots
        if kept:
            name = kept[pick % len(kept)].name
            arrived = self._answer(self.memory.transferring.restore(name, actor=OPERATOR))
            assert arrived is None or arrived.added == Contents()

    @override
    def _forget_copies(self) -> None:
        self._exports.clear()
