"""The host's admins, where a private chat of theirs is known."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# AstrBot's own signatures are only partly typed.

import logging
from collections.abc import Sequence

from astrbot.api.event import MessageChain
from astrbot.api.star import Context
from astrbot.core.db import BaseDatabase
from astrbot.core.db.po import ConversationV2
from sqlmodel import col, select

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")


async def tell_admins(context: Context, database: BaseDatabase, text: str) -> int:
    """Send a text to each private chat of an admin with the bot; returns to how many it went."""
    told = 0
    for umo in await _private_chats(context, database):
        try:
            told += bool(await context.send_message(umo, MessageChain().message(text)))
        except Exception as error:  # noqa: BLE001  a platform's way out may raise anything
            logger.warning("An admin could not be told what waits for review: %s", type(error).__name__)
    return told


async def _private_chats(context: Context, database: BaseDatabase) -> Sequence[str]:
    """Those in which the host has a conversation, of whom it takes for an admin there."""
    platforms = [platform.meta().id for platform in context.platform_manager.platform_insts]
    admins: Sequence[object] = context.get_config().get("admins_id") or ()
    possible = {f"{platform}:FriendMessage:{admin}": admin for platform in platforms for admin in admins}
    own_umo = col(ConversationV2.user_id)
    async with database.get_db() as session:
        rows = await session.execute(select(own_umo).where(own_umo.in_(possible)).distinct())
        there = sorted(rows.scalars())
    return [umo for umo in there if possible[umo] in (context.get_config(umo).get("admins_id") or ())]
