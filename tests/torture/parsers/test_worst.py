"""The worst that may come costs little memory and little time."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from tests.torture.form import LONG, either, tell
from tests.torture.parsers.measuring import Cost, measured
from tests.torture.parsers.worst import ANSWERS, DOCUMENTS

MEGABYTES = 24
"""By which memory may grow: two caches of SQLite's of 8 MB, and a few entries."""
TIMES = 40
"""How many times as much as a valid input of its length one may cost."""


NUMBERS = {"parser": len(ANSWERS), "importer": len(DOCUMENTS)}
"""How many inputs each reader is given."""
REFUSALS = {"", "AnswerError", "InvalidInputError"}
SEEDED = ("unlimited importer", *either((), ("patient parser",)))


@pytest.fixture(scope="module")
def costs() -> Mapping[str, Sequence[Cost]]:
    """Of every reader."""
    return measured(*NUMBERS, *SEEDED)


def faults(costs: Sequence[Cost]) -> list[str]:
    """What is wrong with them: time is measured in the long form alone."""
    too_large = [f"{cost.name}: {cost.megabytes:.0f} MB" for cost in costs if cost.megabytes > MEGABYTES]
    too_long = [f"{cost.name}: {cost.times:.0f} times" for cost in costs if LONG and cost.times > TIMES]
    crashed = [f"{cost.name}: {cost.error}" for cost in costs if cost.error not in REFUSALS]
    return too_large + too_long + crashed


@pytest.mark.torture
@pytest.mark.parametrize(("reader", "number"), NUMBERS.items())
def test_the_worst_costs_little(costs: Mapping[str, Sequence[Cost]], reader: str, number: int) -> None:
    of = costs[reader]
    assert len(of) == number
    assert faults(of) == []
    tell(f"the worst for the {reader}, inputs", number)
    tell(f"the worst for the {reader}, most megabytes", round(max(cost.megabytes for cost in of), 1))
    tell(f"the worst for the {reader}, most processor seconds", round(max(cost.seconds for cost in of), 2))
    most = max(of, key=lambda cost: cost.times)
    tell(f"the worst for the {reader}, most times a valid one", f"{most.times:.1f}, {most.name}")


@pytest.mark.torture
@pytest.mark.parametrize("reader", SEEDED)
def test_a_reader_without_a_limit_is_caught(costs: Mapping[str, Sequence[Cost]], reader: str) -> None:
    assert faults([replace(cost, error="") for cost in costs[reader]])
