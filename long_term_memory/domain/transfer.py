"""What leaves the store in a file and comes back from one: exports, imports, snapshots."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from .chat import ScopeRef


class Kind(StrEnum):
    """Where an import comes from."""

    IMPORT = "import"
    """A file that an operator gave."""
    RESTORE = "restore"
    """A snapshot of the plugin's own."""


@dataclass(frozen=True, kw_only=True)
class Contents:
    """How many rows of each kind."""

    items: int = 0
    evidence: int = 0
    events: int = 0


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What a document says about itself."""

    format_version: int
    plugin_version: str
    exported_at: datetime
    store_id: str
    """The store it was taken of."""
    scope: ScopeRef | None
    """The one that it holds; None when it holds all."""
    counts: Contents
    sha256: str
    """Of all the document but this."""


@dataclass(frozen=True, kw_only=True)
class Known:
    """Memories that the store already had; `deleted` of these are deleted there and stay deleted."""

    items: int
    deleted: int


@dataclass(frozen=True, kw_only=True)
class Duplicates:
    """Added memories that say what the store already says; they are imported as superseded."""

    items: int


@dataclass(frozen=True, kw_only=True)
class NamedItem:
    """A memory by its words."""

    memory_id: str
    owner: ScopeRef
    person: str
    fact: str
    otherwise: Sequence[str] = ()
    """What memories here say otherwise, in use or waiting, as far as an import was only checked."""


@dataclass(frozen=True, kw_only=True)
class Differing:
    """Known memories, not deleted, of which the file has another text; they stay as they are."""

    items: int
    named: Sequence[NamedItem]
    """As they are here, 20 at most."""


@dataclass(frozen=True, kw_only=True)
class ImportResult:
    """What an import has done, or would do; `added` is how many rows the store did not have."""

    import_id: str | None
    """None when nothing was written."""
    added: Contents
    named: Sequence[NamedItem]
    """Of the added memories the first ones, those in use before the others, 20 at most."""
    known: Known
    differing: Differing
    gave_way: Duplicates
    newcomers: Sequence[str]
    """Names and scope ids of people in it of whom nothing is stored: new, or erased. 100 at most."""
    manifest: Manifest


@dataclass(frozen=True, kw_only=True)
class Undone:
    """What the undoing of an import has done."""

    deleted: int
    kept: int
    """Memories that somebody has changed or confirmed since, and that are not deleted."""
    returned: int = 0
    """Memories that wait for review again: what it deleted had replaced them."""


@dataclass(frozen=True, kw_only=True)
class Imported:
    """An import of the past."""

    import_id: str
    kind: Kind
    name: str
    """What the file was called; empty when nobody said."""
    actor: str
    at: datetime
    sha256: str
    items: int
    """How many memories it added."""
    events: int
    """And how many messages."""
    undone_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """A file of the plugin's own that holds what the store held at some moment."""

    name: str
    at: datetime
    bytes: int
    items: int
    """0 when it cannot be read."""
    store_id: str
    """The store it was taken of; empty when it cannot be read."""
    good: bool
    """Whether its bytes are those that were written."""
    why: str
    """What is wrong with it; empty when it is good."""


@dataclass(frozen=True, kw_only=True)
class SnapshotList:
    """All snapshots, the newest first."""

    snapshots: Sequence[Snapshot]
    offer: str | None
    """The name of the one that the operator may want back."""
