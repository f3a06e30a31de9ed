"""`/ltm` from senders that are no person: bots, channels, and admins of groups who write without a name."""

import pytest
from astrbot_plugin_ltm.long_term_memory.commands.answer import FOR_ADMINS, FOR_ALL
from astrbot_plugin_ltm.long_term_memory.domain.memory import ItemFilter

from tests.running import group
from tests.test_commands import Talk

ANONYMOUS = group("1087968824")
REFUSED = "I store memories for people only"


async def says(talk: Talk, text: str, *, admin: bool = False) -> str:
    """The reply to what no person has written."""
    commands = talk.world.commands(talk.service)
    reply = await commands.answer(ANONYMOUS, text, admin=admin, message_id="1", by_person=False)
    return reply.text


@pytest.mark.parametrize("name", [*FOR_ALL, "forget all", "status", *FOR_ADMINS, "nonsense"])
async def test_who_is_no_person_is_refused_with_the_same_words_whatever_they_ask(
    talk: Talk, name: str
) -> None:
    said = await says(talk, f"ltm {name}")
    assert said.startswith(REFUSED)
    assert said == await says(talk, "ltm nonsense")


async def test_who_is_no_person_is_refused_in_chinese_too(talk: Talk) -> None:
    assert (await says(talk, "记忆 列表")).startswith("我只为具体的人保存记忆")


async def test_nothing_is_kept_of_what_no_person_asks_to_have_remembered(talk: Talk) -> None:
    assert (await says(talk, "ltm add my bike is blue", admin=True)).startswith(REFUSED)
    assert (await talk.memory.browsing.items(ItemFilter())).total == 0


async def test_anybody_is_told_what_there_is(talk: Talk) -> None:
    for asked in ("ltm", "ltm help", "记忆 帮助"):
        assert not (await says(talk, asked)).startswith((REFUSED, "我只为"))


@pytest.mark.parametrize("name", ["status", "pending", "mode", "retry"])
async def test_an_admin_who_is_no_person_may_do_what_admins_may(talk: Talk, name: str) -> None:
    said = await says(talk, f"ltm {name}", admin=True)
    assert said == await talk.root(f"ltm {name}", ANONYMOUS)
