import ast
import json
import re
import string
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import get_args

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import HELD_BACK, MemoryType, Mode, Origin, Status
from astrbot_plugin_ltm.long_term_memory.domain.recalls import NoBlock
from astrbot_plugin_ltm.long_term_memory.domain.writing import MergeKind
from astrbot_plugin_ltm.long_term_memory.manager.why_not import RecallOutcome
from astrbot_plugin_ltm.long_term_memory.messages import (
    LOCALES,
    LTM,
    MAX_VALUE_LENGTH,
    SUBCOMMANDS,
    Locale,
    Messages,
    locale_of,
)
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import MemoryWritePolicy
from hypothesis import given
from hypothesis import strategies as st

PLUGIN = Path(__file__).parent.parent / "long_term_memory"
TABLES: dict[str, dict[str, str]] = {
    locale: json.loads((PLUGIN / "texts" / f"{locale}.json").read_text(encoding="utf-8"))
    for locale in LOCALES
}
ENGLISH = TABLES["en-US"]
CODE = re.compile(r"([a-z]+(?:_[a-z]+)*)(?::|$)")
REASON_NAME = re.compile(r"(?i)(?:^|_)(?:doubt|reason|rule|refusal|ttl|untold|paused|cap)(?:_|$)")


def places(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def test_every_language_that_is_promised_has_its_table_and_no_other() -> None:
    assert sorted(get_args(Locale.__value__)) == sorted(LOCALES)
    assert sorted(path.stem for path in (PLUGIN / "texts").iterdir()) == sorted(LOCALES)


def test_both_languages_say_the_same_things_with_the_same_values() -> None:
    chinese = TABLES["zh-CN"]
    assert list(ENGLISH) == list(chinese)
    assert {key: places(text) for key, text in ENGLISH.items()} == {
        key: places(text) for key, text in chinese.items()
    }


@pytest.mark.parametrize("locale", LOCALES)
def test_every_text_is_one_line_with_plain_places(locale: Locale) -> None:
    for key, text in TABLES[locale].items():
        assert text.strip() == text, key
        assert "\n" not in text, key
        assert all(re.fullmatch(r"[a-z_]+", name) for name in places(text)), key


def test_the_chinese_table_is_chinese_and_the_english_one_is_not() -> None:
    plain = {key for key, text in TABLES["zh-CN"].items() if not re.search(r"[\u4e00-\u9fff]", text)}
    values_only = {
        "list.line",
        "list.line_held",
        "why.fact",
        "why.quote",
        "why.older_line",
        "rule.other",
        "decide.fact",
    }
    pending = {
        "pending.line",
        "pending.fact",
    }
    assert plain == values_only | {"status.problem", "absent.line", "said.line"} | pending
    assert [key for key, text in ENGLISH.items() if not text.isascii()] == []


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(
    "key",
    [
        *(f"type.{name}" for name in MemoryType),
        *(f"item_status.{name}" for name in Status),
        *(f"origin.{name}" for name in Origin),
        *(f"mode.{name}" for name in Mode),
        *(f"{group}.{name}" for group in ("help", "usage") for name in SUBCOMMANDS),
    ],
)
def test_every_word_of_the_domain_has_a_text(locale: Locale, key: str) -> None:
    assert TABLES[locale][key]


type Names = Mapping[str, ast.expr]
"""The constants of a module by their names."""


def spoken(node: ast.expr | None, names: Names) -> Iterator[str]:
    """The codes an expression may come to; what follows a colon, as in `f"not_said:{name}"`, is a detail."""
    match node:
        case ast.Name(id=name) if name in names:
            yield from spoken(names[name], {})
        case ast.Constant(value=str(text)) if code := CODE.match(text):
            yield code[1]
        case ast.JoinedStr(values=[first, *_]):
            yield from spoken(first, names)
        case ast.IfExp():
            yield from (*spoken(node.body, names), *spoken(node.orelse, names))
        case ast.BoolOp() | ast.Tuple(ctx=ast.Load()):
            parts = node.values if isinstance(node, ast.BoolOp) else node.elts
            yield from (code for part in parts for code in spoken(part, names))
        case _:
            return


def named(tree: ast.Module) -> Names:
    return {
        target.id: one.value
        for one in tree.body
        if isinstance(one, ast.Assign)
        for target in one.targets
        if isinstance(target, ast.Name)
    }


def reasons_at(node: ast.AST) -> Iterator[ast.expr | None]:
    """The expressions that a node of the code gives as a reason."""
    match node:
        case ast.keyword(arg="rule" | "reason" | "doubt", value=value):
            yield value
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if REASON_NAME.search(name):
            yield value
        case ast.For(target=ast.Tuple(elts=targets), iter=ast.Tuple(elts=rows)):
            places = [
                n for n, one in enumerate(targets) if isinstance(one, ast.Name) and REASON_NAME.search(one.id)
            ]
            yield from (row.elts[n] for row in rows if isinstance(row, ast.Tuple) for n in places)
        case ast.Call(func=ast.Name(id="RefusedError"), args=[value, *_]):
            yield value
        case ast.FunctionDef(returns=ast.Name(id="_Evidence")):
            returned = (inner.value for inner in ast.walk(node) if isinstance(inner, ast.Return))
            yield from (value.elts[-1] for value in returned if isinstance(value, ast.Tuple))
        case ast.FunctionDef(name=name) if REASON_NAME.search(name):
            yield from (inner.value for inner in ast.walk(node) if isinstance(inner, ast.Return))
        case _:
            pass


def modules(*folders: str) -> Iterator[ast.Module]:
    for folder in folders:
        for path in sorted((PLUGIN / folder).rglob("*.py")):
            yield ast.parse(path.read_text(encoding="utf-8"))


WRITING = ("policies", "write", "storage", "upkeep", "manager")
SHARED = {name: value for tree in modules(*WRITING) for name, value in named(tree).items()}


def reasons_of(tree: ast.Module) -> Iterator[str]:
    """The codes a module gives as the reason why a fact is refused or held back."""
    names = {**SHARED, **named(tree)}
    for node in ast.walk(tree):
        for value in reasons_at(node):
            yield from spoken(value, names)


REASONS = {
    *(code for tree in modules(*WRITING) for code in reasons_of(tree)),
    *MemoryWritePolicy.__dataclass_fields__,
    *(MergeKind.KNOWN, MergeKind.TOMBSTONE),
}


def test_the_reasons_are_read_from_the_code_that_gives_them() -> None:
    assert {"emergency_read_only", "mode", "min_confidence", "paused", "max_items_per_scope"} <= REASONS
    assert {"unverified", "quote_not_found", "tool_result", "not_in_evidence", "forgotten"} <= REASONS


@pytest.mark.parametrize("reason", sorted(REASONS))
@pytest.mark.parametrize("locale", LOCALES)
def test_every_reason_the_code_gives_is_told_in_words(locale: Locale, reason: str) -> None:
    said = Messages(locale).rule(reason)
    template = TABLES[locale][f"rule.{reason}"].replace("{ltm}", LTM[locale])
    template = template.replace("{your}", {"en-US": "your", "zh-CN": "你的"}[locale])
    assert said == template.replace("{detail}", "").rstrip(" :：")
    assert said != reason


def test_the_rules_that_leave_a_memory_out_are_those_that_have_a_text() -> None:
    # The stages that leave something out name nothing but their rules and the entries of a word table.
    given = {
        part.value
        for name in ("diversify", "budget")
        for node in ast.parse((PLUGIN / "read" / f"{name}.py").read_text(encoding="utf-8")).body
        if not (isinstance(node, ast.Assign) and "_TABLE" in ast.unparse(node.value))
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and CODE.fullmatch(part.value)
    }
    table = tomllib.loads((PLUGIN / "read" / "diversify.toml").read_text(encoding="utf-8"))
    given -= {*table}
    told = {key.removeprefix("left_out.") for key in ENGLISH if key.startswith("left_out.")}
    assert told == given | {NoBlock.NOT_SENT} | {*HELD_BACK}
    assert {key.removeprefix("no_block.") for key in ENGLISH if key.startswith("no_block.")} == set(NoBlock)
    assert {key.removeprefix("fate.") for key in ENGLISH if key.startswith("fate.")} == {
        *RecallOutcome,
        "superseded_by",
        "evicted",
        "no_log",
    }


def test_no_reason_has_a_text_that_nobody_gives() -> None:
    texts = [
        node.value.partition(":")[0]
        for tree in modules(*WRITING, "prompts", "domain")
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    known = {key.removeprefix("rule.") for key in ENGLISH if key.startswith("rule.")}
    assert known - {"other"} - set(texts) - set(MemoryWritePolicy.__dataclass_fields__) == set()


def test_every_key_the_code_names_exists_and_every_key_is_named() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in PLUGIN.rglob("*.py"))
    named = set(re.findall(r'"([a-z]+\.[a-z_]+)"', code))
    groups = {key.partition(".")[0] for key in ENGLISH}
    assert {key for key in named if key.partition(".")[0] in groups} <= ENGLISH.keys()
    families = set(re.findall(r'f"([a-z_]+)\.\{', code))
    of_a_command = {
        f"{name}.{of}" for name in SUBCOMMANDS for of in re.findall(r'f"\{[\w.]+\}\.(\w+)"', code)
    }
    named |= of_a_command & ENGLISH.keys()
    assert {key for key in ENGLISH if key not in named and key.partition(".")[0] not in families} == set()


@pytest.mark.parametrize(
    ("locale", "expected"),
    [("en-US", "Used from now on: 喜欢猫 {id} %s"), ("zh-CN", "从现在起使用：喜欢猫 {id} %s")],
)
def test_what_is_put_in_is_never_read_as_a_template(locale: Locale, expected: str) -> None:
    assert Messages(locale).text("keep.one", fact="喜欢猫 {id} %s") == expected


def test_a_fact_cannot_leave_its_line() -> None:
    said = Messages("en-US").text("keep.one", fact="likes\ntea\u2028and\u202e \x00 \u200bcake\ud800")
    assert said == "Used from now on: likes tea and cake"


@given(st.text(st.characters()), st.sampled_from(LOCALES))
def test_any_fact_gives_one_line_that_can_be_sent(fact: str, locale: Locale) -> None:
    said = Messages(locale).text("keep.one", fact=fact)
    assert said.splitlines() == [said]
    assert said.encode()


@pytest.mark.parametrize(
    ("count", "english"), [(0, "0 memories"), (1, "1 memory"), (2, "2 memories"), (11, "11 memories")]
)
def test_a_number_takes_the_word_that_fits_it(count: int, english: str) -> None:
    said = Messages("en-US").text("list.header", total=count, page=1, pages=1)
    assert said.startswith(f"{english} from you")
    assert (
        Messages("zh-CN")
        .text("list.header", total=count, page=1, pages=1)
        .startswith(f"你的记忆共 {count} 条")
    )


def test_a_long_value_is_cut_and_says_so() -> None:
    said = Messages("en-US").text("rule.other", rule="x" * (MAX_VALUE_LENGTH + 1))
    assert said == "x" * (MAX_VALUE_LENGTH - 1) + "…"
    assert Messages("en-US").text("rule.other", rule="x" * MAX_VALUE_LENGTH).endswith("x")


def test_numbers_are_written_as_they_are() -> None:
    assert Messages("en-US").text("approve.done", count=3, minutes=10).startswith("Approved: 3 memories")
    assert Messages("zh-CN").text("approve.done", count=3, minutes=10).startswith("已批准 3 条")


def test_members_read_no_terms_of_operators_in_chinese() -> None:
    of_operators = re.compile(r"(?:status|mode|readonly|retry|then)\.|help\.retry\Z|fate\.no_log\Z")
    for key, text in TABLES["zh-CN"].items():
        assert of_operators.match(key) or not re.search("学习|召回|提取", text), key
    for key in ("rule.mode", "left_out.shadow"):  # of what a member is told to accept
        assert TABLES["zh-CN"][key].endswith("还没有人接受。"), key
    assert "只在你的私聊，以及分享之前你说过它的会话里使用" in TABLES["zh-CN"]["unshare.done"]


def test_a_key_nobody_wrote_and_a_missing_value_are_mistakes_of_the_caller() -> None:
    with pytest.raises(KeyError):
        Messages("en-US").text("no.such.key")
    with pytest.raises(KeyError):
        Messages("en-US").text("keep.one")


def test_a_known_rule_is_explained_and_any_other_reason_is_given_as_it_is() -> None:
    assert Messages("en-US").rule("min_confidence") == "its confidence is too low."
    assert Messages("zh-CN").rule("min_confidence") == "置信度过低。"
    assert Messages("zh-CN").rule("not_in_evidence:Paris") == "依据中缺少名字或数字：Paris"
    assert Messages("zh-CN").rule("approved by\nthe operator") == "approved by the operator"


@pytest.mark.parametrize(
    ("text", "locale"),
    [
        ("/ltm list", "en-US"),
        ("/ltm LIST preference", "en-US"),
        ("/ltm 列表", "zh-CN"),
        ("/ltm add 我对花生过敏", "zh-CN"),
        ("/记忆 status", "zh-CN"),
        ("/ltm 𠀀", "zh-CN"),
        ("/ltm", "en-US"),
        ("/ltm ?", "en-US"),
        ("", "en-US"),
    ],
)
def test_the_answer_is_in_the_language_of_the_command_else_in_english(text: str, locale: Locale) -> None:
    assert locale_of(text) == locale


COMMAND = re.compile(r"/(\{?[a-z]+\}?|记忆)(?: ([\w-]+))?")
HOSTS_OWN = {"reset", "sid"}
PROSE = {"for", "查看用法"}
CORRECT = {"correct", "更正"}
"""What the help does not list: `add` behind a number."""


@pytest.mark.parametrize("locale", LOCALES)
def test_the_texts_name_the_command_as_it_was_called_and_its_parts_in_their_language(locale: Locale) -> None:
    parts = {"zh-CN": set(SUBCOMMANDS.values()), "en-US": set(SUBCOMMANDS)}[locale]
    for key, text in TABLES[locale].items():
        for name, part in COMMAND.findall(re.sub(r"[{<(]\w+[|/}][^ ]*", "", text.replace("{ltm}", "ltm"))):
            assert name == "ltm" or name in HOSTS_OWN, key
            assert name in HOSTS_OWN or not part or part in parts | PROSE | CORRECT, key


def test_the_command_is_named_as_it_was_called_and_else_as_the_language_calls_it() -> None:
    assert Messages("zh-CN", ltm="记忆").text("list.more", page=2) == "更多：/记忆 列表 2"
    assert Messages("zh-CN", ltm="ltm").text("list.more", page=2) == "更多：/ltm 列表 2"
    assert Messages("zh-CN").text("list.more", page=2) == "更多：/记忆 列表 2"
    assert Messages("en-US", ltm="mem").text("list.more", page=2) == "More: /mem list 2"
    assert Messages("en-US", ltm="\u200b").text("list.more", page=2) == "More: /ltm list 2"


def test_the_chinese_aliases_are_the_promised_ones() -> None:
    assert " ".join(SUBCOMMANDS.values()) == (
        "列表 依据 为什么没有 记 忘记 状态 模式 批准 待审核 拒绝 重试 暂停 恢复 关联 取消关联"
        " 搜索 分享 取消分享 导出 只读 抹除 接受 撤销"
    )
