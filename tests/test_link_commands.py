"""`/ltm link` and `/ltm unlink`, from the message to the reply."""

import re
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.commands import Commands, Confirming
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat
from astrbot_plugin_ltm.long_term_memory.manager.linking import ALPHABET, LENGTH
from astrbot_plugin_ltm.long_term_memory.service import Service

from tests.running import A_MINUTE, AUTO, FakeClock, World, group, private

HOME, PHONE = private("home"), private("phone")


@pytest.fixture
async def service(tmp_path: Path) -> AsyncGenerator[Service]:
    service = Service(World(tmp_path / "host.db").memory, version="1", patience=A_MINUTE)
    await service.start(AUTO)
    yield service
    await service.stop()


async def says(service: Service, text: str, chat: Chat = HOME) -> str:
    commands = Commands(service, Confirming(FakeClock(), lambda: "1"))
    return (await commands.answer(chat, text, admin=False, message_id="1")).text


def code_in(reply: str) -> str:
    [code] = set(re.findall(rf"\b[{ALPHABET}]{{{LENGTH}}}\b", reply))
    return code


async def test_two_accounts_are_joined_and_parted_in_english(service: Service) -> None:
    code = code_in(await says(service, "ltm link"))
    entered = await says(service, f"ltm link {code}", PHONE)
    assert entered.startswith("This code is from Home (home on plat). Nothing is linked yet")
    assert "share their memories, and new ones are stored under Home; I do not tell you so here." in entered
    waiting = await says(service, "ltm link")
    assert waiting.startswith("Phone (phone on plat) has entered your code.")
    joined = await says(service, "ltm link confirm")
    assert joined.startswith("Linked to Phone (phone on plat).")
    assert "new ones are stored under this account" in joined
    assert (await says(service, "ltm link")).startswith("Your code is")
    left = await says(service, "ltm unlink", PHONE)
    assert left.endswith("stay with plat:home.")
    assert await says(service, "ltm unlink") == "This account is not linked to any other."
    assert await says(service, "ltm unlink", PHONE) == "This account is not linked to any other."


async def test_in_a_group_a_code_is_void_only_if_one_was_sent(service: Service) -> None:
    for command, told in (("ltm link", False), ("ltm link 22222222", True)):
        assert (" is void" in await says(service, command, group("home"))) is told


async def test_an_undo_takes_back_what_was_done_last_from_any_of_the_accounts(service: Service) -> None:
    await says(service, "ltm add I like tea")
    await says(service, "ltm share tea")
    await says(service, "ltm unshare tea")
    await says(service, "ltm add I play chess", PHONE)
    code = code_in(await says(service, "ltm link"))
    await says(service, f"ltm link {code}", PHONE)
    await says(service, "ltm link confirm")
    await says(service, "ltm link confirm")
    assert (await says(service, "ltm undo")).startswith("Forgotten: User plays chess")
    await says(service, "ltm add I play chess", PHONE)
    forgotten = await says(service, "ltm forget chess", PHONE)
    fact = forgotten.removeprefix("Forgotten: ").partition(".")[0]
    assert (await says(service, "ltm undo")).startswith(f"Restored: {fact}\n")
    await says(service, "ltm forget chess", PHONE)
    await says(service, "ltm unlink", PHONE)
    assert (await says(service, "ltm undo", PHONE)).startswith("Nothing left to undo")
    for undone in (f"Restored: {fact}", f"Forgotten: {fact}", "Undone. Shared: User likes tea."):
        assert (await says(service, "ltm undo")).startswith(undone)


async def test_two_accounts_are_joined_and_parted_in_chinese(service: Service) -> None:
    code = code_in(await says(service, "记忆 关联"))
    entered = await says(service, f"记忆 关联 {code.lower()}", PHONE)
    assert entered.startswith("这个关联码来自 Home")
    assert "新的记忆归 Home，这里不会再通知" in entered
    assert (await says(service, "记忆 关联 确认")).startswith("Phone（plat 上的 phone）输入了你的关联码")
    assert (await says(service, "记忆 关联 确认")).startswith("已与 Phone")
    assert await says(service, "ltm 取消关联", PHONE) == (
        "本账号已重新独立，保留关联之前的记忆；关联期间学到的内容归账号 plat:home。"
    )


async def test_the_first_confirmation_only_says_whom_it_would_join(service: Service) -> None:
    begun = await says(service, "ltm link")
    entered = await says(service, f"ltm link {code_in(begun)}", PHONE)
    assert "twice: first to see" in begun
    assert "twice within 10 minutes: first to see" in entered
    waiting = await says(service, "ltm link confirm")
    assert waiting.startswith("Phone (phone on plat) has entered your code. Nothing is linked yet.")
    assert await says(service, "ltm unlink") == "This account is not linked to any other."
    assert (await says(service, "ltm link confirm")).startswith("Linked to Phone")
    left = await says(service, "ltm unlink")
    assert left.endswith("with its memories from before and those learnt while it was linked.")


async def test_who_enters_a_code_is_told_the_account_that_is_written_to(service: Service) -> None:
    await says(service, f"ltm link {code_in(await says(service, 'ltm link'))}", PHONE)
    await says(service, "ltm link confirm")
    await says(service, "ltm link confirm")
    code = code_in(await says(service, "ltm link", PHONE))
    assert "new ones are stored under plat:home;" in await says(
        service, f"ltm link {code}", private("tablet")
    )


async def test_a_code_may_be_taken_back(service: Service) -> None:
    code = code_in(await says(service, "ltm link"))
    await says(service, f"ltm link {code}", PHONE)
    assert await says(service, "ltm link cancel") == "The code is void. Nothing was linked."
    assert await says(service, "记忆 关联 取消") == "你没有有效的关联码。"
    assert (await says(service, "ltm link confirm")).startswith("No account has entered your code")


async def test_who_has_entered_a_code_may_take_that_back(service: Service) -> None:
    code = code_in(await says(service, "ltm link"))
    entered = await says(service, f"ltm link {code}", PHONE)
    assert entered.endswith("If it is not yours, send here: /ltm link cancel")
    assert await says(service, "ltm link cancel", private("eve")) == "You have no valid code."
    assert await says(service, "ltm link cancel", PHONE) == "The code is void. Nothing was linked."
    assert (await says(service, "ltm link confirm")).startswith("No account has entered your code")


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("ltm link", "You can link accounts in private chats only"),
        ("记忆 关联", "只能在私聊中关联账号"),
        ("ltm link confirm", "You can link accounts in private chats only"),
        ("ltm link 22222222", "You can link accounts in private chats only"),
        ("ltm unlink", "Everybody in the group can read this. Send it to me in a private chat: /ltm unlink"),
    ],
)
async def test_in_a_group_it_is_refused_with_the_reason(service: Service, text: str, reply: str) -> None:
    assert (await says(service, text, group("home"))).startswith(reply)


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("ltm link 22222222", "This code is wrong, expired or used."),
        ("ltm link my phone", "Usage: /ltm link"),
        ("ltm link 2222", "Usage: /ltm link"),
        ("记忆 关联 手机", "用法：发送“/记忆 关联”"),
        ("ltm unlink phone", "Usage: /ltm unlink"),
    ],
)
async def test_what_makes_no_sense_is_told_how_it_is_meant(service: Service, text: str, reply: str) -> None:
    assert (await says(service, text)).startswith(reply)


async def test_the_help_tells_how_to_join_accounts(service: Service) -> None:
    assert "/ltm link: link another account of yours" in await says(service, "ltm help")
    assert "/记忆 取消关联：" in await says(service, "记忆 帮助")
