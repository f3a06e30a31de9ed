"""What a person may take away: all that is remembered of them, with the words it rests on."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..domain.chat import Chat
from ..domain.errors import InvalidInputError
from ..domain.memory import EvidenceInContext, Item
from .owning import access_to_every_persona
from .parts import Parts

_AT_ONCE = 100
"""Items of one query: making more of them would hold up others."""


@dataclass(frozen=True, kw_only=True)
class Exported:
    """One memory and the words it rests on, oldest first."""

    item: Item
    evidence: Sequence[EvidenceInContext]
    older: Sequence[Item] = ()
    """What it took the place of, latest first."""


class Exporting:
    """Reads only; in private chats, for in a group the whole group would get it."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def own(self, chat: Chat) -> Sequence[Exported]:
        """All live items of the speaker's own, of whatever persona, that may be shown in this chat.

        Raises InvalidInputError in a group.
        """
        if not chat.private:
            raise InvalidInputError("chat", "an export is for a private chat")
        access = await access_to_every_persona(self._parts, chat)
        memories, scopes = self._parts.store.memories, access.own
        exported: list[Exported] = []
        after = ""
        while part := await memories.own_part(scopes, access, after=after, limit=_AT_ONCE):
            for item, evidence in part:
                older = await memories.own_older(item.memory_id, scopes, access)
                exported.append(Exported(item=item, evidence=evidence, older=older))
            after = exported[-1].item.memory_id
        return exported
