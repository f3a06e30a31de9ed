from astrbot_plugin_ltm.long_term_memory.text_analysis.fact_words import is_plain_yes


def test_a_short_message_that_takes_up_what_was_said_is_a_plain_yes() -> None:
    for said in (
        "Yes, that's right.",
        "Got it, thanks",
        "That's great.",
        "Wow!",
        "嗯对",
        "知道了",
        "太好了,谢谢",
        "Exakt.",
        "Eso, dale",
        "Tal cual. Mañana lo llamo",
        "Tout à fait",
    ):
        assert is_plain_yes(said), said


def test_a_question_a_denial_and_whatever_says_more_is_none() -> None:
    for said in (
        "Great, but not for me",
        "Good for whom?",
        "不是",
        "嗯,但是不要",
        "Good luck with all of that then",
    ):
        assert not is_plain_yes(said), said
