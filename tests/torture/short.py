"""What `make torture-short` takes of the parameters of a trial."""

from collections.abc import Sequence
from typing import Any

import pytest


def in_short[T](every: Sequence[T], chosen: Sequence[T]) -> list[Any]:
    """All parameters, of which the chosen ones are marked for `make torture-short`."""
    short = pytest.mark.torture_short
    return [pytest.param(each, marks=short) if each in chosen else each for each in every]
