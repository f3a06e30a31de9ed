"""What waits for an operator, one by one and many at once."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, Status
from astrbot_plugin_ltm.long_term_memory.domain.errors import (
    InvalidInputError,
    NotFoundError,
    RefusedError,
)
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.dashboard_routes.calling import Api, put, running
from tests.running import World, private
from tests.stores import BOB, NOW, an_event, an_evidence, an_item, migrated, opened

DOUBT = "names: Rex"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "host.db")


def waiting(number: int, **changes: Any) -> Item:
    values: dict[str, Any] = {"memory_id": f"m{number}", "status": Status.SHADOW, "reason": "mode"}
    return an_item(f"fact {number}", **values | changes)


def four() -> list[Item]:
    return [
        waiting(0),
        waiting(1, status=Status.PENDING, reason=DOUBT),
        waiting(2, reason="", owner=BOB, expires_at=NOW + timedelta(days=6)),
        waiting(3, status=Status.PENDING, reason="require_approval_types"),
    ]


def outcome(decided: dict[str, Any]) -> dict[str, Any]:
    """Without the id by which it is undone, and with the rules alone of what is left."""
    left = [{name: each[name] for name in ("memory_id", "why")} for each in decided["left"]]
    return {"done": decided["done"], "left": left}


async def ids(api: Api, **query: object) -> list[str]:
    return [each["item"]["memory_id"] for each in (await api.get("review", **query))["waiting"]]


async def statuses(api: Api) -> dict[str, str]:
    return {item["memory_id"]: item["status"] for item in (await api.get("items"))["items"]}


async def test_what_waits_is_listed_oldest_first_with_its_words_and_reasons(world: World) -> None:
    await put(world, *four(), an_item("in use"))
    async with running(world) as api:
        page = await api.get("review", page_size=3)
        assert [each["item"]["memory_id"] for each in page["waiting"]] == ["m0", "m1", "m2"]
        assert [each["evidence"][0]["quote"] for each in page["waiting"]] == ["fact 0", "fact 1", "fact 2"]
        assert [each["ends_soon"] for each in page["waiting"]] == [False, False, True]
        assert (page["total"], page["page"], page["page_size"]) == (4, 1, 3)
        assert page["reasons"] == {"mode": 2, "names": 1, "require_approval_types": 1}
        assert await ids(api, page=2, page_size=3) == ["m3"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"reason": "mode"}, ["m0", "m2"]),
        ({"reason": "names"}, ["m1"]),
        ({"reason": "name"}, []),
        ({"reason": "%"}, []),
        ({"scope_id": "qq:bob"}, ["m2"]),
        ({"scope_id": "telegram:alice", "reason": "mode"}, ["m0"]),
    ],
)
async def test_what_waits_is_narrowed(world: World, query: dict[str, object], found: list[str]) -> None:
    await put(world, *four())
    async with running(world) as api:
        assert await ids(api, **query) == found
        assert (await api.get("review", **query))["total"] == len(found)


async def test_a_quote_comes_with_what_stands_around_it(world: World) -> None:
    event = an_event("In the play on Friday I say: my name is Hamlet. Ha!")
    async with (
        opened(migrated(world.file)) as database,
        Store(database, world.clock).transaction() as writing,
    ):
        await writing.add_events([event])
        await writing.insert_item(waiting(0), [an_evidence(waiting(0), event, quote="my name is Hamlet")])
    async with running(world) as api:
        for shown in ((await api.get("review"))["waiting"][0], await api.get("items/m0")):
            [words] = shown["evidence"]
            told = (words["before"], words["quote"], words["after"])
            assert told == ("In the play on Friday I say: ", "my name is Hamlet", ". Ha!")


async def test_those_named_are_approved_and_the_others_say_why_not(world: World) -> None:
    await put(world, *four(), an_item("in use", memory_id="used"))
    async with running(world) as api:
        named = ["m1", "nothing", "used", "m0", "m1"]
        decided = await api.post("review/approve", {"memory_ids": named})
        assert outcome(decided) == {
            "done": ["m0", "m1"],
            "left": [
                {"memory_id": "nothing", "why": "unknown"},
                {"memory_id": "used", "why": "not_waiting"},
            ],
        }
        assert await ids(api) == ["m2", "m3"]
        assert await api.told("m1") == [("approve", "pending", "active", "names")]


async def test_those_named_are_rejected_and_what_is_in_use_is_not(world: World) -> None:
    await put(world, *four(), an_item("in use", memory_id="used"))
    async with running(world) as api:
        decided = await api.post("review/reject", {"memory_ids": ["m0", "used"]})
        assert outcome(decided) == {
            "done": ["m0"],
            "left": [{"memory_id": "used", "why": "not_waiting"}],
        }
        found = await statuses(api)
        assert (found["m0"], found["used"]) == ("deleted", "active")
        again = await api.post("review/reject", {"memory_ids": ["m0"]})
        assert again["decision_id"] == ""
        assert outcome(again) == {"done": [], "left": [{"memory_id": "m0", "why": "not_waiting"}]}


async def test_all_are_approved_but_those_in_doubt(world: World) -> None:
    await put(world, *four())
    async with running(world) as api:
        decided = await api.post("review/approve", {"all": True})
        left = [{"memory_id": "m1", "why": "in_doubt"}]
        assert outcome(decided) == {"done": ["m0", "m2", "m3"], "left": left}
        assert await ids(api) == ["m1"]


@pytest.mark.parametrize(
    ("path", "reason", "done", "after"),
    [
        ("approve", "mode", ["m0", "m2"], ["m1", "m3"]),
        ("reject", "names", ["m1"], ["m0", "m2", "m3"]),
        ("reject", "nothing", [], ["m0", "m1", "m2", "m3"]),
    ],
)
async def test_all_that_wait_for_one_reason_are_decided_about(
    world: World, path: str, reason: str, done: list[str], after: list[str]
) -> None:
    await put(world, *four())
    async with running(world) as api:
        decided = await api.post(f"review/{path}", {"all": True, "reason": reason})
        assert outcome(decided) == {"done": done, "left": []}
        assert await ids(api) == after


@pytest.mark.parametrize("path", ["approve", "reject"])
async def test_of_all_those_are_left_that_arrived_or_changed_after_the_list_was_looked_at(
    world: World, path: str
) -> None:
    await put(world, waiting(0), waiting(1), waiting(2))
    async with running(world, write_policy={"mode": "shadow"}) as api:
        looked_at = (await api.get("review"))["changed_at"]
        world.clock.move(timedelta(seconds=1))
        await world.tell(api.manager, private("alice"), "I'm allergic to shrimp")
        await api.patch("m1", fact="another fact")
        [_, _, _, arrived] = await ids(api)
        decided = await api.post(f"review/{path}", {"all": True, "unchanged_since": looked_at})
        assert outcome(decided) == {"done": ["m0", "m2"], "left": []}
        assert await ids(api) == ["m1", arrived]


async def test_two_hundred_are_decided_about_at_once(world: World) -> None:
    named = [f"m{number}" for number in range(200)]
    await put(world, *(waiting(number) for number in range(200)))
    async with running(world) as api:
        assert (await api.post("review/approve", {"memory_ids": named}))["done"] == named
        with pytest.raises(InvalidInputError, match="memory_ids"):
            await api.post("review/approve", {"memory_ids": [*named, "m200"]})


def homes() -> list[Item]:
    """A town in use, and two others that would take its place."""
    at = [an_item(f"lives in {town}", memory_id=town, slot="home_city", fact_key=town) for town in "ABC"]
    waits = {"status": Status.PENDING, "reason": DOUBT, "supersedes": ("A",)}
    return [at[0], *(replace(each, **waits) for each in at[1:])]


def late_homes() -> list[Item]:
    """A town in use, a later one that waits, and one told long before it."""
    [used, later, earlier] = homes()
    waits: dict[str, Any] = {"status": Status.PENDING, "reason": "mode", "supersedes": ()}
    earlier = replace(earlier, **waits, last_confirmed_at=NOW - timedelta(days=9))
    return [used, replace(later, **waits, last_confirmed_at=NOW + timedelta(days=1)), earlier]


async def test_what_waits_tells_what_its_approval_would_replace(world: World) -> None:
    off = an_item("fact 0 as well", memory_id="off", status=Status.DISABLED)
    await put(world, waiting(0, supersedes=("off", "gone")), *late_homes(), off)
    async with running(world) as api:
        shown = {each["item"]["memory_id"]: each["replaces"] for each in (await api.get("review"))["waiting"]}
        in_use = {"memory_id": "A", "fact": "lives in A", "then": "this"}
        assert shown == {"m0": [], "B": [in_use | {"newer": False}], "C": [in_use | {"newer": True}]}


async def test_of_all_those_are_left_that_would_replace_what_was_confirmed_later(world: World) -> None:
    await put(world, *late_homes()[::2], waiting(0))
    async with running(world) as api:
        decided = await api.post("review/approve", {"all": True})
        assert outcome(decided) == {"done": ["m0"], "left": [{"memory_id": "C", "why": "replaces_newer"}]}
        assert "the memory A" in decided["left"][0]["detail"]
        assert (await api.post("review/approve", {"memory_ids": ["C"]}))["replaced"] == ["A"]


@pytest.mark.parametrize("asked", [{"memory_ids": ["B", "C"]}, {"memory_ids": ["C", "B"]}, {"all": True}])
async def test_of_two_values_that_wait_the_one_confirmed_last_stays(
    world: World, asked: dict[str, object]
) -> None:
    await put(world, *late_homes()[1:])
    async with running(world) as api:
        decided = await api.post("review/approve", asked)
        assert (decided["done"], decided["replaced"]) == (["C", "B"], [])  # nothing was in use
        found = await statuses(api)
        assert (found["B"], found["C"]) == ("active", "superseded")
        undone = await api.post(f"decisions/{decided['decision_id']}/undo")
        assert (sorted(undone["done"]), undone["replaced"]) == (["B", "C"], [])


async def told_otherwise(api: Api) -> dict[str, dict[str, str]]:
    """Of each that waits the others that say otherwise, and which is used after its approval."""
    rows = (await api.get("review"))["waiting"]
    return {
        row["item"]["memory_id"]: {other["memory_id"]: other["then"] for other in row["otherwise"]}
        for row in rows
    }


async def test_a_list_of_what_waits_tells_what_says_otherwise_in_use_and_waiting(world: World) -> None:
    facts = [f"User lives in {town}" for town in ("Lyon", "Dijon", "Bern")]
    facts += [
        "User likes green tea",
        "User hates coriander",
        "User has a cat called Tofu",
        "User's name is Al",
    ]
    waits = [replace(waiting(number), fact=fact) for number, fact in enumerate(facts)]
    used = replace(waits[0], memory_id="used", status=Status.ACTIVE, reason="")
    await put(world, used, *waits[1:], replace(waiting(9), owner=BOB, fact=facts[2]))
    async with running(world) as api:
        told = await told_otherwise(api)
        assert told.pop("m1") == {"used": "both", "m2": "waits"}
        assert told.pop("m2") == {"used": "both", "m1": "waits"}
        assert not any(told.values())


@pytest.mark.parametrize(("later", "then"), [(timedelta(days=1), "this"), (timedelta(days=-1), "other")])
async def test_of_two_answers_at_two_levels_it_is_told_which_is_used(
    world: World, later: timedelta, then: str
) -> None:
    old = an_item("User lives in Lyon", memory_id="old", slot="home_city", level=Level.PUBLIC)
    new = replace(waiting(0, slot="home_city"), fact="User lives in Dijon", last_confirmed_at=NOW + later)
    await put(world, old, new)
    async with running(world) as api:
        assert await told_otherwise(api) == {"m0": {"old": then}}
        assert (await api.post("review/approve", {"all": True}))["done"] == ["m0"]
        assert (await api.item("old"))["status"] == "active"


async def test_of_all_those_are_left_that_say_otherwise_than_another(world: World) -> None:
    facts = ("User likes alcohol", "User does not drink alcohol", "User likes tea", "User hates long answers")
    waits = [replace(waiting(number), fact=fact) for number, fact in enumerate(facts)]
    used = an_item("User likes long answers", memory_id="used")
    await put(world, used, *waits)
    async with running(world) as api:
        decided = await api.post("review/approve", {"all": True})
        left = [{"memory_id": each, "why": "says_otherwise"} for each in ("m0", "m1", "m3")]
        assert outcome(decided) == {"done": ["m2"], "left": left}
        assert decided["left"][2]["detail"] == "the memory used does"
        assert (await api.post("review/approve", {"memory_ids": ["m1"]}))["done"] == ["m1"]
        assert await told_otherwise(api) == {"m0": {"m1": "both"}, "m3": {"used": "both"}}


@pytest.mark.parametrize(
    ("waits", "beside"),
    [
        ("User lives in Dijon now", "User is a vet and lives in Lyon"),
        ("用户现在住在第戎", "用户是兽医，住在里昂"),
    ],
)
async def test_of_one_that_waits_it_is_told_what_about_its_matter_stays_in_use(
    world: World, waits: str, beside: str
) -> None:
    old = an_item(f"{waits}!", memory_id="old", slot="home_city")
    stays = an_item(beside, memory_id="stays")
    others = [
        an_item("User plays the violin"),
        an_item(f"{beside} too", status=Status.DISABLED),
        an_item(f"{beside} again", owner=BOB),
        an_item(f"{beside} as well", person="brother"),
    ]
    one = replace(waiting(0, slot="home_city"), fact=waits)
    await put(world, old, stays, one, *others)
    async with running(world) as api:
        shown = await api.get("items/m0")
        assert [one["memory_id"] for one in shown["otherwise"]] == ["stays"]
        assert [one["memory_id"] for one in shown["replaces"]] == ["old"]
        await api.post("review/approve", {"memory_ids": ["m0"]})
        shown = await api.get("items/m0")
        assert ([one["memory_id"] for one in shown["otherwise"]], shown["replaces"]) == (["stays"], [])
        assert (await api.item("stays"))["status"] == "active"


async def test_of_one_in_use_it_is_told_what_says_otherwise_and_not_what_says_the_same(world: World) -> None:
    one = an_item("User's shoe size is 41", memory_id="one")
    waits = replace(waiting(0), fact="My shoe size is 43")
    same = an_item("My shoe size is 41", memory_id="same")
    others = [
        an_item("My shoe size is 45", memory_id="other"),
        an_item("My shoe size is 44", status=Status.DISABLED),
        an_item("My shoe size is 46", person="brother"),
        an_item("My shoe size is 41!", person="sister"),
        an_item("User's shoe size is 41!", status=Status.SUPERSEDED, superseded_by="one"),
    ]
    await put(world, one, same, waits, *others)
    async with running(world) as api:
        shown = await api.get("items/one")
        assert {each["memory_id"]: each["then"] for each in shown["otherwise"]} == {
            "other": "both",
            "m0": "waits",
        }
        await api.patch("one", status="disabled")
        assert (await api.get("items/one"))["otherwise"] == []


async def test_of_all_that_wait_the_later_one_replaces_what_is_in_use(world: World) -> None:
    await put(world, *late_homes())
    async with running(world) as api:
        decided = await api.post("review/approve", {"all": True})
        assert (decided["done"], decided["replaced"]) == (["B"], ["A"])


async def test_while_read_only_what_an_approval_would_replace_is_told(world: World) -> None:
    await put(world, *late_homes())
    async with running(world, emergency_read_only=True) as api:
        assert all(each["replaces"] for each in (await api.get("review"))["waiting"])


async def everything(api: Api) -> dict[str, Any]:
    return {item["memory_id"]: item for item in (await api.get("items"))["items"]}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("review/approve", {"memory_ids": ["m0", "m1", "B", "C"]}),
        ("review/approve", {"all": True}),
        ("review/reject", {"all": True}),
        ("items/change", {"memory_ids": ["B", "A", "m2"], "status": "deleted"}),
        ("items/change", {"memory_ids": ["m0", "A"], "status": "disabled"}),
        ("items/change", {"memory_ids": ["m0", "A"], "type": "episode"}),
    ],
)
async def test_what_was_decided_about_many_is_undone_whole(world: World, path: str, body: object) -> None:
    await put(world, *four(), *homes())
    async with running(world) as api:
        before = await everything(api)
        world.clock.move(timedelta(minutes=1))
        decided = await api.post(path, body)
        assert await everything(api) != before
        world.clock.move(timedelta(minutes=1))
        undone = await api.post(f"decisions/{decided['decision_id']}/undo", actor="operator:bea")
        assert (sorted(undone["done"]), undone["left"]) == (sorted(decided["done"]), [])
        assert await everything(api) == before
        with pytest.raises(NotFoundError):
            await api.post(f"decisions/{decided['decision_id']}/undo")


async def test_the_audit_tells_who_approved_who_undid_it_and_why_it_waited(world: World) -> None:
    await put(world, *four())
    async with running(world) as api:
        decided = await api.post("review/approve", {"memory_ids": ["m1"]})
        await api.post(f"decisions/{decided['decision_id']}/undo", actor="operator:bea")
        assert (await api.item("m1"))["reason"] == DOUBT
        assert await api.told("m1") == [
            ("approve", "pending", "active", "names"),
            ("undo", "active", "pending", "names"),
        ]
        lines = (await api.get("items/m1"))["audit"]
        assert [line["actor"] for line in lines] == ["operator:bea", "operator:ada"]


async def test_each_decision_that_can_be_undone_is_listed_until_it_lapses(world: World) -> None:
    await put(world, *four(), an_item("in use", memory_id="used"))
    async with running(world) as api:
        assert await api.get("decisions") == {"decisions": []}
        rejected = await api.post("review/reject", {"memory_ids": ["m1"]}, actor="operator:bea")
        world.clock.move(timedelta(minutes=4))
        await api.post("review/approve", {"memory_ids": ["m0", "m2"]})
        changed = await api.post("items/change", {"memory_ids": ["used"], "status": "disabled"})
        listed = (await api.get("decisions"))["decisions"]
        assert [(one["action"], one["count"], one["memory_id"]) for one in listed] == [
            ("disabled", 1, "used"),
            ("approve", 2, "m0"),
            ("reject", 1, "m1"),
        ]
        until = (NOW + timedelta(minutes=10)).isoformat()
        assert listed[-1]["until"] == until
        assert (listed[-1]["decision_id"], listed[-1]["memory_id"]) == (rejected["decision_id"], "m1")
        await api.post(f"decisions/{changed['decision_id']}/undo")
        actions = [one["action"] for one in (await api.get("decisions"))["decisions"]]
        assert actions == ["approve", "reject"]
        world.clock.move(timedelta(minutes=6))
        assert [one["action"] for one in (await api.get("decisions"))["decisions"]] == ["approve"]


@pytest.mark.parametrize(
    "change",
    [
        {"fact": "lives in D", "status": "active"},
        {"fact": "lives in D", "level": "PUBLIC", "importance": 1, "type": "episode"},
        {"level": "PUBLIC"},
        {"status": "deleted"},
    ],
)
async def test_an_edit_is_undone_whole_and_its_text_kept_as_an_earlier_one(
    world: World, change: dict[str, object]
) -> None:
    await put(world, *homes())
    async with running(world) as api:
        before = await everything(api)
        world.clock.move(timedelta(minutes=1))
        edited = await api.post("items/B/update", change)
        assert edited["item"] == (await everything(api))["B"] != before["B"]
        [listed] = (await api.get("decisions"))["decisions"]
        assert (listed["memory_id"], listed["decision_id"]) == ("B", edited["decision_id"])
        assert listed["action"] == ("deleted" if change == {"status": "deleted"} else "edit")
        world.clock.move(timedelta(minutes=1))
        undone = await api.post(f"decisions/{edited['decision_id']}/undo")
        assert (undone["done"], undone["left"]) == (["B"], [])
        assert (await api.get("items/B"))["older"] == []
        over = (await api.get("items", status="superseded", sort="-updated"))["items"]
        earlier = [one for one in over if one["reason"] == "edited"]
        assert [one["fact"] for one in earlier] == (["lives in D", "lives in B"] if "fact" in change else [])
        gone = [one["memory_id"] for one in earlier]
        assert {key: one for key, one in (await everything(api)).items() if key not in gone} == before
        assert (await api.post("items/B/update", {"fact": "lives in B"}))["decision_id"] == ""


async def test_the_edits_before_the_one_that_is_undone_stay_in_the_history(world: World) -> None:
    await put(world, *homes())
    async with running(world) as api:
        for fact in ("lives in D", "lives in E"):
            world.clock.move(timedelta(minutes=1))
            edited = await api.post("items/A/update", {"fact": fact})
        await api.post(f"decisions/{edited['decision_id']}/undo")
        shown = await api.get("items/A")
        assert (shown["item"]["fact"], [one["fact"] for one in shown["older"]]) == (
            "lives in D",
            ["lives in A"],
        )


async def test_two_edits_of_one_memory_are_told_apart_and_undone_in_any_order(world: World) -> None:
    await put(world, an_item("eats porridge", memory_id="one", type="preference"))
    async with running(world) as api:
        reworded = await api.post("items/one/update", {"fact": "eats muesli"})
        await api.post("items/one/update", {"type": "profile", "ttl_days": 9})
        listed = (await api.get("decisions"))["decisions"]
        assert [each["changed"] for each in listed] == [
            {"type": ["preference", "profile"], "ttl_days": ["", "9"]},
            {"fact": ["eats porridge", "eats muesli"]},
        ]
        await api.post(f"decisions/{reworded['decision_id']}/undo")
        item = await api.item("one")
        assert (item["fact"], item["type"]) == ("eats porridge", "profile")
        assert (await api.get("decisions"))["decisions"] == listed[:1]
        await api.post(f"decisions/{listed[0]['decision_id']}/undo")
        assert ((await api.item("one"))["fact"], (await api.item("one"))["type"]) == (
            "eats porridge",
            "preference",
        )


async def test_an_edit_of_what_was_forgotten_since_is_not_undone(world: World) -> None:
    await put(world, an_item("eats porridge", memory_id="one", type="preference"))
    async with running(world) as api:
        edited = await api.post("items/one/update", {"fact": "eats muesli"})
        await api.post("items/one/update", {"status": "deleted"})
        undone = await api.post(f"decisions/{edited['decision_id']}/undo")
        assert (undone["done"], [each["why"] for each in undone["left"]]) == ([], ["changed_since"])
        assert (await api.item("one"))["fact"] == "eats muesli"


async def test_of_an_erased_person_no_decision_is_listed(world: World) -> None:
    await put(world, *four())
    async with running(world) as api:
        for named in (["m2"], ["m0"], ["m1", "m3"]):
            await api.post("review/approve", {"memory_ids": named})
        await api.post("people/erase", {"account": "qq:bob", "confirm": True})
        assert [one["memory_id"] for one in (await api.get("decisions"))["decisions"]] == ["m1", "m0"]


async def test_what_has_no_place_names_the_memory_that_has_it(world: World) -> None:
    gone = an_item("fact 1", memory_id="gone", status=Status.DELETED, deleted_at=NOW)
    await put(world, an_item("fact 1", memory_id="off", status=Status.DISABLED), gone)
    async with running(world) as api:
        restored = await api.post("items/change", {"memory_ids": ["gone"], "status": "active"})
        assert restored["left"] == [
            {"memory_id": "gone", "why": "taken", "detail": "the memory off answers the same question"}
        ]


async def test_what_somebody_changed_since_is_left_by_an_undo(world: World) -> None:
    await put(world, *four(), *homes())
    async with running(world) as api:
        decided = await api.post("review/approve", {"memory_ids": ["m0", "m1", "B"]})
        world.clock.move(timedelta(minutes=1))
        await api.patch("m1", status="disabled")
        await api.patch("C", status="active")
        undone = await api.post(f"decisions/{decided['decision_id']}/undo")
        left = [{"memory_id": "B", "why": "taken"}, {"memory_id": "m1", "why": "changed_since"}]
        assert outcome(undone) == {"done": ["m0"], "left": left}


async def test_after_ten_minutes_nothing_is_undone(world: World) -> None:
    await put(world, *four())
    async with running(world) as api:
        decided = await api.post("review/approve", {"memory_ids": ["m0"]})
        world.clock.move(timedelta(minutes=11))
        with pytest.raises(NotFoundError):
            await api.post(f"decisions/{decided['decision_id']}/undo")


async def test_those_that_cannot_be_changed_say_why(world: World) -> None:
    gone = an_item("gone", memory_id="gone", status=Status.DELETED, deleted_at=NOW)
    await put(world, an_item("in use", memory_id="used"), gone)
    named = ["used", "gone", "nothing"]
    async with running(world) as api:
        decided = await api.post("items/change", {"memory_ids": named, "status": "disabled"})
        left = [
            {"memory_id": "gone", "why": "not_in_use"},
            {"memory_id": "nothing", "why": "unknown"},
        ]
        assert outcome(decided) == {"done": ["used"], "left": left}
        decided = await api.post("items/change", {"memory_ids": named[:2], "status": "deleted"})
        assert outcome(decided) == {
            "done": ["used"],
            "left": [{"memory_id": "gone", "why": "unchanged"}],
        }


async def test_an_approval_is_recalled_at_once(world: World) -> None:
    async with running(world, write_policy={"mode": "shadow"}) as api:
        await world.tell(api.manager, private("alice"), "I'm allergic to shrimp")
        assert not (await api.manager.recall(private("alice"), "What can I eat?")).block
        [memory_id] = await ids(api)
        await api.post("review/approve", {"memory_ids": [memory_id]})
        assert "shrimp" in (await api.manager.recall(private("alice"), "What can I eat?")).block


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({}, "body"),
        ({"memory_ids": []}, "memory_ids"),
        ({"memory_ids": "m0"}, "memory_ids"),
        ({"memory_ids": [1]}, "memory_ids.0"),
        ({"memory_ids": ["m0"], "all": True}, "body"),
        ({"memory_ids": ["m0"], "reason": "mode"}, "body"),
        ({"all": False}, "all"),
        ({"all": 1}, "all"),
        ({"reason": "mode"}, "body"),
        ({"all": True, "scope_id": "x"}, "scope_id"),
        ({"memory_ids": ["m0"], "unchanged_since": NOW.isoformat()}, "body"),
        ({"all": True, "unchanged_since": "2026-11-20T09:30:00"}, "unchanged_since"),
    ],
)
@pytest.mark.parametrize("path", ["approve", "reject"])
async def test_a_decision_about_nothing_is_refused_by_its_field(
    world: World, path: str, wrong: object, field: str
) -> None:
    await put(world, waiting(0))
    async with running(world) as api:
        with pytest.raises(InvalidInputError) as refused:
            await api.post(f"review/{path}", wrong)
        assert refused.value.field == field
        assert await ids(api) == ["m0"]


@pytest.mark.parametrize("path", ["approve", "reject"])
@pytest.mark.parametrize("about", [{"memory_ids": ["m0"]}, {"all": True}, {"all": True, "reason": "no"}])
async def test_while_read_only_nothing_is_decided(world: World, path: str, about: object) -> None:
    await put(world, waiting(0))
    async with running(world, emergency_read_only=True) as api:
        with pytest.raises(RefusedError, match="emergency_read_only"):
            await api.post(f"review/{path}", about)
        assert await ids(api) == ["m0"]
