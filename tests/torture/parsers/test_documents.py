"""No document, whatever is in it, does more than come in whole or be refused."""

import gzip
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import InvalidInputError
from astrbot_plugin_ltm.long_term_memory.domain.transfer import (
    Contents,
    Differing,
    Duplicates,
    ImportResult,
    Known,
)
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from hypothesis.errors import HypothesisException

from tests.torture.parsers.arriving import BringIn, Desk, real
from tests.torture.parsers.documents import documents, good, valid
from tests.torture.parsers.fuzzing import fuzz

FEW = 150


@pytest.mark.torture
def test_every_document_comes_in_whole_or_is_refused(tmp_path: Path) -> None:
    with Desk(tmp_path) as desk:
        found = fuzz("documents to import", documents, desk.take, few=FEW)
    assert any(outcome.startswith("in: some") for outcome in found.of)
    assert len(found.of) >= 16


def test_good_documents_come_in(tmp_path: Path) -> None:
    with Desk(tmp_path) as desk:
        assert desk.take(good().encode()).startswith("in: some")
        assert desk.take(gzip.compress(valid(200))).startswith("in: some")


def _document(file: Path) -> Any:
    raw = file.read_bytes()
    return json.loads(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)


async def naive(_: Store, file: Path) -> ImportResult:
    """As it is first written: what has the right names is believed."""
    document = _document(file)
    raise InvalidInputError("file", f"{len(document['items'])} memories")


async def halting(_: Store, file: Path) -> ImportResult:
    """Row by row, until one is refused."""
    try:
        document = _document(file)
        with closing(sqlite3.connect(file.parent / "data_v4.db", isolation_level=None)) as connection:
            for row in document["links"] * 2:
                connection.execute(
                    "INSERT INTO ltm_links VALUES (?, ?, ?)",
                    (row["account"], row["joined_to"], row["created_at"]),
                )
    except Exception as error:
        raise InvalidInputError("file", "cannot be read") from error
    return ImportResult(
        import_id="i",
        added=Contents(),
        named=(),
        known=Known(items=0, deleted=0),
        differing=Differing(items=0, named=()),
        gave_way=Duplicates(items=0),
        newcomers=(),
        manifest=document["manifest"],
    )


async def talkative(store: Store, file: Path) -> ImportResult:
    """The real one, but it shows the file it does not understand."""
    try:
        return await real(store, file)
    except InvalidInputError as error:
        raise InvalidInputError("file", f"{error.message}: {file.read_bytes()!r}") from error  # noqa: ASYNC240


async def forgetful(store: Store, file: Path) -> ImportResult:
    """The real one, but it loses a memory after the count."""
    arrived = await real(store, file)
    with closing(sqlite3.connect(file.parent / "data_v4.db", isolation_level=None)) as connection:
        connection.execute("DELETE FROM ltm_items WHERE id = (SELECT min(id) FROM ltm_items)")
    return arrived


@pytest.mark.filterwarnings(
    "ignore:Generating overly large repr"
)  # the example that is told may be a long one
@pytest.mark.parametrize("broken", [naive, halting, talkative, forgetful])
def test_an_importer_that_is_not_careful_is_caught(tmp_path: Path, broken: BringIn) -> None:
    with Desk(tmp_path, broken) as desk, pytest.raises(Exception) as caught:  # noqa: PT011 - whatever goes wrong
        fuzz(f"documents, {broken.__name__}", documents, desk.take, few=FEW)
    assert not isinstance(caught.value, HypothesisException)
