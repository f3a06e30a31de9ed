from astrbot_plugin_ltm.long_term_memory.policies.traditional import in_both_scripts


def test_words_are_given_in_both_scripts() -> None:
    assert in_both_scripts("\n什么 猫\n").split() == ["什么", "猫", "什麼", "貓"]
    assert [*in_both_scripts("茶猫")] == ["茶", "猫", "茶", "貓"]
