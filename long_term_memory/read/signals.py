"""What is known of everything one request may see: parallel arrays, so that thousands are ranked at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..domain.memory import Item

if TYPE_CHECKING:
    from numpy import bool_, float64
    from numpy.typing import NDArray

type Numbers = NDArray[float64]
type Flags = NDArray[bool_]


@dataclass(frozen=True, kw_only=True, eq=False)
class Signals:
    """Row by row, one visible document each; all arrays are of one length."""

    words: Numbers
    """BM25 by the statistics of the visible documents alone, >= 0; 0 where no word matches."""
    coverage: Numbers
    """0..1: the share of the query's words that the document has, each weighted by its rarity."""
    cosine: Numbers
    """-1..1; NaN where no vector took part."""
    named: Flags
    """The query names whom the document is about."""
    standing: Flags
    """A type that matters whatever the talk is about: profile and constraint."""
    shadowed: Flags
    """Another visible version of the same fact counts: a higher level, or the same confirmed later."""
    importance: Numbers
    """0..1."""
    said: Numbers
    """When the newest words it rests on were said, in seconds since 1970 (UTC)."""
    confirmed: Numbers
    """When it was last confirmed, in seconds since 1970 (UTC)."""

    def __len__(self) -> int:
        """How many documents there are."""
        return len(self.words)


@dataclass(frozen=True, kw_only=True, eq=False)
class Visible:
    """Everything a request may see, with its signals."""

    signals: Signals
    items: Sequence[Item]
    """Row by row; an item is made when it is taken."""
    vectors: bool
    """Whether vectors took part."""
