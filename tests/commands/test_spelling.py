import re

import pytest
from astrbot_plugin_ltm.long_term_memory.commands.spelling import is_called, meant_by, separated, subcommand
from astrbot_plugin_ltm.long_term_memory.messages import SUBCOMMANDS

from tests.running import private
from tests.test_commands import Talk

FOR_ADMINS = [
    ("通过 1", "批准 1"),
    ("驳回 1", "拒绝 1"),
    ("待批准", "待审核"),
    ("重新提取", "重试"),
    ("查看状态", "状态"),
    ("模式 手工", "模式 手动"),
    ("只读 关掉", "只读 关"),
    ("狀態", "状态"),
    ("待審核", "待审核"),
    ("拒絕 1", "拒绝 1"),
]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("lsit", "list"),
        ("LIST", "list"),
        ("serch", "search"),
        ("forgett", "forget"),
        ("why-nto", "why-not"),
        ("取消分亨", "unshare"),
        ("delte", "forget"),
        ("撒销", "undo"),
        ("分亨", "share"),
        ("shaer", "share"),
        ("别记了", "pause"),
        ("别记录我", "pause"),
        ("don't", "pause"),
        ("忘济", "forget"),
        ("列标", "list"),
        ("列標", "list"),
        ("取消分向", "unshare"),
        ("保流", ""),
        ("查件", ""),
        ("启用", "resume"),
        ("啟用", "resume"),
        ("关掉", "pause"),
        ("關閉", "pause"),
        ("關掉", "pause"),
        ("停用", "pause"),
        ("导入", ""),
        ("導入", ""),
        ("退出", ""),
        ("关机", ""),
        ("加载", ""),
        ("设置", ""),
        ("重来", ""),
        ("收藏", ""),
        ("更多", ""),
        ("什么", ""),
        ("公布", "share"),
        ("開玩笑的", "undo"),
        ("不要", "undo"),
        ("不要记住我", "pause"),
        ("记得", "add"),
        ("取消", "undo"),
        ("dance", ""),
        ("跳舞", ""),
        ("", ""),
        ("list" * 10_000, ""),
    ],
)
def test_the_nearest_subcommand_is_what_was_meant(word: str, meant: str) -> None:
    assert meant_by(word, SUBCOMMANDS) == meant


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("Ltm pause", "ltm pause"),
        ("LTM", "ltm"),
        ("ltm, list", "ltm , list"),
        ("ltmlist 2", "ltm list 2"),
        ("ｌｔｍ　pause", "ltm pause"),
        ("记忆忘记 花生", "记忆 忘记 花生"),
        ("记忆忘记花生", "记忆 忘记花生"),
        ("记忆忘记全部", "记忆 忘记全部"),
        ("记忆保留全部", "记忆 保留全部"),
        ("记忆暂停", "记忆 暂停"),
        ("记忆撤销。", "记忆 撤销。"),
        ("记忆列表2", "记忆 列表2"),
        ("记忆，列表", "记忆 ，列表"),
        ("记忆？", "记忆 ？"),
        ("记忆记 我喜欢喝咖啡", "记忆 记 我喜欢喝咖啡"),
        ("ltm帮助", "ltm 帮助"),
        ("ltm notes about tea", "ltm notes about tea"),
        ("記憶 列表", "记忆 列表"),
        ("記憶忘記花生", "记忆 忘記花生"),
        ("記憶力真差", ""),
        ("记忆力真差怎么办", ""),
        ("记忆力", ""),
        ("记忆忘记了怎么办", ""),
        ("记忆记性差", ""),
        ("记忆增加方法有哪些", ""),
        ("记忆的宫殿", ""),
        ("ltms are long-term memories", ""),
        ("my ltm pause", ""),
    ],
)
def test_a_command_is_known_in_any_case_and_next_to_its_subcommand(typed: str, read: str) -> None:
    assert separated(typed) == read
    assert separated(f"/{typed}") == read


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("忘记全部", ("忘记", "全部")),
        ("記住我喜歡茶", ("记住", "我喜歡茶")),
        ("，列表", ("列表", "")),
        ("？", ("?", "")),
        ("记：我喜欢茶", ("记", "我喜欢茶")),
        ("记我喜欢茶", ("记", "我喜欢茶")),
        ("记性", ("记性", "")),
        ("列表2", ("列表", "2")),
        ("--help", ("help", "")),
        ("un share 1", ("un-share", "1")),
        ("Why  Not tea", ("why-not", "tea")),
        ("为什么 没有 茶", ("为什么-没有", "茶")),
        ("为什么 不记得虾", ("why-not", "虾")),
        ("为什么你不记得虾", ("why-not", "虾")),
        ("为何 没有虾", ("why-not", "虾")),
        ("pause please", ("pause", "")),
        ("暂停一下", ("暂停", "")),
        ("listing", ("listing", "")),
        ("lsit 2", ("lsit", "2")),
    ],
)
def test_a_subcommand_is_known_next_to_its_argument(typed: str, read: tuple[str, str]) -> None:
    assert subcommand(typed) == read


