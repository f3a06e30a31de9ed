import pytest
from astrbot_plugin_ltm.long_term_memory.policies.asked import asks_to_remember


@pytest.mark.parametrize(
    "text",
    [
        "Please remember the thing about the garage",
        "btw remember: I moved",
        "Could you remember my flight, it is on Friday",
        "Don't forget what I said about cake",
        "keep in mind that I work nights",
        "make a note of it, will you",
        "记住，我搬家了",
        "帮我把这个记住",
        "这件事你要记得",
        "请记一下我的航班",
        "千万别忘了我对花生过敏",
    ],
)
def test_whoever_asks_to_remember_is_heard(text: str) -> None:
    assert asks_to_remember(text)


@pytest.mark.parametrize(
    "text",
    [
        "Do you remember my name?",
        "I remember that day",
        "I can't remember where I left it",
        "We remember it well",
        "It was a memorable day",
        "你还记得我吗",
        "我记得你说过",
        "今天天气不错",
        "x" * 3_000 + " remember this",
    ],
)
def test_whoever_only_speaks_of_memory_is_not(text: str) -> None:
    assert not asks_to_remember(text)
