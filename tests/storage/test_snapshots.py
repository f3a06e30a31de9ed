"""Snapshots: whole or not there, not one too many, offered where missed, and gone after an erasure."""

import asyncio
import gzip
import json
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.access.identity import IdentityRules
from astrbot_plugin_ltm.long_term_memory.access.persons import person_named
from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Scope
from astrbot_plugin_ltm.long_term_memory.domain.errors import (
    NotFoundError,
    UnavailableError,
    UnusableStoreError,
)
from astrbot_plugin_ltm.long_term_memory.domain.transfer import Kind
from astrbot_plugin_ltm.long_term_memory.storage import meta
from astrbot_plugin_ltm.long_term_memory.storage.database import Database
from astrbot_plugin_ltm.long_term_memory.storage.snapshots import UNFINISHED, Snapshots, taken_at
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from sqlalchemy import text

from tests.stores import an_event, an_item, keep, migrated, opened

BOB = ScopeRef(scope=Scope.USER, scope_id="telegram:bob")
DAY, HOUR = timedelta(days=1), timedelta(hours=1)


@dataclass
class Kept:
    """A store with its snapshots, at a time that a test moves."""

    database: Database
    folder: Path
    now: datetime = field(default=datetime(2025, 6, 2, 12, tzinfo=UTC))

    def __post_init__(self) -> None:
        self.store = Store(self.database, lambda: self.now)
        self.snapshots = Snapshots(self.database, self.folder, lambda: self.now, plugin_version="1.2.3")

    @property
    def files(self) -> list[str]:
        return sorted(path.name for path in (self.folder / "snapshots").glob("*"))

    async def made(self, fact: str | None = None) -> str:
        if fact is not None:
            await keep(self.store, an_item(fact))
        made = await self.snapshots.make()
        assert made is not None
        return made.name

    async def offer(self) -> str | None:
        return await self.snapshots.offered(await self.snapshots.listed())


@asynccontextmanager
async def a_kept(folder: Path, *, store_id: str = "mine", files: Path | None = None) -> AsyncGenerator[Kept]:
    folder.mkdir(exist_ok=True)  # noqa: ASYNC240 - a test's own folder
    async with opened(migrated(folder / "data_v4.db")) as database:
        async with database.write() as seat:
            await meta.name_store(seat, store_id)
        yield Kept(database, files or folder / "plugin")


@pytest.fixture
async def kept(tmp_path: Path) -> AsyncGenerator[Kept]:
    async with a_kept(tmp_path / "store") as kept:
        yield kept


