"""The platform adapter: any number of instances, each with an id of its own."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from pathlib import Path
from typing import Any

from astrbot.api.event import MessageChain
from astrbot.api.message_components import At, File, Plain, Reply
from astrbot.api.platform import (
    AstrBotMessage,
    AstrMessageEvent,
    MessageMember,
    MessageType,
    Platform,
    PlatformMetadata,
    register_platform_adapter,  # pyright: ignore[reportUnknownVariableType] - untyped in the host
)
from astrbot.core.event_bus import UNIQUE_SESSION_ID_BUILDERS
from astrbot.core.platform.message_session import MessageSesion

from .turns import turns

TYPE = "test_platform"
BOT = "bot"
ALONE = "alone"
"""A group in which `unique_session` names the member only, as on some platforms."""


class PuppetEvent(AstrMessageEvent):
    """A message of a puppet; what the bot sends to it is recorded."""

    async def send(self, message: MessageChain) -> None:
        """Record a message, and what is in its files while they are there."""
        files = [await _content(part) for part in message.chain if isinstance(part, File)]
        self._record(message.get_plain_text(), files=files)
        await super().send(message)

    async def send_streaming(
        self, generator: AsyncGenerator[MessageChain, None], use_fallback: bool = False
    ) -> None:
        """Record a streamed message, once it is whole."""
        pieces: list[str] = []
        async for piece in generator:
            pieces.append(piece.get_plain_text())
            turns.first_sign(self.message_obj.message_id)
        self._record("".join(pieces), len(pieces))
        await super().send_streaming(generator, use_fallback)

    def cleanup_temporary_local_files(self) -> None:
        """Note the end of the turn: this is the last the host does with an event."""
        super().cleanup_temporary_local_files()
        turns.end(self.message_obj.message_id)

    def _record(self, text: str, pieces: int = 1, files: Sequence[Mapping[str, str]] = ()) -> None:
        turns.record(
            platform=self.get_platform_id(),
            session=self.unified_msg_origin,
            answers=self.message_obj.message_id,
            text=text,
            pieces=pieces,
            files=files,
        )


async def _content(file: File) -> dict[str, str]:
    path = Path(await file.get_file())
    return {
        "name": file.name or "",
        "path": str(path),
        "text": await asyncio.to_thread(path.read_text, "utf-8"),
    }


def _own_session(event: AstrMessageEvent) -> str:
    sender, group = event.get_sender_id(), event.get_group_id()
    return sender if group == ALONE else f"{sender}_{group}"


UNIQUE_SESSION_ID_BUILDERS[TYPE] = _own_session


@register_platform_adapter(TYPE, "puppets of the tests", default_config_tmpl={"id": TYPE})
class PuppetPlatform(Platform):
    """One instance of the platform, as configured in the host."""

    def __init__(
        self, platform_config: dict[str, Any], _settings: dict[str, Any], event_queue: asyncio.Queue[Any]
    ) -> None:
        super().__init__(platform_config, event_queue)  # pyright: ignore[reportUnknownMemberType] - as above
        self._id: str = platform_config["id"]
        self._stopped = asyncio.Event()

    def meta(self) -> PlatformMetadata:
        """Name the type, and the instance."""
        return PlatformMetadata(name=TYPE, description="puppets of the tests", id=self._id)

    async def run(self) -> None:
        """Do nothing until terminated: messages come in through the routes."""
        await self._stopped.wait()

    async def terminate(self) -> None:
        """End `run`."""
        self._stopped.set()

    async def send_by_session(self, session: MessageSesion, message_chain: MessageChain) -> None:
        """Record a message that the bot sends unasked."""
        turns.record(
            platform=self._id,
            session=str(session),
            answers=None,
            text=message_chain.get_plain_text(),
        )
        await super().send_by_session(session, message_chain)

    def say(self, said: dict[str, Any]) -> None:
        """Hand a person's message to the host."""
        event = PuppetEvent(said["text"], _message(said), self.meta(), said["group"] or said["sender_id"])
        if said["streaming"] is not None:
            event.set_extra("enable_streaming", said["streaming"])  # pyright: ignore[reportUnknownMemberType]
        self.commit_event(event)


def _message(said: dict[str, Any]) -> AstrBotMessage:
    message = AstrBotMessage()
    message.type = MessageType.GROUP_MESSAGE if said["group"] else MessageType.FRIEND_MESSAGE
    message.self_id = BOT
    message.session_id = said["group"] or said["sender_id"]
    message.message_id = said["message_id"]
    message.group_id = said["group"]
    message.sender = MessageMember(user_id=said["sender_id"], nickname=said["sender_name"])
    message.message = [Plain(said["text"])]
    if said["group"] and said["addressed"]:
        message.message.insert(0, At(qq=BOT, name=BOT))
    if said["quoting"]:
        message.message.insert(0, _reply(**said["quoting"]))
    message.message_str = said["text"]
    message.raw_message = {"author": {"bot": said["by_a_bot"]}}
    if said["recalls"]:
        # As the host's adapter for OneBot v11 tells of it: a message without any content.
        kind = "group_recall" if said["group"] else "friend_recall"
        message.message = []
        message.raw_message = {"post_type": "notice", "notice_type": kind, "message_id": said["recalls"]}
    return message


def _reply(by: str, name: str, text: str) -> Reply:
    """Quote a message, as the adapters of the host do."""
    return Reply(
        id="quoted", chain=[Plain(text)], sender_id=by, sender_nickname=name, message_str=text, text=text
    )
