"""Another value, the contrary, the same again: one fact is in use, and its history can be read."""

import tempfile
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import (
    LIVE_STATUSES,
    Level,
    MemoryType,
    Mode,
    Origin,
    Stance,
    Status,
)
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Item
from astrbot_plugin_ltm.long_term_memory.domain.writing import MergeKind
from astrbot_plugin_ltm.long_term_memory.write.conflicts import PASSING
from astrbot_plugin_ltm.long_term_memory.write.tool_save import merge_by_key
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.stores import BOB, NOW
from tests.write.mind import MINUTE, Mind, a_mind, said_at

BEIJING = {"en": "User lives in Beijing", "zh": "用户住在北京"}
SHANGHAI = {"en": "User lives in Shanghai", "zh": "用户住在上海"}
LANGUAGES = pytest.mark.parametrize("language", ["en", "zh"])
HOME: dict[str, Any] = {"slot": "home_city"}


@pytest.fixture
async def mind(tmp_path: Path) -> AsyncGenerator[Mind]:
    async with a_mind(tmp_path) as new:
        yield new


@LANGUAGES
async def test_beijing_shanghai_beijing_ends_with_beijing_and_the_path_can_be_read(
    mind: Mind, language: str
) -> None:
    first = await mind.heard(BEIJING[language], **HOME)
    second = await mind.heard(SHANGHAI[language], **HOME)
    assert await mind.facts() == [SHANGHAI[language]]
    assert (await mind.item(first.memory_id)).superseded_by == second.memory_id
    assert (await mind.item(second.memory_id)).supersedes == (first.memory_id,)
    again = await mind.heard(BEIJING[language], **HOME)
    assert await mind.facts() == [BEIJING[language]]
    assert again == await mind.item(first.memory_id)
    assert (again.superseded_by, again.evidence_count) == (None, 2)
    assert (await mind.item(second.memory_id)).superseded_by == first.memory_id
    assert await mind.path(first.memory_id) == ["add", "supersede", "revive"]
    assert await mind.path(second.memory_id) == ["add", "supersede"]
    reasons = [entry.reason for _, entry in await mind.store.history(first.memory_id)]
    assert reasons[1] == f"superseded_by {second.memory_id}"


CONTRARY = [
    ("User likes cats", "User hates cats"),
    ("User hates cats", "User likes cats"),
    ("用户喜欢香菜", "用户讨厌香菜"),
    ("用户喜欢吃香菜", "用户不喜欢吃香菜"),
    ("User drinks coffee", "User no longer drinks coffee"),
    ("用户抽烟", "用户戒烟了"),
    ("User lives in Beijing", "User no longer lives in Beijing"),
    ("User has two kids", "User has three kids"),
    ("用户有两个孩子", "用户有三个孩子"),
]


async def test_the_contrary_leaves_one_of_the_two_in_use(tmp_path: Path) -> None:
    for before, after in CONTRARY:
        async with a_mind(tmp_path) as mind:
            await mind.hear(before)
            await mind.hear(after)
            left = (await mind.facts(), await mind.facts(Status.SUPERSEDED))
            assert left == ([after], [before])


BESIDE = [
    # two facts, each with its slot
    ("User has two cats", "", "User bought three tickets", ""),
    ("User ran 5 km on Monday", "", "User ran 10 km on Tuesday", ""),
    ("User likes tea", "", "User likes green tea", ""),
    ("用户的女儿叫小美", "", "用户的女儿叫小梅", ""),
    ("User has a dog", "pet", "User has a cat", "pet"),
    ("User is allergic to peanuts", "allergy", "User is allergic to shrimp", "allergy"),
    ("User likes chicken", "", "User likes chickpeas", ""),
    ("User likes chicken", "", "User does not like chickpeas", ""),
    ("User's name is Al", "name", "User goes by Sasha", "nickname"),
]


async def test_what_may_be_true_beside_it_stays_beside_it(tmp_path: Path) -> None:
    for one, slot, two, other in BESIDE:
        async with a_mind(tmp_path) as mind:
            await mind.hear(one, slot=slot)
            await mind.hear(two, slot=other)
            assert await mind.facts() == [one, two]


