"""What the read pipeline asks of the rest of the world: documents with their signals, in parallel arrays."""

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..domain.enums import MemoryType, Role
from ..domain.memory import Item
from ..domain.reading import NoVector, QueryVector, Term

if TYPE_CHECKING:
    from numpy import bool_, float64, int8, int64
    from numpy.typing import NDArray

    from ..storage.index.search import IndexedMemory, IndexedTranscript

type Memory = IndexedMemory
type Transcript = IndexedTranscript
type Terms = Sequence[Term]
type Numbers = NDArray[float64]
type Flags = NDArray[bool_]
type Kinds = NDArray[int8]
type Hashes = NDArray[int64]

type Seek = Callable[[str], Awaitable[QueryVector | NoVector]]
"""Gives the vector of a question if it comes by the deadline, else why words alone answer. Never raises."""
type Begin = Callable[[str, Callable[[], Coroutine[None, None, None]]], bool]
"""Begins named work in the background and owns it; False when it takes no more."""

OF_ANSWERS = "of_answers"
"""A preference about how the bot answers: a kind of its own, which stands like what must be heeded."""
KINDS = (*MemoryType, OF_ANSWERS)
ROLES = (Role.USER, Role.SYSTEM, Role.TOOL, Role.ASSISTANT)
"""In the order in which they speak in a turn."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Signals:
    """Row by row, one visible document each; all arrays are of one length."""

    words: Numbers
    """BM25 by the statistics of the visible documents alone, >= 0; 0 where no word matches.

    Each term counts by its `Term.weight`.
    """
    coverage: Numbers
    """0..1: the share of the query's telling terms (`Term.tells`) that the document has, each by its rarity.

    A term that no document has is the rarest: it counts in the whole, and nobody has it. 0 when none tells.
    """
    cosine: Numbers
    """-1..1; NaN where no vector took part."""
    named: Flags
    """The query names whom the document is about, or the day."""
    kinds: Kinds
    """The place of its kind, its type or another, in `KINDS`; of what was said its role's in `ROLES`."""
    shadowed: Flags
    """Another visible version of the same fact counts: a higher level, or the same confirmed later."""
    importance: Numbers
    """0..1."""
    said: Numbers
    """When the newest words it rests on were said, in seconds since 1970 (UTC)."""
    confirmed: Numbers
    """When it was last confirmed, in seconds since 1970 (UTC)."""

    def __len__(self) -> int:
        return len(self.words)


@dataclass(frozen=True, kw_only=True, eq=False)
class Visible:
    """Everything a request may see, with its signals."""

    signals: Signals
    items: Sequence[Item]
    """Row by row; an item is made when it is taken."""
    answers: Hashes
    """Row by row the hash of what an item answers (kind of scope, person, slot); 0 where it has no slot."""
    own: Flags
    """Row by row whether it is in a person's own memory, which is always that of the one who asks."""
    shared: Flags
    """Row by row whether it is a matter of the whole group or project that the chat is of."""
    reworded: Flags
    """Row by row whether it is in an operator's words, which nobody has said since."""
    vectors: bool
    words_of: Callable[[Terms], Numbers]
    """The `words` that these terms would have given, of the same rows."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Heard:
    """Everything that was said which a request may see, with its signals."""

    signals: Signals
    """`named` means that a word of the question is the speaker's name."""
    threads: Hashes
    """Row by row, the same number for what was said in the same talk."""
    event_ids: Sequence[str]
