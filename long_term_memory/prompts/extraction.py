"""The prompt of extraction, its answer schema and its parser.

The system text and the task come first and never change, so that a provider can cache them. The known facts,
earlier messages and the segment follow, fenced as in `transcript`.

The parser is lenient in form: it reads fences, prose around the answer, a single object, nested lists,
nearly valid JSON and lists with broken elements, and skips thoughts before the answer. Empty lists and
objects mean that there is nothing to remember. The parser is strict in content: an unknown type, a number
outside 0..1, or a missing or overlong text rejects the element, with a reason that names the field. A number
in quotes ("0.9"), a percentage and "high" count. Numbers that a small model omits get a middling default,
and an optional field that cannot be read is empty.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ..domain.enums import MemoryType, Origin, Stance
from ..domain.errors import AnswerError
from ..domain.writing import Candidate, Segment
from ..text_analysis.word_tables import word_table
from .escaping import visible_line
from .lenient_json import MAX_DEPTH, objects_with, readings, rejection
from .transcript import earlier_lines, known_lines

VERSION = "extract-10"
"""Kept with the evidence, so that an operator can tell what an older prompt has found."""

MAX_ANSWER = 60_000
"""Characters of an answer that are looked at."""
MAX_FACTS = 50
"""Facts taken from one answer."""
UNTOLD_CONFIDENCE, UNTOLD_IMPORTANCE = 0.8, 0.5
"""What a fact gets whose model left these out, as small models do; its words are looked up all the same."""
MAX_QUOTES = 6
"""Passages of one fact that are looked up."""
MAX_TAGS, MAX_TAG = 5, 40
"""Tags of one fact that are kept, and their characters."""
_ELLIPSIS = re.compile(r"\s*(?:\.{3,}|…+)\s*")
_OF_FACTS = ("facts", "memories")
_OF_ERRORS = ("error", "errors", "detail", "code", "status", "message", "msg")
"""Fields of an answer, and of what a server says in the place of one."""
_ALL_IS_WELL = ("", "ok", "success", "done", "complete", "completed", "none", "200", "0", "false", "[]", "{}")
_LABEL = re.compile(r"[\s\"'(\[]{0,3}[Kk]?\s?(?P<number>\d{1,3})(?:\.0)?\W{0,3}", re.ASCII)
_DECIMAL = re.compile(r"(?P<number>\d+(?:\.\d+)?)\s?(?P<percent>%?)")
_IN_WORDS = {"high": 0.9, "medium": 0.6, "low": 0.3, "高": 0.9, "中": 0.6, "低": 0.3}

_TEXTS = word_table(__file__)
_TYPES = _TEXTS.table("other_types")
_OTHER_TYPES = {name: MemoryType(_TYPES.text(name)) for name in _TYPES}
SYSTEM, TASK = _TEXTS.text("system"), "\n".join(_TEXTS.texts("task"))


def extraction_prompt(segment: Segment, conversation: str) -> str:
    """What the model reads after the system text; `conversation` are the `segment_lines`."""
    known = known_lines(segment.known, segment.events)
    earlier = earlier_lines(segment.earlier, segment.events)
    return "\n\n".join(filter(None, (TASK, known, earlier, conversation)))


@dataclass(frozen=True, kw_only=True)
class ParsedAnswer:
    """What could be used of an answer, and why the rest could not."""

    candidates: tuple[Candidate, ...]
    rejected: tuple[str, ...]
    """One reason an element: the field and what is wrong with it, never the text of a fact."""


def _clean(value: object) -> str:
    """A text on one line; of a list its first text, and nothing of what is none."""
    if isinstance(value, list):
        value = next((part for part in cast("list[object]", value) if isinstance(part, str)), "")
    return visible_line(value) if isinstance(value, str) else ""


def _one_text(value: object) -> str:
    """A text; of several none, for each would be a fact."""
    several = isinstance(value, list) and len(cast("list[object]", value)) > 1
    return "" if several else _clean(cast("object", value))


def _number(value: object) -> object:
    """A share as a number; above 10 it is in hundredths."""
    if isinstance(value, str):
        plain = value.strip().lower().removeprefix("very ")
        if not (found := _DECIMAL.fullmatch(plain)):
            return _IN_WORDS.get(plain, value)
        value = float(found["number"]) / (100 if found["percent"] else 1)
    return value / 100 if isinstance(value, int | float) and 10 < value <= 100 else value


def _numbers(value: object) -> list[int]:
    """The numbers in whatever the model wrote: 3, "1, 2", "K2", ["[K2]", 3]; maybe none."""
    values = cast("list[object]", value) if isinstance(value, list) else str(value)[:200].split(",")
    labels = (_LABEL.fullmatch(str(each)[:20]) for each in values[:MAX_FACTS])
    return [int(label["number"]) for label in labels if label and int(label["number"])]


def _passages(value: object) -> list[str]:
    """The quotes: a text, or a list of them; one with "..." inside is several."""
    values = cast("list[object]", value) if isinstance(value, list) else [value]
    parts = (part for each in values for part in _ELLIPSIS.split(_clean(each)))
    return [part.strip() for part in parts if part.strip()][:MAX_QUOTES]


def _tags(value: object) -> list[str]:
    """Those that are no longer than a word or two; of anything but a list none."""
    values = cast("list[object]", value) if isinstance(value, list) else []
    return [tag for each in values if 0 < len(tag := _clean(each)) <= MAX_TAG][:MAX_TAGS]


def _stance(value: object) -> object:
    plain = value.strip().lower() if isinstance(value, str) else ""
    return plain if plain in list(Stance) else Stance.LASTING


def _lenient_share(value: object) -> float:
    """A number in 0..1; anything else is 0, for the fact does not depend on it."""
    number = _number(value)
    if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number <= 1:
        return 0.0
    return float(number)


def _type_name(value: object) -> object:
    """The type under its own name, however spelt, or another that is common for it."""
    if not isinstance(value, str):
        return value
    plain = re.sub(r"[\s-]+", "_", value.strip().lower()).removesuffix("s")
    return plain if plain in list(MemoryType) else _OTHER_TYPES.get(plain, plain)


type _Share = Annotated[float, BeforeValidator(_number), Field(ge=0, le=1, allow_inf_nan=False, strict=True)]
type _Short = Annotated[str, BeforeValidator(_clean), Field(max_length=120)]


class FactAnswer(BaseModel):
    """One fact as the model is asked to write it. Unknown fields are passed over."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    type: Annotated[MemoryType, BeforeValidator(_type_name)]
    fact: Annotated[str, BeforeValidator(_one_text), Field(min_length=2, max_length=500)]
    fact_key: Annotated[str, BeforeValidator(_clean), Field(max_length=300)] = ""
    confidence: _Share = UNTOLD_CONFIDENCE
    importance: _Share = UNTOLD_IMPORTANCE
    evidence: Annotated[list[int], BeforeValidator(_numbers)] = []
    quote: Annotated[list[Annotated[str, Field(max_length=2_000)]], BeforeValidator(_passages)] = []
    tags: Annotated[list[str], BeforeValidator(_tags)] = []
    stance: Annotated[Stance, BeforeValidator(_stance)] = Stance.LASTING
    about: _Short = ""
    person: _Short = ""
    relationship: _Short = ""
    backstory: Annotated[str, BeforeValidator(_clean), Field(max_length=1_000)] = ""
    slot: _Short = ""
    emotion: Annotated[float, BeforeValidator(_lenient_share)] = 0.0
    replaces: Annotated[list[int], BeforeValidator(_numbers)] = []