VALUES = [
    ("User lives in Beijing", "city", "User moved to Rome", "current_location"),
    ("User works at Siemens", "employer", "User is with OpenAI now", "company"),
    ("用户在联想工作", "单位", "用户去了华为", "employer"),
    ("User likes pizza best", "favorite_food", "Sushi it is", "favourite_food"),
]


async def test_another_value_of_a_slot_takes_its_place_in_whatever_words(tmp_path: Path) -> None:
    for one, slot, two, other in VALUES:
        for name in ("slot", "fact_key"):
            async with a_mind(tmp_path) as mind:
                for fact, value in ((one, slot), (two, other)):
                    changes: dict[str, Any] = {name: value}
                    await mind.hear(fact, **changes)
                assert (await mind.facts(), await mind.facts(Status.SUPERSEDED)) == ([two], [one])


# how long it holds


async def test_what_is_temporary_or_planned_displaces_nothing_lasting(mind: Mind) -> None:
    home = await mind.heard("User lives in Rome", **HOME)
    stay = await mind.hear("User stays in Oslo", stance=Stance.TEMPORARY, replaces=("m1",), **HOME)
    plan = await mind.hear("User moves to Lima", stance=Stance.PLANNED, replaces=("m1",), **HOME)
    assert await mind.facts() == ["User lives in Rome", "User stays in Oslo", "User moves to Lima"]
    assert [item.slot for item in (home, stay, plan) if item] == ["home_city", "", ""]
    await mind.hear("User lives in Oslo", **HOME)
    assert await mind.facts() == ["User stays in Oslo", "User moves to Lima", "User lives in Oslo"]


async def test_what_is_temporary_contradicts_nothing_lasting_but_what_is_temporary_too(mind: Mind) -> None:
    now, later = "User does not drink coffee", "User drinks coffee"
    await mind.hear(later)
    await mind.hear(now, stance=Stance.TEMPORARY)
    assert await mind.facts() == [later, now]
    await mind.hear("User likes cats", stance=Stance.TEMPORARY)
    await mind.hear("User hates cats", stance=Stance.TEMPORARY)
    assert await mind.facts() == [later, now, "User hates cats"]


async def test_a_stay_that_is_told_again_as_lasting_lasts(mind: Mind) -> None:
    for fact, kind, again in (
        ("User is in Rome", MemoryType.EPISODE, "User is in Rome"),
        ("用户住在青岛", MemoryType.PROFILE, "用户居住在青岛"),
    ):
        stay = await mind.heard(fact, type=kind, stance=Stance.TEMPORARY)
        assert stay.ttl_days == 30
        await mind.hear(fact, type=kind, stance=Stance.TEMPORARY)
        home = await mind.heard(again, stance=Stance.LASTING, near=[stay.memory_id], **HOME)
        assert (home.memory_id, home.type, home.slot) == (stay.memory_id, MemoryType.PROFILE, "home_city")
        assert (home.ttl_days, home.expires_at) == (None, None)
        short = await mind.heard(fact, type=kind, stance=Stance.TEMPORARY)
        assert (short.memory_id, short.expires_at) == (stay.memory_id, None)


async def test_a_plan_takes_the_place_of_the_plan_and_of_the_task_it_replaces(mind: Mind) -> None:
    for kind, before, after in (
        (MemoryType.PROFILE, Stance.PLANNED, Stance.PLANNED),
        (MemoryType.PROFILE, Stance.TEMPORARY, Stance.PLANNED),
        (MemoryType.TASK_STATE, Stance.LASTING, Stance.PLANNED),
    ):
        old = await mind.heard(f"User moves in May {kind} {before}", type=kind, stance=before)
        new = await mind.heard(
            f"It is June {kind} {before}", type=kind, stance=after, replaces=(old.memory_id,)
        )
        assert (await mind.item(old.memory_id)).superseded_by == new.memory_id


async def test_a_plan_lives_until_its_day_and_a_week_and_a_stay_no_shorter_than_it_is_told(
    mind: Mind,
) -> None:
    day = mind.now.date()
    in_june = f"in June {day.year + 1}"
    ahead = (date(day.year + 1, 6, 30) - day).days
    task, stay = MemoryType.TASK_STATE, Stance.TEMPORARY
    for fact, kind, stance, days in (
        (f"User's wedding is {in_june}", task, Stance.LASTING, ahead + 7),
        (f"User will fly to Lima {in_june}", MemoryType.EPISODE, Stance.PLANNED, ahead + 30),
        ("User is writing a report", task, Stance.LASTING, 7),
        (f"User stays in Rome until {in_june}", MemoryType.PROFILE, stay, ahead + 1),
        ("User stays in Oslo", MemoryType.PROFILE, stay, 30),
        (f"User likes the {in_june} concert", MemoryType.PREFERENCE, Stance.LASTING, 90),
    ):
        assert (await mind.heard(fact, type=kind, stance=stance)).ttl_days == days


