"""`export`: all that is remembered of a person, as a file for them."""

import asyncio
import json
from collections.abc import Sequence
from datetime import datetime

from ..domain.chat import Chat
from ..domain.enums import Role
from ..domain.memory import EvidenceInContext, reworded_at
from ..domain.review import Explained
from ..manager import LTMManager
from .command import Command, File, Reply

FORMAT = "astrbot_plugin_ltm/own-memories"
VERSION = 1


async def export(manager: LTMManager, command: Command) -> Reply:
    """`export`: in a private chat only, for a file in a group is everybody's."""
    say = command.say
    exported = await manager.export_own(command.chat)
    if not exported:
        return Reply(text=say.text("export.none"))
    file = File(name="memories.json", content=await asyncio.to_thread(json_of, exported, command.chat))
    return Reply(text=say.text("export.done", count=len(exported)), file=file)


def json_of(exported: Sequence[Explained], chat: Chat) -> bytes:
    """The file: the same memories always give the same bytes."""
    whole = {
        "format": FORMAT,
        "version": VERSION,
        "account": f"{chat.platform_id}:{chat.sender_id}",
        "memories": [_memory(one, chat) for one in exported],
    }
    return json.dumps(whole, ensure_ascii=False, indent=2).encode()


def _memory(one: Explained, chat: Chat) -> dict[str, object]:
    item, reworded = one.item, reworded_at(one.item, one.older)
    # Whom it is about, where that is not the person whose memory it is, and the like: what is filled.
    card = {"person": item.person, "relationship": item.relationship, "backstory": item.backstory}
    return {
        "id": item.memory_id,
        "fact": item.fact,
        "type": item.type.value,
        **{name: value for name, value in card.items() if value},
        "tags": list(item.tags),
        "status": item.status.value,
        "level": item.level.name,
        "audience": item.audience.value,
        "origin": item.origin.value,
        "confidence": round(item.confidence, 4),
        "learnt_at": _instant(item.created_at),
        "last_confirmed_at": _instant(item.last_confirmed_at),
        "expires_at": item.expires_at and _instant(item.expires_at),
        # The words it rests on do not show that an operator reworded it.
        **({"reworded_by_operator_at": _instant(reworded)} if reworded else {}),
        "evidence": [
            {"quote": each.quote, "said_by": _who(each, chat), "said_at": _instant(each.said_at)}
            for each in one.evidence
        ],
    }


def _who(one: EvidenceInContext, chat: Chat) -> str:
    """A tool, the bot, the person under this account, or the name that account had: never another's id."""
    if one.role in {Role.TOOL, Role.ASSISTANT}:
        return one.role.value
    return "you" if one.sender_id == chat.sender_id else one.sender_name


def _instant(at: datetime) -> str:
    return at.isoformat(timespec="seconds")
