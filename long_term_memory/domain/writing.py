"""What one stage of the write pipeline hands to the next: Candidate, Grounded, Merged, Scored, Verdict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple

from .chat import ScopeRef
from .enums import MemoryType, Origin, Stance, Status
from .memory import Event, Item, Paging


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A fact somebody proposes: a rule, a model, or the person. Nothing in it is trusted yet."""

    type: MemoryType
    fact: str
    confidence: float
    importance: float
    origin: Origin
    fact_key: str = ""
    """As proposed; the key that counts is made from it, or from the fact, by `policies.keys`."""
    key: str = ""
    """A key that was chosen (`policies.keys`): then the fact is known under it and by nothing else."""
    quotes: tuple[str, ...] = ()
    """The words it claims to rest on, one passage each; empty when the proposer named none."""
    evidence: tuple[int, ...] = ()
    """Indexes into the batch of events it cites."""
    about: str = ""
    """Whom it is about as the proposer says: empty or a sender's name is the speaker."""
    person: str = ""
    relationship: str = ""
    backstory: str = ""
    slot: str = ""
    emotion: float = 0.0
    """How much it moves the person, 0..1."""
    stance: Stance = Stance.LASTING
    """Whether it holds for good, for a while, is planned, or tells that something is over."""
    until: date | None = None
    """The day with which it ends, where an explicit save names one."""
    replaces: tuple[str, ...] = ()
    """Memory ids of the items whose place it takes, as the proposer says."""
    tags: tuple[str, ...] = ()
    meta: Mapping[str, str | float] = field(default_factory=dict[str, str | float])


@dataclass(frozen=True, kw_only=True)
class Passage:
    """Words of an event that a fact rests on, verbatim."""

    event: Event
    text: str


@dataclass(frozen=True, kw_only=True)
class Grounded:
    """A candidate whose words were found, or for which it is said why not."""

    candidate: Candidate
    event: Event
    """The message it rests on: the sender is whose fact it is."""
    quote: str
    """Verbatim from that event."""
    owner: ScopeRef
    person: str
    teller: str = ""
    """The name of who said it when it is about another person; else empty."""
    beside: tuple[Passage, ...] = ()
    """Other passages it rests on: of the same person, or of the bot where the person agreed."""
    doubt: str = ""
    """Why it may not become active by itself; empty when the evidence holds."""
    refused: str = ""
    """Why it is not kept at all, not even for a person to look at; empty when it may be."""
    is_of_bot: bool = False
    """Whether its words were found in the bot's messages alone."""
    near: tuple[str, ...] = ()
    """Memory ids of its owner's items that mean nearly the same, by their vectors, nearest first."""
    unagreed: str = ""
    """Why verification has to tell: it was only asked, or of the bot without a plain yes; else empty."""


@dataclass(frozen=True, kw_only=True)
class Segment:
    """What one question about a chat is made of."""

    events: tuple[Event, ...]
    """The messages that facts are extracted from, oldest first."""
    earlier: tuple[Event, ...] = ()
    """Messages before them, for understanding only."""
    known: tuple[Item, ...] = ()
    """Facts that have to do with them, labelled K1, K2 and so on."""


class MergeKind(StrEnum):
    """What a grounded candidate does to the store."""

    NEW = "new"
    CONFIRM = "confirm"
    REVIVE = "revive"
    """An expired item, or a deleted one that a person saves again, comes back."""
    KNOWN = "known"
    """The same words again: nothing to add."""
    TOMBSTONE = "tombstone"
    """A person deleted this key; it is not learnt again by itself."""


@dataclass(frozen=True, kw_only=True)
class Merged:
    """A grounded candidate beside the item it meets."""

    grounded: Grounded
    kind: MergeKind
    fact_key: str
    existing: Item | None
    older: tuple[Item, ...] = ()
    """Live items whose place it takes once it is active."""
    newer: Item | None = None
    """A live item that states another value, and whose words were said after those of the candidate."""


@dataclass(frozen=True, kw_only=True)
class Scored(Merged):
    """The same with the confidence that counts."""

    confidence: float
    importance: float
    evidence_count: int


class Verdict(NamedTuple):
    """What is to be done with a scored candidate, and the rule that decided."""

    status: Status | None
    """The status it gets; None refuses it."""
    rule: str
    """The first rule that held it back, such as `min_confidence`; empty when none did."""
    evicts: tuple[str, ...] = ()
    """Memory ids that make room for it."""


@dataclass(frozen=True, kw_only=True)
class QuotaCounts:
    """What the gate counts, read inside the transaction that writes."""

    new_in_chat: int
    """Items created from this chat within the hour, without superseded ones and those a rate holds back."""
    new_in_hour: int
    """The same of all chats."""
    live_in_scope: Sequence[Item]
    """Live items of the scope when it is full; empty while there is room."""


@dataclass(frozen=True, kw_only=True)
class AuditEntry:
    """One line of the audit. It says what changed, never the text of a memory."""

    actor: str
    """`system`, `operator:<name>` or the scope id of the person who acted."""
    action: str
    memory_id: str = ""
    before: str = ""
    """The status before, empty for a new item."""
    after: str = ""
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class AuditLine(AuditEntry):
    """One line as it is kept; ids count up. `fact`, if looked up, is what its memory said from then on."""

    id: int
    at: datetime
    fact: str | None = None


@dataclass(frozen=True, kw_only=True)
class AuditFilter(Paging):
    """Which lines an operator looks at."""

    actor: str | None = None
    action: str | None = None
    memory_id: str | None = None
    """The beginning of an id is enough."""
    scope_id: str | None = None
    """Whose stored memories the lines are about."""
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True, kw_only=True)
class Completion:
    """What a model answered, and what that cost in its tokens, as the provider tells or else estimated."""

    text: str
    prompt_tokens: int
    answer_tokens: int


@dataclass(frozen=True, kw_only=True)
class TokenReservation:
    """Tokens reserved for one call in the ledger of a day."""

    day: str
    """As in 2026-01-31 (UTC)."""
    provider_id: str
    prompt_tokens: int
    answer_tokens: int

    @property
    def total(self) -> int:
        """Question and answer together."""
        return self.prompt_tokens + self.answer_tokens


class Due(NamedTuple):
    """What of the queue is to be extracted now, and what later."""

    batch: Sequence[Event]
    """Events of one chat and level, oldest first; empty when no chat is due."""
    at: datetime | None
    """When the first chat falls due if nothing more is said; None when nothing is pending."""