async def test_a_correction_that_names_the_old_value_takes_its_place(mind: Mind) -> None:
    old = await mind.heard("User wants shaker doors with brass handles in the kitchen in dark green")
    now = "User wants shaker doors with brass handles in the kitchen in navy instead of dark green"
    new = await mind.heard(now, replaces=(old.memory_id,))
    assert ((await mind.item(old.memory_id)).superseded_by, await mind.facts()) == (new.memory_id, [now])


async def test_what_is_over_ends_the_old_fact_without_another_answer(mind: Mind) -> None:
    old = await mind.heard("User works at Siemens", slot="employer")
    end = await mind.heard(
        "User has left Siemens", stance=Stance.ENDED, replaces=(old.memory_id,), slot="employer"
    )
    assert (end.slot, await mind.facts()) == ("", ["User has left Siemens"])
    await mind.hear("User works at OpenAI", slot="employer")
    assert await mind.facts() == ["User has left Siemens", "User works at OpenAI"]


ENDINGS = [
    ("User works at Acme", "User works at Acme", "User no longer works at Acme"),
    ("User works at Acme", "User works for Acme", "User no longer works for Acme"),
    ("User is married to Anna", "User is married to Anna", "User no longer is married to Anna"),
    ("User's boat is in Nice", "User's boat is in Nice", "User's boat is in Nice (no longer)"),
    ("用户在腾讯工作", "用户在腾讯工作", "用户不再在腾讯工作"),
    ("用户的船在海口", "用户的船在海口", "用户的船在海口（不再）"),
]


async def test_an_ending_of_what_is_not_so_anyway_adds_no_words(tmp_path: Path) -> None:
    for holds in ("User avoids gluten", "User is not a nurse", "用户不吃肉"):
        async with a_mind(tmp_path) as mind:
            await mind.heard(holds)
            await mind.hear(holds, stance=Stance.ENDED)
            assert await mind.facts() == [holds]


@pytest.mark.parametrize("named", [True, False])
async def test_an_ending_in_the_words_of_what_it_ends_says_that_it_is_over(
    tmp_path: Path, named: bool
) -> None:
    for holds, told, over in ENDINGS:
        async with a_mind(tmp_path) as mind:
            old = await mind.heard(holds)
            ended: dict[str, Any] = {"stance": Stance.ENDED, "replaces": (old.memory_id,) if named else ()}
            event = mind.event(told)
            for _ in range(2):  # also when the same message is read again
                await mind.hear(told, event=event, **ended)
                assert (await mind.facts(), await mind.facts(Status.SUPERSEDED)) == ([over], [holds])
            await mind.hear(told, **ended)
            assert [item.evidence_count for item in await mind.all()] == [1, 2]
            await mind.hear(holds)
            assert await mind.facts() == [holds]


async def test_an_ending_in_words_of_its_own_keeps_them(tmp_path: Path) -> None:
    for holds, end in (
        ("User的男朋友叫陈屿,在一起两年多了。", "User和男朋友陈屿分了,周三晚上,陈屿提的;在一起两年多。"),
        ("User and boyfriend Tom are together for two years", "User and boyfriend Tom split after two years"),
    ):
        async with a_mind(tmp_path) as mind:
            old = await mind.heard(holds)
            await mind.hear(end, stance=Stance.ENDED, replaces=(old.memory_id,))
            assert (await mind.facts(), await mind.facts(Status.SUPERSEDED)) == ([end], [holds])


