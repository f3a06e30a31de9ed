"""What each message was given and what not is on record, and people may ask why about their own."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.host.harness.asking import block_given
from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.waiting import wait_for

pytestmark = pytest.mark.usefixtures("model")

type Newcomer = Callable[[str], Person]

ADMIN = Person("admin")
SHRIMP, TEA = "User is allergic to shrimp", "User loves green tea"
ASKED = "What should I cook?"
UNRELATED = "What is the capital of Norway?"
GIVEN = re.compile(rf"{SHRIMP} \(said [^)]*\): included in the request")
NOTHING = "I found no memory with these words here, and no message from you that was kept."


def rows(host: Host, person: Person, *, group: str | None = None) -> list[dict[str, Any]]:
    """What is on record of somebody's messages in a chat, oldest first."""
    query = "select * from ltm_recalls where owner_scope_id = ? and session_id = ? order by id"
    return host.memories.rows(query, f"plat_a:{person.id}", host.session_of(person, group=group))


def logged(host: Host, person: Person, text: str, *, group: str | None = None) -> dict[str, Any]:
    """The row of the last message of these words, once it is there."""
    return wait_for(
        lambda: next((row for row in reversed(rows(host, person, group=group)) if row["query"] == text), None)
    )


def test_a_message_is_on_record_with_what_it_was_given_and_what_not(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice = newcomer("Alice")
    host.say(alice, "I'm allergic to shrimp. I love green tea")
    items = host.memories.wait_for(alice, SHRIMP, TEA)
    assert TEA not in block_given(host, model, alice, UNRELATED)
    row = logged(host, alice, UNRELATED)
    [given] = json.loads(row["injected"])
    [left_out] = json.loads(row["omitted"])
    assert given["id"] == items[SHRIMP]["memory_id"]
    assert 0 <= given["similarity"] <= given["score"] <= 1
    assert (left_out["id"], left_out["rule"]) == (items[TEA]["memory_id"], "not_relevant")
    assert (row["owner_scope"], row["level"], row["conversation_id"] != "") == ("user", 2, True)
    assert "shrimp" not in json.dumps({**row, "query": ""})
    host.memories.wait_until_used(alice, SHRIMP)
    assert host.memories.of(alice)[TEA]["access_count"] == 0


def test_a_message_that_was_given_nothing_is_on_record_with_the_reason(
    host: Host, newcomer: Newcomer
) -> None:
    nemo = newcomer("Nemo")
    host.say(nemo, ASKED)
    row = logged(host, nemo, ASKED)
    assert (row["injected"], row["omitted"], row["reason"]) == ("[]", "[]", "nothing_remembered")
    assert data(host.plugin.get("health"))["recall_log"] is True
    wait_for(lambda: counted(host) in host.say(ADMIN, "/ltm status"))


def counted(host: Host) -> str:
    """The recalls that health counts, as the status tells them; more may have come until it does."""
    health = data(host.plugin.get("health"))
    assert 1 <= health["recalls_empty"] <= health["recalls"]
    return f"{health['recalls']}, {health['recalls_empty']} of them"


def test_secrets_are_not_on_record_and_of_somebody_paused_no_words_are(
    host: Host, newcomer: Newcomer
) -> None:
    alice = newcomer("Alice")
    host.say(alice, "my wifi password is hunter2hunter2")
    assert logged(host, alice, "my wifi password is [secret:password]")
    host.say(alice, "/ltm pause")
    host.say(alice, "my dog is called Rex")
    paused = wait_for(lambda: next((r for r in rows(host, alice) if r["reason"] == "paused"), None))
    assert (paused["query"], paused["injected"]) == ("", "[]")
    assert "Rex" not in json.dumps(rows(host, alice))


def test_two_people_are_told_about_their_own_memories_in_this_chat_and_no_others(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    alice, bob = newcomer("Alice"), newcomer("Bob")
    host.say(alice, "I'm allergic to shrimp", group="bistro")
    host.say(alice, "I love green tea")
    host.say(bob, "I'm allergic to eggs")
    host.memories.wait_for(alice, SHRIMP, TEA)
    host.memories.wait_for(bob, "User is allergic to eggs")
    assert SHRIMP in block_given(host, model, alice, ASKED, group="bistro")
    assert SHRIMP in block_given(host, model, alice, UNRELATED)

    assert GIVEN.search(host.say(alice, "/ltm why-not shrimp", group="bistro"))
    assert GIVEN.search(host.say(alice, "/ltm why-not shrimp"))
    said = host.say(alice, "/ltm why-not tea")
    assert re.search(rf"{TEA} \(said [^)]*\): omitted for your last message here", said)
    assert "not relevant enough to the message." in said
    assert "关系不大" in host.say(alice, "/ltm 为什么没有 tea")
    assert NOTHING in host.say(alice, "/ltm why-not tea", group="bistro")
    assert NOTHING in host.say(alice, "/ltm why-not eggs")
    assert NOTHING in host.say(bob, "/ltm why-not shrimp", group="bistro")
    assert NOTHING in host.say(bob, "/ltm why-not tea")
    assert "learnt after your last message here" in host.say(bob, "/ltm why-not eggs")


def test_what_is_not_used_yet_says_why(cautious_host: Host, newcomer: Newcomer) -> None:
    host, person = cautious_host, newcomer("Wang")
    host.say(person, "我对花生过敏")
    host.memories.wait_for(person, "用户对花生过敏")
    said = host.say(person, "/记忆 为什么没有 花生")
    assert re.search(r"用户对花生过敏（[^）]* 说的）：尚未使用.*/记忆 接受", said)
    host.say(ADMIN, "/ltm approve all")
    assert "是在本会话中你的上一条消息" in host.say(person, "/记忆 为什么没有 花生")
    host.say(person, "我家的皮划艇又大又沉")
    assert re.search(
        r"“我家的皮划艇又大又沉”（.*）：尚未处理；计划于", host.say(person, "/记忆 为什么没有 皮划艇")
    )
    assert "条消息尚未处理，预计 " in host.say(person, "/记忆 列表")
    assert "下次提取：" in host.say(ADMIN, "/记忆 状态")
    assert data(host.plugin.get("health"))["next_reading_at"]
    assert data(host.plugin.post("jobs/read-now"))["hastened"] >= 1
    wait_for(lambda: "已处理；没有保存任何事实。" in host.say(person, "/记忆 为什么没有 皮划艇"))


def test_without_a_log_nothing_is_on_record_and_uses_are_counted_all_the_same(
    cautious_host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    host, person = cautious_host, newcomer("Ann")
    with host.plugin.configured({"recall_log_days": 0, "write_policy": {"mode": "auto"}}):
        host.say(person, "I'm allergic to shrimp")
        host.memories.wait_for(person, SHRIMP)
        assert SHRIMP in block_given(host, model, person, ASKED)
        host.memories.wait_until_used(person, SHRIMP)
        assert rows(host, person) == []
        assert "recalls are not logged" in host.say(person, "/ltm why-not shrimp")