def content(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
    return found


async def test_a_snapshot_holds_what_the_store_holds_and_its_name_tells_nothing(kept: Kept) -> None:
    name = await kept.made("Alice lives in Beijing")
    assert kept.files == [name]
    assert taken_at(name) == kept.now
    document = content(kept.folder / "snapshots" / name)
    assert [item["fact"] for item in document["items"]] == ["Alice lives in Beijing"]
    (listed,) = await kept.snapshots.listed()
    assert (listed.good, listed.items, listed.store_id, listed.why) == (True, 1, "mine", "")
    assert listed.bytes == (kept.folder / "snapshots" / name).stat().st_size


async def test_an_empty_store_is_not_worth_a_snapshot(kept: Kept) -> None:
    assert await kept.snapshots.make() is None
    assert kept.files == []


async def test_a_file_of_the_former_name_is_a_snapshot_too(kept: Kept) -> None:
    name = await kept.made("one")
    before = name.replace("-", f"-{'a' * 16}-")
    (kept.folder / "snapshots" / name).rename(kept.folder / "snapshots" / before)
    (listed,) = await kept.snapshots.listed()
    assert (listed.name, listed.good) == (before, True)


async def test_a_damaged_file_is_told_and_a_new_one_is_written(kept: Kept) -> None:
    name = await kept.made("one")
    path = kept.folder / "snapshots" / name
    flipped = bytearray(path.read_bytes())
    flipped[len(flipped) // 2] ^= 1
    path.write_bytes(flipped)
    (listed,) = await kept.snapshots.listed()
    assert not listed.good
    assert listed.why
    kept.now += DAY
    assert await kept.made() != name


@pytest.mark.parametrize(
    "rubbish",
    [b"", b"rubbish", b"\x1f\x8brubbish", gzip.compress(b"{}", mtime=0), gzip.compress(b"[", mtime=0)],
)
async def test_what_is_no_snapshot_is_told_and_not_offered(kept: Kept, rubbish: bytes) -> None:
    folder = kept.folder / "snapshots"
    folder.mkdir(parents=True)
    (folder / f"20250601T000000000000Z-{'a' * 16}-{'b' * 16}.json.gz").write_bytes(rubbish)
    (folder / f"20259901T000000000000Z-{'a' * 16}-{'b' * 16}.json.gz").write_bytes(rubbish)
    (folder / "other.json.gz").write_bytes(rubbish)
    (listed,) = await kept.snapshots.listed()
    assert (listed.good, listed.items, listed.store_id) == (False, 0, "")
    assert await kept.offer() is None


async def test_of_a_year_of_days_the_last_week_and_four_weeks_are_kept(kept: Kept) -> None:
    for day in range(60):
        await kept.made(f"fact {day}")
        kept.now += HOUR
        await kept.made(f"another {day}")
        kept.now += DAY - HOUR
    ages = [(kept.now - one.at).days for one in await kept.snapshots.listed()]
    assert ages[:7] == list(range(7))
    assert len(ages) <= 7 + 5
    assert 22 <= ages[-1] <= 35


async def test_onto_a_full_disk_none_is_written_and_the_old_ones_stay(kept: Kept) -> None:
    name = await kept.made("one")
    (kept.folder / "snapshots" / UNFINISHED).symlink_to("/dev/full")
    await keep(kept.store, an_item("two"))
    with pytest.raises(UnavailableError, match="No space left"):
        await kept.snapshots.make()
    assert kept.files == [name]
    kept.now += DAY
    await kept.made("three")
    assert len(kept.files) == 2


async def test_while_read_only_a_snapshot_is_made(kept: Kept) -> None:
    await keep(kept.store, an_item())
    kept.store.read_only = True
    await kept.made()
    assert len(kept.files) == 1


async def test_of_a_store_that_is_found_damaged_none_is_made(kept: Kept) -> None:
    name = await kept.made("Likes tea")
    with closing(sqlite3.connect(kept.folder.parent / "data_v4.db")) as connection, connection:
        connection.execute("DELETE FROM ltm_fts_data")
    with pytest.raises(UnusableStoreError):
        async with kept.database.read() as seat:
            await seat.execute(text("SELECT * FROM ltm_fts WHERE ltm_fts MATCH 'tea'"))
    with pytest.raises(UnusableStoreError):
        await kept.snapshots.make()
    assert kept.files == [name]


async def test_all_are_forgotten_and_what_a_kill_has_left_of_one(kept: Kept) -> None:
    await kept.made("one")
    (kept.folder / "snapshots" / UNFINISHED).write_bytes(b"half")
    assert await kept.snapshots.forget() == 1
    assert kept.files == []
    assert await kept.snapshots.forget() == 0


@pytest.mark.parametrize(
    ("said", "goes"),
    [
        ({}, True),
        ({"umo": "telegram:GroupMessage:kitchen"}, True),
        ({"sender_id": "bob", "owner": BOB}, False),
        ({"sender_id": "alice2", "owner": BOB, "text": "malice"}, False),
        ({"sender_id": "alice2", "owner": ScopeRef(scope=Scope.USER, scope_id="telegram:alice2")}, False),
        ({"sender_id": "bob", "owner": BOB, "text": "\ntelegram:alice, come"}, True),
        ({"sender_id": "bob", "owner": BOB, "text": "我是telegram:alice呀"}, True),
        ({"sender_id": "bob", "owner": BOB, "quoted": "What alice said", "quoted_sender": "alice"}, True),
        ({"sender_id": "bob", "owner": BOB, "quoted": 'Al "ice: tea'}, True),
        ({"sender_id": "bob", "owner": BOB, "quoted": "Alba: tea"}, False),
    ],
)
async def test_only_those_that_mention_a_person_are_forgotten_with_them(
    kept: Kept, said: dict[str, Any], goes: bool
) -> None:
    group = ScopeRef(scope=Scope.GROUP, scope_id="telegram:kitchen")
    spoken: dict[str, Any] = {"umo": group.scope_id, "at_scope": group, **said} if "owner" in said else said
    async with kept.store.transaction() as transaction:
        await transaction.add_events([an_event(**spoken)])
    name = await kept.made()
    alice = person_named("telegram:alice", IdentityRules())
    assert await kept.snapshots.forget(alice, ['Al "ice']) == goes
    assert kept.files == ([] if goes else [name])
    (kept.folder / "snapshots" / name).write_bytes(b"unreadable")
    assert await kept.snapshots.forget(alice) == 1


@pytest.mark.parametrize(("scope_id", "goes"), [("qq:GroupMessage:12:a!.b", True), ("qq:a!.bc", False)])
async def test_a_memory_of_a_sender_whose_id_is_escaped_mentions_them(
    kept: Kept, scope_id: str, goes: bool
) -> None:
    await keep(kept.store, an_item(owner=ScopeRef(scope=Scope.USER, scope_id=scope_id)))
    await kept.made()
    assert await kept.snapshots.forget(person_named("qq:a:b", IdentityRules())) == goes


async def test_what_a_kill_has_left_of_one_is_cleared_away_and_no_other(kept: Kept) -> None:
    name = await kept.made("one")
    half = kept.folder / "snapshots" / UNFINISHED
    half.write_bytes(b"half")
    kept.snapshots.clear()
    assert (half.exists(), kept.files) == (False, [name])
    half.mkdir()
    kept.snapshots.clear()  # it cannot be removed, and that keeps nobody from anything


async def test_one_that_is_being_made_is_forgotten_too(kept: Kept) -> None:
    for number in range(40):
        await keep(kept.store, an_item(f"fact {number}"))
    making = asyncio.ensure_future(kept.snapshots.make())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await kept.snapshots.forget()
    assert kept.files == []
    await making
    assert kept.files == []


async def test_one_that_cannot_be_removed_is_told(kept: Kept) -> None:
    (kept.folder / "snapshots" / UNFINISHED).mkdir(parents=True)
    with pytest.raises(UnavailableError):
        await kept.snapshots.forget()


@pytest.mark.parametrize(
    "name", ["", "nothing", "../data_v4.db", f"20250601T000000000000Z-{'a' * 16}-{'b' * 16}.json.gz"]
)
async def test_a_snapshot_that_is_not_there_is_not_found(kept: Kept, name: str) -> None:
    with pytest.raises(NotFoundError):
        await kept.snapshots.file(name)


async def test_a_store_that_has_all_its_memories_is_offered_nothing(kept: Kept) -> None:
    await kept.made("one")
    assert await kept.offer() is None


async def test_a_new_store_is_offered_the_newest_of_the_one_before_until_it_is_restored(
    tmp_path: Path,
) -> None:
    async with a_kept(tmp_path / "old", store_id="old") as old:
        await old.made("one")
        old.now += DAY
        name = await old.made("two")
    async with a_kept(tmp_path / "new", store_id="new", files=old.folder) as new:
        assert await new.offer() == name
        await keep(new.store, an_item("learnt since"))
        new.now += 30 * DAY
        await new.made("and a snapshot of its own")
        assert await new.offer() == name
        file = await new.snapshots.file(name)
        await new.store.transfers.bring_in(file, import_id="i", kind=Kind.RESTORE, actor="a")
        assert await new.offer() is None


async def test_a_store_that_lost_everything_is_offered_its_own_newest(tmp_path: Path) -> None:
    async with a_kept(tmp_path / "old") as old:
        name = await old.made("one")
    async with a_kept(tmp_path / "new", files=old.folder) as new:
        assert await new.snapshots.make() is None
        assert await new.offer() == name


@pytest.mark.parametrize("filled", [True, False])
async def test_a_month_after_it_came_one_of_another_store_ends(tmp_path: Path, *, filled: bool) -> None:
    async with a_kept(tmp_path / "old", store_id="old") as old:
        name = await old.made("one")
    came = (old.folder / "snapshots" / name).stat().st_mtime
    async with a_kept(tmp_path / "new", store_id="new", files=old.folder) as new:
        if filled:
            await keep(new.store, an_item("mine"))
        for days, there in ((29, True), (31, False)):
            new.now = datetime.fromtimestamp(came, UTC) + days * DAY
            await new.snapshots.make()
            assert (name in new.files) == there
