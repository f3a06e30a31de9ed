"""What goes out of the store into files, and back: nothing is gained or lost by that."""

import shutil
from collections import Counter
from collections.abc import Coroutine
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, override

from astrbot_plugin_ltm.long_term_memory.domain.transfer import Contents, ImportResult
from hypothesis.stateful import precondition, rule

from tests.faults.stores import faults
from tests.torture.model import checks
from tests.torture.model.acts import Act
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
        self.note(Act.EXPORT, came=bool(lines))

    @precondition(lambda self: self._exports)
    @rule(pick=PICKS)
    def import_again(self, pick: int) -> None:
        file = self._exports[pick % len(self._exports)].file
        self._brings_nothing_new(Act.IMPORT_AGAIN, self.memory.transferring.bring_in(file, actor=OPERATOR))

    @precondition(lambda self: self._exports)
    @rule(pick=PICKS)
    def import_into_another_store(self, pick: int) -> None:
        taken = self._exports[pick % len(self._exports)]
        other = Life(type(self).front)
        try:
            other.leap(self.now - other.outside.clock())
            for _ in range(2):
                other.do(other.memory.transferring.bring_in(taken.file, actor=OPERATOR))
                assert checks.lines_of(other.file, taken.at) == taken.lines
                assert faults(other.file) == []
            self.note(Act.IMPORT_INTO_ANOTHER_STORE, came=bool(taken.lines))
        finally:
            other.end()

    @rule()
    def snapshot(self) -> None:
        made = self._answer(self.memory.transferring.snapshot(actor=OPERATOR))
        self.note(Act.SNAPSHOT, came=made is not None)

    @rule(pick=PICKS)
    def restore(self, pick: int) -> None:
        kept = self.do(self.memory.transferring.snapshots()).snapshots
        if kept:
            name = kept[pick % len(kept)].name
            self._brings_nothing_new(Act.RESTORE, self.memory.transferring.restore(name, actor=OPERATOR))

    def _brings_nothing_new(self, act: Act, bringing: Coroutine[Any, Any, ImportResult]) -> None:
        """What this store has given away it has."""
        arrived = self._answer(bringing)
        assert arrived is None or arrived.added == Contents()
        self.note(act, came=arrived is not None and arrived.known.items > 0)

    @override
    def _forget_copies(self) -> None:
        self._exports.clear()
