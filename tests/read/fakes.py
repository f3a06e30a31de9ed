"""Small real fakes for the read pipeline: a memory in a list, vectors ahead, and an embedder or none."""

import math
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import numpy as np
from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import (
    Audience,
    Level,
    MemoryType,
    Origin,
    Scope,
    Status,
)
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.reading import (
    NoVector,
    QueryVector,
    Ranked,
    Term,
)
from astrbot_plugin_ltm.long_term_memory.policies.slots import words_asked_by
from astrbot_plugin_ltm.long_term_memory.read.format import written
from astrbot_plugin_ltm.long_term_memory.read.protocols import KINDS, Signals, Visible
from astrbot_plugin_ltm.long_term_memory.read.rank import Ranking
from astrbot_plugin_ltm.long_term_memory.text_analysis.terms import index_terms

NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)
ALICE = ScopeRef(scope=Scope.USER, scope_id="plat_a:alice")
ALICES_CHAT = "plat_a:FriendMessage:alice"

_ITEM = Item(
    memory_id="m",
    owner=ALICE,
    type=MemoryType.PROFILE,
    fact="User's name is Alice",
    fact_key="",
    confidence=0.95,
    importance=0.5,
    evidence_count=1,
    ttl_days=None,
    status=Status.ACTIVE,
    reason="",
    level=Level.INTERNAL,
    audience=Audience.CHAT,
    origin=Origin.RULE,
    origin_umo=ALICES_CHAT,
    person="",
    teller="",
    relationship="",
    backstory="",
    slot="",
    superseded_by=None,
    supersedes=(),
    tags=(),
    emotion=0.0,
    persona_id="",
    access_count=0,
    created_at=NOW,
    updated_at=NOW,
    last_confirmed_at=NOW,
    last_accessed_at=None,
    expires_at=None,
    deleted_at=None,
)


def item(
    memory_id: str,
    fact: str = "User's name is Alice",
    kind: MemoryType = MemoryType.PROFILE,
    *,
    days_old: float = 0,
    key: str | None = None,
    importance: float = 0.5,
    confidence: float = 0.95,
    person: str = "",
    level: Level = Level.INTERNAL,
    owner: ScopeRef = ALICE,
    umo: str = ALICES_CHAT,
) -> Item:
    """An active item, its key its own unless given."""
    at = NOW - timedelta(days=days_old)
    return replace(
        _ITEM,
        memory_id=memory_id,
        fact=fact,
        type=kind,
        fact_key=memory_id if key is None else key,
        importance=importance,
        confidence=confidence,
        person=person,
        level=level,
        owner=owner,
        origin_umo=umo,
        created_at=at,
        updated_at=at,
        last_confirmed_at=at,
    )


def line(of: Item) -> str:
    """The item as one line of a block, told when it was kept."""
    return written(of, of.created_at.date())[0]


def ranked(of: Item, score: float = 0.5) -> Ranked:
    return Ranked(memory_id=of.memory_id, item=of, score=score, similarity=score, importance=0.0, recency=0.0)


def alices_access(*, umo: str = ALICES_CHAT, level: Level = Level.INTERNAL) -> Access:
    private = umo == ALICES_CHAT
    return Access(umo=umo, private=private, level=level, owner=ALICE, group=None, readable=(ALICE,))


@dataclass
class FakeMemory:
    """Items in a list, found by real BM25 over facts and what they answer; cosines are given by id."""

    items: Sequence[Item] = ()
    cosines: Mapping[str, float] = field(default_factory=dict[str, float])
    asked: list[tuple[Sequence[Term], QueryVector | None]] = field(
        default_factory=list[tuple[Sequence[Term], QueryVector | None]]
    )

    async def look_up(
        self,
        access: Access,
        terms: Sequence[Term],
        vector: QueryVector | None,
        *,
        now: datetime,
        min_confidence: float,
    ) -> Visible:
        self.asked.append((terms, vector))
        seen = [each for each in self.items if _visible(each, access, now, min_confidence)]
        return visible(seen, terms, self.cosines if vector else NO_COSINES)

    async def warm(self, access: Access, *, now: datetime, min_confidence: float) -> None:
        pass


NO_COSINES: Mapping[str, float] = {}


def visible(
    items: Sequence[Item], terms: Sequence[Term] = (), cosines: Mapping[str, float] = NO_COSINES
) -> Visible:
    """These items with their signals."""
    texts = [[*index_terms(f"{each.fact} {each.person}")] for each in items]
    answers = [{*index_terms(words_asked_by(each.slot, each.fact))} for each in items]
    words, coverage = _bm25(texts, answers, terms)
    wanted = {term.text for term in terms}
    return Visible(
        signals=Signals(
            words=words,
            coverage=coverage,
            cosine=np.array([cosines.get(each.memory_id, math.nan) for each in items], np.float64),
            named=np.array([bool(wanted & {*index_terms(each.person)}) for each in items], np.bool_),
            kinds=np.array([KINDS.index(each.type) for each in items], np.int8),
            shadowed=np.array([_shadowed(each, items) for each in items], np.bool_),
            importance=np.array([each.importance for each in items], np.float64),
            said=np.array([each.created_at.timestamp() for each in items], np.float64),
            confirmed=np.array([each.last_confirmed_at.timestamp() for each in items], np.float64),
        ),
        items=items,
        answers=np.array(
            [hash((each.owner.scope, each.person, each.slot)) if each.slot else 0 for each in items], np.int64
        ),
        own=np.array([each.owner.scope is Scope.USER for each in items], np.bool_),
        shared=np.array([each.owner.scope is Scope.GROUP and not each.person for each in items], np.bool_),
        reworded=np.zeros(len(items), np.bool_),
        vectors=any(each.memory_id in cosines for each in items),
        words_of=lambda others: _bm25(texts, answers, others)[0],
    )


