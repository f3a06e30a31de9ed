"""What a model may say for several memories, and how it is kept."""

from dataclasses import replace
from datetime import timedelta

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.words import MemoryType, Origin, Status
from astrbot_plugin_ltm.long_term_memory.upkeep.episodes import doubt_of, representative

from tests.stores import NOW, an_event, an_evidence, an_item
from tests.upkeep.fakes import Hands

HIKES = [
    "User went hiking near Oslo with Tom",
    "User went hiking for 3 hours",
    "User did not like the rain hiking",
]
CLIMBS = ["用户去香山爬山了", "用户和小王去爬山", "用户爬山走了3个小时"]


@pytest.mark.parametrize(
    ("fact", "facts", "doubt"),
    [
        ("User often goes hiking", HIKES, ""),
        ("User went hiking with Tom for 3 hours", HIKES, ""),
        ("User went hiking with Tom for three hours", HIKES, ""),
        ("用户常去爬山", CLIMBS, ""),
        ("", HIKES, "nothing_in_common"),
        ("User went hiking with Ben", HIKES, "not_in_evidence"),
        ("User went hiking 8 times", HIKES, "not_in_evidence"),
        ("用户爬山8次", CLIMBS, "not_in_evidence"),
        ("User enjoys expensive restaurants", HIKES, "unrelated"),
        ("用户喜欢吃火锅", CLIMBS, "unrelated"),
        ("User never went hiking", HIKES[:2], "negation_differs"),
        ("用户不爬山", CLIMBS, "negation_differs"),
    ],
)
def test_a_statement_needs_the_names_the_numbers_and_most_words_of_what_it_stands_for(
    fact: str, facts: list[str], doubt: str
) -> None:
    assert doubt_of(fact, facts) == doubt


def test_the_statement_waits_and_rests_on_all_the_words_of_its_group_each_once() -> None:
    later = NOW + timedelta(days=1)
    one = an_item(
        "went hiking", type=MemoryType.EPISODE, confidence=0.9, evidence_count=3, importance=0.2, tags=("a",),
        teller="Bob", relationship="friend", backstory="b", slot="s", origin=Origin.RULE, access_count=4,
        last_accessed_at=NOW,
    )  # fmt: skip
    other = replace(
        one, memory_id="m2", confidence=0.5, evidence_count=1, importance=0.6, emotion=0.3, teller="Carol",
        last_confirmed_at=later,
    )  # fmt: skip
    events = [an_event(str(n)) for n in range(3)]
    links = [
        an_evidence(one, events[0]),
        an_evidence(one, events[1]),
        an_evidence(other, events[0], quote="x"),
        an_evidence(other, events[2]),
    ]
    item, evidence = representative(
        [one, other], "Often hikes", links, ttl_days=30, now=later, make_id=Hands().make_id
    )
    assert item == replace(
        one,
        memory_id="made-1",
        fact="Often hikes",
        fact_key="often hikes",
        confidence=pytest.approx(0.8),
        importance=0.6,
        emotion=0.3,
        evidence_count=3,
        ttl_days=30,
        status=Status.PENDING,
        reason="compaction",
        origin=Origin.LLM_EXTRACT,
        teller="",
        backstory="",
        slot="",
        tags=(),
        supersedes=(one.memory_id, "m2"),
        access_count=0,
        created_at=later,
        updated_at=later,
        last_confirmed_at=later,
        last_accessed_at=None,
        expires_at=later + timedelta(days=30),
    )
    wanted = [links[0], links[1], links[3]]
    assert evidence == [
        replace(link, evidence_id=f"made-{n}", memory_id="made-1") for n, link in enumerate(wanted, start=2)
    ]
