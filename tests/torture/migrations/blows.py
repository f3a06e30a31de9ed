"""Has one strike come down on the next upgrade of this process."""

import os
import resource
import signal
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from astrbot_plugin_ltm.long_term_memory.storage.store_health import primary_code
from sqlalchemy import Engine, ExceptionContext, event

from tests.torture.migrations.strikes import Blow, Strike

PAGE = 4096
_ERRORS: Mapping[Blow | None, tuple[int, str]] = {
    Blow.BUSY: (sqlite3.SQLITE_BUSY, "database is locked"),
    Blow.BROKEN: (sqlite3.SQLITE_IOERR, "disk I/O error"),
}


@dataclass
class Counts:
    """What the upgrade has done so far."""

    begun: int = 0
    """Statements as SQLite begins them, those of triggers and of the full-text table among them."""
    asked: int = 0
    """Statements as they are asked for, the commit among them."""
    instructions: int = 0
    struck: bool = False
    """Whether the blow has fallen; who is killed by it cannot tell."""


def arm(strike: Strike) -> Counts:
    """Listen to every connection that is made from now on, and strike when it is time."""
    counts = Counts()
    _limit_files(strike, counts)

    def connected(connection: sqlite3.Connection, _: object) -> None:
        if strike.blow is Blow.FULL:
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            connection.execute(f"PRAGMA max_page_count = {max(1, pages + strike.at - 1)}")
        connection.execute("PRAGMA busy_timeout = 0")
        connection.set_trace_callback(lambda _: _begun(strike, counts))
        if strike.blow in {None, Blow.KILL_AT_INSTRUCTION}:
            connection.set_progress_handler(lambda: _stepped(strike, counts), 1)

    def asked(*_: Any) -> None:
        counts.asked += 1
        error = _ERRORS.get(strike.blow)
        if error and counts.asked == strike.at:
            counts.struck = True
            raise _error(*error)

    def failed(context: ExceptionContext) -> None:
        if strike.blow is Blow.FULL and primary_code(context.original_exception) == sqlite3.SQLITE_FULL:
            counts.struck = True

    event.listen(Engine, "connect", connected)
    event.listen(Engine, "before_cursor_execute", asked)
    event.listen(Engine, "commit", asked)
    event.listen(Engine, "handle_error", failed)
    return counts


def _begun(strike: Strike, counts: Counts) -> None:
    counts.begun += 1
    if strike.blow is Blow.KILL_AT_STATEMENT and counts.begun == strike.at:
        die()


def _stepped(strike: Strike, counts: Counts) -> int:
    counts.instructions += 1
    if strike.blow is Blow.KILL_AT_INSTRUCTION and counts.instructions == strike.at:
        die()
    return 0


def _limit_files(strike: Strike, counts: Counts) -> None:
    """Whoever writes beyond the limit is killed, or told that there is no room."""

    def failed(*_: object) -> None:
        counts.struck = True

    if strike.blow in {Blow.KILL_AT_WRITE, Blow.FAIL_AT_WRITE}:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL if strike.blow is Blow.KILL_AT_WRITE else failed)
        limit = (strike.at - 1) * PAGE
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


def _error(code: int, message: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(message)
    error.sqlite_errorcode = code
    return error


def die() -> None:
    """End as nobody expects it."""
    os.kill(os.getpid(), signal.SIGKILL)
