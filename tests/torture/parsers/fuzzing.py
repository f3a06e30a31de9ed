"""Inputs in great number: a few hundred, the same each time, or as many as ten minutes allow."""

import itertools
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic, process_time

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.torture.form import LONG, chances, either, tell

LONG_SECONDS = 600
MAX_SECONDS = 2
"""Of the processor, for one input; measured in the long form alone."""
AT_ONCE = 200
"""Inputs of one round of the long form."""

_SUPPRESSED = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)


@dataclass(frozen=True, kw_only=True)
class Outcomes:
    """What became of the inputs: each distinct outcome, and how often."""

    of: Counter[str]
    slowest: float
    """Seconds of the processor that the slowest input took, with all that was looked at after it."""

    @property
    def inputs(self) -> int:
        """How many there were."""
        return self.of.total()


def fuzz[T](name: str, inputs: st.SearchStrategy[T], trial: Callable[[T], str], *, few: int) -> Outcomes:
    """Try inputs, `few` of them in the short form; the trial says in a word or two what became of each.

    What the trial raises comes through, with the smallest input that hypothesis finds for it.
    """
    of: Counter[str] = Counter()
    slowest = 0.0

    def one(value: T) -> None:
        nonlocal slowest
        began = process_time()
        of[trial(value)] += 1
        slowest = max(slowest, process_time() - began)

    until = monotonic() + either(0, LONG_SECONDS)
    for number in itertools.count():
        _round(name, number, either(few, AT_ONCE), given(inputs)(one))
        if monotonic() >= until:
            break
    found = Outcomes(of=of, slowest=slowest)
    tell(f"{name}, inputs", found.inputs)
    tell(f"{name}, distinct outcomes", len(of))
    tell(f"{name}, processor seconds of the slowest", round(slowest, 3))
    assert not LONG or slowest < MAX_SECONDS
    return found


def _round(name: str, number: int, examples: int, test: Callable[[], None]) -> None:
    rules = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink) if LONG else (Phase.generate,),
        suppress_health_check=_SUPPRESSED,
        print_blob=False,
    )
    with warnings.catch_warnings():
        # What broke something may be long: to say so is no other failure.
        warnings.filterwarnings("ignore", message="Generating overly large repr")
        seed(chances(f"{name} {number}").getrandbits(64))(rules(test))()