async def test_an_ending_in_near_words_says_that_it_is_over(tmp_path: Path) -> None:
    for holds, told, over in (
        (
            "User has a Netflix subscription",
            "User subscribes to Netflix",
            "User no longer subscribes to Netflix",
        ),
        ("User is a member of a gym", "User has a gym membership", "User no longer has a gym membership"),
    ):
        async with a_mind(tmp_path) as mind:
            old = await mind.heard(holds)
            await mind.hear(told, stance=Stance.ENDED, replaces=(old.memory_id,))
            assert (await mind.facts(), await mind.facts(Status.SUPERSEDED)) == ([over], [holds])


async def test_what_was_over_when_it_was_first_told_is_confirmed(mind: Mind) -> None:
    for fact, stance in (("User sold the boat", Stance.LASTING), ("User has left Acme", Stance.ENDED)):
        old = await mind.heard(fact, stance=stance)
        again = await mind.heard(fact, stance=Stance.ENDED, replaces=(old.memory_id,))
        assert (again.memory_id, again.fact, again.evidence_count) == (old.memory_id, fact, 2)


async def test_an_ending_ends_the_answer_that_it_names_and_no_other(mind: Mind) -> None:
    await mind.hear("User works at Siemens", slot="employer")
    await mind.hear("User left Bosch in May", stance=Stance.ENDED, slot="employer")
    assert len(await mind.facts()) == 2
    await mind.hear("User left Siemens in May", stance=Stance.ENDED, slot="employer")
    assert await mind.facts() == ["User left Bosch in May", "User left Siemens in May"]


async def test_what_was_forgotten_is_not_learnt_again_as_an_ending(mind: Mind) -> None:
    gone = await mind.heard("User works at Acme")
    await mind.change(gone.memory_id, status=Status.DELETED, deleted_at=mind.now)
    await mind.hear("User works at Acme", stance=Stance.ENDED)
    assert (mind.rule, await mind.facts()) == ("tombstone", [])


async def test_one_fact_may_replace_several(mind: Mind) -> None:
    old = [await mind.hear(fact) for fact in ("User has a cat", "User owns a dog", "User keeps bees")]
    ids = [item.memory_id for item in old if item]
    await mind.hear("User gave all animals away", stance=Stance.ENDED, replaces=(*ids[:2], "nobody"))
    assert await mind.facts() == ["User keeps bees", "User gave all animals away"]


async def test_words_read_late_replace_nothing_said_since(mind: Mind) -> None:
    old = await mind.heard("User works at Siemens")
    late = said_at(NOW - MINUTE)
    await mind.hear("User has left Siemens", stance=Stance.ENDED, replaces=(old.memory_id,), event=late)
    assert await mind.facts() == ["User works at Siemens"]


async def test_the_same_fact_of_two_persons_stays_two(mind: Mind) -> None:
    await mind.hear("Dentist is Dr. Wang", slot="name", person="dentist")
    await mind.hear("Dentist is Dr. Wang", slot="name", person="father's dentist")
    await mind.hear("User's name is Alice", slot="name")
    assert len(await mind.facts()) == 3


@pytest.mark.parametrize("other", [{"owner": BOB}, {"level": Level.PUBLIC}])
async def test_nothing_takes_the_place_of_what_is_of_another_scope_or_level(
    mind: Mind, other: dict[str, Any]
) -> None:
    await mind.hear("User lives in Beijing", **HOME)
    await mind.hear("User lives in Shanghai", event=mind.event(**other), **HOME)
    assert len(await mind.facts()) == 2


async def test_both_answers_of_one_message_hold(mind: Mind) -> None:
    event = mind.event("I am a nurse and a barista")
    await mind.hear("User works as a nurse", slot="job", event=event)
    second = await mind.heard("User works as a barista", slot="job", event=event)
    assert await mind.facts() == ["User works as a nurse", "User works as a barista"]
    assert second.slot == ""


async def test_one_message_read_twice_adds_nothing_but_the_models_own_wording(mind: Mind) -> None:
    event = mind.event("I like green tea")
    words: dict[str, Any] = {"event": event, "quote": event.text, "quotes": (event.text,)}
    rule = await mind.heard("User likes green tea", **words)
    await mind.hear("User really loves green tea", origin=Origin.LLM_EXTRACT, **words)
    assert [(item.fact, item.evidence_count) for item in await mind.all()] == [("User likes green tea", 1)]
    await mind.hear("User likes sencha", origin=Origin.LLM_EXTRACT, by_rules=[rule], **words)
    assert await mind.facts() == ["User likes sencha"]


# what was said when


