"""What was not injected and why, worked out when somebody looks at it: the reply does not wait for it."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import overload, override

from ..domain.reading import Omitted
from ..policies.read_policy import MemoryReadPolicy
from .budget import fit
from .diversify import diversify
from .ranking import Ranking


class LeftOut(Sequence[Omitted]):
    """The next best memories, each with its rule; what the question has nothing to do with comes last."""

    def __init__(self, ranking: Ranking, policy: MemoryReadPolicy) -> None:
        self._ranking = ranking
        self._policy = policy

    @overload
    def __getitem__(self, at: int) -> Omitted: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Omitted]: ...
    @override
    def __getitem__(self, at: int | slice) -> Omitted | Sequence[Omitted]:
        return self._all[at]

    @override
    def __len__(self) -> int:
        return len(self._all)

    @override
    def __iter__(self) -> Iterator[Omitted]:
        """One after the other: who looks at the first few does not pay for thousands."""
        yield from self._usable()
        yield from self._beside()

    @cached_property
    def _all(self) -> Sequence[Omitted]:
        return (*self._usable(), *self._beside())

    def _usable(self) -> Iterator[Omitted]:
        ranking = self._ranking
        for place, rule in fit(ranking, diversify(ranking, self._policy), self._policy):
            if rule:
                yield self._omitted(place, rule)

    def _beside(self) -> Iterator[Omitted]:
        for place in range(self._ranking.usable, len(self._ranking.rows)):
            yield self._omitted(place, "shadowed" if self._ranking.shadowed[place] else "not_relevant")

    def _omitted(self, place: int, rule: str) -> Omitted:
        ranking = self._ranking
        return Omitted(memory_id=ranking.item(place).memory_id, rule=rule, score=ranking.score[place])
