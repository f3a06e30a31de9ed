"""Keeps out of the host's log what people tell `/ltm` and its tools, and what these answer."""

import logging
import re
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import override

from ..access.levels import OWN_TOOLS

LOGGER = "astrbot"
"""The host's own; plugins have others."""
_ARRIVES = "event_bus"
"""The module of the host that logs each message as it comes."""
_TOLD = re.compile(r"((?:^|[\s\]:])\S{0,20}(?:ltm|记忆)\s+\S+)\s.+", re.DOTALL)
"""A command with its name, after whatever wakes the bot, and the rest of the line."""
_USES_TOOLS = "tool_loop_agent_runner"
"""The module of the host that logs what each tool is called with, and what it gave."""
_USED = re.compile(rf"^(\S{{0,8}}?\s?[：:`'\"\s](?:{'|'.join(sorted(OWN_TOOLS))})\W).+", re.DOTALL)
"""A tool of this plugin, named at the beginning of the line, and the rest of it."""
_answering: ContextVar[bool] = ContextVar("astrbot_plugin_ltm_answering", default=False)


class QuietLog(logging.Filter):
    """That somebody used a command or a tool is still logged, and which; the words after it are not.

    Of another message with the name of the command in it, what follows goes too: rather a word too few.

    The host logs a message before any plugin sees it, so this is the only place to keep its words back. Who
    has everything forgotten would else leave them behind in a log.
    """

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
        if record.levelno > logging.INFO:
            return True
        if record.module == _ARRIVES:
            record.msg, record.args = _TOLD.sub(r"\1 …", record.getMessage()), None
        elif record.module == _USES_TOOLS:
            record.msg, record.args = _USED.sub(r"\1 …", record.getMessage()), None
        elif _answering.get():
            record.msg, record.args = record.getMessage().partition(": ")[0] + ": …", None
        return True
