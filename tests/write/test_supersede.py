"""Another value, the contrary, the same again: one fact is in use, and its history can be read."""

import tempfile
from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.words import LIVE_STATUSES, Level, Mode, Origin, Status
from astrbot_plugin_ltm.long_term_memory.domain.writing import MergeKind
from astrbot_plugin_ltm.long_term_memory.write.keyed import merge_by_key
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
    first = await mind.hear(BEIJING[language], **HOME)
    second = await mind.hear(SHANGHAI[language], **HOME)
    assert first
    assert second
    assert await mind.facts() == [SHANGHAI[language]]
    assert (await mind.item(first.memory_id)).superseded_by == second.memory_id
    assert (await mind.item(second.memory_id)).supersedes == (first.memory_id,)
    again = await mind.hear(BEIJING[language], **HOME)
    assert await mind.facts() == [BEIJING[language]]
    assert again
    assert again == await mind.item(first.memory_id)
    assert (again.superseded_by, again.evidence_count) == (None, 2)
    assert (await mind.item(second.memory_id)).superseded_by == first.memory_id
    assert await mind.path(first.memory_id) == ["add", "supersede", "revive"]
    assert await mind.path(second.memory_id) == ["add", "supersede"]
    reasons = [entry.reason for _, entry in await mind.store.history(first.memory_id)]
    assert reasons[1] == f"superseded_by {second.memory_id}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("User likes cats", "User hates cats"),
        ("User hates cats", "User likes cats"),
        ("用户喜欢香菜", "用户讨厌香菜"),
        ("用户喜欢吃香菜", "用户不吃香菜"),
        ("User drinks coffee", "User no longer drinks coffee"),
        ("用户抽烟", "用户戒烟了"),
        ("User lives in Beijing", "User no longer lives in Beijing"),
    ],
)
async def test_the_contrary_leaves_one_of_the_two_in_use(mind: Mind, before: str, after: str) -> None:
    await mind.hear(before)
    await mind.hear(after)
    assert (await mind.facts(), await mind.facts(Status.SUPERSEDED)) == ([after], [before])


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ({"fact": "User has two cats"}, {"fact": "User has three cats"}),
        ({"fact": "User likes tea"}, {"fact": "User likes green tea"}),
        ({"fact": "用户的女儿叫小美"}, {"fact": "用户的女儿叫小梅"}),
        ({"fact": "User has a dog", "slot": "pet"}, {"fact": "User has a cat", "slot": "pet"}),
        (
            {"fact": "User is allergic to peanuts", "slot": "allergy"},
            {"fact": "User is allergic to shrimp", "slot": "allergy"},
        ),
        (
            {"fact": "User works as a nurse", "slot": "job"},
            {"fact": "User works as a barista", "slot": "job", "quote": "I also work as a barista"},
        ),
        (
            {"fact": "用户的职业是老师", "slot": "job"},
            {"fact": "用户的职业是摄影师", "slot": "job", "quote": "我还兼职做摄影师"},
        ),
        (
            {"fact": "User's name is Alexandra", "slot": "name"},
            {"fact": "User wants to be called Sasha", "slot": "name"},
        ),
        (
            {"fact": "User lives in Beijing", **HOME},
            {"fact": "User used to live in Shanghai", **HOME},
        ),
        ({"fact": "用户住在北京", **HOME}, {"fact": "用户打算搬到上海", **HOME}),
        ({"fact": "User lives in Beijing", **HOME}, {"fact": "User's mother lives in Oslo", **HOME}),
        (
            {"fact": "User likes pizza", "slot": "favorite_food"},
            {"fact": "User likes sushi", "slot": "favorite_food"},
        ),
        ({"fact": "User likes chicken"}, {"fact": "User likes chickpeas"}),
        ({"fact": "User likes chicken"}, {"fact": "User does not like chickpeas"}),
        (
            {"fact": "User is vegan", "slot": "diet"},
            {"fact": "User is lactose intolerant", "slot": "dietary_restriction"},
        ),
        ({"fact": "用户不吃香菜", "slot": "diet"}, {"fact": "用户不吃辣", "slot": "饮食习惯"}),
        (
            {"fact": "User graduated from Harvard", "slot": "university"},
            {"fact": "User studies at MIT", "slot": "university"},
        ),
        (
            {"fact": "User's birthday is May 3", "slot": "birthday"},
            {"fact": "User's wedding anniversary is on June 7", "slot": "birthday"},
        ),
        (
            {"fact": "User is 30 years old", "slot": "age"},
            {"fact": "User has a 5-year-old son", "slot": "age"},
        ),
        ({"fact": "User weighs 70 kg", "slot": "weight"}, {"fact": "User lost 5 kg", "slot": "weight"}),
        ({"fact": "用户住在上海", **HOME}, {"fact": "用户小时候住在北京", **HOME}),
        ({"fact": "用户住在上海", **HOME}, {"fact": "用户在北京住过三年", **HOME}),
        (
            {"fact": "用户在华为工作", "slot": "employer"},
            {"fact": "用户在腾讯工作过三年", "slot": "employer"},
        ),
    ],
)
async def test_what_may_be_true_beside_it_stays_beside_it(
    mind: Mind, one: dict[str, Any], two: dict[str, Any]
) -> None:
    await mind.hear(**one)
    await mind.hear(**two)
    assert await mind.facts() == [one["fact"], two["fact"]]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ({"slot": "city"}, {"slot": "current_location"}),
        ({"fact_key": "home city"}, {"fact_key": "User Location"}),
        ({}, {}),
    ],
)
async def test_a_slot_is_known_by_whatever_name_it_is_given(
    mind: Mind, one: dict[str, Any], two: dict[str, Any]
) -> None:
    await mind.hear("User lives in Beijing", **one)
    await mind.hear("User moved to Shanghai", **two)
    assert await mind.facts() == ["User moved to Shanghai"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("User lives in Oslo", {"fact": "User relocated to Lyon", "slot": "home_city"}),
        ("User works at Siemens", {"fact": "User got a new job at OpenAI", "slot": "employer"}),
        ("User works as a nurse", {"fact": "User runs a bakery", "slot": "job", "replaces": "m1"}),
        ("用户在联想工作", {"fact": "用户在华为工作"}),
        ("用户在华为工作", {"fact": "用户在理想汽车工作"}),
    ],
)
async def test_another_value_is_known_for_one_in_whatever_words(
    mind: Mind, before: str, after: dict[str, Any]
) -> None:
    await mind.hear(before)
    await mind.hear(**after)
    assert await mind.facts() == [after["fact"]]


