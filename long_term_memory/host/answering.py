"""`/ltm ...` from the host's event to the message that the host sends."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# AstrBot's own signatures are only partly typed.

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager

from astrbot.api.event import AstrMessageEvent, MessageEventResult
from astrbot.api.message_components import File, Plain

from ..commands import Commands, Reply
from ..messages import Messages, locale_of
from ..service import Service
from . import events
from .lending import Lending
from .quiet_log import QuietLog


class Answering:
    """Turns what a command comes to into the host's words."""

    def __init__(
        self,
        service: Service,
        commands: Commands,
        lending: Lending,
        note: Callable[[AstrMessageEvent], Awaitable[None]],
        log: QuietLog,
    ) -> None:
        """`note` puts on the event what the host alone knows of the chat."""
        self._service = service
        self._commands = commands
        self._lending = lending
        self._note = note
        self._log = log

    @asynccontextmanager
    async def answered(self, event: AstrMessageEvent) -> AsyncGenerator[MessageEventResult]:
        """The answer, to be sent inside the block: a file that goes with it is gone after it."""
        reply = await self._reply(event)
        async with AsyncExitStack() as stack:
            result = await self._result(event, reply, stack)
            stack.enter_context(self._log.answering())
            yield result

    async def _result(
        self, event: AstrMessageEvent, reply: Reply, stack: AsyncExitStack
    ) -> MessageEventResult:
        """The host's message; a file that goes with it is left with the stack."""
        if reply.file is None:
            return event.plain_result(reply.text)
        try:
            path = await stack.enter_async_context(self._lending.lent(reply.file.content))
        except OSError as error:
            return event.plain_result(self._unavailable(event, error).text)
        return event.chain_result([Plain(reply.text), File(name=reply.file.name, file=str(path))])

    async def _reply(self, event: AstrMessageEvent) -> Reply:
        try:
            await self._note(event)
        except Exception as error:  # noqa: BLE001  a command is answered, whatever the host says
            return self._unavailable(event, error)
        return await self._commands.answer(
            events.chat_of(event),
            event.message_str,
            admin=event.is_admin(),
            message_id=events.message_id_of(event),
            by_person=events.spoken_by_a_person(event),
        )

    def _unavailable(self, event: AstrMessageEvent, error: Exception) -> Reply:
        self._service.failed("command", error)
        return Reply(text=Messages(locale_of(event.message_str)).text("error.unavailable"))
