"""Looking for memories by name, tag and words: what an assistant asks for itself.

Who may see what, and which of several versions counts, is decided before anything is looked for, so that an
absent memory and one that may not be seen here are the same.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from operator import attrgetter

import numpy as np

from ..domain.chat import Access
from ..domain.enums import Scope
from ..domain.memory import Item
from ..domain.reading import Query, Request
from ..policies.memory_policies import MemoryReadPolicy
from ..text_analysis.terms import index_terms
from .protocols import Memory, Visible
from .query_terms import telling_words
from .rank import rank
from .retrieve import Retrieved, Retriever
from .scope import request_of

_NEAREST = {kind: at for at, kind in enumerate((Scope.GLOBAL, Scope.PROJECT, Scope.GROUP, Scope.USER))}


@dataclass(frozen=True, kw_only=True)
class MemorySearch:
    """Finds memories whether or not they are put into requests. Looking changes nothing."""

    memory: Memory
    retriever: Retriever
    policy: Callable[[], MemoryReadPolicy]
    """Asked at each use."""
    zone: tzinfo = UTC

    async def every(self, access: Access, *, at: datetime) -> Sequence[Item]:
        """All memories in use that this access reaches, one for each key and person, last changed first."""
        least = self.policy().min_confidence
        visible = await self.memory.look_up(access, (), None, now=at, min_confidence=least)
        latest = attrgetter("updated_at", "memory_id")
        return await asyncio.to_thread(lambda: sorted(counting(visible).values(), key=latest, reverse=True))

    async def find(self, access: Access, query: Query, *, most: int) -> Sequence[Item]:
        """Those of `every` that have to do with the query, the best first, at most `most`."""
        policy = self.policy()
        request = request_of(access, query, zone=self.zone, of_their_own=True)
        found = await self.retriever.retrieve(request, min_confidence=policy.min_confidence)
        return await asyncio.to_thread(lambda: best_of(found, request, policy)[: max(0, most)])


def best_of(found: Retrieved, request: Request, policy: MemoryReadPolicy) -> list[Item]:
    """What has the text for its key, then what the signals find, then what has its words in key or tags."""
    versions = counting(found.visible)
    ranked = [row for row in rank(found, request, policy, searching=True).best if row in versions]
    wanted = request.text.casefold()
    named = [row for row, item in versions.items() if wanted and item.fact_key.casefold() == wanted]
    return [versions[row] for row in dict.fromkeys([*named, *ranked, *_by_name(versions, request)])]


def counting(visible: Visible) -> dict[int, Item]:
    """Row to item of what counts: of several with one key about one person the highest, then the nearest."""
    best: dict[tuple[str, str], tuple[tuple[object, ...], int, Item]] = {}
    for row in np.flatnonzero(~visible.signals.shadowed).tolist():
        item = visible.items[row]
        place = (item.level, _NEAREST[item.owner.scope], item.last_confirmed_at, item.memory_id)
        known = best.get((item.fact_key, item.person))
        if known is None or place > known[0]:
            best[item.fact_key, item.person] = (place, row, item)
    return {row: item for _, row, item in best.values()}


def _by_name(versions: dict[int, Item], request: Request) -> list[int]:
    """What has words of the text in its key or tags, or the text itself anywhere; most words first."""
    wanted, literally = _names(request), request.text.casefold()
    scores: dict[int, int] = {}
    for row, item in versions.items():
        names = " ".join((item.fact_key, *item.tags))
        shared = len(wanted.intersection(index_terms(names)))
        if not shared and literally and literally in f"{names}\n{item.fact}".casefold():
            shared = 1
        if shared:
            scores[row] = shared
    return sorted(scores, key=lambda row: (scores[row], versions[row].last_confirmed_at), reverse=True)


def _names(request: Request) -> frozenset[str]:
    """What may be part of a key: of "the user's cat" it is the cat, of 我的护照 no single character.

    The key of what was saved as it was said is the sentence itself, which has "user" or 我 in it.
    """
    words = [term.text for term in telling_words(request.terms)] or [*index_terms(request.text)]
    return frozenset(word for word in words if len(word) > 1 or word == request.text)