@pytest.mark.parametrize(
    "fact", ["User used to live in Lyon", "User is visiting Lyon this week", "User's mother settled in Lyon"]
)
async def test_what_is_no_value_replaces_none_though_it_is_said_to(mind: Mind, fact: str) -> None:
    await mind.hear("User lives in Oslo")
    await mind.hear(fact, replaces="m1", **HOME)
    assert await mind.facts() == ["User lives in Oslo", fact]


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
    second = await mind.hear("User works as a barista", slot="job", event=event)
    assert await mind.facts() == ["User works as a nurse", "User works as a barista"]
    assert second
    assert second.slot == ""


async def test_one_message_read_twice_in_other_words_adds_nothing(mind: Mind) -> None:
    event = mind.event("I live in Beijing, in Haidian")
    await mind.hear("User lives in Beijing", event=event, **HOME)
    await mind.hear("User lives in Haidian, Beijing", event=event, origin=Origin.LLM_EXTRACT, **HOME)
    await mind.hear("User likes green tea", event=event)
    await mind.hear("User really loves green tea", event=event, origin=Origin.LLM_EXTRACT)
    assert await mind.facts() == ["User lives in Beijing", "User likes green tea"]
    assert [item.evidence_count for item in await mind.all()] == [1, 1]


# what was said when


async def test_words_read_late_are_history_beside_those_said_since(mind: Mind) -> None:
    newer = await mind.hear("User lives in Shanghai", **HOME)
    assert newer
    late = await mind.hear("User lives in Beijing", event=said_at(NOW - MINUTE), **HOME)
    assert late
    assert (late.status, late.superseded_by, mind.rule) == (Status.SUPERSEDED, newer.memory_id, "outdated")
    assert await mind.facts() == ["User lives in Shanghai"]


async def test_what_bears_a_time_to_come_since_the_clock_was_set_back_gives_way_to_what_is_said_now(
    mind: Mind,
) -> None:
    past, mind.now = mind.now, mind.now + timedelta(days=900)
    old = await mind.hear("User lives in Shanghai", **HOME)
    assert old
    mind.now = past
    fact = mind.grounded("User lives in Oslo", slot="home_city", key="home")
    async with mind.store.transaction() as tx:
        assert (await merge_by_key(tx, fact, now=mind.now)).older == (old,)
    await mind.hear("User lives in Beijing", **HOME)
    assert await mind.facts() == ["User lives in Beijing"]
    late = await mind.hear("User lives in Rome", event=said_at(past), **HOME)
    assert late
    assert late.status is Status.SUPERSEDED


async def test_of_two_messages_of_one_instant_the_one_read_later_holds(mind: Mind) -> None:
    await mind.hear("User lives in Beijing", event=said_at(NOW), **HOME)
    await mind.hear("User lives in Shanghai", event=said_at(NOW), **HOME)
    assert await mind.facts() == ["User lives in Shanghai"]


