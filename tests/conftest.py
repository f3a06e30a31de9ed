"""Settings of all property tests, the shared hosts, and which tests are spread over processes together."""

from pathlib import Path

import pytest
from hypothesis import settings

from tests.hosts import cautious_host, host, make_host, model, model_server, newcomer, spare_host
from tests.torture.form import LONG, SEED, SEED_IS_CHOSEN, either

__all__ = ["cautious_host", "host", "make_host", "model", "model_server", "newcomer", "spare_host"]

# How long an example takes depends on what else the machine does; benchmarks measure time. Each short run
# plays the same examples, so that what fails is what was changed; a seed or the long form asks for others.
settings.register_profile(
    "untimed", max_examples=either(40, 200), deadline=None, derandomize=not (LONG or SEED_IS_CHOSEN)
)
settings.load_profile("untimed")

_HERE = Path(__file__).parent
_HOSTS = {"host", "cautious_host", "spare_host", "make_host"}


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Have property tests go by the seed of the run, unless hypothesis is given one of its own."""
    if config.getoption("--hypothesis-seed") is None:
        config.option.hypothesis_seed = str(SEED)


def pytest_report_header() -> str:
    """The seed, also of trials that tell no figure, or fail before they do."""
    return f"LTM_SEED={SEED}, the {'long' if LONG else 'short'} form"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    hosts: dict[Path, set[str]] = {}
    for item in items:
        used = _HOSTS & set(getattr(item, "fixturenames", ()))
        hosts[item.path] = hosts.get(item.path, set()) | used
    for item in items:
        on = hosts[item.path]
        if on:
            item.add_marker(pytest.mark.host)