async def test_words_read_late_are_history_beside_those_said_since(mind: Mind) -> None:
    newer = await mind.heard("User lives in Shanghai", **HOME)
    late = await mind.heard("User lives in Beijing", event=said_at(NOW - MINUTE), **HOME)
    assert (late.status, late.superseded_by, mind.rule) == (Status.SUPERSEDED, newer.memory_id, "outdated")
    assert await mind.facts() == ["User lives in Shanghai"]
    await mind.reject(newer.memory_id)
    late = await mind.item(late.memory_id)
    assert (late.status, late.reason, late.superseded_by) == (Status.PENDING, "replacement_rejected", None)


async def test_what_bears_a_time_to_come_since_the_clock_was_set_back_gives_way_to_what_is_said_now(
    mind: Mind,
) -> None:
    past, mind.now = mind.now, mind.now + timedelta(days=900)
    old = await mind.heard("User lives in Shanghai", **HOME)
    mind.now = past
    fact = mind.grounded("User lives in Oslo", slot="home_city", key="home")
    async with mind.store.transaction() as tx:
        assert (await merge_by_key(tx, fact, now=mind.now)).older == (old,)
    await mind.hear("User lives in Beijing", **HOME)
    assert await mind.facts() == ["User lives in Beijing"]
    late = await mind.heard("User lives in Rome", event=said_at(past), **HOME)
    assert late.status is Status.SUPERSEDED


async def test_of_two_messages_of_one_instant_the_one_read_later_holds(mind: Mind) -> None:
    await mind.hear("User lives in Beijing", event=said_at(NOW), **HOME)
    await mind.hear("User lives in Shanghai", event=said_at(NOW), **HOME)
    assert await mind.facts() == ["User lives in Shanghai"]


async def test_words_read_late_do_not_bring_back_what_was_superseded_since(mind: Mind) -> None:
    await mind.hear("User lives in Beijing", **HOME)
    between = mind.event()
    newer = await mind.heard("User lives in Shanghai", **HOME)
    late = await mind.heard("User lives in Beijing", event=between, **HOME)
    assert (late.status, late.superseded_by, late.evidence_count) == (
        Status.SUPERSEDED,
        newer.memory_id,
        2,
    )
    assert await mind.facts() == ["User lives in Shanghai"]


async def test_what_is_confirmed_late_counts_from_when_it_was_said(mind: Mind) -> None:
    await mind.hear("User likes cats")
    between = mind.event()
    await mind.hear("User likes cats", event=said_at(NOW))
    await mind.hear("User hates cats", event=between)
    assert await mind.facts() == ["User hates cats"]


# who is strong enough


async def test_a_doubted_newcomer_displaces_nothing_until_it_is_approved(mind: Mind) -> None:
    await mind.hear("User lives in Beijing", **HOME)
    doubted = await mind.heard("User lives in Shanghai", doubt="ungrounded", **HOME)
    assert (doubted.status, await mind.facts()) == (Status.PENDING, ["User lives in Beijing"])
    await mind.approve(doubted.memory_id)
    assert await mind.facts() == ["User lives in Shanghai"]


async def test_a_doubted_newcomer_is_out_of_date_once_the_older_is_heard_again(mind: Mind) -> None:
    await mind.hear("User lives in Beijing", **HOME)
    doubted = await mind.heard("User lives in Shanghai", doubt="ungrounded", **HOME)
    await mind.hear("User lives in Beijing", **HOME)
    assert (await mind.item(doubted.memory_id)).status is Status.SUPERSEDED
    assert await mind.approve(doubted.memory_id) is None


@pytest.mark.parametrize(("mode", "held"), [(Mode.SHADOW, Status.SHADOW), (Mode.MANUAL, Status.PENDING)])
async def test_among_those_that_wait_the_newer_takes_the_place_of_the_older(
    mind: Mind, mode: Mode, held: Status
) -> None:
    mind.policy = type(mind.policy)(mode=mode)
    await mind.hear("User lives in Beijing", **HOME)
    await mind.hear("User lives in Shanghai", **HOME)
    assert (await mind.facts(held), await mind.facts()) == (["User lives in Shanghai"], [])


