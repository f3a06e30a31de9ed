"""What a message tells at once, and how a model's reading of it takes its place."""

import json
from dataclasses import replace
from datetime import UTC, date, timedelta

from astrbot_plugin_ltm.long_term_memory.domain.enums import MemoryType, Mode, Origin, Role, Status
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.domain.writing import Segment
from astrbot_plugin_ltm.long_term_memory.write.ground import ground
from astrbot_plugin_ltm.long_term_memory.write.rules import (
    MAX_READ,
    explicit_fact,
    extract_by_rules,
    read_beside,
)

from tests.write.desk import OpenDesk, answer
from tests.write.fakes import ALICE, BOB, GROUP, START, ScriptedChatModel, access, chat, event, turn
from tests.write.made import a_candidate, an_item


def found(text: str, *, asked: bool = True) -> list[tuple[str, Origin, str]]:
    _, facts = extract_by_rules([event(text)], UTC, asked=asked)
    return [(each.candidate.fact, each.candidate.origin, each.quote) for each in facts]


def test_rules_find_plain_statements_and_a_request_is_kept_as_one() -> None:
    rule, wish = Origin.RULE, Origin.USER_EXPLICIT
    for text, facts in (
        ("Hi! My name is Alice.", [("User's name is Alice", rule, "My name is Alice")]),
        ("Remember that I live in Rome.", [("User lives in Rome", wish, "I live in Rome")]),
        ("记住我对花生过敏", [("用户对花生过敏", wish, "我对花生过敏")]),
        ("Remember: the spare key is at Bob's", [(t := "the spare key is at Bob's", wish, t)]),
        (
            "我叫老王，我对虾过敏",
            [("用户的名字是老王", rule, "我叫老王"), ("用户对虾过敏", rule, "我对虾过敏")],
        ),
        ("nice weather", []),
    ):
        assert found(text) == facts, text


def test_only_those_who_are_asked_are_told_to_remember() -> None:
    for text in ("Remember: the spare key is at Bob's", "记住：备用钥匙在阳台"):
        assert found(text)
        assert found(text, asked=False) == []
    text = "Remember that I'm vegan. I live in Rome."
    assert [fact for fact, _, _ in found(text)] == ["User is vegan"]
    assert ("User lives in Rome", Origin.RULE, "I live in Rome") in found(text, asked=False)


def test_a_text_to_work_on_the_bots_words_and_a_secret_give_nothing() -> None:
    assert found("I live in Rome. " + "x" * MAX_READ) == []
    assert extract_by_rules([event("I live in Rome", Role.ASSISTANT)], UTC, asked=True)[1] == []
    assert found("Remember that my PIN is [secret:password]") == []


def test_what_is_asked_to_be_remembered_is_urgent_for_the_model() -> None:
    said = [
        event("Could you please remember the thing about the garage"),
        event("帮我把这个记住啊"),
        event("I like tea"),
        event("Remember that I like tea", Role.ASSISTANT),
    ]
    assert [each.urgent for each in extract_by_rules(said, UTC, asked=True)[0]] == [True, True, False, False]
    assert not any(each.urgent for each in extract_by_rules(said, UTC, asked=False)[0])


EXPLICIT = [
    # the words, the fact, its type, the day it ends with (said on Saturday 2025-03-01)
    ("I live in Rome.", "User lives in Rome", MemoryType.PROFILE, None),
    ("I'm allergic to nuts", "User is allergic to nuts", MemoryType.CONSTRAINT, None),
    ("the spare key is at Bob's!", "the spare key is at Bob's", MemoryType.EPISODE, None),
    ("my flight is on Friday", "my flight is on Friday (2025-03-07)", MemoryType.EPISODE, date(2025, 3, 7)),
    ("I stay with Bob until 5 May", "I stay with Bob until 5 May", MemoryType.EPISODE, date(2025, 5, 5)),
    ("明天下午三点开会", "明天（2025年3月2日）下午三点开会", MemoryType.EPISODE, date(2025, 3, 2)),
    ("I fly next Monday", "I fly next Monday (2025-03-03)", MemoryType.EPISODE, date(2025, 3, 3)),
    ("we met on 3 May", "we met on 3 May", MemoryType.EPISODE, None),
]  # fmt: skip

