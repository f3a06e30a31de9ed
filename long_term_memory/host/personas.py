"""Which persona answers in a chat, resolved as the host itself does it for a request."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# AstrBot's own signatures are only partly typed.

import asyncio
from collections.abc import Mapping
from datetime import timedelta

from astrbot.api.event import AstrMessageEvent
from astrbot.api.provider import ProviderRequest
from astrbot.api.star import Context

PATIENCE = timedelta(milliseconds=300)
"""How long a message may wait for the host's answer."""
_DEFAULT = "default"
"""The id of the host's own default persona."""


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
            _, persona, *_ = await self._context.persona_manager.resolve_selected_persona(
                umo=event.unified_msg_origin,
                conversation_persona_id=await self._chosen(event),
                platform_name=event.get_platform_name(),
                # Hosts before 4.29 name their default in here.
                provider_settings=self._context.get_config(event.unified_msg_origin).get("provider_settings"),
            )
        name = str(persona.get("name") or "") if isinstance(persona, Mapping) else ""
        return "" if name == _DEFAULT else name

    async def _chosen(self, event: AstrMessageEvent) -> str | None:
        """What the conversation says; before a request is made that is the chat's current conversation."""
        request: object = event.get_extra("provider_request")
        if isinstance(request, ProviderRequest) and request.conversation:
            return request.conversation.persona_id
        umo, conversations = event.unified_msg_origin, self._context.conversation_manager
        current = await conversations.get_curr_conversation_id(umo)
        found = await conversations.get_conversation(umo, current) if current else None
        return found.persona_id if found else None
