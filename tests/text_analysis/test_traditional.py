from astrbot_plugin_ltm.long_term_memory.text_analysis.word_forms import in_both_scripts, simplified


def test_words_are_given_in_both_scripts() -> None:
    assert in_both_scripts("\n什么 猫\n").split() == ["什么", "猫", "什麼", "貓"]
    assert [*in_both_scripts("茶猫")] == ["茶", "猫", "茶", "貓"]


def test_a_text_is_told_in_simplified_characters_at_the_same_places() -> None:
    said = "我媽媽住在臺北，貓叫什麼？ New York"
    assert simplified(said) == "我妈妈住在臺北，猫叫什么？ New York"
    assert simplified("著名的歌手") == "著名的歌手"