def in_this_order(
    items: Sequence[Item],
    *,
    best: Sequence[int] | None = None,
    rest: Callable[[], Sequence[int]] = tuple,
) -> Ranking:
    """These items as if they had been ranked so; `best` of them may be used, by default all."""
    count, seen = len(items), visible(items)
    score = np.linspace(1.0, 0.5, count)
    return Ranking(
        visible=seen,
        best=range(count) if best is None else best,
        rest=rest,
        scores=score,
        shares={"similarity": score, **dict.fromkeys(("importance", "recency", "named", "dated"), score * 0)},
    )


def _bm25(
    documents: Sequence[Sequence[str]], answers: Sequence[AbstractSet[str]], terms: Sequence[Term]
) -> tuple[np.ndarray, np.ndarray]:
    counts = [Counter(each) for each in documents]
    mean = sum(map(len, documents)) / max(len(documents), 1) or 1.0
    words, coverage, whole = np.zeros(len(documents)), np.zeros(len(documents)), 0.0
    for term in terms:
        often = [
            each[term.text] + (term.asks and term.text in asked)
            for each, asked in zip(counts, answers, strict=True)
        ]
        having = sum(map(bool, often))
        rarity = math.log1p((len(documents) - having + 0.5) / (having + 0.5))
        whole += rarity * term.tells
        for row, count in enumerate(often):
            held = count / (0.25 + 0.75 * len(documents[row]) / mean)
            words[row] += term.weight * rarity * held * 2.2 / (held + 1.2)
            coverage[row] += rarity * term.tells * (held > 0)
    return words, coverage / max(whole, 1e-9)


def _shadowed(item: Item, items: Sequence[Item]) -> bool:
    def key(each: Item) -> tuple[object, ...]:
        return each.owner.scope, each.fact_key, each.person

    def place(each: Item) -> tuple[object, ...]:
        return each.level, each.last_confirmed_at, each.memory_id

    return any(key(each) == key(item) and place(each) > place(item) for each in items)


def _visible(each: Item, access: Access, now: datetime, min_confidence: float) -> bool:
    here = access.private or each.audience is Audience.EVERYWHERE or each.origin_umo == access.umo
    return (
        each.owner in access.readable
        and each.level <= access.level
        and (here or each.owner.scope is not Scope.USER)
        and each.status is Status.ACTIVE
        and (each.expires_at is None or each.expires_at > now)
        and each.confidence >= min_confidence
    )


@dataclass
class FakeAhead:
    """Has this vector for every question, or none."""

    numbers: Sequence[float] | None = None
    prepared: list[str] = field(default_factory=list[str])

    def prepare(self, text: str) -> None:
        self.prepared.append(text)

    async def arrived(self, text: str) -> QueryVector | None:
        sought = await self.vector(text)
        return None if isinstance(sought, NoVector) else sought

    async def vector(self, text: str) -> QueryVector | NoVector:
        if self.numbers is None or not text:
            return NoVector.NO_PROVIDER
        return QueryVector(model_id="fake", numbers=self.numbers)


@dataclass
class Background:
    """Takes work, and does it when told."""

    takes: bool = True
    waiting: list[Callable[[], Coroutine[None, None, None]]] = field(
        default_factory=list[Callable[[], Coroutine[None, None, None]]]
    )

    def begin(self, name: str, work: Callable[[], Coroutine[None, None, None]]) -> bool:
        assert name
        if self.takes:
            self.waiting.append(work)
        return self.takes

    async def done(self) -> None:
        while self.waiting:
            await self.waiting.pop()()


class NoEmbedder:
    """The operator has no embedding provider."""

    def model_id(self) -> str | None:
        return None

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        raise AssertionError(texts)


@dataclass
class FakeEmbedder:
    """Answers each text with what `answer` makes of it, or not at all, as its switch stands."""

    answer: Callable[[str], Sequence[float]] = lambda text: (1.0, float(len(text)))
    model: str = "fake"
    fails: bool = False
    batches: list[Sequence[str]] = field(default_factory=list[Sequence[str]])

    def model_id(self) -> str | None:
        return self.model

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        self.batches.append(texts)
        if self.fails:
            raise UnavailableError("down")
        return [self.answer(text) for text in texts]
