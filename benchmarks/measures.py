"""Recall measures.

A fact covers the messages that are its evidence. `recall@k` is the share of a question's answering messages
that the best `k` results cover, `mrr` one over the rank of the first result that covers any, or 0. Of a
block, the share that it covers is measured.
"""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

CUTS = (5, 10, 15)

type Covered = Sequence[frozenset[str]]
"""The messages each result covers, the best result first."""
type Figures = dict[str, float]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One question, and what was found."""

    category: str
    answered_by: frozenset[str]
    found: Covered
    blocks: Mapping[str, Covered]
    """What blocks of a certain kind carry, by the name under which that is reported."""


def figures_of(asked: Sequence[Asked], *, apart: str = "") -> dict[str, object]:
    """The mean over all questions but those of the category `apart`, and over those of each category."""
    categories = sorted({each.category for each in asked})
    headline = [each for each in asked if each.category != apart]
    return {
        **_mean(headline),
        "by_category": {name: _mean([one for one in asked if one.category == name]) for name in categories},
    }


def _mean(asked: Sequence[Asked]) -> Figures:
    if not asked:
        return {"n": 0}
    rows = [_of_one(each) for each in asked]
    return {"n": len(rows)} | {name: statistics.fmean(row[name] for row in rows) for name in rows[0]}


def _of_one(asked: Asked) -> Figures:
    at_k = {f"recall@{k}": _recall(asked, asked.found[:k]) for k in CUTS}
    in_blocks = {name: _recall(asked, block) for name, block in asked.blocks.items()}
    return {**at_k, "mrr": _reciprocal_rank(asked), **in_blocks}


def _recall(asked: Asked, found: Covered) -> float:
    return len(asked.answered_by & frozenset[str]().union(*found)) / len(asked.answered_by)


def _reciprocal_rank(asked: Asked) -> float:
    return next((1 / place for place, one in enumerate(asked.found, 1) if one & asked.answered_by), 0.0)
