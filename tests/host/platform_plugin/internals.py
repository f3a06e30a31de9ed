"""What lives in the host's process."""

import asyncio
import ctypes
import gc
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from astrbot.api.star import Context
from astrbot.core.star import star_handler

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import CoroutineType

    from astrbot.core.star.star_handler import StarHandlerMetadata

_PLUGIN = "data.plugins.astrbot_plugin_ltm"
_SERVER = ("/hypercorn/", "/starlette/", "/fastapi/", "/anyio/")


def describe(context: Context) -> dict[str, Any]:
    """Count tasks and handlers, and name threads, files, tools, routes and modules."""
    tools = context.get_llm_tool_manager().func_list
    registry = star_handler.star_handlers_registry  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - untyped in the host
    handlers = cast("Iterable[StarHandlerMetadata[Any]]", registry)
    return {
        "tasks": Counter(_tasks()),
        "threads": sorted(thread.name for thread in threading.enumerate()),
        "open_files": sorted(_open_files()),
        "handlers": Counter(handler.handler_module_path for handler in handlers),
        "tools": {tool.name: tool.handler_module_path or "" for tool in tools},
        "routes": [f"{'|'.join(methods)} {route}" for route, _, methods, _ in context.registered_web_apis],
        "modules": sorted(name for name in sys.modules if name.startswith("data.plugins.")),
    }


def objects() -> dict[str, Any]:
    """Count what Python keeps in memory: blocks, objects by type, and those of the plugin's own types."""
    kinds = Counter(map(type, gc.get_objects()))
    named = Counter[str]()
    for kind, number in kinds.items():
        named[f"{kind.__module__}.{kind.__qualname__}"] += number
    own = {name: number for name, number in named.items() if name.startswith(_PLUGIN)}
    types = dict(named.most_common(100))
    return {"blocks": sys.getallocatedblocks(), "allocator": _allocator(), "types": types, "own": own}


def _allocator() -> dict[str, float]:
    """Tell how many megabytes the C library has handed out and keeps for later, where it can tell."""
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "mallinfo2"):
        return {}
    libc.mallinfo2.restype = _MallInfo
    found = libc.mallinfo2()
    return {
        "in use": (found.uordblks + found.hblkhd) / 2**20,
        "kept": found.fordblks / 2**20,
    }


class _MallInfo(ctypes.Structure):
    """`struct mallinfo2` of glibc."""

    _fields_ = [
        ("arena", ctypes.c_size_t),
        ("ordblks", ctypes.c_size_t),
        ("smblks", ctypes.c_size_t),
        ("hblks", ctypes.c_size_t),
        ("hblkhd", ctypes.c_size_t),
        ("usmblks", ctypes.c_size_t),
        ("fsmblks", ctypes.c_size_t),
        ("uordblks", ctypes.c_size_t),
        ("fordblks", ctypes.c_size_t),
        ("keepcost", ctypes.c_size_t),
    ]


def _tasks() -> list[str]:
    """Name the tasks; the dashboard's server has a changing number of its own, which are left out."""
    coroutines = [cast("CoroutineType[Any, Any, Any]", task.get_coro()) for task in asyncio.all_tasks()]
    return [
        coroutine.__qualname__
        for coroutine in coroutines
        if not any(part in coroutine.cr_code.co_filename for part in _SERVER)
    ]


def _open_files() -> list[str]:
    found: list[str] = []
    for descriptor in Path("/proc/self/fd").iterdir():
        try:
            found.append(str(descriptor.readlink()))
        except FileNotFoundError:  # the one that listed the folder
            continue
    return found
