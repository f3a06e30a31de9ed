"""What a model saves counts as the person's wish only if the person asked for it and said it."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Turn
from astrbot_plugin_ltm.long_term_memory.domain.enums import Origin, Status
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item, ItemFilter

from tests.running import World, group, outcome, private, record, settings
from tests.stores import migrated
from tests.tools import TOOLS
from tests.tools.reference import (
    Call,
    Desk,
    absent,
    assert_replies,
    delete,
    deleted,
    found,
    get,
    hit,
    list_all,
    memories,
    not_found,
    save,
    saved,
    search,
)

A = "alice"
PENDING: Mapping[str, str] = {"status": "pending, not used in replies yet"}
DELETED = "Error: Not done. For the user: it was forgotten; it is stored again only if somebody asks for it."


def told(said: str, key: str, content: str, **more: object) -> Call:
    """A save in answer to these words."""
    return Call(tool="memory_save", arguments={"key": key, "content": content, **more}, said=said)


@asynccontextmanager
async def a_desk(folder: Path, config: Mapping[str, object]) -> AsyncGenerator[Desk]:
    world = World(migrated(folder / "data_v4.db"))
    async with world.memory(settings(config)) as memory:
        yield Desk(world, memory)


async def items(desk: Desk) -> list[Item]:
    page = await desk.memory.browsing.items(ItemFilter(page_size=100))
    return sorted(page.rows, key=lambda item: item.memory_id)


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("Please remember that my favourite tea is oolong.", "User's favourite tea is oolong"),
        ("save that I play the cello", "User plays the cello"),
        ("Keep in mind: I work nights", "I work nights"),
        ("Can you note down that my sister is called Rosa?", "User's sister is called Rosa"),
        ("My name is Alice, please save it", "Alice"),
        ("记住我对花生过敏", "用户对花生过敏"),
        ("帮我存一下：我的车牌是京A12345", "车牌是京A12345"),
        ("请把我喜欢吃辣记录下来", "用户喜欢吃辣"),
        ("Hi! Could you please remember that I'm vegan?", "User is vegan"),
        ("你能帮我记住我对花生过敏吗？", "用户对花生过敏"),
    ],
)
@pytest.mark.parametrize("mode", ["shadow", "manual", "auto"])
async def test_what_a_person_asks_for_and_says_is_used_at_once_in_every_mode(
    tmp_path: Path, mode: str, said: str, content: str
) -> None:
    async with a_desk(tmp_path, {"write_policy": {"mode": mode}}) as desk:
        await desk.expect((A, told(said, "key", content), saved("key")))
        (item,) = await items(desk)
        assert (item.status, item.origin, item.reason) == (Status.ACTIVE, Origin.USER_EXPLICIT, "")


@pytest.mark.parametrize(
    ("mode", "reply", "status"),
    [
        ("auto", {}, Status.ACTIVE),
        ("shadow", {"status": "shadow, not used in replies yet"}, Status.SHADOW),
        ("manual", PENDING, Status.PENDING),
    ],
)
async def test_what_a_person_says_without_asking_goes_by_the_mode(
    tmp_path: Path, mode: str, reply: Mapping[str, str], status: Status
) -> None:
    async with a_desk(tmp_path, {"write_policy": {"mode": mode}}) as desk:
        said = told("I live in Oslo by the way", "user-city", "User lives in Oslo")
        await desk.expect((A, said, saved("user-city", **reply)))
        (item,) = await items(desk)
        assert (item.status, item.origin, item.fact_key) == (status, Origin.LLM_EXTRACT, "user-city")
        shown = found("User lives in Oslo", "user-city") if mode == "auto" else absent("user-city")
        await desk.expect((A, get("user-city"), shown))


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("What does this page say?", "User is allergic to cats"),
        ("Remember what the page says", "User is allergic to cats"),
        ("请记住网页里的内容", "用户对猫过敏"),
        ("Hi!", "The admin of this bot is swordfish"),
        ("Remember that I like tea", "User dislikes tea"),
        ("Can you remember whether I like tea?", "User likes tea"),
        ("你能记住我喜不喜欢茶吗？", "用户喜欢茶"),
        ("Do I like tea? Save it", "User likes tea"),
    ],
)
@pytest.mark.parametrize("mode", ["auto", "shadow"])
async def test_what_the_person_has_not_said_waits_in_every_mode(
    tmp_path: Path, mode: str, said: str, content: str
) -> None:
    async with a_desk(tmp_path, {"write_policy": {"mode": mode}}) as desk:
        await desk.expect(
            (A, told(said, "key", content), saved("key", **PENDING)),
            (A, get("key"), absent("key")),
            (A, search(content), {"results": [], "query": content}),
        )
        (item,) = await items(desk)
        assert item.status is Status.PENDING
        assert item.reason not in ("", "mode")


async def test_a_quoted_message_a_nickname_and_what_a_tool_said_are_not_the_persons_words(desk: Desk) -> None:
    chat = replace(private(), sender_name="Likes durian")
    turn = Turn(
        chat=chat,
        message_id="m",
        user_text="Remember this, will you?",
        reply_text="",
        at=desk.world.clock(),
        quoted="I own 42 llamas",
        quoted_from="Bob",
    )
    for key, content in (("quote", "User owns 42 llamas"), ("nick", "User likes durian")):
        reply = await TOOLS["memory_save"].call(desk.memory, turn, {"key": key, "content": content})
        assert_replies(reply, saved(key, **PENDING))
    assert [item.reason for item in await items(desk)] == ["quoted_message", "nickname"]


async def test_what_the_person_asks_not_to_keep_is_not_kept_by_the_model_either(desk: Desk) -> None:
    why = "Error: Not done. For the user: somebody asked not to store it."
    said = told("Don't remember that I live in Oslo", "home", "User lives in Oslo")
    await desk.expect((A, said, why), (A, list_all(), "No memories found."))


async def test_a_message_without_words_is_no_evidence(desk: Desk) -> None:
    why = "Error: Not done. For the user: the person said nothing that could be its evidence."
    await desk.expect((A, told(" ", "k", "User likes tea"), why), (A, list_all(), "No memories found."))


async def test_the_evidence_is_the_message_that_is_recorded_later_and_once(desk: Desk) -> None:
    said = "We had a long day. Please remember that I like tea. Good night!"
    await desk.expect((A, told(said, "tea", "User likes tea"), saved("tea")))
    turn = replace(desk.turns[-1], reply_text="I will.")
    await record(desk.memory, turn)
    explained = await desk.memory.browsing.item((await items(desk))[0].memory_id)
    (evidence,) = explained.evidence
    assert evidence.quote == "Please remember that I like tea."
    assert (evidence.sender_id, evidence.said_at, evidence.umo) == ("alice", turn.at, turn.chat.umo)
    assert [item.fact_key for item in await items(desk)] == ["tea"]


async def test_a_type_that_needs_approval_waits_though_asked_for(tmp_path: Path) -> None:
    async with a_desk(tmp_path, {"write_policy": {"require_approval_types": ["preference"]}}) as desk:
        await desk.expect((A, save("tea", "I like tea"), saved("tea", **PENDING)))
        await desk.memory.review.approve_one((await items(desk))[0].memory_id, actor="operator:x")
        await desk.expect((A, get("tea"), found("I like tea", "tea")))


async def test_a_kind_that_is_not_allowed_is_refused_when_nobody_asked(tmp_path: Path) -> None:
    policy = {"mode": "auto", "allowed_types": ["constraint"]}
    async with a_desk(tmp_path, {"write_policy": policy}) as desk:
        why = "Error: Not done. For the user: facts of this type are not learnt."
        await desk.expect((A, told("I like tea", "tea", "User likes tea"), why))


async def test_a_version_nobody_vouches_for_waits_beside_the_one_in_use(desk: Desk) -> None:
    page = told("What does the page say?", "tea", "User is allergic to tea")
    await desk.expect(
        (A, save("tea", "I like tea", tags=["t"]), saved("tea")),
        (A, page, saved("tea", **PENDING)),
        (A, page, saved("tea", **PENDING)),
        (A, get("tea"), found("I like tea", "tea", tags=["t"])),
    )
    (waiting,) = [item for item in await items(desk) if item.status is Status.PENDING]
    first = min(item.created_at for item in await items(desk))
    await desk.memory.review.approve_one(waiting.memory_id, actor="operator:x")
    await desk.expect((A, list_all(), memories(hit("User is allergic to tea", "tea"))))
    (used,) = [item for item in await items(desk) if item.status is Status.ACTIVE]
    assert (used.fact_key, used.created_at) == ("tea", first)


async def test_of_two_versions_that_wait_each_can_be_approved(desk: Desk) -> None:
    await desk.expect(
        (A, told("What does the page say?", "k", "User is allergic to cats"), saved(**PENDING)),
        (A, told("And this one?", "k", "User is allergic to dogs"), saved(**PENDING)),
    )
    for item in await items(desk):
        await desk.memory.review.approve_one(item.memory_id, actor="operator:x")
    await desk.expect((A, list_all(), memories(hit("User is allergic to dogs"))))


async def test_a_person_who_says_it_frees_what_waits(desk: Desk) -> None:
    await desk.expect(
        (A, told("What does the page say?", "k", "User is allergic to cats"), saved(**PENDING)),
        (A, told("Remember that I am allergic to cats", "k", "User is allergic to cats"), saved()),
        (A, list_all(), memories(hit("User is allergic to cats"))),
    )


async def test_what_is_said_in_one_group_does_not_surface_where_only_a_page_had_it_saved(desk: Desk) -> None:
    page = told("What does the page say?", "k", "User is allergic to cats")
    asked = told("Remember that I am allergic to cats", "k", "User is allergic to cats")
    cats = hit("User is allergic to cats", level="PUBLIC")
    await desk.expect(
        ("alice in kitchen", page, saved(level="PUBLIC", **PENDING)),
        ("alice in garden", page, saved(level="PUBLIC", **PENDING)),
        ("alice in garden", asked, saved(level="PUBLIC")),
        ("alice in kitchen", list_all(), "No memories found."),
        ("alice in garden", list_all(), memories(cats)),
    )
    assert {item.status for item in await items(desk)} == {Status.ACTIVE, Status.SUPERSEDED}


async def test_what_nobody_said_here_is_answered_alike_whether_or_not_it_is_in_use_elsewhere(
    desk: Desk,
) -> None:
    page = told("What does the page say?", "k", "User is allergic to cats")
    asked = told("Remember that I am allergic to cats", "k", "User is allergic to cats")
    await desk.expect(
        ("alice in kitchen", asked, saved(level="PUBLIC")),
        ("alice in kitchen", page, saved(level="PUBLIC")),
        ("alice in garden", page, saved(level="PUBLIC", **PENDING)),
        ("alice in garden", list_all(), "No memories found."),
        ("alice in kitchen", list_all(), memories(hit("User is allergic to cats", level="PUBLIC"))),
    )
    (used,) = [item for item in await items(desk) if item.status is Status.ACTIVE]
    await desk.memory.sharing.own(private(), used.memory_id, on=True)
    await desk.expect(("alice in attic", page, saved(level="PUBLIC")))


async def test_a_version_that_waits_is_freed_by_the_person_and_takes_the_place(desk: Desk) -> None:
    await desk.expect(
        (A, save("k", "I like tea"), saved()),
        (A, told("What does the page say?", "k", "User is allergic to cats"), saved(**PENDING)),
        (A, told("Remember that I am allergic to cats", "k", "User is allergic to cats"), saved()),
        (A, list_all(), memories(hit("User is allergic to cats"))),
    )
    assert [item.status for item in await items(desk) if item.status is Status.PENDING] == []


async def test_a_delete_drops_what_waits_for_the_key_too(desk: Desk) -> None:
    await desk.expect(
        (A, save(), saved()),
        (A, told("What does the page say?", "k", "User is allergic to cats"), saved(**PENDING)),
        (A, delete(), deleted()),
        (A, delete(), not_found()),
    )
    assert {item.status for item in await items(desk)} == {Status.DELETED}


@pytest.mark.parametrize("content", ["I like tea", "User is allergic to cats"])
async def test_what_was_deleted_is_not_saved_again_unless_the_person_asks(desk: Desk, content: str) -> None:
    await desk.expect(
        (A, save(), saved()),
        (A, delete(), deleted()),
        (A, told("What does the page say?", "k", content), DELETED),
        (A, get(), absent()),
    )


async def test_what_an_operator_rejected_is_not_put_forward_again(desk: Desk) -> None:
    page = told("What does the page say?", "k", "User is allergic to cats")
    await desk.expect((A, save(), saved()), (A, page, saved(**PENDING)))
    (waiting,) = [item for item in await items(desk) if item.status is Status.PENDING]
    await desk.memory.review.reject_one(waiting.memory_id, actor="operator:x")
    await desk.expect((A, page, DELETED), (A, get(), found()))


async def test_a_new_version_keeps_the_creation_and_its_history(desk: Desk) -> None:
    await desk.expect((A, save(), saved()))
    (first,) = await items(desk)
    desk.world.clock.move(timedelta(hours=1))
    await desk.expect((A, save(content="I like coffee"), saved()))
    (used,) = [item for item in await items(desk) if item.status is Status.ACTIVE]
    assert used.created_at == first.created_at
    assert used.updated_at > first.updated_at
    explained = await desk.memory.why(private(), used.memory_id)
    assert [item.fact for item in explained.older] == ["I like tea"]


async def test_a_deleted_row_stays_marked_with_who_did_it(desk: Desk) -> None:
    await desk.expect((A, save(), saved()), (A, delete(), deleted()))
    (item,) = await items(desk)
    assert (item.status, item.fact) == (Status.DELETED, "I like tea")
    assert item.deleted_at == desk.world.clock()
    history = await desk.memory._components.store.history(item.memory_id)  # pyright: ignore[reportPrivateUsage]
    assert [(entry.actor, entry.action) for _, entry in history] == [
        ("plat:alice", "add"),
        ("tool:memory_delete:plat:alice", "forget"),
    ]


async def test_the_same_memory_saved_again_elsewhere_after_a_delete_does_not_surface_where_it_was(
    desk: Desk,
) -> None:
    await desk.expect(
        ("alice in kitchen", save(), saved(level="PUBLIC")),
        ("alice in kitchen", delete(), deleted()),
        ("alice in garden", save(), saved(level="PUBLIC")),
        ("alice in kitchen", get(), absent()),
        ("alice in garden", get(), found(level="PUBLIC")),
    )


async def test_what_is_learnt_later_does_not_take_the_key(desk: Desk) -> None:
    await desk.expect((A, save("pref-tea", "User's favourite tea is oolong"), saved("pref-tea")))
    await desk.world.tell(desk.memory, private(), "My favourite tea is oolong")
    await desk.expect((A, get("pref-tea"), found("User's favourite tea is oolong", "pref-tea")))


async def test_what_was_learnt_has_a_key_too_and_can_be_listed_found_and_deleted(desk: Desk) -> None:
    await desk.world.tell(desk.memory, private(), "My name is Alice")
    key, fact = "user s name is alice", "User's name is Alice"
    await desk.expect(
        (A, list_all(), memories(hit(fact, key))),
        (A, get(key), found(fact, key)),
        (A, search("name"), {"results": [hit(fact, key)], "query": "name"}),
        (A, delete(key), deleted(key)),
        (A, list_all(), "No memories found."),
    )


async def test_the_newer_of_two_values_counts_whichever_way_it_came(desk: Desk) -> None:
    await desk.world.tell(desk.memory, private(), "I live in Berlin")
    await desk.expect((A, save("home", "I live in Oslo"), saved("home")))
    await desk.expect((A, list_all(), memories(hit("I live in Oslo", "home"))))
    desk.world.clock.move(timedelta(hours=1))
    await desk.world.tell(desk.memory, private(), "I live in Rome")
    assert [item.fact for item in await items(desk) if item.status is Status.ACTIVE] == ["User lives in Rome"]


async def test_one_turn_may_save_twice_delete_and_save_again(desk: Desk) -> None:
    turn = Turn(
        chat=private(),
        message_id="m",
        user_text="Remember that I like tea",
        reply_text="",
        at=desk.world.clock(),
    )

    async def call(name: str, **arguments: object) -> str:
        return await TOOLS[name].call(desk.memory, turn, arguments)

    for _ in range(2):
        assert_replies(await call("memory_save", key="k", content="I like tea"), saved())
    assert_replies(await call("memory_delete", key="k"), deleted())
    assert_replies(await call("memory_save", key="k", content="I like tea"), saved())
    await desk.expect((A, list_all(), memories(hit())))
    assert [item.evidence_count for item in await items(desk)] == [1, 1]


async def test_saying_it_again_in_another_message_adds_evidence(desk: Desk) -> None:
    await desk.expect((A, save(), saved()), (A, save(), saved()))
    assert [item.evidence_count for item in await items(desk)] == [2]


async def test_what_once_waited_and_left_may_wait_again(desk: Desk) -> None:
    page = told("What does the page say?", "k", "User is allergic to cats")
    await desk.expect(
        (A, save(), saved()),
        (A, page, saved(**PENDING)),
        (A, told("Remember that I am allergic to cats", "k", "User is allergic to cats"), saved()),
        (A, save(content="I like coffee"), saved()),
        (A, page, saved(**PENDING)),
        (A, list_all(), memories(hit("I like coffee"))),
    )


async def test_a_version_in_shadow_stays_beside_until_somebody_approves_it(tmp_path: Path) -> None:
    async with a_desk(tmp_path, {"write_policy": {"mode": "shadow"}}) as desk:
        said = told("I live in Rome by the way", "home", "User lives in Rome")
        await desk.expect(
            (A, save("home", "I live in Oslo"), saved("home")),
            (A, said, saved("home", status="shadow, not used in replies yet")),
            (A, said, saved("home", status="shadow, not used in replies yet")),
            (A, list_all(), memories(hit("I live in Oslo", "home"))),
        )
        assert outcome(await desk.memory.review.approve(None, actor="operator:x")) == (1, 0)
        await desk.expect((A, list_all(), memories(hit("User lives in Rome", "home"))))


async def test_a_version_in_shadow_gives_way_to_the_same_one_asked_for_that_needs_approval(
    tmp_path: Path,
) -> None:
    policy = {"mode": "auto", "min_evidence_count": 2, "require_approval_types": ["profile"]}
    async with a_desk(tmp_path, {"write_policy": policy}) as desk:
        await desk.expect((A, save("home", "I live in Oslo"), saved("home", **PENDING)))
        await desk.memory.review.approve_one((await items(desk))[0].memory_id, actor="operator:x")
        said = told("I live in Rome by the way", "home", "I live in Rome")
        await desk.expect(
            (A, said, saved("home", status="shadow, not used in replies yet")),
            (A, save("home", "I live in Rome"), saved("home", **PENDING)),
            (A, list_all(), memories(hit("I live in Oslo", "home"))),
        )
        shadow, pending = sorted(
            (item for item in await items(desk) if item.fact == "I live in Rome"),
            key=lambda item: item.created_at,
        )
        assert (shadow.status, shadow.superseded_by) == (Status.SUPERSEDED, pending.memory_id)
        await desk.memory.review.approve_one(pending.memory_id, actor="operator:x")
        await desk.expect((A, list_all(), memories(hit("I live in Rome", "home"))))


async def test_a_waiting_version_that_an_operator_disabled_stays_so_whoever_asks_for_it(desk: Desk) -> None:
    page = told("The page?", "k", "User is allergic to cats")
    await desk.expect((A, save(), saved()), (A, page, saved(**PENDING)))
    (waiting,) = [item for item in await items(desk) if item.status is Status.PENDING]
    store = desk.memory._components.store  # pyright: ignore[reportPrivateUsage] - nothing else disables an item yet
    async with store.transaction() as transaction:
        await transaction.update_item(replace(waiting, status=Status.DISABLED))
    off = "Error: Not done. For the user: an admin disabled it."
    asked = told("Remember that I am allergic to cats", "k", "User is allergic to cats")
    await desk.expect((A, page, off), (A, asked, off), (A, list_all(), memories(hit())))


async def test_an_approval_takes_the_place_of_a_version_that_an_operator_disabled(desk: Desk) -> None:
    await desk.expect(
        (A, save(), saved()), (A, told("The page?", "k", "User is allergic to cats"), saved(**PENDING))
    )
    used, waiting = sorted(await items(desk), key=lambda item: item.status)
    store = desk.memory._components.store  # pyright: ignore[reportPrivateUsage] - nothing else disables an item yet
    async with store.transaction() as transaction:
        await transaction.update_item(replace(used, status=Status.DISABLED))
    await desk.memory.review.approve_one(waiting.memory_id, actor="operator:x")
    await desk.expect((A, list_all(), memories(hit("User is allergic to cats"))))


async def test_a_key_that_holds_a_secret_is_refused(desk: Desk) -> None:
    secret = "sk-proj-" + "a1B2c3D4" * 5
    await desk.expect((A, save(secret), "Error: 'key' must not hold a secret."))


async def test_a_value_that_was_learnt_gives_way_to_another_one_only(desk: Desk) -> None:
    await desk.world.tell(desk.memory, private(), "My name is Alice")
    await desk.expect((A, save("user-name", "My name is Alice"), saved("user-name")))
    status = {item.fact_key: item.status for item in await items(desk)}
    assert status == {"user s name is alice": Status.ACTIVE, "user-name": Status.ACTIVE}


async def test_a_value_that_was_learnt_in_a_group_stays_there_when_another_is_saved_in_private(
    tmp_path: Path,
) -> None:
    async with a_desk(tmp_path, {"write_policy": {"mode": "auto"}, "levels": {"private": "PUBLIC"}}) as desk:
        await desk.world.tell(desk.memory, group(), "I live in Berlin")
        await desk.call(A, save("home", "I live in Oslo"))
        in_use = {item.fact for item in await items(desk) if item.status is Status.ACTIVE}
        assert in_use == {"User lives in Berlin", "I live in Oslo"}
