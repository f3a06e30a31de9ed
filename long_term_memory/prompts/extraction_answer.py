"""The answer to the extraction prompt: its schema, and a parser lenient in form and strict in content.

In form: fences, prose around, a single object, a list inside an object or a list, trailing commas and broken
elements among good ones are all read; what a model thought aloud before its answer is not. In content: a type
that is none of the five, a number outside 0..1 or no number, a missing or overlong text reject the element,
and the reason names the field. Numbers that are left out, as small models do, are taken as middling. A number
in quotes ("0.9") counts as the number, for small models write it so; "high" or "90%" does not. A feeling or a
known fact that cannot be read leaves its field empty.
"""

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ..domain.errors import AnswerError
from ..domain.words import MemoryType, Origin
from ..domain.writing import Candidate

MAX_ANSWER = 60_000
"""Characters of an answer that are looked at."""
MAX_THOUGHT = 2_000_000
"""Characters in which the end of what a model thought aloud is looked for."""
MAX_FACTS = 50
"""Facts taken from one answer."""
UNTOLD_CONFIDENCE, UNTOLD_IMPORTANCE = 0.8, 0.5
"""What a fact gets whose model left these out, as small models do; its words are looked up all the same."""
_MAX_DEPTH = 8
"""How deep in lists and objects facts are looked for."""
_MAX_TRIES = 400
"""Places in an answer where JSON is tried, so that a hostile answer costs little."""
_MAX_TRIED = 8 * MAX_ANSWER
"""Characters that are tried in vain, in all: brackets that nobody shuts have the rest read once for each."""

_TRAILING_COMMA = re.compile(r",(\s*[\]}])")
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_BRACKET = re.compile(r"[\[{]")
_LABEL = re.compile(r"[\s\"'(\[]{0,3}[Kk]?\s?(?P<number>\d{1,3})(?:\.0)?\W{0,3}", re.ASCII)
_DECIMAL = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, kw_only=True)
class ParsedAnswer:
    """What could be used of an answer, and why the rest could not."""

    candidates: tuple[Candidate, ...]
    rejected: tuple[str, ...]
    """One reason an element: the field and what is wrong with it, never the text of a fact."""


def _clean(value: object) -> object:
    if value is None:
        return ""
    if not isinstance(value, str):
        return value
    visible = (" " if unicodedata.category(c)[0] in "CZ" else c for c in value)
    return " ".join("".join(visible).split())


def _number(value: object) -> object:
    if isinstance(value, str) and _DECIMAL.fullmatch(value.strip()):
        return float(value)
    return value


def _event_numbers(value: object) -> list[int]:
    """The event numbers in whatever the model wrote: a list, one number, "1, 2", "[3]"; maybe none."""
    values = cast("list[object]", value) if isinstance(value, list) else [value]
    found = (n for part in values[:MAX_FACTS] for n in re.findall(r"\d{1,4}", str(part)[:100]))
    return [int(n) for n in found if int(n) >= 1]


def _known_number(value: object) -> int:
    """The number of a known item in whatever the model wrote: "K2", "[K2]", 2; 0 when it names none."""
    if isinstance(value, list):
        value = next(iter(cast("list[object]", value)), "")
    label = _LABEL.fullmatch(str(value)[:20])
    return int(label["number"]) if label else 0


def _lenient_share(value: object) -> float:
    """A number in 0..1; anything else is 0, for the fact does not depend on it."""
    number = _number(value)
    if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number <= 1:
        return 0.0
    return float(number)


def _type_name(value: object) -> object:
    return value.strip().lower() if isinstance(value, str) else value


type _Share = Annotated[float, BeforeValidator(_number), Field(ge=0, le=1, allow_inf_nan=False, strict=True)]
type _Short = Annotated[str, BeforeValidator(_clean), Field(max_length=120)]


