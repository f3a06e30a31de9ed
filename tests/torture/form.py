"""The form of each trial: `make coverage` runs the short one, `make torture` the long one.

`LTM_TORTURE=1` asks for the long form. `LTM_SEED` picks other chances; it is printed, so that a run can be
played again.
"""

import os
import random
from collections.abc import Sequence
from pathlib import Path

LONG = os.environ.get("LTM_TORTURE") == "1"
SEED = int(os.environ.get("LTM_SEED", "2025"))
SEED_IS_CHOSEN = "LTM_SEED" in os.environ
_FIGURES = Path(__file__).parents[2] / "build" / "torture.txt"


def either[T](short: T, long: T) -> T:
    """What the form of this run asks for."""
    return long if LONG else short


def chances(name: str) -> random.Random:
    """The source of chance of one trial: another one for each name, the same in each run of a seed."""
    return random.Random(f"{SEED} {name}")  # noqa: S311  it need not be hard to guess


def some_of[T](every: Sequence[T], most: int, rng: random.Random) -> Sequence[T]:
    """So many at most, one of each equal part."""
    if len(every) <= most:
        return every
    return [every[int((part + rng.random()) * len(every) / most)] for part in range(most)]


def tell(figure: str, value: object) -> None:
    """Print a figure of this run, and keep those of the long form in `build/torture.txt`."""
    line = f"{figure}: {value} (seed {SEED})"
    print(line)  # noqa: T201  what a long run is for
    if LONG:
        _FIGURES.parent.mkdir(exist_ok=True)
        with _FIGURES.open("a", encoding="utf-8") as figures:
            figures.write(f"{line}\n")
