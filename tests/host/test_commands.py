"""`/ltm`, as people and admins type it, in English and in Chinese."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from tests.host.harness.asking import block_given
from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.scripted_model import ScriptedModel

ADMIN = Person("admin")
ABSENT = "00000000"

pytestmark = pytest.mark.usefixtures("model")

type Newcomer = Callable[[str], Person]


@pytest.fixture
def host(cautious_host: Host) -> Host:
    return cautious_host


@pytest.fixture
def settings_kept(host: Host) -> Iterator[None]:
    """The next test finds the settings as this one did, however it ends."""
    before = host.plugin.config()
    yield
    if host.plugin.config() != before:
        host.plugin.save_config(before)


@pytest.mark.parametrize(
    ("command", "title", "first"),
    [
        ("/ltm", "Long-term memory: what I remember about you.", "/ltm list"),
        ("/记忆", "长期记忆", "/记忆 列表"),
    ],
)
def test_a_bare_command_tells_what_there_is(
    host: Host, newcomer: Newcomer, command: str, title: str, first: str
) -> None:
    shown = host.say(newcomer("Ann"), command)
    assert shown.startswith(title)
    assert first in shown
    modes = "试运行|自动|手动" if command == "/记忆" else "shadow|auto|manual"
    assert modes not in shown
    assert modes in host.say(ADMIN, command)


@pytest.mark.parametrize(
    ("told", "fact", "listed", "line", "keep"),
    [
        (
            "I'm allergic to shrimp",
            "User is allergic to shrimp",
            "/ltm list",
            "1. {id} [constraint] User is allergic to shrimp (not used yet; you may accept it)",
            "/ltm keep all",
        ),
        (
            "我对虾过敏",
            "用户对虾过敏",
            "/ltm 列表",
            "1. {id} [注意事项] 用户对虾过敏（尚未使用；你可以接受）",
            "/ltm 接受 全部",
        ),
    ],
    ids=["en", "zh"],
)
def test_list_marks_what_is_not_used_yet_until_its_person_keeps_it(
    host: Host, newcomer: Newcomer, told: str, fact: str, listed: str, line: str, keep: str
) -> None:
    person, other = newcomer("Ann"), newcomer("Ben")
    host.say(person, told)
    item = host.memories.wait_for(person, fact)[fact]
    shown = line.format(id=short(item))
    lines = host.say(person, listed).splitlines()
    assert shown in lines
    assert keep in lines[-1]
    host.say(other, keep)
    assert shown in host.say(person, listed).splitlines()
    host.say(person, keep)
    lines = host.say(person, listed).splitlines()
    assert lines[1] == shown.partition(" (not")[0].partition("（")[0]
    assert keep not in lines[-1]


@pytest.mark.parametrize(
    ("add", "listed", "more", "no_page"),
    [
        (
            "/ltm add My locker is number {n}",
            "/ltm list",
            "More: /ltm list 2",
            "There are only 2 pages of up to 10 memories.",
        ),
        (
            "/ltm 记 我的第{n}个柜子在楼下",
            "/ltm 列表",
            "更多：/ltm 列表 2",
            "一共只有 2 页，每页最多 10 条。",
        ),
    ],
    ids=["en", "zh"],
)
def test_list_is_paged(
    host: Host, newcomer: Newcomer, add: str, listed: str, more: str, no_page: str
) -> None:
    person = newcomer("Ann")
    for number in range(12):
        host.say(person, add.format(n=number + 100))
    first, second = host.say(person, listed).splitlines(), host.say(person, f"{listed} 2").splitlines()
    assert (len(first), first[-2:], len(second)) == (13, ["", more], 3)
    assert first[0] != second[0]
    ids = [line.split()[1] for line in [*first[1:-2], *second[1:]]]
    assert sorted(ids) == sorted(short(item) for item in host.memories.of(person).values())
    assert host.say(person, f"{listed} 3") == no_page


def test_list_can_be_of_one_type(host: Host, newcomer: Newcomer) -> None:
    person = newcomer("Ann")
    host.say(person, "/ltm add I love jasmine tea")
    host.say(person, "/ltm add I'm allergic to walnuts")
    assert "jasmine" in host.say(person, "/ltm list preference")
    assert "jasmine" not in host.say(person, "/ltm list constraint")
    assert "walnuts" in host.say(person, "/ltm list Constraint 1")
    assert host.say(person, "/ltm list episode") == "I have no memories of the type episode from you here."
    assert host.say(person, "/ltm 列表 episode") == "这里还没有你的“经历”类记忆。"


def test_who_is_unknown_is_told_so(host: Host, newcomer: Newcomer) -> None:
    person = newcomer("Ann")
    assert host.say(person, "/ltm list") == "I have no memories from you here."
    assert host.say(person, "/ltm 列表") == "这里还没有你的记忆。"


@pytest.mark.parametrize(
    ("told", "fact", "why", "shown"),
    [
        (
            "Well, I'm allergic to shrimp, what now?",
            "User is allergic to shrimp",
            "/ltm why",
            r'- "I.m allergic to shrimp" \(you, \d{4}-\d\d-\d\d \d\d:\d\d \S+\)',
        ),
        (
            "大家好，我对虾过敏，请注意",
            "用户对虾过敏",
            "/ltm 依据",
            r"- “我对虾过敏”（你，\d{4}-\d\d-\d\d \d\d:\d\d \S+）",
        ),
    ],
    ids=["en", "zh"],
)
def test_why_shows_the_sentence_and_when_it_was_said(
    host: Host, newcomer: Newcomer, told: str, fact: str, why: str, shown: str
) -> None:
    person = newcomer("Ann")
    host.say(person, told)
    item = host.memories.wait_for(person, fact)[fact]
    lines = host.say(person, f"{why} {short(item)}").splitlines()
    assert lines[0].endswith(fact)
    assert re.fullmatch(shown, lines[-3])
    [evidence] = host.memories.evidence(item["memory_id"])
    here = datetime.fromisoformat(evidence["said_at"]).astimezone(ZoneInfo("Asia/Shanghai"))
    assert f"{here:%Y-%m-%d %H:%M} UTC+08:00" in lines[-3]
    assert lines[-1].endswith(f" {short(item)}")  # how to use it now


@pytest.mark.parametrize(
    ("add", "fact", "saved", "known"),
    [
        (
            "/ltm add I keep bees",
            "I keep bees",
            "I will remember: I keep bees ({id})",
            "I know that already: ",
        ),
        ("/ltm 记 我养蜜蜂", "我养蜜蜂", "记住了：我养蜜蜂（{id}）", "我已经记得："),
        ("/记忆　记　我养山羊", "我养山羊", "记住了：我养山羊（{id}）", "我已经记得："),
    ],
    ids=["en", "zh", "zh with wide spaces"],
)
def test_add_is_used_at_once_and_rests_on_the_command(
    host: Host, model: ScriptedModel, newcomer: Newcomer, add: str, fact: str, saved: str, known: str
) -> None:
    person = newcomer("Ann")
    reply = host.say(person, add)
    item = host.memories.of(person)[fact]
    assert reply.split("\n")[0] == saved.format(id=short(item))
    assert (item["status"], item["origin"]) == ("active", "user_explicit")
    [evidence] = host.memories.evidence(item["memory_id"])
    assert (evidence["role"], evidence["sender_id"]) == ("user", person.id)
    assert fact in evidence["quote"]
    assert fact in block_given(host, model, person, f"{fact}?")
    assert host.say(person, add).startswith(known)
    assert list(host.memories.of(person)) == [fact]


@pytest.mark.parametrize(
    ("told", "fact", "forget", "forgotten", "asked"),
    [
        (
            "I'm allergic to shrimp",
            "User is allergic to shrimp",
            "/ltm forget",
            "Forgotten: User is allergic to shrimp",
            "What should I cook?",
        ),
        ("我对虾过敏", "用户对虾过敏", "/ltm 忘记", "已忘记：用户对虾过敏", "晚饭吃什么？"),
    ],
    ids=["en", "zh"],
)
def test_what_is_forgotten_is_not_given_again_nor_learnt_again(
    host: Host,
    model: ScriptedModel,
    newcomer: Newcomer,
    told: str,
    fact: str,
    forget: str,
    forgotten: str,
    asked: str,
) -> None:
    person = newcomer("Ann")
    host.say(person, told)
    memory_id = short(host.memories.wait_for(person, fact)[fact])
    host.say(ADMIN, "/ltm approve all")
    assert fact in block_given(host, model, person, asked)
    assert host.say(person, f"{forget} {memory_id}").startswith(forgotten)
    assert block_given(host, model, person, asked) == ""
    assert fact not in host.say(person, "/ltm list")
    host.say(person, told)
    host.say(ADMIN, "/ltm approve all")
    assert block_given(host, model, person, asked) == ""
    assert [item["status"] for item in host.memories.of(person).values()] == ["deleted"]


def test_what_was_forgotten_comes_back_by_undo_and_when_it_is_asked_for(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    person = newcomer("Ann")
    host.say(person, "/ltm add I keep bees")
    bees = host.memories.of(person)["I keep bees"]
    assert host.say(person, "/ltm forget bees").startswith("Forgotten: I keep bees")
    assert block_given(host, model, person, "Do I keep bees?") == ""
    assert host.say(person, "/ltm undo").startswith("Restored: I keep bees\nThe next /ltm undo takes back: ")
    assert host.memories.of(person)["I keep bees"] == bees
    assert "I keep bees" in block_given(host, model, person, "Do I keep bees?")
    host.say(person, "/ltm add I live in Berlin")
    assert "It replaces: User lives in Berlin" in host.say(person, "/ltm add I live in Munich")
    undone = "Forgotten: User lives in Munich\nRestored: User lives in Berlin"
    assert host.say(person, "/ltm undo").startswith(undone)
    assert host.memories.of(person)["User lives in Berlin"]["status"] == "active"
    host.say(person, "/ltm forget Berlin")
    host.say(person, "/ltm 列表")
    assert host.say(person, "/ltm 忘记 1").startswith("已忘记：I keep bees")
    assert host.say(person, "/ltm add I keep bees").startswith("I will remember: I keep bees")
    assert "I keep bees" in block_given(host, model, person, "Do I keep bees?")


@pytest.mark.parametrize(
    ("approve", "approved", "private"),
    [
        ("/ltm approve", "Approved: ", "Everybody in the group can read this."),
        ("/ltm 批准", "已批准：", "群里人人都能看到"),
    ],
    ids=["en", "zh"],
)
def test_an_admin_approves_one_memory_where_it_may_be_shown(
    host: Host, model: ScriptedModel, newcomer: Newcomer, approve: str, approved: str, private: str
) -> None:
    person = newcomer("Ann")
    host.say(person, "I'm allergic to shrimp and I live in Oslo")
    facts = ("User is allergic to shrimp", "User lives in Oslo")
    items = host.memories.wait_for(person, *facts)
    memory_id = short(items[facts[0]])
    assert host.say(ADMIN, f"{approve} {memory_id}", group="office").startswith(private)
    assert host.say(ADMIN, f"{approve} {memory_id}").startswith(f"{approved}{facts[0]}")
    block = block_given(host, model, person, "Hello")
    assert (facts[0] in block, facts[1] in block) == (True, False)


def test_an_admin_approves_all_and_is_told_how_many(host: Host, newcomer: Newcomer) -> None:
    host.memories.wait_until_written()
    host.say(ADMIN, "/ltm approve all")
    assert host.say(ADMIN, "/ltm approve all") == "No memory is pending approval."
    assert host.say(ADMIN, "/ltm 批准 全部") == "没有待审核的记忆。"
    person = newcomer("Ann")
    host.say(person, "I'm allergic to shrimp and I live in Oslo")
    host.memories.wait_for(person, "User is allergic to shrimp", "User lives in Oslo")
    approved = "Approved: 2 memories. They are used from now on. "
    undo = "For 10 minutes, Review on the dashboard page can undo this."
    assert host.say(ADMIN, "/ltm APPROVE ALL") == f"{approved}{undo}"


@pytest.mark.usefixtures("settings_kept")
@pytest.mark.parametrize(
    ("command", "current", "changed", "same"),
    [
        (
            "/ltm mode",
            (
                "Mode for learnt facts: shadow (stored and shown, not used). "
                "To change it: /ltm mode shadow|auto|manual"
            ),
            "Mode for learnt facts is now auto (used immediately).",
            "Mode for learnt facts is already auto (used immediately).",
        ),
        (
            "/ltm 模式",
            "学到的事实如何处理：试运行（保存并展示，但不使用）。修改：/ltm 模式 试运行|自动|手动",
            "已改为自动模式：学到的事实立即使用。",
            "当前模式已是：自动（立即使用）。",
        ),
    ],
    ids=["en", "zh"],
)
def test_the_mode_an_admin_sets_is_in_force_at_once_and_after_a_reload(
    host: Host, newcomer: Newcomer, command: str, current: str, changed: str, same: str
) -> None:
    assert host.say(ADMIN, command) == current
    assert host.say(ADMIN, f"{command} auto").startswith(changed)
    before, after = newcomer("Ann"), newcomer("Ann")
    host.say(before, "I live in Oslo")
    assert host.memories.wait_for(before, "User lives in Oslo")["User lives in Oslo"]["status"] == "active"
    host.plugin.reload()
    assert host.plugin.config()["write_policy"]["mode"] == "auto"
    assert host.say(ADMIN, f"{command} AUTO") == same
    host.say(after, "I live in Oslo")
    assert host.memories.wait_for(after, "User lives in Oslo")["User lives in Oslo"]["status"] == "active"


def test_an_admin_sees_the_status(host: Host, newcomer: Newcomer) -> None:
    host.say(newcomer("Ann"), "I live in Oslo")
    host.memories.wait_until_written()
    shown = host.say(ADMIN, "/ltm status").splitlines()
    assert shown[:3] == [
        "Long-term memory 0.1.0",
        "State: on",
        "Mode for learnt facts: shadow (stored and shown, not used)",
    ]
    assert "Extraction model: available" in shown
    assert any(line.startswith("Embedding: none. Memories are found by words only.") for line in shown)
    shadow, pending = total(host, "shadow"), total(host, "pending")
    memories = "memory" if shadow + pending == 1 else "memories"
    counted = f"{shadow + pending} {memories} ({shadow} shadow, {pending} pending)"
    assert f"Not approved yet: {counted}. See /ltm pending" in shown
    reason = "nobody has accepted it yet."
    assert [line for line in shown if line.endswith(reason)]
    chinese = host.say(ADMIN, "/ltm 状态").splitlines()
    assert chinese[:3] == [
        "长期记忆 0.1.0",
        "状态：已启用",
        "学到的事实如何处理：试运行（保存并展示，但不使用）",
    ]
    assert len(chinese) == len(shown)


@pytest.mark.parametrize(
    ("pause", "paused", "resume", "resumed"),
    [
        ("/ltm pause", "Paused:", "/ltm resume", "Resumed:"),
        ("/ltm 暂停", "已暂停：", "/ltm 恢复", "已恢复："),
    ],
    ids=["en", "zh"],
)
def test_who_pauses_is_neither_learnt_of_nor_recalled_until_the_end_of_it(
    host: Host,
    model: ScriptedModel,
    newcomer: Newcomer,
    pause: str,
    paused: str,
    resume: str,
    resumed: str,
) -> None:
    person = newcomer("Ann")
    host.say(person, "/ltm add I keep bees")
    assert host.say(person, pause).startswith(paused)
    recorded = host.memories.recorded(host.session_of(person))
    assert block_given(host, model, person, "I live in Oslo, what do I keep?") == ""
    assert host.memories.recorded(host.session_of(person)) == recorded
    assert host.say(person, resume).startswith(resumed)
    host.say(person, "I'm allergic to shrimp")
    host.memories.wait_for(person, "I keep bees", "User is allergic to shrimp")
    assert set(host.memories.of(person)) == {"I keep bees", "User is allergic to shrimp"}


@pytest.mark.parametrize(
    ("typed", "reply"),
    [
        ("/LTM pause", "Paused:"),
        ("/记忆暂停", "已暂停："),
        ("／记忆　暂停", "已暂停："),
        ("/记忆忘记全部", "这将永久抹除"),
        ("/记忆？", "长期记忆"),
        ("ltm list", "I have no memories from you here."),
        ("记忆 列表", "这里还没有你的记忆。"),
        ("/記憶 列表", "这里还没有你的记忆。"),
        ("記憶 列表", "这里还没有你的记忆。"),
        ("ltm lsit", "There is no command /ltm lsit. Did you mean /ltm list?"),
        ("/记忆记 我喜欢喝咖啡", "记住了：用户喜欢喝咖啡"),
    ],
)
def test_a_command_typed_nearly_right_is_answered_and_no_model_asked(
    host: Host, model: ScriptedModel, newcomer: Newcomer, typed: str, reply: str
) -> None:
    before = len(model.chat_requests)
    assert host.say(newcomer("Ann"), typed).startswith(reply)
    assert len(model.chat_requests) == before


def test_a_full_width_slash_makes_a_command_in_a_group_that_addresses_the_bot(
    host: Host, newcomer: Newcomer
) -> None:
    for typed, told in (("／ltm list", "I have no memories"), ("／记忆列表", "这里还没有你的记忆。")):
        assert host.say(newcomer("Ann"), typed, group="office").startswith(told)


@pytest.mark.parametrize(
    "said",
    [
        "/记忆力真差怎么办",
        "记忆暂停",
        "LTM pause",
        "ltm is a nice word",
        "ltm share your opinion",
        "记忆 分享 很重要",
    ],
)
def test_talk_that_begins_with_the_name_of_the_command_is_answered_by_the_model(
    host: Host, newcomer: Newcomer, said: str
) -> None:
    assert host.say(newcomer("Ann"), said).startswith("You said: ")


@pytest.mark.usefixtures("settings_kept")
@pytest.mark.parametrize(
    "command",
    [
        "status",
        "mode auto",
        "mode",
        "pending",
        "retry",
        "approve all",
        f"approve {ABSENT}",
        f"reject {ABSENT}",
        "readonly on",
        "erase plat_a:admin",
        "pause group",
        "resume group",
    ],
)
def test_an_admins_command_is_refused_to_others(host: Host, newcomer: Newcomer, command: str) -> None:
    person = newcomer("Ann")
    english, chinese = host.say(person, f"/ltm {command}"), host.say(person, f"/记忆 {command}")
    assert english.startswith("Only an admin may do that.")
    assert chinese.startswith("只有管理员可以这样做。")
    # Who may not approve is told what they may do themselves.
    is_approval = command.startswith("approve")
    assert ("accept yourself" in english) == ("自己接受" in chinese) == is_approval
    assert host.plugin.config()["write_policy"]["mode"] == "shadow"


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        ("/ltm dance", "There is no command /ltm dance. For all commands, send /ltm"),
        ("/ltm 跳舞", "没有 /ltm 跳舞 这个命令，查看用法：/ltm"),
        ("/ltm why", "Usage: /ltm why <id|number|words>, such as: /ltm why 2. See /ltm list"),
        (
            "/ltm why abc",
            "I have no memories from you here with these words: abc. What became of them: /ltm why-not abc",
        ),
        ("/ltm 依据", "用法：/ltm 依据 <编号|序号|词语>，例如：/ltm 依据 2。见 /ltm 列表"),
        ("/ltm 依据 abc", "没有找到含“abc”的记忆。查看原因：/ltm 为什么没有 abc"),
        (
            "/ltm forget",
            (
                "Usage: /ltm forget <id|number|words>, such as: /ltm forget 1 2 or /ltm forget tea, or"
                " /ltm forget all. See /ltm list"
            ),
        ),
        (
            "/ltm 忘记",
            (
                "用法：/ltm 忘记 <编号|序号|词语>，例如：/ltm 忘记 1 2、/ltm 忘记 茶；或 /ltm 忘记 全部。"
                "见 /ltm 列表"
            ),
        ),
        ("/ltm add", "Usage: /ltm add <fact>, such as: /ltm add I am allergic to peanuts"),
        ("/ltm add ...", "Usage: /ltm add <fact>, such as: /ltm add I am allergic to peanuts"),
        ("/ltm 记", "用法：/ltm 记 <内容>，例如：/ltm 记 我对花生过敏"),
        ("/ltm 记 。", "用法：/ltm 记 <内容>，例如：/ltm 记 我对花生过敏"),
        (
            "/ltm list poems",
            (
                "Usage: /ltm list [type] [page], such as: /ltm list preference, or /ltm list 2."
                " Types: profile, preference, task state, constraint, episode, note"
            ),
        ),
        (
            "/ltm 列表 0",
            (
                "用法：/ltm 列表 [类型] [页码]，例如：/ltm 列表 偏好，或 /ltm 列表 2。"
                "类型：个人信息、偏好、任务进展、注意事项、经历、备注"
            ),
        ),
    ],
)
def test_what_makes_no_sense_is_answered_with_how_it_is_meant(
    host: Host, newcomer: Newcomer, command: str, reply: str
) -> None:
    person = newcomer("Ann")
    assert host.say(person, command) == reply
    assert host.memories.of(person) == {}


APPROVE_HELP = (
    "Usage: /ltm approve <id>, such as: /ltm approve 9b4f 21e0, or /ltm approve all. See /ltm pending"
)


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        ("/ltm mode loud", "Usage: /ltm mode shadow|auto|manual"),
        ("/ltm 模式 大声", "用法：/ltm 模式 试运行|自动|手动"),
        (
            "/ltm approve",
            APPROVE_HELP,
        ),
        (
            "/ltm 批准",
            "用法：/ltm 批准 <编号>，例如：/ltm 批准 9b4f 21e0；或 /ltm 批准 全部。编号见 /ltm 待审核",
        ),
        (f"/ltm approve {ABSENT}", f"There is no memory {ABSENT} that you can see."),
        (f"/ltm 批准 {ABSENT}", f"找不到记忆 {ABSENT}。"),
    ],
)
def test_what_makes_no_sense_of_an_admin_is_answered_too(host: Host, command: str, reply: str) -> None:
    assert host.say(ADMIN, command) == reply


@pytest.mark.parametrize("command", ["/ltm why", "/ltm forget", "/ltm 依据", "/ltm 忘记"])
def test_somebody_elses_memory_is_answered_exactly_like_an_absent_one(
    host: Host, newcomer: Newcomer, command: str
) -> None:
    owner, other = newcomer("Ann"), newcomer("Bob")
    host.say(owner, "/ltm add I keep bees")
    item = host.memories.of(owner)["I keep bees"]
    for person in (other, ADMIN):
        for memory_id in (short(item), item["memory_id"]):
            absent = ABSENT if len(memory_id) == 8 else f"{ABSENT}-0000-4000-8000-000000000000"
            shown = host.say(person, f"{command} {memory_id}").replace(memory_id, absent)
            assert shown == host.say(person, f"{command} {absent}")
    assert host.memories.of(owner)["I keep bees"]["status"] == "active"


def total(host: Host, status: str) -> int:
    """How many memories of a status there are, of everybody."""
    return data(host.plugin.get("items", params={"status": status}))["total"]


def short(item: dict[str, str]) -> str:
    """The part of an id that a list shows."""
    return item["memory_id"][:8]
