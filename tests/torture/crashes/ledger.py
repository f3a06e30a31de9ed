"""What was acknowledged: what the store has to say of each thing and each message, whenever it is killed."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from tests.torture.crashes.fates import Fate, Found, Message, Reach, Thing
from tests.torture.crashes.outside import SETTINGS
from tests.torture.crashes.things import Call, Deed, Kind

_FADES = frozenset({Fate.IN_USE, Fate.OVER})
_KNOWN: Mapping[Kind, frozenset[Fate]] = {
    Kind.FETCHED: _FADES,
    Kind.EMPLOYER: _FADES,
    Kind.FEARED: frozenset({Fate.WAITING}),
    Kind.NAMED: frozenset({Fate.SAID}),
    Kind.HEARD: frozenset({Fate.SAID}),
}
"""What becomes of a thing that was told, where that is not to be in use."""
_FATES: Mapping[Deed, Fate] = {
    Deed.APPROVE: Fate.IN_USE,
    Deed.FORGET: Fate.FORGOTTEN,
    Deed.REJECT: Fate.FORGOTTEN,
}
_REACHES: Mapping[Deed, Reach] = {Deed.SHARE: Reach.SHARED, Deed.UNSHARE: Reach.KEPT}
"""What a decision about a thing makes of it."""
_PAUSED: Mapping[Deed, bool] = {Deed.PAUSE: True, Deed.RESUME: False}
"""Whether somebody is paused after it."""
STORING = frozenset(Deed) - {Deed.EXPORT, Deed.SNAPSHOT, Deed.RECALL, Deed.PASS}
"""What leaves something in the store that could be lost."""
_PURGED = frozenset({Fate.SAID, Fate.ABSENT})
"""How a forgotten memory is found once it has gone for good; its message may have been erased."""
assert SETTINGS.deleted_retention is not None
STAYS = SETTINGS.deleted_retention.total_seconds()
"""How long after it was forgotten that is no sooner."""


@dataclass(kw_only=True)
class Ledger:
    """Told of each call when it begins and when it is acknowledged."""

    things: dict[str, Thing] = field(default_factory=dict[str, Thing])
    messages: dict[str, Message] = field(default_factory=dict[str, Message])
    under_way: dict[str, Call] = field(default_factory=dict[str, Call])
    wholes: list[set[str]] = field(default_factory=list[set[str]])
    """Things of which all go or come together, or none."""
    chosen: dict[str, str] = field(default_factory=dict[str, str])
    """By the number of a call the thing that it decides about."""
    paused: dict[str, AbstractSet[bool]] = field(default_factory=dict[str, AbstractSet[bool]])
    """Whether somebody may be paused, and whether they may not be; nobody is at first."""
    stored: Counter[Deed] = field(default_factory=Counter[Deed])
    """How many calls were acknowledged by which something was stored."""

    def begun(self, call: Call) -> None:
        """From now on it may have happened."""
        self.under_way[call.number] = call
        match call.deed:
            case Deed.TURN | Deed.TOOL | Deed.SAVE | Deed.KEYED_SAVE:
                self._may_be_said(call)
            case Deed.IMPORT:
                self._may_come(call)
            case Deed.ERASE:
                self._may_go(call.person)
            case Deed.PAUSE | Deed.RESUME:
                self._may_switch(call)
            case _:
                pass

    def about(self, number: str, word: str, *, at: float = 0.0) -> None:
        """A call that decides about a thing has chosen this one, at this time of the loop."""
        thing, deed = self.things[word], self.under_way[number].deed
        self.chosen[number] = word
        if deed in _REACHES:
            thing.may_reach |= {_REACHES[deed]}
            return
        thing.may_be |= {_FATES[deed]}
        if _FATES[deed] is Fate.FORGOTTEN:
            thing.forgotten_at = at

    def acknowledged(self, number: str, word: str = "") -> None:
        """It has happened."""
        call = self.under_way.pop(number)
        if self._stores(call):
            self.stored[call.deed] += 1
        match call.deed:
            case Deed.TURN | Deed.TOOL | Deed.SAVE | Deed.KEYED_SAVE:
                self._is_kept(self.messages[number])
            case Deed.IMPORT:
                self._are(call.words, {Fate.IN_USE})
            case Deed.ERASE:
                self._are(self._of(call.person), {Fate.ABSENT})
                for message in self._messages_of(call.person):
                    message.may_be = {0}
            case Deed.PAUSE | Deed.RESUME:
                self.paused[call.person] = {_PAUSED[one.deed] for one in self._switched(call)}
            case Deed.FORGET | Deed.APPROVE | Deed.REJECT | Deed.SHARE | Deed.UNSHARE:
                self._is_decided(call, word)
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
            reaches = found.reaches.get(word, frozenset())
            if reaches - thing.may_reach:
                complaints.append(f"{word} reaches {sorted(reaches)}, may reach {sorted(thing.may_reach)}")
        for number, message in self.messages.items():
            roles = found.messages.get(number, ())
            times = 0 if not roles else 1 if tuple(roles) == tuple(message.roles) else len(roles) + 1
            if times not in message.may_be:
                complaints.append(
                    f"message {number} has {list(roles)}, may be there {sorted(message.may_be)}"
                )
            message.may_be = {times} if times < 2 else {1}
        complaints += [
            f"{person} is {'' if person in found.paused else 'not '}paused"
            for person in sorted(found.paused | set(self.paused))
            if (person in found.paused) not in self._may_be_paused(person)
        ]
        complaints += [f"{word} is nobody's" for word in found.fates if word not in self.things]
        complaints += [f"in part: {whole}" for whole in self.wholes if len(self._left(whole, found)) == 2]
        self._note(found)
        return complaints

    def _note(self, found: Found) -> None:
        for word, thing in self.things.items():
            thing.may_be = _from_now_on(thing.kind, found.fates.get(word, Fate.ABSENT))
            thing.may_reach = {Reach(one) for one in found.reaches.get(word, ()) if one in Reach}
            thing.may_reach = thing.may_reach or {Reach.KEPT}
        self.paused = {person: {person in found.paused} for person in found.paused | set(self.paused)}
        self.under_way.clear()
        self.chosen.clear()
        self.wholes.clear()

    def _left(self, whole: Iterable[str], found: Found) -> set[bool]:
        return {found.fates.get(word, Fate.ABSENT) is Fate.ABSENT for word in whole}

    def _stores(self, call: Call) -> bool:
        """Whether something came to be stored by it."""
        match call.deed:
            case Deed.TURN | Deed.TOOL | Deed.SAVE | Deed.KEYED_SAVE:
                return False in self.messages[call.number].paused
            case Deed.IMPORT:
                return any(Fate.ABSENT in self.things[word].may_be for word in call.words)
            case Deed.PAUSE | Deed.RESUME:
                return self._may_be_paused(call.person) != {_PAUSED[call.deed]}
            case _:
                return call.deed in STORING

    def _may_be_said(self, call: Call) -> None:
        assert call.kind is not None
        before = self.messages.get(call.number)
        message = Message(
            call=call, may_be=before.may_be if before else {0}, paused=self._may_be_paused(call.person)
        )
        self.messages[call.number] = message
        if call.word not in self.things:
            self.things[call.word] = Thing(
                kind=call.kind, person=call.person, in_group=call.in_group, at=call.at, may_be={Fate.ABSENT}
            )
        if False in message.paused:
            self._may_be_kept(message)

    def _may_be_kept(self, message: Message) -> None:
        call = message.call
        assert call.kind is not None
        message.may_be |= {1}
        thing = self.things[call.word]
        if Fate.ABSENT in thing.may_be:
            thing.may_be |= _KNOWN.get(call.kind, frozenset({Fate.IN_USE}))
        for whole in self.wholes:
            whole.discard(call.word)

    def _is_kept(self, message: Message) -> None:
        if message.paused == {False}:
            message.may_be = {1}
            self._is(message.call.word, without={Fate.ABSENT})

    def _may_switch(self, call: Call) -> None:
        """Somebody pauses or resumes: what they say meanwhile may come before or after that."""
        paused = {_PAUSED[call.deed]}
        self.paused[call.person] = self._may_be_paused(call.person) | paused
        for beside in self._beside(call):
            message = self.messages.get(beside.number)
            if message is not None and beside.person == call.person:
                message.paused |= paused
                if False in paused:
                    self._may_be_kept(message)

    def _may_be_paused(self, person: str) -> AbstractSet[bool]:
        return self.paused.get(person, frozenset({False}))

    def _beside(self, call: Call) -> list[Call]:
        """What is under way in the same process."""
        return [other for other in self.under_way.values() if other.run == call.run]

    def _is_decided(self, call: Call, word: str) -> None:
        """By this call; but another one that is under way may have the last word."""
        beside = (other for other in self._beside(call) if self.chosen.get(other.number) == word)
        deeds = {call.deed, *(other.deed for other in beside)}
        if call.deed in _REACHES:
            self.things[word].may_reach = {_REACHES[deed] for deed in deeds if deed in _REACHES}
        else:
            self._are([word], {_FATES[deed] for deed in deeds if deed in _FATES})

    def _switched(self, call: Call) -> list[Call]:
        """This call, and those under way of which one may have the last word about a pause."""
        others = (other for other in self._beside(call) if other.person == call.person)
        return [call, *(other for other in others if other.deed in _PAUSED)]

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
    return _FADES if fate is Fate.IN_USE and kind in (Kind.FETCHED, Kind.EMPLOYER) else {fate}
