"""Indexes over a store, and what they show in a form that can be compared."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Scope
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.reading import QueryVector, Term
from astrbot_plugin_ltm.long_term_memory.models import ITEMS
from astrbot_plugin_ltm.long_term_memory.read.protocols import Visible
from astrbot_plugin_ltm.long_term_memory.storage import items
from astrbot_plugin_ltm.long_term_memory.storage.database import Database
from astrbot_plugin_ltm.long_term_memory.storage.index.cache import MAX_BYTES, IndexCache
from astrbot_plugin_ltm.long_term_memory.storage.index.search import IndexedMemory
from astrbot_plugin_ltm.long_term_memory.storage.visibility import visible
from astrbot_plugin_ltm.long_term_memory.text_analysis.terms import index_terms
from sqlalchemy import select

from tests.stores import NOW, an_access

MODEL = "plane"
GLOBAL = ScopeRef(scope=Scope.GLOBAL, scope_id="global")


@contextmanager
def indexed(database: Database, max_bytes: int = MAX_BYTES) -> Generator[tuple[IndexedMemory, IndexCache]]:
    """A memory over the database, and its cache."""
    cache = IndexCache(database, max_bytes=max_bytes)
    try:
        yield IndexedMemory(cache, lambda: MODEL), cache
    finally:
        cache.close()


def asked(text: str, *, asks: bool = False) -> list[Term]:
    return [Term(term, asks=asks) for term in dict.fromkeys(index_terms(text))]


async def look(
    memory: IndexedMemory,
    text: str = "",
    access: Access | None = None,
    *,
    point: Sequence[float] | None = None,
    model_id: str = MODEL,
    now: datetime = NOW,
    min_confidence: float = 0.5,
    asks: bool = False,
) -> Visible:
    return await memory.look_up(
        access or an_access(),
        asked(text, asks=asks),
        None if point is None else QueryVector(model_id=model_id, numbers=point),
        now=now,
        min_confidence=min_confidence,
    )


def facts(seen: Visible) -> list[str]:
    return sorted(item.fact for item in seen.items)


def of_each(seen: Visible, name: str) -> dict[str, Any]:
    """Fact to its signal of this name."""
    values = getattr(seen.signals, name).tolist()
    return {item.fact: value for item, value in zip(seen.items, values, strict=True)}


def uncounted(found: Iterable[Item]) -> list[Item]:
    """By id, but for what changes whenever an item is recalled."""
    plain = [replace(item, access_count=0, last_accessed_at=None) for item in found]
    return sorted(plain, key=lambda item: item.memory_id)


async def seen_by_query(
    database: Database, access: Access, *, now: datetime = NOW, min_confidence: float = 0.5
) -> list[Item]:
    """What the choke point lets through."""
    allowed = visible(access, now=now, min_confidence=min_confidence)
    async with database.read() as seat:
        return uncounted(await items.listed(seat, select(ITEMS).where(allowed)))


def assert_same(mine: Visible, others: Visible) -> None:
    """Whatever the order of the rows."""
    assert uncounted(mine.items) == uncounted(others.items)
    assert mine.vectors == others.vectors
    order, their_order = (
        np.argsort([item.memory_id for item in seen.items], kind="stable") for seen in (mine, others)
    )
    for each in fields(mine.signals):
        name = each.name
        left, right = (np.asarray(getattr(seen.signals, name)) for seen in (mine, others))
        np.testing.assert_allclose(left[order], right[their_order], rtol=1e-5, atol=1e-9, err_msg=name)


@dataclass
class Clock:
    now: datetime = NOW

    def __call__(self) -> datetime:
        return self.now

    def move(self, span: timedelta) -> None:
        self.now += span
