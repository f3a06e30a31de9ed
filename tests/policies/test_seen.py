import pytest
from astrbot_plugin_ltm.long_term_memory.policies.seen import seen_line
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("  Ann\n\tLee ", "Ann Lee"),
        ("A\u200bn\u202en\ue000", "Ann"),
        ("王\u3000小明", "王 小明"),
        ("\u200b\x00\ud800", ""),
        ("🍕", "🍕"),
    ],
)
def test_a_line_holds_what_is_to_be_seen(text: str, line: str) -> None:
    assert seen_line(text) == line


@given(st.text())
def test_a_seen_line_stays_as_it_is(text: str) -> None:
    assert seen_line(seen_line(text)) == seen_line(text)
    assert len(seen_line(text).splitlines()) <= 1
