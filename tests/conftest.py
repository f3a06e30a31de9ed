"""Settings of all property tests, and the order of all tests."""

from pathlib import Path

import pytest
from hypothesis import settings

from tests.torture.form import LONG

# How long an example takes depends on what else the machine does; benchmarks measure time. Each short run
# plays the same examples, so that what fails is what was changed; the long form looks for others.
settings.register_profile("untimed", deadline=None, derandomize=not LONG)
settings.load_profile("untimed")

_PAGE = Path(__file__).parent / "page"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # What drives the browser leaves an event loop in the process, which asynchronous tests do not bear.
    items.sort(key=lambda item: item.path.is_relative_to(_PAGE))
