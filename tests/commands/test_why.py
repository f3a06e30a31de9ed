"""`/ltm why` of what the bot said and the person agreed to."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta, timezone
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.commands.why import told_of
from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Origin, Role, Scope, Status
from astrbot_plugin_ltm.long_term_memory.domain.memory import ItemFilter
from astrbot_plugin_ltm.long_term_memory.manager.editing import Edit
from astrbot_plugin_ltm.long_term_memory.manager.status import Unread
from astrbot_plugin_ltm.long_term_memory.manager.why_not import RecallOutcome, Then, Unused, WhyNot
from astrbot_plugin_ltm.long_term_memory.messages import LOCALES, Locale, Messages
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.running import AUTO, World, group, private
from tests.stores import NOW, an_event, an_evidence, an_item, opened
from tests.test_commands import Talk, at_work, talking

FLIGHT, KITCHEN = "f11947", group("alice")


async def agree_to_a_flight(talk: Talk) -> None:
    """The bot books, and Alice thanks it."""
    alice, umo = ScopeRef(scope=Scope.USER, scope_id="plat:alice"), private("alice").umo
    offer = an_event("Booked: DL 7.", owner=alice, umo=umo, role=Role.ASSISTANT, sender_id="", sender_name="")
    assent = an_event("Yes, thanks", owner=alice, umo=umo)
    flight = an_item(
        "Flight DL 7",
        memory_id=FLIGHT,
        owner=alice,
        origin=Origin.CONFIRMED,
        origin_umo=umo,
        evidence_count=2,
    )
    evidence = [an_evidence(flight, event, extraction_method=Origin.CONFIRMED) for event in (offer, assent)]
    async with opened(talk.world.file) as database, Store(database, talk.world.clock).transaction() as tx:
        await tx.add_events([offer, assent])
        await tx.insert_item(flight, evidence)


async def test_the_bots_words_are_told_from_those_of_the_person_who_agreed(talk: Talk) -> None:
    await agree_to_a_flight(talk)
    lines = (await talk.says(f"ltm why {FLIGHT}")).splitlines()
    assert "Source: said by me, confirmed by the person" in lines
    assert '- "Booked: DL 7." (my words, then confirmed, 2025-06-01 12:00 UTC)' in lines
    assert '- "Yes, thanks" (you, 2025-06-01 12:00 UTC)' in lines
    lines = (await talk.says(f"记忆 依据 {FLIGHT}")).splitlines()
    assert "来源：我说过，已得到确认" in lines
    assert "- “Booked: DL 7.”（我说的话，已得到确认，2025-06-01 12:00 UTC）" in lines


async def test_what_an_operator_reworded_says_so_in_why_and_in_the_export(talk: Talk) -> None:
    await talk.says("ltm add my bike is blue")
    [bike] = (await talk.memory.browsing.items(ItemFilter())).rows

    async def reworded(fact: str) -> None:
        talk.world.clock.move(timedelta(minutes=1))
        await talk.memory.review.edit_one(bike.memory_id, Edit(fact=fact), actor="operator:ada")

    async def told() -> tuple[str, bool]:
        file = (await talk.replies("ltm export")).file
        assert file is not None
        return await talk.says(f"ltm why {bike.memory_id}"), b"reworded_by_operator_at" in file.content

    await reworded("Alice rides a blue bike")
    why, exported = await told()
    [line] = [line for line in why.splitlines() if "reworded" in line]
    assert line.startswith("An admin reworded it on 2025-06-01 12:01 UTC.")
    assert "Source: an admin's text. Before that: asked to remember" in why.splitlines()
    assert "Confidence 100%, of the earlier text, 1 piece of evidence." in why
    chinese = await talk.says(f"记忆 依据 {bike.memory_id}")
    assert "来源：管理员修改过。修改前：" in chinese
    assert "100%（修改前的文字）" in chinese
    assert exported
    # What was said is neither dated as if it had been the operator's words, nor out of reach.
    present, earlier = (await talk.says("ltm why-not blue bike")).splitlines()
    assert "reworded by an admin on 2025-06-01 12:01 UTC" in present
    assert "blue" in await talk.says(f"ltm why {earlier.split()[0]}")
    await reworded("my bike is blue")
    why, exported = await told()
    assert "reworded" not in why
    assert "admin" not in why
    assert not exported


async def test_times_are_those_of_the_operator(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db", zone=timezone(timedelta(hours=8), "CST"))
    async with at_work(world, AUTO) as talk:
        await talk.tells("I'm allergic to peanuts")
        assert "2025-06-01 20:02 UTC+08:00" in await talk.says("ltm list")
        assert "2025-06-01 20:02 UTC+08:00" in await talk.root("ltm status")
        for command in ("why", "why-not"):
            assert "2025-06-01 20:00 UTC+08:00" in await talk.says(f"ltm {command} peanuts")


async def test_a_share_is_rounded_as_the_page_rounds_it(talk: Talk) -> None:
    await talk.tells("I live in Oslo")
    with closing(sqlite3.connect(talk.world.file)) as store:
        store.execute("UPDATE ltm_items SET confidence = ?", (0.95 * 0.9,))
        store.commit()
    assert "Confidence 85%" in await talk.says("ltm why Oslo")


async def test_what_replaces_another_says_so(talk: Talk) -> None:
    await talk.says("ltm add I live in Oslo")
    talk.world.clock.move(timedelta(seconds=1))
    said = (await talk.says("记忆 记 I live in Berlin")).splitlines()
    assert said[1:] == ["它取代了：User lives in Oslo"]
    talk.world.clock.move(timedelta(seconds=1))
    assert "\n" not in await talk.says("ltm add I live in Berlin")


async def test_the_exact_words_of_a_memory_mean_it_though_others_have_them_too(talk: Talk) -> None:
    for fact in ("I like green tea from Japan", "I like green tea"):
        await talk.says(f"ltm add {fact}")
    asked = "ltm why user likes green tea"
    assert (await talk.says(asked)).startswith("[preference] User likes green tea\n")
    for shop in "abcdefghijk":  # more than a list shows
        talk.world.clock.move(timedelta(seconds=1))
        await talk.says(f"ltm add I like green tea from shop {shop}")
    assert (await talk.says(asked)).startswith("[preference] User likes green tea\n")


async def test_an_edit_that_was_taken_back_is_no_earlier_content(talk: Talk) -> None:
    await talk.says("ltm add My shoe size is 41")
    [item] = (await talk.memory.browsing.items(ItemFilter())).rows
    for fact in ("User's shoe size is 45", "User's shoe size is 42"):
        talk.world.clock.move(timedelta(minutes=1))
        made = await talk.memory.review.edit_one(item.memory_id, Edit(fact=fact), actor="operator:x")
        if "45" in fact:
            await talk.memory.review.undo(made.decision_id, actor="operator:x")
    told = await talk.says("ltm why shoe size")
    assert "It replaced:\n- My shoe size is 41 (2025-06-01)" in told
    assert (told.count("size is 41 ("), "45" in told) == (1, False)


async def test_its_person_is_told_what_says_otherwise_than_what_waits(tmp_path: Path) -> None:
    async with talking(tmp_path, {"write_policy": {"mode": "shadow"}}) as talk:
        await talk.says("ltm add I live in Lyon")
        await talk.says("ltm add I like coffee")
        talk.world.clock.move(timedelta(seconds=1))
        await talk.tells("I live in Dijon")
        await talk.tells("I don't like coffee", KITCHEN)
        assert "Approving it replaces: User lives in Lyon" in (await talk.says("ltm why Dijon")).splitlines()
        coffee = (await talk.says("ltm list", KITCHEN)).splitlines()[1].split()[1]
        lines = (await talk.says(f"ltm why {coffee}")).splitlines()
        assert lines[-2].startswith("Says otherwise than: User likes coffee (approving it, ")
        assert lines[-1] == f"To accept it: /ltm keep {coffee}"
        assert (await talk.says(f"记忆 依据 {coffee}")).splitlines()[-2].startswith("与")
        # What the group may not read is not named there.
        assert "User likes coffee" not in await talk.says(f"ltm why {coffee}", KITCHEN)


async def test_words_that_fit_nothing_name_the_command_for_what_is_missing(talk: Talk) -> None:
    assert (await talk.says("ltm why shrimp")).endswith("What became of them: /ltm why-not shrimp")
    assert (await talk.says("记忆 为什么 虾")).endswith("查看原因：/记忆 为什么没有 虾")


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("now", RecallOutcome)
def test_every_outcome_is_told_in_both_languages(now: RecallOutcome, locale: Locale) -> None:
    one = Unused(item=an_item(), fate=(now, ""), then=None, newer=None, said_at=None, reworded_at=None)
    found = WhyNot(
        explained=[one],
        more=0,
        said=(),
        extraction_at={},
        last_at=NOW,
        recall_at=None,
        logged=True,
        unheard=False,
        reading=True,
        paused="",
        min_confidence=0.5,
        unread=Unread(count=0, at=None, stopped=False, soon=False),
    )
    assert told_of(found, None, Messages(locale))
    # That there was no recall is no outcome of one.
    for outcome in {*RecallOutcome} - {RecallOutcome.NO_RECALL}:
        then = Then(fate=(outcome, ""), status=Status.ACTIVE, stored_at=NOW, changed=True)
        asked_about = replace(found, explained=[replace(one, then=then)], recall_at=NOW)
        assert told_of(asked_about, None, Messages(locale))
