"""Reads the host's events into the domain's words. What a memory may reach is decided from these alone."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# AstrBot's own signatures are only partly typed.

from datetime import UTC, datetime

from astrbot.api.event import AstrMessageEvent
from astrbot.api.provider import LLMResponse, ProviderRequest

from ..domain.chat import Chat, ToolUse, Turn

CRON_PLATFORM = "cron"
"""The platform type of the host's synthetic events that wake an agent with no person speaking."""


def chat_of(event: AstrMessageEvent) -> Chat:
    """Who speaks where."""
    request: object = event.get_extra("provider_request")
    conversation = request.conversation if isinstance(request, ProviderRequest) else None
    return Chat(
        umo=event.unified_msg_origin,
        platform_id=event.get_platform_id(),
        sender_id=str(event.get_sender_id()),
        sender_name=str(event.get_sender_name() or ""),
        group_id=_group_id(event),
        conversation_id=conversation.cid if conversation else "",
    )


def spoken_by_a_person(event: AstrMessageEvent) -> bool:
    """Whether somebody wrote this: the host also wakes agents by itself, and some events have no sender."""
    return event.get_platform_name() != CRON_PLATFORM and bool(str(event.get_sender_id() or ""))


def turn_of(event: AstrMessageEvent, response: LLMResponse | None) -> Turn:
    """The completed exchange, in the user's own words (`message_str`, without what the host adds to them)."""
    return Turn(
        chat=chat_of(event),
        message_id=message_id_of(event),
        user_text=event.message_str or "",
        reply_text=_reply(event, response),
        at=arrival_of(event),
    )


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


def _group_id(event: AstrMessageEvent) -> str:
    if event.is_private_chat():
        return ""
    # A group without an id must not pass for a private chat: what cannot be classified is private to itself.
    return str(event.get_group_id() or event.session_id)


def _reply(event: AstrMessageEvent, response: LLMResponse | None) -> str:
    stopped = bool(event.get_extra("agent_stop_requested")) or event.is_stopped()
    if response is None or stopped:
        return ""
    return response.completion_text or ""
