"""What stands around a quote: whether its words are plainly said there (design 5.3).

A quote may be verbatim and still say nothing: "Am I allergic to nuts?", "nobody would say I am married". So
the whole sentence is looked at, and what frames the message before it. `subjects` asks of whom it is said.
"""

import re
from dataclasses import dataclass

from ..policies.stance import has_attitude
from .clauses import MASK, Clause, Sentence, own_words, sentences, stated
from .earnest import EXAMPLES, FRAMES, JESTS, MOCKS, SUPPOSES, denies, is_playful, reports, takes_back

_BEFORE, _AFTER = 1_000, 300
"""Characters around a quote that are looked at."""
_REPORTS = re.compile(
    r"\b(?:say|said|told|tell|think|thought|believ|claim|according|ask|advi|recommend|heard)|说|告诉|认为"
    r"|觉得|听|问|建议",
    re.IGNORECASE,
)
"""What somebody else says or thinks is a fact only as such."""
_GOES_ON = re.compile(
    r"['’]s\b|-\w|(?:这|那)?(?:是|都是)?(?:绝对|根本|完全)?不(?:可能|对|会的)|是(?:假|骗|谎)"
    r"|\s(?:is|was) (?:impossible|a lie|not true|untrue|false|a joke|nonsense)\b",
    re.IGNORECASE,
)
_GOES_ON_OF = re.compile(r"的(?!\W|[吗呢啊吧呀嘛了]|$)")
_OF_A_PLACE = re.compile(r"[住在]|来自|从")
"""我住在北京|的朝阳区 is in Beijing all the same."""


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """A quote's sentences, at least one, with the text before, inside and after it in them."""

    covering: tuple[Sentence, ...]
    clauses: tuple[Clause, ...]
    """Of these sentences, those the quote has a part of."""
    frame: str
    """All that stands before the quote."""
    before: str
    quote: str
    after: str
    following: str
    """The sentence after it, if there is one."""


def around(text: str, start: int, end: int, sender: str = "") -> Surroundings | None:
    """What stands around a quote in a sender's message; None when it is not their own words there."""
    at = max(0, start - _BEFORE)
    own = own_words(text, sender)[at : end + _AFTER]
    start, end = start - at, end - at
    blank = max(0, start - _AFTER)
    every = sentences("\n" * blank + own[blank:])
    covering = [n for n, sentence in enumerate(every) if sentence.start < end and start < sentence.close]
    if not covering or not own[start:end].strip(MASK + " \n"):
        return None
    chosen = tuple(every[covering[0] : covering[-1] + 1])
    following = every[covering[-1] + 1 : covering[-1] + 2]
    return Surroundings(
        covering=chosen,
        clauses=tuple(c for s in chosen for c in s.clauses if c.start < end and start < c.end),
        frame=own[:start],
        before=own[chosen[0].start : start],
        quote=own[start:end],
        after=own[end : chosen[-1].end],
        following=following[0].text if following else "",
    )


def is_plainly_said(near: Surroundings) -> bool:
    """Whether nothing around the quote asks, supposes, denies, reports, plays or takes back its words."""
    if _is_cut(near):
        return False
    framed = FRAMES.search(near.frame) or EXAMPLES.search(near.before)
    doubted = (
        SUPPOSES.search(near.before + near.quote) or reports(near.before) or denies(_clause_before(near))
    )
    return not (framed or doubted or takes_back(near.after, near.following)) and _answers(near)


def _is_cut(near: Surroundings) -> bool:
    """Whether a quote ends where its words go on to say something else, or cuts through a quotation.

    "I am the owner" is not what "I am the owner's neighbour" says.
    """
    of_a_thing = _GOES_ON_OF.match(near.after) and not _OF_A_PLACE.search(near.quote)
    begins_inside = near.frame.endswith(MASK) and near.quote.startswith(MASK)
    ends_inside = near.quote.endswith(MASK) and near.after.startswith(MASK)
    return bool(_GOES_ON.match(near.after) or of_a_thing or begins_inside or ends_inside)


def is_said_otherwise(near: Surroundings, fact: str) -> bool:
    """Whether the quote itself reports or plays, while the fact is put as plainly so."""
    reported = reports(near.quote) and not _REPORTS.search(fact)
    mocked = has_attitude(fact) and MOCKS.search(near.before + near.quote)
    jested = JESTS.search(near.before + near.quote)
    return reported or bool(mocked or jested) or is_playful(near.quote, fact)


def _clause_before(near: Surroundings) -> str:
    """What stands before the quote in the clause it begins in."""
    begun = near.clauses[0].start - near.covering[0].start if near.clauses else 0
    return near.before[begun:]


def _answers(near: Surroundings) -> bool:
    """Whether a clause of the quote states something, where its sentence asks."""
    for sentence in near.covering:
        if not sentence.is_question:
            return True
        places = {clause.start for clause in stated(sentence)} if sentence.asks else set[int]()
        if any(clause.start in places for clause in near.clauses):
            return True
    return False
