"""What is stored: events, items and the evidence that links them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from .chat import ScopeRef
from .enums import EDITED, Audience, Extraction, Level, MemoryType, Origin, Role, Scope, Status

QUEUE_FULL = "queue_full"
"""The `last_error` of an event that is skipped because too many of its chat wait for the model."""
TOO_OLD = "too_old"
"""That of one that is skipped because no model could be asked about it for as long as messages are kept."""


@dataclass(frozen=True, kw_only=True)
class Event:
    """One raw thing that happened. Never injected; evidence rests on it."""

    event_id: str
    at_scope: ScopeRef
    """The scope of the chat it happened in: the sender's in private, the group's, or the project's."""
    owner: ScopeRef
    """The scope of whoever said it: where facts the sender states about oneself go."""
    role: Role
    text: str
    tool: str
    """The tool's name for a tool result, else empty."""
    platform_id: str
    umo: str
    conversation_id: str
    message_id: str
    sender_id: str
    sender_name: str
    level: Level
    created_at: datetime
    quoted: str = ""
    """The message it answers, as the platform quotes it: another's words, never evidence."""
    quoted_sender: str = ""
    """Who said that, by the sender id on the same platform; empty when nobody knows."""
    urgent: bool = False
    """Whether it asks to remember something that only a model can make out: the chat is due at once."""
    extraction: Extraction = Extraction.PENDING
    attempts: int = 0
    last_error: str = ""


@dataclass(frozen=True, kw_only=True)
class Item:
    """One compact fact."""

    memory_id: str
    owner: ScopeRef
    type: MemoryType
    fact: str
    fact_key: str
    confidence: float
    importance: float
    evidence_count: int
    ttl_days: int | None
    """Days from the last confirmation until it expires; None is permanent."""
    status: Status
    reason: str
    """Why it has this status, for people: the rule that held it back, the person who decided."""
    level: Level
    audience: Audience
    origin: Origin
    origin_umo: str
    """The chat it was said in."""
    person: str = ""
    """Whom it is about when not the owner; empty means the owner."""
    teller: str = ""
    """The name of who said it when it is about a person other than the owner; else empty."""
    relationship: str = ""
    backstory: str = ""
    slot: str = ""
    """What the fact answers, such as `home_city`; empty when nothing exclusive."""
    superseded_by: str | None = None
    supersedes: tuple[str, ...] = ()
    """Memory ids whose place it takes once it is active."""
    tags: tuple[str, ...] = ()
    emotion: float = 0.0
    persona_id: str = ""
    access_count: int = 0
    created_at: datetime
    updated_at: datetime
    last_confirmed_at: datetime
    """When the latest of its words were said."""
    last_accessed_at: datetime | None = None
    expires_at: datetime | None = None
    deleted_at: datetime | None = None

    def __hash__(self) -> int:
        """Of its id: equal items have equal ids, and of one id there are few versions."""
        return hash(self.memory_id)


def reworded_at(item: Item, older: Sequence[Item]) -> datetime | None:
    """When an operator last put the item into other words than it was learnt in, if it has such words.

    `older` is what it took the place of, latest first.
    """
    earlier = wordings(item, older)
    return earlier[0].updated_at if earlier and earlier[-1].fact != item.fact else None


def wordings(item: Item, older: Sequence[Item]) -> Sequence[Item]:
    """Its earlier ones among what it took the place of, latest first."""
    return [one for one in older if one.reason == EDITED and one.superseded_by == item.memory_id]


def without_undone(item: Item, older: Sequence[Item]) -> Sequence[Item]:
    """`older` but for the wordings from edits that were taken back, each with the one that came back."""
    kept, all_wordings = list[Item](), wordings(item, older)
    for one in (*reversed(all_wordings), item):
        if len(kept) > 1 and kept[-2].fact == one.fact:
            del kept[-2:]
        kept.append(one)
    return [one for one in older if one in kept or one not in all_wordings]


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """The link from an item to an event, with the words it rests on."""

    evidence_id: str
    memory_id: str
    event_id: str
    quote: str
    extraction_method: Origin
    extraction_meta: Mapping[str, str | float]
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class EvidenceInContext(Evidence):
    """A piece of evidence with what a person needs to judge it: who said it, as what, when, where."""

    role: Role
    sender_id: str
    sender_name: str
    said_at: datetime
    umo: str
    before: str = ""
    """The end of what stands before the quote in its message; empty unless an operator looks."""
    after: str = ""
    """The beginning of what follows the quote there, likewise."""


_Upwards = Literal["created", "updated", "importance", "confidence", "accessed", "expires"]
_Downwards = Literal["-created", "-updated", "-importance", "-confidence", "-accessed", "-expires"]
type Sort = Literal[_Upwards, _Downwards]
"""By what an operator's list of items is ordered; with `-` the greatest come first."""


@dataclass(frozen=True, kw_only=True)
class Paging:
    """Which page of a list; pages count from 1."""

    page: int = 1
    page_size: int = 50


@dataclass(frozen=True, kw_only=True)
class ItemFilter(Paging):
    """What the operator's list shows. Operators see every scope; people never reach this type."""

    scope: Scope | None = None
    scope_id: str | None = None
    type: MemoryType | None = None
    status: Status | Literal["live"] | None = None
    """LIVE_STATUSES as well, by one word."""
    level: Level | None = None
    origin: Origin | None = None
    person: str | None = None
    """An account `platform_id:sender_id`, or a part of a name: the owner's, or in `person` or `teller`."""
    author: str | None = None
    """The account of somebody whose words it rests on."""
    import_id: str | None = None
    since: date | None = None
    """The first day, in the host's zone, of learning: it rests on no words that were kept earlier."""
    until: date | None = None
    query: str | None = None
    """Words of it, or the beginning of its id."""
    sort: Sort = "-created"


@dataclass(frozen=True, kw_only=True)
class Page[T]:
    """One page of a longer list, and how long the whole is; pages count from 1."""

    rows: Sequence[T]
    total: int
    page: int
    page_size: int

    def of[R](self, rows: Sequence[R]) -> "Page[R]":
        """The same page of what these rows were made into."""
        return Page(rows=rows, total=self.total, page=self.page, page_size=self.page_size)


@dataclass(frozen=True, kw_only=True)
class EventFilter(Paging):
    """What the operator's list of events shows."""

    scope: Scope | None = None
    scope_id: str | None = None
    umo: str | None = None
    sender_id: str | None = None
    role: Role | None = None
    extraction: Extraction | None = None
    query: str | None = None


@dataclass(frozen=True, kw_only=True)
class AccountFilter(Paging):
    """Which accounts an operator looks at: those with this in their id or name."""

    query: str = ""
