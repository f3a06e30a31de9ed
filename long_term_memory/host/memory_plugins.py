"""Other memory plugins that are at work on the host."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# AstrBot's own signatures are only partly typed.

import re
from collections.abc import Sequence

from astrbot.api.star import Context
from astrbot.core.star.star import StarMetadata
from astrbot.core.star.star_handler import EventType, star_handlers_registry

_NAMES = re.compile(r"memor|mnemosyne|记忆|記憶", re.IGNORECASE)
"""In the name of a memory plugin, or of its class."""
_ADDING = (EventType.OnLLMRequestEvent, EventType.OnAgentBeginEvent)
"""Hooks by which a plugin adds a block to a request."""


def memory_plugins(context: Context, module: str) -> Sequence[str]:
    """Names of the enabled plugins, other than that of this module, that add memories to requests.

    A plugin that only tidies memories up has no hook for requests; the folder's name says nothing.
    """
    others = [star for star in context.get_all_stars() if star.activated and star.module_path != module]
    return [_name(star) for star in others if _is_named_so(star) and _adds(star)]


def _name(star: StarMetadata) -> str:
    return star.display_name or star.name or ""


def _is_named_so(star: StarMetadata) -> bool:
    kind = star.star_cls_type.__name__ if star.star_cls_type else ""
    return any(_NAMES.search(name) for name in (star.name or "", star.display_name or "", kind))


def _adds(star: StarMetadata) -> bool:
    handlers = star_handlers_registry.get_handlers_by_module_name(star.module_path or "")
    return any(handler.enabled and handler.event_type in _ADDING for handler in handlers)
