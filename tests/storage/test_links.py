from datetime import timedelta
from pathlib import Path

from astrbot_plugin_ltm.long_term_memory.access.identity import of_persona
from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Scope, Status
from astrbot_plugin_ltm.long_term_memory.models import LINKS
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from sqlalchemy import select

from tests.stores import ALICE, BOB, GROUP, NOW, a_store, an_item, keep, migrated, opened


async def test_links_are_what_was_put_last(store: Store) -> None:
    assert await store.links() == {}
    for links in ({"b": "a", "c": "a"}, {"b": "a"}, {"b": "c", "d": "c"}, {}):
        async with store.transaction() as transaction:
            await transaction.put_links(links)
            assert await transaction.links() == links
        assert await store.links() == links


async def test_a_link_that_stays_keeps_its_date(tmp_path: Path) -> None:
    now = [NOW]
    async with opened(migrated(tmp_path / "host.db")) as database:
        store = Store(database, lambda: now[0])
        for links in ({"b": "a", "c": "a"}, {"b": "a", "c": "d"}):
            async with store.transaction() as transaction:
                await transaction.put_links(links)
            now[0] += timedelta(days=1)
        async with database.read() as connection:
            rows = await connection.execute(select(LINKS.c.account, LINKS.c.created_at))
    assert {row.account: row.created_at for row in rows} == {"b": NOW, "c": NOW + timedelta(days=1)}


async def test_links_outlive_the_process(tmp_path: Path) -> None:
    async with a_store(tmp_path) as store, store.transaction() as transaction:
        await transaction.put_links({"qq:王": "telegram:al:ice"})
    async with opened(tmp_path / "data_v4.db") as database:
        assert await Store(database, lambda: NOW).links() == {"qq:王": "telegram:al:ice"}


async def test_a_persons_scopes_of_all_personas_are_found_and_nobody_elses(store: Store) -> None:
    awkward = ScopeRef(scope=Scope.USER, scope_id="telegram:al:ice")
    kept = {
        who: [of_persona(who, name) for name in ("pirate", "a:b!", "p%_")] for who in (ALICE, BOB, awkward)
    }
    for refs in kept.values():
        await keep(store, *(an_item(owner=ref) for ref in refs))
    namesake = ScopeRef(scope=Scope.GROUP, scope_id=ALICE.scope_id)
    await keep(
        store, *(an_item(owner=ref) for ref in (ALICE, *(of_persona(r, "x") for r in (GROUP, namesake))))
    )
    gone = of_persona(ALICE, "parrot")
    await keep(store, an_item(owner=gone, status=Status.DELETED, deleted_at=NOW))
    assert set(await store.memories.of_every_persona([ALICE])) == {*kept[ALICE], gone}
    assert set(await store.memories.of_every_persona([BOB, awkward])) == {*kept[BOB], *kept[awkward]}
    assert await store.memories.of_every_persona([GROUP]) == []
    assert await store.memories.of_every_persona([]) == []