def parse(text: str, known: Sequence[str] = ()) -> ParsedAnswer:
    """Read a model's answer; `known` are the memory ids that the prompt labelled K1, K2 and so on.

    Raises AnswerError when it neither holds a fact nor says that there is none.
    """
    found = [
        (
            [element for each in reading.values for element in _elements(each.value)],
            any(each.alone and _says_none(each.value) for each in reading.values),
            reading.broken,
        )
        for reading in readings(text, MAX_ANSWER)
    ]
    elements, none, broken = max(found, key=lambda each: (len(each[0]), each[1]))
    if not elements and not none:
        raise AnswerError("no list of facts in the answer")
    return _checked(elements, known, broken=broken)


def _elements(value: object) -> list[Mapping[str, object]]:
    """The objects that are meant as facts; a member of a list is, whatever it lacks."""
    members = cast("list[object]", value) if isinstance(value, list) else []
    objects = [cast("Mapping[str, object]", each) for each in members if each and isinstance(each, dict)]
    lacking = [each for each in objects if not any(objects_with("fact", each))]
    return [*objects_with("fact", cast("object", value)), *lacking]


def _checked(elements: Sequence[Mapping[str, object]], known: Sequence[str], *, broken: bool) -> ParsedAnswer:
    candidates: list[Candidate] = []
    rejected = ["malformed"] if broken and elements else []
    if len(elements) > MAX_FACTS:
        rejected.append("too_many")
    for element in elements[:MAX_FACTS]:
        told = {field: value for field, value in element.items() if value is not None}
        try:
            candidate = _candidate(FactAnswer.model_validate(told), known)
        except ValidationError as error:
            rejected.append(rejection(error))
        else:
            candidates += [candidate] if candidate not in candidates else []
    return ParsedAnswer(candidates=tuple(candidates), rejected=tuple(rejected))


def _says_none(value: object) -> bool:
    """Whether it is empty, or an object with an empty list of facts, or without any and no error."""
    if _is_empty(value) or not isinstance(value, dict):
        return _is_empty(value)
    members = {key.lower(): member for key, member in cast("dict[str, object]", value).items()}
    if any(members.get(key) == [] for key in _OF_FACTS):
        return True
    without = [] in members.values() or any(key in members and not members[key] for key in _OF_FACTS)
    return without and all(str(members.get(key, "")).lower() in _ALL_IS_WELL for key in _OF_ERRORS)


def _is_empty(value: object, depth: int = 0) -> bool:
    """Whether there is nothing in it but null and what is empty."""
    members = list(cast("dict[str, object]", value).values()) if isinstance(value, dict) else value
    if not isinstance(members, list):
        return members is None
    return depth <= MAX_DEPTH and all(_is_empty(each, depth + 1) for each in cast("list[object]", members))


def _candidate(answer: FactAnswer, known: Sequence[str]) -> Candidate:
    same = answer.model_dump(exclude={"quote", "evidence", "replaces", "tags"})
    tags = {"tags": " ".join(answer.tags)} if answer.tags else {}
    return Candidate(
        **same,
        origin=Origin.LLM_EXTRACT,
        quotes=tuple(answer.quote),
        evidence=tuple(dict.fromkeys(number - 1 for number in answer.evidence)),
        replaces=tuple(dict.fromkeys(known[n - 1] for n in answer.replaces if n <= len(known))),
        meta={"prompt": VERSION, "stance": answer.stance.value, **tags},
    )
