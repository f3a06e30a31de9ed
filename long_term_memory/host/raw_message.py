"""Messages as platforms delivered them: where and by whom they were said, and what they only quote."""

from collections.abc import Sequence
from dataclasses import dataclass

from astrbot.api.event import AstrMessageEvent
from astrbot.api.message_components import BaseMessageComponent, Plain, Reply
from astrbot.api.platform import MessageType

from ..access.identity import escaped
from .bots import found_in

_LARKS_PRIVATE_CHAT = "p2p"
_SATORIS_PRIVATE_CHANNEL = 1
_NOTES_FOR_ALL = frozenset({"public", "home"})
_NOTES_FOR_SOME = "specified"


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
        if text := (reply.message_str or reply.text or "".join(_plain(reply.chain or ()))).strip():
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


def _plain(parts: Sequence[BaseMessageComponent]) -> list[str]:
    return [part.text for part in parts if isinstance(part, Plain)]


def group_id_of(event: AstrMessageEvent) -> str:
    """The room in which others read along; empty in a private chat."""
    return _ROOMS.get(event.get_platform_name(), _as_the_host_says)(event)


def sender_id_of(event: AstrMessageEvent) -> str:
    """Who speaks, as no two people of one platform instance are called; empty when nobody does."""
    return person_id_of(event, str(event.get_sender_id() or ""))


def person_id_of(event: AstrMessageEvent, local_id: str) -> str:
    """The same of anybody whom the event names by this id."""
    return _of_login(event, local_id) if local_id and event.get_platform_name() == "satori" else local_id


def _as_the_host_says(event: AstrMessageEvent) -> str:
    return "" if event.is_private_chat() and not event.get_group_id() else _room(event)


def _room(event: AstrMessageEvent) -> str:
    # A group without an id must not pass for a private chat: what cannot be classified is private to itself.
    return str(event.get_group_id() or event.session_id or event.unified_msg_origin)


def _in_lark(event: AstrMessageEvent) -> str:
    """To the host only one kind of group is a group; those by topics are others."""
    if _text(event, "chat_type") in {"", _LARKS_PRIVATE_CHAT}:
        return _as_the_host_says(event)
    return _text(event, "chat_id") or _room(event)


def _in_satori(event: AstrMessageEvent) -> str:
    """To the host a whole guild is one group, and any channel without a guild a private chat."""
    kind = _delivered(event, "channel.type")
    shared = isinstance(kind, int) and kind != _SATORIS_PRIVATE_CHANNEL
    if not shared and not _as_the_host_says(event):
        return ""
    return _of_login(event, _text(event, "channel.id") or _room(event))


def _of_login(event: AstrMessageEvent, local_id: str) -> str:
    """One instance serves accounts of the bot on several platforms, each with ids of its own."""
    platform = _text(event, "login.platform")
    return f"{escaped(platform)}:{local_id}" if platform else local_id


def _in_misskey(event: AstrMessageEvent) -> str:
    """To the host all notes of a person are one chat, whoever can read them."""
    room, readers = _as_the_host_says(event), _text(event, "visibility")
    if event.get_message_type() is not MessageType.OTHER_MESSAGE or readers in {"", *_NOTES_FOR_ALL}:
        return room
    named = _delivered(event, "visibleUserIds") if readers == _NOTES_FOR_SOME else None
    return "%".join((room, readers, *sorted(map(str, named if isinstance(named, list) else ()))))


def _text(event: AstrMessageEvent, path: str) -> str:
    found = _delivered(event, path)
    return str(found) if isinstance(found, str | int) else ""


def _delivered(event: AstrMessageEvent, path: str) -> object:
    return found_in(getattr(event.message_obj, "raw_message", None), path)


_ROOMS = {"lark": _in_lark, "satori": _in_satori, "misskey": _in_misskey}
