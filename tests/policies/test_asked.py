import pytest
from astrbot_plugin_ltm.long_term_memory.policies.asked import as_stated, asks_to_remember, asks_to_save


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


@pytest.mark.parametrize(
    "text",
    [
        "Please remember that I like tea",
        "save this: my flight is at nine",
        "My name is Alice, please save it",
        "Can you store my shoe size? It is 42",
        "Note: the plumber comes on Tuesday",
        "put it into your memory",
        "keep my address for later",
        "jot down that I am vegan",
        "I am vegan, write that down",
        "write my shoe size down, it is 42",
        "don't forget that I am vegan",
        "帮我保存一下我的地址",
        "存一下：车牌是京A12345",
        "把这个记录下来",
        "加个备注，我不吃辣",
        "别忘了我对花生过敏",
    ],
)
def test_whoever_asks_to_save_is_heard(text: str) -> None:
    assert asks_to_save(text)


@pytest.mark.parametrize(
    "text",
    [
        "I live in Oslo",
        "How do I save a file in Word?",
        "I work as a plumber in Oslo; write my application",
        "I use Python at work, so write it in Python",
        "I want to save money",
        "Don't remember that I live in Oslo",
        "please do not save this",
        "Never store my address",
        "no need to note it down",
        "You need not remember it",
        "不要记住我住在奥斯陆",
        "别保存这个",
        "这个不用记录",
        "我住在奥斯陆",
    ],
)
def test_whoever_does_not_ask_to_save_or_asks_not_to_is_not(text: str) -> None:
    assert not asks_to_save(text)


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("Can you remember that I'm vegan?", "        remember that I'm vegan."),
        ("Hi! Could you please save that I ski? Bye?", "Hi!           please save that I ski. Bye?"),
        ("你能记住我吃素吗？", "  记住我吃素. "),
        ("可以帮我保存我的地址么?谢谢", "  帮我保存我的地址. 谢谢"),
        ("Can you tell me whether I ski?", "Can you tell me whether I ski?"),
        ("Do you remember me?", "Do you remember me?"),
        ("今天能出门吗？", "今天能出门吗？"),
    ],
)
def test_a_polite_request_is_read_as_a_plain_one_with_every_character_in_its_place(
    text: str, stated: str
) -> None:
    assert as_stated(text) == stated
    assert len(as_stated(text)) == len(text)
