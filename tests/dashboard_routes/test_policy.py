"""`policy`: what governs, its change, its preview, its versions and the way back."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.dashboard_routes.policy import (
    get_policy,
    list_versions,
    preview_policy,
    put_policy,
    roll_back,
)
from astrbot_plugin_ltm.long_term_memory.domain.enums import Mode
from astrbot_plugin_ltm.long_term_memory.domain.errors import (
    InvalidInputError,
    NotFoundError,
    RefusedError,
    UnavailableError,
)
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import PoliciesJson
from astrbot_plugin_ltm.long_term_memory.service import Service
from astrbot_plugin_ltm.long_term_memory.web import Request

from tests.dashboard_routes.at_work import AUTO, asked, sent, serving
from tests.running import World, private

ALICE = private("alice")
CHANGED = "write.min_confidence: 0.6 -> 1.0, read.max_items: 30 -> 1"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "host.db")


async def now(service: Service) -> dict[str, Any]:
    return await get_policy(service, Request())


async def changed(service: Service, **values: object) -> dict[str, Any]:
    """The policies in force with some settings changed, such as `read_max_items=3`."""
    found = await now(service)
    sections: dict[str, Any] = {"write": dict(found["write"]), "read": dict(found["read"])}
    for name, value in values.items():
        section, _, setting = name.partition("_")
        sections[section][setting] = value
    return sections


async def test_what_governs_is_told_with_its_version(world: World) -> None:
    async with serving(world) as service:
        found = await now(service)
    assert (found["write"]["mode"], found["read"]["max_items"]) == ("auto", 30)
    assert (found["version"], found["at"], found["actor"]) == (1, "2025-06-01T12:00:00+00:00", "system")


async def test_a_change_counts_at_once_and_is_on_record_and_kept(world: World) -> None:
    async with serving(world) as service:
        manager = service.manager()
        await world.tell(manager, ALICE, "My name is Alice. I'm allergic to nuts")
        before = await manager.recall(ALICE, "Hello")
        new = await changed(service, read_max_items=1, write_min_confidence=1)
        answer = await put_policy(service, sent({**new, "version": 1}))
        assert answer == {**new, "version": 2, "at": "2025-06-01T12:00:00+00:00", "actor": "operator:root"}
        assert await now(service) == answer
        after = await manager.recall(ALICE, "Hello")
        assert (len(before.injected), len(after.injected)) == (2, 1)
        [kept] = world.kept_policies
        types = kept["write"]["allowed_types"]
        assert isinstance(types, list)
        types = sorted(types)  # the file has them in their own order
        assert {"write": {**kept["write"], "allowed_types": types}, "read": kept["read"]} == new
    with closing(sqlite3.connect(world.file)) as store:
        lines = store.execute("SELECT actor, before, after, reason FROM ltm_audit WHERE action = 'policy'")
        assert lines.fetchall() == [("operator:root", "1", "2", CHANGED)]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"read_max_items": 0}, "read.max_items"),
        ({"read_max_items": 10**30}, "read.max_items"),
        ({"read_max_items": True}, "read.max_items"),
        ({"read_max_items": None}, "read.max_items"),
        ({"read_recipe": "classic"}, "read.recipe"),
        ({"read_enable": "yes"}, "read.enable"),
        ({"read_colour": "red"}, "read.colour"),
        ({"write_mode": "Auto"}, "write.mode"),
        ({"write_min_confidence": 1.1}, "write.min_confidence"),
        ({"write_allowed_types": ["poem"]}, "write.allowed_types"),
        ({"write_allowed_types": "profile"}, "write.allowed_types"),
        (
            {"read_similarity_weight": 0, "read_importance_weight": 0, "read_recency_weight": 0},
            "read.similarity_weight",
        ),
    ],
)
async def test_what_the_settings_would_not_take_is_refused_whole_by_its_name(
    world: World, changes: dict[str, object], field: str
) -> None:
    async with serving(world) as service:
        before = await now(service)
        good_and_bad = await changed(service, write_max_writes_per_hour=7, **changes)
        for route in (put_policy, preview_policy):
            with pytest.raises(InvalidInputError) as refused:
                await route(service, sent(good_and_bad))
            assert refused.value.field == field
        assert await now(service) == before
        assert world.kept_policies == []


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "write"),
        ({"write": {}, "read": {}}, "write.mode"),
        ({"write": [], "read": {}}, "write"),
        ({"write": {}, "read": {}, "version": -1}, "version"),
        ({"write": {}, "read": {}, "version": "1"}, "version"),
        ({"write": {}, "read": {}, "colour": 1}, "colour"),
    ],
)
async def test_both_sections_must_be_there_whole(world: World, body: object, field: str) -> None:
    async with serving(world) as service:
        with pytest.raises(InvalidInputError) as refused:
            await put_policy(service, sent(body))
        assert refused.value.field == field


async def test_of_two_who_change_the_same_version_one_is_refused(world: World) -> None:
    async with serving(world) as service:
        one = await changed(service, read_max_items=1)
        other = await changed(service, read_max_items=2)
        results = await asyncio.gather(
            *(put_policy(service, sent({**new, "version": 1})) for new in (one, other)),
            return_exceptions=True,
        )
        assert [type(each) for each in results] == [dict, RefusedError]
        assert str(results[1]) == "stale_version"
        assert (await now(service))["read"]["max_items"] == 1
        assert (await put_policy(service, sent({**other, "version": 2})))["version"] == 3


async def test_the_command_and_the_route_change_the_same_policy(world: World) -> None:
    async with serving(world) as service:
        manager = service.manager()
        await put_policy(service, sent(await changed(service, read_max_items=3)))
        await manager.policy_changes.set_mode(Mode.MANUAL, actor="operator:x")
        found = await now(service)
        assert (found["write"]["mode"], found["read"]["max_items"]) == ("manual", 3)
        assert (found["version"], found["actor"]) == (3, "operator:x")
        await put_policy(service, sent(await changed(service, write_mode="shadow")))
        assert manager.mode is Mode.SHADOW
        assert [kept["write"]["mode"] for kept in world.kept_policies] == ["auto", "manual", "shadow"]


async def test_of_a_command_and_a_change_at_once_neither_undoes_the_other(world: World) -> None:
    async with serving(world) as service:
        manager = service.manager()
        new = await changed(service, read_max_items=3)
        await asyncio.gather(
            put_policy(service, sent(new)), manager.policy_changes.set_mode(Mode.MANUAL, actor="operator:x")
        )
        found = await now(service)
        assert (found["write"]["mode"], found["read"]["max_items"], found["version"]) == ("manual", 3, 3)
        assert world.kept_policies[-1]["read"]["max_items"] == 3


class SlowDisk(World):
    """The settings file takes its time."""

    began = asyncio.Event()
    may_end = asyncio.Event()

    async def _keep_policies(self, policies: PoliciesJson) -> None:
        self.began.set()
        await self.may_end.wait()
        await super()._keep_policies(policies)


async def test_who_hangs_up_in_the_middle_leaves_no_half_of_a_change(tmp_path: Path) -> None:
    world = SlowDisk(tmp_path / "host.db")
    async with serving(world) as service:
        hasty = asyncio.ensure_future(put_policy(service, sent(await changed(service, read_max_items=3))))
        await world.began.wait()
        hasty.cancel()
        await asyncio.sleep(0)
        world.may_end.set()
        with pytest.raises(asyncio.CancelledError):
            await hasty
        assert (await now(service))["read"]["max_items"] == 3
        assert [kept["read"]["max_items"] for kept in world.kept_policies] == [3]


async def test_the_same_again_is_no_new_version(world: World) -> None:
    async with serving(world) as service:
        assert await put_policy(service, sent(await changed(service))) == await now(service)
        assert (await list_versions(service, asked()))["total"] == 1


async def test_while_nothing_may_be_written_nothing_changes(world: World) -> None:
    async with serving(world):
        pass
    async with serving(world, {**AUTO, "emergency_read_only": True}) as service:
        new = await changed(service, read_max_items=1)
        for refused in (put_policy(service, sent(new)), roll_back(service, sent({"version": 1}))):
            with pytest.raises(RefusedError, match="emergency_read_only"):
                await refused
        assert (await now(service))["read"]["max_items"] == 30
        assert len((await preview_policy(service, sent(new)))["changes"]) == 1
        assert world.kept_policies == []


async def test_what_is_not_on_record_has_no_version(world: World) -> None:
    async with serving(world):
        pass
    read_only = {"write_policy": {"mode": "manual"}, "emergency_read_only": True}
    async with serving(world, read_only) as service:
        found = await now(service)
    assert (found["write"]["mode"], found["version"], found["at"], found["actor"]) == ("manual", 0, None, "")


class FullDisk(World):
    """The settings file cannot be written."""

    async def _keep_policies(self, policies: PoliciesJson) -> None:
        raise OSError(f"no space left for {policies}")


async def test_a_policy_that_cannot_be_kept_is_in_force_and_said_to_end(tmp_path: Path) -> None:
    async with serving(FullDisk(tmp_path / "host.db")) as service:
        with pytest.raises(UnavailableError, match="lost at the next restart"):
            await put_policy(service, sent(await changed(service, read_max_items=1)))
        found = await now(service)
        assert (found["read"]["max_items"], found["version"]) == (1, 2)
        with pytest.raises(UnavailableError):
            await roll_back(service, sent({"version": 1}))


async def test_versions_tell_what_each_changed_and_go_back(world: World) -> None:
    async with serving(world) as service:
        await put_policy(service, sent(await changed(service, read_max_items=3)))
        await put_policy(service, sent(await changed(service, write_mode="manual")))
        first = await list_versions(service, asked(page_size=2))
        second = await list_versions(service, asked(page=2, page_size=2))
        assert (first["total"], [each["version"] for each in first["versions"]]) == (3, [3, 2])
        assert [each["changes"] for each in (*first["versions"], *second["versions"])] == [
            [{"field": "write.mode", "before": "auto", "after": "manual"}],
            [{"field": "read.max_items", "before": 30, "after": 3}],
            [],
        ]
        assert (await list_versions(service, asked(page=3, page_size=2)))["versions"] == []
        back = await roll_back(service, sent({"version": 1}))
        assert (back["version"], back["write"]["mode"], back["read"]["max_items"]) == (4, "auto", 30)
        assert back["actor"] == "operator:root"
        assert world.kept_policies[-1]["read"]["max_items"] == 30
        assert (await now(service)) == back
        with pytest.raises(NotFoundError):
            await roll_back(service, sent({"version": 99}))
        with pytest.raises(RefusedError, match="stale_version"):
            await roll_back(service, sent({"version": 2, "expected": 3}))
        assert (await now(service)) == back
        for bad in (0, "1", 1.5, 10**30, None):
            with pytest.raises(InvalidInputError, match="version"):
                await roll_back(service, sent({"version": bad}))


async def test_an_old_version_is_taken_as_settings_are_or_refused(world: World) -> None:
    async with serving(world):
        pass
    with closing(sqlite3.connect(world.file)) as store:
        for version, policy in enumerate(
            ('{"read": {"max_items": 7}, "write": "?"}', '{"read": {"max_items": 7, "smell": 1}}'), start=5
        ):
            row = (version, policy, "", "2025-06-01 12:00:00.000000")
            store.execute(
                "INSERT INTO ltm_policy_versions (version, policy, actor, created_at) VALUES (?, ?, ?, ?)",
                row,
            )
        store.commit()
    async with serving(world) as service:
        newest = (await list_versions(service, asked()))["versions"]
        assert [each["version"] for each in newest] == [7, 6, 5, 1]
        with pytest.raises(InvalidInputError, match="version: cannot be used any more: write"):
            await roll_back(service, sent({"version": 5}))
        back = await roll_back(service, sent({"version": 6}))
        assert (back["read"]["max_items"], back["write"]["mode"]) == (7, "shadow")


async def test_a_preview_says_what_would_change_and_changes_nothing(world: World) -> None:
    async with serving(world) as service:
        manager = service.manager()
        await world.tell(manager, ALICE, "My name is Alice")
        await manager.save(ALICE, fact="my bike is blue", said="ltm add my bike is blue", message_id="2")
        [learnt] = [
            i
            for i in (await manager.own_items(ALICE, kind=None, page=1, page_size=9)).rows
            if i.confidence < 1
        ]
        new = await changed(
            service, read_min_confidence=learnt.confidence + 0.01, write_max_items_per_scope=1
        )
        assert await preview_policy(service, sent(new)) == {
            "changes": [
                {"field": "write.max_items_per_scope", "before": 200, "after": 1},
                {"field": "read.min_confidence", "before": 0.5, "after": learnt.confidence + 0.01},
            ],
            "effects": [
                {"what": "no_longer_recalled", "count": 1},
                {"what": "over_capacity_scopes", "count": 1},
            ],
        }
        assert (await now(service))["version"] == 1
        await put_policy(service, sent(new))
        again = await preview_policy(service, sent(await changed(service, read_min_confidence=0)))
        assert again["effects"] == [{"what": "recalled_again", "count": 1}]
        off = await preview_policy(service, sent(await changed(service, read_enable=False)))
        assert off["effects"] == [{"what": "no_longer_recalled", "count": 1}]


async def test_a_preview_of_another_mode_counts_what_goes_on_waiting(world: World) -> None:
    async with serving(world, {"extraction": {"daily_token_cap": 0}}) as service:
        await world.tell(service.manager(), ALICE, "My name is Alice")
        found = await preview_policy(service, sent(await changed(service, write_mode="auto")))
        assert found["effects"] == [{"what": "waiting", "count": 1}]
