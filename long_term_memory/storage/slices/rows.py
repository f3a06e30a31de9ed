"""Rows of `ltm_items` as the driver gives them: an item is made of one when it is taken."""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import numpy as np

from ...domain.memory import Item
from ...models import ITEMS
from ...read.signals import KINDS
from .. import items
from ..columns import Instant
from .documents import NEVER, Row, Version

_SHARED = ("scope", "scope_id", "type", "status", "audience", "origin", "origin_umo", "supersedes", "tags")
"""Columns of texts that most rows of a scope have in common: each is kept once."""
_NAMES = (*_SHARED, *(column.name for column in ITEMS.c if column.name not in _SHARED))
_INSTANTS = frozenset(column.name for column in ITEMS.c if isinstance(column.type, Instant))
_LISTS = frozenset({"supersedes", "tags"})
_AT = {name: at for at, name in enumerate(_NAMES)}

COLUMNS = [ITEMS.c[name] for name in _NAMES]
"""What a row holds, in order."""
ROW_ID, ID, FACT, IMPORTANCE = _AT["id"], _AT["memory_id"], _AT["fact"], _AT["importance"]
PERSON, RELATIONSHIP, BACKSTORY = _AT["person"], _AT["relationship"], _AT["backstory"]
CREATED, CONFIRMED, EXPIRES = _AT["created_at"], _AT["last_confirmed_at"], _AT["expires_at"]
SLOT = _AT["slot"]
_SCOPE, _TYPE, _KEY, _LEVEL = _AT["scope"], _AT["type"], _AT["fact_key"], _AT["level"]
_KINDS = {kind.value: at for at, kind in enumerate(KINDS)}


def shared(rows: Iterable[Row]) -> list[Row]:
    """The same rows, with one copy of what they have in common."""
    known: dict[str, str] = {}
    until = len(_SHARED)
    return [(*map(known.setdefault, row[:until], row[:until]), *row[until:]) for row in rows]


def item_of(row: Row) -> Item:
    """The item a row holds."""
    return items.item_of({name: _read(name, value) for name, value in zip(_NAMES, row, strict=True)})


def _read(name: str, value: object) -> object:
    if name in _INSTANTS and isinstance(value, str):
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    return json.loads(value) if name in _LISTS and isinstance(value, str) else value


def version_of(row: Row) -> Version:
    """Which fact a row states, and its place among the versions of it.

    By the kind of scope: a person's accounts are one person; what a group says of them is another fact.
    """
    return Version(
        identity=(row[_SCOPE], row[_KEY], row[PERSON]),
        precedence=(row[_LEVEL], row[CONFIRMED], row[ID]),
    )


def answer_of(row: Row) -> int:
    """The hash of what an item answers, such as whose home; 0 when it has no slot.

    By the kind of scope: a person's accounts are one person.
    """
    return hash((row[_SCOPE], row[PERSON], row[SLOT])) if row[SLOT] else 0


def kind_of(row: Row) -> int:
    """The place of its type in `read.signals.KINDS`."""
    return _KINDS[row[_TYPE]]


def moments(instants: Sequence[str | None]) -> list[int]:
    """Stored instants as `documents.moment` gives them; none is NEVER."""
    known = np.array([instant or "NaT" for instant in instants], "datetime64[us]").astype(np.int64)
    return np.where(known == np.iinfo(np.int64).min, NEVER, known).tolist()
