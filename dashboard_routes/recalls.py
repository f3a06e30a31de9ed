"""GET recalls and recalls/<recall_id>, POST recall/try: what requests were given, and what one would be."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, TypedDict

from pydantic import Field

from . import core
from .answers import ROUTES, shaped
from .core import Page, Request, Service
from .forms import Form, LevelName, body, form_of, wanted_by

MAX_TEXT = 10_000
"""Characters of the words."""
MAX_ID = 500
"""Characters of an account or a chat."""


class Trial(Form):
    """Who says what where; `level` is what the conversation is raised to, if anything."""

    account: Annotated[str, Field(min_length=1, max_length=MAX_ID)]
    umo: Annotated[str, Field(min_length=1, max_length=MAX_ID)]
    text: Annotated[str, Field(max_length=MAX_TEXT)]
    level: LevelName | None = None


class Absence(Trial):
    """Who asks where what became of these words, and the language of the answer."""

    language: core.Locale = "en-US"


@dataclass(frozen=True, kw_only=True)
class GivenShape(core.Given):
    """A memory that a request carried, with each signal's share; the fact is null when it is gone."""

    fact: str | None
    type: core.MemoryType | None
    status: core.Status | None


@dataclass(frozen=True, kw_only=True)
class LeftOutShape(core.Omitted):
    """A memory that a request did not carry, and the rule that left it out."""

    fact: str | None
    type: core.MemoryType | None
    status: core.Status | None


class RecallAnswer(TypedDict):
    """One recall with the bot's reply, what it gave, the best first, and what it left out, likewise."""

    recall: core.ListedRecall
    reply: str
    given: Sequence[GivenShape]
    left_out: Sequence[LeftOutShape]


class TrialAnswer(TypedDict):
    """What a request would carry: the block, its tokens, and why nothing or words alone."""

    block: str
    reason: str
    vectors: bool
    tokens: int
    given: Sequence[GivenShape]
    left_out: Sequence[LeftOutShape]


class AbsenceAnswer(TypedDict):
    """What `/ltm why-not` tells the person, and the memories that it names and that are not forgotten."""

    text: str
    memories: Sequence[core.Item]


@ROUTES.add("GET", "recalls", "What requests were given", query=form_of(core.RecallFilter))
async def list_recalls(service: Service, request: Request) -> Page[core.ListedRecall]:
    """One page of the log, the newest first."""
    return await service.manager().recalls.page(wanted_by(request, core.RecallFilter))


@ROUTES.add("GET", "recalls/<recall_id>", "One recall and why")
async def get_recall(service: Service, request: Request) -> RecallAnswer:
    """One recall with the facts of its memories, as far as they are still there."""
    found = await service.manager().recalls.get(request.path["recall_id"])
    return RecallAnswer(
        recall=found.recall.listed,
        reply=found.reply,
        given=_with_facts(GivenShape, found.recall.given, found.items),
        left_out=_with_facts(LeftOutShape, found.recall.left_out, found.items),
    )


@ROUTES.add("POST", "recall/try", "What a request would be given", body=Trial)
async def try_recall(service: Service, request: Request) -> TrialAnswer:
    """What this account would be given for these words in this chat; nothing is noted or counted."""
    trial = body(request, Trial)
    found = await service.manager().recalls.attempt(
        trial.account, trial.umo, trial.text, raised=trial.level or core.Level.PUBLIC
    )
    return shaped(
        TrialAnswer,
        found,
        given=_with_facts(GivenShape, found.given, found.items),
        left_out=_with_facts(LeftOutShape, found.left_out, found.items),
    )


@ROUTES.add("POST", "recall/why-not", "What became of what somebody said", body=Absence)
async def why_not(service: Service, request: Request) -> AbsenceAnswer:
    """What this account is told in this chat about memories and messages with these words."""
    wanted, manager = body(request, Absence), service.manager()
    chat = await manager.recalls.chat(wanted.account, wanted.umo, raised=wanted.level or core.Level.PUBLIC)
    found = await manager.why_not(chat, wanted.text)
    text = core.told_of(
        found, await manager.own_waiting(chat), core.Messages(wanted.language, zone=manager.zone)
    )
    named = [one.item for one in found.explained if one.item.status is not core.Status.DELETED]
    return AbsenceAnswer(text=text, memories=named)


def _with_facts[T](
    shape: Callable[..., T], memories: Iterable[core.Given | core.Omitted], items: Mapping[str, core.Item]
) -> list[T]:
    said = {key: {"fact": item.fact, "type": item.type, "status": item.status} for key, item in items.items()}
    gone = {"fact": None, "type": None, "status": None}
    return [shape(**vars(each), **said.get(each.memory_id, gone)) for each in memories]
