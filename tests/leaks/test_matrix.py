"""Thousands of random calls: nobody is shown what scope, level or audience keeps from them."""

from pathlib import Path

import pytest

from tests.leaks.cast import VARIANTS, Variant
from tests.leaks.changing import CHANGED
from tests.leaks.matrix import Tally, changes_enough, play, shows_enough
from tests.leaks.stage import on_stage
from tests.leaks.telling import tell_everything
from tests.torture.form import SEED, either, tell
from tests.torture.short import in_short

pytestmark = pytest.mark.torture

CALLS = either(6_000, 60_000)
"""Calls of all variants together."""
_EVERY_PATH = (
    *("block", "session search", "list", "search", "why", "why-not", "items", "item", "export", "pending"),
    *("memory_get", "memory_search", "memory_list", "session_search"),
)


@pytest.mark.parametrize("variant", in_short(VARIANTS, VARIANTS[:1]), ids=lambda variant: variant.name)
async def test_no_call_shows_what_somebody_may_not_see(variant: Variant, tmp_path: Path) -> None:
    tally = await played(variant, tmp_path)
    tell(f"leaks, {variant.name}", tally)
    assert tally.leaks == []
    shows_enough(tally, *([path] for path in _EVERY_PATH))
    changes_enough(tally, *CHANGED)


async def played(variant: Variant, folder: Path) -> Tally:
    async with on_stage(variant, folder, SEED) as stage:
        await tell_everything(stage)
        return await play(stage, CALLS // len(VARIANTS))
