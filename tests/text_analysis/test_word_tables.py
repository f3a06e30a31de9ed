import re
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.text_analysis.word_tables import (
    WordTable,
    WordTableError,
    word_table,
)


def a_table(folder: Path, text: str) -> WordTable:
    (folder / "words.toml").write_text(text, encoding="utf-8")
    return word_table(str(folder / "words.py"))


def test_a_table_is_read_from_the_file_beside_its_module(tmp_path: Path) -> None:
    table = a_table(tmp_path, "share = 0.5\n[names]\nfirst = ['ann', 'bob']\n[[rules]]\nsays = 'x'\n")
    assert table.number("share") == 0.5
    assert [*table.table("names")] == ["first"]
    assert table.table("names").pattern("first") == "ann|bob"
    assert [rule.text("says") for rule in table.tables("rules")] == ["x"]
    assert table.text("missing", "") == ""


def test_line_breaks_and_indents_are_no_part_of_a_pattern(tmp_path: Path) -> None:
    table = a_table(tmp_path, "of = '''\n    a b\n    |c\n'''\n")
    assert table.pattern("of") == "a b|c"
    assert table.compiled("of").fullmatch("A B")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[part]\nof = 3", "words.toml: part: of has to be a text"),
        ("[part]\nof = ''", "words.toml: part: of has to be a text"),
        ("[part]\nof = []", "words.toml: part: of has to be an array of texts"),
        ("[part]\nof = ['a', 3]", "words.toml: part: of has to be an array of texts"),
        ("[part]\nof = '('", "words.toml: part: of is no regular expression"),
        ("[part]", "words.toml: part: of has to be a text"),
        ("part = 3", "words.toml: part has to be a table"),
    ],
)
def test_what_is_no_pattern_is_refused_with_its_file_and_key(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(WordTableError, match=re.escape(message)):
        a_table(tmp_path, text).table("part").compiled("of")


@pytest.mark.parametrize("value", ["'0.5'", "2", "-1", "true", "nan"])
def test_what_is_no_share_is_refused(tmp_path: Path, value: str) -> None:
    with pytest.raises(WordTableError, match=r"words\.toml: share has to be a number from 0 to 1"):
        a_table(tmp_path, f"share = {value}").number("share")


def test_what_is_no_array_of_tables_is_refused_and_one_of_several_is_named(tmp_path: Path) -> None:
    with pytest.raises(WordTableError, match=r"words\.toml: rules has to be an array of tables"):
        a_table(tmp_path, "rules = [1]").tables("rules")
    second = a_table(tmp_path, "[[rules]]\nsays = 'a'\n[[rules]]\n").tables("rules")[1]
    with pytest.raises(WordTableError, match=r"words\.toml: rules 2: says has to be a text"):
        second.text("says")


def test_a_file_that_is_no_toml_is_named(tmp_path: Path) -> None:
    with pytest.raises(WordTableError, match=r"words\.toml: .*line 1"):
        a_table(tmp_path, "= 3")
