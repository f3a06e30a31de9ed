import pytest
from astrbot_plugin_ltm.long_term_memory.access.gatekeeper import GroupRules
from astrbot_plugin_ltm.long_term_memory.host.bots import to_another_bot

BARE, SCOPE = "g1", "qq:GroupMessage:g1"


def test_no_group_is_listened_to_unless_it_is_asked_for() -> None:
    assert not GroupRules().listens_to(BARE, SCOPE)
    assert not GroupRules(only=frozenset({BARE})).listens_to(BARE, SCOPE)


@pytest.mark.parametrize("name", [BARE, SCOPE])
def test_a_group_is_named_bare_or_as_its_scope(name: str) -> None:
    only = GroupRules(passive_capture=True, only=frozenset({name}))
    assert only.listens_to(BARE, SCOPE)
    assert not only.listens_to("g2", "qq:GroupMessage:g2")
    but = GroupRules(passive_capture=True, but=frozenset({name}))
    assert not but.listens_to(BARE, SCOPE)
    assert but.listens_to("g2", "qq:GroupMessage:g2")


def test_an_exception_wins() -> None:
    both = GroupRules(passive_capture=True, only=frozenset({BARE}), but=frozenset({SCOPE}))
    assert not both.listens_to(BARE, SCOPE)


@pytest.mark.parametrize("text", ["/roll 3d6", "!play a song", "  /help", "！点歌 晴天", "／签到"])
def test_what_looks_like_a_command_is_for_another_bot(text: str) -> None:
    assert to_another_bot(text)


@pytest.mark.parametrize("text", ["", "Hello!", "1/2 of it", "/ or so", "!!!", "!? what", "你好！早", "/1"])
def test_ordinary_words_are_for_everybody(text: str) -> None:
    assert not to_another_bot(text)
