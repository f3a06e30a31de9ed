"""Keeps out of the host's log what people tell `/ltm` and its tools, and what these answer."""

import logging
import re
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import override

from ..access.gatekeeper import OWN_TOOLS
from ..commands.spelling import KNOWN
from ..text_analysis.word_forms import simplified

LOGGER = "astrbot"
"""The host's own; plugins have others."""
_ARRIVES = ("event_bus", "_adapter", "_event", "client")
"""How the modules end that log messages as they come: the host's, and those of adapters."""
_NAMES = ("ltm", "记忆")
"""What the command is called until an operator renames it."""
_GAP = r"[\s\\]"
"""White space, as it is or as a line has it that shows a message by its `repr`."""
_USES_TOOLS = "tool_loop_agent_runner"
"""The module of the host that logs what each tool is called with, and what it gave."""
_USED = re.compile(rf"^(\S{{0,8}}?\s?[：:`'\"\s](?:{'|'.join(sorted(OWN_TOOLS))})\W).+", re.DOTALL)
"""A tool of this plugin, named at the beginning of the line, and the rest of it."""
_answering: ContextVar[bool] = ContextVar("astrbot_plugin_ltm_answering", default=False)


class LogRedaction(logging.Filter):
    """That somebody used a command or a tool is still logged, and which; the words after it are not.

    Of another message with the name of the command in it, what follows goes too: rather a word too few.

    The host logs a message before any plugin sees it, so this is the only place to keep its words back. Who
    has everything forgotten would else leave them behind in a log.
    """

    def __init__(self, names: Callable[[], Iterable[str]]) -> None:
        """`names` gives what the command is called at the moment, nothing where that is unknown."""
        super().__init__()
        self._names = names

    def begin(self) -> None:
        """From now on."""
        logging.getLogger(LOGGER).addFilter(self)

    def end(self) -> None:
        """Leave the host's log as it was found. Safe to call twice."""
        logging.getLogger(LOGGER).removeFilter(self)

    @contextmanager
    def answering(self) -> Generator[None]:
        """While the host sends an answer: what it logs of that goes without its words."""
        _answering.set(True)
        try:
            yield
        finally:
            _answering.set(False)

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        """Every record passes; some with fewer words."""
        if record.levelno <= logging.INFO:
            # What is wrong with a line is for its handlers to say: here it would break what the host does.
            with suppress(Exception):
                self._shorten(record)
        return True

    def _shorten(self, record: logging.LogRecord) -> None:
        said = kept = record.getMessage()
        if _answering.get():
            kept = said.partition(": ")[0] + ": …"
        elif record.module.endswith(_ARRIVES):
            found = self._told().search(simplified(said))  # which is as long
            kept = f"{said[: found.end(1)]} …" if found else said
        elif record.module == _USES_TOOLS:
            kept = _USED.sub(r"\1 …", said)
        if kept != said:
            record.msg, record.args = kept, None

    def _told(self) -> re.Pattern[str]:
        """A command with its subcommand, after whatever wakes the bot, and the rest of the line."""
        names: tuple[str, ...] = ()
        with suppress(Exception):
            names = tuple(simplified(name) for name in self._names() if name.strip())
        either = "|".join(rf"{_GAP}+".join(map(re.escape, name.split())) for name in names or _NAMES)
        # Nothing that can be long is read in two ways: a message of blanks or signs would hold the host up.
        told = rf"{_GAP}*+[^\w\s\\]*(?:{KNOWN})|(?!\w){_GAP}*+(?:[^\s\\]{{40}}|[^\s\\]+(?={_GAP}))"
        return re.compile(rf"((?:^|[\s\]:])\S{{0,20}}(?:{either})(?:{told})).+", re.DOTALL | re.IGNORECASE)
