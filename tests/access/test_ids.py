from astrbot_plugin_ltm.long_term_memory.access.identity import escaped, unescaped
from hypothesis import given
from hypothesis import strategies as st

from .chats import IDS


@given(st.text() | IDS)
def test_what_is_escaped_holds_no_colon_and_comes_back(part: str) -> None:
    assert ":" not in escaped(part)
    assert unescaped(escaped(part)) == part


def test_what_the_host_gives_out_stays_as_it_is() -> None:
    assert escaped("plat_a") == "plat_a"
    assert escaped("a!b:c") == "a!!b!.c"
