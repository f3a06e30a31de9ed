"""GET recalls and recalls/<recall_id>, POST recall/try: what requests were given, and what one would be."""

from collections.abc import Sequence
from typing import Annotated, TypedDict

from pydantic import Field

from . import core
from .answers import ROUTES
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
    """Who asks where what became of these words, and the language of the answer.

    At the last recall of the chat, or at that of `recall_id`.
    """

    recall_id: Annotated[str, Field(max_length=MAX_ID)] | None = None
    language: core.Locale = "en-US"


class AbsenceAnswer(TypedDict):
    """What `/ltm why-not` knows, with instants in ISO 8601, and the memories of it that are left."""

    text: str
    memories: Sequence[core.Item]


@ROUTES.add("GET", "recalls", "What requests were given")
async def list_recalls(manager: LTMManager, query: core.RecallFilter) -> Page[core.ListedRecall]:
    """One page of the log, the newest first."""
    return await manager.recalls.page(query)


@ROUTES.add("GET", "recalls/<recall_id>", "One recall and why")
async def get_recall(manager: LTMManager, recall_id: str) -> core.ExplainedRecall:
    """One recall with the facts of its memories, as far as they are still there."""
    return await manager.recalls.get(recall_id)


@ROUTES.add("POST", "recall/try", "What a request would be given")
async def try_recall(manager: LTMManager, body: Trial) -> core.TriedRecall:
    """What this account would be given for these words in this chat; nothing is noted or counted."""
    raised = body.level or core.Level.PUBLIC
    return await manager.recalls.attempt(body.account, body.umo, body.text, raised=raised)


@ROUTES.add("POST", "recall/why-not", "What became of what somebody said")
async def why_not(manager: LTMManager, body: Absence) -> AbsenceAnswer:
    """What this account may know in this chat about memories and messages with these words."""
    chat = await manager.recalls.chat(body.account, body.umo, raised=body.level or core.Level.PUBLIC)
    found = await manager.why_not(chat, body.text, recall_id=body.recall_id)
    text = core.told_of(found, None, core.MessagesForOperators(body.language))
    named = [one.item for one in found.explained if one.item.status is not core.Status.DELETED]
    return AbsenceAnswer(text=text, memories=named)
