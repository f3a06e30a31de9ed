"""What was acknowledged is demanded, what was under way may have happened, and nothing else is allowed."""

from collections.abc import Mapping

from tests.torture.crashes.ledger import STAYS, Fate, Found, Ledger
from tests.torture.crashes.things import Call, Deed, Kind

ALICE = "alice"
WORD = "plant00001"


def turn(number: str, kind: Kind = Kind.LIKED, word: str = WORD) -> Call:
    return Call(number=number, deed=Deed.TURN, word=word, kind=kind, person=ALICE)


def deed(number: str, what: Deed) -> Call:
    return Call(number=number, deed=what, person=ALICE)


def found(fates: Mapping[str, Fate], *messages: str) -> Found:
    return Found(fates=fates, doubled=[], messages=dict.fromkeys(messages, ("assistant", "user")))


def acknowledged(*calls: Call) -> Ledger:
    ledger = Ledger()
    for call in calls:
        ledger.begun(call)
        if call.deed is Deed.FORGET:
            ledger.about(call.number, WORD)
        ledger.acknowledged(call.number, WORD)
    return ledger


def test_what_was_acknowledged_is_demanded() -> None:
    assert acknowledged(turn("1")).complaints(found({WORD: Fate.IN_USE}, "1")) == []
    assert len(acknowledged(turn("1")).complaints(found({}))) == 2


def test_what_was_under_way_happened_as_a_whole_or_not_at_all() -> None:
    for fates, messages, complaints in (
        ({}, (), 0),
        ({WORD: Fate.IN_USE}, ("1",), 0),
        ({WORD: Fate.SAID}, ("1",), 1),
    ):
        ledger = Ledger()
        ledger.begun(turn("1"))
        assert len(ledger.complaints(found(fates, *messages))) == complaints


def test_what_was_seen_once_is_demanded_from_then_on() -> None:
    ledger = Ledger()
    ledger.begun(turn("1"))
    assert ledger.complaints(found({WORD: Fate.IN_USE}, "1")) == []
    assert ledger.complaints(found({})) != []


def test_what_was_forgotten_does_not_come_back_by_being_said_again() -> None:
    ledger = acknowledged(turn("1"), deed("2", Deed.FORGET), turn("3"))
    assert ledger.complaints(found({WORD: Fate.FORGOTTEN}, "1", "3")) == []
    assert ledger.complaints(found({WORD: Fate.IN_USE}, "1", "3")) != []


def test_what_was_forgotten_goes_for_good_when_it_is_old_and_no_sooner() -> None:
    for fates, messages in (({WORD: Fate.SAID}, ("1",)), ({}, ())):
        for age, complaints in ((STAYS - 1, 1), (STAYS + 1, 0)):
            ledger = acknowledged(turn("1"))
            ledger.begun(deed("2", Deed.FORGET))
            ledger.about("2", WORD, at=5.0)
            ledger.acknowledged("2", WORD)
            ledger.messages["1"].may_be = {len(messages)}
            assert len(ledger.complaints(found(fates, *messages), at=5.0 + age)) == complaints


def test_after_an_erasure_that_may_have_happened_it_may_be_learnt_anew() -> None:
    for fate in (Fate.FORGOTTEN, Fate.IN_USE):
        ledger = acknowledged(turn("1"), deed("2", Deed.FORGET))
        ledger.begun(deed("3", Deed.ERASE))
        ledger.begun(turn("4"))
        ledger.acknowledged("4")
        assert ledger.complaints(found({WORD: fate}, "4")) == []


def test_an_erasure_takes_all_or_nothing() -> None:
    ledger = acknowledged(turn("1"), turn("2", word="plant00002"))
    ledger.begun(deed("3", Deed.ERASE))
    assert ledger.complaints(found({WORD: Fate.IN_USE}, "1"))[-1].startswith("in part")
    assert acknowledged(turn("1"), deed("2", Deed.ERASE)).complaints(found({WORD: Fate.IN_USE}, "1")) != []


def test_what_nobody_said_is_noticed_and_what_is_doubled() -> None:
    assert Ledger().complaints(found({WORD: Fate.SAID})) == [f"{WORD} is nobody's"]
    twice = Found(fates={WORD: Fate.IN_USE}, doubled=[WORD], messages={"1": ("user", "user")})
    assert len(acknowledged(turn("1")).complaints(twice)) == 2