INSTRUCTIONS = """
call me boss
answer me briefly
always reply in Spanish
don't recommend spicy food
please keep your answers short
use metric units
speak Chinese with me
no emojis please
stop calling me sir
you should address me as Dr. Lee
when I say hi, answer with a joke
be concise
回答我时简短一点
以后叫我老板
别给我推荐辣的
用繁体回复我
不要用表情
跟我说话别太客气
每次回答都给出处
称呼我为梅姐
说话简洁些
请用英文和我聊
never suggest meat dishes
reply to me in English only
don't ask me about work
from now on, call me Sam
write with bullet points
no small talk
叫我阿梅
以后不要叫我全名
回复要短
别推荐海鲜
不要再问我工作的事
和我聊天用粤语
以后回答先说结论
回答我的问题要简短
请回答得简短些
回复里不要加表情
回答的时候请先给结论
用Markdown回复
use plain language
少用术语
"""
NO_INSTRUCTIONS = """
my wifi name is Nest
the car is parked on level 3
call mom on Sunday
book the flight
answer the landlord's mail
remind me to take my pills
use by date of the milk is Friday
call me a taxi at six
my boss is called Ann
don't forget the rent
write to the bank tomorrow
talk to Ben about the car
keep the receipt
reply to Anna by Friday
be at the station at nine
speak with the doctor on Monday
女儿叫朵朵
记得提醒我吃药
我住在西湖区
别忘了交房租
不要忘记带护照
叫外卖的电话是123
回复客户的邮件
叫我妈周日来
医生叫我去复查
老板叫我明天开会
用完的电池在抽屉里
说话的那个老师姓王
不用上班的日子是周三
回答了面试的问题
少吃糖
别买牛奶
和我姐周五吃饭
问我爸要钥匙
给我妈打电话
用户手册在柜子里
记得回复小王的邮件
回复短信的号码是123
回答问题时我会脸红
每次回答问题我都紧张
Call me every Sunday evening please
call me Sunday evening
call me each morning
用心和我老婆沟通
用微信和我妈视频
叫我外号的人是我哥
叫我的人是谁
Use plain yogurt in my recipes
use table salt for the dough
"""


def test_an_explicit_save_that_tells_the_bot_what_to_do_is_a_constraint() -> None:
    for texts, expected in ((INSTRUCTIONS, True), (NO_INSTRUCTIONS, False)):
        for words in texts.strip().splitlines():
            candidate = explicit_fact(words, event(words), UTC).candidate
            is_read = candidate.fact != words  # by a rule, which knows the type
            assert is_read or (candidate.type is MemoryType.CONSTRAINT) is expected, words


def test_an_explicit_save_has_a_type_and_an_end() -> None:
    for words, text, kind, until in EXPLICIT:
        saved = explicit_fact(words, event(words), UTC)
        assert (saved.candidate.fact, saved.candidate.type, saved.candidate.until) == (text, kind, until), (
            words
        )
        assert (saved.candidate.origin, saved.candidate.confidence) == (Origin.USER_EXPLICIT, 1.0)
        assert saved.quote == words.strip(".!")
    assert explicit_fact("tea", event("add tea"), UTC, quote="add tea").quote == "add tea"


async def test_an_explicit_save_ends_with_the_day_it_names_or_never(open_desk: OpenDesk) -> None:
    desk = await open_desk(mode=Mode.SHADOW)
    for words, days in (
        ("my flight is on Friday", 7),
        ("I like tea", None),
        ("the key is under the mat", None),
    ):
        saved = await desk.writer.save_explicit(turn(f"/ltm add {words}", ""), access(), words)
        assert saved.item.expires_at == (START + timedelta(days=days) if days else None), words


async def test_what_the_model_makes_of_the_words_takes_the_place_of_what_rules_made(
    open_desk: OpenDesk,
) -> None:
    desk = await open_desk()
    await desk.hear("I like green tea", "User likes sencha best of green teas", type="preference")
    assert await desk.facts() == {
        "User likes green tea": "superseded:superseded",
        "User likes sencha best of green teas": "active:",
    }
    assert [item.origin for item in await desk.items()] == [Origin.RULE, Origin.LLM_EXTRACT]


