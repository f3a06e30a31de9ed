"""While somebody is paused: what they are told, and what the model is not."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat
from astrbot_plugin_ltm.long_term_memory.domain.writing import Completion

from tests.running import AUTO, ScriptedChatModel, World, group, private, until
from tests.test_commands import LLAMAS, Talk, at_work, talking

SAID = "We keep 42 llamas behind the barn"
SHADOW: Mapping[str, object] = {"extraction": {"batch_turns": 1}}
LATER: Mapping[str, object] = {"extraction": {"batch_turns": 2}}
PAUSED = "Nothing is learnt or recalled for you here at the moment: memory is paused at your own request"


def asked(talk: Talk, words: str) -> bool:
    return any(words in prompt for prompt in talk.world.model.prompts)


async def test_the_first_line_says_so_and_nothing_that_pauses_is_offered(tmp_path: Path) -> None:
    async with talking(tmp_path, {}) as talk:
        await talk.tells("I'm allergic to peanuts")
        await talk.tells(SAID)
        await talk.root("ltm pause")
        await talk.says("ltm pause")
        lines = (await talk.says("ltm list")).splitlines()
        assert lines[0].startswith(PAUSED)
        assert lines[-1] == (
            "2 of your messages from before the pause are not processed yet; they wait until the pause ends."
        )
        shown = "\n".join((*lines, await talk.says(f"ltm why {lines[2].split()[1]}")))
        assert "/ltm keep" not in shown
        assert "ltm approve" not in shown
        assert "not processed yet; waits until the pause ends" in await talk.says("ltm why-not llamas")
        assert "尚未使用" in (listed := await talk.says("记忆 列表"))
        assert listed.splitlines()[0].startswith("目前不记录你说的话，也不使用关于你的记忆：")
        assert listed.splitlines()[-1] == "暂停前还有你的 2 条消息尚未处理，暂停结束后继续。"
        assert "待审核" not in listed
        assert (await talk.root("ltm status")).startswith(PAUSED)
        assert "Next extraction" not in await talk.root("ltm status")


async def test_who_resumes_in_a_paused_group_is_told_that_it_stays_paused(tmp_path: Path) -> None:
    async with talking(tmp_path, {}) as talk:
        await talk.root("ltm pause group", group("root"))
        await talk.says("ltm pause")
        for resumed in ("Resumed: ", "Your memory was not paused."):
            first, second = (await talk.says("ltm resume", group("alice"))).splitlines()
            assert first.startswith(resumed)
            assert second.startswith("This group stays paused")
        assert "group" not in await talk.says("ltm resume")


@pytest.mark.parametrize("chat", [private(), group("alice")], ids=["private", "group"])
async def test_what_was_said_before_waits_and_is_read_afterwards(tmp_path: Path, chat: Chat) -> None:
    async with talking(tmp_path, LATER) as talk:
        talk.world.model.answer = LLAMAS
        await talk.tells(SAID, chat)
        await talk.says("ltm pause")
        for text in ("Good morning everybody", "The weather is fine today"):
            await talk.tells(text, group("bob"))
            assert "The model may learn more" not in await talk.says("ltm list", chat)
        await until(lambda: asked(talk, "The weather"))
        assert not asked(talk, "llamas")
        await talk.says("ltm resume")
        await talk.tells("And how are you all today?", chat)
        await until(lambda: asked(talk, SAID))
        await talk.waits_for("42 llamas", "ltm list")


async def test_a_pause_while_the_model_thinks_loses_nothing(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db")

    class Thinking(ScriptedChatModel):
        async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
            if not self.prompts:
                await talk.says("ltm pause")
            return await super().complete(umo=umo, system=system, prompt=prompt)

    world.model = Thinking(answer=LLAMAS)
    async with at_work(world, SHADOW) as talk:
        await talk.tells(SAID)
        await until(lambda: asked(talk, SAID))
        await talk.waits_for("from before the pause is", "ltm list")
        world.model.prompts.append("")
        await talk.says("ltm resume")
        await talk.waits_for("42 llamas", "ltm list")


async def test_whom_an_admin_pauses_takes_back_only_what_they_forgot(tmp_path: Path) -> None:
    async with talking(tmp_path, AUTO) as talk:
        for fact in ("I live in Oslo", "I like green tea"):
            await talk.says(f"ltm add {fact}")
        await talk.says("ltm forget Oslo")
        await talk.says("ltm add I play the cello")
        await talk.memory.pausing.account("plat:alice", on=True, actor="operator:root")
        assert "/ltm undo" in await talk.says("ltm forget tea")
        restored, following = (await talk.says("ltm undo")).splitlines()
        assert restored == "Restored: User likes green tea"
        assert following.endswith("takes back: forgetting User lives in Oslo")
        assert await talk.says("ltm undo") == "Restored: User lives in Oslo"
        assert (await talk.says("ltm undo")).startswith("Not done: an admin has paused your memory")
        await talk.memory.pausing.account("plat:alice", on=False, actor="operator:root")
        assert "cello" in await talk.says("ltm undo")


@pytest.mark.parametrize(
    ("said", "where"),
    [
        ("ltm pause Bob", "Admins pause one person on the dashboard page, under People."),
        ("ltm resume Bob", "one person on the dashboard page, under People."),
        ("记忆 暂停 小明", "管理员要暂停某个人，请在管理面板的“人员”中操作"),
        ("记忆 恢复 小明", "要恢复某个人，请在管理面板的“人员”中操作"),
    ],
)
async def test_an_admin_who_would_pause_a_person_is_told_where(talk: Talk, said: str, where: str) -> None:
    assert where in await talk.root(said)
