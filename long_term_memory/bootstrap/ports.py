"""What a memory needs of the world around it."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from pathlib import Path

from ..domain.providers import Embedder
from ..domain.time import Clock, MakeId
from ..manager.session_levels import Gone
from ..policies.memory_policies import PoliciesJson
from ..storage.deletion import Markers
from ..storage.namespaces import Make
from ..write.protocols import ChatModel


async def none_gone(_conversation_ids: Sequence[str]) -> Collection[str]:
    """For a world without conversations that end."""
    return ()


async def tell_nobody(_text: str) -> int:
    """Of no admin a chat is known."""
    return 0


@dataclass(frozen=True, kw_only=True)
class Ports:
    """What the outside provides."""

    database: Path
    """The host's SQLite file."""
    folder: Path
    """The plugin's own; it need not exist yet."""
    markers: Markers
    chat_model: ChatModel
    has_chat_model: Callable[[], bool]
    """Whether there is any chat provider at the moment."""
    embedder: Embedder
    namespace: Make
    keep_policies: Callable[[PoliciesJson], Awaitable[None]]
    """Writes both policies into the host's config."""
    keep_read_only: Callable[[bool], Awaitable[None]]
    """Writes there whether nothing may be written."""
    clock: Clock
    make_id: MakeId
    gone: Gone = none_gone
    """Which conversations the host has no more."""
    version: str = ""
    """The plugin's own."""
    knows_tool: Callable[[str], bool] = bool
    """Whether the host has a tool of this name now."""
    memory_plugins: Callable[[], Sequence[str]] = tuple
    """Names of other memory plugins at work on the host now."""
    tell_admins: Callable[[str], Awaitable[int]] = tell_nobody
    """Sends a text to each admin of whom a private chat is known; to how many."""
    zone: tzinfo = UTC
    """Where the operator's days begin: what "tomorrow" means."""
