"""Memories as the `memory_*` tools save, find, list and delete them, by their keys."""

import asyncio
from collections.abc import Sequence

from ..domain.chat import Chat, Turn
from ..domain.enums import Level, Scope
from ..domain.errors import InvalidInputError, NotFoundError
from ..domain.memory import Item
from ..domain.reading import Query
from ..policies.keys import MAX_KEY, chosen_key
from ..policies.secrets import mask, mask_and_cut
from ..text_analysis.quotes import MAX_QUOTE
from ..write.tool_save import Saved, ToolSave
from .conversation import STORE_DEADLINE
from .operations import Operations

MAX_TAGS = 16
MAX_TAG = 64
MAX_FOUND = 50


class NotAtLevelError(NotFoundError):
    """There is no memory with this key at the level of the chat, whatever there is at others."""

    def __init__(self, key: str, level: Level) -> None:
        super().__init__(f"no memory with this key at {level.name} level")
        self.key = key
        self.level = level


class ToolMemories(Operations):
    """All of it raises RefusedError while the speaker or the group is paused, and what the store raises."""

    async def withheld(self, chat: Chat) -> bool:
        """Whether all of this would be refused now. Raises TimeoutError when the store is late."""
        async with asyncio.timeout(STORE_DEADLINE.total_seconds()):
            return bool(await self.paused_by(chat))

    async def save(self, turn: Turn, key: str, content: str, tags: Sequence[str] = ()) -> Saved:
        """Keep a fact under a key in the speaker's own memory, at the level of the chat.

        `turn` is the message that is being answered, whose words are the evidence; its reply is empty. What
        has this key at this level is replaced. Raises InvalidInputError, RefusedError.
        """
        access = await self._unless_paused(turn.chat)
        save = ToolSave(key=_key(key), content=_content(content), tags=_tags(tags))
        turn = await self._without_paused_quote(turn)
        try:
            actor = f"tool:memory_save:{access.owner.scope_id}"
            saved = await self._components.writer.save_by_tool(turn, access, save, actor=actor)
        finally:
            # The message is kept, and to be read, whatever became of the save.
            self._components.worker.notify()
        self._components.embedding.notify()
        self._components.undo.saved(turn.chat, saved, message=(turn.at, turn.user_text))
        return saved

    async def get(self, chat: Chat, key: str) -> Item | None:
        """What counts under this key, else under one that differs in case; None when this chat sees none."""
        every, wanted = await self.list(chat), chosen_key(key)
        folded = [item for item in every if item.fact_key.casefold() == wanted.casefold()]

        def place(item: Item) -> tuple[bool, bool]:
            # One's own before what is another's.
            return item.fact_key != wanted, bool(item.person) or item.owner.scope is not Scope.USER

        return min(folded, key=place, default=None)

    async def list(self, chat: Chat, tag: str | None = None) -> Sequence[Item]:
        """All memories that this chat may use, those with exactly this tag; last changed first."""
        access = await self._unless_paused(chat)
        every = await self._components.search.every(access, at=self._clock())
        return [item for item in every if tag is None or tag in item.tags]

    async def search(self, chat: Chat, text: str, *, max_results: int) -> Sequence[Item]:
        """Those that have to do with the text, the best first; at most `max_results`, and never over 50."""
        access, query = await self._unless_paused(chat), Query(text=text, at=self._clock())
        return await self._components.search.find(access, query, most=min(max_results, MAX_FOUND))

    async def delete(self, chat: Chat, key: str) -> None:
        """Forget the speaker's memory with this key at the level of the chat. Raises NotAtLevelError."""
        access, wanted = await self._unless_paused(chat), chosen_key(key)
        own = [ref for ref in access.readable if ref.scope is Scope.USER]
        found = await self._store.memories.own_with_key(wanted, own, access)
        if not await self._delete(chat, found, self._decision(f"tool:memory_delete:{access.owner.scope_id}")):
            raise NotAtLevelError(wanted, access.level)


def _key(key: str) -> str:
    wanted = chosen_key(key)
    if not 0 < len(wanted) <= MAX_KEY:
        raise InvalidInputError("key", f"must have 1 to {MAX_KEY} characters")
    if mask(wanted) != wanted:
        raise InvalidInputError("key", "must not hold a secret")
    return wanted


def _content(content: str) -> str:
    line = " ".join(content.split())
    if len(line) > MAX_QUOTE:
        raise InvalidInputError("content", f"must have at most {MAX_QUOTE} characters; one fact at a time")
    if mask(line) != line:
        raise InvalidInputError("content", "must not hold a secret, such as a password, code or card number")
    if not (kept := mask_and_cut(line, MAX_QUOTE)):
        raise InvalidInputError("content", "must not be empty")
    return kept


def _tags(tags: Sequence[str]) -> tuple[str, ...]:
    """The first so many tags, each once, none longer than a tag may be."""
    plain = (mask_and_cut(" ".join(tag.split()), MAX_TAG) for tag in tags)
    return tuple(dict.fromkeys(tag for tag in plain if tag))[:MAX_TAGS]
