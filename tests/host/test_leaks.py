"""The leak matrix on the real host: a model, a chat and the operator are shown what they may see."""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.host.harness.scripted_model import ScriptedModel
from tests.host.leak_stage import (
    READING,
    SEEN,
    HostStage,
    host_config,
    on_stage,
    play,
    plugin_config,
    tell_everything,
)
from tests.hosts import DIMENSION, HostMaker
from tests.leaks.cast import Variant
from tests.leaks.changing import CHANGED
from tests.leaks.matrix import Tally, changes_enough, run, shows_enough
from tests.torture.form import either, tell

pytestmark = pytest.mark.torture

VARIANTS = (Variant(name="usual"), Variant(name="unique sessions", unique_session=True))
CALLS = either(300, 10_000)
"""Calls of both variants together."""
ENOUGH = 200
OPENED: Mapping[str, Mapping[str, Any]] = {
    "groups are open to each other": {"levels": {"cross_group": True}},
    "every level is read in groups": {"levels": {"group": "RESTRICTED", "chats": []}},
    "a namesake is taken for the same person": {
        "identity": {"cross_platform_aliases": ["plat_b:alice=plat_a:alice"]}
    },
}
"""What an operator could set and this oracle knows nothing of."""


@pytest.fixture(scope="module")
def stage(
    request: pytest.FixtureRequest, make_host: HostMaker, model_server: ScriptedModel
) -> Iterator[HostStage]:
    """A host on which everybody has told what they had to tell."""
    variant: Variant = request.param
    model_server.reset()
    host = make_host(
        plugin_config=plugin_config(variant), dimension=DIMENSION, overrides=host_config(variant)
    )
    with host.running(), on_stage(host, model_server, variant) as stage:
        asyncio.run(tell_everything(stage))
        yield stage


@pytest.mark.parametrize("stage", VARIANTS, indirect=True, ids=lambda variant: variant.name)
def test_no_call_on_the_host_shows_what_somebody_may_not_see(stage: HostStage) -> None:
    tally = asyncio.run(play(stage, CALLS // len(VARIANTS)))
    tell(f"leaks on the host, {stage.cast.variant.name}", tally)
    assert tally.leaks == []
    shows_enough(tally, *SEEN)
    changes_enough(tally, *CHANGED)


@pytest.mark.parametrize("stage", VARIANTS[:1], indirect=True, ids=lambda variant: variant.name)
def test_what_a_wrong_setting_lets_through_is_seen(stage: HostStage) -> None:
    for name, changes in OPENED.items():
        with stage.host.plugin.configured(changes):
            tally = asyncio.run(until_seen(stage))
        tell(f"leaks on the host where {name}", tally)
        assert tally.leaks, name
    assert asyncio.run(run(stage, 20, READING)).leaks == []


async def until_seen(stage: HostStage) -> Tally:
    """Read until something leaks, or for long enough."""
    tally = Tally()
    while not tally.leaks and tally.calls.total() < ENOUGH:
        tally += await run(stage, 5, READING)
    return tally
