"""`recalls` and `recall/try`: what requests were given, and what one would be."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.dashboard_routes.recalls import get_recall, list_recalls, try_recall, why_not
from astrbot_plugin_ltm.long_term_memory.domain import reading
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat
from astrbot_plugin_ltm.long_term_memory.domain.enums import MemoryType, Mode, Status
from astrbot_plugin_ltm.long_term_memory.domain.errors import InvalidInputError, NotFoundError
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.reading import wording_of
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.manager.editing import Edit
from astrbot_plugin_ltm.long_term_memory.service import Service
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.text_analysis.tokens import tokens
from astrbot_plugin_ltm.long_term_memory.web import Request

from tests.dashboard_routes.at_work import AUTO, asked, sent, serving
from tests.dashboard_routes.calling import running
from tests.running import World, group, private
from tests.stores import an_item, keep, opened

ALICE = private("alice")
NAME, NUTS = "User's name is Alice", "User is allergic to nuts"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "host.db")


async def said(manager: LTMManager, chat: Chat, text: str) -> None:
    """A message and the recall that belongs to it."""
    manager.log_recall(chat, text, await manager.recall(chat, text), sent=True)


async def attempted(service: Service, chat: Chat, text: str = "Hello", **more: Any) -> dict[str, Any]:
    account = f"{chat.platform_id}:{chat.sender_id}"
    return dict(await try_recall(service, sent({"account": account, "umo": chat.umo, "text": text, **more})))


async def test_the_log_is_listed_newest_first_and_filtered(world: World) -> None:
    async with serving(world) as service:
        manager = service.manager()
        await said(manager, private("bob"), "Who am I?")
        await world.tell(manager, ALICE, "My name is Alice")
        await said(manager, ALICE, "Hello")
        await said(manager, group("alice"), "Hello all")
        found = await list_recalls(service, asked())
        assert [each["query"] for each in found["recalls"]] == ["Hello all", "Hello", "Who am I?"]
        hello = found["recalls"][1]
        del hello["recall_id"]  # pyright: ignore[reportGeneralTypeIssues] - compared below without it
        assert hello == {
            "scope": "user",
            "scope_id": "plat:alice",
            "umo": "plat:FriendMessage:alice",
            "level": "INTERNAL",
            "query": "Hello",
            "given": 1,
            "left_out": 0,
            "vectors": False,
            "reason": "no_provider",
            "at": "2025-06-01T12:00:00+00:00",
        }
        for query, texts in (
            ({"scope_id": "plat:alice"}, ["Hello all", "Hello"]),
            ({"umo": "plat:FriendMessage:alice"}, ["Hello"]),
            ({"empty": "true"}, ["Hello all", "Who am I?"]),
            ({"empty": "false"}, ["Hello"]),
            ({"scope_id": "plat:alice", "empty": "true"}, ["Hello all"]),
            ({"scope_id": "nobody"}, []),
            ({"q": "hello all"}, ["Hello all"]),
            ({"q": "%"}, []),
            ({"since": "2025-06-01", "until": "2025-06-01"}, ["Hello all", "Hello", "Who am I?"]),
            ({"since": "2025-06-02"}, []),
            ({"until": "2025-05-31"}, []),
            ({"until": "9999-12-31", "q": "who"}, ["Who am I?"]),
            ({"page": 2, "page_size": 2}, ["Who am I?"]),
        ):
            page = await list_recalls(service, asked(**query))
            assert [each["query"] for each in page["recalls"]] == texts
        assert (await list_recalls(service, asked(page=2, page_size=2)))["total"] == 3
        with pytest.raises(InvalidInputError, match="empty"):
            await list_recalls(service, asked(empty="perhaps"))
        with pytest.raises(InvalidInputError, match="since"):
            await list_recalls(service, asked(since="yesterday"))


async def test_a_recall_comes_with_its_facts_and_without_those_that_are_gone(world: World) -> None:
    async with serving(world) as service:
        manager = service.manager()
        await world.tell(manager, ALICE, "My name is Alice. I'm allergic to nuts")
        await said(manager, ALICE, "Hello")
        [listed] = (await list_recalls(service, asked()))["recalls"]
        request = Request(path={"recall_id": listed["recall_id"]})
        found = await get_recall(service, request)
        assert found["recall"] == listed
        assert {each["fact"] for each in found["given"]} == {NAME, NUTS}
        assert {(each["type"], each["status"]) for each in found["given"]} <= {
            ("profile", "active"),
            ("constraint", "active"),
        }
        [nuts] = [each for each in found["given"] if each["fact"] == NUTS]
        await manager.forget(ALICE, nuts["memory_id"])
        statuses = {each["fact"]: each["status"] for each in (await get_recall(service, request))["given"]}
        assert statuses == {NAME: "active", NUTS: "deleted"}
        [name] = [each for each in found["given"] if each["fact"] == NAME]
        for fact in ("User's name is Alicia", "User's name is Ally"):
            world.clock.move(timedelta(minutes=1))
            await manager.review.edit_one(name["memory_id"], Edit(fact=fact), actor="operator:root")
        then = {each["fact"]: each["reworded"] for each in (await get_recall(service, request))["given"]}
        assert then == {NAME: True, NUTS: False}
        await said(manager, ALICE, "Hello")
        [newest, *_] = (await list_recalls(service, asked()))["recalls"]
        later = await get_recall(service, Request(path={"recall_id": newest["recall_id"]}))
        assert [(each["fact"], each["reworded"]) for each in later["given"]] == [
            ("User's name is Ally", False)
        ]
        with closing(sqlite3.connect(world.file)) as store:
            store.execute("UPDATE ltm_recalls SET injected = replace(injected, ?, 'x')", (nuts["memory_id"],))
            store.commit()
        gone = [each for each in (await get_recall(service, request))["given"] if each["fact"] is None]
        assert [(each["memory_id"], each["type"], each["status"]) for each in gone] == [("x", None, None)]
        with pytest.raises(NotFoundError):
            await get_recall(service, Request(path={"recall_id": "nothing"}))


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en-US", "included; its wording then is no longer known."),
        ("zh-CN", "这次请求带上了它，但当时的文字已无从得知。"),
    ],
)
async def test_a_recall_tells_the_wording_and_the_type_of_then_or_that_nobody_knows_them(
    world: World, language: str, told: str
) -> None:
    async with running(world) as api:
        await world.tell(api.manager, ALICE, "I live in Oslo")
        [oslo] = (await api.get("items"))["items"]
        who = {"account": "plat:alice", "umo": ALICE.umo, "level": "INTERNAL", "language": language}
        wordings = ("User lives in Norway", "User lives in Bergen", "User lives in Stavanger")

        async def edited(**change: object) -> dict[str, Any]:
            world.clock.move(timedelta(minutes=1))
            return await api.post(f"items/{oslo['memory_id']}/update", change)

        async def given(at: int) -> tuple[object, ...]:
            [one] = (await api.get(f"recalls/{recalls[at]}"))["given"]
            return one["fact"], one["reworded"], one["type"], one["retyped"]

        async def why(at: int, words: str) -> str:
            asked = {**who, "recall_id": recalls[at], "text": words}
            return (await api.post("recall/why-not", asked))["text"]

        recalls, last = list[str](), dict[str, Any]()
        for fact in wordings:
            last = await edited(fact=fact)
            await said(api.manager, ALICE, "Where do I live?")
            recalls.insert(0, (await api.get("recalls"))["recalls"][0]["recall_id"])
        await edited(type="episode")
        assert await given(0) == (wordings[2], False, "profile", True)
        assert await given(1) == (wordings[1], True, "profile", True)
        await edited(type="profile")
        await api.post(f"decisions/{last['decision_id']}/undo")
        await edited(fact="User lives in Voss")
        assert await given(0) == (wordings[2], True, "profile", False)
        older = (await api.get("items", status="superseded"))["items"]
        [undone] = [each["memory_id"] for each in older if each["fact"] == wordings[2]]
        await api.post(f"items/{undone}/delete")
        for at, fact in ((0, None), (1, wordings[1]), (2, wordings[0])):
            assert await given(at) == (fact, True, "profile", False)
        for words in ("Voss", "Bergen"):
            assert told in await why(0, words)
            assert told not in await why(1, words)
            assert wordings[1] in await why(1, words)
        await edited(status="deleted")
        assert "Bergen" not in await why(1, "Voss")


@pytest.mark.parametrize("after_restart", [False, True])
async def test_an_older_row_of_the_log_tells_the_wording_by_the_times_of_the_edits(
    world: World, after_restart: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(world) as api:
        await world.tell(api.manager, ALICE, "I live in Oslo")
        await said(api.manager, ALICE, "Where do I live?")
        [recall] = (await api.get("recalls"))["recalls"]
        with closing(sqlite3.connect(world.file)) as store:
            bare = "json_remove(injected, '$[0].type', '$[0].wording')"
            bare = "json_remove(injected, '$[0].type')" if after_restart else bare
            store.execute(f"UPDATE ltm_recalls SET injected = {bare}")  # noqa: S608 - our own words
            store.commit()
        [oslo] = (await api.get("items"))["items"]
        of_then = wording_of(oslo["memory_id"], oslo["fact"])
        monkeypatch.setattr(reading, "_KEY", b"another")
        assert wording_of(oslo["memory_id"], oslo["fact"]) != of_then
        monkeypatch.setattr(reading, "_PROCESS", "another")
        for fact in ("User lives in Norway", "User lives in Bergen"):
            world.clock.move(timedelta(minutes=1))
            await api.post(f"items/{oslo['memory_id']}/update", {"fact": fact})
        [given] = (await api.get(f"recalls/{recall['recall_id']}"))["given"]
        assert (given["fact"], given["reworded"], given["type"]) == ("User lives in Oslo", True, "profile")
        assert (given["wording"], given["retyped"]) == (of_then if after_restart else "", False)


@pytest.mark.parametrize(
    ("language", "told"), [("en-US", "may be used; none of the person's messages"), ("zh-CN", "此人的消息")]
)
async def test_what_became_of_words_is_told_about_the_person(world: World, language: str, told: str) -> None:
    async with serving(world) as service:
        await world.tell(service.manager(), ALICE, "I work as a nurse")
        who = {"account": "plat:alice", "umo": ALICE.umo, "level": "INTERNAL", "language": language}
        found = await why_not(service, sent({**who, "text": "nurse"}))
        assert [each["fact"] for each in found["memories"]] == ["User works as a nurse"]
        assert found["text"].startswith("User works as a nurse")
        assert told in found["text"]
        assert "2025-06-01T12:00:00+00:00" in found["text"]
        other = await why_not(service, sent({**who, "account": "plat:bob", "text": "nurse"}))
        assert other["memories"] == []
        with pytest.raises(InvalidInputError, match="account"):
            await why_not(service, sent({**who, "account": "alice", "text": "nurse"}))


async def test_why_not_answers_about_the_recall_that_is_asked_about(world: World) -> None:
    async with serving(world) as service:
        manager = service.manager()
        for fact in ("I live in Oslo", "I like green tea"):
            await world.tell(manager, ALICE, fact)
        await manager.policy_changes.set_mode(Mode.SHADOW, actor="operator:root")
        await world.tell(manager, ALICE, "My name is Alice")
        world.clock.move(timedelta(minutes=1))
        await said(manager, ALICE, "What is the capital of Norway?")
        [listed] = (await list_recalls(service, asked()))["recalls"]
        who = {
            "account": "plat:alice",
            "umo": ALICE.umo,
            "level": "INTERNAL",
            "recall_id": listed["recall_id"],
        }

        async def told(text: str) -> str:
            return (await why_not(service, sent({**who, "text": text})))["text"].partition("): ")[2]

        assert await told("Oslo") == "included in this request."
        assert await told("tea") == "omitted from this request: not relevant enough to the message."
        assert await told("Alice") == "omitted from this request: nobody had accepted it yet."

        world.clock.move(timedelta(minutes=1))
        await manager.policy_changes.set_mode(Mode.AUTO, actor="operator:root")
        await manager.review.approve(None, actor="operator:root")
        await world.tell(manager, ALICE, "I live in Berlin")
        await world.tell(manager, ALICE, "I love climbing")
        await said(manager, ALICE, "What is the capital of Norway?")
        assert await told("Oslo") == (
            'included in this request. Now: replaced by "User lives in Berlin" (2025-06-01T12:02:00+00:00).'
        )
        assert await told("Alice") == "omitted from this request: nobody had accepted it yet. Now: in use."
        assert await told("Berlin") == "learnt after this reply (2025-06-01T12:02:00+00:00)."
        assert await told("climbing") == "learnt after this reply (2025-06-01T12:02:00+00:00)."
        with pytest.raises(NotFoundError):
            await why_not(service, sent({**who, "recall_id": "nothing", "text": "Oslo"}))


@pytest.mark.parametrize("elsewhere", [private("bob"), group("alice")])
async def test_why_not_answers_about_a_recall_of_that_account_in_that_chat_alone(
    world: World, elsewhere: Chat
) -> None:
    async with serving(world) as service:
        await said(service.manager(), elsewhere, "Where do I live?")
        [listed] = (await list_recalls(service, asked()))["recalls"]
        who = {"account": "plat:alice", "umo": ALICE.umo, "level": "INTERNAL", "text": "Oslo"}
        with pytest.raises(InvalidInputError, match="recall_id"):
            await why_not(service, sent({**who, "recall_id": listed["recall_id"]}))


async def test_why_not_tells_what_is_gone_since_without_its_words(world: World) -> None:
    async with serving(world) as service:
        manager = service.manager()
        await world.tell(manager, ALICE, "I live in Oslo")
        await said(manager, ALICE, "Where do I live?")
        [listed] = (await list_recalls(service, asked()))["recalls"]
        [oslo] = (await get_recall(service, Request(path={"recall_id": listed["recall_id"]})))["given"]
        world.clock.move(timedelta(minutes=1))
        await manager.forget(ALICE, oslo["memory_id"])
        await world.tell(manager, ALICE, "Have you seen the llamas?")
        who = {
            "account": "plat:alice",
            "umo": ALICE.umo,
            "level": "INTERNAL",
            "recall_id": listed["recall_id"],
        }
        found = await why_not(service, sent({**who, "text": "Oslo"}))
        gone = (
            "At this recall: included in this request. A memory with these words was forgotten on 2025-06-01"
        )
        assert found["text"].startswith(gone)
        assert found["text"].endswith("To bring it back, restore it under Memories.")
        assert (
            "/ltm" not in (await why_not(service, sent({**who, "language": "zh-CN", "text": "Oslo"})))["text"]
        )
        unknown = (await why_not(service, sent({**who, "text": "yak"})))["text"]
        assert unknown.startswith("There is no memory with these words here")
        assert found["memories"] == []
        later = (await why_not(service, sent({**who, "text": "llamas"})))["text"]
        assert "said after this reply; now: not processed yet" in later


async def in_oslo(world: World, manager: LTMManager) -> Item:
    """The memory of where Alice lives."""
    await world.tell(manager, ALICE, "I live in Oslo")
    [oslo] = (await manager.own_items(ALICE, kind=None, page=1, page_size=9)).rows
    return oslo


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en-US", "forgotten before this reply. Now: in use."),
        ("zh-CN", "这次回复之前已忘记。现在：使用中。"),
    ],
)
async def test_why_not_tells_what_was_forgotten_at_the_recall_and_came_back(
    world: World, language: str, told: str
) -> None:
    async with serving(world) as service:
        manager = service.manager()
        oslo = await in_oslo(world, manager)
        await manager.forget(ALICE, oslo.memory_id)
        world.clock.move(timedelta(minutes=1))
        await said(manager, ALICE, "Where do I live?")
        [listed] = (await list_recalls(service, asked()))["recalls"]
        world.clock.move(timedelta(minutes=1))
        await manager.undo(ALICE)
        who = {"account": "plat:alice", "umo": ALICE.umo, "level": "INTERNAL", "language": language}
        found = await why_not(service, sent({**who, "recall_id": listed["recall_id"], "text": "Oslo"}))
        assert found["text"].endswith(told)


async def test_why_not_tells_of_an_earlier_wording_what_its_memory_was_at_the_recall(world: World) -> None:
    async with serving(world) as service:
        manager = service.manager()
        oslo = await in_oslo(world, manager)

        async def edit(*edits: Edit) -> None:
            for each in edits:
                world.clock.move(timedelta(minutes=1))
                await manager.review.edit_one(oslo.memory_id, each, actor="operator:root")

        await edit(Edit(fact="User lives in Norway"), Edit(status=Status.DELETED))
        await said(manager, ALICE, "Where do I live?")
        [listed] = (await list_recalls(service, asked()))["recalls"]
        await edit(Edit(status=Status.ACTIVE), Edit(fact="User lives in Bergen"))
        who = {"account": "plat:alice", "umo": ALICE.umo, "level": "INTERNAL", "text": "Norway"}
        found = await why_not(service, sent({**who, "recall_id": listed["recall_id"]}))
        assert "removed by an admin before this reply. Now: replaced by" in found["text"]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en-US", 'included in its earlier wording: "User lives in Norway".'),
        ("zh-CN", "这次请求带上的是它修改前的文字：“User lives in Norway”。"),
    ],
)
async def test_why_not_tells_the_wording_that_a_recall_included(
    world: World, language: str, told: str
) -> None:
    async with serving(world) as service:
        manager = service.manager()
        oslo = await in_oslo(world, manager)

        async def edit(wanted: Edit) -> None:
            world.clock.move(timedelta(minutes=1))
            await manager.review.edit_one(oslo.memory_id, wanted, actor="operator:root")

        await edit(Edit(fact="User lives in Norway"))
        await said(manager, ALICE, "Where do I live?")
        [listed] = (await list_recalls(service, asked()))["recalls"]
        who = {"account": "plat:alice", "umo": ALICE.umo, "level": "INTERNAL", "language": language}

        async def why() -> str:
            text = {"recall_id": listed["recall_id"], "text": "Where do I live in Norway or Bergen?"}
            return (await why_not(service, sent({**who, **text})))["text"]

        assert "Norway”。" not in (said_now := await why())
        assert "earlier wording:" not in said_now
        await edit(Edit(fact="User lives in Stavanger"))
        await edit(Edit(fact="User lives in Bergen"))
        assert (await why()).endswith(told)
        # Of what is forgotten no words are told.
        await edit(Edit(status=Status.DELETED))
        assert "Norway" not in await why()


async def test_a_recall_comes_with_the_reply_to_its_own_message(world: World) -> None:
    async with serving(world) as service:
        manager, kitchen = service.manager(), group("alice")
        await world.tell(manager, kitchen, "My name is Alice", "Hello Alice!")
        world.clock.move(timedelta(minutes=1))
        for chat, text, reply in (
            (kitchen, "Who am I?", "You are Alice."),
            (group("bob"), "And I?", "I do not know."),
            (ALICE, "Who am I here?", "Alice, too."),
        ):
            await said(manager, chat, text)
            await world.tell(manager, chat, text, reply)
        world.clock.move(timedelta(minutes=1))
        await said(manager, kitchen, "Nothing was answered to this")
        replies = [
            (
                each["query"],
                (await get_recall(service, Request(path={"recall_id": each["recall_id"]})))["reply"],
            )
            for each in (await list_recalls(service, asked()))["recalls"]
        ]
        assert replies == [
            ("Nothing was answered to this", ""),
            ("Who am I here?", "Alice, too."),
            ("And I?", "I do not know."),
            ("Who am I?", "You are Alice."),
        ]


async def test_a_trial_gives_what_a_reply_would_be_given_and_notes_nothing(world: World) -> None:
    async with serving(world, {**AUTO, "read_policy": {"max_items": 1}}) as service:
        manager = service.manager()
        await world.tell(manager, ALICE, "My name is Alice. I'm allergic to nuts. I like green tea")
        tried = await attempted(service, ALICE)
        real = await manager.recall(ALICE, "Hello")
        assert tried["block"] == real.block
        assert tried["tokens"] == tokens(real.block) > 0
        assert (tried["reason"], tried["vectors"]) == (real.reason, real.vectors)
        [given] = tried["given"]
        assert given["fact"] == real.injected[0].item.fact
        shares = given["similarity"] + given["importance"] + given["recency"]
        assert shares == pytest.approx(given["score"])
        rules = {each["fact"]: each["rule"] for each in tried["left_out"]}
        assert rules == {
            (next(iter(real.omitted())).memory_id and _other(given["fact"])): "max_items",
            "User likes green tea": "not_relevant",
        }
        assert (await list_recalls(service, asked()))["total"] == 0
        page = await manager.own_items(ALICE, kind=None, page=1, page_size=9)
        assert [item.access_count for item in page.rows] == [0, 0, 0]


def _other(fact: str) -> str:
    return NUTS if fact == NAME else NAME


async def test_a_trial_reaches_what_the_chat_may_show_and_no_more(world: World) -> None:
    async with serving(world) as service:
        manager = service.manager()
        await world.tell(manager, ALICE, "My name is Alice")
        await world.tell(manager, group("alice", "kitchen"), "I'm allergic to nuts")
        assert NAME in (await attempted(service, ALICE))["block"]
        in_kitchen = (await attempted(service, group("alice", "kitchen")))["block"]
        assert NUTS in in_kitchen
        assert NAME not in in_kitchen
        for other in (group("alice", "office"), group("bob", "kitchen"), private("bob")):
            tried = await attempted(service, other)
            assert (tried["block"], tried["tokens"], tried["given"], tried["left_out"]) == ("", 0, [], [])
            assert tried["reason"] == "nothing_remembered"
        # In the log as well, and of those in use alone.
        assert [
            (await attempted(service, chat))["not_here"]
            for chat in (ALICE, group("alice", "kitchen"), group("alice", "office"), group("bob", "kitchen"))
        ] == [0, 1, 2, 0]
        for chat, hidden in ((ALICE, 0), (group("alice", "office"), 2), (group("alice", "kitchen"), 1)):
            await said(manager, chat, "Hello")
            [newest, *_] = (await list_recalls(service, asked()))["recalls"]
            opened = await get_recall(service, Request(path={"recall_id": newest["recall_id"]}))
            assert opened["not_here"] == hidden
        [name] = [one for one in (await attempted(service, ALICE))["given"] if one["fact"] == NAME]
        await manager.forget(ALICE, name["memory_id"])
        assert (await attempted(service, group("alice", "office")))["not_here"] == 1


@pytest.mark.parametrize("of", ["a persona", "joined accounts", "what is over"])
async def test_the_log_counts_what_a_chat_may_not_show_as_a_trial_does(world: World, of: str) -> None:
    office, kitchen = group("alice", "office"), group("alice", "kitchen")
    async with serving(world) as service:
        await world.tell(service.manager(), kitchen, "I'm allergic to nuts")
        await world.tell(service.manager(), private("ally"), "My name is Alice")
    identity: dict[str, Any] = {"cross_platform_aliases": ["plat:ally=plat:alice"]}
    if of == "what is over":
        with closing(sqlite3.connect(world.file)) as connection, connection:
            connection.execute("UPDATE ltm_items SET expires_at = '2025-01-01 00:00:00.000000'")
    if of == "a persona":
        identity = {"per_persona": True}
    persona = "pirate" if of == "a persona" else ""
    asks, hidden = {
        "a persona": (replace(kitchen, persona_id=persona, conversation_id="g2"), 0),
        "joined accounts": (office, 2),
        "what is over": (office, 0),
    }[of]
    async with serving(world, {**AUTO, "identity": identity}) as service:
        manager = service.manager()
        await world.tell(manager, asks, "What a day")
        if not persona:  # a trial is without one
            assert (await attempted(service, asks))["not_here"] == hidden
        await said(manager, asks, "Hello")
        [newest, *_] = (await list_recalls(service, asked()))["recalls"]
        opened = await get_recall(service, Request(path={"recall_id": newest["recall_id"]}))
        assert opened["not_here"] == hidden


async def test_a_group_with_a_session_for_each_member_is_one_group(world: World) -> None:
    alone = Chat(
        umo="plat:GroupMessage:alice_kitchen",
        platform_id="plat",
        sender_id="alice",
        sender_name="Alice",
        group_id="kitchen",
        conversation_id="g1",
    )
    async with serving(world) as service:
        await world.tell(service.manager(), group("alice", "kitchen"), "I'm allergic to nuts")
        assert (await attempted(service, alone))["block"] == ""
        await world.tell(service.manager(), alone, "What a day")
        assert NUTS in (await attempted(service, alone))["block"]


async def test_the_level_is_that_of_the_chat_or_what_it_is_raised_to(world: World) -> None:
    chats = {"levels": {"chats": ["plat:FriendMessage:alice=RESTRICTED"]}}
    async with serving(world, {**AUTO, **chats}) as service:
        await world.tell(service.manager(), ALICE, "My name is Alice")
        assert NAME in (await attempted(service, ALICE))["block"]
    async with serving(world) as service:
        assert (await attempted(service, ALICE))["block"] == ""
        assert (await attempted(service, ALICE, level="CONFIDENTIAL"))["block"] == ""
        assert NAME in (await attempted(service, ALICE, level="RESTRICTED"))["block"]
        assert NAME in (await attempted(service, ALICE, level="RESTRICTED"))["given"][0]["fact"]


async def test_linked_accounts_recall_as_one_and_the_other_strategy_is_known(world: World) -> None:
    linked = {"identity": {"cross_platform_aliases": ["other:al=plat:alice"]}}
    async with serving(world, {**AUTO, **linked}) as service:
        await world.tell(service.manager(), ALICE, "My name is Alice")
        other = Chat(
            umo="other:FriendMessage:al",
            platform_id="other",
            sender_id="al",
            sender_name="",
            group_id="",
            conversation_id="",
        )
        assert NAME in (await attempted(service, other))["block"]
        by_umo = {"account": "plat:FriendMessage:alice", "umo": ALICE.umo, "text": "Hello"}
        assert NAME in (await try_recall(service, sent(by_umo)))["block"]


async def test_what_waits_to_be_decided_is_named_with_what_was_left_out(world: World) -> None:
    async with serving(world, {}) as service:
        await world.tell(service.manager(), ALICE, "My name is Alice")
        tried = await attempted(service, ALICE)
        assert (tried["reason"], tried["given"]) == ("nothing_remembered", [])
        [held] = tried["left_out"]
        assert (held["fact"], held["rule"], held["status"], held["score"]) == (NAME, "shadow", "shadow", None)
        assert (await attempted(service, private("bob")))["left_out"] == []


async def test_what_waits_and_answers_in_other_words_is_named_after_what_is_near(world: World) -> None:
    waiting = [
        an_item(fact, type=MemoryType.PREFERENCE, status=Status.PENDING, reason="mode")
        for fact in ("User likes black coffee", "User likes chess", "User drinks little at breakfast")
    ]
    async with serving(world, {}) as service:
        async with opened(world.file) as database:
            await keep(Store(database, world.clock), *waiting)
        chat = replace(ALICE, umo="telegram:FriendMessage:alice", platform_id="telegram")
        tried = await attempted(service, chat, "What should I drink at breakfast?")
        assert [each["fact"] for each in tried["left_out"]] == [
            "User drinks little at breakfast",
            "User likes chess",
            "User likes black coffee",
        ]


async def test_the_log_names_what_waited_in_the_chat_that_may_show_it(world: World) -> None:
    async with serving(world, {}) as service:
        manager = service.manager()
        await world.tell(manager, ALICE, "My name is Alice. I like green tea")
        for chat, text in ((ALICE, "Hello"), (ALICE, "Which tea?"), (group("alice"), "Which tea?")):
            await said(manager, chat, text)
        await said(manager, private("bob"), "Which tea?")
        listed = (await list_recalls(service, asked()))["recalls"]
        found = [await get_recall(service, Request(path={"recall_id": each["recall_id"]})) for each in listed]
        assert [[(each["fact"], each["rule"]) for each in one["left_out"]] for one in reversed(found)] == [
            [(NAME, "shadow")],
            [("User likes green tea", "shadow"), (NAME, "shadow")],
            [],
            [],
        ]


async def test_of_somebody_who_is_paused_nothing_is_recalled(world: World) -> None:
    async with serving(world) as service:
        await world.tell(service.manager(), ALICE, "My name is Alice")
        await service.manager().pausing.own(ALICE, on=True)
        tried = await attempted(service, ALICE)
        assert (tried["block"], tried["reason"], tried["given"]) == ("", "paused", [])


async def test_while_reading_is_off_a_trial_says_so(world: World) -> None:
    async with serving(world, {**AUTO, "read_policy": {"enable": False}}) as service:
        assert (await attempted(service, ALICE))["reason"] == "reading_off"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"account": ""}, "account"),
        ({"account": "alice"}, "account"),
        ({"account": ":alice"}, "account"),
        ({"account": "plat:"}, "account"),
        ({"account": 7}, "account"),
        ({"account": "a" * 501}, "account"),
        ({"umo": ""}, "umo"),
        ({"umo": "plat:alice"}, "umo"),
        ({"umo": "plat:FriendMessage:"}, "umo"),
        ({"umo": "plat:SecretMessage:alice"}, "umo"),
        ({"umo": "other:FriendMessage:alice"}, "umo"),
        ({"text": None}, "text"),
        ({"text": "a" * 10_001}, "text"),
        ({"level": "SECRET"}, "level"),
        ({"level": 1}, "level"),
        ({"colour": "red"}, "colour"),
    ],
)
async def test_what_names_nobody_or_no_place_is_refused(
    world: World, changes: dict[str, object], field: str
) -> None:
    good = {"account": "plat:alice", "umo": "plat:FriendMessage:alice", "text": "Hello"}
    async with serving(world) as service:
        with pytest.raises(InvalidInputError) as refused:
            await try_recall(service, sent({**good, **changes}))
        assert refused.value.field == field


@pytest.mark.parametrize("text", ["", " ", "\0", 'NEAR("a" AND *)', "😀" * 5_000, "一" * 10_000])
async def test_any_words_can_be_tried(world: World, text: str) -> None:
    async with serving(world) as service:
        await world.tell(service.manager(), ALICE, "My name is Alice")
        assert NAME in (await attempted(service, ALICE, text))["block"]
