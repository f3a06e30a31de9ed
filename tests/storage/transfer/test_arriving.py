"""What an import makes of what the store knows already, and how it is taken back."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction, Status
from astrbot_plugin_ltm.long_term_memory.domain.errors import NotFoundError, RefusedError
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.transfer import (
    Contents,
    Differing,
    Kind,
    Known,
    NamedItem,
    Undone,
)
from astrbot_plugin_ltm.long_term_memory.domain.writing import AuditEntry
from astrbot_plugin_ltm.long_term_memory.policies.succession import REPLACEMENT_UNDONE
from astrbot_plugin_ltm.long_term_memory.storage.changes import EVERYTHING, RowChange
from astrbot_plugin_ltm.long_term_memory.storage.long_work import StopSignal
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.storage.transfer.importer import Importer, ImportRequest
from astrbot_plugin_ltm.long_term_memory.storage.transfer.statements import MAX_NAMED

from tests.storage.transfer.files import bring_in, dump, export, rows
from tests.stores import BOB, NOW, a_store, an_event, an_evidence, an_item, evidence_of, keep

ACTOR = "operator:root"


async def exported(folder: Path, *items: Item) -> Path:
    """A file from another store that holds these."""
    (folder / "theirs").mkdir()
    async with a_store(folder / "theirs") as theirs:
        await keep(theirs, *items)
        return await export(theirs, folder / "theirs.json")


async def got(store: Store, item: Item) -> Item:
    found = await store.item(item.memory_id)
    assert found is not None
    return found


def audited(folder: Path, action: str) -> list[tuple[Any, ...]]:
    query = "SELECT actor, memory_id, before, after, reason FROM ltm_audit WHERE action = ? ORDER BY id"
    with closing(sqlite3.connect(folder / "data_v4.db")) as connection:
        return connection.execute(query, (action,)).fetchall()


async def test_a_newcomer_has_the_name_of_a_message_that_is_known(store: Store, tmp_path: Path) -> None:
    item = an_item("Bob lives in Beijing", owner=BOB)
    event = an_event("I live in Beijing", owner=BOB, at_scope=BOB, sender_name="Bob")
    (tmp_path / "theirs").mkdir()
    async with a_store(tmp_path / "theirs") as theirs:
        async with theirs.transaction() as transaction:
            await transaction.add_events([event])
            await transaction.insert_item(item, [an_evidence(item, event)])
        file = await export(theirs, tmp_path / "theirs.json")
    async with store.transaction() as transaction:
        await transaction.add_events([event])
    assert (await bring_in(store, file)).newcomers == [f"Bob ({BOB.scope_id})"]


async def test_what_the_store_has_stays_as_it_is_there(store: Store, tmp_path: Path) -> None:
    item, gone = an_item("Alice lives in Beijing"), an_item("Alice keeps a cat")
    file = await exported(tmp_path, replace(item, importance=0.1), gone)
    await keep(store, item, replace(gone, status=Status.DELETED, deleted_at=NOW))
    arrived = await bring_in(store, file)
    assert (arrived.added.items, arrived.known) == (0, Known(items=2, deleted=1))
    assert (await got(store, item)).importance == item.importance
    assert (await got(store, gone)).status is Status.DELETED
    assert len(await evidence_of(store, item.memory_id)) == 1


async def test_what_has_another_text_here_stays_and_is_named(store: Store, tmp_path: Path) -> None:
    item, gone = an_item("Alice lives in Beijing"), an_item("Alice keeps a cat")
    new = [an_item(f"Alice has read {number} books") for number in range(MAX_NAMED + 1)]
    file = await exported(tmp_path, item, gone, replace(new[0], status=Status.SHADOW), *new[1:])
    here = replace(item, fact="Alice lives in Oslo")
    forgotten = replace(gone, fact="Alice keeps a dog", status=Status.DELETED, deleted_at=NOW)
    await keep(store, here, forgotten)
    would = await store.transfers.check(file)
    named = NamedItem(memory_id=item.memory_id, owner=item.owner, person="", fact=here.fact)
    assert would.differing == Differing(items=1, named=[named])
    assert [each.fact for each in would.named] == [each.fact for each in new[1:]]
    arrived = await bring_in(store, file)
    assert (arrived.differing, arrived.named) == (would.differing, would.named)
    assert (await got(store, item)).fact == here.fact


async def test_what_lives_under_another_id_is_given_way_to(store: Store, tmp_path: Path) -> None:
    mine, theirs = an_item("Alice lives in Beijing"), an_item("Alice lives in Beijing")
    file = await exported(tmp_path, theirs)
    await keep(store, mine)
    arrived = await bring_in(store, file)
    assert (arrived.added.items, arrived.gave_way.items) == (1, 1)
    came = await got(store, theirs)
    assert (came.status, came.superseded_by, came.reason) == (Status.SUPERSEDED, mine.memory_id, "gave_way")
    assert (await got(store, mine)).status is Status.ACTIVE
    [replaced] = (await store.older([mine.memory_id])).values()
    assert [item.memory_id for item in replaced] == [theirs.memory_id]


async def test_what_waits_in_the_file_gives_way_to_what_waits_here(store: Store, tmp_path: Path) -> None:
    mine = an_item("Alice lives in Beijing", status=Status.SHADOW)
    file = await exported(tmp_path, an_item("Alice lives in Beijing", status=Status.SHADOW))
    await keep(store, mine)
    assert (await bring_in(store, file)).gave_way.items == 1
    assert (await got(store, mine)).status is Status.SHADOW


@pytest.mark.parametrize("waits", [Status.PENDING, Status.SHADOW])
async def test_what_waits_here_makes_way_for_what_the_file_has_in_use(
    store: Store, tmp_path: Path, waits: Status
) -> None:
    mine, theirs = an_item("Alice lives in Beijing", status=waits), an_item("Alice lives in Beijing")
    file = await exported(tmp_path, theirs)
    await keep(store, mine)
    assert (await store.transfers.check(file)).gave_way.items == 0
    assert (await bring_in(store, file)).gave_way.items == 0
    assert (await got(store, theirs)).status is Status.ACTIVE
    left = await got(store, mine)
    assert (left.status, left.superseded_by) == (Status.SUPERSEDED, theirs.memory_id)
    assert audited(tmp_path, "supersede") == [(ACTOR, mine.memory_id, waits, "superseded", "import-1")]
    await store.transfers.undo("import-1", actor=ACTOR)
    back = await got(store, mine)
    assert (back.status, back.superseded_by, back.reason) == (Status.PENDING, None, REPLACEMENT_UNDONE)
    revived = (ACTOR, mine.memory_id, "superseded", "pending", REPLACEMENT_UNDONE)
    assert audited(tmp_path, "revive") == [revived]


@pytest.mark.parametrize("forgets", [False, True])
async def test_what_is_learnt_or_forgotten_after_the_check_is_seen_by_the_merge(
    store: Store, tmp_path: Path, *, forgets: bool
) -> None:
    mine, theirs, other = an_item("Alice naps"), an_item("Alice naps"), an_item("Alice sings")
    file = await exported(tmp_path, theirs, other)
    order = ImportRequest(import_id="i", kind=Kind.IMPORT, actor="a", at=NOW, name="")
    if forgets:
        await keep(store, mine)
    with closing(Importer(tmp_path / "data_v4.db", StopSignal())) as importer:
        assert importer.check(file, keep_waiting=False).gave_way.items == forgets
        if forgets:
            async with store.transaction() as tx:
                await tx.update_item(replace(mine, status=Status.DELETED, deleted_at=NOW))
        else:
            await keep(store, mine)
        assert importer.merge(order, see=lambda: None).gave_way.items == (not forgets)
    assert (await got(store, theirs)).status is (Status.ACTIVE if forgets else Status.SUPERSEDED)
    assert (await got(store, other)).status is Status.ACTIVE


async def test_what_does_not_live_in_the_file_gives_way_to_nobody(store: Store, tmp_path: Path) -> None:
    theirs = an_item("Alice lives in Beijing", status=Status.EXPIRED, reason="ttl")
    file = await exported(tmp_path, theirs)
    await keep(store, an_item("Alice lives in Beijing"))
    assert (await bring_in(store, file)).gave_way.items == 0
    assert (await got(store, theirs)).status is Status.EXPIRED


async def test_what_gave_way_in_the_other_store_is_not_counted_as_giving_way_here(
    store: Store, tmp_path: Path
) -> None:
    stays = an_item("Alice lives in Beijing")
    gone = an_item("Alice lives in Beijing", status=Status.SUPERSEDED, superseded_by=stays.memory_id)
    arrived = await bring_in(store, await exported(tmp_path, stays, replace(gone, reason="gave_way")))
    assert (arrived.added.items, arrived.gave_way.items) == (2, 0)


async def test_a_message_that_another_store_has_to_read_is_talk_only(store: Store, tmp_path: Path) -> None:
    await bring_in(store, await exported(tmp_path, an_item()))
    counts = await store.events.counts()
    assert (counts.events[Extraction.SKIPPED], counts.passed_over) == (1, 1)


async def test_an_import_is_on_record_with_its_actor_and_of_each_memory(store: Store, tmp_path: Path) -> None:
    item = an_item()
    arrived = await bring_in(store, await exported(tmp_path, item))
    whole, one = sorted(audited(tmp_path, "import"), key=lambda row: row[1])
    assert whole == (ACTOR, "", "", "import-1", "items=1 evidence=1 events=1 known=0 gave_way=0")
    assert one == (ACTOR, item.memory_id, "", "active", "import-1")
    (imported,) = (await store.transfers.imports(page=1, page_size=10)).rows
    assert (imported.import_id, imported.actor, imported.items) == ("import-1", ACTOR, 1)
    assert (imported.at, imported.sha256, imported.undone_at) == (NOW, arrived.manifest.sha256, None)


async def test_the_imports_are_listed_in_pages(store: Store, tmp_path: Path) -> None:
    file = await exported(tmp_path, an_item())
    for number in range(3):
        await bring_in(store, file, f"import-{number}")
    page = await store.transfers.imports(page=2, page_size=2)
    assert (len(page.rows), page.total, page.page, page.page_size) == (1, 3, 2, 2)


async def test_whoever_keeps_a_copy_hears_of_an_import(store: Store, tmp_path: Path) -> None:
    heard = list[RowChange]()
    store._database.change_feed.listen(heard.extend)  # pyright: ignore[reportPrivateUsage] - whom it tells
    await bring_in(store, await exported(tmp_path, an_item()))
    assert [change.table for change in heard] == [EVERYTHING]


async def test_an_undone_import_is_removed_and_leaves_the_rest(store: Store, tmp_path: Path) -> None:
    mine, theirs = an_item("Alice lives in Beijing"), an_item("Alice likes tea")
    await keep(store, mine)
    await bring_in(store, await exported(tmp_path, theirs))
    undone = await store.transfers.undo("import-1", actor=ACTOR)
    assert undone == Undone(deleted=1, kept=0)
    assert await store.item(theirs.memory_id) is None
    assert (await got(store, mine)).status is Status.ACTIVE
    assert audited(tmp_path, "undo_import") == [
        (ACTOR, theirs.memory_id, "active", "", "import-1"),
        (ACTOR, "", "import-1", "", "deleted=1 kept=0 returned=0"),
    ]
    (imported,) = (await store.transfers.imports(page=1, page_size=10)).rows
    assert imported.undone_at == NOW


async def test_what_somebody_has_changed_since_survives_an_undo(store: Store, tmp_path: Path) -> None:
    changed, same, gone = an_item("one"), an_item("two"), an_item("three")
    await bring_in(store, await exported(tmp_path, changed, same, gone))
    later = NOW + timedelta(hours=1)
    async with store.transaction() as tx:
        await tx.update_item(replace(await got(store, changed), importance=0.9, updated_at=later))
        await tx.update_item(replace(await got(store, gone), status=Status.DELETED, updated_at=later))
    assert await store.transfers.undo("import-1", actor=ACTOR) == Undone(deleted=1, kept=1)
    assert (await got(store, changed)).status is Status.ACTIVE


async def test_what_a_memory_of_an_undone_import_had_replaced_waits_unless_another_has_its_place(
    store: Store, tmp_path: Path
) -> None:
    theirs = an_item("Alice lives in Oslo")
    await bring_in(store, await exported(tmp_path, theirs))
    gone: dict[str, Any] = {"status": Status.SUPERSEDED, "superseded_by": theirs.memory_id}
    late, taken = an_item("Alice lives in Rome", **gone), an_item("Alice naps", **gone)
    await keep(store, late, taken, an_item("Alice naps"))
    assert await store.transfers.undo("import-1", actor=ACTOR) == Undone(deleted=1, kept=0, returned=1)
    back = await got(store, late)
    assert (back.status, back.reason) == (Status.PENDING, REPLACEMENT_UNDONE)
    assert (await got(store, taken)).status is Status.SUPERSEDED
    revived = (ACTOR, late.memory_id, "superseded", "pending", REPLACEMENT_UNDONE)
    assert audited(tmp_path, "revive") == [revived]


async def test_what_an_undone_import_brought_is_not_revived_when_what_replaced_it_goes(
    store: Store, tmp_path: Path
) -> None:
    event, oslo, rome = an_event("I live in Rome now"), an_item("lives in Oslo"), an_item("lives in Rome")
    lima = an_item("lives in Lima")
    await bring_in(store, await exported(tmp_path, oslo, lima))
    async with store.transaction() as tx:
        await tx.add_events([event])
        await tx.insert_item(rome, [an_evidence(rome, event)])
        for one in (oslo, lima):
            gone: dict[str, Any] = {"status": Status.SUPERSEDED, "superseded_by": rome.memory_id}
            await tx.update_item(replace(one, **gone, updated_at=NOW - timedelta(hours=1)))
    assert await store.transfers.undo("import-1", actor=ACTOR) == Undone(deleted=0, kept=2)
    async with store.transaction() as tx:
        await tx.update_item(replace(await got(store, lima), updated_at=NOW + timedelta(hours=1)))
        await tx.retract([event], actor="system")
    assert (await got(store, oslo)).status is Status.SUPERSEDED
    assert (await got(store, lima)).status is Status.PENDING  # changed after the undo


@pytest.mark.parametrize("edited", [False, True])
async def test_what_only_waits_again_because_of_an_undo_goes_with_its_own_import(
    store: Store, tmp_path: Path, *, edited: bool
) -> None:
    waits = an_item(status=Status.PENDING, reason="mode", updated_at=NOW - timedelta(hours=1))
    await bring_in(store, await exported(tmp_path, waits))
    if edited:
        async with store.transaction() as tx:
            line = AuditEntry(actor=ACTOR, action="edit", memory_id=waits.memory_id, reason="importance")
            await tx.audit(line)
    (tmp_path / "others").mkdir()
    await bring_in(store, await exported(tmp_path / "others", an_item()), "import-2")
    undone = await store.transfers.undo("import-2", actor=ACTOR)
    assert undone == Undone(deleted=1, kept=0, returned=1)
    undone = await store.transfers.undo("import-1", actor=ACTOR)
    assert undone == Undone(deleted=not edited, kept=edited)


async def test_the_undo_of_an_import_revives_nothing_of_another_one_that_is_undone(
    store: Store, tmp_path: Path
) -> None:
    waits = an_item(status=Status.PENDING, reason="mode", updated_at=NOW - timedelta(hours=1))
    await bring_in(store, await exported(tmp_path, waits))
    (tmp_path / "others").mkdir()
    await bring_in(store, await exported(tmp_path / "others", an_item()), "import-2")
    assert await store.transfers.undo("import-1", actor=ACTOR) == Undone(deleted=0, kept=1)
    assert await store.transfers.undo("import-2", actor=ACTOR) == Undone(deleted=1, kept=0)
    assert (await got(store, waits)).status is Status.SUPERSEDED


async def test_an_import_that_was_undone_comes_in_again_whole_and_is_undone_again(
    store: Store, tmp_path: Path
) -> None:
    newer = an_item("Alice lives in Oslo")
    older = an_item(status=Status.SUPERSEDED, superseded_by=newer.memory_id)
    file = await exported(tmp_path, newer, older)
    await bring_in(store, file)
    came = rows(tmp_path / "data_v4.db")
    await store.transfers.undo("import-1", actor=ACTOR)
    assert (await store.transfers.check(file)).added == Contents(items=2, evidence=2, events=2)
    arrived = await bring_in(store, file, "import-2")
    assert (arrived.added, arrived.known.items) == (Contents(items=2, evidence=2, events=2), 0)
    assert rows(tmp_path / "data_v4.db") == came
    [replaced] = (await store.older([newer.memory_id])).values()
    assert [item.memory_id for item in replaced] == [older.memory_id]
    assert await store.transfers.undo("import-2", actor=ACTOR) == Undone(deleted=2, kept=0)


async def test_what_a_person_forgot_after_an_import_stays_so_when_it_is_undone_and_comes_again(
    store: Store, tmp_path: Path
) -> None:
    item, other = an_item("Alice lives in Beijing"), an_item("Alice keeps a cat")
    file = await exported(tmp_path, item, other)
    await bring_in(store, file)
    async with store.transaction() as tx:
        gone = {"status": Status.DELETED, "reason": "forgotten", "deleted_at": NOW}
        await tx.update_item(replace(item, **gone, updated_at=NOW + timedelta(hours=1)))
    await store.transfers.undo("import-1", actor=ACTOR)
    arrived = await bring_in(store, file, "import-2")
    assert (arrived.added.items, arrived.known) == (1, Known(items=1, deleted=1))
    assert (await got(store, item)).status is Status.DELETED
    assert (await got(store, other)).status is Status.ACTIVE


async def test_messages_on_which_nothing_rests_go_with_an_undo(store: Store, tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    item, rests = an_item(), an_event("I live in Beijing")
    async with a_store(tmp_path / "theirs") as theirs:
        async with theirs.transaction() as tx:
            await tx.add_events([rests, an_event("Good morning")])
            await tx.insert_item(item, [an_evidence(item, rests)])
        file = await export(theirs, tmp_path / "theirs.json")
    assert (await bring_in(store, file)).added == Contents(items=1, evidence=1, events=2)
    await store.transfers.undo("import-1", actor=ACTOR)
    assert dump(tmp_path / "data_v4.db")["ltm_events"] == []


async def test_an_import_is_undone_but_once_and_only_if_it_is_known(store: Store, tmp_path: Path) -> None:
    await bring_in(store, await exported(tmp_path, an_item()))
    await store.transfers.undo("import-1", actor=ACTOR)
    with pytest.raises(RefusedError, match="undone already"):
        await store.transfers.undo("import-1", actor=ACTOR)
    with pytest.raises(NotFoundError):
        await store.transfers.undo("import-7", actor=ACTOR)


async def test_while_read_only_nothing_comes_in_or_is_undone_and_an_export_is_made(
    store: Store, tmp_path: Path
) -> None:
    file = await exported(tmp_path, an_item())
    await bring_in(store, file)
    store.read_only = True
    before = dump(tmp_path / "data_v4.db")
    with pytest.raises(RefusedError, match="emergency_read_only"):
        await bring_in(store, file, "import-2")
    with pytest.raises(RefusedError, match="emergency_read_only"):
        await store.transfers.undo("import-1", actor=ACTOR)
    await export(store, tmp_path / "mine.json")
    assert (await store.transfers.check(tmp_path / "mine.json")).known.items == 1
    assert dump(tmp_path / "data_v4.db") == before


async def test_a_person_who_is_erased_takes_along_what_an_import_brought(
    store: Store, tmp_path: Path
) -> None:
    await bring_in(store, await exported(tmp_path, an_item(), an_item("Bob naps", owner=BOB)))
    async with store._database.write() as seat:  # pyright: ignore[reportPrivateUsage] - the rows themselves
        await seat.run(lambda c: c.exec_driver_sql("DELETE FROM ltm_items"))
        await seat.run(lambda c: c.exec_driver_sql("DELETE FROM ltm_events"))
    kept = dump(tmp_path / "data_v4.db")
    assert (kept["ltm_imported_items"], kept["ltm_imported_events"]) == ([], [])
    assert await store.transfers.undo("import-1", actor=ACTOR) == Undone(deleted=0, kept=0)
