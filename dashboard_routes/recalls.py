"""GET recalls and recalls/<recall_id>, POST recall/try: what requests were given, and what one would be."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, TypedDict

from pydantic import Field

from . import core
from .answers import ROUTES, shaped
from .core import LTMManager, Page
from .forms import Form, LevelName

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
    """A memory that a request carried, with each signal's share; the fact as it was then, null when gone."""

    fact: str | None
    reworded: bool
    type: core.MemoryType | None
    status: core.Status | None


@dataclass(frozen=True, kw_only=True)
class LeftOutShape(core.Omitted):
    """A memory that a request did not carry, and the rule that left it out."""

    fact: str | None
    reworded: bool
    type: core.MemoryType | None
    status: core.Status | None


class RecallAnswer(TypedDict):
    """One recall with the bot's reply, what it gave, the best first, and what it left out, likewise.

    `not_here` counts the person's memories that this chat may not show.
    """

    recall: core.ListedRecall
    reply: str
    given: Sequence[GivenShape]
    left_out: Sequence[LeftOutShape]
    not_here: int


class TrialAnswer(TypedDict):
    """What a request would carry: the block, its tokens, and why nothing or words alone.

    `not_here` is as in `RecallAnswer`.
    """

    block: str
    reason: str
    vectors: bool
    tokens: int
    given: Sequence[GivenShape]
    left_out: Sequence[LeftOutShape]
    not_here: int


class AbsenceAnswer(TypedDict):
    """What `/ltm why-not` tells the person, and the memories that it names and that are not forgotten."""

    text: str
    memories: Sequence[core.Item]


@ROUTES.add("GET", "recalls", "What requests were given")
async def list_recalls(manager: LTMManager, query: core.RecallFilter) -> Page[core.ListedRecall]:
    """One page of the log, the newest first."""
    return await manager.recalls.page(query)


@ROUTES.add("GET", "recalls/<recall_id>", "One recall and why")
async def get_recall(manager: LTMManager, recall_id: str) -> RecallAnswer:
    """One recall with the facts of its memories, as far as they are still there."""
    found = await manager.recalls.get(recall_id)
    return RecallAnswer(
        recall=found.recall.listed,
        reply=found.reply,
        given=_with_facts(GivenShape, found.recall.given, found.items, found.worded),
        left_out=_with_facts(LeftOutShape, found.recall.left_out, found.items, found.worded),
        not_here=found.not_here,
    )


@ROUTES.add("POST", "recall/try", "What a request would be given")
async def try_recall(manager: LTMManager, body: Trial) -> TrialAnswer:
    """What this account would be given for these words in this chat; nothing is noted or counted."""
    raised = body.level or core.Level.PUBLIC
    found = await manager.recalls.attempt(body.account, body.umo, body.text, raised=raised)
    return shaped(
        TrialAnswer,
        found,
        given=_with_facts(GivenShape, found.given, found.items, {}),
        left_out=_with_facts(LeftOutShape, found.left_out, found.items, {}),
    )


@ROUTES.add("POST", "recall/why-not", "What became of what somebody said")
async def why_not(manager: LTMManager, body: Absence) -> AbsenceAnswer:
    """What this account is told in this chat about memories and messages with these words."""
    chat = await manager.recalls.chat(body.account, body.umo, raised=body.level or core.Level.PUBLIC)
    found, say = await manager.why_not(chat, body.text), core.Messages(body.language, zone=manager.zone)
    text = core.told_of(found, await manager.own_waiting(chat), say)
    named = [one.item for one in found.explained if one.item.status is not core.Status.DELETED]
    return AbsenceAnswer(text=text, memories=named)


def _with_facts[T](
    shape: Callable[..., T],
    memories: Iterable[core.Given | core.Omitted],
    items: Mapping[str, core.Item],
    worded: Mapping[str, str],
) -> list[T]:
    said = {
        key: {"fact": worded.get(key, item.fact), "type": item.type, "status": item.status}
        for key, item in items.items()
    }
    gone = {"fact": None, "type": None, "status": None}
    return [
        shape(**vars(each), **said.get(each.memory_id, gone), reworded=each.memory_id in worded)
        for each in memories
    ]
