import pytest
from astrbot_plugin_ltm.long_term_memory.commands.answer import meant_by
from astrbot_plugin_ltm.long_term_memory.messages import SUBCOMMANDS

from tests.running import private
from tests.test_commands import Talk


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("lsit", "list"),
        ("LIST", "list"),
        ("serch", "search"),
        ("forgett", "forget"),
        ("why-nto", "why-not"),
        ("取消分亨", "unshare"),
        ("为什么", "why-not"),
        ("dance", ""),
        ("跳舞", ""),
        ("", ""),
        ("list" * 10_000, ""),
    ],
)
def test_the_nearest_subcommand_is_what_was_meant(word: str, meant: str) -> None:
    assert meant_by(word, SUBCOMMANDS) == meant


async def test_a_typo_is_answered_with_what_was_meant(talk: Talk) -> None:
    assert await talk.says("ltm lsit") == "There is no command /ltm lsit. Did you mean /ltm list?"
    assert await talk.says("记忆 取消分亨") == "没有 /记忆 取消分亨 这个命令。是想用 /记忆 取消分享 吗？"
    assert "/ltm share?" not in await talk.says("ltm shar")
    assert (await talk.says("ltm dance")).startswith("There is no command /ltm dance. For all commands")


async def test_what_only_admins_may_do_is_named_to_them_alone(talk: Talk) -> None:
    assert "Did you mean /ltm approve?" in await talk.root("ltm aprove")
    assert "approve" not in (await talk.says("ltm aprove")).replace("aprove", "")


async def test_an_id_that_fits_nothing_is_answered_with_where_the_ids_are(talk: Talk) -> None:
    for command in ("why", "forget", "share", "unshare"):
        said = await talk.says(f"ltm {command} ffffffff")
        assert said == "There is no memory ffffffff that you can see (any more). The ids are in /ltm list"


async def test_an_id_may_be_copied_with_what_stands_around_it(talk: Talk) -> None:
    saved = await talk.says("ltm add my bike is blue")
    shown = saved[saved.rindex("(") :]
    assert "my bike is blue" in await talk.says(f"ltm why {shown}")
    assert "my bike is blue" in await talk.says(f"ltm why （{shown[1:-1]}）。")
    assert "There is no memory" in await talk.says(f"ltm why {shown}", private("bob"))
