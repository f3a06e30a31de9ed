"""What the host provides for a memory: its database, its models, its clock, its settings file, its people."""

import asyncio
import re
import uuid
from collections.abc import Awaitable, Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from astrbot.api import AstrBotConfig
from astrbot.api.event import MessageChain
from astrbot.api.star import Context
from astrbot.core.db import BaseDatabase
from astrbot.core.db.po import ConversationV2
from astrbot.core.db.sqlite import SQLiteDatabase
from astrbot.core.db.vec_db.base import BaseVecDB
from astrbot.core.star.filter.command import CommandFilter
from astrbot.core.star.star import StarMetadata
from astrbot.core.star.star_handler import EventType, star_handlers_registry
from sqlmodel import col, select

from ..bootstrap import Ports
from ..domain.log import logger
from ..policies.memory_policies import PoliciesJson
from ..settings import Settings
from ..storage.namespaces import Namespace
from ..storage.uninstall import StoreMarkers
from .providers import HostChatModel, HostEmbedder

EXTRACTION_TIMEOUT = timedelta(seconds=60)
EMBEDDING_TIMEOUT = timedelta(seconds=30)
_NAMES = re.compile(r"memor|mnemosyne|记忆|記憶", re.IGNORECASE)
"""In the name of a memory plugin, or of its class."""
_ADDING = (EventType.OnLLMRequestEvent, EventType.OnAgentBeginEvent)
"""Hooks by which a plugin adds a block to a request."""


def ports_of(
    context: Context,
    config: AstrBotConfig,
    settings: Settings,
    database: SQLiteDatabase,
    *,
    folder: Path,
    markers: StoreMarkers,
    version: str,
    module: str,
) -> Ports:
    """All of it; `folder`, `module` and `config` are the plugin's own."""

    async def save(changed: Mapping[str, object]) -> None:
        config.update(changed)
        await asyncio.to_thread(config.save_config)

    def keep_policies(policies: PoliciesJson) -> Awaitable[None]:
        sections = {f"{name}_policy": policy for name, policy in policies.items()}
        # What else is in their sections stays.
        return save({name: {**(config.get(name) or {}), **policy} for name, policy in sections.items()})

    return Ports(
        database=Path(database.db_path),
        folder=folder,
        markers=markers,
        chat_model=HostChatModel(context, settings.extraction_provider_id, EXTRACTION_TIMEOUT),
        has_chat_model=partial(_has_chat_model, context, settings.extraction_provider_id),
        embedder=HostEmbedder(context, settings.embedding_provider_id, EMBEDDING_TIMEOUT),
        namespace=NamespaceVecDB,
        keep_policies=keep_policies,
        save_read_only=lambda on: save({"emergency_read_only": on}),
        clock=now,
        make_id=new_id,
        gone=partial(gone, database),
        version=version,
        knows_tool=partial(_knows_tool, context),
        memory_plugins=partial(memory_plugins, context, module),
        tell_admins=partial(tell_admins, context, database),
        zone=_zone(context),
    )


def now() -> datetime:
    """The one clock."""
    return datetime.now(UTC)  # noqa: TID251  see above


def new_id() -> str:
    """The one maker of ids."""
    return str(uuid.uuid4())  # noqa: TID251  see above


def _zone(context: Context) -> tzinfo:
    """The host's `timezone`; that of the machine where it is empty or unknown, as the host has it."""
    try:
        return ZoneInfo(str(context.get_config().get("timezone") or ""))
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return datetime.now().astimezone().tzinfo or UTC  # noqa: TID251  where the machine stands


def _knows_tool(context: Context, name: str) -> bool:
    """Whether a model may be given a tool of this name; those that hand over to another agent count too."""
    handing_over = getattr(context.subagent_orchestrator, "handoffs", ())
    known = context.get_llm_tool_manager().get_func(name) is not None
    return known or any(tool.name == name for tool in handing_over)


def _has_chat_model(context: Context, provider_id: str) -> bool:
    ids = [str(provider.provider_config.get("id", "")) for provider in context.get_all_providers()]
    return provider_id in ids if provider_id else bool(ids)


class NamespaceVecDB(Namespace, BaseVecDB):
    """A FAISS namespace under the host's `BaseVecDB` interface."""


async def gone(database: BaseDatabase, conversation_ids: Sequence[str]) -> Collection[str]:
    """Those of these conversations that the host does not have; raises when it cannot be asked."""
    own_id = col(ConversationV2.conversation_id)
    async with database.get_db() as session:
        rows = await session.execute(select(own_id).where(own_id.in_(conversation_ids)))
        there = set(rows.scalars())
    return set(conversation_ids) - there


def memory_plugins(context: Context, module: str) -> Sequence[str]:
    """Names of the enabled plugins, other than that of this module, that add memories to requests.

    A plugin that only tidies memories up has no hook for requests; the folder's name says nothing.
    """
    others = [star for star in context.get_all_stars() if star.activated and star.module_path != module]
    return [star.display_name or star.name or "" for star in others if _adds_memories(star)]


def _adds_memories(star: StarMetadata) -> bool:
    kind = star.star_cls_type.__name__ if star.star_cls_type else ""
    named = any(_NAMES.search(name) for name in (star.name or "", star.display_name or "", kind))
    handlers = star_handlers_registry.get_handlers_by_module_name(star.module_path or "")
    return named and any(each.enabled and each.event_type in _ADDING for each in handlers)


async def tell_admins(context: Context, database: BaseDatabase, text: str) -> int:
    """Send a text to each private chat of an admin with the bot; returns to how many it went."""
    told = 0
    for umo in await _private_chats(context, database):
        try:
            told += bool(await context.send_message(umo, MessageChain().message(text)))
        except Exception as error:  # noqa: BLE001  a platform's way out may raise anything
            logger.warning("An admin could not be told what waits for review: %s", type(error).__name__)
    return told


async def _private_chats(context: Context, database: BaseDatabase) -> Sequence[str]:
    """Those in which the host has a conversation, of whom it takes for an admin there."""
    platforms = [platform.meta().id for platform in context.platform_manager.platform_insts]
    admins: Sequence[object] = context.get_config().get("admins_id") or ()
    possible = {f"{platform}:FriendMessage:{admin}": admin for platform in platforms for admin in admins}
    own_umo = col(ConversationV2.user_id)
    async with database.get_db() as session:
        rows = await session.execute(select(own_umo).where(own_umo.in_(possible)).distinct())
        there = sorted(rows.scalars())
    return [umo for umo in there if possible[umo] in (context.get_config(umo).get("admins_id") or ())]


def command_names(module: str) -> Sequence[str]:
    """All names that wake the commands of this module at the moment; none when the host has none of it."""
    handlers = star_handlers_registry.get_handlers_by_module_name(module)
    filters = [each for handler in handlers for each in handler.event_filters]
    commands = [each for each in filters if isinstance(each, CommandFilter)]
    return [str(name) for command in commands for name in command.get_complete_command_names()]
