"""An older plugin leaves a newer store alone and says why; nothing goes back."""

import hashlib
import shutil
from itertools import pairwise
from pathlib import Path

import pytest
from alembic import command
from astrbot_plugin_ltm.long_term_memory.storage import schema

from tests.torture.migrations.releases import MIGRATIONS, RELEASES, Origin, copied, place
from tests.torture.migrations.seen import see
from tests.torture.migrations.strikes import Strike
from tests.torture.migrations.zygote import Zygote


def version(revision: str, folder: Path) -> str:
    """The revisions as the version of the plugin has them whose last one this is."""
    shutil.copytree(MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in (folder / "versions").iterdir():
        if file.name[: len(revision)] > revision:
            file.unlink()
    return str(folder)


def digests(folder: Path) -> dict[str, str]:
    """Of every file there."""
    files = (file for file in folder.iterdir() if file.is_file())
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


@pytest.mark.parametrize(("older", "newer"), [(a, b) for a in RELEASES for b in RELEASES if a < b])
def test_a_store_of_a_newer_version_is_refused_and_keeps_its_bytes(
    process: Zygote, hosted: Path, tmp_path: Path, older: str, newer: str
) -> None:
    begin = place(Origin(revision=newer, filled=True), tmp_path / "begin", hosted)
    (tmp_path / "store").mkdir()
    path = copied(begin.path, tmp_path / "store")
    before = digests(path.parent)
    refused = process.upgrade(path, Strike(revisions=version(older, tmp_path / "older")))
    assert refused.error == (
        f"NewerStoreError: a newer version of the plugin has written the tables (revision {newer})"
    )
    assert digests(path.parent) == before
    assert see(path) == begin.old


def test_each_version_brings_the_store_of_the_one_before_up_to_its_own(
    process: Zygote, hosted: Path, tmp_path: Path
) -> None:
    begin = place(Origin(revision=RELEASES[0], filled=True), tmp_path / "begin", hosted)
    path = begin.copied(tmp_path)
    for older, newer in pairwise(RELEASES):
        assert see(path).revision == older
        assert process.upgrade(path, Strike(revisions=version(newer, tmp_path / newer))).error == ""
    assert see(path) == begin.new


@pytest.mark.parametrize("to", ["base", *RELEASES[:-1]])
def test_a_downgrade_is_refused_with_a_clear_text_and_changes_nothing(
    hosted: Path, tmp_path: Path, to: str
) -> None:
    begin = place(Origin(revision=RELEASES[-1], filled=True), tmp_path / "begin", hosted)
    before = digests(begin.path.parent)
    with (
        pytest.raises(NotImplementedError, match="memories are not thrown away by a downgrade"),
        schema.exclusive(begin.path) as connection,
    ):
        command.downgrade(schema._config(connection), to)  # pyright: ignore[reportPrivateUsage] - as above
    assert digests(begin.path.parent) == before
