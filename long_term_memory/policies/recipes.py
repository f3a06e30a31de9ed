"""Named ways to weigh the signals of a memory (design 6.3, seed 002 4.3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

type RecipeName = Literal["default", "classic"]


@dataclass(frozen=True, kw_only=True)
class Weights:
    """How much each signal counts; they are brought to sum 1 before use."""

    similarity: float
    importance: float
    recency: float


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How signals become one score."""

    weights: Weights
    one_scale: bool
    """Whether similarity is brought to 0..1 over all candidates before it is weighed, or taken as it is."""
    words: float = 0.55
    """The share of words in the similarity, beside vectors: any language and model does best near a half."""
    named: float = 0.0
    """Added where the question names whom a memory is about."""
    dated: float = 0.0
    """Added where a memory was told in the days that the question names, or soon after."""
    standing: float = 0.0
    """What a standing fact has of similarity at least, so that it is not lost behind what just matches."""


DEFAULT = Recipe(
    # Of real talk importance tells what matters; recency at .3 drowns everything, and at .05 it costs.
    weights=Weights(similarity=0.77, importance=0.2, recency=0.03),
    one_scale=True,
    named=0.16,
    dated=0.16,
    standing=0.25,
)
_FORMER_WEIGHTS = Weights(similarity=0.94, importance=0.03, recency=0.03)
CLASSIC = Recipe(weights=Weights(similarity=0.3, importance=0.4, recency=0.3), one_scale=False)
"""The formula of seed 002 4.3 as printed: cosine, importance and decay, each as it is."""

RECIPES: Mapping[RecipeName, Recipe] = {"default": DEFAULT, "classic": CLASSIC}


def weights_of(recipe: Recipe, chosen: Weights) -> Weights:
    """The weights in force, of sum 1: those an operator chose, else the recipe's own.

    Weights that stand as the default recipe has them, or had them when the host wrote its settings file, are
    not chosen: they follow the recipe.
    """
    given = recipe.weights if chosen in (DEFAULT.weights, _FORMER_WEIGHTS) else chosen
    total = given.similarity + given.importance + given.recency
    if total <= 0:
        return Weights(similarity=1.0, importance=0.0, recency=0.0)
    return Weights(
        similarity=given.similarity / total,
        importance=given.importance / total,
        recency=given.recency / total,
    )
