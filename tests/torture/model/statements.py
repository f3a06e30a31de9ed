"""What people say in these trials, and the facts that it comes to."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from astrbot_plugin_ltm.long_term_memory.domain.enums import MemoryType


@dataclass(frozen=True, kw_only=True)
class Statement:
    """One fact: how a person says it, and how it is written down."""

    said: str
    fact: str
    type: MemoryType = MemoryType.PROFILE
    again: str = ""
    """The same fact in other words, as a model may propose it beside the first."""
    at_once: bool = False
    """Whether it is so plain that no model has to read it."""
    question: str = ""
    """What it answers when there can be only one answer at a time."""
    key: str = ""
    """Under which key an assistant saves it; another fact under the same key takes its place."""
    person: str = ""
    """Whom it is about when not the speaker: told in a group it is the group's."""
    stays: bool = False
    """Whether somebody asks for it to be remembered: that lasts, whatever its type."""
    doubtful: bool = False
    """Whether a model claims words that nobody said: it waits for somebody to approve it."""

    @property
    def name(self) -> tuple[str, str]:
        """By what it is known: two facts of one owner and level never have the same while in use."""
        return self.key or self.fact, self.person

    @property
    def waits(self) -> bool:
        """Whether its type needs approval, whoever says it."""
        return self.type is MemoryType.CONSTRAINT


TOLD = (
    Statement(said="in my youth I used to row for the county", fact="User used to row for the county"),
    Statement(
        said="green tea is what I like to drink",
        fact="User likes green tea",
        again="User likes to drink green tea",
        type=MemoryType.PREFERENCE,
    ),
    Statement(
        said="we paddled a kayak down the Vistula",
        fact="User paddled a kayak down the Vistula",
        type=MemoryType.EPISODE,
    ),
    Statement(
        said="I am preparing the recital for the harvest festival",
        fact="User is preparing the recital for the harvest festival",
        type=MemoryType.TASK_STATE,
    ),
    Statement(
        said="I am allergic to peanuts",
        fact="User is allergic to peanuts",
        type=MemoryType.CONSTRAINT,
        at_once=True,
    ),
    Statement(said="there is bread from my own oven", fact="User bakes 40 loaves a week", doubtful=True),
    Statement(said="I live in Oslo", fact="User lives in Oslo", at_once=True, question="home_city"),
    Statement(said="we moved to Bergen for good", fact="User lives in Bergen", question="home_city"),
    Statement(said="我们终于搬到杭州了", fact="用户住在杭州", question="home_city"),
    Statement(said="my sister Eva mends violins", fact="Eva mends violins", person="Eva"),
)
"""What is said in passing."""

ASKED = (
    Statement(
        said="my bicycle has a blue frame",
        fact="my bicycle has a blue frame",
        type=MemoryType.EPISODE,
        stays=True,
    ),
    Statement(
        said="学校的钥匙放在花盆下面", fact="学校的钥匙放在花盆下面", type=MemoryType.EPISODE, stays=True
    ),
)
"""What somebody asks by a command to be remembered."""

KEYED = (
    Statement(
        said="please remember that my locker is 114",
        fact="User's locker is 114",
        key="locker",
        type=MemoryType.EPISODE,
        stays=True,
    ),
    Statement(
        said="please remember that my locker is 117",
        fact="User's locker is 117",
        key="locker",
        type=MemoryType.EPISODE,
        stays=True,
    ),
    Statement(
        said="please remember that my dentist is Dr Zhou",
        fact="User's dentist is Dr Zhou",
        key="dentist",
        type=MemoryType.EPISODE,
        stays=True,
    ),
)
"""What an assistant saves under a key because somebody asks for it."""

WRITTEN = (
    Statement(said="", fact="User has the use of a rowing boat"),
    Statement(said="", fact="用户把自行车漆成了红色"),
)
"""Into what an operator rewords a fact."""

_MESSAGE = re.compile(r"^\[(\d+)\] user (.*)$", re.MULTILINE)

EVERY = (*TOLD, *ASKED, *KEYED, *WRITTEN)
BY_FACT: Mapping[str, Statement] = {one.fact: one for one in EVERY}


def read(conversation: str) -> Sequence[Mapping[str, object]]:
    """What a model finds in a conversation: all of it, some of it twice or in other words."""
    found = [
        _proposed(one, fact, int(number))
        for number, line in _MESSAGE.findall(conversation)
        for one in TOLD
        if not one.at_once and one.said in line
        for fact in (one.fact, one.again or one.fact)
    ]
    return [*found, *found[:1]]


def _proposed(one: Statement, fact: str, message: int) -> Mapping[str, object]:
    relative = {"person": one.person, "relationship": "sister"} if one.person else {}
    return {
        "type": one.type,
        "fact": fact,
        "quote": one.fact if one.doubtful else one.said,
        "evidence": [message],
        "confidence": 0.9,
        "importance": 0.6,
        "slot": one.question,
        **relative,
    }
