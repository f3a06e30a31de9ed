import json
from collections.abc import Mapping, Sequence

import pytest
from astrbot_plugin_ltm.long_term_memory.prompts.lenient_json import Value, mended, objects_with, readings
from hypothesis import given
from hypothesis import strategies as st

QUOTED = st.text(alphabet="[]{}:,，：'\"“”‘’\\/#* an我")
TEXTS = QUOTED | st.text()


def records(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Sequence[Mapping[str, object]]]:
    scalars = texts | st.integers() | st.booleans() | st.none()
    return st.lists(st.dictionaries(texts, scalars, max_size=3), max_size=3)


def found(text: str) -> list[Value]:
    """What is found in a text as it stands."""
    return next(readings(text, len(text))).values


def values(text: str) -> list[object]:
    return [each.value for each in found(text)]


@given(records(TEXTS))
def test_what_is_json_stays_what_it_is(value: Sequence[Mapping[str, object]]) -> None:
    for ascii_alone in (True, False):
        assert values(mended(json.dumps(value, ensure_ascii=ascii_alone))) == [value]


@given(records(QUOTED))
def test_what_python_writes_becomes_json(value: Sequence[Mapping[str, object]]) -> None:
    assert values(mended(str(value))) == [value]


@given(TEXTS)
def test_any_text_can_be_mended_and_read(text: str) -> None:
    assert len(list(readings(text, len(text)))) in (1, 2)
    assert [each for each in objects_with("a", text) if "a" not in each] == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[“a”，{‘b’：1，}，]", ["a", {"b": 1}]),
        ("［“（一），”，“二：”］", ["（一），", "二："]),
        ('["see // no comment", "# none", "None,]",]', ["see // no comment", "# none", "None,]"]),
        ("[None, True, False]", [None, True, False]),
        ("['it\\'s \\x41 \\u00e9 \\ud8', 'a\\\\']", ["it's x41 é ud8", "a\\"]),
        ('["he said "no", to me", "x", null]', ['he said "no", to me', "x", None]),
        ('["he said "no" to me", "x"]', ['he said "no" to me', "x"]),
    ],
)
def test_what_is_nearly_json_becomes_json_and_what_is_in_quotes_stays(text: str, value: object) -> None:
    assert values(mended(text)) == [value]


@pytest.mark.parametrize("text", ["it's [not shut', it", "https://example.org/ [1]", "「一」"])
def test_what_there_is_nothing_to_mend_in_stays(text: str) -> None:
    assert mended(text) == text


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("[]", [True]),
        ("[1] [2]", [True, True]),
        ("[x] [1]", [True]),
        ("[x] [1] [2]", [False, True]),
        ("[x] [1] {y}", [False]),
        ("[x, [1]", [False]),
        ("{x, [1]]", [False]),
    ],
)
def test_a_value_is_alone_when_it_cannot_be_part_of_something_broken(text: str, alone: list[bool]) -> None:
    assert [each.alone for each in found(text)] == alone


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"[1] and [2]', [1]),
        ('so "[1]"', [1]),
        ('"[1]" and {"a": 2}', [1]),
        ("[1]", [1]),
    ],
)
def test_what_is_more_than_a_string_of_json_is_read_as_it_stands(text: str, value: object) -> None:
    assert values(text)[0] == value


def test_objects_are_found_outermost_first_whatever_holds_them() -> None:
    inner = {"fact": 1, "more": {"fact": 2}}
    for value in (inner, [[inner]], {"a": {"b": inner}}):
        assert list(objects_with("fact", value)) == [inner]
    assert list(objects_with("fact", [{"a": 1}, 3, None, "fact"])) == []
