"""What was acknowledged is demanded, what was under way may have happened, and nothing else is allowed."""

from collections.abc import Mapping, Sequence

import pytest

from tests.torture.crashes.fates import Fate, Found, Reach
from tests.torture.crashes.ledger import STAYS, Ledger
from tests.torture.crashes.things import Call, Deed, Kind, word_of

pytestmark = pytest.mark.torture

ALICE = "alice"
WORD = word_of(1)
DECISIONS = (Deed.FORGET, Deed.APPROVE, Deed.REJECT, Deed.SHARE, Deed.UNSHARE)


def turn(number: str, kind: Kind = Kind.LIKED, word: str = WORD) -> Call:
    return Call(number=number, deed=Deed.TURN, word=word, kind=kind, person=ALICE)


def deed(number: str, what: Deed) -> Call:
    return Call(number=number, deed=what, person=ALICE)


def found(fates: Mapping[str, Fate], *messages: str) -> Found:
    return Found(fates=fates, doubled=[], messages=dict.fromkeys(messages, ("assistant", "user")))


def where(reach: str) -> Found:
    return Found(
        fates={WORD: Fate.IN_USE},
        doubled=[],
        messages={"1.1": ("assistant", "user")},
        reaches={WORD: {reach}},
    )


def who(*paused: str) -> Found:
    return Found(fates={}, doubled=[], messages={}, paused={*paused})


def acknowledged(*calls: Call) -> Ledger:
    ledger = Ledger()
    for call in calls:
        begun(ledger, call)
        ledger.acknowledged(call.number, WORD)
    return ledger


def begun(ledger: Ledger, *calls: Call) -> None:
    for call in calls:
        ledger.begun(call)
        if call.deed in DECISIONS:
            ledger.about(call.number, WORD)


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
    ledger = acknowledged(turn("1"), turn("2", word=word_of(2)))
    ledger.begun(deed("3", Deed.ERASE))
    assert ledger.complaints(found({WORD: Fate.IN_USE}, "1"))[-1].startswith("in part")
    assert acknowledged(turn("1"), deed("2", Deed.ERASE)).complaints(found({WORD: Fate.IN_USE}, "1")) != []


def test_what_nobody_said_is_noticed_and_what_is_doubled() -> None:
    assert Ledger().complaints(found({WORD: Fate.SAID})) == [f"{WORD} is nobody's"]
    twice = Found(fates={WORD: Fate.IN_USE}, doubled=[WORD], messages={"1": ("user", "user")})
    assert len(acknowledged(turn("1")).complaints(twice)) == 2


def test_what_was_shared_or_taken_back_stays_so() -> None:
    shared, unshared = deed("1.2", Deed.SHARE), deed("1.3", Deed.UNSHARE)
    for calls, reach in (
        ([], Reach.KEPT),
        ([shared], Reach.SHARED),
        ([shared, unshared], Reach.KEPT),
    ):
        for seen in ("chat INTERNAL", "everywhere PUBLIC", "everywhere INTERNAL", "chat PUBLIC"):
            complaints = acknowledged(turn("1.1"), *calls).complaints(where(seen))
            assert len(complaints) == (seen != reach)


def test_of_two_decisions_under_way_either_may_be_the_last_but_none_of_a_process_that_is_gone() -> None:
    for run, may_reach in (("1", {Reach.KEPT, Reach.SHARED}), ("2", {Reach.KEPT})):
        ledger = acknowledged(turn("1.1"))
        begun(ledger, deed("1.2", Deed.SHARE), deed(f"{run}.3", Deed.UNSHARE))
        ledger.acknowledged(f"{run}.3", WORD)
        assert ledger.things[WORD].may_reach == may_reach
    ledger = acknowledged(turn("1.1", Kind.FEARED))
    begun(ledger, deed("1.2", Deed.APPROVE), deed("1.3", Deed.FORGET))
    ledger.acknowledged("1.2", WORD)
    assert ledger.things[WORD].may_be == {Fate.IN_USE, Fate.FORGOTTEN}


def test_a_pause_holds_until_it_is_taken_back() -> None:
    pause, resume = deed("1.1", Deed.PAUSE), deed("1.2", Deed.RESUME)
    for calls, under_way, may_be in (
        ([], [], [False]),
        ([], [pause], [False, True]),
        ([pause], [], [True]),
        ([pause], [resume], [False, True]),
        ([pause, resume], [], [False]),
    ):
        for paused in (False, True):
            ledger = acknowledged(*calls)
            begun(ledger, *under_way)
            complaints = ledger.complaints(who(*[ALICE] * paused))
            assert len(complaints) == (paused not in may_be)
            assert ledger.complaints(who(*[ALICE] * (not paused))) != []


def test_what_somebody_says_during_a_pause_is_not_kept() -> None:
    pause, resume, said = deed("1.1", Deed.PAUSE), deed("1.2", Deed.RESUME), turn("1.3")
    kept, not_kept = 2, 2  # the message and the thing
    for calls, begins, expected in (
        ([pause, said], [], (kept, 0)),
        ([pause, resume, said], [], (0, not_kept)),
        ([], [pause, said], (0, 0)),
        ([], [said, pause], (0, 0)),
        ([pause], [said, resume], (0, 0)),
    ):
        for is_kept, complaints in zip((True, False), expected, strict=True):
            ledger = acknowledged(*calls)
            begun(ledger, *begins)
            if said in begins:
                ledger.acknowledged(said.number)
            seen = found({WORD: Fate.IN_USE}, said.number) if is_kept else found({})
            about_it = [one for one in ledger.complaints(seen) if not one.startswith(ALICE)]
            assert len(about_it) == complaints


def test_only_calls_that_store_something_are_counted() -> None:
    stores = [turn("1.1"), deed("1.2", Deed.PAUSE), deed("1.3", Deed.RESUME), deed("1.4", Deed.FORGET)]
    brought = Call(number="1.5", deed=Deed.IMPORT, words=(word_of(90_000),))
    assert acknowledged(*stores, brought).stored.total() == 5
    nothing: Sequence[Call] = [
        *(deed(f"1.{number}", what) for number, what in enumerate((Deed.RECALL, Deed.EXPORT, Deed.SNAPSHOT))),
        deed("1.3", Deed.PASS),
        deed("1.4", Deed.RESUME),
        Call(number="1.5", deed=Deed.IMPORT),
    ]
    assert acknowledged(*nothing).stored.total() == 0
    again = [deed("1.1", Deed.PAUSE), deed("1.2", Deed.PAUSE), turn("1.3"), brought, brought]
    assert acknowledged(*again).stored == {Deed.PAUSE: 1, Deed.IMPORT: 1}
