"""What operators do with memory as a file, and what an erasure leaves of such files: nothing."""

import gzip
import sqlite3
import zlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.bootstrap import housekeeping
from astrbot_plugin_ltm.long_term_memory.domain.enums import Status
from astrbot_plugin_ltm.long_term_memory.domain.errors import NotFoundError, RefusedError, UnavailableError
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.manager.bulk_review import BulkReview, Decided, Edited
from astrbot_plugin_ltm.long_term_memory.manager.editing import Edit
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.storage.transfers import Transfers

from tests.running import AUTO, World, private, settings, until
from tests.storage.transfer.files import export
from tests.stores import a_store, an_item, keep, migrated, opened

ACTOR = "operator:root"
ALICE, BOB = private("alice"), private("bob")
WORDS = ("quokka", "Xylonbert")


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "host.db")


@pytest.fixture
async def memory(world: World) -> AsyncGenerator[LTMManager]:
    async with world.memory(settings(AUTO)) as manager:
        yield manager


async def tell(memory: LTMManager) -> None:
    await memory.save(ALICE, fact="I keep a quokka named Xylonbert", said="/ltm add ...", message_id="m1")
    await memory.save(BOB, fact="I drink tea", said="/ltm add I drink tea", message_id="m2")


def folder(world: World) -> Path:
    return world.file.with_name("plugin_data")


def found_in(world: World) -> set[str]:
    """Which of the words stand anywhere in the plugin's folder, packed or not, or in the database."""
    files = [*world.file.parent.glob(f"{world.file.name}*"), *folder(world).rglob("*")]
    kept = [file.read_bytes() for file in files if file.is_file()]
    # A snapshot may be half written.
    unpacked = (
        zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(one) for one in kept if one[:2] == b"\x1f\x8b"
    )
    kept += list(unpacked)
    return {word for word in WORDS if any(word.encode() in one for one in kept)}


def snapshots(world: World) -> list[Path]:
    return sorted((folder(world) / "snapshots").glob("*"))


def audited(world: World, action: str) -> list[tuple[Any, ...]]:
    query = "SELECT actor, after, reason FROM ltm_audit WHERE action = ?"
    with closing(sqlite3.connect(world.file)) as connection:
        return connection.execute(query, (action,)).fetchall()


async def test_a_person_who_is_erased_is_in_no_snapshot_and_those_without_them_stay(
    world: World, memory: LTMManager
) -> None:
    await memory.save(BOB, fact="I drink water", said="/ltm add I drink water", message_id="m0")
    await memory.transferring.snapshot(actor=ACTOR)
    (without,) = snapshots(world)
    await tell(memory)
    world.clock.move(timedelta(days=1))
    await memory.transferring.snapshot(actor=ACTOR)
    world.clock.move(timedelta(days=1))
    await memory.save(BOB, fact="I drink milk", said="/ltm add I drink milk", message_id="m3")
    await memory.transferring.snapshot(actor=ACTOR)
    left = (await memory.transferring.export(None)).path
    assert found_in(world) == set(WORDS)
    before = snapshots(world)
    assert len(before) == 3
    erased = await memory.erasing.own(ALICE)
    assert erased.overwritten
    assert found_in(world) == set()
    assert not left.exists()
    await until(lambda: len(snapshots(world)) == 2 and snapshots(world)[1].name.endswith(".gz"))
    kept, new = snapshots(world)
    assert (kept, new in before) == (without, False)
    assert b"I drink tea" in gzip.decompress(new.read_bytes())
    assert found_in(world) == set()


async def test_where_no_snapshot_was_none_is_made_by_an_erasure(world: World, memory: LTMManager) -> None:
    await tell(memory)
    await memory.erasing.of("plat:alice", actor=ACTOR)
    assert snapshots(world) == []


async def test_snapshots_that_a_kill_left_behind_after_an_erasure_go_with_housekeeping(world: World) -> None:
    async with world.memory(settings(AUTO)) as memory:
        await tell(memory)
        await memory.transferring.snapshot(actor=ACTOR)
    with closing(sqlite3.connect(world.file)) as connection, connection:
        connection.execute("INSERT INTO ltm_meta VALUES ('to_scrub', 'mark')")
    async with world.memory(settings(AUTO)) as memory:
        await memory._components.scrubbing.work()  # pyright: ignore[reportPrivateUsage] - as housekeeping does
        assert not snapshots(world)


