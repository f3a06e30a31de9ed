"""Which persona answers in a chat, as the host itself resolves it for a request, and what tools it has."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# AstrBot's own signatures are only partly typed.

import asyncio
from collections.abc import Collection, Mapping
from datetime import timedelta

from astrbot.api.event import AstrMessageEvent
from astrbot.api.provider import ProviderRequest
from astrbot.api.star import Context

PATIENCE = timedelta(milliseconds=300)
"""How long a message may wait for the host's answer."""
_DEFAULT = "default"
"""The id of the host's own default persona."""

type Persona = Mapping[str, object]


class Personas:
    """The host's session rules, the conversation's choice and the config's default, in the host's order."""

    def __init__(self, context: Context, *, patience: timedelta = PATIENCE) -> None:
        """`patience` is how long to wait for an answer."""
        self._context = context
        self._patience = patience.total_seconds()

    async def of(self, event: AstrMessageEvent) -> str:
        """The id of the persona; empty for the host's default one, for none, and for one that is gone.

        Raises TimeoutError: what cannot be told must not pass for the default.
        """
        async with asyncio.timeout(self._patience):
            persona = await self._selected(event, await self._chosen(event))
        name = str(persona.get("name") or "") if persona else ""
        return "" if name == _DEFAULT else name

    async def tools(self, event: AstrMessageEvent, chosen: str | None) -> Collection[str] | None:
        """The names of the tools that the persona has; None for every tool there is.

        `chosen` is the conversation's own persona. Nothing is asked while no persona has a choice of its own.
        Raises TimeoutError: what cannot be told must not pass for every tool.
        """
        known: Collection[Persona] = self._context.persona_manager.personas_v3
        if all(persona.get("tools") is None for persona in known):
            return None
        async with asyncio.timeout(self._patience):
            persona = await self._selected(event, chosen)
        tools = persona.get("tools") if persona else None
        return None if tools is None else [str(name) for name in tools] if isinstance(tools, list) else []

    async def _selected(self, event: AstrMessageEvent, chosen: str | None) -> Persona | None:
        _, persona, *_ = await self._context.persona_manager.resolve_selected_persona(
            umo=event.unified_msg_origin,
            conversation_persona_id=chosen,
            platform_name=event.get_platform_name(),
            # Hosts before 4.29 name their default in here.
            provider_settings=self._context.get_config(event.unified_msg_origin).get("provider_settings"),
        )
        return persona if isinstance(persona, Mapping) else None

    async def _chosen(self, event: AstrMessageEvent) -> str | None:
        """What the conversation says; before a request is made that is the chat's current conversation."""
        request: object = event.get_extra("provider_request")
        if isinstance(request, ProviderRequest) and request.conversation:
            return request.conversation.persona_id
        umo, conversations = event.unified_msg_origin, self._context.conversation_manager
        current = await conversations.get_curr_conversation_id(umo)
        found = await conversations.get_conversation(umo, current) if current else None
        return found.persona_id if found else None
