"""That each doubt of what is not quite as it was said reaches the outcome of grounding."""

import pytest
from astrbot_plugin_ltm.long_term_memory.write.ground import ground

from tests.write.fakes import event
from tests.write.made import a_candidate


@pytest.mark.parametrize(
    ("said", "fact", "doubt"),
    [
        ("I want kids", "User has kids", "quote_out_of_context"),
        ("I'm a nurse and I want kids", "User is a nurse", ""),
        ("我从腾讯离职了", "用户在腾讯工作", "quote_unrelated"),
        ("My dog died so I got a cat", "User has a cat", ""),
        ("I left Berlin and now live in Oslo", "User lives in Oslo", ""),
        ("我离开北京，现在住在上海", "用户住在上海", ""),
        ("I like tea", "User likes green tea", "not_in_evidence:green"),
        ("I am allergic to nuts", "User is allergic to shellfish and nuts", "not_in_evidence:shellfish"),
        ("我女儿叫小美", "用户的女儿叫小梅", "not_in_evidence:小梅"),
        ("I prefer tea to coffee", "User prefers coffee to tea", "roles_differ"),
        ("My rent is 900 and my salary is 3000", "User's salary is 900", "not_in_evidence:900"),
        ("My rent is 900 and my salary is 3000", "User's salary is 3000", ""),
    ],
)
def test_a_fact_waits_when_it_is_not_quite_what_was_said(said: str, fact: str, doubt: str) -> None:
    assert ground(a_candidate(fact, quote=said), [event(said)]).doubt == doubt
    assert not doubt or ground(a_candidate(fact), [event(said)]).doubt
