"""Settings of all property tests, the shared hosts, and which tests are spread over processes together."""

import gc
import re
from collections.abc import Generator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from sqlalchemy import Connection, Engine, event
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests.hosts import cautious_host, host, make_host, model, model_server, newcomer, spare_host
from tests.torture.form import LONG, SEED, SEED_IS_CHOSEN, either

__all__ = ["cautious_host", "host", "make_host", "model", "model_server", "newcomer", "spare_host"]

# How long an example takes depends on what else the machine does; benchmarks measure time. Each short run
# plays the same examples, so that what fails is what was changed; a seed or the long form asks for others.
settings.register_profile(
    "untimed", max_examples=either(40, 200), deadline=None, derandomize=not (LONG or SEED_IS_CHOSEN)
)
settings.load_profile("untimed")


class _Compiled(dict[Any, Any]):
    """Statements compiled once for all databases of a process; SQLAlchemy's keys begin with the dialect."""

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get((type(key[0]), *key[1:]), default)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__((type(key[0]), *key[1:]), value)


_COMPILED = _Compiled()


@event.listens_for(Engine, "engine_connect")
def _compile_once(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction] - SQLAlchemy calls it
    connection.execution_options(compiled_cache=_COMPILED)


_ROOT = Path(__file__).parents[1]
_FIRST = (
    "spare host",
    "host",
    "tests/page",
    "tests/scenarios/test_scenarios.py",
    "tests/policies/test_secrets.py",
    "tests/host/test_edges.py",
    "tests/write/test_worker.py",
    "tests/host/test_demo.py",
)
"""The longest groups of tests that are run together, longest first."""
_HOSTS = {"host", "cautious_host", "spare_host", "make_host"}


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Have property tests go by the seed of the run, unless hypothesis is given one of its own."""
    if config.getoption("--hypothesis-seed") is None:
        config.option.hypothesis_seed = str(SEED)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while tests are collected, which would be a fifth of the work of each process."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_report_header() -> str:
    """The seed, also of trials that tell no figure, or fail before they do."""
    return f"LTM_SEED={SEED}, the {'long' if LONG else 'short'} form"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what runs on a host, and have the longest groups go first."""
    for item in items:
        if _HOSTS & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.host)

    def place(item: pytest.Item) -> int:
        group = _group(item.nodeid.partition("::")[0])
        return _FIRST.index(group) if group in _FIRST else len(_FIRST)

    items.sort(key=place)


class _Together(LoadScopeScheduling):
    """Gives a process whole files, and all of those that share a host or the browser."""

    def _split_scope(self, nodeid: str) -> str:
        return _group(nodeid.partition("::")[0])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    return _Together(config, log)


@cache
def _group(file: str) -> str:
    """What the tests of a file are run together with."""
    text = (_ROOT / file).read_text(encoding="utf-8")
    if "spare_host" in text:
        return "spare host"
    if file.startswith("tests/page/"):
        return "tests/page"
    shared = re.search(r"\bhost: Host\b|\bcautious_host\b", text) and "def host(make_host" not in text
    return "host" if shared and file.startswith("tests/host/") else file
