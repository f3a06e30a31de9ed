"""A platform whose people are puppets of the tests, and a window into the host's process."""

import os
from collections.abc import AsyncGenerator
from typing import Any, cast

from astrbot.api.event import AstrMessageEvent, MessageEventResult
from astrbot.api.event import filter as on
from astrbot.api.provider import ProviderRequest
from astrbot.api.star import Context, Star
from astrbot.api.web import request

from . import belongings, internals
from .platform import PuppetPlatform
from .turns import turns
from .weather import WeatherTool

_NAME = "astrbot_plugin_test_platform"
_PATIENCE = 0.5
_REMEMBERED = 120.0


class TestPlatform(Star):
    """Routes to speak through, to listen through and to look inside."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)  # pyright: ignore[reportUnknownMemberType] - the host types it in part
        self._loaded = False
        context.add_llm_tools(WeatherTool())
        for path, handler, method in (
            ("messages", self.say, "POST"),
            ("sent", self.sent, "GET"),
            ("turns/<message_id>", self.turn, "GET"),
            ("internals", self.internals, "GET"),
            ("objects", self.objects, "GET"),
            ("belongings", self.belongings, "GET"),
            ("exit", self.exit, "POST"),
            ("forget", self.forget, "POST"),
        ):
            context.register_web_api(f"/{_NAME}/{path}", handler, [method], path)

    @on.on_astrbot_loaded(priority=-1000)  # pyright: ignore[reportUnknownMemberType] - untyped in the host
    async def up(self) -> None:
        """Note that the host has told every plugin that it is up: this hook is the last."""
        self._loaded = True

    @on.command("dice")  # pyright: ignore[reportUnknownMemberType] - untyped in the host
    async def dice(self, event: AstrMessageEvent) -> AsyncGenerator[MessageEventResult]:
        """Answer a command."""
        yield event.plain_result("Four.")

    @on.command("ask")  # pyright: ignore[reportUnknownMemberType] - untyped in the host
    async def ask(self, event: AstrMessageEvent) -> AsyncGenerator[ProviderRequest]:
        """Have the model answer a command."""
        yield event.request_llm(prompt=event.message_str)  # pyright: ignore[reportUnknownMemberType] - as above

    @on.regex("^[Tt]ell my fortune")  # pyright: ignore[reportUnknownMemberType] - untyped in the host
    async def fortune(self, event: AstrMessageEvent) -> AsyncGenerator[MessageEventResult]:
        """Answer in the bot's place, and let nobody else do so."""
        yield event.plain_result("You will be lucky.")
        event.stop_event()

    async def say(self) -> dict[str, Any]:
        """Put a message of a person into the host's queue."""
        message = cast("dict[str, Any]", await request.json())
        platform = self.context.get_platform_inst(message["platform"])
        if not isinstance(platform, PuppetPlatform):
            return {"status": "error", "message": f"no test platform called {message['platform']}"}
        turns.begin(message["message_id"])
        platform.say(message)
        return {"status": "ok", "data": {}}

    async def turn(self, message_id: str) -> dict[str, Any]:
        """Wait a moment for a turn to end; `turn` is null while it goes on."""
        await turns.wait(message_id, _PATIENCE)
        return {"status": "ok", "data": {"turn": turns.finished(message_id)}}

    async def sent(self) -> dict[str, Any]:
        """List everything that was sent."""
        return {"status": "ok", "data": {"messages": turns.sent}}

    async def internals(self) -> dict[str, Any]:
        """Describe what lives in the process."""
        return {"status": "ok", "data": {**internals.describe(self.context), "loaded": self._loaded}}

    async def objects(self) -> dict[str, Any]:
        """Count the objects of the process."""
        return {"status": "ok", "data": internals.objects()}

    async def belongings(self) -> dict[str, Any]:
        """Count what plugins could leave behind."""
        return {"status": "ok", "data": belongings.belongings(self.context)}

    async def exit(self) -> dict[str, Any]:
        """Go at once, as a host that does not end its plugins."""
        os._exit(0)

    async def forget(self) -> dict[str, Any]:
        """Forget the turns that nobody waits for any more: a host that runs for hours has too many."""
        turns.forget(_REMEMBERED)
        return {"status": "ok", "data": {}}
