"""Settings of all property tests, and the order of all tests."""

from pathlib import Path

import pytest
from hypothesis import settings

from tests.torture.form import LONG, SEED, SEED_IS_CHOSEN, either

# How long an example takes depends on what else the machine does; benchmarks measure time. Each short run
# plays the same examples, so that what fails is what was changed; a seed or the long form asks for others.
settings.register_profile(
    "untimed", max_examples=either(40, 200), deadline=None, derandomize=not (LONG or SEED_IS_CHOSEN)
)
settings.load_profile("untimed")

_PAGE = Path(__file__).parent / "page"


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Have property tests go by the seed of the run, unless hypothesis is given one of its own."""
    if config.getoption("--hypothesis-seed") is None:
        config.option.hypothesis_seed = str(SEED)


def pytest_report_header() -> str:
    """The seed, also of trials that tell no figure, or fail before they do."""
    return f"LTM_SEED={SEED}, the {'long' if LONG else 'short'} form"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # What drives the browser leaves an event loop in the process, which asynchronous tests do not bear.
    items.sort(key=lambda item: item.path.is_relative_to(_PAGE))
