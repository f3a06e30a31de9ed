"""Several indexes searched as one: BM25 and cosines of every document that is visible together.

BM25 goes by the statistics of these documents; each text has its own mean length and weight (Robertson,
Zaragoza, Taylor 2004, "Simple BM25 extension to multiple weighted fields").
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, chain
from operator import is_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...domain.reading import QueryVector, Term
from ...domain.words import Scope
from ...read.signals import Flags, Numbers, Signals
from .cache import Entry
from .scope_index import DOCUMENT, Field, Ints, Row, ScopeIndex, ScopeVectors

K1 = 0.9
"""How soon it stops to matter that a term is there once more."""
_LITTLE = 1e-9
_dots = getattr(np, "vecdot", partial(np.einsum, "ij,j->i"))
"""The product of each row with a vector; vecdot, which numpy has since 2.0, is the faster one.

Not `@`: its threads wait for each other, for tens of milliseconds while the machine is busy.
"""


@dataclass(frozen=True, kw_only=True, eq=False)
class _Postings:
    """Those of a part, with all that no question changes; see `ScopeIndex`."""

    terms: Ints
    rows: Ints
    fits: NDArray[np.float32]
    """How well the document fits the term, 0..1."""
    named: Flags
    """Whether it is among the names."""
    answering: Flags
    """Whether it is only in what the document answers."""

    def find(self, wanted: Sequence[int]) -> list[slice]:
        """Where the postings of each of these terms are."""
        ends = self.terms.searchsorted(np.array([*wanted, *(each + 1 for each in wanted)])).tolist()
        return [*map(slice, ends[: len(wanted)], ends[len(wanted) :])]


class MergedIndex:
    """All documents of some indexes. Frozen but for what it remembers, so it may be searched in a thread."""

    def __init__(self, parts: Sequence[ScopeIndex]) -> None:
        self.parts = parts
        rows: Sequence[Row] = [*chain.from_iterable(each.rows for each in parts)]
        self.taken: Sequence[Any] = parts[0].view.taken(rows) if parts else rows
        """What the rows hold."""
        documents = np.concatenate([each.documents for each in parts] or [np.empty(0, DOCUMENT)])
        self.columns: dict[str, NDArray[Any]] = {
            name: np.ascontiguousarray(documents[name])
            for name in ("kind", "importance", "said", "confirmed", "answers", "thread")
        }
        owners = np.array([each.view.ref.scope is Scope.USER for each in parts], np.bool_)
        self.own: Flags = owners.repeat([*map(len, parts)])
        """What is of a person's own memory."""
        self._starts = [*accumulate(map(len, parts), initial=0)]
        self._shadowed = _other_version_counts(documents)
        self._postings = self._weighed(documents["lengths"])
        self._has_names = any(bool(each.named.any()) for each in self._postings)
        self._has_answers = any(bool(each.answering.any()) for each in self._postings)
        self._placed: dict[int, tuple[ScopeVectors, Ints, Ints]] = {}
        self._latest: tuple[Sequence[object], Signals, bool] = ((), *self._found((), None, ()))

    def __len__(self) -> int:
        """How many documents there are."""
        return len(self.taken)

    def search(
        self, terms: Sequence[Term], vector: QueryVector | None, vectors: Sequence[ScopeVectors]
    ) -> tuple[Signals, bool]:
        """The signals of every document, and whether vectors took part.

        Each term is given once; `vectors` are those of the parts. Takes time in proportion to how many have a
        term or a vector; asked for the very same again it knows.
        """
        asked = (terms, vector, *vectors)
        latest, *_ = known = self._latest
        if len(latest) != len(asked) or not all(map(is_, latest, asked)):
            known = self._latest = (asked, *self._found(terms, vector, vectors))
        return known[1:]

    def words(self, terms: Sequence[Term]) -> Numbers:
        """The `words` alone that `search` gives."""
        return self._words(terms)[0]

    def _found(
        self, terms: Sequence[Term], vector: QueryVector | None, vectors: Sequence[ScopeVectors]
    ) -> tuple[Signals, bool]:
        words, coverage, named = self._words(terms)
        cosine, compared = self._cosines(vector, vectors)
        signals = Signals(
            words=words,
            coverage=coverage,
            cosine=cosine,
            named=named,
            kinds=self.columns["kind"],
            shadowed=self._shadowed,
            importance=self.columns["importance"],
            said=self.columns["said"],
            confirmed=self.columns["confirmed"],
        )
        return signals, compared

    def _words(self, terms: Sequence[Term]) -> tuple[Numbers, Numbers, Flags]:
        """How well each document fits, how much of the terms it has, and whether they name it."""
        size, named = len(self), np.zeros(len(self), np.bool_)
        if not size or not terms:
            return np.zeros(size), np.zeros(size), named
        found = [(part, part.find([hash(term.text) for term in terms])) for part in self._postings]

        def column(name: str) -> NDArray[Any]:
            """A value for each part, each term and each document that has it."""
            return np.concatenate([getattr(part, name)[cut] for part, cuts in found for cut in cuts])

        sizes = [cut.stop - cut.start for _, cuts in found for cut in cuts]
        of = np.array([*range(len(terms))] * len(found)).repeat(sizes)
        rows, fits, left = column("rows"), column("fits"), None
        if self._has_answers and not all(term.asks for term in terms):
            # Only who asks for what is their own finds what merely answers that.
            left = ~column("answering") | np.array([term.asks for term in terms])[of]
            of, rows, fits = of[left], rows[left], fits[left]
        # The terms are few, so numbers by term are worked out one by one.
        having = np.bincount(of, minlength=len(terms)).tolist()
        rarity = [math.log1p((size - each + 0.5) / (each + 0.5)) for each in having]
        telling = [rare * term.tells for rare, term in zip(rarity, terms, strict=True)]
        whole = max(sum(telling), _LITTLE)
        weights = [rare * term.weight * (K1 + 1) for rare, term in zip(rarity, terms, strict=True)]
        weight = np.array(weights)[of]
        share = np.array([each / whole for each in telling])[of]
        if self._has_names:
            names = column("named") if left is None else column("named")[left]
            named[rows[names & np.array([term.tells for term in terms])[of]]] = True
        if any(term.day for term in terms):
            named[rows[np.array([term.day for term in terms])[of]]] = True
        covered: Numbers = np.minimum(np.bincount(rows, share, size), 1.0)
        return np.bincount(rows, weight * fits, size), covered, named

    def _cosines(self, vector: QueryVector | None, vectors: Sequence[ScopeVectors]) -> tuple[Numbers, bool]:
        """The cosine of each document, NaN where it has no vector, and whether any has."""
        cosines, compared = np.full(len(self), np.nan), False
        question = None if vector is None else _unit(vector.numbers)
        for at, held in enumerate(() if question is None else vectors):
            if question is not None and len(held) and held.matrix.shape[1] == len(question):
                rows, places = self._places(at, held)
                dots: NDArray[np.float32] = _dots(held.matrix, question)
                cosines[rows] = np.minimum(np.maximum(dots[places], -1.0), 1.0)
                compared = compared or len(rows) > 0
        return cosines, compared

    def _places(self, at: int, held: ScopeVectors) -> tuple[Ints, Ints]:
        """The rows of the documents of a part that have a vector, and where it is."""
        if at not in self._placed or self._placed[at][0] is not held:
            ids = self.parts[at].documents["id"]
            _, rows, places = np.intersect1d(ids, held.ids, assume_unique=True, return_indices=True)
            self._placed[at] = (held, rows + self._starts[at], places)
        return self._placed[at][1:]

    def _weighed(self, lengths: NDArray[np.float32]) -> list[_Postings]:
        """The postings of the parts that have any; what a term counts is the less, the longer its text is."""
        means = lengths.sum(axis=0, dtype=np.float64) / np.maximum(np.count_nonzero(lengths, axis=0), 1)
        weighed: list[_Postings] = []
        for part, start in zip(self.parts, self._starts, strict=False):
            if len(part):
                share = np.array(part.view.length_shares)
                rows = part.places + np.int64(start)
                longer = part.view.weights / (1 - share + share * lengths / np.maximum(means, _LITTLE))
                weight = np.einsum("ij,ij->i", part.counts, longer[rows])
                weighed.append(
                    _Postings(
                        terms=part.terms,
                        rows=rows,
                        fits=(weight / (weight + K1)).astype(np.float32),
                        named=part.counts[:, Field.NAMES] > 0,
                        answering=~part.counts[:, : Field.ANSWERS].any(axis=1),
                    )
                )
        return weighed


def merged(parts: Sequence[ScopeIndex], entries: Sequence[Entry]) -> MergedIndex:
    """The parts as one; kept with the first of their entries as long as none of them changes."""
    known: MergedIndex | None = entries[0].memo if entries else None
    if known is None or len(known.parts) != len(parts) or not all(map(is_, known.parts, parts)):
        known = MergedIndex(parts)
        if entries:
            entries[0].memo = known
    return known


def _other_version_counts(documents: NDArray[np.void]) -> Flags:
    """Which are a version of a fact of which another counts: of a higher level, or confirmed later."""
    order = np.lexsort([documents[name] for name in ("id", "confirmed", "level", "identity")])
    identities, shadowed = documents["identity"][order], np.zeros(len(order), np.bool_)
    shadowed[order[:-1][identities[1:] == identities[:-1]]] = True
    return shadowed


def _unit(numbers: Sequence[float]) -> NDArray[np.float32] | None:
    """The vector at norm 1; None when it points nowhere."""
    vector = np.array(numbers, np.float64)
    largest = np.abs(vector).max(initial=0.0)
    if largest == 0:
        return None
    vector /= largest  # so that the squares of very large or small numbers stay numbers
    return (vector / math.sqrt(vector @ vector)).astype(np.float32)