async def test_what_waits_by_mode_does_not_displace_what_is_in_use(mind: Mind) -> None:
    old = await mind.heard("User lives in Beijing", **HOME)
    mind.policy = type(mind.policy)(mode=Mode.SHADOW)
    new = await mind.heard("User lives in Shanghai", **HOME)
    assert (await mind.facts(), new.supersedes) == (["User lives in Beijing"], (old.memory_id,))


async def test_a_waiting_item_that_is_freed_takes_the_place_it_waited_for(mind: Mind) -> None:
    await mind.hear("User likes cats")
    mind.policy = type(mind.policy)(mode=Mode.AUTO, min_evidence_count=2)
    await mind.hear("User hates cats")
    assert await mind.facts() == ["User likes cats"]
    await mind.hear("User hates cats")
    assert await mind.facts() == ["User hates cats"]


async def test_a_freed_item_takes_the_place_that_only_its_first_proposer_named(mind: Mind) -> None:
    old = await mind.heard("Project deadline is Monday")
    mind.policy = type(mind.policy)(mode=Mode.AUTO, min_evidence_count=2)
    await mind.hear("Project deadline is Friday", replaces=(old.memory_id,))
    assert await mind.facts() == ["Project deadline is Monday"]
    await mind.hear("Project deadline is Friday")
    assert await mind.facts() == ["Project deadline is Friday"]


async def test_a_freed_item_does_not_displace_what_was_said_after_it(mind: Mind) -> None:
    doubted = await mind.heard("User lives in Beijing", doubt="ungrounded", **HOME)
    between = mind.event()
    mind.policy = type(mind.policy)(mode=Mode.AUTO, min_evidence_count=2)
    await mind.hear("User lives in Shanghai", doubt="ungrounded", **HOME)
    mind.policy = type(mind.policy)(mode=Mode.AUTO)
    await mind.hear("User lives in Beijing", event=between, **HOME)
    assert (await mind.item(doubted.memory_id)).status is Status.PENDING


async def test_what_an_operator_disabled_is_neither_displaced_nor_brought_back(mind: Mind) -> None:
    off = await mind.heard("User lives in Beijing", **HOME)
    await mind.change(off.memory_id, status=Status.DISABLED)
    await mind.hear("User lives in Shanghai", **HOME)
    assert await mind.facts(Status.DISABLED) == ["User lives in Beijing"]
    await mind.hear("User resides in Beijing", **HOME)
    assert await mind.facts() == ["User lives in Shanghai"]


async def test_a_revival_in_doubt_displaces_nobody(mind: Mind) -> None:
    await mind.hear("User lives in Beijing", **HOME)
    await mind.hear("User lives in Shanghai", **HOME)
    await mind.hear("User lives in Beijing", doubt="ungrounded", **HOME)
    assert (await mind.facts(), await mind.facts(Status.PENDING)) == (
        ["User lives in Shanghai"],
        ["User lives in Beijing"],
    )


# what a proposer says it replaces


@pytest.mark.parametrize("other", [{"person": "Bob"}, {"event": said_at(NOW, owner=BOB)}])
async def test_a_proposer_replaces_nothing_of_another(mind: Mind, other: dict[str, Any]) -> None:
    old = await mind.heard("Project deadline is Monday")
    await mind.hear("Project deadline is Friday", replaces=(old.memory_id,), **other)
    assert len(await mind.facts()) == 2


# near by vectors


async def test_a_near_vector_confirms_when_nothing_in_the_words_differs(mind: Mind) -> None:
    old = await mind.heard("User enjoys hiking in the mountains")
    heard = await mind.heard("User likes mountain hiking a lot", near=[old.memory_id, "gone"])
    assert (heard.memory_id, heard.evidence_count) == (old.memory_id, 2)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("User likes cats", "User likes dogs"),
        ("User met Ann in Rome", "User met Bea in Rome"),
        ("User likes tea", "User likes green tea"),
        ("用户的女儿叫小美", "用户的女儿叫小梅"),
    ],
)
async def test_a_near_vector_is_not_enough(mind: Mind, one: str, two: str) -> None:
    old = await mind.heard(one)
    await mind.hear(two, near=[old.memory_id])
    assert await mind.facts() == [one, two]


# what is gone


