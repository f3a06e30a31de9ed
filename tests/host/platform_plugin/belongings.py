"""Everything that a plugin could leave behind in the host's process, counted by kind and name."""

import atexit
import gc
import logging
import re
import sqlite3
import typing
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from aiosqlite import Connection as HostConnection
from astrbot.api.star import Context
from sqlalchemy.event import registry

from . import internals

if TYPE_CHECKING:
    from collections.abc import Mapping

_PLUGIN = "data.plugins.astrbot_plugin_ltm"
_OF_TABLES = {
    "after_parent_attach",
    "_sa_event_column_added_to_pk_constraint",
    "before_configured",
    "after_configured",
}
"""What the definition of tables listens to; it comes and goes with the classes."""
_ONE_OF_EACH = {"Main", "LtmPlugin", "Service", "LTMManager", "Database", "Scheduler", "IndexCache", "Seat"}
"""The larger things of the plugin: as many of them live as one load makes."""


def belongings(context: Context) -> dict[str, dict[str, int]]:
    """Count all of it; the host stands still meanwhile, for the sake of exactness."""
    _collect()
    seen, tools = internals.describe(context), context.get_llm_tool_manager().func_list
    kinds = Counter(map(type, gc.get_objects()))
    return {
        "tasks": seen["tasks"],
        "threads": Counter(map(_unnumbered, seen["threads"])),
        "open files": Counter(map(_unnumbered, seen["open_files"])),
        "connections": _connections(kinds),
        "logging": Counter(_logging()),
        "handlers": seen["handlers"],
        "tools": Counter(f"{tool.name} of {tool.handler_module_path}" for tool in tools),
        "routes": Counter(seen["routes"]),
        "modules": Counter(seen["modules"]),
        "listeners": {"of SQLAlchemy": sum(event not in _OF_TABLES for event in _listened_to())},
        "at exit": {"functions": cast("Any", atexit)._ncallbacks()},
        "objects": dict(_own(kinds)),
        "classes": {"of the plugin": sum(map(_is_own_class, gc.get_objects()))},
    }


def _collect() -> None:
    """Leave only what is held for good: Python keeps the last types it was asked about in caches."""
    for forget in cast("Any", typing)._cleanups:
        forget()
    gc.collect()


def _unnumbered(name: str) -> str:
    """Names that differ by numbers alone are those of one kind."""
    return re.sub(r"\d+", "#", name)


def _connections(kinds: "Mapping[type, int]") -> dict[str, int]:
    """Those to SQLite that are not the host's, which has one in each of its own that is open."""
    every = sum(number for kind, number in kinds.items() if issubclass(kind, sqlite3.Connection))
    hosts = sum(
        cast("Any", each)._connection is not None
        for each in gc.get_objects()
        if type(each) is HostConnection  # lazy objects answer `isinstance` by loading
    )
    return {"of plugins": every - hosts}


def _listened_to() -> Iterator[str]:
    """The event of each listener."""
    listeners: Mapping[tuple[int, str, int], object] = cast("Any", registry)._key_to_collection
    yield from (event for _, event, _ in listeners)


def _logging() -> Iterator[str]:
    loggers = {"root": logging.getLogger(), **logging.getLogger().manager.loggerDict}
    for name, logger in loggers.items():
        if isinstance(logger, logging.Logger):
            for each in (*logger.handlers, *logger.filters):
                yield f"{type(each).__qualname__} at {name}"


def _own(kinds: "Mapping[type, int]") -> Iterator[tuple[str, int]]:
    named = Counter[str]()
    for kind, number in kinds.items():
        if _is_own_class(kind) and kind.__qualname__ in _ONE_OF_EACH:
            named[kind.__qualname__] += number
    yield from named.items()


def _is_own_class(each: object) -> bool:
    return issubclass(type(each), type) and str(cast("type", each).__module__).startswith(_PLUGIN)