async def test_what_a_kill_left_in_transit_goes_at_the_next_start(world: World) -> None:
    async with world.memory(settings(AUTO)) as memory:
        left = (await memory.transferring.export(None)).path
    assert left.exists()
    async with world.memory(settings(AUTO)):
        assert not left.exists()


async def test_an_export_during_an_erasure_fails_and_leaves_no_file(
    memory: LTMManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    await tell(memory)
    write, made = Transfers.export, list[Path]()

    async def erased_meanwhile(self: Transfers, target: Path, **how: Any) -> None:
        made.append(target)
        await write(self, target, **how)
        assert (await memory.erasing.own(ALICE)).overwritten
        await write(self, target, **how)

    monkeypatch.setattr(Transfers, "export", erased_meanwhile)
    with pytest.raises(UnavailableError, match="erased meanwhile"):
        await memory.transferring.export(None)
    assert [path.exists() for path in made] == [False]


async def test_an_export_that_the_disk_does_not_take_is_not_tried_again(
    memory: LTMManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = list[Path]()

    async def full(_: Transfers, target: Path, **_how: Any) -> None:
        tried.append(target)
        raise UnavailableError("the file cannot be written: No space left on device")

    monkeypatch.setattr(Transfers, "export", full)
    with pytest.raises(UnavailableError, match="No space left"):
        await memory.transferring.export(None)
    assert len(tried) == 1


async def test_an_uploaded_file_is_gone_afterwards(memory: LTMManager) -> None:
    async with memory.transferring.arriving() as path:
        path.write_bytes(b"x")
    assert not path.exists()


async def test_what_is_restored_is_recalled_at_once(world: World, memory: LTMManager) -> None:
    await tell(memory)
    made = await memory.transferring.snapshot(actor=ACTOR)
    assert made is not None
    other = World(world.file.with_name("other") / "host.db")
    other.file.parent.mkdir()
    async with other.memory(settings(AUTO)) as elsewhere:
        assert (await elsewhere.recall(ALICE, "What is my quokka called?")).block == ""
        target = folder(other) / "snapshots" / made.name
        target.parent.mkdir(parents=True)
        target.write_bytes(snapshots(world)[0].read_bytes())
        assert (await elsewhere.transferring.snapshots()).offer == made.name
        arrived = await elsewhere.transferring.restore(made.name, actor=ACTOR)
        assert arrived.added.items == 2
        assert "Xylonbert" in (await elsewhere.recall(ALICE, "What is my quokka called?")).block
        assert (await elsewhere.transferring.snapshots()).offer is None
        assert audited(other, "restore")[-1][0] == ACTOR
        with pytest.raises(NotFoundError):
            await elsewhere.transferring.restore("nothing", actor=ACTOR)


async def test_an_import_is_undone_and_listed(world: World, memory: LTMManager) -> None:
    await tell(memory)
    file = (await memory.transferring.export(None)).path
    other = World(world.file.with_name("other") / "host.db")
    other.file.parent.mkdir()
    async with other.memory(settings(AUTO)) as elsewhere:
        assert (await elsewhere.transferring.check(file)).added.items == 2
        arrived = await elsewhere.transferring.bring_in(file, actor=ACTOR)
        assert arrived.import_id is not None
        assert (await elsewhere.own_items(ALICE, kind=None, page=1, page_size=9)).total == 1
        assert (await elsewhere.transferring.undo(arrived.import_id, actor=ACTOR)).deleted == 2
        assert (await elsewhere.own_items(ALICE, kind=None, page=1, page_size=9)).total == 0
        assert (await elsewhere.recall(ALICE, "What is my quokka called?")).block == ""
        assert (await elsewhere.transferring.imports(page=1, page_size=9)).total == 1


ATLANTIS = an_item("User lives in Atlantis")
LYON = an_item("User lives in Lyon", status=Status.PENDING, reason="mode", supersedes=(ATLANTIS.memory_id,))
DEPARTURES: list[Callable[[BulkReview], Awaitable[Decided | Edited]]] = [
    lambda review: review.approve([LYON.memory_id], actor=ACTOR),
    lambda review: review.edit([ATLANTIS.memory_id], Edit(status=Status.DISABLED), actor=ACTOR),
    lambda review: review.edit([ATLANTIS.memory_id], Edit(status=Status.DELETED), actor=ACTOR),
    lambda review: review.edit_one(ATLANTIS.memory_id, Edit(fact="User lived in Atlantis"), actor=ACTOR),
]


@asynccontextmanager
async def with_atlantis(world: World) -> AsyncGenerator[tuple[LTMManager, str]]:
    """A memory in which Lyon waits and an import has brought Atlantis, and the id of the import."""
    (world.file.parent / "theirs").mkdir()
    async with a_store(world.file.parent / "theirs") as theirs:
        await keep(theirs, ATLANTIS)
        file = await export(theirs, world.file.parent / "theirs.json")
    async with opened(migrated(world.file)) as database:
        await keep(Store(database, world.clock), LYON)
    async with world.memory(settings()) as memory:
        world.clock.move(timedelta(minutes=1))
        arrived = await memory.transferring.bring_in(file, actor=ACTOR)
        world.clock.move(timedelta(minutes=1))
        assert arrived.import_id
        yield memory, arrived.import_id


async def status(memory: LTMManager, item: Item) -> Status:
    return (await memory.browsing.item(item.memory_id)).item.status


@pytest.mark.parametrize("leave", DEPARTURES)
async def test_no_undo_brings_back_what_came_with_an_import_that_is_undone(
    tmp_path: Path, leave: Callable[[BulkReview], Awaitable[Decided | Edited]]
) -> None:
    async with with_atlantis(World(tmp_path / "host.db")) as (memory, import_id):
        decided = await leave(memory.review)
        before = await status(memory, ATLANTIS), await status(memory, LYON)
        assert (await memory.transferring.undo(import_id, actor=ACTOR)).deleted == 0
        undone = await memory.review.undo(decided.decision_id, actor=ACTOR)
        assert (undone.done, [each.why for each in undone.left]) == ([], ["import_undone"])
        assert (await status(memory, ATLANTIS), await status(memory, LYON)) == before


async def test_what_came_with_an_undone_import_is_not_revived_by_a_rejection_but_may_be_restored(
    tmp_path: Path,
) -> None:
    world = World(tmp_path / "host.db")
    async with with_atlantis(world) as (memory, import_id):
        await memory.review.approve([LYON.memory_id], actor=ACTOR)
        await memory.transferring.undo(import_id, actor=ACTOR)
        await memory.review.reject_one(LYON.memory_id, actor=ACTOR)
        assert await status(memory, ATLANTIS) is Status.SUPERSEDED
        world.clock.move(timedelta(minutes=1))
        await memory.review.edit_one(ATLANTIS.memory_id, Edit(status=Status.ACTIVE), actor=ACTOR)
        off = await memory.review.edit_one(ATLANTIS.memory_id, Edit(status=Status.DISABLED), actor=ACTOR)
        await memory.review.undo(off.decision_id, actor=ACTOR)
        assert await status(memory, ATLANTIS) is Status.ACTIVE


async def test_a_snapshot_is_on_record_but_not_while_read_only(world: World) -> None:
    async with world.memory(settings(AUTO)) as memory:
        assert await memory.transferring.snapshot(actor=ACTOR) is None
        await tell(memory)
        made = await memory.transferring.snapshot(actor=ACTOR)
        assert made is not None
        assert audited(world, "snapshot") == [(ACTOR, made.name, "items=2")]
        snapshots(world)[0].unlink()
    async with world.memory(settings({**AUTO, "emergency_read_only": True})) as memory:
        assert await memory.transferring.snapshot(actor=ACTOR) is not None
        with pytest.raises(RefusedError):
            await memory.transferring.restore(snapshots(world)[0].name, actor=ACTOR)
    assert len(audited(world, "snapshot")) == 1


async def test_housekeeping_makes_one_each_day(world: World, memory: LTMManager) -> None:
    await tell(memory)
    parts = memory._components  # pyright: ignore[reportPrivateUsage] - its steps, without waits
    ports = world._ports()  # pyright: ignore[reportPrivateUsage] - what those are made with
    rounds = housekeeping(parts, ports)
    await rounds.work()
    await rounds.work()
    assert len(snapshots(world)) == 1
    assert [actor for actor, *_ in audited(world, "snapshot")] == ["system"]
