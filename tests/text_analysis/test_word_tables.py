from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.text_analysis.word_tables import (
    WordTable,
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


def test_a_pattern_may_name_those_further_up(tmp_path: Path) -> None:
    patterns = a_table(tmp_path, "one = 'a|b'\ntwo = '&one!'\n").patterns()
    assert patterns["two"].fullmatch("B!")
    with pytest.raises(KeyError, match="two"):
        a_table(tmp_path, "one = '&two'\ntwo = 'a'\n").patterns()


def test_texts_are_found_by_the_group_they_stand_in_which_is_no_pattern(tmp_path: Path) -> None:
    table = a_table(tmp_path, "word = 'a'\n[days]\n1 = ['day', '天']\n7 = ['week']\n")
    assert table.groups("days") == {"day": "1", "天": "1", "week": "7"}
    assert [*table.patterns()] == ["word"]
