"""Who spoke, and that operators pause, resume and erase them."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat
from astrbot_plugin_ltm.long_term_memory.domain.errors import (
    InvalidInputError,
    NotFoundError,
    RefusedError,
)

from tests.dashboard_routes.calling import Api, running
from tests.running import World, group, private

MINUTE = timedelta(minutes=1)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "host.db")


async def say(world: World, api: Api, chat: Chat, text: str) -> None:
    await world.tell(api.manager, chat, text)
    world.clock.move(MINUTE)


async def accounts(api: Api, **query: object) -> list[str]:
    return [each["account"] for each in (await api.get("people", **query))["people"]]


async def known(api: Api, account: str) -> dict[str, Any]:
    [found] = [each for each in (await api.get("people"))["people"] if each["account"] == account]
    return found


async def test_who_spoke_is_listed_with_their_chats_and_how_much_is_known(world: World) -> None:
    async with running(world) as api:
        await say(world, api, private("bob"), "Hello")
        await say(world, api, private("alice"), "My name is Alice")
        await say(world, api, group("alice"), "I'm allergic to shrimp")
        page = await api.get("people")
    assert page == {
        "people": [
            {
                "account": "plat:alice",
                "name": "Alice",
                "scope_id": "plat:alice",
                "items": 2,
                "chats": [
                    {
                        "umo": "plat:GroupMessage:kitchen",
                        "private": False,
                        "last_seen": "2025-06-01T12:02:00+00:00",
                    },
                    {
                        "umo": "plat:FriendMessage:alice",
                        "private": True,
                        "last_seen": "2025-06-01T12:01:00+00:00",
                    },
                ],
                "last_seen": "2025-06-01T12:02:00+00:00",
                "paused": False,
                "paused_by_operator": False,
            },
            {
                "account": "plat:bob",
                "name": "Bob",
                "scope_id": "plat:bob",
                "items": 0,
                "chats": [
                    {
                        "umo": "plat:FriendMessage:bob",
                        "private": True,
                        "last_seen": "2025-06-01T12:00:00+00:00",
                    }
                ],
                "last_seen": "2025-06-01T12:00:00+00:00",
                "paused": False,
                "paused_by_operator": False,
            },
        ],
        "total": 2,
        "page": 1,
        "page_size": 50,
    }


async def test_the_name_is_the_last_one_and_any_of_them_finds_the_account(world: World) -> None:
    async with running(world) as api:
        await say(world, api, private("alice"), "Hello")
        await say(world, api, replace(private("alice"), sender_name="Zoe"), "Hello again")
        await say(world, api, private("bob"), "Hello")
        assert [each["name"] for each in (await api.get("people"))["people"]] == ["Bob", "Zoe"]
        for query in ("zoe", "plat:al", "LICE"):
            assert await accounts(api, q=query) == ["plat:alice"]
        assert await accounts(api, q="%") == []
        assert await accounts(api, page_size=1, page=2) == ["plat:alice"]
        assert (await api.get("people", page=9))["total"] == 2


async def test_joined_accounts_are_one_person_with_one_memory(world: World) -> None:
    aliases = {"cross_platform_aliases": ["plat:bob=plat:alice"]}
    async with running(world, identity=aliases) as api:
        await say(world, api, private("bob"), "My name is Bob")
        await say(world, api, private("alice"), "Hello")
        bob, alice = await known(api, "plat:bob"), await known(api, "plat:alice")
        assert (bob["scope_id"], bob["items"]) == (alice["scope_id"], alice["items"]) == ("plat:alice", 1)
        await api.post("people/pause", {"account": "plat:bob"})
        assert (await known(api, "plat:alice"))["paused"]


async def test_of_whom_an_operator_pauses_nothing_is_learnt_or_recalled(world: World) -> None:
    async with running(world) as api:
        await say(world, api, private("alice"), "I'm allergic to shrimp")
        assert (await api.manager.recall(private("alice"), "What can I eat?")).block
        paused = {"account": "plat:alice", "paused": True, "was_own": False}
        for _ in range(2):
            assert await api.post("people/pause", {"account": "plat:alice"}) == paused
        assert not (await api.manager.recall(private("alice"), "What can I eat?")).block
        await say(world, api, private("alice"), "My name is Alice")
        assert (await known(api, "plat:alice"))["items"] == 1
        lines = (await api.get("audit", action="pause"))["audit"]
        assert [(line["actor"], line["reason"]) for line in lines] == [("operator:ada", "plat:alice")]
        assert (await api.post("people/resume", {"account": "plat:alice"}))["paused"] is False
        assert (await api.manager.recall(private("alice"), "What can I eat?")).block


@pytest.mark.parametrize("first", ["operator", "person"])
async def test_a_person_does_not_end_what_an_operator_began(world: World, first: str) -> None:
    async with running(world) as api:
        if first == "person":
            await api.manager.pausing.own(private("alice"), on=True)
        await api.post("people/pause", {"account": "plat:alice"})
        for on in (True, False):
            with pytest.raises(RefusedError, match="paused_by_operator"):
                await api.manager.pausing.own(private("alice"), on=on)
        with pytest.raises(RefusedError, match="paused_by_operator"):
            await api.manager.save(private("alice"), fact="tea", said="tea", message_id="1")
        assert not (await api.manager.recall(private("alice"), "What can I eat?")).block
        await api.post("people/resume", {"account": "plat:alice"})
        assert await api.manager.pausing.own(private("alice"), on=False) is False


async def test_an_operator_ends_what_a_person_began(world: World) -> None:
    async with running(world) as api:
        await api.manager.pausing.own(private("alice"), on=True)
        await api.post("people/resume", {"account": "plat:alice"})
        assert await api.manager.pausing.own(private("alice"), on=True) is True
        assert await api.manager.pausing.own(private("alice"), on=False) is True


async def test_what_an_operator_resumed_is_put_back_as_the_persons_own_pause(world: World) -> None:
    async with running(world) as api:
        await say(world, api, private("alice"), "Hello")
        await api.manager.pausing.own(private("alice"), on=True)
        assert (await known(api, "plat:alice"))["paused_by_operator"] is False
        await api.post("people/resume", {"account": "plat:alice"})
        await api.post("people/pause", {"account": "plat:alice", "as_own": True})
        alice = await known(api, "plat:alice")
        assert (alice["paused"], alice["paused_by_operator"]) == (True, False)
        line = (await api.get("audit", action="pause"))["audit"][0]
        assert (line["actor"], line["reason"]) == ("operator:ada", "plat:alice")
        assert await api.manager.pausing.own(private("alice"), on=False) is True
        await api.post("people/pause", {"account": "plat:alice"})
        assert (await known(api, "plat:alice"))["paused_by_operator"] is True


async def test_the_pause_of_an_operator_gives_way_to_the_one_it_took_the_place_of(world: World) -> None:
    async with running(world) as api:
        await say(world, api, private("alice"), "Hello")
        own, alice = {"account": "plat:alice", "as_own": True}, {"account": "plat:alice"}
        assert (await api.post("people/pause", alice))["was_own"] is False
        assert (await api.post("people/resume", alice))["was_own"] is False
        await api.manager.pausing.own(private("alice"), on=True)
        assert (await api.post("people/pause", alice))["was_own"] is True
        assert (await api.post("people/pause", own))["was_own"] is False
        assert await api.manager.pausing.own(private("alice"), on=False) is True


async def test_whoever_an_operator_pauses_is_counted_as_one(world: World) -> None:
    async with running(world, identity={"cross_platform_aliases": ["plat:bob=plat:alice"]}) as api:
        await api.post("people/pause", {"account": "plat:bob"})
        world.clock.move(MINUTE)
        await api.post("people/pause", {"account": "plat:carol"})
        await api.manager.pausing.own(private("dan"), on=True)
        assert (await api.manager.status.counts()).paused_people == 3


async def test_imported_messages_do_not_count_as_spoken_here(world: World, tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    theirs = World(tmp_path / "theirs" / "host.db", clock=world.clock)
    async with running(theirs) as other:
        theirs.clock.move(timedelta(hours=1))
        await say(theirs, other, group("alice"), "I'm allergic to shrimp")
        await say(theirs, other, private("carol"), "My name is Carol")
        file = (await other.manager.transferring.export(None)).path
        world.clock.move(-timedelta(hours=1) - 2 * MINUTE)
        async with running(world) as api:
            await say(world, api, private("alice"), "My name is Alice")
            await say(world, api, private("bob"), "Hello")
            before = await known(api, "plat:alice")
            world.clock.move(timedelta(hours=2))
            await api.manager.transferring.bring_in(file, actor="operator:ada")
            alice, carol = await known(api, "plat:alice"), await known(api, "plat:carol")
            assert await accounts(api) == ["plat:bob", "plat:alice", "plat:carol"]
    assert (alice["chats"], alice["last_seen"]) == (before["chats"], before["last_seen"])
    assert (carol["name"], carol["chats"], carol["last_seen"], carol["items"]) == ("Carol", [], None, 1)


async def test_an_erased_person_is_gone_and_stays_paused(world: World) -> None:
    async with running(world) as api:
        await say(world, api, private("alice"), "My name is Alice")
        await api.post("people/pause", {"account": "plat:alice"})
        erased = await api.post("people/erase", {"account": "plat:alice", "confirm": True})
        assert erased == {"items": 1, "events": 2, "snapshots": 0, "overwritten": True}
        gone = await known(api, "plat:alice")
        assert (gone["name"], gone["items"], gone["chats"], gone["last_seen"]) == ("", 0, [], None)
        assert gone["paused"]
        assert (await api.get("items"))["total"] == (await api.get("events"))["total"] == 0
        await say(world, api, private("alice"), "My name is Alice")
        assert (await api.get("items"))["total"] == 0
        with pytest.raises(NotFoundError):
            await api.post("people/erase", {"account": "plat:nobody", "confirm": True})


@pytest.mark.parametrize(
    ("path", "wrong", "field"),
    [
        ("pause", {"account": "nobody"}, "account"),
        ("pause", {"account": "a:"}, "account"),
        ("resume", {"account": ":abc"}, "account"),
        ("pause", {"account": 5}, "account"),
        ("resume", {}, "account"),
        ("erase", {"account": "plat:alice"}, "confirm"),
        ("erase", {"account": "plat:alice", "confirm": False}, "confirm"),
        ("erase", {"account": "plat:alice", "confirm": "true"}, "confirm"),
        ("erase", {"account": "plat:alice", "confirm": 1}, "confirm"),
    ],
)
async def test_what_names_nobody_or_is_not_meant_is_refused(
    world: World, path: str, wrong: object, field: str
) -> None:
    async with running(world) as api:
        await say(world, api, private("alice"), "My name is Alice")
        with pytest.raises(InvalidInputError) as refused:
            await api.post(f"people/{path}", wrong)
        assert refused.value.field == field
        assert (await known(api, "plat:alice"))["items"] == 1


async def test_whoever_is_paused_is_listed_once_before_the_others(world: World) -> None:
    async with running(world) as api:
        await say(world, api, private("alice"), "Hello")
        world.clock.move(timedelta(minutes=1))
        await say(world, api, private("bob"), "Hello")
        for account in ("plat:alice", "plat:zoe"):
            await api.post("people/pause", {"account": account})
        page = (await api.get("people"))["people"]
        assert [(each["account"], each["name"], each["paused"]) for each in page] == [
            ("plat:alice", "Alice", True),
            ("plat:zoe", "", True),
            ("plat:bob", "Bob", False),
        ]
        assert await accounts(api, q="zoe") == ["plat:zoe"]


@pytest.mark.parametrize("path", ["pause", "resume", "erase"])
async def test_while_read_only_nothing_changes_about_people(world: World, path: str) -> None:
    async with running(world) as api:
        await say(world, api, private("alice"), "My name is Alice")
    body = {"account": "plat:alice"} | ({"confirm": True} if path == "erase" else {})
    async with running(world, emergency_read_only=True) as api:
        with pytest.raises(RefusedError, match="emergency_read_only"):
            await api.post(f"people/{path}", body)
        assert (await known(api, "plat:alice"))["items"] == 1