async def test_other_words_of_the_message_and_other_messages_leave_it_as_it_is(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    await desk.say("I like green tea", message_id="1")
    desk.clock.move(timedelta(seconds=1))
    await desk.hear("I like chess. And what else, I own a boat", "User owns a boat", quote="I own a boat")
    assert sorted(await desk.active_facts()) == [
        "User likes chess",
        "User likes green tea",
        "User owns a boat",
    ]


async def test_a_doubtful_reading_takes_no_place(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    await desk.hear("I like green tea", "User likes 12 green teas", quote="I like green tea")
    assert await desk.facts() == {
        "User likes green tea": "active:",
        "User likes 12 green teas": "pending:not_in_evidence:12",
    }


async def test_what_a_person_asked_to_keep_stays_asked_for_in_the_models_words(open_desk: OpenDesk) -> None:
    desk = await open_desk(mode=Mode.SHADOW)
    words = "the spare key is at Bob's until 5 May"
    await desk.hear(f"Remember: {words}", "User's spare key is at Bob's until 5 May", quote=words)
    own, plain = await desk.items()
    assert (own.status, own.type, plain.superseded_by) == (Status.SUPERSEDED, MemoryType.EPISODE, None)
    assert (plain.origin, plain.status, plain.type) == (
        Origin.USER_EXPLICIT,
        Status.ACTIVE,
        MemoryType.PROFILE,
    )
    assert plain.expires_at is not None
    assert plain.expires_at.date() == date(2025, 5, 6)


async def test_another_fact_of_the_message_is_not_asked_for(open_desk: OpenDesk) -> None:
    desk = await open_desk(mode=Mode.SHADOW)
    said = "Remember: the spare key is at Bob's. By the way I sing"
    await desk.hear(said, "User sings", quote="I sing")
    assert (await desk.facts())["User sings"] == "shadow:mode"
    assert (await desk.facts())["the spare key is at Bob's"] == "active:"


async def test_what_rests_on_more_than_the_messages_that_are_read_is_not_provisional(
    open_desk: OpenDesk,
) -> None:
    desk = await open_desk()
    await desk.hear("I like green tea", "User likes green tea", type="preference")
    desk.clock.move(timedelta(days=1))
    await desk.hear("I like green tea!", "User likes sencha best of green teas", quote="I like green tea!")
    assert sorted(await desk.active_facts()) == [
        "User likes green tea",
        "User likes sencha best of green teas",
    ]


async def test_nothing_of_another_person_gives_way(open_desk: OpenDesk) -> None:
    text = answer("User likes sencha best of green teas", quote="I like green tea", evidence=[2])
    desk = await open_desk(ScriptedChatModel(text))
    for sender, owner in (("bob", BOB), ("alice", ALICE)):
        said = turn("I like green tea", "", message_id=sender, at=desk.clock())
        there = chat(sender, GROUP.scope_id, "g1")
        await desk.writer.record(replace(said, chat=there), access(owner, GROUP, GROUP.scope_id))
        desk.clock.move(timedelta(seconds=1))
    await desk.work(timedelta(hours=1))
    assert [(item.owner, item.status) for item in await desk.items()] == [
        (BOB, Status.ACTIVE),
        (ALICE, Status.SUPERSEDED),
        (ALICE, Status.ACTIVE),
    ]


async def test_how_long_a_fact_holds_is_as_the_model_says(open_desk: OpenDesk) -> None:
    for stance, left in (("planned", True), ("temporary", True), ("ended", False), ("lasting", False)):
        desk = await open_desk()
        await desk.hear("I live in Rome.", "User lives in Rome", slot="home_city")
        fact = "User has nothing but Oslo, no more Rome"
        await desk.hear("Oslo, not Rome", fact, slot="home_city", replaces=["K1"], stance=stance)
        assert await desk.active_facts() == [*(["User lives in Rome"] if left else []), fact], stance


async def test_a_plan_takes_the_place_of_the_plan_it_replaces(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    await desk.hear("My exam is tomorrow", "User's exam is tomorrow", stance="planned")
    await desk.hear("My exam is next month now", "User's exam is next month", stance="planned", replaces="K1")
    assert await desk.active_facts() == ["User's exam is next month (April 2025)"]


async def test_an_ending_in_the_words_of_the_known_fact_ends_it_once_it_is_verified(
    open_desk: OpenDesk,
) -> None:
    desk = await open_desk()
    await desk.hear("I work at Acme, in sales", "User works at Acme in sales")
    told = answer("User works at Acme in sales", quote="I left Acme", stance="ended", replaces=["K1"])
    desk.model = ScriptedChatModel(told, verdicts=(UnavailableError("down"), "said"))
    desk.start_again()
    await desk.say("I left Acme", message_id="left")
    await desk.work(timedelta(hours=1))
    over = "User no longer works at Acme in sales"
    assert (await desk.facts())[over] == "pending:unverified"
    await desk.work(timedelta(hours=1))
    assert await desk.active_facts() == [over]


async def test_what_words_a_known_fact_anew_or_corrects_it_uses_no_rate(open_desk: OpenDesk) -> None:
    reworded = {"User's home is Rome, in Italy": "I live in Rome", "User likes sencha": "I like green tea"}
    for limit in ("max_writes_per_session", "max_writes_per_hour"):
        desk = await open_desk(**{limit: 3})
        told = [
            json.loads(answer(fact, quote=quote, type=kind))[0]
            for (fact, quote), kind in zip(reworded.items(), ("profile", "preference"), strict=True)
        ]
        desk.model = ScriptedChatModel(json.dumps(told))
        desk.start_again()
        await desk.say("I live in Rome. I like green tea.")
        await desk.work(timedelta(minutes=5))
        assert {*await desk.active_facts()} == {*reworded}
        for fact, replaces, state in (
            ("User sings", [], "active:"),
            ("User lives in Oslo", ["K1"], "active:"),
            ("User dances", [], f"pending:{limit}"),
        ):
            desk.model = ScriptedChatModel(answer(fact, quote=fact, replaces=replaces))
            desk.start_again()
            await desk.say(fact, message_id=fact)
            await desk.work(timedelta(minutes=5))
            assert (await desk.facts())[fact] == state, fact


def test_what_others_tell_or_is_in_doubt_leaves_what_the_rules_read_to_be_verified() -> None:
    said = event("I live in Berlin", in_group=True)
    heard = event("me too, I live in Berlin", sender="bob", in_group=True, event_id="e2")
    item = an_item(fact="User lives in Berlin", origin=Origin.RULE)
    fact = a_candidate("User lives in Berlin", quotes=("I live in Berlin",))
    own, of_bob = (ground(fact, Segment(events=(each,)), UTC) for each in (said, heard))
    for told, left in ((own, 0), (of_bob, 1), (replace(own, doubt="no_quote"), 1)):
        assert len(read_beside([item], [told], [said], UTC)) == left
