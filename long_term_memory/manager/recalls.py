"""The recall log as an operator reads it, and recall tried out: the same reader, and nothing is noted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from ..access.persons import chat_named
from ..domain.chat import Chat
from ..domain.errors import NotFoundError
from ..domain.memory import Item, Page
from ..domain.reading import Query, Recall
from ..domain.recalls import Given, LeftOut, ListedRecall, LoggedRecall, RecallFilter
from ..domain.words import Level
from ..text_analysis.tokens import tokens
from ..upkeep.recall_log import MAX_LEFT_OUT, given_of, held_back, left_out_of
from .components import Operations
from .conversation import PAUSED


@dataclass(frozen=True, kw_only=True)
class ExplainedRecall:
    """A recall of the log, and those of its memories that are still there."""

    recall: LoggedRecall
    reply: str
    """What the bot answered; empty when that is not kept."""
    items: Mapping[str, Item]


@dataclass(frozen=True, kw_only=True)
class TriedRecall:
    """What a request would have carried, and what not."""

    block: str
    tokens: int
    reason: str
    vectors: bool
    given: Sequence[Given]
    left_out: Sequence[LeftOut]
    """The next best, as many as the log would name; then the person's own that are held back."""
    items: Mapping[str, Item]


class Recalls(Operations):
    """For operators only: it tells of everybody."""

    async def page(self, wanted: RecallFilter) -> Page[ListedRecall]:
        """One page of the log, the newest first, those of a moment ago included."""
        await self._components.recall_log.settle()
        return await self._store.recalls.page(wanted)

    async def get(self, recall_id: str) -> ExplainedRecall:
        """One recall of the log. Raises NotFoundError."""
        recall = await self._store.recalls.get(recall_id)
        if recall is None:
            raise NotFoundError("no such recall")
        items = await self._items(recall.given, recall.left_out)
        return ExplainedRecall(recall=recall, reply=await self._store.recalls.reply(recall), items=items)

    async def attempt(self, account: str, umo: str, text: str, *, raised: Level) -> TriedRecall:
        """What a request with these words of this account in this chat would carry now.

        It is read as for a reply, with the level that the chat has by the settings, or `raised` if that is
        higher; nothing is logged or counted. Somebody who never spoke has nothing to recall of their own.
        Raises InvalidInputError that names `account` or `umo`.
        """
        chat = await self.chat(account, umo, raised=raised)
        recall = await self._recall(chat, text)
        given = list(given_of(recall))
        memories, access = self._store.memories, self._access(chat)
        # The person's own that this chat might show if they were in use: their status is the rule.
        left_out = [
            *islice(left_out_of(recall), MAX_LEFT_OUT),
            *await held_back(memories, access, text, at=self._clock()),
        ]
        return TriedRecall(
            block=recall.block,
            tokens=tokens(recall.block),
            reason=recall.reason,
            vectors=recall.vectors,
            given=given,
            left_out=left_out,
            items=await self._items(given, left_out),
        )

    async def chat(self, account: str, umo: str, *, raised: Level) -> Chat:
        """The chat of an account at an origin. Raises InvalidInputError that names `account` or `umo`."""
        chat_named(account, umo, raised=raised)  # before the store is asked for it
        return chat_named(account, umo, known_as=await self._store.recalls.place(umo), raised=raised)

    async def _recall(self, chat: Chat, text: str) -> Recall:
        if await self._paused_by(chat):
            return PAUSED
        access, query = self._access(chat), Query(text=text, at=self._clock())
        if self._components.policies.read().enable:
            # Before a reply this is done while the host gets ready.
            self._components.ahead.prepare(text)
            await self._components.reader.prepare(access, query)
        return await self._components.reader.recall(access, query)

    async def _items(self, given: Iterable[Given], left_out: Iterable[LeftOut]) -> Mapping[str, Item]:
        return await self._store.recalls.items([each.memory_id for each in (*given, *left_out)])
