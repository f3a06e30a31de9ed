"""Stage 1, record: a turn as the events that are kept of it (design 5.1).

What is kept has its secrets masked, and nothing is made from the unmasked words, ids included.

An event's id is made from what happened, so recording the same turn twice adds nothing. The platform's
message id alone would not do: some platforms leave it empty, some give every message the same one, and some
count anew after a restart. So the chat, the speaker, the words and the time go into it as well; but not the
conversation, which is not known yet where a message is overheard before the bot answers it.

Replies of the bot are stored as pending too: the model reads them to understand an answer like "yes, the
second", they are never evidence, and they leave the queue with the batch they are read in.
"""

import json
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import NAMESPACE_OID, uuid5

from ..domain.chat import Access, Chat, ToolUse, Turn
from ..domain.memory import QUEUE_FULL, Event
from ..domain.words import Extraction, Role, SourceType
from ..policies.secrets.bounded import bounded
from ..policies.seen import plain_name

MAX_TEXT = 8_000
"""Characters kept of one event."""
MAX_QUOTED = 1_000
"""Characters kept of a message that another one answers."""
_ASKED = 500
"""Characters at the end of a message that tell what the next one answers."""


@dataclass(frozen=True, kw_only=True)
class _Said:
    """One thing said in a chat."""

    role: Role
    text: str
    message_id: str
    at: datetime
    tool: str = ""
    quoted: str = ""
    quoted_sender: str = ""


def events_of_turn(turn: Turn, access: Access, asked: str = "") -> list[Event]:
    """The person's words and the bot's answer, as far as there are any.

    `asked` is what the bot said before: a secret is known by the question it answers, and when it is read
    back, by what is read back.
    """
    quoted = _quoted(turn)
    own, reply = (
        _Said(role=role, text=bounded(text, MAX_TEXT, before), message_id=turn.message_id, at=turn.at)
        for role, text, before in (
            (Role.USER, turn.user_text, asked),
            (Role.ASSISTANT, turn.reply_text, f"{asked[-_ASKED:]}\n{turn.user_text[-_ASKED:]}"),
        )
    )
    own = replace(own, quoted=quoted, quoted_sender=turn.quoted_sender if quoted else "")
    return [_event(one, turn.chat, access) for one in (own, reply) if one.text]


def events_of_tool_use(use: ToolUse, access: Access) -> list[Event]:
    """The tool's result, unless it is empty."""
    said = _Said(
        role=Role.TOOL,
        text=bounded(use.result, MAX_TEXT),
        message_id=use.message_id,
        at=use.at,
        tool=use.tool,
    )
    return [_event(said, use.chat, access)] if said.text else []


def event_of_command(command: Turn, access: Access) -> Event:
    """The words of an explicit save: evidence for it, and nothing for the extraction to read again.

    Raises ValueError when the command says nothing.
    """
    text = bounded(command.user_text, MAX_TEXT)
    if not text:
        raise ValueError("a command without words is no evidence")
    said = _Said(role=Role.USER, text=text, message_id=command.message_id, at=command.at)
    return _event(said, command.chat, access, Extraction.SKIPPED)


def passed_over(event: Event) -> Event:
    """The event as it is kept when the queue of its chat is full: the model never reads it."""
    return replace(event, extraction=Extraction.SKIPPED, last_error=QUEUE_FULL)


def _event(said: _Said, chat: Chat, access: Access, extraction: Extraction = Extraction.PENDING) -> Event:
    by_person = said.role is Role.USER
    return Event(
        event_id=_event_id(said, chat),
        at_scope=access.group or access.project or access.owner,
        owner=access.owner,
        source_type=SourceType.TOOL_RESULT if said.role is Role.TOOL else SourceType.MESSAGE,
        role=said.role,
        text=said.text,
        tool=said.tool,
        quoted=said.quoted,
        quoted_sender=said.quoted_sender,
        platform_id=chat.platform_id,
        umo=chat.umo,
        conversation_id=chat.conversation_id,
        message_id=said.message_id,
        sender_id=chat.sender_id if by_person else "",
        sender_name=plain_name(chat.sender_name) if by_person else "",
        level=access.level,
        created_at=said.at,
        extraction=extraction,
    )


def _event_id(said: _Said, chat: Chat) -> str:
    who = [chat.umo, chat.group_id, chat.sender_id]
    parts = [*who, said.message_id, said.at.isoformat(), said.role, said.tool, said.text]
    return str(uuid5(NAMESPACE_OID, json.dumps(parts)))


def _quoted(turn: Turn) -> str:
    """The quoted words, behind the name of who said them."""
    words, name = bounded(turn.quoted, MAX_QUOTED), plain_name(turn.quoted_from)
    return f"{name}: {words}" if words and name else words
