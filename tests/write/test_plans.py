"""A plan does not take the place of what is so now: what is yet to come is no answer (design 5.4)."""

from datetime import timedelta
from typing import Any

import pytest

from tests.write.desk import Desk, OpenDesk, answer
from tests.write.fakes import ScriptedChatModel

HOME = {"slot": "home_city", "replaces": "K1"}


async def hear(desk: Desk, said: str, fact: str, **changes: Any) -> None:
    """Let Alice say it, and a model make this fact of it; another hour passes."""
    desk.model = ScriptedChatModel(answer(fact, quote=said, **changes))
    desk.start_again()
    await desk.say(said)
    await desk.work(timedelta(hours=3))


@pytest.mark.parametrize(
    ("now", "said", "fact"),
    [
        ("I live in Rome.", "From next month I live in Oslo", "User lives in Oslo from next month"),
        ("I live in Rome.", "As of May 2026 I live in Oslo", "User lives in Oslo as of May 2026"),
        ("我住在上海", "我下个月起住在杭州", "用户下个月起住在杭州"),
    ],
)
async def test_a_plan_and_what_is_so_now_are_both_kept(
    open_desk: OpenDesk, now: str, said: str, fact: str
) -> None:
    desk = await open_desk()
    await desk.say(now)
    await hear(desk, said, fact, **HOME)
    here, plan = await desk.items()
    assert (here.status, here.slot) == ("active", "home_city")
    assert (plan.status, plan.slot) == ("active", "")


@pytest.mark.parametrize(
    ("now", "said", "fact"),
    [
        ("I live in Rome.", "Since last month I live in Oslo", "User lives in Oslo since last month"),
        ("I live in Rome.", "I live in Oslo until May 2026", "User lives in Oslo until May 2026"),
        ("我住在上海", "我上个月起住在杭州", "用户上个月起住在杭州"),
    ],
)
async def test_what_is_so_since_or_until_a_day_is_so_now(
    open_desk: OpenDesk, now: str, said: str, fact: str
) -> None:
    desk = await open_desk()
    await desk.say(now)
    await hear(desk, said, fact, **HOME)
    before, here = await desk.items()
    assert (before.status, here.status, here.slot) == ("superseded", "active", "home_city")


async def test_a_plan_takes_the_place_of_the_plan_it_replaces(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    await hear(desk, "My exam is tomorrow", "User's exam is tomorrow", type="task_state")
    await hear(
        desk, "My exam is next month now", "User's exam is next month", type="task_state", replaces="K1"
    )
    assert await desk.active_facts() == ["User's exam is in April 2025"]


async def test_what_answers_the_same_question_is_replaced_where_a_model_says_so(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    slot = {"type": "task_state", "slot": "current_project"}
    await hear(desk, "我的小组这学期做机器人项目", "用户这学期做机器人项目", **slot)
    await hear(desk, "这学期做无人机项目", "用户这学期做无人机项目", replaces="K1", **slot)
    assert await desk.active_facts() == ["用户这学期做无人机项目"]


async def test_another_slot_or_other_words_are_not_replaced_whatever_a_model_says(
    open_desk: OpenDesk,
) -> None:
    desk = await open_desk()
    await hear(desk, "I play the tuba", "User plays the tuba", type="preference", slot="hobby")
    await hear(
        desk,
        "I collect old stamps",
        "User collects old stamps",
        type="preference",
        slot="hobby",
        replaces="K1",
    )
    assert len(await desk.active_facts()) == 2
