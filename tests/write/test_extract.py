from dataclasses import replace
from datetime import UTC

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event
from astrbot_plugin_ltm.long_term_memory.models import EVENTS, TOKENS
from astrbot_plugin_ltm.long_term_memory.policies.token_cap import DAILY_CAP
from astrbot_plugin_ltm.long_term_memory.prompts.transcript import MAX_KNOWN, segment_lines
from astrbot_plugin_ltm.long_term_memory.settings import ExtractionSettings
from astrbot_plugin_ltm.long_term_memory.text_analysis.tokens import tokens
from astrbot_plugin_ltm.long_term_memory.write.extract import LeasedBatch, affordable
from astrbot_plugin_ltm.long_term_memory.write.token_budget import LEAST_CAP

from tests.write.desk import Desk, OpenDesk, evidence_of
from tests.write.fakes import BOB, GROUP, START, access, chat, event, tool_use, turn
from tests.write.made import an_item

LONG = "I drink tea every single day of the week. " * 20


async def lease(desk: Desk) -> LeasedBatch | None:
    events = [event for event in await desk.events() if event.extraction.value == "pending"]
    return await desk.writer.lease(events, "gpt")


async def leased(desk: Desk) -> LeasedBatch:
    found = await lease(desk)
    assert found
    return found


def known(batch: LeasedBatch) -> list[str]:
    return [item.memory_id for item in batch.segment.known]


def cap(desk: Desk, tokens_a_day: int) -> None:
    desk.settings = ExtractionSettings(daily_token_cap=tokens_a_day)