@pytest.mark.parametrize(
    ("fact", "again"),
    [
        ("User is allergic to peanuts", "User has a peanut allergy"),
        ("用户喜欢咖啡", "用户爱喝咖啡"),
    ],
)
async def test_a_deleted_fact_is_not_learnt_again_in_other_words(mind: Mind, fact: str, again: str) -> None:
    gone = await mind.heard(fact)
    await mind.change(gone.memory_id, status=Status.DELETED, deleted_at=mind.now)
    await mind.hear(again)
    assert (mind.rule, await mind.facts()) == ("tombstone", [])
    await mind.hear(again, origin=Origin.USER_EXPLICIT)
    assert await mind.facts() == [again]


async def test_an_expired_fact_heard_again_is_back_and_lives_from_then(mind: Mind) -> None:
    old = await mind.heard("用户喜欢茶", type="preference")
    await mind.change(old.memory_id, status=Status.EXPIRED)
    mind.now += timedelta(days=100)
    back = await mind.heard("用户爱茶", type="preference")
    assert (back.memory_id, back.status) == (old.memory_id, Status.ACTIVE)
    assert back.expires_at == mind.now + timedelta(days=90)


async def test_what_comes_back_gets_another_key_when_its_own_is_taken(mind: Mind) -> None:
    key: dict[str, Any] = {"fact_key": "home"}
    first = await mind.heard("User lives in Beijing", **key)
    await mind.hear("User lives in Shanghai", **key)
    await mind.hear("User lives in Chengdu", **key)
    mind.policy = type(mind.policy)(mode=Mode.SHADOW)
    back = await mind.heard("User lives in Beijing", **key)
    assert (back.memory_id, back.status) == (first.memory_id, Status.SHADOW)
    assert back.fact_key != first.fact_key
    assert await mind.facts() == ["User lives in Chengdu"]


async def test_doubtful_words_give_way_to_those_that_vouch_for_the_fact(mind: Mind) -> None:
    await mind.hear("User is allergic to peanuts", doubt="tool_result")
    sure = await mind.heard("User has a peanut allergy")
    assert (sure.status, sure.fact, sure.evidence_count) == (Status.ACTIVE, "User has a peanut allergy", 2)


async def test_merging_is_only_looking(mind: Mind) -> None:
    await mind.hear("User lives in Beijing", **HOME)
    before = await mind.all()
    merged = await mind.merge("User lives in Shanghai", **HOME)
    assert (merged.kind, [item.fact for item in merged.older]) == (MergeKind.NEW, ["User lives in Beijing"])
    assert await mind.all() == before


# whatever is said


@dataclass(frozen=True, kw_only=True)
class Told:
    """One of the facts of the property, and what comes of it."""

    question: tuple[str, str, tuple[str, ...]]
    value: int
    person: str
    doubt: str
    minutes: int
    stance: Stance
    replaces: int
    """Which of the items so far; none where there is no such item."""
    rereads: bool
    """Whether a model reads in it the message before, of which a rule made the last item."""
    then: str


TOLD = st.builds(
    Told,
    question=st.sampled_from(
        [
            ("User lives in {}", "home_city", ("Beijing", "Oslo")),
            ("用户的职业是{}", "job", ("司机", "厨师")),
        ]
    ),
    value=st.integers(0, 1),
    person=st.sampled_from(["", "", "father"]),
    doubt=st.sampled_from(["", "", "", "ungrounded"]),
    minutes=st.sampled_from([0, 0, 0, -1, -3]),
    stance=st.sampled_from([Stance.LASTING, Stance.ENDED, *Stance]),
    replaces=st.integers(0, 9),
    rereads=st.booleans(),
    then=st.sampled_from(["", "", "", "", "approve", "reject", "forget", "expire"]),
)


