"""Documents that come from no database."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.storage.slices.documents import (
    NEVER,
    Documents,
    Row,
    Version,
    Wanted,
)
from astrbot_plugin_ltm.long_term_memory.storage.slices.slice import Slice, loaded
from sqlalchemy import Connection

from tests.stores import ALICE

MODEL = "plane"


@dataclass(frozen=True, kw_only=True)
class Paper:
    """A document as its source has it: the row of a paper is the paper itself."""

    name: str
    text: str = ""
    quotes: str = ""
    names: str = ""
    answers: str = ""
    said: int = 0
    expires: int = NEVER
    key: str = ""
    level: int = 1
    vector: bytes = b""


@dataclass
class Papers:
    """Implements `Source` on papers that a test lays out."""

    kept: list[Paper] = field(default_factory=list[Paper])
    tables = frozenset({"papers"})

    def load(self, connection: Connection, sight: Any, wanted: Wanted) -> Documents:
        raise NotImplementedError

    def make(self, row: Row) -> Paper:
        return row[0]

    def version(self, row: Row) -> Version:
        paper = row[0]
        return Version(identity=paper.key or paper.name, precedence=(paper.level, paper.name))


def row_of(name: str) -> int:
    """The row of the paper of this name."""
    return int(name) if name.isdigit() else int.from_bytes(name.encode())


def documents(papers: Sequence[Paper]) -> Documents:
    source = Papers()
    rows = [(paper,) for paper in papers]
    return Documents(
        ids=[row_of(paper.name) for paper in papers],
        rows=rows,
        texts=(
            [paper.text for paper in papers],
            [paper.quotes for paper in papers],
            [paper.names for paper in papers],
            [paper.answers for paper in papers],
        ),
        kinds=[0 for _ in papers],
        importance=[0.5 for _ in papers],
        said=[paper.said for paper in papers],
        confirmed=[paper.said for paper in papers],
        expires=[paper.expires for paper in papers],
        identities=[hash(source.version(row).identity) for row in rows],
        vectors=[(at, paper.vector) for at, paper in enumerate(papers) if paper.vector],
    )


def a_slice(*papers: Paper, ref: ScopeRef = ALICE) -> Slice[Paper]:
    return loaded(ref, Papers(), MODEL, documents(papers))
