from astrbot_plugin_ltm.long_term_memory.text_analysis.word_forms import (
    chinese_in_one_form,
    forms_of,
    one_form,
    relatives,
    stem,
)


def test_words_for_one_relative_have_one_form_and_other_words_stay() -> None:
    words = {"mom": "mother", "mother": "mother", "kids": "children", "tea": "tea", "母亲": "妈妈"}
    assert {word: one_form(word) for word in words} == words
    texts = {"我妈和我父亲": "我妈妈和我爸爸", "我哥特别高": "我哥哥特别高"}
    others = (
        "姑妈，表姐，姐夫，兄弟",
        "墨西哥，哥伦布，哥特，帅哥，妹子，徒弟",
        "小哥哥，表姐姐，哥们",
        "喝茶",
    )
    texts |= {text: text for text in others}
    assert {text: chinese_in_one_form(text) for text in texts} == texts
    assert {form: chinese_in_one_form(form) for form in texts.values()} == {
        form: form for form in texts.values()
    }


def test_a_word_for_a_relative_is_known_by_all_its_forms_and_by_a_stem() -> None:
    assert {"mother", "mom", "mum"} <= {*forms_of("mother")}
    assert {"爸爸", "父亲"} <= {*forms_of("爸爸")}
    assert {"coworker", "coworkers"} <= {*forms_of(stem("colleagues"))}
    assert forms_of("tea") == ["tea"]


def test_two_relatives_stay_two() -> None:
    assert relatives("user's mom is called ann") == relatives("ann is the mother of user") == {stem("mother")}
    assert relatives("user's mother-in-law") != relatives("user's mother")
    assert relatives("用户的姐姐") != relatives("用户的妹妹")
    assert relatives("用户喜欢茶") == frozenset()
