"""Export, an empty store, import: the same memories, evidence and history; and never a half."""

import asyncio
import gzip
import json
import random
from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import (
    Audience,
    Extraction,
    Level,
    MemoryType,
    Origin,
    Role,
    Scope,
    Status,
)
from astrbot_plugin_ltm.long_term_memory.domain.errors import InvalidInputError
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Item
from astrbot_plugin_ltm.long_term_memory.domain.transfer import Contents, Kind, Known
from astrbot_plugin_ltm.long_term_memory.storage import meta
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.storage.transfer.files import bring_in, dump, export, read, rows
from tests.stores import (
    ALICE,
    BOB,
    GROUP_CHAT,
    NOW,
    a_store,
    an_event,
    an_evidence,
    an_item,
    evidence_of,
    keep,
)

TEXT = st.text(min_size=1, max_size=30).filter(
    lambda text: bool(text.strip("\t\n\r \0")) and "\0" not in text
)
SHARE = st.floats(0, 1, allow_nan=False)
AT = st.timedeltas(min_value=timedelta(days=-3000), max_value=timedelta(days=3000)).map(
    lambda span: NOW + span
)
MAYBE_AT = st.none() | AT


async def fill(store: Store) -> None:
    """A life with everything in it: two languages, a change of mind, something forgotten, a pause, a link."""
    old = an_item("Alice lives in Oslo", slot="home_city")
    new = an_item(
        "Alice lives in Beijing",
        slot="home_city",
        supersedes=(old.memory_id,),
        evidence_count=2,
        tags=("home", "北京"),
    )
    events = [
        an_event("I live in Oslo", extraction=Extraction.DONE),
        an_event(
            "我住在北京",
            umo=GROUP_CHAT,
            extraction=Extraction.DONE,
            quoted="Bob: 你住在哪里",
            quoted_sender="bob",
        ),
        an_event("What a day", extraction=Extraction.FAILED, attempts=10, last_error="timeout"),
        an_event("/ltm add I keep a cat", extraction=Extraction.SKIPPED),
        an_event("sunny", role=Role.TOOL, tool="weather", urgent=True),
    ]
    forgotten = an_item("Alice keeps a cat", status=Status.DELETED, reason="forgotten", deleted_at=NOW)
    async with store.transaction() as tx:
        await tx.add_events(events)
        await tx.insert_item(old, [an_evidence(old, events[0])])
        await tx.insert_item(
            new, [an_evidence(new, events[0]), an_evidence(new, events[1], extraction_meta={})]
        )
        await tx.insert_item(
            forgotten, [an_evidence(forgotten, events[3], extraction_method=Origin.USER_EXPLICIT)]
        )
        await tx.update_item(replace(old, status=Status.SUPERSEDED, superseded_by=new.memory_id))
        await tx.pause(BOB, actor="qq:bob")
        await tx.put_links({"qq:ally": "telegram:alice"})
    await keep(store, an_item("Bob drinks tea", owner=BOB, level=Level.CONFIDENTIAL, access_count=7))


async def emptied(folder: Path, name: str = "other") -> Any:
    """A folder for another store."""
    (folder / name).mkdir()
    return folder / name


async def test_what_comes_back_is_what_went(tmp_path: Path) -> None:
    async with a_store(tmp_path) as store:
        await fill(store)
        file = await export(store, tmp_path / "all.json")
        [older] = (await store.older([await newest(store)])).values()
        history = [item.fact for item in older]
        quotes = [one.quote for one in await evidence_of(store, await newest(store))]
    async with a_store(await emptied(tmp_path)) as other:
        arrived = await bring_in(other, file)
        [older] = (await other.older([await newest(other)])).values()
        assert [item.fact for item in older] == history == ["Alice lives in Oslo"]
        assert [one.quote for one in await evidence_of(other, await newest(other))] == quotes
        again = await export(other, tmp_path / "again.json")
    assert arrived.added == Contents(items=4, evidence=5, events=6)
    assert (arrived.known.items, arrived.gave_way.items) == (0, 0)
    before, after = rows(tmp_path / "data_v4.db"), rows(tmp_path / "other" / "data_v4.db")
    before["ltm_events"] = [left_alone(event) for event in before["ltm_events"]]
    assert after == before
    one, two = read(file), read(again)
    assert [one[part] for part in ("items", "evidence", "paused")] == [
        two[part] for part in ("items", "evidence", "paused")
    ]


def left_alone(event: dict[str, Any]) -> dict[str, Any]:
    """A message that another store has to read is not read here as well."""
    waits = event["extraction"] == "pending"
    return event | ({"extraction": "skipped", "last_error": "imported"} if waits else {})


async def newest(store: Store) -> str:
    async with store.transaction() as tx:
        found = await tx.find_item(ALICE, Level.INTERNAL, "alice lives in beijing", "")
    assert found is not None
    return found.memory_id


