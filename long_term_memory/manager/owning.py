"""What is the speaker's own, and may be decided about by them."""

from collections.abc import Sequence
from dataclasses import replace

from ..domain.chat import Access, Chat, ScopeRef
from ..domain.words import Scope
from .parts import Parts


def own_scopes(access: Access) -> Sequence[ScopeRef]:
    """The speaker's, and those of the project, whose creator they are."""
    return [ref for ref in access.readable if ref.scope in (Scope.USER, Scope.PROJECT)]


async def access_to_every_persona(parts: Parts, chat: Chat) -> Access:
    """The chat's access, and to what any persona of the bot keeps of the speaker."""
    access = parts.people.access(chat)
    personas = await parts.store.memories.of_every_persona(parts.people.scopes(chat))
    return replace(access, readable=tuple(dict.fromkeys((*access.readable, *personas))))
