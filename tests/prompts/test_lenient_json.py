import json
from collections.abc import Mapping, Sequence

import pytest
from astrbot_plugin_ltm.long_term_memory.prompts.lenient_json import Value, objects_with, read
from hypothesis import given
from hypothesis import strategies as st

QUOTED = st.text(alphabet="[]{}:,，：'\"“”‘’\\/#* an我")
TEXTS = QUOTED | st.text()


def records(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Sequence[Mapping[str, object]]]:
    scalars = texts | st.integers() | st.booleans() | st.none()
    return st.lists(st.dictionaries(texts, scalars, max_size=3), max_size=3)


def found(text: str) -> list[Value]:
    """What is found in a text as it stands."""
    return [*read(text, len(text)).values]


def values(text: str) -> list[object]:
    return [each.value for each in found(text)]


@given(records(TEXTS))
def test_what_is_json_stays_what_it_is(value: Sequence[Mapping[str, object]]) -> None:
    for ascii_alone in (True, False):
        assert values(json.dumps(value, ensure_ascii=ascii_alone)) == [value]


@given(TEXTS)
def test_any_text_can_be_read(text: str) -> None:
    assert all(isinstance(value, list | dict) for value in values(text))
    assert [each for each in objects_with("a", text) if "a" not in each] == []


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


def test_objects_are_found_outermost_first_whatever_holds_them() -> None:
    inner = {"fact": 1, "more": {"fact": 2}}
    for value in (inner, [[inner]], {"a": {"b": inner}}):
        assert list(objects_with("fact", value)) == [inner]
    assert list(objects_with("fact", [{"a": 1}, 3, None, "fact"])) == []
