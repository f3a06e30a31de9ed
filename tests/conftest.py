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

_PAGE = Path(__file__).parent / "page"
_FIRST = ("spare host", "host", "host of the page", "page", "host/test_demo")
_HOSTS = {"host", "cautious_host", "spare_host", "make_host"}


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Have property tests go by the seed of the run, unless hypothesis is given one of its own."""
    if config.getoption("--hypothesis-seed") is None:
        config.option.hypothesis_seed = str(SEED)


def pytest_report_header() -> str:
    """The seed, also of trials that tell no figure, or fail before they do."""
    return f"LTM_SEED={SEED}, the {'long' if LONG else 'short'} form"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what runs on a host, and keep together what shares one: the longest of these groups go first."""
    groups = {item: _group(item, _HOSTS & set(getattr(item, "fixturenames", ()))) for item in items}
    for item, group in groups.items():
        item.add_marker(pytest.mark.xdist_group(group))
    items.sort(key=lambda item: _FIRST.index(groups[item]) if groups[item] in _FIRST else len(_FIRST))


def _group(item: pytest.Item, hosts: set[str]) -> str:
    if hosts:
        item.add_marker(pytest.mark.host)
    page = item.path.is_relative_to(_PAGE)
    if "spare_host" in hosts:
        return "spare host"
    if hosts - {"make_host"}:
        return "host of the page" if page else "host"
    return "page" if page else f"{item.path.parent.name}/{item.path.stem}"
