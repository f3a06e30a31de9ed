"""What is kept for a while, and how a code reads."""

import uuid
from datetime import timedelta

from astrbot_plugin_ltm.long_term_memory.manager.confirmation_codes import Expiring, code_of
from astrbot_plugin_ltm.long_term_memory.manager.linking import ALPHABET, LENGTH
from hypothesis import given
from hypothesis import strategies as st

from tests.running import FakeClock

LIFE = timedelta(minutes=10)


@given(st.uuids())
def test_a_code_reads_well(random: uuid.UUID) -> None:
    code = code_of(str(random), ALPHABET, LENGTH)
    assert len(code) == LENGTH
    assert set(code) <= set(ALPHABET)
    assert not set(ALPHABET) & set("0O1IL")


def test_no_two_codes_are_alike() -> None:
    assert len({code_of(str(number), ALPHABET, LENGTH) for number in range(1_000)}) == 1_000


def test_of_too_many_the_first_gives_way() -> None:
    kept = Expiring[int, str](FakeClock(), LIFE, 3)
    for number in range(4):
        kept.put(number, str(number))
    assert [kept.get(number) for number in range(4)] == [None, "1", "2", "3"]


def test_it_ends_in_time_and_what_is_put_anew_lasts_as_long_again() -> None:
    clock = FakeClock()
    kept = Expiring[str, int](clock, LIFE, 3)
    for key in ("old", "anew"):
        kept.put(key, 1)
    clock.move(LIFE - timedelta(seconds=1))
    kept.put("anew", 2)
    assert (kept.get("old"), kept.get("anew")) == (1, 2)
    clock.move(timedelta(seconds=1))
    assert (kept.get("old"), kept.get("anew")) == (None, 2)
    kept.pop("anew")
    kept.pop("anew")
    assert kept.get("anew") is None