async def test_words_read_late_do_not_bring_back_what_was_superseded_since(mind: Mind) -> None:
    await mind.hear("User lives in Beijing", **HOME)
    between = mind.event()
    newer = await mind.hear("User lives in Shanghai", **HOME)
    late = await mind.hear("User lives in Beijing", event=between, **HOME)
    assert newer
    assert late
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
    doubted = await mind.hear("User lives in Shanghai", doubt="ungrounded", **HOME)
    assert doubted
    assert (doubted.status, await mind.facts()) == (Status.PENDING, ["User lives in Beijing"])
    await mind.approve(doubted.memory_id)
    assert await mind.facts() == ["User lives in Shanghai"]


async def test_a_doubted_newcomer_is_out_of_date_once_the_older_is_heard_again(mind: Mind) -> None:
    await mind.hear("User lives in Beijing", **HOME)
    doubted = await mind.hear("User lives in Shanghai", doubt="ungrounded", **HOME)
    await mind.hear("User lives in Beijing", **HOME)
    assert doubted
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
    old = await mind.hear("User lives in Beijing", **HOME)
    mind.policy = type(mind.policy)(mode=Mode.SHADOW)
    new = await mind.hear("User lives in Shanghai", **HOME)
    assert old
    assert new
    assert (await mind.facts(), new.supersedes) == (["User lives in Beijing"], (old.memory_id,))


async def test_a_waiting_item_that_is_freed_takes_the_place_it_waited_for(mind: Mind) -> None:
    await mind.hear("User likes cats")
    mind.policy = type(mind.policy)(mode=Mode.AUTO, min_evidence_count=2)
    await mind.hear("User hates cats")
    assert await mind.facts() == ["User likes cats"]
    await mind.hear("User hates cats")
    assert await mind.facts() == ["User hates cats"]


async def test_a_freed_item_takes_the_place_that_only_its_first_proposer_named(mind: Mind) -> None:
    old = await mind.hear("Project deadline is Monday")
    assert old
    mind.policy = type(mind.policy)(mode=Mode.AUTO, min_evidence_count=2)
    await mind.hear("Project deadline is Friday", replaces=old.memory_id)
    assert await mind.facts() == ["Project deadline is Monday"]
    await mind.hear("Project deadline is Friday")
    assert await mind.facts() == ["Project deadline is Friday"]


async def test_a_freed_item_does_not_displace_what_was_said_after_it(mind: Mind) -> None:
    doubted = await mind.hear("User lives in Beijing", doubt="ungrounded", **HOME)
    between = mind.event()
    assert doubted
    mind.policy = type(mind.policy)(mode=Mode.AUTO, min_evidence_count=2)
    await mind.hear("User lives in Shanghai", doubt="ungrounded", **HOME)
    mind.policy = type(mind.policy)(mode=Mode.AUTO)
    await mind.hear("User lives in Beijing", event=between, **HOME)
    assert (await mind.item(doubted.memory_id)).status is Status.PENDING


async def test_what_an_operator_disabled_is_neither_displaced_nor_brought_back(mind: Mind) -> None:
    off = await mind.hear("User lives in Beijing", **HOME)
    assert off
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


@pytest.mark.parametrize(
    ("fact", "left"),
    [
        ("Project deadline is Friday", 1),
        ("User likes tea", 2),
        ("User plans to move the project deadline", 2),
    ],
)
async def test_a_proposer_may_replace_what_the_fact_is_about_and_nothing_else(
    mind: Mind, fact: str, left: int
) -> None:
    old = await mind.hear("Project deadline is Monday")
    assert old
    await mind.hear(fact, replaces=old.memory_id)
    assert len(await mind.facts()) == left


@pytest.mark.parametrize("other", [{"person": "Bob"}, {"event": said_at(NOW, owner=BOB)}])
async def test_a_proposer_replaces_nothing_of_another(mind: Mind, other: dict[str, Any]) -> None:
    old = await mind.hear("Project deadline is Monday")
    assert old
    await mind.hear("Project deadline is Friday", replaces=old.memory_id, **other)
    assert len(await mind.facts()) == 2


# near by vectors


async def test_a_near_vector_confirms_when_nothing_in_the_words_differs(mind: Mind) -> None:
    old = await mind.hear("User enjoys hiking")
    assert old
    heard = await mind.hear("User is fond of walking in the mountains", near=[old.memory_id, "gone"])
    assert heard
    assert (heard.memory_id, heard.evidence_count) == (old.memory_id, 2)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("User likes cats", "User likes dogs"),
        ("User has 2 kids", "User has three children"),
        ("User met Ann in Rome", "User met Bea in Rome"),
        ("用户的女儿叫小美", "用户的女儿叫小梅"),
    ],
)
async def test_a_near_vector_is_not_enough(mind: Mind, one: str, two: str) -> None:
    old = await mind.hear(one)
    assert old
    await mind.hear(two, near=[old.memory_id])
    assert await mind.facts() == [one, two]


