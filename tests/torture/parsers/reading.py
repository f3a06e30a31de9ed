"""What holds of every answer that is read, whatever was in it."""

import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from math import isfinite
from zoneinfo import ZoneInfo

from astrbot_plugin_ltm.long_term_memory.domain.enums import Role
from astrbot_plugin_ltm.long_term_memory.domain.errors import AnswerError
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event
from astrbot_plugin_ltm.long_term_memory.domain.writing import Candidate, Grounded, Segment
from astrbot_plugin_ltm.long_term_memory.prompts.extraction import MAX_FACTS, MAX_QUOTES, ParsedAnswer
from astrbot_plugin_ltm.long_term_memory.write.ground import ground_all

from tests.stores import GROUP_CHAT, NOW, an_event

type Parse = Callable[[str, Sequence[str]], ParsedAnswer]

ZONE = ZoneInfo("Asia/Shanghai")
LONGEST = {"fact": 500, "fact_key": 300, "about": 120, "person": 120, "backstory": 1_000}
LONGEST_QUOTE, LONGEST_REASON = 2_000, 60
SAID = (
    "Hi! my name is Alice, and my brother Bob lives in Oslo. I flew to Rome yesterday with 2 friends.",
    "我喜欢乌龙茶，不过不能吃花生。明天下午三点要去上海出差，下周二回来。",
    "“我叫小明”，他说。 I don't like tea (or do I?)… see https://example.org/?q=[1] ```x = 1``` 😀",
)
KEPT = "kept"
"""What becomes of a fact that its words bear out."""
_REASON = re.compile(r"malformed|too_many|[a-z_]{1,20}: [a-z_]{1,40}")


def heard(*more: str) -> list[Event]:
    """A batch as the worker takes it: people, the bot and a tool, and what else somebody said."""
    said = [an_event(text, umo=GROUP_CHAT, event_id=f"e{n}") for n, text in enumerate((*SAID, *more))]
    return [
        *said,
        an_event("Nice to meet you, Alice!", role=Role.ASSISTANT, sender_name="bot", event_id="bot"),
        an_event("sunny in Oslo, 20 degrees", role=Role.TOOL, tool="weather", event_id="tool"),
        an_event(
            "我也是", sender_id="bob", sender_name="Bob", created_at=NOW + timedelta(days=1), event_id="bob"
        ),
    ]


def read(parse: Parse, text: str, known: Sequence[str], events: Sequence[Event]) -> str:
    """Parse an answer and ground what it tells; returns what became of it.

    Raises AssertionError when that is not right.
    """
    try:
        answer = parse(text, known)
    except AnswerError:
        return "no answer"
    assert len(answer.candidates) + len(answer.rejected) <= MAX_FACTS + 2
    for reason in answer.rejected:
        assert _REASON.fullmatch(reason), reason
    for candidate in answer.candidates:
        _sound(candidate, known)
    facts, broken = ground_all(answer.candidates, Segment(events=tuple(events)), ZONE)
    assert not broken
    doubts = {_grounded(one, events) for one in facts}
    return " ".join([*sorted(set(answer.rejected)), "|", *sorted(doubts)])


def _sound(candidate: Candidate, known: Sequence[str]) -> None:
    """That a candidate is what its type promises."""
    assert len(candidate.fact) >= 2
    assert len(candidate.quotes) <= MAX_QUOTES
    texts: list[tuple[str, int]] = [
        (getattr(candidate, field), longest) for field, longest in LONGEST.items()
    ]
    for text, longest in [*texts, *((quote, LONGEST_QUOTE) for quote in candidate.quotes)]:
        assert len(text) <= longest, text
        assert text.isprintable(), text
        text.encode()
    for share in (candidate.confidence, candidate.importance, candidate.emotion):
        assert isfinite(share)
        assert 0 <= share <= 1
    assert all(number >= 0 for number in candidate.evidence)
    assert set(candidate.replaces) <= set(known)


def _grounded(one: Grounded, events: Sequence[Event]) -> str:
    """That it rests on words of the batch; returns its doubt without what it names."""
    assert one.event in events
    assert one.event.role is not Role.ASSISTANT
    assert one.doubt or one.quote.strip()
    for text in (one.candidate.fact, one.quote, one.person, one.teller):
        text.encode()
    assert all(each.event in events and each.text in each.event.text for each in one.beside)
    return one.refused or one.doubt.partition(":")[0] or KEPT
