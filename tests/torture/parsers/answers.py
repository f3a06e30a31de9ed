"""Answers as models give them, and what may become of them on the way."""

import json

from hypothesis import strategies as st

from tests.torture.parsers.spoiling import Draw, Json, marred, spoilt

KNOWN = ("memory-1", "memory-2", "memory-3")
FACTS: tuple[dict[str, Json], ...] = (
    {
        "type": "profile",
        "fact": "User's name is Alice",
        "fact_key": "user_name",
        "confidence": 0.95,
        "importance": 0.9,
        "evidence": [1],
        "quote": "my name is Alice",
        "about": "U1",
        "slot": "name",
    },
    {
        "type": "preference",
        "fact": "用户喜欢乌龙茶",
        "confidence": "0.9",
        "quote": "我喜欢乌龙茶",
        "emotion": 0.3,
    },
    {
        "type": "profile",
        "fact": "User's brother Bob lives in Oslo",
        "person": "Bob",
        "relationship": "brother",
        "backstory": "told at dinner",
        "quote": "My brother Bob lives in Oslo",
        "evidence": "[2]",
        "replaces": "K2",
    },
    {
        "type": "episode",
        "fact": "User flew to Rome yesterday with 2 friends",
        "quote": "flew to Rome yesterday",
    },
    {"type": "constraint", "fact": "User is allergic to peanuts", "quote": "不能吃花生", "replaces": ["K1"]},
    {"type": "task_state", "fact": "用户明天下午三点要去上海出差", "quote": "明天下午三点要去上海"},
)
AROUND = (
    "{}",
    "```json\n{}\n```",
    "Here are the facts:\n\n{}\n\nLet me know!",
    "<think>maybe {{name}} or [1]?</think>{}",
    "好的，事实如下：{}",
    '{{"facts": {}}}',
    '{{"a": {{"b": [{}]}}}}',
    "{}\n{}",
    "[{}, ]",
    "<THINKING>{}",
)


_facts: st.SearchStrategy[Json] = st.lists(st.sampled_from(FACTS), max_size=4).map(
    lambda facts: [dict(fact) for fact in facts]
)


@st.composite
def _written(draw: Draw, most: int = 3) -> str:
    value = draw(spoilt(_facts, most))
    as_python = draw(st.integers(0, 4)) == 0
    try:
        text = json.dumps(value, ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from((None, 1))))
        text = str(value) if as_python else text
    except RecursionError:
        text = "[" * 2_000
    return draw(st.sampled_from(AROUND)).format(text, text)


answers: st.SearchStrategy[str] = marred(_written()) | _written() | marred(st.text(max_size=200))
readable: st.SearchStrategy[str] = _written(most=1)
"""Answers of which most tell something."""


def valid(length: int) -> str:
    """A good answer of at least so many characters, as long as one may be."""
    facts: list[Json] = []
    size = 0
    while size < length:
        facts.append(FACTS[len(facts) % len(FACTS)] | {"fact_key": f"key {len(facts)}"})
        size += len(json.dumps(facts[-1], ensure_ascii=False)) + 2
    return json.dumps(facts, ensure_ascii=False)