async def test_a_lease_takes_the_batch_and_books_its_question(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    await desk.say("I drink tea")
    found = await leased(desk)
    (row,) = await desk.rows(TOKENS)
    assert (row["day"], row["provider_id"], row["calls"]) == ("2025-03-01", "gpt", 1)
    assert row["prompt_tokens"] + row["answer_tokens"] == found.reservation.total
    assert {row["lease"] for row in await desk.rows(EVENTS)} == {found.lease}
    assert "I drink tea" in found.prompt
    assert await lease(desk) is None
    assert len(await desk.rows(TOKENS)) == 1


async def test_what_nobody_said_is_neither_asked_about_nor_booked(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    await desk.writer.record_tool(tool_use("42"), access())
    assert await lease(desk) is None
    assert await desk.states() == ["skipped"]
    assert await desk.rows(TOKENS) == []


async def test_a_question_may_cost_all_that_is_left_and_no_token_more(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    await desk.say("I drink tea")
    price = (await leased(desk)).reservation.total
    await desk.store.events.release_all()
    cap(desk, 2 * price - 1)
    assert await lease(desk) is None
    (first, _) = await desk.events()
    assert (first.last_error, first.attempts) == (DAILY_CAP, 0)
    assert (await desk.rows(EVENTS))[0]["lease"] == ""
    cap(desk, 2 * price)
    assert await lease(desk)


async def test_a_batch_too_dear_for_any_day_is_asked_about_in_parts(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    for n in range(4):
        await desk.say(LONG, message_id=f"m{n}")
    cap(desk, LEAST_CAP + 2 * tokens(LONG) + 100)
    found = await leased(desk)
    assert len(found.segment.events) == 4
    assert found.reservation.total <= desk.settings.daily_token_cap


async def test_a_message_too_dear_for_any_day_is_passed_over_with_the_reason(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    await desk.say(LONG)
    cap(desk, LEAST_CAP + 50)
    assert await lease(desk) is None
    (said, _) = await desk.events()
    assert (said.extraction.value, said.last_error) == ("skipped", DAILY_CAP)


def test_a_part_is_as_large_as_a_day_allows() -> None:
    events = [event(f"I drink tea {n}", event_id=str(n)) for n in range(8)]
    for size in (8, 4, 2, 1):
        part = affordable(events, LEAST_CAP + tokens(segment_lines(events[:size], UTC)) + 1)
        assert part is not None
        assert len(part[0]) == size
    assert affordable(events, LEAST_CAP) is None


async def test_the_model_is_told_what_is_known_of_the_speaker(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    await desk.keep(
        an_item("m1", fact="User drinks tea"),
        an_item("m2", fact="User drinks tea in hiding", level=Level.RESTRICTED, fact_key="s"),
        an_item("m3", fact="Bob drinks tea", owner=BOB),
    )
    await desk.say("I drink tea")
    found = await leased(desk)
    assert known(found) == ["m1"]
    assert "[K1] U1: User drinks tea" in found.prompt
    assert "hiding" not in found.prompt


async def test_what_is_known_of_the_last_message_of_many_words_is_told_too(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    drinks = [an_item(f"m{n}", fact=f"User drinks word{n}", fact_key=f"m{n}") for n in range(60)]
    await desk.keep(*drinks, an_item("tires", fact="User's car needs its snow tires on", fact_key="t"))
    await desk.say("I drink " + " ".join(f"word{n}" for n in range(90)))
    await desk.say("The snow tires went on", message_id="second")
    found = known(await leased(desk))
    assert (len(found), "tires" in found) == (MAX_KNOWN, True)


async def test_what_the_bot_names_is_known_too_when_the_person_only_points_at_it(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    others = [an_item(f"m{n}", fact=f"User likes the one on page {n}", fact_key=f"m{n}") for n in range(60)]
    await desk.keep(*others, an_item("dentist", fact="User sees the dentist in May", fact_key="d"))
    await desk.say("the second one, page 7", reply="Moved: the dentist, 3 June at 9.")
    assert "dentist" in known(await leased(desk))


async def test_no_long_message_keeps_what_is_known_of_a_short_one_from_being_told(
    open_desk: OpenDesk,
) -> None:
    desk = await open_desk()
    words = [f"word{n}" for n in range(300)]
    long = [
        an_item(f"m{n}", fact=f"User likes {word} and {words[n + 1]}", fact_key=word)
        for n, word in enumerate(words[:200])
    ]
    await desk.keep(*long, an_item("work", fact="User works at the lake bakery", fact_key="w"))
    await desk.say(" ".join(words[:150]))
    await desk.say(" ".join(words[150:]), message_id="second")
    await desk.say("i quit my work", message_id="third")
    assert "work" in known(await leased(desk))


async def test_what_is_known_of_the_end_of_a_long_message_is_told(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    others = [an_item(f"m{n}", fact=f"用户喜欢第{n}家的点心", fact_key=f"m{n}") for n in range(60)]
    await desk.keep(*others, an_item("work", fact="用户在面包店上班", fact_key="w"))
    talk = "今天去逛街看到好多新开的店每一家都想进去坐坐结果走了半天脚都酸了"
    talk += "还下起雨来只好躲在车站里等了快一个小时才上车回到家里已经天黑了"
    await desk.say(f"{talk}，对了我从面包店辞职了")
    assert "work" in known(await leased(desk))


async def test_what_is_known_is_left_out_when_it_would_cost_too_much(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    await desk.keep(an_item("m1", fact="User drinks tea " + "x" * 180))
    await desk.say("I drink tea")
    cap(desk, LEAST_CAP + tokens(segment_lines((await desk.events())[1:], UTC)) + 1)
    found = await leased(desk)
    assert known(found) == []
    assert "[K1]" not in found.prompt


async def said_in(desk: Desk, item_id: str, fact: str, said: Event, **changes: object) -> None:
    item = an_item(item_id, fact=fact, fact_key=fact, level=Level.PUBLIC, **changes)
    async with desk.store.transaction() as tx:
        await tx.add_events([said])
        await tx.insert_item(item, [evidence_of(item, said)])


@pytest.mark.parametrize("speaker", ["alice", "bob"])
async def test_in_a_group_only_what_was_said_there_is_told(open_desk: OpenDesk, speaker: str) -> None:
    desk = await open_desk()
    here = event("tea", event_id="here", in_group=True)
    elsewhere = replace(here, event_id="elsewhere", at_scope=replace(GROUP, scope_id="another"))
    await said_in(desk, "m1", "Alice drinks tea", here)
    await said_in(desk, "m2", "Alice drinks tea elsewhere", elsewhere)
    await said_in(desk, "m3", "The group drinks tea", replace(here, event_id="ours"), owner=GROUP)
    for each in (here, elsewhere):
        async with desk.store.transaction() as tx:
            await tx.mark_events([each.event_id, "ours"], each.extraction.DONE)
    there = replace(turn("I drink tea too", at=START), chat=chat(speaker, umo=GROUP.scope_id, group_id="g1"))
    owner = BOB if speaker == "bob" else here.owner
    await desk.writer.record(there, access(owner, GROUP, GROUP.scope_id))
    found = await leased(desk)
    told = {"m1", "m3"} if speaker == "alice" else {"m3"}
    assert set(known(found)) == told
    assert "group: The group drinks tea" in found.prompt
