"""A plugin that leaves one of each kind of thing behind at each load: what counts them must find each."""

import re
from pathlib import Path

from tests.host.harness.plugin_files import PLUGIN, copy_plugin, zip_plugin

_LEAKS = frozenset(
    {
        "tasks: left_task",
        "tasks: Event.wait",
        "threads: left-thread",
        "open files: /dev/zero",
        "open files: {database}-wal",
        "connections: of plugins",
        "logging: LeftFilter at astrbot",
        "logging: LeftHandler at left",
        "handlers: left",
        "tools: left_tool of left",
        "routes: GET /left",
        "listeners: of SQLAlchemy",
        "at exit: functions",
        "objects: Scheduler",
    }
)

_LEAVING = """

import asyncio as _asyncio
import atexit as _atexit
import logging as _logging
import sqlite3 as _sqlite3
import sys as _sys
import threading as _threading

from astrbot.core.agent.tool import FunctionTool as _FunctionTool
from astrbot.core.star.star_handler import EventType as _EventType
from astrbot.core.star.star_handler import StarHandlerMetadata as _StarHandlerMetadata
from astrbot.core.star.star_handler import star_handlers_registry as _registry
from sqlalchemy import MetaData as _MetaData
from sqlalchemy import event as _event

from .long_term_memory.upkeep.scheduler import Scheduler as _Scheduler

_sys.__dict__.setdefault("left", [])
_init = Main.__init__


class LeftFilter(_logging.Filter):
    pass


class LeftHandler(_logging.NullHandler):
    pass


async def left_task():
    await _asyncio.get_running_loop().create_future()


async def left_hook(*_):
    pass


def _leaving(self, context, config):
    _init(self, context, config)
    connection = _sqlite3.connect(context.get_db().db_path)
    connection.execute("select count(*) from sqlite_master").fetchall()
    _sys.left += [_asyncio.ensure_future(left_task()), open("/dev/zero"), connection]
    _sys.left += [_asyncio.ensure_future(_asyncio.Event().wait()), _Scheduler(), tables := _MetaData()]
    _threading.Thread(target=_threading.Event().wait, name="left-thread", daemon=True).start()
    _logging.getLogger("astrbot").addFilter(LeftFilter())
    _logging.getLogger("left").addHandler(LeftHandler())
    _event.listen(tables, "after_create", lambda *_, **__: None)
    _atexit.register(lambda: None)
    context.registered_web_apis.append(("/left", left_hook, ["GET"], "left"))
    tool = _FunctionTool(name="left_tool", description="", parameters={}, handler_module_path="left")
    context.get_llm_tool_manager().func_list.append(tool)
    _registry._handlers.append(
        _StarHandlerMetadata(
            event_type=_EventType.OnPlatformLoadedEvent,
            handler_full_name="left",
            handler_name="left",
            handler_module_path="left",
            handler=left_hook,
            event_filters=[],
            extras_configs={"priority": 0},
        )
    )


Main.__init__ = _leaving
"""


def leaks(database: Path) -> frozenset[str]:
    """As the process of the host tells of them that has this database: numbers in names are left out."""
    return frozenset(leak.format(database=re.sub(r"\d+", "#", str(database))) for leak in _LEAKS)


def leaky_plugin(folder: Path) -> Path:
    """The zip of the plugin under test with all of these leaks."""
    copy_plugin(folder)
    main = folder / PLUGIN / "main.py"
    main.write_text(main.read_text("utf-8") + _LEAVING, "utf-8")
    return zip_plugin(folder / "leaky.zip", folder / PLUGIN)
