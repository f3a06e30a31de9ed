"""What was acknowledged: what the store has to say of each thing and each message, whenever it is killed."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum

from tests.torture.crashes.outside import SETTINGS
from tests.torture.crashes.things import Call, Deed, Kind


class Fate(StrEnum):
    """What has become of a thing."""

    ABSENT = "absent"
    SAID = "said"
    """There is a message about it and no memory."""
    IN_USE = "in use"
    WAITING = "waiting"
    OVER = "over"
    """Its memory has expired or another took its place."""
    FORGOTTEN = "forgotten"


_FADES = frozenset({Fate.IN_USE, Fate.OVER})
_KNOWN: Mapping[Kind, frozenset[Fate]] = {
    Kind.FETCHED: _FADES,
    Kind.HOME: _FADES,
    Kind.FEARED: frozenset({Fate.WAITING}),
    Kind.NAMED: frozenset({Fate.SAID}),
    Kind.HEARD: frozenset({Fate.SAID}),
}
"""What becomes of a thing that was told, where that is not to be in use."""
_PURGED = frozenset({Fate.SAID, Fate.ABSENT})
"""How a forgotten memory is found once it has gone for good; its message may have been erased."""
assert SETTINGS.deleted_retention is not None
STAYS = SETTINGS.deleted_retention.total_seconds()
"""How long after it was forgotten that is no sooner."""


@dataclass(kw_only=True)
class Thing:
    """What may have become of one thing."""

    kind: Kind
    person: str
    in_group: bool
    at: float
    """When it was first told, in seconds of the loop."""
    may_be: AbstractSet[Fate]
    forgotten_at: float = 0.0
    """When that began last, or a little sooner."""


@dataclass(kw_only=True)
class Message:
    """What may be there of one message."""

    call: Call
    may_be: AbstractSet[int]
    """How often: not at all, or once."""

    @property
    def roles(self) -> Sequence[str]:
        """Who speaks in it."""
        return {Deed.TURN: ("assistant", "user"), Deed.TOOL: ("tool",)}.get(self.call.deed, ("user",))


@dataclass(kw_only=True)
class Found:
    """What a store says."""

    fates: Mapping[str, Fate]
    doubled: Sequence[str]
    """What it says more than once."""
    messages: Mapping[str, Sequence[str]]
    """By their ids who speaks in them, in order."""


@dataclass(kw_only=True)
class Ledger:
    """Told of each call when it begins and when it is acknowledged."""

    things: dict[str, Thing] = field(default_factory=dict[str, Thing])
    messages: dict[str, Message] = field(default_factory=dict[str, Message])
    under_way: dict[str, Call] = field(default_factory=dict[str, Call])
    wholes: list[set[str]] = field(default_factory=list[set[str]])
    """Things of which all go or come together, or none."""
    done: int = 0
    """How many calls were acknowledged."""

    def begun(self, call: Call) -> None:
        """From now on it may have happened."""
        self.under_way[call.number] = call
        match call.deed:
            case Deed.TURN | Deed.TOOL | Deed.SAVE | Deed.KEYED_SAVE:
                self.messages[call.number] = Message(call=call, may_be={0, 1})
                self._may_be_told(call)
            case Deed.IMPORT:
                self._may_come(call)
            case Deed.ERASE:
                self._may_go(call.person)
            case _:
                pass

    def about(self, number: str, word: str, *, at: float = 0.0) -> None:
        """A call that decides about a thing has chosen this one, at this time of the loop."""
        thing = self.things[word]
        if self.under_way[number].deed is Deed.APPROVE:
            thing.may_be |= {Fate.IN_USE}
        else:
            thing.may_be |= {Fate.FORGOTTEN}
            thing.forgotten_at = at

    def acknowledged(self, number: str, word: str = "") -> None:
        """It has happened."""
        call = self.under_way.pop(number)
        self.done += 1
        match call.deed:
            case Deed.TURN | Deed.TOOL | Deed.SAVE | Deed.KEYED_SAVE:
                self.messages[number].may_be = {1}
                self._is(call.word, without={Fate.ABSENT})
            case Deed.IMPORT:
                self._are(call.words, {Fate.IN_USE})
            case Deed.ERASE:
                self._are(self._of(call.person), {Fate.ABSENT})
                for message in self._messages_of(call.person):
                    message.may_be = {0}
            case Deed.FORGET:
                self._are([word], {Fate.FORGOTTEN})
            case Deed.APPROVE:
                self._are([word], {Fate.IN_USE})
            case _:
                pass

    def missed(self, number: str) -> None:
        """It came to nothing, because what it was about was not there; or to something, and nobody knows."""
        self.under_way.pop(number)

    def again(self) -> Sequence[Call]:
        """What the host would tell again."""
        return [call for call in self.under_way.values() if call.deed in (Deed.TURN, Deed.TOOL)]

    def complaints(self, found: Found, *, at: float = 0.0) -> list[str]:
        """What the store says that it may not say; whatever it says now it has to go on saying.

        `at` is the loop's time now, or a little later.
        """
        complaints = [f"doubled: {one}" for one in found.doubled]
        for word, thing in self.things.items():
            fate = found.fates.get(word, Fate.ABSENT)
            old = at - thing.forgotten_at >= STAYS
            purged = old and Fate.FORGOTTEN in thing.may_be and fate in _PURGED
            if fate not in thing.may_be and not purged:
                complaints.append(
                    f"{word} ({thing.kind.name}) is {fate}, may be [{', '.join(sorted(thing.may_be))}]"
                )
        for number, message in self.messages.items():
            roles = found.messages.get(number, ())
            times = 0 if not roles else 1 if tuple(roles) == tuple(message.roles) else len(roles) + 1
            if times not in message.may_be:
                complaints.append(
                    f"message {number} has {list(roles)}, may be there {sorted(message.may_be)}"
                )
            message.may_be = {times} if times < 2 else {1}
        complaints += [f"{word} is nobody's" for word in found.fates if word not in self.things]
        complaints += [f"in part: {whole}" for whole in self.wholes if len(self._left(whole, found)) == 2]
        self._note(found)
        return complaints

    def _note(self, found: Found) -> None:
        for word, thing in self.things.items():
            thing.may_be = _from_now_on(thing.kind, found.fates.get(word, Fate.ABSENT))
        self.under_way.clear()
        self.wholes.clear()

    def _left(self, whole: Iterable[str], found: Found) -> set[bool]:
        return {found.fates.get(word, Fate.ABSENT) is Fate.ABSENT for word in whole}

    def _may_be_told(self, call: Call) -> None:
        assert call.kind is not None
        told = _KNOWN.get(call.kind, frozenset({Fate.IN_USE}))
        thing = self.things.get(call.word)
        if thing is None:
            thing = Thing(
                kind=call.kind, person=call.person, in_group=call.in_group, at=call.at, may_be={Fate.ABSENT}
            )
            self.things[call.word] = thing
        if Fate.ABSENT in thing.may_be:
            thing.may_be |= told
        for whole in self.wholes:
            whole.discard(call.word)

    def _may_come(self, call: Call) -> None:
        new = [
            word for word in call.words if word not in self.things or Fate.ABSENT in self.things[word].may_be
        ]
        for word in new:
            self.things[word] = Thing(
                kind=Kind.BROUGHT, person="", in_group=False, at=call.at, may_be={Fate.ABSENT, Fate.IN_USE}
            )
        self.wholes.append(set(new))

    def _may_go(self, person: str) -> None:
        there = {word for word in self._of(person) if Fate.ABSENT not in self.things[word].may_be}
        self.wholes.append(there)
        for word in self._of(person):
            self.things[word].may_be |= {Fate.ABSENT}
        for message in self._messages_of(person):
            message.may_be |= {0}

    def _of(self, person: str) -> list[str]:
        return [word for word, thing in self.things.items() if thing.person == person]

    def _messages_of(self, person: str) -> list[Message]:
        return [message for message in self.messages.values() if message.call.person == person]

    def _is(self, word: str, *, without: AbstractSet[Fate]) -> None:
        thing = self.things[word]
        if thing.may_be - without:
            thing.may_be = thing.may_be - without

    def _are(self, words: Iterable[str], fates: AbstractSet[Fate]) -> None:
        for word in words:
            self.things[word].may_be = set(fates)


def _from_now_on(kind: Kind, fate: Fate) -> AbstractSet[Fate]:
    """What may become of it while nobody decides about it."""
    return _FADES if fate is Fate.IN_USE and kind in (Kind.FETCHED, Kind.HOME) else {fate}
