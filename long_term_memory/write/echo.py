"""What others put into a person's mouth: the bot, a tool, a quoted message, a nickname (design 5.3, 9.12).

"Yes" after "You live in Berlin, don't you?" is no statement of the person's, and "Berlin" after "Where do you
live?" says too little to be used unseen. Both wait. So does what stands only in the nickname or in the
message that is answered, and what a model wrote down in a turn in which a tool told it what to remember.
"""

import re
from collections.abc import Iterable, Sequence

from ..domain.memory import Event
from ..domain.words import Origin, Role
from ..domain.writing import Candidate
from ..policies.overlap import coverage
from ..policies.quotes import find

ENOUGH = 0.6
_OF_ONESELF = re.compile(
    r"\b(?:i|i'm|i’m|im|i've|i’ve|i'll|i'd|we|we're|me|my|mine|our)\b|[我咱]|本人", re.IGNORECASE
)
_SHORT_WORDS, _SHORT_HAN = 4, 10
_INSTRUCTS = re.compile(
    r"\b(?:remember|memori[sz]e|(?:save|store|record|note|add|write)\b[^.\n]{0,40}\b(?:memor|facts?\b|profile|user\b))"
    r"|\bignore (?:all |any |the |your )?(?:previous|prior|above)|\bsystem prompt\b|\bnew instructions?\b"
    r"|\b(?:the )?user(?:'s)? (?:name |wants |is |likes |prefers |lives )"
    r"|记住|请记|牢记|记忆|忽略(?:之前|以上|上面|前面)|系统提示|新的?指令|用户(?:的名字|是|喜欢|叫|住)",
    re.IGNORECASE,
)
_OF_USER = re.compile(r"\s*(?:the )?user|\s*用户", re.IGNORECASE)
_MAX_INSTRUCTING = 20_000


def doubt_of_source(candidate: Candidate, users: Iterable[Event]) -> str:
    """`quoted_words` or `nickname` when a fact that nobody said stands there; else empty."""
    for event in users:
        for text, doubt in ((event.quoted, "quoted_words"), (event.sender_name, "nickname")):
            if text and (find(candidate.quote, text) or coverage(candidate.fact, text) >= ENOUGH):
                return doubt
    return ""


def only_answers(fact: str, event: Event, sentence: str, events: Sequence[Event]) -> bool:
    """Whether the words merely agree to what the bot said before, or answer it in a word or two."""
    asked = _bot_before(event, events)
    if not asked or _OF_ONESELF.search(sentence):
        return False
    brief = _is_short(sentence) and not _is_full(fact, sentence)
    return brief or coverage(fact, asked) >= ENOUGH


def was_told_by_a_tool(candidate: Candidate, event: Event, events: Sequence[Event]) -> bool:
    """Whether a model's fact comes from a turn in which a tool's result said what to remember."""
    if candidate.origin is not Origin.LLM_EXTRACT:
        return False
    return any(_INSTRUCTS.search(one.text[:_MAX_INSTRUCTING]) for one in _tools_of_turn(event, events))


def _bot_before(event: Event, events: Sequence[Event]) -> str:
    """What the bot said to the same person just before; empty when it spoke to somebody else."""
    at = _place(event, events)
    before = [one for one in events[:at] if one.role in (Role.ASSISTANT, Role.USER)]
    asks = before and before[-1].role is Role.ASSISTANT and before[-1].owner == event.owner
    return before[-1].text if asks else ""


def _tools_of_turn(event: Event, events: Sequence[Event]) -> list[Event]:
    """Those between the messages of people before and after this one, and those of the same message."""
    at = _place(event, events)
    people = [n for n, one in enumerate(events) if one.role is Role.USER]
    before = max((n for n in people if n < at), default=-1)
    after = min((n for n in people if n > at), default=len(events))
    near = [
        *events[before + 1 : after],
        *(e for e in events if e.message_id and e.message_id == event.message_id),
    ]
    return [one for one in near if one.role is Role.TOOL]


def _place(event: Event, events: Sequence[Event]) -> int:
    return next((n for n, one in enumerate(events) if one.event_id == event.event_id), 0)


def _is_full(fact: str, sentence: str) -> bool:
    """Whether a sentence by itself says all of a fact that names whom it is about."""
    return not _OF_USER.match(fact) and coverage(fact, sentence) == 1 and _begins_alike(fact, sentence)


def _begins_alike(fact: str, sentence: str) -> bool:
    return fact.strip()[:2].casefold() == sentence.strip()[:2].casefold()


def _is_short(words: str) -> bool:
    han = sum("\u3400" <= char <= "\u9fff" for char in words)
    return han <= _SHORT_HAN if han else len(words.split()) <= _SHORT_WORDS
