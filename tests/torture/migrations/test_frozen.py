"""The script of a revision that was released makes the tables that it was released with."""

from pathlib import Path

import pytest

from tests.torture.migrations.freeze import SCHEMAS, frozen, made
from tests.torture.migrations.releases import RELEASES


@pytest.mark.parametrize("revision", RELEASES)
def test_each_revision_still_makes_the_tables_that_it_was_released_with(
    tmp_path: Path, revision: str
) -> None:
    assert frozen(revision).exists(), "not frozen yet: python -m tests.torture.migrations.freeze"
    assert made(revision, tmp_path) == frozen(revision).read_text("utf-8")


def test_no_revision_that_was_released_is_gone() -> None:
    assert {path.stem for path in SCHEMAS.iterdir()} == set(RELEASES)