@pytest.mark.parametrize(
    ("text", "is_command"),
    [
        ("list", True),
        ("share 1", True),
        ("lsit 2", True),
        ("忘记全部", True),
        ("", True),
        ("？", True),
        ("is a nice word", False),
        ("真不错", False),
        ("依然 清晰", False),
        ("别记了", True),
        ("don't work for me anymore", False),
        ("不要 总是 忘", False),
        ("别记 那么多", False),
        ("取消 订阅 真麻烦", False),
        ("forget 1 2", True),
        ("forget the third", True),
        ("forget tea", True),
        ("forget all 123456", True),
        ("correct 2 I live in Nice", True),
        ("correct", True),
        ("change my mind", False),
        ("erase qq:12345", True),
        ("忘记 花生", True),
        ("暂停一下", True),
        ("list preference 2", True),
        ("forget all the stress and relax", False),
        ("forget that I am pregnant", True),
        ("忘记 花生过敏", True),
        ("忘记 密码123怎么办", False),
        ("approve abcd efab", True),
        ("share your opinion", False),
        ("search engines are cool", False),
        ("why do you not know me?", False),
        ("pause is what I need", False),
        ("忘记 是人之常情", False),
        ("分享 很重要", False),
        ("暂停了怎么办", False),
        ("暂停了", False),
        ("add I am allergic to peanuts", True),
        ("add my bike is blue", True),
        ("记 我对花生过敏", True),
        ("add is not working for me", False),
        ("add ok", False),
        ("add 2 and 3", False),
        ("记住 很难", False),
    ],
)
def test_without_a_prefix_only_a_subcommand_makes_a_command(text: str, *, is_command: bool) -> None:
    assert is_called(text) is is_command


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ltm del abcd", "ltm forget abcd"),
        ("ltm rm abcd", "ltm forget abcd"),
        ("ltm memories", "ltm list"),
        ("ltm --help", "ltm"),
        ("ltm -h", "ltm"),
        ("ltm privacy", "ltm"),
        ("ltm get 1", "ltm why 1"),
        ("ltm un share 1", "ltm unshare 1"),
        ("记忆 看看", "记忆 列表"),
        ("记忆 我的记忆", "记忆 列表"),
        ("记忆 合并账号 确认", "记忆 关联 确认"),
        ("记忆 找 茶", "记忆 搜索 茶"),
        ("记忆 来源 1", "记忆 依据 1"),
        ("记忆 依據 1", "记忆 依据 1"),
        ("記憶 關聯 確認", "记忆 关联 确认"),
        ("記憶 取消關聯", "记忆 取消关联"),
        ("記憶 查詢 bike", "记忆 搜索 bike"),
        ("記憶 確認 1", "记忆 接受 1"),
        ("記憶 刪除 kayak", "记忆 忘记 kayak"),
        ("记忆 解除关联", "记忆 取消关联"),
        ("记忆 公开", "记忆 分享"),
        ("记忆 菜单", "记忆"),
        ("记忆 为什么 1", "记忆 依据 1"),
        ("记忆 为何 1", "记忆 依据 1"),
        ("记忆 为何 bike", "记忆 依据 bike"),
        ("记忆 为什么没 bike", "记忆 为什么没有 bike"),
        ("记忆 怎么没有 bike", "记忆 为什么没有 bike"),
        ("记忆 备份", "记忆 导出"),
        ("记忆 更新", "记忆 更正"),
        ("记忆 更改", "记忆 更正"),
        ("记忆 抹掉 kayak", "记忆 忘记 kayak"),
        ("记忆 纠正 1", "记忆 更正 1"),
        ("记忆 改正 1", "记忆 更正 1"),
        ("记忆 修正 1", "记忆 更正 1"),
        ("记忆 加", "记忆 记"),
        ("记忆 记录", "记忆 记"),
        ("记忆 采纳 1", "记忆 接受 1"),
        ("记忆 详情 1", "记忆 依据 1"),
        ("记忆 收回 1", "记忆 取消分享 1"),
        ("记忆 不分享 1", "记忆 取消分享 1"),
        ("ltm continue", "ltm resume"),
        ("ltm list １", "ltm list 1"),
        ("ltm list page 1", "ltm list 1"),
        ("记忆 列表 第1页", "记忆 列表 1"),
        ("记忆 列表 第１页", "记忆 列表 1"),
        ("ltm list preferences", "ltm list preference"),
        ("ltm list task states", "ltm list task_state"),
        ("记忆 列表 个人资料", "记忆 列表 个人信息"),
        ("ltm search bike １", "ltm search bike 1"),
        ("记忆 依据 第一条", "记忆 依据 1"),
        ("ltm forget all yes", "ltm forget all"),
        ("记忆 为什么 abcd1234", "记忆 依据 abcd1234"),
    ],
)
async def test_what_is_typed_instead_is_answered_alike(talk: Talk, typed: str, meant: str) -> None:
    await talk.says("ltm add my bike is blue")
    await talk.says("ltm list")
    codes = re.compile(r"\d{6}\Z")
    assert codes.sub("", await talk.says(typed)) == codes.sub("", await talk.says(meant))


@pytest.mark.parametrize(("typed", "meant"), FOR_ADMINS)
async def test_what_admins_type_instead_is_answered_alike(talk: Talk, typed: str, meant: str) -> None:
    await talk.root(f"记忆 {meant}")  # what changes a mode is answered otherwise at first
    assert await talk.root(f"记忆 {typed}") == await talk.root(f"记忆 {meant}")


async def test_all_is_forgotten_in_either_order_of_the_words(talk: Talk) -> None:
    assert (await talk.says("记忆 全部忘记")).startswith("这将永久抹除你")
    assert (await talk.says("ltm forgetall")).startswith("This permanently erases all your memories")
    await talk.says("ltm add my bike is blue")
    assert (await talk.confirms("ltm forgetall")).startswith(
        "Erased: 1 memory and 1 message, my replies counted."
    )
    assert (await talk.confirms("记忆 忘记 全部")).startswith("没有可抹除的内容")


async def test_a_typo_is_answered_with_what_was_meant(talk: Talk) -> None:
    assert await talk.says("ltm lsit") == "There is no command /ltm lsit. Did you mean /ltm list?"
    assert await talk.says("记忆 取消分亨") == "没有 /记忆 取消分亨 这个命令。是想用 /记忆 取消分享 吗？"
    assert (await talk.says("ltm corect 1 x")).endswith("Did you mean /ltm correct?")
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
