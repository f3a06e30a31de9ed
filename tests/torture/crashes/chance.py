"""Which calls a run makes: drawn from a seed, or told beforehand."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.torture.crashes.things import SAID, Call, Deed, Kind, word_of

PEOPLE = ("alice", "bob", "carol")
PAUSING = ("erin", "frank")
"""Who pause and resume their memory, and say only what is found as it is kept."""
ALONE = frozenset({Deed.ERASE, Deed.IMPORT, Deed.PASS})
"""What is done while nothing else is."""
OFTEN = {
    Deed.TURN: 40,
    Deed.TOOL: 4,
    Deed.SAVE: 6,
    Deed.KEYED_SAVE: 5,
    Deed.FORGET: 8,
    Deed.SHARE: 8,
    Deed.UNSHARE: 5,
    Deed.APPROVE: 5,
    Deed.REJECT: 2,
    Deed.PAUSE: 4,
    Deed.RESUME: 4,
    Deed.ERASE: 2,
    Deed.IMPORT: 3,
    Deed.EXPORT: 3,
    Deed.SNAPSHOT: 3,
    Deed.RECALL: 3,
    Deed.PASS: 19,
}
"""How often each is done beside the others."""
RESTS = (2.0, 4.0, 4.0, 5.0, 65.0, 90.0, 90.0, 200.0)
"""Seconds that pass."""
_ADDED = {Deed.TOOL: Kind.HEARD, Deed.SAVE: Kind.SAVED, Deed.KEYED_SAVE: Kind.KEYED}
_AGAIN = frozenset({Kind.LIKED, Kind.GROWN, Kind.FEARED})


@dataclass(frozen=True, kw_only=True)
class Told:
    """Something said before, that may be said again."""

    word: str
    kind: Kind
    person: str
    in_group: bool

    @property
    def may_be_said_again(self) -> bool:
        """Whether that changes nothing about it."""
        return self.kind in _AGAIN


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a run is to do."""

    seed: str
    steps: int
    first_word: int
    surely: Sequence[Deed] = ()
    """Done at some moment, whatever chance says."""
    known: Sequence[Told] = ()
    imports: Sequence[tuple[str, Sequence[str]]] = ()
    """Files that may be brought in, and the words in them."""
    chosen: Sequence[Call] = ()
    """Instead of what chance says."""


class Chance:
    """Draws the calls of run number `run`."""

    def __init__(self, plan: Plan, run: int) -> None:
        self.rng = random.Random(plan.seed)  # noqa: S311  it need not be hard to guess
        self._plan = plan
        self._run = run
        self._told = list(plan.known)
        self._words = plan.first_word
        self._numbers = 0

    def deeds(self) -> Iterator[Sequence[Deed]]:
        """What is done, those together that are done at once."""
        deeds = self.rng.choices(list(OFTEN), list(OFTEN.values()), k=self._plan.steps)
        for deed in self._plan.surely:
            deeds[self.rng.randrange(len(deeds))] = deed
        together: list[Deed] = []
        for deed in deeds:
            if together and (deed in ALONE or together[-1] in ALONE or self.rng.random() < 0.5):
                yield together
                together = []
            together.append(deed)
        yield together

    def call(self, deed: Deed, now: float) -> Call:
        """A call that does this, at this time of the loop."""
        self._numbers += 1
        number, person = f"{self._run}.{self._numbers}", self.rng.choice(PEOPLE)
        match deed:
            case Deed.TURN:
                told = self._said(person)
                return Call(
                    number=number,
                    deed=deed,
                    word=told.word,
                    kind=told.kind,
                    person=told.person,
                    in_group=told.in_group,
                    at=now,
                )
            case Deed.TOOL | Deed.SAVE | Deed.KEYED_SAVE:
                kind = _ADDED[deed]
                return Call(number=number, deed=deed, word=self._word(), kind=kind, person=person, at=now)
            case Deed.IMPORT:
                path, words = self.rng.choice([*self._plan.imports, ("", ())])
                return Call(number=number, deed=deed, path=path, words=tuple(words), at=now)
            case Deed.PAUSE | Deed.RESUME:
                return Call(number=number, deed=deed, person=self.rng.choice(PAUSING), at=now)
            case Deed.PASS:
                return Call(number=number, deed=deed, at=self.rng.choice(RESTS))
            case _:
                return Call(number=number, deed=deed, person=person, at=now)

    def heard(self, told: Told) -> None:
        """It was acknowledged, so it may be said again."""
        if told.may_be_said_again and told not in self._told:
            self._told.append(told)

    def _said(self, person: str) -> Told:
        if self._told and self.rng.random() < 0.25:
            return self.rng.choice(self._told)
        if self.rng.random() < 0.15:
            person = self.rng.choice(PAUSING)
        kind = Kind.LIKED if person in PAUSING else self.rng.choice(SAID)
        # An employer told of in a group does not take the place of one told in private.
        in_group = self.rng.random() < 0.3 and kind is not Kind.EMPLOYER
        return Told(word=self._word(), kind=kind, person=person, in_group=in_group)

    def _word(self) -> str:
        self._words += 1
        return word_of(self._words)
