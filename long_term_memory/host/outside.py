"""What the host provides for a memory: its database, its models, its clock."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# AstrBot's own signatures are only partly typed.

import uuid
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from astrbot.api.star import Context
from astrbot.core.db.sqlite import SQLiteDatabase

from ..bootstrap import Ports
from ..settings import Settings
from .admins import tell_admins
from .config_file import ConfigFile
from .conversations import gone
from .markers import HostMarkers
from .memory_plugins import memory_plugins
from .providers import HostChatModel, HostEmbedder
from .vec_db import NamespaceVecDB

EXTRACTION_TIMEOUT = timedelta(seconds=60)
EMBEDDING_TIMEOUT = timedelta(seconds=30)


def ports_of(
    context: Context,
    settings: Settings,
    database: SQLiteDatabase,
    kept: ConfigFile,
    *,
    folder: Path,
    markers: HostMarkers,
    version: str,
    module: str,
) -> Ports:
    """All of it; `folder` and `module` are the plugin's own, `kept` its settings as the host keeps them."""
    return Ports(
        database=Path(database.db_path),
        folder=folder,
        markers=markers,
        chat_model=HostChatModel(context, settings.extraction_provider_id, EXTRACTION_TIMEOUT, now),
        has_chat_model=partial(_has_chat_model, context, settings.extraction_provider_id),
        embedder=HostEmbedder(context, settings.embedding_provider_id, EMBEDDING_TIMEOUT, now),
        namespace=NamespaceVecDB,
        keep_policies=kept.keep_policies,
        keep_read_only=kept.keep_read_only,
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
