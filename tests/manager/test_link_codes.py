"""The codes that join accounts: how they read, how long they last, and that nobody guesses one."""

import itertools
import uuid
from datetime import timedelta

from astrbot_plugin_ltm.long_term_memory.manager.codes import (
    ALPHABET,
    LENGTH,
    LIFE,
    MAX_CODES,
    MAX_GUESSERS,
    MAX_TRIES,
    Account,
    Expiring,
    LinkCodes,
    Offer,
)
from hypothesis import given
from hypothesis import strategies as st

from tests.running import FakeClock

_numbers = itertools.count()


def an_account(name: str) -> Account:
    return Account(account=f"plat:{name}", platform_id="plat", sender_id=name, name=name.title())


ALICE, BOB, EVE = an_account("alice"), an_account("bob"), an_account("eve")


def codes(clock: FakeClock | None = None) -> LinkCodes:
    return LinkCodes(clock or FakeClock(), lambda: str(next(_numbers)))


def offered(book: LinkCodes, of: Account = ALICE) -> Offer:
    return book.offer(of)


@given(st.uuids())
def test_a_code_reads_well(random: uuid.UUID) -> None:
    code = offered(LinkCodes(FakeClock(), lambda: str(random))).code
    assert len(code) == LENGTH
    assert set(code) <= set(ALPHABET)
    assert not set(ALPHABET) & set("0O1IL")


def test_no_two_codes_are_alike() -> None:
    book = codes()
    made = {offered(book, an_account(str(number))).code for number in range(MAX_CODES)}
    assert len(made) == MAX_CODES


def test_a_code_is_found_however_it_is_written() -> None:
    book = codes()
    offer = offered(book)
    code = offer.code
    for written in (code, code.lower(), f"{code[:4]}-{code[4:]}", f" {code[:4]} {code[4:]} "):
        assert book.find(written, BOB) == offer
    assert book.find(code[:-1], BOB) is None


def test_a_new_code_takes_the_place_of_the_last() -> None:
    book = codes()
    first, second = offered(book), offered(book)
    assert book.find(first.code, BOB) is None
    assert book.find(second.code, BOB) == second


def test_a_code_lasts_ten_minutes_and_once_entered_as_long_again() -> None:
    clock = FakeClock()
    book = codes(clock)
    offer = offered(book)
    clock.move(LIFE - timedelta(seconds=1))
    assert book.find(offer.code, BOB) == offer
    book.entered(offer, BOB)
    clock.move(LIFE - timedelta(seconds=1))
    noted = book.get(ALICE.account)
    assert noted is not None
    assert noted.entered_by == BOB
    clock.move(timedelta(seconds=1))
    assert book.get(ALICE.account) is None
    unused = offered(book)
    clock.move(LIFE)
    assert book.find(unused.code, BOB) is None


def test_who_enters_a_code_first_is_the_only_one() -> None:
    book = codes()
    offer = offered(book)
    noted = book.entered(offer, BOB)
    assert book.find(offer.code, EVE) is None
    assert book.find(offer.code, BOB) == noted


def test_of_too_many_codes_the_first_gives_way() -> None:
    book = codes()
    first, second = offered(book, ALICE), offered(book, BOB)
    for number in range(MAX_CODES - 1):
        offered(book, an_account(str(number)))
    assert book.find(first.code, EVE) is None
    assert book.find(second.code, EVE) == second


def test_after_a_few_wrong_codes_an_account_has_to_wait() -> None:
    clock = FakeClock()
    book = codes(clock)
    for _ in range(MAX_TRIES):
        assert book.may_guess(EVE.account)
        book.guessed_wrong(EVE.account)
        clock.move(timedelta(seconds=1))
    assert not book.may_guess(EVE.account)
    assert book.may_guess(BOB.account)
    clock.move(LIFE - timedelta(seconds=MAX_TRIES))
    assert book.may_guess(EVE.account)


def test_the_count_of_wrong_codes_is_bounded() -> None:
    book = codes()
    for number in range(MAX_GUESSERS + 1):
        for _ in range(MAX_TRIES if number in (0, 1) else 1):
            book.guessed_wrong(str(number))
    assert book.may_guess("0")
    assert not book.may_guess("1")


def test_what_is_taken_back_is_ones_code_and_the_code_one_has_entered() -> None:
    book = codes()
    own, entered, others = offered(book, BOB), offered(book, ALICE), offered(book, EVE)
    book.entered(entered, BOB)
    assert book.take_back(BOB.account)
    assert [book.find(each.code, BOB) for each in (own, entered)] == [None, None]
    assert book.find(others.code, BOB) == others
    assert not book.take_back(BOB.account)


def test_a_dropped_code_is_over() -> None:
    book = codes()
    offer = offered(book)
    book.pop(ALICE.account)
    book.pop(ALICE.account)
    assert book.find(offer.code, BOB) is None


def test_what_was_kept_first_gives_way_to_what_is_larger_and_not_to_what_is_too_large() -> None:
    kept = Expiring[str, str](FakeClock(), LIFE, 10, size=len)
    assert kept.put("a", "1234")
    assert kept.put("b", "12345")
    assert not kept.put("c", "12345678901")
    assert (kept.get("a"), kept.get("b")) == ("1234", "12345")
    assert kept.put("d", "123")
    assert (kept.get("a"), kept.get("b"), kept.get("d")) == (None, "12345", "123")
