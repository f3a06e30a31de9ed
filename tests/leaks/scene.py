"""What is at play, whoever carries it: the oracle, the dice, the rows in the file, and the ways to it."""

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from tests.leaks.canaries import Words
from tests.leaks.cast import Cast, Seat
from tests.leaks.found import canaries_in
from tests.leaks.oracle import Fact, Oracle

_NOTHING, _MINE = 0.05, 0.7


@dataclass(frozen=True)
class Row:
    """What matters of a memory's row."""

    status: str
    audience: str
    level: int
    text: str


@dataclass(kw_only=True)
class Scene(ABC):
    """A memory, what the oracle knows of it, and the dice."""

    cast: Cast
    oracle: Oracle
    random: Random
    words: Words
    look: sqlite3.Connection
    """Reads the file beside the memory."""
    recalled: list[tuple[Seat, frozenset[str]]] = field(default_factory=list[tuple[Seat, frozenset[str]]])
    """Who was recalled something since the log was looked at, and what they may be shown."""
    prompt_leaks: list[str] = field(default_factory=list[str])
    keys: list[str] = field(default_factory=list[str])
    """Those that models have chosen for what they saved."""
    conversations: dict[str, str] = field(default_factory=dict[str, str])
    """What the ids of conversations end with, by chat, once a new one has begun there."""
    _rows: Mapping[str, Row] = field(default_factory=dict[str, Row])
    _rows_of: int = -1
    _words: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    _number: int = 0

    @abstractmethod
    async def says(self, seat: Seat, text: str, reply: str = "") -> None:
        """One exchange."""

    @abstractmethod
    async def command(self, seat: Seat, text: str, *, admin: bool = False) -> str:
        """What `/ltm ...` is answered with, the file included."""

    @abstractmethod
    async def tool(self, seat: Seat, name: str, said: str, arguments: Mapping[str, object]) -> str:
        """What a tool replies that a model calls in answer to these words."""

    @abstractmethod
    async def items(self, query: Mapping[str, str]) -> str:
        """The operator's list of memories."""

    @abstractmethod
    async def item(self, memory_id: str) -> str:
        """What the operator is told of one; empty where there is none."""

    @abstractmethod
    async def settle(self) -> None:
        """Nothing waits to be written."""

    def begin_anew(self, seat: Seat) -> None:
        """Another conversation begins in this chat."""
        number = len(self.conversations) + self.random.randrange(1_000_000)
        self.conversations[seat.chat.umo] = f"#{number}"

    def present(self, seat: Seat) -> Seat:
        """The seat in the conversation that goes on there now."""
        conversation = f"{seat.chat.conversation_id}{self.conversations.get(seat.chat.umo, '')}"
        return replace(seat, chat=replace(seat.chat, conversation_id=conversation))

    def number(self) -> str:
        """A message's id."""
        self._number += 1
        return f"m{self._number}"

    def rows(self) -> Mapping[str, Row]:
        """Every memory as it stands in the file."""
        [version] = self.look.execute("PRAGMA data_version").fetchone()
        if version != self._rows_of:
            query = "SELECT memory_id, status, audience, level, fact || backstory || tags FROM ltm_items"
            self._rows = {each[0]: Row(*each[1:]) for each in self.look.execute(query)}
            self._rows_of = version
        return self._rows

    def words_of(self, memory_ids: Sequence[str]) -> Mapping[str, frozenset[str]]:
        """The canaries that each of these memories holds."""
        rows = self.rows()
        return {each: self._words_in(rows[each].text) for each in memory_ids if each in rows}

    def _words_in(self, text: str) -> frozenset[str]:
        if text not in self._words:
            self._words[text] = frozenset(canaries_in(text, self.oracle.known()))
        return self._words[text]

    def some_id(self, seat: Seat) -> str:
        """One of one's own, of anybody's, or of nothing."""
        dice, rows = self.random.random(), self.rows()
        if dice < _NOTHING:
            return f"{self.random.getrandbits(32):08x}-none"
        if dice < _MINE:
            own = self.oracle.own(seat)
            mine = [each for each, row in rows.items() if not own.isdisjoint(self._words_in(row.text))]
            return self.random.choice(mine or [*rows])
        return self.random.choice([*rows])

    def facts_of(self, memory_id: str) -> list[Fact]:
        """What is told by the memory with this id."""
        words = self.words_of([memory_id]).get(memory_id, frozenset())
        told = [self.oracle.about(canary) for canary in words]
        return [fact for facts in told for fact in facts if len(facts) == 1 or fact.row == memory_id]

    def holding(self, fact: Fact) -> Sequence[Row]:
        """The rows that tell a fact."""
        rows = self.rows()
        if len(self.oracle.about(fact.pair.canary)) > 1:
            return [rows[fact.row]] if fact.row in rows else []
        return [row for row in rows.values() if fact.pair.canary in self._words_in(row.text)]