async def test_a_near_vector_shows_the_contrary_in_other_words(mind: Mind) -> None:
    old = await mind.hear("User is fond of felines")
    assert old
    await mind.hear("User hates cats", near=[old.memory_id])
    assert await mind.facts() == ["User hates cats"]


# what is gone


@pytest.mark.parametrize(
    ("fact", "again"),
    [
        ("User is allergic to peanuts", "User has a peanut allergy"),
        ("用户喜欢咖啡", "用户爱喝咖啡"),
    ],
)
async def test_a_deleted_fact_is_not_learnt_again_in_other_words(mind: Mind, fact: str, again: str) -> None:
    gone = await mind.hear(fact)
    assert gone
    await mind.change(gone.memory_id, status=Status.DELETED, deleted_at=mind.now)
    await mind.hear(again)
    assert (mind.rule, await mind.facts()) == ("tombstone", [])
    await mind.hear(again, origin=Origin.USER_EXPLICIT)
    assert await mind.facts() == [again]


async def test_an_expired_fact_heard_again_is_back_and_lives_from_then(mind: Mind) -> None:
    old = await mind.hear("用户喜欢茶", type="preference")
    assert old
    await mind.change(old.memory_id, status=Status.EXPIRED)
    mind.now += timedelta(days=100)
    back = await mind.hear("用户爱茶", type="preference")
    assert back
    assert (back.memory_id, back.status) == (old.memory_id, Status.ACTIVE)
    assert back.expires_at == mind.now + timedelta(days=90)


async def test_what_comes_back_gets_another_key_when_its_own_is_taken(mind: Mind) -> None:
    key: dict[str, Any] = {"fact_key": "home"}
    first = await mind.hear("User lives in Beijing", **key)
    await mind.hear("User lives in Shanghai", **key)
    await mind.hear("User lives in Chengdu", **key)
    assert first
    mind.policy = type(mind.policy)(mode=Mode.SHADOW)
    back = await mind.hear("User lives in Beijing", **key)
    assert back
    assert (back.memory_id, back.status) == (first.memory_id, Status.SHADOW)
    assert back.fact_key != first.fact_key
    assert await mind.facts() == ["User lives in Chengdu"]


async def test_doubtful_words_give_way_to_those_that_vouch_for_the_fact(mind: Mind) -> None:
    await mind.hear("User is allergic to peanuts", doubt="tool_result")
    sure = await mind.hear("User has a peanut allergy")
    assert sure
    assert (sure.status, sure.fact, sure.evidence_count) == (Status.ACTIVE, "User has a peanut allergy", 2)


async def test_merging_is_only_looking(mind: Mind) -> None:
    await mind.hear("User lives in Beijing", **HOME)
    before = await mind.all()
    merged = await mind.merge("User lives in Shanghai", **HOME)
    assert (merged.kind, [item.fact for item in merged.older]) == (
        MergeKind.SUPERSEDE,
        ["User lives in Beijing"],
    )
    assert await mind.all() == before


# whatever is said

TOLD = st.tuples(
    st.sampled_from(
        [
            ("User lives in {}", "home_city", ("Beijing", "Shanghai", "Oslo")),
            ("用户的职业是{}", "job", ("老师", "医生", "厨师")),
        ]
    ),
    st.integers(0, 2),
    st.sampled_from(["", "father"]),
    st.sampled_from(["", "", "", "ungrounded"]),
    st.integers(-3, 0),
    st.sampled_from(["", "", "", "", "approve", "reject", "forget", "expire"]),
)


@given(st.lists(TOLD, max_size=10))
@settings(max_examples=25)
async def test_whatever_is_said_one_answer_is_in_use_and_each_other_leads_to_its_end(told: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with a_mind(Path(folder)) as mind:
            for (fact, slot, values), value, person, doubt, minutes, then in told:
                event = mind.event()
                event = said_at(event.created_at + 2 * minutes * MINUTE)
                item = await mind.hear(
                    fact.format(values[value]), slot=slot, person=person, doubt=doubt, event=event
                )
                await _then(mind, item, then)
                _holds(await mind.all())


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
    active = [(item.person, item.slot) for item in items if item.status is Status.ACTIVE]
    assert len(active) == len(set(active))
    for item in items:
        assert (item.superseded_by is not None) == (item.status is Status.SUPERSEDED)
        seen, end = {item.memory_id}, item
        while end.superseded_by is not None:
            end = by_id[end.superseded_by]
            assert end.memory_id not in seen
            seen.add(end.memory_id)
