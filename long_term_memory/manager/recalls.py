"""The log of recalls, and what a request would carry now."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any

from ..access.identity import persona_of, unescaped, without_persona
from ..access.persons import chat_named
from ..domain.chat import Chat
from ..domain.enums import Level, MemoryType, Origin, Status
from ..domain.errors import InvalidInputError, NotFoundError
from ..domain.memory import Page
from ..domain.reading import Given, Omitted, Query, Recall
from ..domain.recalls import ListedRecall, LoggedRecall, RecallFilter
from ..text_analysis.tokens import tokens
from ..upkeep.recall_log import MAX_LEFT_OUT, given_of, held_back
from .conversation import PAUSED_RECALL
from .operations import Operations

_SAID = ("fact", "type", "origin", "status")


@dataclass(frozen=True, kw_only=True)
class _Told:
    """What a memory of a recall says; nothing when it is gone."""

    fact: str | None
    """As it was worded then; None also where nobody knows that any more."""
    reworded: bool
    """Whether it is worded otherwise now."""
    type: MemoryType | None
    """As it was then, unless the row of the log is older."""
    retyped: bool
    """Whether it is another now."""
    origin: Origin | None
    status: Status | None


@dataclass(frozen=True, kw_only=True)
class GivenMemory(_Told, Given):
    """A memory that a request carried, with each signal's share."""


@dataclass(frozen=True, kw_only=True)
class OmittedMemory(_Told, Omitted):
    """A memory that a request did not carry, and the rule that left it out."""


@dataclass(frozen=True, kw_only=True)
class _Memories:
    """What a request carried, the best first, and what not, likewise."""

    given: Sequence[GivenMemory]
    left_out: Sequence[OmittedMemory]
    not_here: int
    """Memories in use of the person that this chat may not show."""


@dataclass(frozen=True, kw_only=True)
class ExplainedRecall(_Memories):
    """A recall of the log."""

    recall: ListedRecall
    reply: str
    """What the bot answered; empty when that is not kept."""


@dataclass(frozen=True, kw_only=True)
class TriedRecall(_Memories):
    """What a request would carry: the block, its tokens, and why nothing or words alone.

    Of what is left out the next best, as many as the log would name, and the person's own that are held back.
    """

    block: str
    tokens: int
    reason: str
    vectors: bool


class Recalls(Operations):
    """For operators only: it tells of everybody."""

    async def page(self, wanted: RecallFilter) -> Page[ListedRecall]:
        """One page of the log, the newest first, those of a moment ago included."""
        await self._components.recall_log.settle()
        return await self._store.recalls.page(wanted, self._components.ports.zone)

    async def get(self, recall_id: str) -> ExplainedRecall:
        """One recall of the log. Raises NotFoundError."""
        recall = await self._store.recalls.get(recall_id)
        if recall is None:
            raise NotFoundError("no such recall")
        given, left_out = await self._described(recall.given, recall.left_out, at=recall.at)
        return ExplainedRecall(
            recall=recall.listed,
            reply=await self._store.recalls.reply(recall),
            given=given,
            left_out=left_out,
            not_here=await self._not_here(recall),
        )

    async def _not_here(self, recall: LoggedRecall) -> int:
        """0 where memories are the chat's own (`identity.user_scope_strategy`) and no account's."""
        account = unescaped(without_persona(recall.owner).scope_id)
        try:
            chat = await self.chat(account, recall.umo, raised=recall.level)
        except InvalidInputError:
            return 0
        access = self._access(replace(chat, persona_id=persona_of(recall.owner)))
        return await self._store.recalls.not_here(access, at=self._clock())

    async def attempt(self, account: str, umo: str, text: str, *, raised: Level) -> TriedRecall:
        """What a request with these words of this account in this chat would carry now.

        It is read as for a reply, with the level that the chat has by the settings, or `raised` if that is
        higher; nothing is logged or counted. Somebody who never spoke has nothing to recall of their own.
        Raises InvalidInputError that names `account` or `umo`.
        """
        chat = await self.chat(account, umo, raised=raised)
        recall = await self._recall(chat, text)
        access = self._access(chat)
        # The person's own that this chat might show if they were in use: their status is the rule.
        held = await held_back(self._store.memories, access, text, at=self._clock())
        omitted = [*islice(recall.omitted(), MAX_LEFT_OUT), *held]
        given, left_out = await self._described(list(given_of(recall)), omitted, at=self._clock())
        return TriedRecall(
            block=recall.block,
            tokens=tokens(recall.block),
            reason=recall.reason,
            vectors=recall.vectors,
            given=given,
            left_out=left_out,
            not_here=await self._store.recalls.not_here(access, at=self._clock()),
        )

    async def chat(self, account: str, umo: str, *, raised: Level) -> Chat:
        """The chat of an account at an origin. Raises InvalidInputError that names `account` or `umo`."""
        chat_named(account, umo, raised=raised)  # before the store is asked for it
        return chat_named(account, umo, known_as=await self._store.recalls.place(umo), raised=raised)

    async def _recall(self, chat: Chat, text: str) -> Recall:
        if await self.paused_by(chat):
            return PAUSED_RECALL
        if self._components.policies.read().enable:
            # Before a reply this is done while the host gets ready.
            self._components.question_embedder.prepare(text)
            await self._components.question_embedder.arrived(text)
        return await self._components.reader.recall(self._access(chat), Query(text=text, at=self._clock()))

    async def _described(
        self, given: Sequence[Given], omitted: Sequence[Omitted], *, at: datetime
    ) -> tuple[Sequence[GivenMemory], Sequence[OmittedMemory]]:
        """These with what they said `at` this instant."""
        items = await self._store.by_id([each.memory_id for each in (*given, *omitted)])
        older = await self._store.older(list(items))

        def shown(each: Given | Omitted) -> dict[str, Any]:
            item = items.get(each.memory_id)
            now = {name: getattr(item, name, None) for name in _SAID}
            fact = item and each.fact_at(at, item, older[item.memory_id])
            kind = item and (each.type or item.type)
            changed = {"reworded": fact != now["fact"], "retyped": kind != now["type"]}
            return {**vars(each), **now, "fact": fact, "type": kind, **changed}

        return [GivenMemory(**shown(one)) for one in given], [OmittedMemory(**shown(one)) for one in omitted]
