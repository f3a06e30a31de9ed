"""Stage 2, retrieve: everything visible, with the signals that words and vectors give."""

from dataclasses import dataclass, replace

import numpy as np

from ..domain.reading import NoVector, Request, Term, UnrelatedCosines
from ..text_analysis.terms import indexed_terms
from .protocols import Memory, Numbers, Seek, Visible
from .query_terms import CHARACTER
from .similarity_baseline import SimilarityBaseline

WHOLE = 0.5
"""What the words of all sentences together count beside those of the best one."""
CHARACTER_ALONE = 0.3
"""What a character within a Chinese word counts where there are no vectors; see `query_terms.CHARACTER`."""
BEST = 5
"""So many of the best by words tell which other words belong to the matter."""
PASSED_ON = 0.2
"""What these other words add at most, beside the best match with the question itself."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Retrieved:
    """What a request may see, and what is known of its vector."""

    visible: Visible
    unrelated: UnrelatedCosines | None = None
    """What unrelated texts are like beside it; None without a vector, and until that is known."""
    why: str = ""
    """Why words alone answered (`NoVector`), else empty."""


@dataclass(frozen=True, kw_only=True)
class Retriever:
    """Asks memory, with the question's vector when there is one in time."""

    memory: Memory
    seek: Seek
    baseline: SimilarityBaseline

    async def retrieve(self, request: Request, *, min_confidence: float) -> Retrieved:
        """Collect every visible item with its signals, those of vectors only when they come in time."""
        # A question for everything has no direction: no vector is used.
        sought = NoVector.NO_QUESTION if request.everything else await self.seek(request.text)
        vector, why = (None, sought) if isinstance(sought, NoVector) else (sought, "")
        visible = await self.memory.look_up(
            request.access, request.terms, vector, now=request.at, min_confidence=min_confidence
        )
        if not visible.vectors:  # which would know that 租子 is 房租
            words = visible.signals.words + visible.words_of(_characters(request))
            visible = replace(visible, signals=replace(visible.signals, words=words))
        if request.sentences and visible.items:
            words = _of_sentences(request, visible)
            visible = replace(visible, signals=replace(visible.signals, words=words))
        if not visible.vectors:  # which would know what is alike
            words = _with_the_matter(request, visible)
            visible = replace(visible, signals=replace(visible.signals, words=words))
        unrelated = vector and self.baseline.unrelated(request.text, vector)
        return Retrieved(visible=visible, unrelated=unrelated, why=why)


def _characters(request: Request) -> list[Term]:
    """The characters within Chinese words, with what they count more where there are no vectors."""
    within = (term.text for term in request.terms if term.weight == CHARACTER)
    return [Term(each, CHARACTER_ALONE - CHARACTER, tells=False) for each in within]


def _of_sentences(request: Request, visible: Visible) -> Numbers:
    """Score each sentence of the question by itself, so that none drowns in the talk around it."""
    best = np.zeros(len(visible.signals))
    for terms, weight in request.sentences:
        best = np.maximum(best, weight * of_the_best(visible.words_of(terms)))
    return best + WHOLE * of_the_best(visible.signals.words)


def _with_the_matter(request: Request, visible: Visible) -> Numbers:
    """The word scores, with something added for words of the best facts.

    The best match stays the best, and what has no word of the question gets nothing.
    """
    words = visible.signals.words
    rows = words.nonzero()[0]
    if len(rows) <= BEST:
        return words
    best: list[int] = rows[np.argsort(-words[rows], kind="stable")[:BEST]].tolist()
    matter = {term for row in best for term in indexed_terms(visible.items[row].fact) if len(term) > 1}
    others = matter.difference(term.text for term in request.terms)
    alike = of_the_best(visible.words_of([Term(each, tells=False) for each in sorted(others)]))
    alike[best[0]] = 1.0
    return words + PASSED_ON * words[best[0]] * np.where(words > 0, alike, 0.0)


def of_the_best(words: Numbers) -> Numbers:
    """Scores as shares of the best one."""
    most = float(words.max(initial=0.0))
    return words / most if most > 0 else words
