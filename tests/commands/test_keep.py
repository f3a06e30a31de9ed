"""`/ltm keep`: people accept what was learnt about themselves from their own words, and nothing else."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.commands.command import means_all
from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, MemoryType, Role, Scope, Status
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Item
from astrbot_plugin_ltm.long_term_memory.domain.writing import AuditFilter
from astrbot_plugin_ltm.long_term_memory.manager.own_memories import MAX_AT_ONCE
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.running import World, group, private
from tests.stores import an_event, an_evidence, an_item, migrated, opened
from tests.test_commands import Talk, at_work, talking

ALICE, BOB, KITCHEN = private("alice"), private("bob"), group("alice")
OWN = ScopeRef(scope=Scope.USER, scope_id="plat:alice")
HELD: dict[str, Any] = {"status": Status.SHADOW, "reason": "mode", "owner": OWN, "origin_umo": ALICE.umo}
MANUAL = {"write_policy": {"mode": "manual"}}
PEANUTS = "User is allergic to peanuts"


def said(text: str = "I own a boat", **changes: Any) -> Event:
    """What Alice wrote to the bot."""
    return an_event(text, **{"owner": OWN, "at_scope": OWN, "umo": ALICE.umo, **changes})


async def kept_in(file: Path, *rows: tuple[Item, Event]) -> None:
    async with opened(migrated(file)) as database, Store(database, World(file).clock).transaction() as tx:
        for item, event in rows:
            await tx.add_events([event])
            await tx.insert_item(item, [an_evidence(item, event)])


async def the_id(talk: Talk, words: str) -> str:
    return next(line.split()[1] for line in (await talk.says("ltm list")).splitlines() if words in line)


NOT_THEIRS = "\n1 memory is not used yet; an admin decides on it. /ltm why <id|number> shows why."


@pytest.mark.parametrize(
    ("raw", "status"), [({}, "not used yet"), (MANUAL, "pending approval")], ids=["shadow", "manual"]
)
async def test_what_waits_is_used_once_its_person_keeps_it(
    tmp_path: Path, raw: dict[str, Any], status: str
) -> None:
    async with talking(tmp_path, raw) as talk:
        await talk.tells("I'm allergic to peanuts")
        assert (await talk.memory.recall(ALICE, "What should I cook?")).block == ""
        lines = (await talk.says("ltm list")).splitlines()
        assert lines[1].endswith(f"{PEANUTS} ({status}; you may accept it)")
        assert lines[-1] == (
            "1 of your memories is not used yet. To accept it now: /ltm keep all, or /ltm keep <id|number>"
        )
        short_id = lines[1].split()[1]
        assert f"To accept it: /ltm keep {short_id}" in await talk.says(f"ltm why {short_id}")
        assert await talk.says(f"ltm keep {short_id}") == f"Used from now on: {PEANUTS}"
        assert PEANUTS in (await talk.memory.recall(ALICE, "What should I cook?")).block
        assert await talk.says(f"ltm keep {short_id}") == f"Already in use: {PEANUTS}"
        assert await talk.undoes() == (
            f"No longer accepted, so not used: {PEANUTS}. To accept again: /ltm keep {short_id}"
        )
        assert (await talk.undoes()).startswith("Nothing left to undo")
        assert (await talk.memory.recall(ALICE, "What should I cook?")).block == ""
        assert await talk.says("ltm keep all") == f"Used from now on: {PEANUTS}"
        assert "you may accept it" not in await talk.says("ltm list")
        audit = await talk.memory.browsing.audit(AuditFilter(action="keep"))
        assert [line.actor for line in audit.rows] == ["plat:alice"] * 2


async def test_several_are_accepted_and_taken_back_at_once(tmp_path: Path) -> None:
    async with talking(tmp_path, {}) as talk:
        await talk.tells("I'm allergic to peanuts. My name is Alice")
        await talk.says("ltm list")
        assert await talk.says("ltm keep 1 2") == f"Used from now on: User's name is Alice; {PEANUTS}"
        said = await talk.undoes()
        assert said.startswith("No longer accepted, so not used: ")
        assert "Alice" in said
        assert PEANUTS in said
        assert "2 of your memories are not used yet" in await talk.says("ltm list")
        await talk.tells("I like rum")
        assert "Used from now on" in await talk.says(said.rpartition("again: /")[2])
        assert "1 of your memories is not used yet" in await talk.says("ltm list")


async def test_of_two_that_answer_one_question_the_later_is_kept_and_undo_takes_back_both(
    tmp_path: Path,
) -> None:
    oslo, rome = (
        (
            an_item(f"User lives in {city}", memory_id=city, fact_key=city, slot="home_city", **HELD),
            said(f"I live in {city}", event_id=city, message_id=city),
        )
        for city in ("Oslo", "Rome")
    )
    await kept_in(tmp_path / "host.db", oslo, rome)
    async with talking(tmp_path, MANUAL) as talk:
        before = await talk.says("ltm list")
        told = await talk.says("ltm keep 1 2")
        assert told == "Used from now on: User lives in Oslo\nIt replaces: User lives in Rome"
        assert (await talk.undoes()).count("User lives in") == 2
        assert await talk.says("ltm list") == before
        assert (await talk.memory.recall(ALICE, "Where do I live?")).block == ""


async def test_what_an_accepted_memory_replaces_is_told_and_comes_back_by_undo(tmp_path: Path) -> None:
    async with talking(tmp_path, MANUAL) as talk:
        await talk.says("ltm add I live in Oslo")
        await talk.tells("I live in Berlin")
        told = "Used from now on: User lives in Berlin\nIt replaces: User lives in Oslo"
        assert await talk.says(f"ltm keep {await the_id(talk, 'Berlin')}") == told
        undone = (await talk.undoes()).splitlines()
        assert undone[0].startswith("No longer accepted, so not used: User lives in Berlin. To accept again")
        assert undone[1:] == ["Restored: User lives in Oslo"]
        block = (await talk.memory.recall(ALICE, "Where do I live?")).block
        assert "Oslo" in block
        assert "Berlin" not in block


async def test_all_that_is_undisputed_is_kept_at_once(tmp_path: Path) -> None:
    async with talking(tmp_path, {}) as talk:
        await talk.tells("I'm allergic to peanuts. My name is Alice")
        assert await talk.says("ltm keep all") == f"Used from now on: {PEANUTS}; User's name is Alice"
        assert await talk.says("记忆 保留 全部") == "这里没有你的待审核记忆。"
        await talk.tells("我对芒果过敏")
        assert (await talk.says("记忆 列表")).endswith(
            "1 条记忆尚未使用。现在接受：/记忆 接受 全部，或 /记忆 接受 <编号|序号>"
        )
        assert await talk.says("记忆 保留 全部") == "从现在起使用：用户对芒果过敏"


def test_only_a_word_for_all_means_all() -> None:
    for words in (
        "all",
        "ALL please",
        "please all",
        "everything",
        "all of them",
        "全部",
        "所有记忆",
        "全部吧",
    ):
        assert means_all(words), words
    for words in (
        "theme",
        "meme",
        "memory",
        "my memory",
        "my data",
        "me",
        "我",
        "记忆",
        "allergies",
        "all bikes",
        "",
    ):
        assert not means_all(words), words


async def test_nobody_keeps_for_anybody_else(tmp_path: Path) -> None:
    async with talking(tmp_path, {}) as talk:
        await talk.tells("I'm allergic to peanuts")
        short_id = await the_id(talk, "peanuts")
        for chat in (BOB, group("bob"), KITCHEN):
            assert f"here is no memory {short_id}" in await talk.says(f"ltm keep {short_id}", chat)
            assert (await talk.says("ltm keep all", chat)).startswith("No memory from you is pending here.")
        assert "To accept it now" in await talk.says("ltm list")


async def test_in_a_group_what_was_said_in_it_is_kept(tmp_path: Path) -> None:
    async with talking(tmp_path, {}) as talk:
        await talk.tells("I'm allergic to peanuts", KITCHEN)
        assert (await talk.says("ltm keep all", KITCHEN)).startswith(f"Used from now on: {PEANUTS}\n")
        assert PEANUTS in (await talk.memory.recall(KITCHEN, "What should I cook?")).block


@pytest.mark.parametrize(
    ("item", "event"),
    [
        ({"reason": "not_in_evidence:boat", "status": Status.PENDING}, {}),
        ({"reason": "quoted_message", "status": Status.PENDING}, {}),
        ({"person": "Carol"}, {}),
        ({}, {"role": Role.ASSISTANT}),
        ({}, {"role": Role.TOOL}),
        ({}, {"owner": ScopeRef(scope=Scope.USER, scope_id="plat:bob")}),
        ({}, {"level": Level.CONFIDENTIAL}),
        ({"type": MemoryType.EPISODE}, {}),
        ({"type": MemoryType.TASK_STATE}, {}),
    ],
    ids=str,
)
async def test_what_is_not_theirs_to_decide_stays_with_the_admins(
    tmp_path: Path, item: dict[str, Any], event: dict[str, Any]
) -> None:
    world = World(tmp_path / "host.db")
    await kept_in(world.file, (an_item("User owns a boat", **{**HELD, **item}), said(**event)))
    kinds = {"require_approval_types": ["episode"], "allowed_types": ["profile", "episode"]}
    async with at_work(world, {"write_policy": kinds}) as talk:
        assert (await talk.says("ltm list")).endswith(NOT_THEIRS)
        short_id = await the_id(talk, "boat")
        why = (await talk.says(f"ltm why {short_id}")).splitlines()[-1]
        assert why.endswith(f": /ltm approve {short_id}")
        assert (f"or delete it: /ltm forget {short_id} - Admins" in why) == ("status" in item)
        assert ("facts of this type need an admin's approval" in why) == (item.get("type") == "episode")
        assert ("facts of this type are not learnt" in why) == (item.get("type") == "task_state")
        assert ("your words are not its only evidence" in why) == (not item)
        assert (await talk.says("ltm why-not boat")).splitlines()[0].endswith(why)
        refused = await talk.says(f"ltm keep {short_id}")
        assert refused.startswith("Only an admin can approve this one: User owns a boat - ")
        assert ("it is about Carol, not about you." in refused) == ("person" in item)
        assert "only after somebody accepts" not in refused
        none = "Nothing changed: there is no memory that you can accept."
        assert (await talk.says("ltm keep all")).startswith(none)
        assert (await talk.memory.recall(ALICE, "Who owns a boat?")).block == ""
        assert (await talk.root(f"ltm approve {short_id}")).startswith("Approved")


async def test_what_no_model_has_verified_is_kept_one_by_one(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db")
    doubt = {"status": Status.PENDING, "reason": "unverified"}
    await kept_in(world.file, (an_item("User owns a boat", **{**HELD, **doubt}), said()))
    async with at_work(world, {"extraction": {"daily_token_cap": 0}}) as talk:
        short_id = await the_id(talk, "boat")
        assert (await talk.says("ltm keep all")).startswith("Nothing changed")
        assert await talk.says(f"ltm keep {short_id}") == "Used from now on: User owns a boat"


async def test_what_an_admin_switched_off_stays_off(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db")
    off = an_item("User owns a boat", **{**HELD, "status": Status.DISABLED, "reason": "switched_off"})
    await kept_in(world.file, (off, said()))
    async with at_work(world, {}) as talk:
        assert await talk.says(f"ltm keep {await the_id(talk, 'boat')}") == (
            "An admin disabled this memory: User owns a boat"
        )
        assert await talk.says("ltm keep all") == "No memory from you is pending here."


async def test_keeping_leaves_level_and_audience_as_they_are(tmp_path: Path) -> None:
    async with talking(tmp_path, {}) as talk:
        await talk.tells("I'm allergic to peanuts")
        short_id = await the_id(talk, "peanuts")
        before = (await talk.memory.why(ALICE, short_id)).item
        await talk.says("ltm keep all")
        after = (await talk.memory.why(ALICE, short_id)).item
        assert (after.level, after.audience, after.owner) == (before.level, before.audience, before.owner)
        assert (await talk.memory.recall(KITCHEN, "What should I cook?")).block == ""


async def test_where_only_admins_approve_that_is_said(tmp_path: Path) -> None:
    async with talking(tmp_path, {"write_policy": {"self_approval": False}}) as talk:
        await talk.tells("I'm allergic to peanuts")
        assert (await talk.says("ltm list")).endswith(NOT_THEIRS)
        why = "Not done: only an admin may approve learnt facts here."
        assert await talk.says("ltm keep all") == why
        short_id = await the_id(talk, "peanuts")
        told = await talk.says(f"ltm why {short_id}")
        assert told.endswith(
            f"\nHere only an admin can accept what is learnt. Admins: /ltm approve {short_id}"
        )
        assert "ltm keep" not in await talk.says("ltm")
        assert await talk.says(f"ltm keep {await the_id(talk, 'peanuts')}") == why


async def test_who_is_paused_keeps_nothing(tmp_path: Path) -> None:
    async with talking(tmp_path, {}) as talk:
        await talk.tells("I'm allergic to peanuts")
        await talk.says("ltm pause")
        assert (await talk.says("ltm keep all")).startswith("Not done: memory is paused at your own request")


async def test_who_sends_approve_and_is_no_admin_is_told_where_to_look(tmp_path: Path) -> None:
    async with talking(tmp_path, {}) as talk:
        assert (await talk.says("ltm approve all")).endswith("/ltm list")
        assert (await talk.says("ltm pending")).endswith("/ltm list")


async def test_a_type_that_needs_no_admin_any_more_is_its_persons_to_accept(tmp_path: Path) -> None:
    waits = {"status": Status.PENDING, "reason": "require_approval_types"}
    await kept_in(tmp_path / "host.db", (an_item("User owns a boat", **{**HELD, **waits}), said()))
    async with talking(tmp_path, MANUAL) as talk:
        assert "Not used because: nobody has accepted it yet." in await talk.says("ltm why boat")
        assert "Reason: nobody has accepted it yet." in await talk.root("ltm pending")
        assert await talk.says("ltm keep all") == "Used from now on: User owns a boat"


async def test_all_that_are_kept_are_told_with_what_they_replace_and_many_are_counted(tmp_path: Path) -> None:
    async with talking(tmp_path, MANUAL) as talk:
        await talk.says("ltm add I live in Oslo")
        await talk.tells("I live in Berlin")
        told = "Used from now on: User lives in Berlin\nIt replaces: User lives in Oslo"
        assert await talk.says("ltm keep all") == told
        undone = (await talk.undoes()).splitlines()
        assert undone[0].startswith("No longer accepted, so not used: User lives in Berlin. To accept again")
        assert undone[1:] == ["Restored: User lives in Oslo"]
        for liked in ("green tea", "chess", "jazz", "hiking", "opera"):
            await talk.tells(f"I like {liked}")
        told = "Used from now on: 6 memories.\nIt replaces: User lives in Oslo"
        assert await talk.says("ltm keep all") == told
        assert (await talk.undoes()).endswith(
            "and 1 more. To accept again: /ltm keep all\nRestored: User lives in Oslo"
        )


async def test_what_says_otherwise_than_another_is_not_kept_with_all(tmp_path: Path) -> None:
    facts = ("User likes long answers", "User prefers short answers", "User owns a boat")
    rows = [(an_item(fact, memory_id=f"{n}2345678", **HELD), said(fact)) for n, fact in enumerate(facts)]
    await kept_in(tmp_path / "host.db", *rows)
    async with talking(tmp_path, MANUAL) as talk:
        assert (await talk.says("ltm keep all")).splitlines()[:2] == [
            "Used from now on: User owns a boat",
            (
                "Not accepted, because another memory says otherwise: User likes long answers; "
                "User prefers short answers. "
                "Decide one by one: /ltm keep <id|number>, or /ltm forget <id|number>"
            ),
        ]
        pending = await talk.root("ltm pending")
        assert "Says otherwise than: User likes long answers (not approved yet either)" in pending
        assert await talk.root("ltm approve all") == (
            "2 say otherwise than another memory of the same person: decide one by one. See /ltm pending"
        )
        assert await talk.says("ltm keep long") == "Used from now on: User likes long answers"
        assert "prefers short answers" in (await talk.says("ltm keep all")).splitlines()[1]
        told = "Says otherwise than: User likes long answers (approving it, both are used)"
        assert told in await talk.root("ltm pending")
        assert told in await talk.root("ltm why 12345678")


async def test_that_what_replaces_a_shared_memory_is_not_shared_is_said_when_it_is_accepted(
    tmp_path: Path,
) -> None:
    async with talking(tmp_path, MANUAL) as talk:
        await talk.tells("I live in Turin")
        await talk.says("ltm keep all")
        await talk.says("ltm share turin")
        await talk.tells("I live in Siena now")
        siena = await the_id(talk, "Siena")
        assert (await talk.says("ltm keep all")).splitlines() == [
            "Used from now on: User lives in Siena",
            "It replaces: User lives in Turin",
            f"The new one is not shared. To share it: /ltm share {siena}",
        ]


async def test_what_is_kept_at_once_is_not_named_as_used_beside_itself(tmp_path: Path) -> None:
    async with talking(tmp_path, MANUAL) as talk:
        await talk.tells("I live in Berlin", KITCHEN)
        await talk.tells("I live in Munich")
        await talk.says("ltm list")
        told = (await talk.says("ltm keep 1 2")).splitlines()
        assert "User lives in Munich" in told[0]
        assert not any(line.startswith("Still used, too: User lives in Munich") for line in told)


async def test_what_waits_for_the_mode_alone_is_used_when_it_is_said_in_mode_auto(tmp_path: Path) -> None:
    async with talking(tmp_path, {}) as talk:
        await talk.tells("I'm allergic to peanuts")
        assert (await talk.root("ltm mode automatic")).splitlines() == [
            "Mode for learnt facts is now auto (used immediately).",
            (
                "1 memory learnt before still waits. To use it: /ltm approve all "
                "(disputed, in place of a newer one, or saying otherwise than another: /ltm approve <id>)"
            ),
        ]
        await talk.tells("I'm allergic to peanuts")
        assert PEANUTS in (await talk.memory.recall(ALICE, "What should I cook?")).block
        assert (await talk.root("记忆 模式 自动模式")).count("\n") == 0


@pytest.mark.parametrize("hidden", [Status.SHADOW, Status.ACTIVE])
async def test_what_a_group_may_not_read_contests_nothing_there(tmp_path: Path, hidden: Status) -> None:
    rival = an_item(
        "User does not like tea", memory_id="22345678", **{**HELD, "status": hidden, "level": Level.INTERNAL}
    )
    await kept_in(tmp_path / "host.db", (rival, said("I do not like tea", level=Level.INTERNAL)))
    async with talking(tmp_path, MANUAL) as talk:
        await talk.tells("I like tea", KITCHEN)
        assert (await talk.says("ltm list", KITCHEN)).count("keep all") == 1
        told = (await talk.says("ltm keep all", KITCHEN)).splitlines()
        assert told[0] == "Used from now on: User likes tea"
        assert not any("otherwise" in line or "not used yet" in line for line in told)


async def test_keep_all_is_not_recommended_where_it_accepts_nothing(tmp_path: Path) -> None:
    facts = ("User likes long answers", "User prefers short answers")
    rows = [(an_item(fact, memory_id=f"{n}2345678", **HELD), said(fact)) for n, fact in enumerate(facts)]
    await kept_in(tmp_path / "host.db", *rows)
    async with talking(tmp_path, MANUAL) as talk:
        left = "2 of your memories are not used yet. To accept them now: /ltm keep <id|number>"
        assert (await talk.says("ltm list")).splitlines()[-1] == left
        assert (await talk.says("ltm keep all")).splitlines()[-1] == left


async def test_so_many_are_kept_at_once_and_the_rest_the_next_time(tmp_path: Path) -> None:
    facts = [f"User likes tune {number}" for number in range(MAX_AT_ONCE + 1)]
    rows = [(an_item(fact, memory_id=f"{n:08x}", **HELD), said(fact)) for n, fact in enumerate(facts)]
    await kept_in(tmp_path / "host.db", *rows)
    async with talking(tmp_path, MANUAL) as talk:
        first, left = (await talk.says("ltm keep all")).splitlines()
        assert first == f"Used from now on: {MAX_AT_ONCE} memories."
        assert left.startswith("1 of your memories is not used yet. To accept it now: /ltm keep all")
        assert await talk.says("ltm keep all") == f"Used from now on: {facts[-1]}"


@pytest.mark.parametrize(
    ("told", "undo", "keep"),
    [
        (
            ("I live in Oslo", "I live in Rome", "forget what I just said"),
            ("ltm undo", "tell me again or send /ltm add <fact>"),
            ("ltm keep all", "Used from now on: User lives in Oslo"),
        ),
        (
            ("我住在上海", "我住在杭州", "忘了我刚才说的"),
            ("记忆 撤销", "请再说一遍，或发送 /记忆 记 <内容>"),
            ("记忆 接受 全部", "从现在起使用：用户住在上海"),
        ),
    ],
)
async def test_who_takes_back_what_they_said_may_accept_what_it_had_replaced_or_tell_it_again(
    tmp_path: Path, told: tuple[str, ...], undo: tuple[str, str], keep: tuple[str, str]
) -> None:
    async with talking(tmp_path, {}) as talk:
        for said in told:
            await talk.tells(said)
            talk.world.clock.move(timedelta(seconds=1))
        for command, answer in (undo, keep):
            assert answer in await talk.says(command)
