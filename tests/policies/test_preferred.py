import pytest
from astrbot_plugin_ltm.long_term_memory.policies.preferred import prefers_otherwise


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        ("User prefers coffee to tea", "I prefer tea to coffee"),
        ("User prefers coffee", "I prefer tea to coffee"),
        ("Prefers Java over Python", "I prefer Python over Java"),
        ("User prefers coffee over tea", "I like tea more than coffee"),
        ("用户比起茶更喜欢咖啡", "比起咖啡我更喜欢茶"),
        ("用户更喜欢咖啡而不是茶", "比起咖啡我更喜欢茶"),
        ("User prefers coffee to tea", "比起咖啡我更喜欢茶"),
        ("User prefers coffee over tea", "I like coffee less than tea"),
        ("用户更喜欢咖啡", "跟咖啡相比，我更喜欢绿茶"),
        ("用户更喜欢咖啡", "相比咖啡，我更喜欢茶"),
        ("用户更喜欢咖啡", "相较于咖啡我更喜欢茶"),
        ("User prefers cats", "I like cats less than a dog"),
        ("User prefers coffee to tea", "I like coffee less than a good tea"),
        ("用户更喜欢咖啡", "同咖啡相比，我更喜欢茶"),
        ("用户更喜欢咖啡", "相对于咖啡，我更喜欢茶"),
        ("用户更喜欢咖啡", "和咖啡比起来，我更喜欢茶"),
        ("用户更喜欢咖啡", "跟咖啡比，我更喜欢茶"),
    ],
)
def test_what_is_put_second_is_not_preferred(fact: str, words: str) -> None:
    assert prefers_otherwise(fact, words)


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        ("User prefers tea over coffee", "I prefer tea to coffee"),
        ("User prefers tea to coffee", "I'd rather have tea than coffee"),
        ("User prefers tea", "I prefer tea to coffee"),
        ("User prefers to drink tea", "I prefer to drink tea"),
        ("User likes tea and coffee", "I prefer tea to coffee"),
        ("用户更喜欢茶而不是咖啡", "比起咖啡我更喜欢茶"),
        ("User prefers tea", "I like tea"),
        ("User prefers tea", "I like coffee less than tea"),
        ("User prefers a short commute", "My commute is less than 30 minutes, and I prefer it short"),
        ("User prefers a short commute", "My commute is less than an hour, and I prefer it short"),
        ("用户更喜欢绿茶", "跟咖啡相比，我更喜欢绿茶"),
    ],
)
def test_the_same_order_in_other_words_is_no_doubt(fact: str, words: str) -> None:
    assert not prefers_otherwise(fact, words)
