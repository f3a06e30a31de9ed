from types import SimpleNamespace

import pytest
from astrbot_plugin_ltm.long_term_memory.host.bots import marked_as_a_bot


class Secretive:
    """A message of a library that raises when it is looked at."""

    @property
    def author(self) -> object:
        raise RuntimeError("closed")


@pytest.mark.parametrize(
    "raw",
    [
        SimpleNamespace(author=SimpleNamespace(bot=True)),
        SimpleNamespace(message=SimpleNamespace(from_user=SimpleNamespace(is_bot=True))),
        {"user": {"is_bot": True}},
        {"user": {"isBot": True}},
        {"extra": {"author": {"bot": 1}}},
        {"props": {"from_bot": "true"}},
    ],
    ids=["discord", "telegram", "satori", "misskey", "kook", "mattermost"],
)
def test_a_bot_is_known_by_what_its_platform_says(raw: object) -> None:
    assert marked_as_a_bot(raw)


@pytest.mark.parametrize(
    "raw",
    [
        None,
        "text",
        (1, 2),
        {},
        {"author": {"bot": False}},
        {"author": {"bot": None}},
        {"author": {"bot": {"id": "1"}}},
        {"props": {"from_bot": "false"}},
        {"props": None},
        SimpleNamespace(author=SimpleNamespace(bot=False)),
        Secretive(),
    ],
)
def test_nobody_is_a_bot_without_being_called_one(raw: object) -> None:
    assert not marked_as_a_bot(raw)
