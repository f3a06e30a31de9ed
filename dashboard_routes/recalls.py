"""GET recalls and recalls/<recall_id>, POST recall/try: what requests were given, and what one would be."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, TypedDict

from pydantic import Field

from .core import Given, Item, LeftOut, Level, ListedRecall, RecallFilter, Request, Route, Service
from .forms import Form, Paged, asked, body
from .shapes import Instant, LevelName, PageShape, instant, page_shape

MAX_TEXT = 10_000
"""Characters of the words."""
MAX_ID = 500
"""Characters of an account or a chat."""


class Wanted(Paged):
    """Which recalls to list."""

    scope_id: str | None = None
    umo: str | None = None
    empty: bool | None = None
    q: Annotated[str, Field(max_length=MAX_ID)] = ""
    since: date | None = None
    until: date | None = None


class Trial(Form):
    """Who says what where; `level` is what the conversation is raised to, if anything."""

    account: Annotated[str, Field(min_length=1, max_length=MAX_ID)]
    umo: Annotated[str, Field(min_length=1, max_length=MAX_ID)]
    text: Annotated[str, Field(max_length=MAX_TEXT)]
    level: LevelName | None = None


class RecallShape(TypedDict):
    """One recall: whose, where, for which words, and how many memories it gave and left out."""

    recall_id: str
    scope: str
    scope_id: str
    umo: str
    level: str
    query: str
    given: int
    left_out: int
    vectors: bool
    reason: str
    at: Instant


class GivenShape(TypedDict):
    """A memory that a request carried, with each signal's share; the fact is null when it is gone."""

    memory_id: str
    fact: str | None
    type: str | None
    status: str | None
    score: float
    similarity: float
    importance: float
    recency: float
    words: float | None
    cosine: float | None


class LeftOutShape(TypedDict):
    """A memory that a request did not carry, and the rule that left it out."""

    memory_id: str
    fact: str | None
    type: str | None
    status: str | None
    rule: str
    score: float | None


class RecallsAnswer(PageShape):
    """One page of the recall log, the newest first."""

    recalls: list[RecallShape]


class RecallAnswer(TypedDict):
    """One recall with the bot's reply, what it gave, the best first, and what it left out, likewise."""

    recall: RecallShape
    reply: str
    given: list[GivenShape]
    left_out: list[LeftOutShape]


class TrialAnswer(TypedDict):
    """What a request would carry: the block, its tokens, and why nothing or words alone."""

    block: str
    reason: str
    vectors: bool
    tokens: int
    given: list[GivenShape]
    left_out: list[LeftOutShape]


async def list_recalls(service: Service, request: Request) -> RecallsAnswer:
    """One page of the log, the newest first; filters `scope_id`, `umo`, `empty`, `q`, `since`, `until`."""
    wanted = asked(request, Wanted)
    found = await service.manager().recalls.page(
        RecallFilter(
            scope_id=wanted.scope_id,
            umo=wanted.umo,
            empty=wanted.empty,
            query=wanted.q,
            since=wanted.since,
            until=wanted.until,
            page=wanted.page,
            page_size=wanted.page_size,
        )
    )
    return RecallsAnswer(
        recalls=[_recall(each) for each in found.rows],
        **page_shape(found),
    )


async def get_recall(service: Service, request: Request) -> RecallAnswer:
    """One recall with the facts of its memories, as far as they are still there."""
    found = await service.manager().recalls.get(request.path["recall_id"])
    return RecallAnswer(
        recall=_recall(found.recall.listed),
        reply=found.reply,
        given=_given(found.recall.given, found.items),
        left_out=_left_out(found.recall.left_out, found.items),
    )


async def try_recall(service: Service, request: Request) -> TrialAnswer:
    """What this account would be given for these words in this chat; nothing is noted or counted."""
    trial = body(request, Trial)
    found = await service.manager().recalls.attempt(
        trial.account,
        trial.umo,
        trial.text,
        raised=Level[trial.level] if trial.level else Level.PUBLIC,
    )
    return TrialAnswer(
        block=found.block,
        reason=found.reason,
        vectors=found.vectors,
        tokens=found.tokens,
        given=_given(found.given, found.items),
        left_out=_left_out(found.left_out, found.items),
    )


ROUTES = (
    Route(
        path="recalls",
        method="GET",
        summary="What requests were given",
        handler=list_recalls,
        query=Wanted,
        answer=RecallsAnswer,
    ),
    Route(
        path="recalls/<recall_id>",
        method="GET",
        summary="One recall and why",
        handler=get_recall,
        answer=RecallAnswer,
    ),
    Route(
        path="recall/try",
        method="POST",
        summary="What a request would be given",
        handler=try_recall,
        body=Trial,
        answer=TrialAnswer,
    ),
)


def _recall(one: ListedRecall) -> RecallShape:
    return RecallShape(
        recall_id=one.recall_id,
        scope=one.owner.scope.value,
        scope_id=one.owner.scope_id,
        umo=one.umo,
        level=one.level.name,
        query=one.query,
        given=one.given,
        left_out=one.left_out,
        vectors=one.vectors,
        reason=one.reason,
        at=instant(one.at),
    )


def _given(given: Sequence[Given], items: Mapping[str, Item]) -> list[GivenShape]:
    return [
        GivenShape(
            memory_id=each.memory_id,
            fact=item.fact if (item := items.get(each.memory_id)) else None,
            type=item.type.value if item else None,
            status=item.status.value if item else None,
            score=each.score,
            similarity=each.similarity,
            importance=each.importance,
            recency=each.recency,
            words=each.words,
            cosine=each.cosine,
        )
        for each in given
    ]


def _left_out(left_out: Sequence[LeftOut], items: Mapping[str, Item]) -> list[LeftOutShape]:
    return [
        LeftOutShape(
            memory_id=each.memory_id,
            fact=item.fact if (item := items.get(each.memory_id)) else None,
            type=item.type.value if item else None,
            status=item.status.value if item else None,
            rule=each.rule,
            score=each.score,
        )
        for each in left_out
    ]
