"""A message as sentences and clauses: where a plain statement may stand, and where not.

What is quoted, code, pasted from a chat, an action between asterisks or an aside in brackets is nobody's
plain word, so it is masked before anything is looked for; positions stay those of the message. Every pattern
here looks at a character a bounded number of times, for messages are read while a turn is recorded.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from .pasted import pasted

MASK = "\ufffc"
MAX_PARTS = 60
"""Sentences of a message, and clauses of a sentence, that are looked at."""

_QUOTED = (
    r"```.*?(?:```|\Z)|`[^`\n]*`|^[ \t]{0,3}>[^\n]*|\*[^*\n]+\*|(?<!\d)\"[^\"]*\"?|(?<!\w)'[^'\n]+'(?!\w)"
    r"|“[^”]*”?|‘[^’]*’|「[^」]*」?|『[^』]*』?"
)
_ASIDE = r"|《[^》]*》?|【[^】]*】?|\([^)\n]*\)?|（[^）\n]*）?|\[[^\]\n]*\]?"
_QUOTED_TEXT = re.compile(_QUOTED, re.DOTALL | re.MULTILINE)
_NOT_PLAIN = re.compile(_QUOTED + _ASIDE, re.DOTALL | re.MULTILINE)
_OPENERS = (
    r"(?!(?:I|I'm|I've|My|Me|It|It's|He|She|We|You|They|The|This|That|These|Those|There|Our|Your|His|Her|And|But|So"
    r"|What|When|Where|Who|Why|How|Is|Are|Do|Does|Can|Please|Thanks)\b)"
)
"""What follows an abbreviation only where a new sentence begins."""
_TITLES = ("Dr", "Mr", "Mrs", "Ms", "St", "Prof", "dr", "mr", "mrs", "prof", "vs")
_ENDINGS = ("Inc", "Ltd", "Corp", "Jr", "Sr", "etc", "inc", "ltd", "jr", "sr", "vs")


def _after_any(words: tuple[str, ...]) -> str:
    return "(?:" + "|".join(rf"(?<=\b{word}\.)" for word in words) + ")"


_INNER_DOT = (
    rf"\.(?:(?=\w)|{_after_any(_TITLES)}(?=[ ]{{1,3}}{_OPENERS}\w)"
    rf"|{_after_any(_ENDINGS)}(?=[ ]{{1,3}}[a-z]|,)|(?<=\b[A-HJ-Z]\.)(?=[ ]{{1,3}}{_OPENERS}[A-Za-z]|,))"
)
"""A full stop that ends no sentence: "3.5", "Dr. Lee", "Acme Inc. in Rome", "Washington D.C. and"."""
_SENTENCE = re.compile(rf"(?P<body>[^。！？!?\n.…]+(?:{_INNER_DOT}[^。！？!?\n.…]+)*)(?P<end>[。！？!?.…]*)")
_SENTENCE_END = re.compile(rf"[。！？!?\n…]|(?!{_INNER_DOT})\.")
_LOOK_AHEAD = 12
"""Characters after a full stop that tell whether it ends a sentence."""
_SUBJECT = (
    r"(?:and |but |so |because |since )?(?:(?:i|im|my|call me|please|we|he|she|they|you|it|what|which|who"
    r"|where|when|why|how|can|could|do|does|did|should|is|are|recommend|suggest|give|tell|show|help|make|find|right"
    r"|correct|okay)\b|[\u4e00-\u9fff])"
)
_CLAUSE_END = re.compile(
    rf"[，；;]|,\s{{0,3}}(?={_SUBJECT})|\s{{1,3}}(?:and|but|so|because)\s{{1,3}}(?={_SUBJECT})",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"^(?:and |but |so )?(?:what|who|whom|whose|which|where|when|why|how|do|does|did|don't|can|could"
    r"|should|would|will|shall|is|are|am|was|were|have|has|may|any)\b"
    r"|什么|怎么|怎样|哪|谁|几|多少|为何|如何|吗|呢|么$|能|可以|有没有|是不是|该|推荐",
    re.IGNORECASE,
)
_INVERTED = re.compile(
    r"^(?:and |but |so )?(?:(?:what|who|which|where|when|why|how)(?: \w+)? )?"
    r"(?:do|does|did|don't|can|could|should|would|will|shall|is|are|am|was|were|have|has|may)"
    r" (?:i|you|we|he|she|they|it|my|your|this|that|there)\b"
    r"|是不是|有没有|对不对|会不会|能不能|要不要|吗$",
    re.IGNORECASE,
)
"""A question even where no question mark says so."""
_TAG = re.compile(
    r"^(?:right|correct|okay|isn't it|don't i|aren't i|am i|do i|yeah)\b"
    r"|对吗|是吗|对吧|是吧|对不对|是不是|好吗|知道吗|记得吗",
    re.IGNORECASE,
)
_ENDS_ASKING = re.compile(
    r"(?:[吗呢]|对吧|是吧|对不对|是不是|, ?(?:right|correct|isn't it|don't i|aren't i|am i))$", re.IGNORECASE
)
_SHARED_SUBJECT = re.compile(r"(?!i\b)(?:\w+(?: \w+)?|(?:my|our) (?!.*(?: is |'s )).{1,40})", re.IGNORECASE)
"""What "and I" goes on from in "my wife and I": no clause of its own."""


@dataclass(frozen=True, kw_only=True)
class Clause:
    """A piece of a message: its plain text and where it stands."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """A sentence; `asks` when it ends in a question mark or as a question does."""

    text: str
    start: int
    end: int
    close: int
    """Where it ends with its full stop."""
    asks: bool

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """Its clauses, in order, at least one."""
        whole = Clause(text=self.text, start=self.start, end=self.end)
        return tuple(_clauses(self.text, self.start)) or (whole,)

    @property
    def is_question(self) -> bool:
        """Whether it asks, or is built like a question."""
        return self.asks or bool(_INVERTED.search(self.clauses[0].text))


def head(text: str, limit: int) -> str:
    """The beginning of a text up to the last end of a sentence within the limit; empty if there is none."""
    if len(text) <= limit:
        return text
    found = _SENTENCE_END.finditer(text, 0, limit + _LOOK_AHEAD)
    end = max((match.end() for match in found if match.end() <= limit), default=0)
    return text[:end]


def plain(text: str, sender: str = "") -> str:
    """A sender's message with everything masked that is no plain statement; as long as the message."""
    return _masked(_NOT_PLAIN, text, sender)


