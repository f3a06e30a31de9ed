"""A message as sentences and clauses, for the rules: where a plain statement may stand, and where not.

What is quoted, code, an action between asterisks or an aside in brackets is nobody's plain word, so it is
masked before anything is looked for; positions stay those of the message.
"""

import re
from dataclasses import dataclass

MASK = "\ufffc"
_MAX_READ = 4_000

_NOT_PLAIN = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|^[ \t]*>[^\n]*$|\*[^*\n]+\*|\"[^\"\n]*\"|(?<!\w)'[^'\n]+'(?!\w)"
    r"|“[^”\n]*”?|‘[^’\n]*’|「[^」]*」?|『[^』]*』?|《[^》]*》?|【[^】]*】?|\([^)\n]*\)?|（[^）\n]*）?|\[[^\]\n]*\]?",
    re.DOTALL | re.MULTILINE,
)
_SENTENCE = re.compile(r"(?P<body>[^。！？!?\n.…]+(?:\.(?=\w)[^。！？!?\n.…]+)*)(?P<end>[。！？!?.…]*)")
_SUBJECT = (
    r"(?:and |but |so |because |since )?(?:(?:i|im|my|call me|please|we|he|she|they|you|it|what|which|who"
    r"|where|when|why|how|can|could|do|does|did|should|is|are|recommend|suggest|give|tell|show|help|make|find|right"
    r"|correct|okay)\b|[\u4e00-\u9fff])"
)
_CLAUSE_END = re.compile(
    rf"[，；;]|,\s*(?={_SUBJECT})|\s+(?:and|but|so|because)\s+(?={_SUBJECT})", re.IGNORECASE
)
_ASKS = re.compile(
    r"^\s*(?:and |but |so )?(?:what|who|whom|whose|which|where|when|why|how|do|does|did|don't|can|could"
    r"|should|would|will|shall|is|are|am|was|were|have|has|may|any)\b"
    r"|什么|怎么|怎样|哪|谁|几|多少|为何|如何|吗|呢|么$|能|可以|有没有|是不是|该|推荐",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"^\s*(?:right|correct|okay|isn't it|don't i|aren't i|am i)\b"
    r"|对吗|是吗|对吧|对不对|是不是|好吗|知道吗|记得吗",
    re.IGNORECASE,
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
    """A sentence and its clauses; `asks` when it ends in a question mark."""

    text: str
    start: int
    end: int
    asks: bool
    clauses: tuple[Clause, ...]


def plain(text: str) -> str:
    """The message with everything masked that is no plain statement; as long as the part that is read."""
    read = text[:_MAX_READ].replace("’", "'") if "‘" not in text else text[:_MAX_READ]
    return _NOT_PLAIN.sub(lambda found: re.sub(r"[^\n]", MASK, found.group()), read)


def sentences(plain_text: str) -> list[Sentence]:
    """The sentences of a masked message, in order."""
    found: list[Sentence] = []
    for match in _SENTENCE.finditer(plain_text):
        body = match["body"]
        start, end = _trimmed(plain_text, match.start("body"), match.end("body"))
        if start < end:
            found.append(
                Sentence(
                    text=plain_text[start:end],
                    start=start,
                    end=end,
                    asks=any(mark in match["end"] for mark in "?？") or body.rstrip().endswith(("吗", "呢")),
                    clauses=tuple(_clauses(plain_text, start, end)),
                )
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


def _clauses(text: str, start: int, end: int) -> list[Clause]:
    clauses: list[Clause] = []
    at = start
    for cut in [*_CLAUSE_END.finditer(text, start, end), None]:
        left, right = _trimmed(text, at, cut.start() if cut else end)
        if cut and cut.group().startswith(" ") and _SHARED_SUBJECT.fullmatch(text, left, right):
            continue
        if left < right:
            clauses.append(Clause(text=text[left:right], start=left, end=right))
        at = cut.end() if cut else end
    return clauses or [Clause(text=text[start:end], start=start, end=end)]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - (len(piece) - len(piece.rstrip()))
