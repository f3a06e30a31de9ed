"""Stage 1, record: a turn as the events that are kept of it (design 5.1).

What is kept has its secrets masked, and nothing is made from the unmasked words, ids included. An event's id
is made from what happened, so recording the same turn twice adds nothing. Platforms leave message ids empty,
give every message the same or count anew after a restart, so the chat, the speaker, the words and the time go
into it as well; but not the conversation, which is not known yet where a message is overheard.
"""

import json
from dataclasses import replace
from uuid import NAMESPACE_OID, uuid5

from ..domain.chat import Access, ScopeRef, ToolUse, Turn
from ..domain.memory import Event
from ..domain.words import Extraction, Role, SourceType
from ..policies.requests import OptOut
from ..policies.secrets import bounded
from ..text_analysis.seen import plain_name
from .protocols import WriteTransaction

MAX_TEXT = 8_000
"""Characters kept of one event."""
MAX_QUOTED = 1_000
"""Characters kept of a message that another one answers."""
LOOKED_BACK = 6
"""Messages of a chat among which the one is looked for that a request points back to."""
_ASKED = 500
"""Characters at the end of a message that tell what the next one answers."""


def events_of_turn(turn: Turn, access: Access, asked: str = "") -> list[Event]:
    """The person's words and the bot's answer, as far as there are any; takes its time for long texts.

    `asked` is what the bot said before: a secret is known by the question it answers, and when it is read
    back, by what is read back.
    """
    own = bounded(turn.user_text, MAX_TEXT, asked)
    reply = bounded(turn.reply_text, MAX_TEXT, f"{asked[-_ASKED:]}\n{turn.user_text[-_ASKED:]}")
    events = [
        _event(turn, access, role, text) for role, text in ((Role.USER, own), (Role.ASSISTANT, reply)) if text
    ]
    if own and (quoted := bounded(turn.quoted, MAX_QUOTED)):
        name = plain_name(turn.quoted_from)
        quoted = f"{name}: {quoted}" if name else quoted
        events[0] = replace(events[0], quoted=quoted, quoted_sender=turn.quoted_sender)
    return events


def events_of_tool_use(use: ToolUse, access: Access) -> list[Event]:
    """The tool's result, unless it is empty."""
    text = bounded(use.result, MAX_TEXT)
    return [_event(use, access, Role.TOOL, text)] if text else []


def event_of_command(command: Turn, access: Access) -> Event:
    """The words of an explicit save, not to be read again. Raises ValueError when there are none."""
    text = bounded(command.user_text, MAX_TEXT)
    if not text:
        raise ValueError("a command without words is no evidence")
    return replace(_event(command, access, Role.USER, text), extraction=Extraction.SKIPPED)


def place(access: Access) -> str:
    """The scope id of where something is said."""
    return (access.group or access.project or access.owner).scope_id


def pausable(access: Access) -> tuple[ScopeRef, ...]:
    """Whoever may be paused: the speaker under any of their accounts, or the group."""
    return (access.owner, *access.readable, *((access.group,) if access.group else ()))


async def take_back(tx: WriteTransaction, turn: Turn, access: Access, request: OptOut) -> None:
    """Nothing of the turn is kept; where the request points back, nor is the exchange before it."""
    actor = access.owner.scope_id
    if kept := await tx.of_message(turn.chat.umo, turn.message_id):
        await tx.retract(kept, actor=actor)
    recent = await tx.newest(turn.chat.umo, place(access), limit=LOOKED_BACK) if request.points_back else ()
    said = [at for at, event in enumerate(recent) if event.role is Role.USER]
    own = [at for at in said if recent[at].sender_id == turn.chat.sender_id]
    if own:
        following = next((at for at in said if at > own[-1]), len(recent))
        await tx.retract(recent[own[-1] : following], actor=actor)


def _event(what: Turn | ToolUse, access: Access, role: Role, text: str) -> Event:
    chat, by_person = what.chat, role is Role.USER
    tool = what.tool if isinstance(what, ToolUse) else ""
    who = [chat.umo, chat.group_id, chat.sender_id]
    happened = json.dumps([*who, what.message_id, what.at.isoformat(), role, tool, text])
    return Event(
        event_id=str(uuid5(NAMESPACE_OID, happened)),
        at_scope=access.group or access.project or access.owner,
        owner=access.owner,
        source_type=SourceType.TOOL_RESULT if role is Role.TOOL else SourceType.MESSAGE,
        role=role,
        text=text,
        tool=tool,
        platform_id=chat.platform_id,
        umo=chat.umo,
        conversation_id=chat.conversation_id,
        message_id=what.message_id,
        sender_id=chat.sender_id if by_person else "",
        sender_name=plain_name(chat.sender_name) if by_person else "",
        level=access.level,
        created_at=what.at,
    )