def own_words(text: str, sender: str = "") -> str:
    """A sender's message with everything masked that is another's, acted or code; as long as the message."""
    return _masked(_QUOTED_TEXT, text, sender)


def sentences(plain_text: str) -> list[Sentence]:
    """The sentences of a masked message, in order, at most `MAX_PARTS`."""
    found: list[Sentence] = []
    for match in islice(_SENTENCE.finditer(plain_text), MAX_PARTS):
        body = match["body"]
        start = match.start() + len(body) - len(body.lstrip())
        text = body.strip()
        if text:
            asks = any(mark in match["end"] for mark in "?？") or bool(_ENDS_ASKING.search(text[-20:]))
            found.append(
                Sentence(text=text, start=start, end=start + len(text), close=match.end(), asks=asks)
            )
    return found


def stated(sentence: Sentence) -> tuple[Clause, ...]:
    """The clauses that may state something: those before the question when the sentence ends in one.

    "I live in Berlin, what can I see there?" states its first clause. "I live in Berlin, right?" and "I live
    in Berlin?" state nothing, nor does a sentence that begins as a question.
    """
    clauses = sentence.clauses
    if sentence.asks:
        last = clauses[-1].text
        asked = len(clauses) > 1 and _ASKS.search(last) and not _TAG.search(last)
        clauses = clauses[:-1] if asked else ()
    if clauses and _ASKS.search(clauses[0].text):
        return ()
    return tuple(c for c in clauses if MASK not in c.text and not _ASKS.search(c.text))


def _masked(pattern: re.Pattern[str], text: str, sender: str) -> str:
    straight = text if "‘" in text else text.replace("’", "'")
    for start, end in pasted(straight, sender):
        straight = straight[:start] + _hidden(straight[start:end]) + straight[end:]
    return pattern.sub(lambda found: _hidden(found.group()), straight)


def _hidden(text: str) -> str:
    return re.sub(r"[^\n]", MASK, text)


def _clauses(text: str, offset: int) -> Iterator[Clause]:
    at = 0
    for cut in [*islice(_CLAUSE_END.finditer(text), MAX_PARTS), None]:
        left, right = _trimmed(text, at, cut.start() if cut else len(text))
        if cut and cut.group()[0].isspace() and _SHARED_SUBJECT.fullmatch(text, left, right):
            continue
        if left < right:
            yield Clause(text=text[left:right], start=offset + left, end=offset + right)
        at = cut.end() if cut else len(text)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - (len(piece) - len(piece.rstrip()))
