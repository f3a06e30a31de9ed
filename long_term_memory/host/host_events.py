"""Reads the host's events into domain types. What a memory may reach is decided from these alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from astrbot.api.event import AstrMessageEvent
from astrbot.api.provider import LLMResponse, ProviderRequest

from ..domain.chat import Chat, ToolUse, Turn
from ..domain.enums import Level
from .bots import marked_as_a_bot
from .raw_message import group_id_of, own_words, person_id_of, quoted_in, sender_id_of

CRON_PLATFORM = "cron"
"""The platform type of the host's synthetic events that wake an agent with no person speaking."""
_WITHDRAWN = frozenset({"group_recall", "friend_recall"})
"""OneBot's notices that a message was withdrawn, by its author or by an admin of the group."""
_STATE = "astrbot_plugin_ltm_state"
"""The key of an event's state."""


@dataclass
class EventState:
    """What is known of an event beside what the host tells; each hook adds what it finds out."""

    place: tuple[str, str] | None = None
    """The persona that answers it and the project of its chat, once the host was asked for them."""
    conversation_id: str = ""
    """The conversation that its chat is in, where it has no request."""
    raised: Level = Level.PUBLIC
    """What the tools used for it raise its level to."""
    heard: str | None = None
    """Its words as they were recorded before anything was answered."""
    announced: bool = False
    """Whether the host announced a run: it does so for its own agent, never for a third party's."""
    given: str = ""
    """The block that its request was given."""
    answered: bool = False
    """Whether the model has answered it, and not with an error."""


def state_of(event: AstrMessageEvent) -> EventState:
    """What is noted on the event, to be read and changed."""
    if event.get_extra(_STATE) is None:
        event.set_extra(_STATE, EventState())
    return event.get_extra(_STATE)


def provider_request_of(event: AstrMessageEvent) -> ProviderRequest | None:
    """The LLM request made for this event, if any; it tells the conversation, or that there is none."""
    request: object = event.get_extra("provider_request")
    return request if isinstance(request, ProviderRequest) else None


def chat_of(event: AstrMessageEvent) -> Chat:
    """Who speaks where."""
    state = state_of(event)
    persona_id, project_id = state.place or ("", "")
    return Chat(
        umo=event.unified_msg_origin,
        platform_id=event.get_platform_id(),
        sender_id=sender_id_of(event),
        sender_name=str(event.get_sender_name() or ""),
        group_id=group_id_of(event),
        conversation_id=_conversation_id(event),
        persona_id=persona_id,
        project_id=project_id,
        raised=state.raised,
    )


def speaker_of(event: AstrMessageEvent) -> tuple[str, str]:
    """Chat and sender, the key by which the host tells agent runs apart."""
    return event.unified_msg_origin, str(event.get_sender_id() or "")


def spoken_by_a_person(event: AstrMessageEvent) -> bool:
    """Whether somebody wrote this.

    Excluded: agents the host wakes by itself, events without a sender, this bot's own messages, and other
    bots if the platform marks them.
    """
    sender = str(event.get_sender_id() or "")
    if event.get_platform_name() == CRON_PLATFORM or not sender or sender == str(event.get_self_id()):
        return False
    return not marked_as_a_bot(getattr(event.message_obj, "raw_message", None))


def is_command(event: AstrMessageEvent) -> bool:
    """Whether it has woken a command, of whatever plugin.

    The host notes the parameters of every command it finds, also when there are none, and drops those
    handlers again that the operator switched off for this chat.
    """
    found: object = event.get_extra("handlers_parsed_params") or {}
    woken: Sequence[object] = event.get_extra("activated_handlers") or ()
    names = {getattr(handler, "handler_full_name", "") for handler in woken}
    return isinstance(found, Mapping) and not names.isdisjoint(found)


def withdrawn_message(event: AstrMessageEvent) -> str:
    """The id of a message that was just withdrawn (撤回), where the event tells of that; else empty.

    Of the host's adapters only that for OneBot v11 (aiocqhttp) hands such notices on.
    """
    raw: object = getattr(event.message_obj, "raw_message", None)
    if not isinstance(raw, Mapping) or raw.get("notice_type") not in _WITHDRAWN:
        return ""
    return str(raw.get("message_id") or "")


def heard(event: AstrMessageEvent) -> Turn:
    """What somebody just said, before anything is answered; noted on the event for `turn_of`."""
    turn = turn_of(event, None)
    state_of(event).heard = turn.user_text
    return turn


def turn_of(event: AstrMessageEvent, response: LLMResponse | None) -> Turn:
    """The completed exchange in the user's own words, without text added by the host or quoted messages."""
    heard = state_of(event).heard
    quoted = quoted_in(event)
    return Turn(
        chat=chat_of(event),
        message_id=message_id_of(event),
        # What another plugin has changed since would be taken for another message.
        user_text=own_words(event) if heard is None else heard,
        reply_text=_reply(event, response),
        at=arrival_of(event),
        quoted=quoted.text,
        quoted_from=quoted.by,
        quoted_sender=person_id_of(event, quoted.sender_id),
    )


def is_error(response: LLMResponse | None) -> bool:
    """Whether the host answers with an error instead of the model's words."""
    return response is not None and response.role == "err"


def tool_use_of(event: AstrMessageEvent, tool: str, result: object) -> ToolUse:
    """One tool result; `result` is an MCP CallToolResult of whichever module the host uses, or None."""
    parts: list[object] = list(getattr(result, "content", None) or ())
    texts = [text for part in parts if isinstance(text := getattr(part, "text", None), str)]
    return ToolUse(
        chat=chat_of(event),
        message_id=message_id_of(event),
        tool=tool,
        result="\n".join(texts),
        at=arrival_of(event),
    )


def message_id_of(event: AstrMessageEvent) -> str:
    """The platform's id of the message; some platforms leave it empty."""
    return str(getattr(event.message_obj, "message_id", "") or "")


def arrival_of(event: AstrMessageEvent) -> datetime:
    """When the message reached the host: platforms' own timestamps are wrong too often."""
    return datetime.fromtimestamp(event.created_at, tz=UTC)


def _conversation_id(event: AstrMessageEvent) -> str:
    if request := provider_request_of(event):
        return request.conversation.cid if request.conversation else ""
    return state_of(event).conversation_id


def _reply(event: AstrMessageEvent, response: LLMResponse | None) -> str:
    stopped = bool(event.get_extra("agent_stop_requested")) or event.is_stopped()
    if response is None or stopped or is_error(response):
        return ""
    return response.completion_text or ""
