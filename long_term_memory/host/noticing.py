"""A line at the end of a reply about what was learnt; the host has the reply saved without it."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# AstrBot's own signatures are only partly typed.

import asyncio
from datetime import timedelta

from astrbot.api.event import AstrMessageEvent
from astrbot.api.message_components import Plain

from ..service import Service
from . import events

PATIENCE = timedelta(milliseconds=50)
"""How long a reply may wait while it is looked up whether this chat may show what was learnt."""


ANSWERED = "astrbot_plugin_ltm_answered"
"""The note on an event that the model has answered it, and not with an error."""


async def add_notice(service: Service, event: AstrMessageEvent) -> None:
    """End a whole reply of the model with it; what there is no time for is told in the next one.

    A streamed reply has been sent by now.
    """
    manager, result = service.active, event.get_result()
    if manager is None or result is None or not event.get_extra(ANSWERED) or not result.is_llm_result():
        return
    try:
        async with asyncio.timeout(PATIENCE.total_seconds()):
            line = await manager.learnt_notice(events.chat_of(event), event.message_str)
    except TimeoutError:
        return
    except Exception as error:  # noqa: BLE001  memory may fail, the chat may not
        service.failed("notice", error)
        return
    if line:
        # A new list: the one there is may be that of the model's answer.
        result.chain = [*result.chain, Plain(f"\n\n{line}")]
