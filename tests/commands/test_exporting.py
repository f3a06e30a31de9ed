"""`/ltm export`: everything that is remembered of the one who asks, and nothing else."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

from astrbot_plugin_ltm.long_term_memory.commands.exporting import json_of
from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Role, Scope
from astrbot_plugin_ltm.long_term_memory.domain.memory import EvidenceInContext
from astrbot_plugin_ltm.long_term_memory.domain.review import Explained
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.running import AUTO, group, private
from tests.stores import NOW, an_event, an_evidence, an_item, keep, opened
from tests.test_commands import Talk, talking


async def exported(talk: Talk, person: str = "alice") -> dict[str, Any]:
    """What is in the file."""
    reply = await talk.replies("ltm export", private(person))
    assert reply.file is not None
    assert reply.file.name == "memories.json"
    return json.loads(reply.file.content)


async def test_a_person_gets_their_own_memories_with_the_words_they_rest_on(talk: Talk) -> None:
    await talk.says("ltm add my bike is blue")
    await talk.tells("Well, I live in Oslo now", group("alice"))
    await talk.says("ltm add my boat is green", private("bob"))
    await talk.waits_for("Oslo", "ltm list")
    reply = await talk.replies("ltm export")
    assert reply.text.startswith(
        "Here are your 2 memories with their evidence. What you told in several chats may count"
    )
    whole = await exported(talk)
    assert (whole["format"], whole["version"]) == ("astrbot_plugin_ltm/own-memories", 1)
    assert whole["account"] == "plat:alice"
    [bike, home] = whole["memories"]
    assert bike["fact"] == "my bike is blue"
    assert bike["evidence"] == [
        {"quote": "my bike is blue", "said_by": "you", "said_at": "2025-06-01T12:00:00+00:00"}
    ]
    assert (home["level"], home["audience"], home["status"]) == ("PUBLIC", "chat", "active")
    assert [one["quote"] for one in home["evidence"]] == ["I live in Oslo now"]


async def test_what_waits_is_in_the_file_and_what_is_over_or_forgotten_is_not(tmp_path: Path) -> None:
    async with talking(tmp_path, {}) as talk:
        await talk.tells("I live in Oslo")
        await talk.says("ltm add my bike is blue")
        await talk.says("ltm add my car is red")
        found = await talk.says("ltm search bike")
        await talk.says(f"ltm forget {found.splitlines()[1].split()[1]}")
        facts = {one["fact"]: one["status"] for one in (await exported(talk))["memories"]}
        assert facts == {"User lives in Oslo": "shadow", "my car is red": "active"}


async def test_who_is_unknown_gets_no_file(talk: Talk) -> None:
    reply = await talk.replies("ltm export")
    assert reply.file is None
    assert reply.text == "I have no memories from you, so there is nothing to export."
    assert (await talk.replies("记忆 导出")).text == "我没有你的记忆，没有可导出的内容。"


async def test_in_a_group_there_is_no_file(talk: Talk) -> None:
    await talk.says("ltm add my bike is blue")
    reply = await talk.replies("ltm export", group("alice"))
    assert reply.file is None
    assert reply.text.endswith("Send it to me in a private chat: /ltm export")
    assert (await talk.replies("记忆 导出", group("alice"))).text.endswith("请私聊我发送：/记忆 导出")


async def test_many_memories_are_all_in_the_file_once(talk: Talk) -> None:
    alice = ScopeRef(scope=Scope.USER, scope_id="plat:alice")
    facts = [f"Shelf {number} holds jam" for number in range(205)]
    async with opened(talk.world.file) as database:
        await keep(Store(database, talk.world.clock), *(an_item(fact, owner=alice) for fact in facts))
    assert sorted(one["fact"] for one in (await exported(talk))["memories"]) == sorted(facts)


async def test_the_accounts_of_one_person_export_the_same(tmp_path: Path) -> None:
    raw = {**AUTO, "identity": {"cross_platform_aliases": ["plat:phone=plat:alice"]}}
    async with talking(tmp_path, raw) as talk:
        await talk.says("ltm add my bike is blue")
        whole = await exported(talk, "phone")
        assert whole["account"] == "plat:phone"
        assert [one["evidence"][0]["said_by"] for one in whole["memories"]] == ["Alice"]


async def test_an_export_is_possible_while_the_memory_is_read_only(talk: Talk) -> None:
    await talk.says("ltm add my bike is blue")
    await talk.root("ltm readonly on")
    assert [one["fact"] for one in (await exported(talk))["memories"]] == ["my bike is blue"]


async def test_what_ends_says_when(tmp_path: Path) -> None:
    async with talking(tmp_path, AUTO) as talk:
        await talk.says("ltm add I am in Rome until June 2")
        [stay] = (await exported(talk))["memories"]
        assert stay["expires_at"] == (talk.world.clock.now + timedelta(days=2)).isoformat()
        assert stay["type"] == "episode"


def test_whom_it_is_about_and_who_said_it_is_told_without_the_ids_of_others() -> None:
    item = an_item("Bob keeps bees", person="Bob", relationship="brother", tags=("bees",))
    evidence = [
        EvidenceInContext(
            **vars(an_evidence(item, an_event())),
            role=role,
            sender_id=sender_id,
            sender_name=name,
            said_at=NOW,
            umo="plat:GroupMessage:kitchen",
        )
        for role, sender_id, name in (
            (Role.USER, "alice", "Alice"),
            (Role.USER, "a-secret-id", "Carol"),
            (Role.TOOL, "alice", "Alice"),
            (Role.ASSISTANT, "alice", "Alice"),
        )
    ]
    content = json_of([Explained(item=item, evidence=evidence)], private())
    assert b"a-secret-id" not in content
    assert b"kitchen" not in content
    [bees] = json.loads(content)["memories"]
    assert (bees["person"], bees["relationship"], bees["tags"]) == ("Bob", "brother", ["bees"])
    assert "backstory" not in bees
    assert [one["said_by"] for one in bees["evidence"]] == ["you", "Carol", "tool", "assistant"]
