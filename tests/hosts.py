"""Fixtures for tests on a real, running AstrBot: a few hosts that all tests of a process share."""

import itertools
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from typing import Any

import pytest

from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.settings import OFFLINE, HostSettings, merged

# A host that many tests share has more to learn in an hour, and to ask in a day, than one bot may.
_PLENTY: Mapping[str, Any] = {
    "write_policy": {"max_writes_per_hour": 100_000},
    "extraction": {"daily_token_cap": 1_000_000_000},
}

# Every turn is extracted at once and what passes the gate is active; a busy machine may embed slowly.
EAGER: Mapping[str, Any] = merged(
    _PLENTY,
    {
        "enable": True,
        "write_policy": {"mode": "auto"},
        "extraction": {"batch_turns": 1, "idle_seconds": 1},
        "recall_deadline_ms": 10_000,
    },
)
DIMENSION = 64

type HostMaker = Callable[..., Host]


@pytest.fixture(scope="session")
def model_server() -> Iterator[ScriptedModel]:
    """The model behind every host of the run; a test takes `model` instead."""
    with ScriptedModel() as server:
        yield server


@pytest.fixture
def model(model_server: ScriptedModel) -> ScriptedModel:
    """The scripted model, with nothing asked and nothing scripted yet."""
    model_server.reset()
    return model_server


@pytest.fixture(scope="session")
def host(model_server: ScriptedModel, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A running host with the plugin on, shared by the whole run: a test takes newcomers to talk to it."""
    shared = Host(
        tmp_path_factory.mktemp("shared"),
        _settings(model_server, dimension=DIMENSION),
        plugin_config=EAGER,
    )
    with shared.running():
        yield shared


@pytest.fixture(scope="session")
def cautious_host(model_server: ScriptedModel, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A running host with the plugin's own defaults (shadow) and no embedding model, shared as `host` is.

    No chat is ever quiet for long enough to have the model asked about it.
    """
    shared = Host(
        tmp_path_factory.mktemp("cautious"),
        _settings(model_server, dimension=None),
        plugin_config=merged(_PLENTY, {"extraction": {"idle_seconds": 86_400}}),
    )
    with shared.running():
        yield shared


@pytest.fixture(scope="session")
def spare_host(model_server: ScriptedModel, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A running host with the plugin on and no embedding model, for tests that empty, stop or replace it.

    Each leaves it running with the settings it found; nothing in its store is there to stay.
    """
    spare = Host(
        tmp_path_factory.mktemp("spare"), _settings(model_server, dimension=None), plugin_config=EAGER
    )
    with spare.running():
        yield spare


@pytest.fixture(scope="module")
def make_host(model_server: ScriptedModel, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HostMaker]:
    """Make hosts that are not started yet; those still running at the end of the module are stopped.

    Without `plugin_config` the plugin is not there; without `dimension` there is no embedding model.
    """
    with ExitStack() as stack:

        def make(
            *,
            plugin_config: Mapping[str, Any] | None = None,
            dimension: int | None = None,
            overrides: Mapping[str, Any] | None = None,
        ) -> Host:
            settings = _settings(model_server, dimension=dimension, overrides=overrides)
            made = Host(tmp_path_factory.mktemp("host"), settings, plugin_config=plugin_config)
            stack.callback(made.stop)
            return made

        yield make


_numbers = itertools.count(1)


@pytest.fixture
def newcomer() -> Callable[[str], Person]:
    """Make a person of some name whom no other test has met."""
    return lambda name: Person(f"{name.lower()}{next(_numbers)}", name)


def _settings(
    server: ScriptedModel, *, dimension: int | None, overrides: Mapping[str, Any] | None = None
) -> HostSettings:
    return HostSettings(
        chat=server.endpoint,
        embedding=server.endpoint if dimension else None,
        embedding_dimension=dimension or 0,
        platforms=("plat_a", "plat_b"),
        overrides=merged(OFFLINE, overrides or {}),
    )