async def test_what_is_imported_is_found_by_its_words_and_by_its_quotes(tmp_path: Path) -> None:
    async with a_store(tmp_path) as store:
        item, event = an_item("Alice lives in Beijing"), an_event("at home")
        await keep(store, item, said="the city with the forbidden palace")
        async with store.transaction() as tx:
            await tx.add_events([event])
            await tx.update_item(item, [an_evidence(item, event, extraction_meta={"tags": "address"})])
        file = await export(store, tmp_path / "all.json")
    async with a_store(await emptied(tmp_path)) as other:
        await bring_in(other, file)
        indexed = dump(tmp_path / "other" / "data_v4.db")["ltm_fts_content"]
    assert indexed == dump(tmp_path / "data_v4.db")["ltm_fts_content"]
    assert all(word in str(indexed) for word in ("palac", "address"))


async def test_a_second_import_adds_nothing(tmp_path: Path) -> None:
    async with a_store(tmp_path) as store:
        await fill(store)
        file = await export(store, tmp_path / "all.json")
        before = rows(tmp_path / "data_v4.db")
        arrived = await bring_in(store, file)
        assert (arrived.added, arrived.known) == (Contents(), Known(items=4, deleted=1))
    assert rows(tmp_path / "data_v4.db") == before


async def test_a_snapshot_brings_links_and_messages_that_wait_and_an_import_does_not(tmp_path: Path) -> None:
    async with a_store(tmp_path) as store:
        await fill(store)
        await keep(store, an_item("waits"))
        file = await export(store, tmp_path / "all.json")
    for kind, links, waiting in ((Kind.RESTORE, {"qq:ally": "telegram:alice"}, 3), (Kind.IMPORT, {}, 0)):
        async with a_store(await emptied(tmp_path, kind)) as other:
            await bring_in(other, file, kind=kind)
            assert await other.links() == links
            assert await other.paused(BOB)
            counts = await other.events.counts()
            assert counts.events[Extraction.PENDING] == waiting


async def resumed(store: Store) -> None:
    """Bob lets memory go on, and Ally parts from Alice."""
    async with store.transaction() as tx:
        await tx.resume(BOB)
        await tx.put_links({})


async def named(store: Store, name: str) -> None:
    async with store._database.write() as seat:  # pyright: ignore[reportPrivateUsage] - as a start does it
        await meta.name_store(seat, name)


@pytest.mark.parametrize("kind", Kind)
async def test_a_file_of_the_store_itself_pauses_and_joins_nobody_again(tmp_path: Path, kind: Kind) -> None:
    async with a_store(tmp_path) as store:
        await named(store, "this")
        await fill(store)
        file = await export(store, tmp_path / "all.json")
        await resumed(store)
        await bring_in(store, file, kind=kind)
        assert await store.links() == {}
        assert not await store.paused(BOB)


async def test_who_parted_after_a_snapshot_of_another_store_is_not_joined_by_the_next(tmp_path: Path) -> None:
    async with a_store(tmp_path) as store:
        await named(store, "that")
        await fill(store)
        file = await export(store, tmp_path / "all.json")
    async with a_store(await emptied(tmp_path)) as other:
        await bring_in(other, file, kind=Kind.IMPORT)
        await bring_in(other, file, "import-2", kind=Kind.RESTORE)
        assert await other.links() == {"qq:ally": "telegram:alice"}
        await resumed(other)
        await bring_in(other, file, "import-3", kind=Kind.RESTORE)
        assert await other.links() == {}
        assert await other.paused(BOB)


async def test_one_scope_is_exported_by_itself(tmp_path: Path) -> None:
    elsewhere = an_item("Bob moved", owner=BOB)
    async with a_store(tmp_path) as store:
        await fill(store)
        await keep(store, elsewhere)
        left = an_item("Alice left", status=Status.SUPERSEDED, superseded_by=elsewhere.memory_id)
        await keep(store, left)
        document = read(await export(store, tmp_path / "bob.json", BOB))
        hers = read(await export(store, tmp_path / "alice.json", ALICE))
    assert {item["scope_id"] for item in document["items"]} == {"qq:bob"}
    assert len(document["evidence"]) == len(document["events"]) == 2
    assert [row["scope_id"] for row in document["paused"]] == ["qq:bob"]
    assert document["manifest"]["scope"] == {"scope": "user", "scope_id": "qq:bob"}
    assert document["links"] == []
    assert [row["account"] for row in hers["links"]] == ["qq:ally"]
    assert {item["superseded_by"] for item in hers["items"] if item["fact"] == "Alice left"} == {None}
    async with a_store(await emptied(tmp_path)) as other:
        assert (await bring_in(other, tmp_path / "alice.json")).added.items == 4


async def test_a_packed_file_is_the_same_file(tmp_path: Path) -> None:
    async with a_store(tmp_path) as store:
        await fill(store)
        file = await export(store, tmp_path / "all.json")
    packed = tmp_path / "all.json.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    async with a_store(await emptied(tmp_path)) as other:
        assert (await bring_in(other, packed)).added.items == 4


