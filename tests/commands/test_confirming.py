import itertools
from datetime import timedelta

import pytest
from astrbot_plugin_ltm.long_term_memory.manager.confirmation_codes import (
    CONFIRM_LENGTH,
    CONFIRM_LIFE,
    MAX_CODES,
    Confirming,
)

from tests.running import FakeClock, group, private

ALICE = private("alice")
WHAT = "forget all"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def confirming(clock: FakeClock) -> Confirming:
    numbers = itertools.count()
    return Confirming(clock, lambda: str(next(numbers)))


def test_a_code_is_a_few_digits_and_another_each_time(confirming: Confirming) -> None:
    first, second = confirming.ask(ALICE, WHAT), confirming.ask(private("bob"), WHAT)
    assert [len(code) for code in (first, second)] == [CONFIRM_LENGTH, CONFIRM_LENGTH]
    assert (first + second).isascii()
    assert (first + second).isdigit()
    assert first != second


@pytest.mark.parametrize(("seconds", "good"), [(0, True), (59, True), (60, False), (61, False)])
def test_a_code_is_good_for_a_minute(
    confirming: Confirming, clock: FakeClock, seconds: int, *, good: bool
) -> None:
    code = confirming.ask(ALICE, WHAT)
    clock.move(timedelta(seconds=seconds))
    assert confirming.confirmed(ALICE, WHAT, code) is good
    assert CONFIRM_LIFE.total_seconds() == 60


def test_a_code_is_good_once(confirming: Confirming) -> None:
    code = confirming.ask(ALICE, WHAT)
    assert confirming.confirmed(ALICE, WHAT, code)
    assert not confirming.confirmed(ALICE, WHAT, code)


def test_a_code_is_good_for_nobody_else_nowhere_else_and_for_nothing_else(confirming: Confirming) -> None:
    code = confirming.ask(ALICE, WHAT)
    assert not confirming.confirmed(private("bob"), WHAT, code)
    assert not confirming.confirmed(group("alice"), WHAT, code)
    assert not confirming.confirmed(ALICE, "erase plat:alice", code)
    assert confirming.confirmed(ALICE, WHAT, code)


def test_members_of_one_group_have_codes_of_their_own(confirming: Confirming) -> None:
    code, other = confirming.ask(group("alice"), WHAT), confirming.ask(group("bob"), WHAT)
    assert not confirming.confirmed(group("bob"), WHAT, code)
    assert confirming.confirmed(group("bob"), WHAT, other)
    assert confirming.confirmed(group("alice"), WHAT, code)


def test_a_wrong_code_does_not_spoil_the_right_one(confirming: Confirming) -> None:
    code = confirming.ask(ALICE, WHAT)
    wrong = f"{(int(code) + 1) % 10**CONFIRM_LENGTH:0{CONFIRM_LENGTH}}"
    assert not confirming.confirmed(ALICE, WHAT, wrong)
    assert not confirming.confirmed(ALICE, WHAT, "")
    assert confirming.confirmed(ALICE, WHAT, code)


def test_a_new_code_takes_the_place_of_the_one_before(confirming: Confirming) -> None:
    first = confirming.ask(ALICE, WHAT)
    second = confirming.ask(ALICE, WHAT)
    assert not confirming.confirmed(ALICE, WHAT, first)
    assert confirming.confirmed(ALICE, WHAT, second)


def test_a_code_may_be_typed_with_spaces_and_wide_digits(confirming: Confirming) -> None:
    code = confirming.ask(ALICE, WHAT)
    wide = "".join(chr(ord(digit) + 0xFEE0) for digit in code)
    assert confirming.confirmed(ALICE, WHAT, f" {wide[:3]} {wide[3:]} ")


def test_of_too_many_codes_the_first_gives_way(confirming: Confirming) -> None:
    first = confirming.ask(private("first"), WHAT)
    second = confirming.ask(private("second"), WHAT)
    for number in range(MAX_CODES - 1):
        confirming.ask(private(str(number)), WHAT)
    assert not confirming.confirmed(private("first"), WHAT, first)
    assert confirming.confirmed(private("second"), WHAT, second)
