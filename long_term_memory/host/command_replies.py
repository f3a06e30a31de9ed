"""Replies to `/ltm ...`, and the line about what was learnt at the end of a reply."""

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import override

from astrbot.api import AstrBotConfig
from astrbot.api.event import AstrMessageEvent, MessageChain, MessageEventResult, ResultContentType
from astrbot.api.message_components import File, Plain
from astrbot.core.star.filter.custom_filter import CustomFilter

from ..commands import Commands, Reply
from ..commands.spelling import NARROW, is_called, separated
from ..domain.errors import UnavailableError
from ..messages import Messages, locale_of
from ..service import Service
from ..storage.files import Transit
from . import host_events
from .adapters import command_names
from .log_redaction import LogRedaction

_AFTER_LIST = re.compile(r"^((?:\d+\.|-) .*)\n(?!\d+\. |- |\n)", re.MULTILINE)
"""The last line of a list: a chat that renders Markdown takes what follows at once for its rest."""
NOTICE_PATIENCE = timedelta(milliseconds=300)
"""How long a reply may wait while it is looked up whether this chat may show what was learnt."""


@dataclass
class NearlyTheCommand(CustomFilter):
    """Rewrites "/LTM pause", "/记忆暂停" and "／记忆 暂停" for the host's own filter, which comes next.

    That one compares the name exactly. What it does not find goes to the model and may be learnt.
    """

    module: str
    raise_error: bool = True

    @override
    def filter(self, event: AstrMessageEvent, cfg: AstrBotConfig) -> bool:
        """Passes all but "ltm is a nice word": without a prefix that is ordinary talk."""
        with suppress(Exception):  # the host would answer each message with the error
            if event.is_at_or_wake_command:
                said, prefixes = event.message_obj.message_str.strip(), {"/", *cfg["wake_prefix"]} - {""}
                plain = said.translate(NARROW)
                names = command_names(self.module)
                if found := [each for each in prefixes if plain.startswith(each.translate(NARROW))]:
                    told = separated(said[max(map(len, found)) :].lstrip(), names)
                    event.message_str = told or event.message_str
                elif called := [name for name in names if plain.startswith(f"{name} ")]:
                    return is_called(plain[max(map(len, called)) :].strip())
        return True


@dataclass(frozen=True)
class CommandReplies:
    """Turns what a command comes to into the host's words."""

    service: Service
    commands: Commands
    files: Transit
    resolve: Callable[[AstrMessageEvent], Awaitable[None]]
    """Puts on the event what the host alone knows of the chat."""
    log: LogRedaction

    @asynccontextmanager
    async def answered(self, event: AstrMessageEvent) -> AsyncGenerator[MessageEventResult]:
        """The answer, to be sent inside the block: a file that goes with it is gone after it."""
        reply = await self._reply(event)
        async with AsyncExitStack() as stack:
            result = event.plain_result(_AFTER_LIST.sub(r"\1\n\n", reply.text))
            if file := reply.file:
                try:
                    path = await stack.enter_async_context(self.files.lent(file.content))
                    result = event.chain_result([Plain(reply.text), File(name=file.name, file=str(path))])
                except (OSError, UnavailableError) as error:
                    result = event.plain_result(self._unavailable(event, error).text)
            stack.enter_context(self.log.answering())
            yield result

    async def add_notice(self, event: AstrMessageEvent) -> None:
        """End a reply of the model with what was learnt; the host has the reply saved without it.

        What there is no time for is told in the next reply. A streamed one has been sent by now, so the line
        is a message of its own.
        """
        result = event.get_result()
        if result is None or not host_events.state_of(event).answered:
            return
        is_streamed = result.result_content_type is ResultContentType.STREAMING_FINISH
        # There, a second message would take the place of the reply.
        is_alone = is_streamed and event.get_platform_name() == "wecom_ai_bot"
        if is_alone or not (is_streamed or result.is_llm_result()):
            return
        with self.service.guard("notice") as manager:
            line = ""
            with suppress(TimeoutError):
                async with asyncio.timeout(NOTICE_PATIENCE.total_seconds()):
                    chat, text = host_events.chat_of(event), event.message_str
                    line = await manager.learnt_notice(chat, text) if manager else ""
            if line and is_streamed:
                await event.send(MessageChain([Plain(line)]))
            elif line:
                # A new list: the one there is may be that of the model's answer.
                result.chain = [*result.chain, Plain(f"\n\n{line}")]

    async def _reply(self, event: AstrMessageEvent) -> Reply:
        try:
            await self.resolve(event)
        except Exception as error:  # noqa: BLE001  a command is answered, whatever the host says
            return self._unavailable(event, error)
        return await self.commands.answer(
            host_events.chat_of(event),
            event.message_str,
            admin=event.is_admin(),
            message_id=host_events.message_id_of(event),
            by_person=host_events.spoken_by_a_person(event),
        )

    def _unavailable(self, event: AstrMessageEvent, error: Exception) -> Reply:
        self.service.failed("command", error)
        return Reply(text=Messages(locale_of(event.message_str)).text("error.unavailable"))
