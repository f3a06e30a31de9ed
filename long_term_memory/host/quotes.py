"""What a message says itself, and what it only quotes."""

from collections.abc import Sequence
from dataclasses import dataclass

from astrbot.api.event import AstrMessageEvent
from astrbot.api.message_components import BaseMessageComponent, Plain, Reply


@dataclass(frozen=True, kw_only=True)
class Quoted:
    """The message that another one answers, as far as the platform gives it."""

    text: str = ""
    by: str = ""
    """The shown name of who said it, else their id, else empty."""
    sender_id: str = ""
    """Who said it on this platform, where it tells."""


def quoted_in(event: AstrMessageEvent) -> Quoted:
    """The first message with a text that this one answers."""
    for reply in _replies(event):
        if text := _text_of(reply):
            sender_id = str(reply.sender_id or "")
            return Quoted(text=text, by=str(reply.sender_nickname or sender_id), sender_id=sender_id)
    return Quoted()


def own_words(event: AstrMessageEvent) -> str:
    """The text of the message without the words it quotes.

    The host keeps a quotation apart from `message_str`, but for a quoted voice message: once that is
    written out, the host adds its words at the end, behind the person's own.
    """
    text = (event.message_str or "").rstrip()
    own = "".join(_plain(event.get_messages())).rstrip()
    for reply in reversed(_replies(event)):
        heard = "".join(_plain(reply.chain or ())).rstrip()
        if heard and not own.endswith(heard):
            text = text.removesuffix(heard).rstrip()
    return text


def _replies(event: AstrMessageEvent) -> list[Reply]:
    return [part for part in event.get_messages() if isinstance(part, Reply)]


def _text_of(reply: Reply) -> str:
    return (reply.message_str or reply.text or "".join(_plain(reply.chain or ()))).strip()


def _plain(parts: Sequence[BaseMessageComponent]) -> list[str]:
    return [part.text for part in parts if isinstance(part, Plain)]
