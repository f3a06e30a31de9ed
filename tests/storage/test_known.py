from astrbot_plugin_ltm.long_term_memory.domain.enums import Audience, Level, Status
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.stores import ALICE, BOB, GROUP, GROUP_CHAT, an_access, an_item, keep

IN_GROUP = an_access(umo=GROUP_CHAT, private=False, group=GROUP, readable=(ALICE, BOB, GROUP))


async def known(store: Store, *texts: str, limit: int = 12, in_group: bool = False) -> list[str]:
    async with store.transaction() as transaction:
        access = IN_GROUP if in_group else an_access()
        return [item.fact for item in await transaction.known(access, texts, limit=limit)]


async def test_the_nearest_come_first_then_what_answers_a_slot_then_the_newest(store: Store) -> None:
    await keep(
        store,
        an_item("Alice lives in Beijing", slot="home_city"),
        an_item("Alice plays chess"),
        an_item("Alice drinks tea with milk"),
        an_item("Alice drinks tea"),
    )
    assert await known(store, "I drink green tea now") == [
        "Alice drinks tea",
        "Alice drinks tea with milk",
        "Alice lives in Beijing",
        "Alice plays chess",
    ]
    assert await known(store, "I drink green tea now", limit=1) == ["Alice drinks tea"]
    assert await known(store, "?!", limit=2) == ["Alice lives in Beijing", "Alice drinks tea"]


async def test_each_text_has_its_turn(store: Store) -> None:
    cups = [an_item(f"Alice drinks tea of cup {number}") for number in range(5)]
    await keep(store, *cups, an_item("Alice's car needs its snow tires on"))
    long = " ".join(f"tea cup{number}" for number in range(99))
    found = await known(store, long, "The snow tires went on", limit=3)
    assert found[1] == "Alice's car needs its snow tires on"
    assert len(set(found)) == 3


async def test_only_what_is_live_and_not_switched_off_is_told(store: Store) -> None:
    await keep(store, *(an_item(f"tea {status}", status=status) for status in Status))
    assert sorted(await known(store, "tea")) == ["tea active", "tea pending", "tea shadow"]


async def test_what_waits_because_of_a_doubt_is_not_told(store: Store) -> None:
    reasons = ("mode", "max_writes_per_hour", "quote_not_found", "unverified")
    waiting = [an_item(f"tea {reason}", status=Status.PENDING, reason=reason) for reason in reasons]
    await keep(store, *waiting)
    assert sorted(await known(store, "tea")) == ["tea max_writes_per_hour", "tea mode"]


async def test_only_items_of_the_very_level_are_told(store: Store) -> None:
    await keep(store, *(an_item(f"tea {level.name}", level=level) for level in Level))
    assert await known(store, "tea") == ["tea INTERNAL"]


async def test_nothing_of_others_is_told(store: Store) -> None:
    await keep(store, an_item("Bob drinks tea", owner=BOB), an_item("We drink tea", owner=GROUP))
    assert await known(store, "tea") == []


async def test_a_group_is_told_only_what_was_said_in_it_or_is_shared(store: Store) -> None:
    await keep(
        store,
        an_item("Alice drinks tea at night"),
        an_item("Alice drinks tea", origin_umo=GROUP_CHAT),
        an_item("Bob drinks tea", owner=BOB, origin_umo=GROUP_CHAT),
        an_item("We drink tea", owner=GROUP, origin_umo=GROUP_CHAT),
        an_item("Bob drinks tea elsewhere", owner=BOB, origin_umo="qq:GroupMessage:other"),
        an_item("Everybody may know of the tea", audience=Audience.EVERYWHERE),
    )
    assert sorted(await known(store, "tea", in_group=True)) == [
        "Alice drinks tea",
        "Bob drinks tea",
        "Everybody may know of the tea",
        "We drink tea",
    ]
