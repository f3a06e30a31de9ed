import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from astrbot_plugin_ltm.long_term_memory.write.ground import ground

from tests.write.fakes import event
from tests.write.made import a_candidate
from tests.write.pairs import DISHONEST, HONEST

SAID_AT = datetime(2026, 11, 18, 9, tzinfo=UTC)
HONEST_SHARE = 0.9


def doubt(said: str, fact: str, quote: str) -> str:
    return ground(a_candidate(fact, quote=quote), [replace(event(said), created_at=SAID_AT)]).doubt


def test_half_of_the_pairs_are_chinese() -> None:
    for pairs in (HONEST, DISHONEST):
        assert len(pairs) == 40
        assert sum(bool(re.search(r"[\u4e00-\u9fff]", said)) for said, _ in pairs) == 20


def test_nearly_all_honest_facts_are_grounded() -> None:
    grounded = [pair for pair in HONEST if not doubt(*pair, quote=pair[0])]
    assert len(grounded) >= HONEST_SHARE * len(HONEST)


@pytest.mark.parametrize(("said", "fact"), DISHONEST)
def test_no_dishonest_fact_is_grounded(said: str, fact: str) -> None:
    assert doubt(said, fact, quote=said)
    assert doubt(said, fact, quote="")