class FactAnswer(BaseModel):
    """One fact as the model is asked to write it. Unknown fields are passed over."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    type: Annotated[MemoryType, BeforeValidator(_type_name)]
    fact: Annotated[str, BeforeValidator(_clean), Field(min_length=2, max_length=500)]
    fact_key: Annotated[str, BeforeValidator(_clean), Field(max_length=300)] = ""
    confidence: _Share = UNTOLD_CONFIDENCE
    importance: _Share = UNTOLD_IMPORTANCE
    evidence: Annotated[list[int], BeforeValidator(_event_numbers)] = []
    quote: Annotated[str, BeforeValidator(_clean), Field(max_length=2_000)] = ""
    about: _Short = ""
    person: _Short = ""
    relationship: _Short = ""
    backstory: Annotated[str, BeforeValidator(_clean), Field(max_length=1_000)] = ""
    slot: _Short = ""
    emotion: Annotated[float, BeforeValidator(_lenient_share)] = 0.0
    replaces: Annotated[int, BeforeValidator(_known_number)] = 0


def parse(text: str, known: Sequence[str] = ()) -> ParsedAnswer:
    """Read a model's answer; `known` are the memory ids that the prompt labelled K1, K2 and so on.

    Raises AnswerError when it holds neither a fact nor an empty list.
    """
    text = _spoken(text)[:MAX_ANSWER]
    scan = _scan(text)
    if not scan.elements:
        scan = _scan(_TRAILING_COMMA.sub(r"\1", text))
    if not scan.elements and not scan.empty:
        raise AnswerError("no list of facts in the answer")
    return _checked(scan, known)


@dataclass(frozen=True, kw_only=True)
class _Scan:
    elements: list[dict[str, object]]
    empty: bool
    """Whether an empty list was found, and not inside something broken."""
    broken: bool


def _spoken(text: str) -> str:
    """The answer without what the model thought aloud, whether or not it opened or closed the thought."""
    text = text[:MAX_THOUGHT]
    return _THOUGHT_END.split(_THOUGHT.sub(" ", text))[-1]


def _scan(text: str) -> _Scan:
    """Read each list or object in a text, outermost first; where one is broken, those inside it."""
    decoder = json.JSONDecoder()
    elements: list[dict[str, object]] = []
    empty = broken = False
    at = tried = 0
    for _ in range(_MAX_TRIES):
        start = _BRACKET.search(text, at)
        if start is None or tried > _MAX_TRIED:
            break
        try:
            value, at = cast("tuple[object, int]", decoder.raw_decode(text, start.start()))
        except (ValueError, RecursionError) as error:
            at, broken = start.end(), True
            tried += _read_until(error, text) - start.start()
        else:
            elements += _elements(value)
            empty = empty or (not broken and _is_empty(value))
    return _Scan(elements=elements, empty=empty, broken=broken)


def _read_until(error: ValueError | RecursionError, text: str) -> int:
    """How far a text was read before it was found to be none; all of it when the error does not say."""
    return error.pos if isinstance(error, json.JSONDecodeError) else len(text)


def _checked(scan: _Scan, known: Sequence[str]) -> ParsedAnswer:
    candidates: list[Candidate] = []
    rejected = ["malformed"] if scan.broken and scan.elements else []
    if len(scan.elements) > MAX_FACTS:
        rejected.append("too_many")
    for element in scan.elements[:MAX_FACTS]:
        try:
            candidate = _candidate(FactAnswer.model_validate(_told(element)), known)
        except ValidationError as error:
            rejected.append(_reason(error))
        else:
            candidates += [candidate] if candidate not in candidates else []
    return ParsedAnswer(candidates=tuple(candidates), rejected=tuple(rejected))


def _told(element: Mapping[str, object]) -> Mapping[str, object]:
    """The element without what it leaves open: null is as good as nothing."""
    return {field: value for field, value in element.items() if value is not None}


def _elements(value: object, depth: int = 0) -> list[dict[str, object]]:
    """The objects in a value that are meant as facts: itself, the members of a list, or those under a key."""
    if depth > _MAX_DEPTH:
        return []
    if isinstance(value, list):
        listed = cast("list[object]", value)
        return [element for member in listed for element in _members(member, depth + 1)]
    if not isinstance(value, dict):
        return []
    members = cast("dict[str, object]", value)
    if "fact" in members:
        return [members]
    inside = (element for member in members.values() for element in _elements(member, depth + 1))
    return [element for element in inside if "fact" in element]


def _members(value: object, depth: int) -> list[dict[str, object]]:
    """What a member of a list gives: an object is meant as a fact whatever it lacks."""
    if isinstance(value, dict):
        return [cast("dict[str, object]", value)]
    return _elements(cast("object", value), depth) if isinstance(value, list) else []


def _is_empty(value: object) -> bool:
    if isinstance(value, dict):
        return any(member == [] for member in cast("dict[str, object]", value).values())
    return value == []


def _candidate(answer: FactAnswer, known: Sequence[str]) -> Candidate:
    return Candidate(
        type=answer.type,
        fact=answer.fact,
        fact_key=answer.fact_key,
        confidence=answer.confidence,
        importance=answer.importance,
        origin=Origin.LLM_EXTRACT,
        quote=answer.quote,
        evidence=tuple(dict.fromkeys(number - 1 for number in answer.evidence)),
        about=answer.about,
        person=answer.person,
        relationship=answer.relationship,
        backstory=answer.backstory,
        slot=answer.slot,
        emotion=answer.emotion,
        replaces=known[answer.replaces - 1] if 0 < answer.replaces <= len(known) else "",
    )


def _reason(error: ValidationError) -> str:
    first = error.errors(include_input=False, include_url=False, include_context=False)[0]
    field = str(first["loc"][0]) if first["loc"] else "element"
    return f"{field}: {first['type']}"