async def test_a_check_says_what_an_import_would_do_and_writes_nothing(tmp_path: Path) -> None:
    async with a_store(tmp_path) as store:
        await fill(store)
        file = await export(store, tmp_path / "all.json")
    async with a_store(await emptied(tmp_path)) as other:
        before = dump(tmp_path / "other" / "data_v4.db")
        checked = await other.transfers.check(file)
        assert dump(tmp_path / "other" / "data_v4.db") == before
        arrived = await bring_in(other, file)
    assert replace(arrived, import_id=None) == checked
    assert checked.manifest.plugin_version == "1.2.3"


@st.composite
def items(draw: Callable[[st.SearchStrategy[Any]], Any]) -> tuple[Item, list[Event]]:
    owner = draw(
        st.sampled_from(
            [
                ALICE,
                BOB,
                ScopeRef(scope=Scope.GROUP, scope_id="g"),
                ScopeRef(scope=Scope.GLOBAL, scope_id="global"),
            ]
        )
    )
    said = [
        an_event(
            draw(TEXT),
            owner=owner,
            quoted=draw(st.just("") | TEXT),
            extraction=draw(st.sampled_from([Extraction.DONE, Extraction.FAILED, Extraction.SKIPPED])),
            level=draw(st.sampled_from(Level)),
            created_at=draw(AT),
        )
        for _ in range(draw(st.integers(1, 3)))
    ]
    item = an_item(
        draw(TEXT),
        owner=owner,
        type=draw(st.sampled_from(MemoryType)),
        confidence=draw(SHARE),
        importance=draw(SHARE),
        emotion=draw(SHARE),
        evidence_count=len(said),
        ttl_days=draw(st.none() | st.integers(0, 9999)),
        status=draw(st.sampled_from(sorted(set(Status) - {Status.SUPERSEDED}))),
        reason=draw(st.just("") | TEXT),
        level=draw(st.sampled_from(Level)),
        audience=draw(st.sampled_from(Audience)),
        origin=draw(st.sampled_from(Origin)),
        person=draw(st.just("") | TEXT),
        backstory=draw(st.just("") | TEXT),
        tags=tuple(draw(st.lists(TEXT, max_size=2))),
        access_count=draw(st.integers(0, 10**6)),
        created_at=draw(AT),
        updated_at=draw(AT),
        last_accessed_at=draw(MAYBE_AT),
        expires_at=draw(MAYBE_AT),
        deleted_at=draw(MAYBE_AT),
    )
    # Whatever the draws come to, two live ones never say the same.
    return replace(item, fact_key=item.memory_id), said


def run(work: Callable[[Path], Coroutine[Any, Any, None]]) -> None:
    with TemporaryDirectory() as folder:
        asyncio.run(work(Path(folder)))


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(items(), max_size=5))
def test_whatever_a_store_holds_comes_back_the_same(kept: list[tuple[Item, list[Event]]]) -> None:
    async def go_and_come(folder: Path) -> None:
        async with a_store(folder) as store:
            async with store.transaction() as tx:
                before = None
                for item, said in kept:
                    await tx.add_events(said)
                    await tx.insert_item(item, [an_evidence(item, event) for event in said])
                    if before is not None:
                        gone = replace(before, status=Status.SUPERSEDED, superseded_by=item.memory_id)
                        await tx.update_item(gone)
                    before = item
            file = await export(store, folder / "all.json")
        (folder / "other").mkdir()
        async with a_store(folder / "other") as other:
            arrived = await bring_in(other, file)
            assert arrived.added.items == len(kept)
        assert rows(folder / "other" / "data_v4.db") == rows(folder / "data_v4.db")

    run(go_and_come)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("exported")

    async def make() -> bytes:
        async with a_store(folder) as store:
            await fill(store)
            return (await export(store, folder / "all.json")).read_bytes()

    return asyncio.run(make())


@pytest.mark.parametrize("seed", range(60))
async def test_a_flipped_byte_is_refused_and_nothing_changes(
    exported: bytes, store: Store, tmp_path: Path, seed: int
) -> None:
    dice = random.Random(seed)  # noqa: S311 - no secret
    at = dice.randrange(len(exported))
    flipped = bytearray(exported)
    flipped[at] ^= 1 << dice.randrange(8)
    file = tmp_path / "flipped.json"
    file.write_bytes(flipped)
    if same(bytes(flipped), exported):
        return
    before = dump(tmp_path / "data_v4.db")
    with pytest.raises(InvalidInputError) as refused:
        await bring_in(store, file)
    assert refused.value.field == "file"
    assert dump(tmp_path / "data_v4.db") == before


def same(one: bytes, other: bytes) -> bool:
    """Whether both mean the same: a line end may have become another white space."""
    try:
        return json.loads(one) == json.loads(other)
    except ValueError:
        return False


@pytest.mark.parametrize("seed", range(12))
async def test_a_file_that_ends_early_is_refused_and_nothing_changes(
    exported: bytes, store: Store, tmp_path: Path, seed: int
) -> None:
    file = tmp_path / "short.json"
    end = random.Random(seed).randrange(len(exported) - 3)  # noqa: S311 - all but the end of the last list
    file.write_bytes(exported[:end])
    before = dump(tmp_path / "data_v4.db")
    with pytest.raises(InvalidInputError):
        await bring_in(store, file)
    assert dump(tmp_path / "data_v4.db") == before
