import pytest
from astrbot_plugin_ltm.long_term_memory.read.query_intent import asks_for_all, asks_of_own_life


@pytest.mark.parametrize(
    "text",
    [
        "What do you know about me?",
        "what do you remember about me",
        "Hi! What do you remember about me so far?",
        "So, what do you know about me?",
        "What else do you know about me?",
        "What have you learned about me?",
        "What do you remember?",
        "Tell me everything you remember about me",
        "Can you tell me what you know about me?",
        "Please list everything you’ve stored about me.",
        "How much do you know about me?",
        "How well do you know me?",
        "Do you know anything about me?",
        "Do you remember me?",
        "Do you know who I am?",
        "Who am I?",
        "what do u know about me",
        "Tell me about myself",
        "What is in your memory about me?",
        "I'm back. What do you know about me?",
        "你还记得我什么？",
        "你還記得我什麼？",
        "你記得我嗎",
        "你知道我是誰嗎",
        "關於我，你記得什麼？",
        "你了解我多少",
        "你都记得关于我的哪些事情",
        "你知道我什么",
        "你对我了解多少？",
        "你对我有什么印象",
        "你有多了解我",
        "你记得哪些关于我的事",
        "关于我，你知道什么？",
        "请告诉我你知道的关于我的一切",
        "你记住了我的哪些信息？",
        "你还记得我吗？",
        "你认识我吗",
        "你知道我是谁吗？",
        "我是谁",
        "说说你对我的了解",
        "你还记得关于我的事吗",
        "把你记得的关于我的事情都告诉我",
        "你还记得什么？",
        "你好，你都了解我些什么",
        "你的记忆里有什么关于我的内容",
    ],
)
def test_whoever_asks_for_all_that_is_remembered_of_them_is_understood(text: str) -> None:
    assert asks_for_all(text)


@pytest.mark.parametrize(
    "text",
    [
        "What do you know about quantum physics?",
        "Do you remember what I said about Bob?",
        "What do you know about Mexico?",
        "What do you know about my cat?",
        "What do you know about me and Bob?",
        "What does Anna know about me?",
        "What do you think about me?",
        "Do you know me as a customer of the bank next door?",
        "Do you know anything about medicine?",
        "Tell me everything about the moon",
        "Tell me something about yourself",
        "Tell me what you know",
        "Tell me about the moon",
        "Tell me about me and Bob",
        "Remember that I am vegan",
        "Who am I going to meet?",
        "What do you remember from the book?",
        "你知道量子力学吗",
        "你还记得我说过的话吗",
        "你记得我哪天出生吗",
        "你知道我的猫叫什么吗",
        "你了解我国的历史吗",
        "你知道我为什么生气吗",
        "你知道我多高吗",
        "你记得我喜欢什么吗",
        "把你知道的都告诉我",
        "你还记得小明的什么事",
        "你知道什么是爱吗",
        "请记住我的生日",
        "告诉我关于月亮的一切",
        "我是谁的孩子",
        "",
        "?",
    ],
)
def test_whoever_asks_for_something_in_particular_does_not_ask_for_all(text: str) -> None:
    assert not asks_for_all(text)


def test_a_long_text_is_about_something() -> None:
    assert not asks_for_all("word " * 100 + ". What do you know about me?")


def test_advice_on_something_of_everyday_is_for_the_speaker_also_without_a_subject() -> None:
    for text in (
        "dinner ideas?",
        "Recommend a restaurant for tonight",
        "what to wear to a winter wedding",
        "Is Thursday evening free for drinks",
        "headache since this morning, which pills?",
        "今晚吃什么？",
        "推荐一家聚餐的餐厅",
        "穿什么去面试好",
        "最近老失眠，怎么办",
    ):
        assert asks_of_own_life(text), text
    for text in (
        "what do pandas eat?",
        "what is dinner called in French",
        "Is a tomato a fruit or a vegetable?",
        "python: how to reverse a list",
        "What's on TV tonight?",
        "古人早饭吃什么？",
        "什么时候吃药是饭后的意思",
        "推荐一个排序算法",
        "Fix the failing job in CI",
        "Please clean this CSV",
        "Sort this list by date",
        "OK, the show was great",
        "Can a plant survive without sun?",
        "今天的新闻有什么",
        "工作流怎么办理",
    ):
        assert not asks_of_own_life(text), text
