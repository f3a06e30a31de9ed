"""What is kept of what is said, under which mode it is used, and what is never learnt."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from tests.host.harness.answers import CallTool, Fail
from tests.host.harness.asking import block_given
from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.waiting import wait_for
from tests.verifying import all_said

ADMIN = Person("admin")

pytestmark = pytest.mark.usefixtures("model")

type Newcomer = Callable[[str], Person]

told_in_both = pytest.mark.parametrize(
    ("told", "fact", "asked"),
    [
        ("I'm allergic to shrimp", "User is allergic to shrimp", "What should I cook?"),
        ("我对虾过敏", "用户对虾过敏", "晚饭吃什么？"),
    ],
    ids=["en", "zh"],
)


@told_in_both
def test_in_shadow_mode_nothing_learnt_is_given_until_all_is_approved(
    cautious_host: Host, model: ScriptedModel, newcomer: Newcomer, told: str, fact: str, asked: str
) -> None:
    host, person = cautious_host, newcomer("Sam")
    host.say(person, told)
    item = host.memories.wait_for(person, fact)[fact]
    assert (item["status"], item["reason"]) == ("shadow", "mode")
    assert block_given(host, model, person, asked) == ""
    host.say(ADMIN, "/ltm approve all")
    item = host.memories.of(person)[fact]
    assert (item["status"], item["reason"]) == ("active", "")
    assert fact in block_given(host, model, person, asked)


@pytest.mark.parametrize(
    ("said", "fact", "told_as", "asked"),
    [
        (
            "Remember that my sister collects old maps",
            "my sister collects old maps",
            "[episode] User said: my sister collects old maps",
            "What does my sister collect?",
        ),
        (
            "记住：我的车停在地下二层",
            "我的车停在地下二层",
            "[episode] 用户说：我的车停在地下二层",
            "我的车停在哪里？",
        ),
        ("请记住我对芒果过敏", "用户对芒果过敏", "[constraint] 用户对芒果过敏", "我能吃芒果吗？"),
        ("记住小红不吃辣", "小红不吃辣", "[episode] 用户说：小红不吃辣", "请小红吃什么好？"),
        (
            "Remember that my plumber comes on 14 July",
            "my plumber comes on 14 July",
            "[episode] User said: my plumber comes on 14 July",
            "Can I be away from 12 July to 16 July?",
        ),
    ],
    ids=[
        "en",
        "zh with a mark",
        "zh, a plain statement",
        "zh, what somebody does not eat",
        "en, a day without a year",
    ],
)
def test_in_shadow_mode_what_somebody_asks_to_remember_is_given_at_once_where_it_is_asked_for(
    cautious_host: Host,
    model: ScriptedModel,
    newcomer: Newcomer,
    said: str,
    fact: str,
    told_as: str,
    asked: str,
) -> None:
    host, person = cautious_host, newcomer("Sam")
    host.say(person, said)
    item = host.memories.wait_for(person, fact)[fact]
    assert (item["status"], item["origin"]) == ("active", "user_explicit")
    assert told_as in block_given(host, model, person, asked)


@told_in_both
def test_in_manual_mode_each_fact_waits_for_approval(
    cautious_host: Host, model: ScriptedModel, newcomer: Newcomer, told: str, fact: str, asked: str
) -> None:
    host, person = cautious_host, newcomer("Max")
    with host.plugin.configured({"write_policy": {"mode": "manual"}}):
        host.say(person, told)
        item = host.memories.wait_for(person, fact)[fact]
        assert (item["status"], item["reason"]) == ("pending", "mode")
        assert block_given(host, model, person, asked) == ""
        host.say(ADMIN, f"/ltm approve {item['memory_id'][:8]}")
        assert fact in block_given(host, model, person, asked)


def test_in_auto_mode_what_is_learnt_is_given_at_once(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    person = newcomer("Ada")
    host.say(person, "I live in Oslo")
    item = host.memories.wait_for(person, "User lives in Oslo")["User lives in Oslo"]
    assert (item["status"], item["reason"]) == ("active", "")
    assert "User lives in Oslo" in block_given(host, model, person, "Any news?")


def test_a_type_that_needs_approval_waits_even_when_it_is_asked_for(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    person = newcomer("Pat")
    with host.plugin.configured({"write_policy": {"require_approval_types": ["profile"]}}):
        host.say(person, "I live in Oslo")
        host.say(person, "/ltm add My name is Pat")
        items = host.memories.wait_for(person, "User lives in Oslo", "User's name is Pat")
        assert {(item["status"], item["reason"]) for item in items.values()} == {
            ("pending", "require_approval_types")
        }
        assert block_given(host, model, person, "Any news?") == ""


def test_a_fact_below_the_least_confidence_is_not_kept_and_the_audit_says_so(
    host: Host, newcomer: Newcomer
) -> None:
    person = newcomer("Uma")
    refused = "select 1 from ltm_audit where action = 'refuse' and reason = 'min_confidence'"
    host.memories.wait_until_extracted()  # nothing that others said is refused meanwhile
    before = len(host.memories.rows(refused))
    with host.plugin.configured({"write_policy": {"min_confidence": 0.99}}):
        host.say(person, "I live in Oslo")
        host.memories.wait_until_written()
    assert len(host.memories.rows(refused)) == before + 1
    assert host.memories.of(person) == {}


def test_a_fact_waits_in_shadow_until_enough_messages_support_it(host: Host, newcomer: Newcomer) -> None:
    person, fact = newcomer("Ned"), "User lives in Oslo"
    with host.plugin.configured({"write_policy": {"min_evidence_count": 2}}):
        host.say(person, "I live in Oslo")
        item = host.memories.wait_for(person, fact)[fact]
        assert (item["status"], item["reason"]) == ("shadow", "min_evidence_count")
        host.say(person, "As I said, I'm new. I live in Oslo.")
        host.memories.wait_until_written()
        item = host.memories.of(person)[fact]
        assert (item["status"], item["reason"], item["evidence_count"]) == ("active", "", 2)


def test_the_bots_echo_of_a_memory_is_no_evidence(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    person, fact = newcomer("Echo"), "User plays the theorbo"
    echo = {
        "type": "profile",
        "fact": fact,
        "fact_key": "instrument",
        "confidence": 0.9,
        "importance": 0.7,
    }
    told = {**echo, "evidence": [1], "quote": "I play the theorbo"}
    echoed = {**echo, "evidence": [2], "quote": "you play the theorbo"}
    model.extraction.always(lambda request: [echoed] if "you play the theorbo" in request.prompt else [told])
    host.say(person, "You know, I play the theorbo")
    host.memories.wait_until_extracted()
    learnt = host.memories.of(person)[fact]
    for question in ("What do I play?", "Tell me again", "And who am I?"):
        model.chat.will_answer("As far as I know, you play the theorbo.")
        assert fact in block_given(host, model, person, question)
    host.memories.wait_until_extracted()
    assert any("you play the theorbo" in request.prompt for request in model.extraction_requests)
    items = host.memories.of(person)
    assert list(items) == [fact]
    assert items[fact]["evidence_count"] == 1
    assert (items[fact]["confidence"], items[fact]["status"]) == (learnt["confidence"], "active")
    [evidence] = host.memories.evidence(items[fact]["memory_id"])
    assert (evidence["role"], evidence["quote"]) == ("user", "I play the theorbo")


def test_a_turn_is_recorded_in_the_persons_own_words(host: Host, newcomer: Newcomer) -> None:
    person = newcomer("Ray")
    host.say(person, "I live in Oslo")
    host.memories.wait_for(person, "User lives in Oslo")
    host.say(person, "What now?")
    assert host.memories.recorded(host.session_of(person)) == [
        ("user", "I live in Oslo"),
        ("assistant", "You said: I live in Oslo"),
        ("user", "What now?"),
        ("assistant", "You said: What now?"),
    ]


def test_commands_and_empty_messages_are_not_recorded(host: Host, newcomer: Newcomer) -> None:
    person = newcomer("Cody")
    for text in ("/ltm", "/ltm list", "/new", "/ltm 列表", "/help", "", "   "):
        host.turn(person, text)
        host.turn(person, text, group="quiet")
    assert host.memories.recorded(host.session_of(person)) == []
    assert host.memories.recorded(host.session_of(person, group="quiet")) == []


def test_a_run_that_a_timer_woke_neither_reads_nor_writes_memory(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    person = newcomer("Tim")
    host.say(person, "I'm allergic to shrimp")
    host.memories.wait_for(person, "User is allergic to shrimp")
    session = host.session_of(person)
    before = host.memories.recorded(session)
    job = {
        "name": "woken",
        "note": "I live in Oslo",
        "session": session,
        "cron_expression": "0 0 1 1 *",
        "enabled": False,
    }
    job_id = data(host.dashboard.post("cron/jobs", json=job))["job_id"]
    asked = len(model.chat_requests)
    data(host.dashboard.post(f"cron/jobs/{job_id}/run"))
    ended = "select 1 from cron_jobs where job_id = ? and status = 'completed'"
    wait_for(lambda: host.memories.rows(ended, job_id))
    data(host.dashboard.delete(f"cron/jobs/{job_id}"))
    [request] = model.chat_requests[asked:]
    assert "I live in Oslo" in request.prompt
    assert request.memory_blocks == []
    assert host.memories.recorded(session) == before


def found_by_the_model(kind: str, fact: str, *quotes: str) -> dict[str, Any]:
    return {
        "type": kind,
        "fact": fact,
        "fact_key": "",
        "confidence": 0.9,
        "importance": 0.7,
        "quote": list(quotes),
    }


def test_what_verification_refuses_neither_waits_nor_is_given_and_the_audit_says_why(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    person, said, fact = newcomer("Vera"), "Imagine I lived in a lighthouse", "User lives in a lighthouse"
    found = found_by_the_model("profile", fact, "I lived in a lighthouse")
    host.memories.wait_until_extracted()  # of what others said before
    model.extraction.always(lambda request: [found] if said in request.prompt else [])
    model.verification.always(lambda request: all_said(request.prompt, ruling="not_said"))
    refused = "select 1 from ltm_audit where action = 'refuse' and reason = 'not_said'"
    before = len(host.memories.rows(refused))
    host.say(person, said)
    host.memories.wait_until_extracted()
    assert fact in model.requests("verification")[-1].prompt
    assert len(host.memories.rows(refused)) == before + 1
    assert host.memories.of(person) == {}
    assert block_given(host, model, person, "Do I live in a lighthouse?") == ""


def test_in_a_group_who_answers_a_question_owns_the_fact_and_its_numbers_may_stand_in_the_question(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    ana, ben = newcomer("Ana"), newcomer("Ben")
    asked, answer = "Ben, is 3 October fine for you?", "No, christening of our Elsie"
    fact = "User has the christening of Elsie on 3 October"
    found = found_by_the_model("episode", fact, "is 3 October fine", answer) | {"about": "Ben"}
    model.extraction.always(lambda request: [found] if answer in request.prompt else [])
    model.chat.will_answer("Let us see.", "I see.")  # and not what was said
    host.say(ana, asked, group="christening")
    host.say(ben, answer, group="christening")
    item = host.memories.wait_for(ben, fact)[fact]
    assert (item["status"], item["reason"]) == ("active", "")
    assert host.memories.of(ana) == {}
    why = host.say(ben, f"/ltm why {item['memory_id'][:8]}", group="christening")
    assert answer in why
    assert asked not in why


def test_what_holds_for_a_whole_group_is_given_to_each_member_until_another_tells_a_change(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    ana, ben = newcomer("Ana"), newcomer("Ben")
    for member, asker, place, words in (
        (ana, ben, "Mill Lane", "We all meet in Mill Lane"),
        (ben, ana, "Oak Road", "No, Oak Road from now on"),
    ):
        found = found_by_the_model("profile", f"The club meets in {place}", words)
        found |= {"about": "group", "replaces": ["K1"]}
        model.extraction.always(
            lambda request, found=found, words=words: [found] if words in request.prompt else []
        )
        host.say(member, words, group="club")
        host.memories.wait_until_extracted()
        block = block_given(host, model, asker, "Where do we meet?", group="club")
        assert f"(said by {member.name}) The club meets in {place}" in block
    assert "Mill Lane" not in block


def test_a_booking_that_the_person_agreed_to_is_given_and_why_has_the_words_of_both(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    person, fact = newcomer("Bo"), "Flight AZ 613 to Rome is booked"
    offer, answer = "I can book flight AZ 613 to Rome for you. Shall I?", "Yes, please book it"
    found = found_by_the_model("episode", fact, "flight AZ 613 to Rome", answer)
    model.extraction.always(lambda request: [found] if answer in request.prompt else [])
    model.verification.always(lambda request: all_said(request.prompt, ruling="confirmed"))
    model.chat.will_answer(offer, "Done.")
    host.say(person, "How do I get to Rome?")
    host.say(person, answer)
    item = host.memories.wait_for(person, fact)[fact]
    assert (item["status"], item["origin"]) == ("active", "confirmed")
    assert f"(agreed) {fact}" in block_given(host, model, person, "Which flight to Rome was that?")
    why = host.say(person, f"/ltm why {item['memory_id'][:8]}")
    assert f'"{answer}" (you' in why
    assert "flight AZ 613 to Rome" in why.replace(fact, "")
    assert {line["role"] for line in host.memories.evidence(item["memory_id"])} == {"user", "assistant"}


@pytest.mark.parametrize(
    ("said", "learnt", "asked_for", "looked_for"),
    [
        ("I live in Quaggaville", "User lives in Quaggaville", "Please don't save this.", "Quaggaville"),
        ("我喜欢斑驴茶", "用户喜欢斑驴茶", "别记这个", "斑驴茶"),
    ],
    ids=["en", "zh"],
)
def test_what_is_not_to_be_kept_is_nowhere_afterwards_and_the_bot_goes_on(
    host: Host,
    model: ScriptedModel,
    newcomer: Newcomer,
    said: str,
    learnt: str,
    asked_for: str,
    looked_for: str,
) -> None:
    person = newcomer("Orla")
    host.say(person, "Good morning")
    host.say(person, said)
    host.memories.wait_for(person, learnt)
    assert host.say(person, asked_for) == f"You said: {asked_for}"
    whole = f"{said}. {asked_for}"
    told = host.say(person, whole).removeprefix(f"You said: {whole}").strip()
    assert told in (
        "This message is not kept. To forget what I know of it: /ltm forget <words>",
        "这条消息不保存。要忘记我已知道的：/记忆 忘记 ‹词语›",
    )
    assert host.memories.recorded(host.session_of(person)) == [
        ("user", "Good morning"),
        ("assistant", "You said: Good morning"),
    ]
    assert host.memories.of(person) == {}
    stored = {"ltm_events": "content", "ltm_evidence": "quote", "ltm_items": "fact", "ltm_recalls": "query"}
    for table, column in stored.items():
        assert not host.memories.rows(
            f"select 1 from {table} where instr({column}, ?)",  # noqa: S608 - names of columns
            looked_for,
        )
    model.chat.will_answer(CallTool("session_search", {"query": looked_for}), "Done.")
    host.new_conversation(person)
    assert host.say(person, "What did I tell you?").endswith("Done.")
    assert said not in str(model.chat_requests[-1].tool_replies)


def test_what_is_asked_not_to_be_kept_in_any_words_is_forgotten_and_the_next_reply_tells_it(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    person, said, fact = newcomer("Opal"), "There are zebroids in my shed", "User keeps zebroids in the shed"
    asked = "the shed had better stay between you, me and no disk"
    kept = found_by_the_model("profile", fact, said)
    withdrawn = found_by_the_model("episode", "User asks not to keep it", said, asked) | {
        "stance": "withdrawn"
    }
    answers = {asked: [withdrawn], said: [kept]}
    model.extraction.always(
        lambda request: [
            each for words, found in answers.items() if words in request.prompt for each in found
        ][:1]
    )
    host.say(person, said)
    host.memories.wait_for(person, fact)
    host.say(person, asked)
    wait_for(lambda: host.memories.of(person)[fact]["status"] == "deleted", timeout=30)
    recorded = [text for role, text in host.memories.recorded(host.session_of(person)) if role == "user"]
    assert recorded == ["[…]", "[…]"]
    for table, column in (("ltm_events", "content"), ("ltm_evidence", "quote"), ("ltm_recalls", "query")):
        looked_for = f"select 1 from {table} where instr({column}, 'zebroids')"  # noqa: S608 - names of columns
        assert not host.memories.rows(looked_for)
    told = host.say(person, "Good morning")
    assert told.endswith(f"Forgotten, as you asked: {fact}. Wrong? /ltm undo")
    assert fact in host.say(person, "/ltm undo")
    assert host.memories.of(person)[fact]["status"] == "active"


def test_a_pin_told_in_answer_to_the_bot_is_masked(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    person = newcomer("Pia")
    model.chat.will_answer("What PIN shall I set for the alarm?", "I have set 4827.")
    host.say(person, "Set up the alarm")
    assert host.say(person, "4827") == "I have set 4827."
    *_, (_, told), (_, read_back) = host.memories.recorded(host.session_of(person))
    assert "[secret:" in told
    assert "[secret:" in read_back
    assert not host.memories.rows(
        "select 1 from ltm_events where session_id = ? and instr(content, '4827')", host.session_of(person)
    )


def test_what_could_not_be_verified_waits_and_goes_on_by_itself_when_the_model_answers(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    person, said, fact = newcomer("Walt"), "In the evenings I carve spoons", "User carves spoons"
    found = found_by_the_model("preference", fact, "I carve spoons")
    model.extraction.always(lambda request: [found] if said in request.prompt else [])
    model.verification.always(Fail(400))
    host.say(person, said)
    host.memories.wait_until_extracted()
    item = host.memories.of(person)[fact]
    assert (item["status"], item["reason"]) == ("pending", "unverified")
    assert block_given(host, model, person, "What do I carve?") == ""
    model.verification.reset()
    host.plugin.reload()  # else it would be asked again after some minutes
    item = wait_for(
        lambda: found if (found := host.memories.of(person)[fact])["status"] == "active" else None
    )
    assert item["reason"] == ""
    assert fact in block_given(host, model, person, "What do I carve?")


def test_the_schema_refuses_an_item_without_evidence(host: Host, newcomer: Newcomer) -> None:
    person, fact = newcomer("Eve"), "User lives in Oslo"
    host.say(person, "I live in Oslo")
    memory_id = host.memories.wait_for(person, fact)[fact]["memory_id"]
    [item] = host.memories.rows("select * from ltm_items where memory_id = ?", memory_id)
    [evidence] = host.memories.rows("select * from ltm_evidence where memory_id = ?", memory_id)
    forged = {**item, "id": None, "memory_id": "forged", "fact_key": "forged"}
    link = {**evidence, "id": None, "evidence_id": "forged", "memory_id": "forged"}
    with closing(sqlite3.connect(host.database, timeout=10)) as connection:
        with pytest.raises(sqlite3.IntegrityError, match="an item needs evidence"):
            _insert(connection, "ltm_items", forged)
        with pytest.raises(sqlite3.IntegrityError, match="evidence"):
            connection.execute("delete from ltm_evidence where memory_id = ?", (memory_id,))
        _insert(connection, "ltm_evidence", link)
        _insert(connection, "ltm_items", forged)
        connection.rollback()
    assert list(host.memories.of(person)) == [fact]


def _insert(connection: sqlite3.Connection, table: str, row: dict[str, Any]) -> None:
    places = ", ".join(f":{name}" for name in row)
    connection.execute(f"insert into {table} ({', '.join(row)}) values ({places})", row)  # noqa: S608 - names of columns