@given(st.lists(TOLD, min_size=4, max_size=10))
@settings(max_examples=25)
async def test_whatever_is_said_one_answer_is_in_use_and_each_other_leads_to_its_end(
    told: list[Told],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with a_mind(Path(folder)) as mind:
            last: tuple[Item, Event] | None = None
            for each in told:
                before = await mind.all()
                last = await _hear(mind, each, before, last)
                _holds(await mind.all())
                await _then(mind, last[0] if last else None, each.then)
                _holds(await mind.all())


async def _hear(
    mind: Mind, told: Told, before: list[Item], last: tuple[Item, Event] | None
) -> tuple[Item, Event] | None:
    fact, slot, values = told.question
    fact, event, read = fact.format(values[told.value]), mind.event(), list[Item]()
    event = said_at(event.created_at + 2 * told.minutes * MINUTE)
    if told.rereads and last and last[0].origin is Origin.RULE:
        read, event = [last[0]], last[1]
    async with mind.store.transaction() as tx:
        stances = {item.memory_id: await tx.stance_of(item.memory_id) for item in before}
    item = await mind.hear(
        fact,
        slot=slot,
        person=told.person,
        doubt=told.doubt,
        event=event,
        stance=told.stance,
        replaces=tuple(each.memory_id for each in before[told.replaces : told.replaces + 1]),
        origin=Origin.LLM_EXTRACT if read else Origin.RULE,
        by_rules=read,
    )
    after = {each.memory_id: each.status for each in await mind.all()}
    for each in before:
        of_other = each.person != told.person
        lasts = told.stance in PASSING and not read and stances[each.memory_id] is Stance.LASTING
        if of_other or (lasts and each.status is Status.ACTIVE):
            assert after[each.memory_id] is each.status
    held = any(
        (each.fact, each.person, each.status) == (fact, told.person, Status.ACTIVE)
        and stances[each.memory_id] is not Stance.ENDED
        for each in before
    )
    if told.stance is Stance.ENDED and held and not told.doubt and event.created_at == mind.now:
        assert (fact, told.person) not in [
            (i.fact, i.person) for i in await mind.all() if i.status is Status.ACTIVE
        ]
    return (item, event) if item else None


async def _then(mind: Mind, item: Item | None, then: str) -> None:
    if item is None or item.status not in LIVE_STATUSES:
        return
    if then == "approve":
        await mind.approve(item.memory_id)
    elif then == "reject":
        await mind.reject(item.memory_id)
    elif then:
        status = Status.DELETED if then == "forget" else Status.EXPIRED
        await mind.change(item.memory_id, status=status)


def _holds(items: list[Item]) -> None:
    by_id = {item.memory_id: item for item in items}
    active = [item for item in items if item.status is Status.ACTIVE]
    answers = [(item.person, item.slot) for item in active if item.slot]
    assert len(answers) == len(set(answers))
    assert len(active) == len({(item.person, item.fact) for item in active})
    for item in items:
        assert (item.superseded_by is not None) == (item.status is Status.SUPERSEDED)
        seen, end = {item.memory_id}, item
        while end.superseded_by is not None:
            end = by_id[end.superseded_by]
            assert end.memory_id not in seen
            seen.add(end.memory_id)


async def test_a_replacement_may_name_the_person_that_the_replaced_fact_tells_of(mind: Mind) -> None:
    old = await mind.heard("User is adding her husband David to the card", type=MemoryType.TASK_STATE)
    await mind.hear("David has been added to the card", replaces=(old.memory_id,), person="Mia")
    assert (await mind.item(old.memory_id)).status is Status.ACTIVE
    await mind.hear("David has been added to the card", replaces=(old.memory_id,), person="David")
    assert (await mind.item(old.memory_id)).status is Status.SUPERSEDED


async def test_what_tells_of_another_and_of_the_user_replaces_a_fact_of_the_user(mind: Mind) -> None:
    old = await mind.heard("User can't teach on Tuesdays, because User chairs the falls committee")
    await mind.hear("User's sister Gwen chairs the falls committee", replaces=(old.memory_id,), person="Gwen")
    assert (await mind.item(old.memory_id)).status is Status.ACTIVE
    await mind.hear(
        "Gwen chairs the falls committee, User no longer does", replaces=(old.memory_id,), person="Gwen"
    )
    assert (await mind.item(old.memory_id)).status is Status.SUPERSEDED


async def test_a_replacement_may_name_a_person_whom_the_replaced_fact_labels_in_another_way(
    mind: Mind,
) -> None:
    old = await mind.heard("User's wife works at Siemens", person="wife")
    await mind.hear("Anna works at Bosch", replaces=(old.memory_id,), person="Anna")
    assert (await mind.item(old.memory_id)).status is Status.ACTIVE
    await mind.hear("Anna, User's wife, works at Bosch", replaces=(old.memory_id,), person="Anna")
    assert (await mind.item(old.memory_id)).status is Status.SUPERSEDED
