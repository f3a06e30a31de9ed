"""The line that a reply ends with when something was learnt about the person it answers."""

from ..domain.chat import Chat
from ..domain.words import Status
from ..manager import LTMManager
from ..messages import Messages, locale_of


async def notice(manager: LTMManager, chat: Chat, text: str) -> str:
    """What was learnt since the last reply, in the language of the message; empty when nothing was."""
    news = await manager.noticing.news(chat)
    if not news:
        return ""
    facts = "; ".join(item.fact for item in news)
    used = any(item.status is Status.ACTIVE for item in news)
    return Messages(locale_of(f"{text} {facts}")).text("noted.used" if used else "noted.waits", facts=facts)
