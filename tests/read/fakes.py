"""Small real fakes for the read pipeline: a store, vectors, and embedding providers that answer or do not."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.reading import Hit, Ranked
from astrbot_plugin_ltm.long_term_memory.domain.words import (
    Audience,
    Level,
    MemoryType,
    Origin,
    Scope,
    Status,
)
from astrbot_plugin_ltm.long_term_memory.policies.relevance import content_words

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


def hit(of: Item, words: float = 0.0, cosine: float | None = None) -> Hit:
    return Hit(item=of, words=words, cosine=cosine)


def ranked(of: Item, score: float = 0.5) -> Ranked:
    return Ranked(item=of, score=score, similarity=score, importance=0.0, recency=0.0)


def alices_access(*, umo: str = ALICES_CHAT, level: Level = Level.INTERNAL) -> Access:
    private = umo == ALICES_CHAT
    return Access(umo=umo, private=private, level=level, owner=ALICE, group=None, readable=(ALICE,))


@dataclass
class FakeReadStore:
    """Items in a list; a word score is the number of content words in common."""

    items: Sequence[Item] = ()
    asked: list[str] = field(default_factory=list[str])

    async def visible_items(self, access: Access, *, now: datetime, min_confidence: float) -> Sequence[Item]:
        return [each for each in self.items if self._visible(each, access, now, min_confidence)]

    async def word_scores(
        self, access: Access, text: str, *, now: datetime, min_confidence: float, limit: int
    ) -> Mapping[str, float]:
        self.asked.append(text)
        wanted = set(content_words(text))
        scores = {
            each.memory_id: float(len(wanted.intersection(content_words(each.fact))))
            for each in await self.visible_items(access, now=now, min_confidence=min_confidence)
        }
        best = sorted(scores, key=lambda memory_id: -scores[memory_id])[:limit]
        return {memory_id: scores[memory_id] for memory_id in best if scores[memory_id] > 0}

    @staticmethod
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
class FakeVectorIndex:
    """Cosines as given; remembers what it was allowed to look at."""

    cosines: Mapping[str, float] = field(default_factory=dict[str, float])
    searched: list[tuple[ScopeRef, tuple[str, ...]]] = field(
        default_factory=list[tuple[ScopeRef, tuple[str, ...]]]
    )

    async def search(
        self, ref: ScopeRef, vector: Sequence[float], *, model_id: str, allowed: Sequence[str], limit: int
    ) -> Mapping[str, float]:
        assert vector
        assert model_id
        self.searched.append((ref, tuple(allowed)))
        found = [each for each in allowed if each in self.cosines][:limit]
        return {each: self.cosines[each] for each in found}


class NoEmbedder:
    """The operator has no embedding provider."""

    def model_id(self) -> str | None:
        return None

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        raise AssertionError(texts)


@dataclass
class FakeEmbedder:
    """Answers with `vectors`, or not at all, as its switches stand."""

    vectors: Sequence[Sequence[float]] = ((1.0, 0.0),)
    fails: bool = False
    hangs: bool = False
    texts: list[str] = field(default_factory=list[str])

    def model_id(self) -> str | None:
        return "fake"

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        self.texts.extend(texts)
        if self.hangs:
            await asyncio.Event().wait()
        if self.fails:
            raise UnavailableError("down")
        return self.vectors


@dataclass
class FakeAccessLog:
    counted: list[tuple[Sequence[str], datetime]] = field(
        default_factory=list[tuple[Sequence[str], datetime]]
    )

    async def touched(self, memory_ids: Sequence[str], *, at: datetime) -> None:
        self.counted.append((memory_ids, at))
