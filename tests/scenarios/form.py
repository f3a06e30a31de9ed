"""The form of the scenario files; `README.md` beside this module says how to read and write one."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal, cast

import yaml
from pydantic import BaseModel, ConfigDict, Field, field_validator

HERE = Path(__file__).parent
THEMES = HERE / "themes"
RECORDED = HERE / "recorded"
START = datetime(2025, 6, 2, 12, tzinfo=UTC)
"""When a scenario begins unless it says otherwise: a Monday."""

type State = Literal["active", "waiting", "superseded", "forgotten", "expired", "nothing"]
type Kind = Literal["good", "sloppy", "plain", "broken", "hostile", "recorded", "none"]
type Verdict = Literal[
    "said", "said still", "confirmed", "not_said", "about_other", "not_meant", "over", "nothing"
]
"""What the model says of a fact when it is asked a second time; `nothing` is no usable answer."""

_REFUSING = frozenset(("not_said", "about_other", "not_meant", "over"))
_SEED_FIELDS = frozenset(("type", "fact", "fact_key", "confidence", "importance"))
_USUAL: Mapping[str, object] = {"type": "profile", "confidence": 0.9, "importance": 0.6}
_SPAN = re.compile(r"(\d+) (second|minute|hour|day)s?")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


class _Form(BaseModel):
    """A misspelt key is a mistake, not a comment."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Expected(_Form):
    """One item of the expected store."""

    fact: str = ""
    """Its text, but for case and punctuation."""
    says: list[str] = []
    """Instead of the text where any wording will do: what it must contain."""
    of: str
    """Whose memory it stands in: a person, or `group`."""
    about: str = ""
    """Whom it is about when not the owner: contained in the item's person. Empty: the owner; or `anybody`."""
    told_by: str = ""
    state: State = Field(default="active", alias="is")
    any_of: list[State] = []
    """Instead of one state: those that are all right."""
    why: list[str] = []
    """Reasons of which a waiting item must have one; empty: any reason, but one."""
    slot: str | None = None
    origin: str | None = None
    type: str | None = None
    heard: int | None = None
    """How many messages it rests on."""

    @property
    def states(self) -> Sequence[State]:
        return self.any_of or [self.state]


class Says(_Form):
    """A message and what came with it."""

    who: str
    text: str
    bot: str = "I see."
    """The bot's reply; `{block}` stands for the memories injected into the request."""
    quotes: str = ""
    tools: dict[str, str] = {}
    """Name to result."""
    place: str = Field(default="", alias="in")
    """`private`, `group` or `group <name>`; empty is where the scenario takes place."""
    overheard: bool = False
    """Said in the group to nobody in particular: the bot neither woke nor answered."""


class Answers(_Form):
    """The events so far go to the model, and it answers this, every time it is asked."""

    text: str = ""
    recorded: str = ""
    """A file of `recorded/` instead, written by `record_answers.py` with these settings."""
    form: Literal["text", "json", "facts"] = "text"
    """Whether the runner held the model to JSON, or to a list of at least one fact, as some providers do."""
    temperature: float = 0.0
    seed: int = 1
    max_tokens: int = 160
    obeys: bool = False
    """Instead: it obeys whatever instruction stands in its prompt."""
    proposes: int = 0
    """How many facts it proposes, as far as the file says."""
    verdicts: dict[str, Verdict] = {}
    """Fact to what it says of it when asked a second time."""
    verdict: Verdict = "said"
    """The same for all other facts."""


class Passes(_Form):
    """Time."""

    span: timedelta


class Does(_Form):
    """Somebody uses a command."""

    what: Literal["forgets", "adds", "pauses", "resumes", "approves"]
    who: str = ""
    text: str = ""


type Step = Says | Answers | Passes | Does


class Scenario(_Form):
    """One conversation, the model's part in it, and the store after it."""

    name: str
    theme: str
    kind: Kind
    chat: Literal["private", "group"] = "private"
    starts: datetime = START
    settings: dict[str, Any] = {}
    nicknames: dict[str, str] = {}
    talk: list[Step]
    store: list[Expected]
    besides: Literal["nothing", "waiting"] = "nothing"
    """What else the store may hold: `waiting` where any untrusted fact may wait for a person."""

    @field_validator("store", mode="before")
    @classmethod
    def _nothing(cls, value: object) -> object:
        return [] if value == "nothing" else value

    @property
    def is_chinese(self) -> bool:
        """Whether people speak Chinese in it."""
        return any(isinstance(step, Says) and bool(_CHINESE.search(step.text)) for step in self.talk)

    @property
    def refuses(self) -> bool:
        """Whether the model refuses something when it is asked a second time."""
        steps = [step for step in self.talk if isinstance(step, Answers)]
        return any({step.verdict, *step.verdicts.values()} & _REFUSING for step in steps)

    @property
    def proposes(self) -> int:
        return sum(step.proposes for step in self.talk if isinstance(step, Answers))


def scenarios() -> list[Scenario]:
    """All of them, by theme, in the order of the files."""
    return [scenario for file in sorted(THEMES.glob("*.yaml")) for scenario in of_theme(file)]


def of_theme(file: Path) -> Iterator[Scenario]:
    """The scenarios of one file."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # a seventh of the time, where it was built
    for raw in cast("list[dict[str, Any]]", yaml.load(file.read_text(encoding="utf-8"), loader)):  # noqa: S506 - safe
        try:
            talk = [_step(each, str(raw.get("kind"))) for each in cast("list[dict[str, Any]]", raw["talk"])]
            yield Scenario.model_validate(raw | {"theme": file.stem, "talk": talk})
        except ValueError as error:
            raise ValueError(f"{file.name}: {raw.get('name')}: {error}") from error


def spoken(scenario: Scenario) -> list[dict[str, str]]:
    """The conversation as a recording keeps it."""
    lines = [step for step in scenario.talk if isinstance(step, Says)]
    return [{"who": line.who, "text": line.text, "bot": line.bot} for line in lines]


def recording(name: str) -> dict[str, Any]:
    """A recorded answer with how it came about."""
    return cast("dict[str, Any]", json.loads((RECORDED / f"{name}.json").read_text(encoding="utf-8")))


def _step(raw: Mapping[str, Any], kind: str) -> Step:
    verb, value = next(iter(raw.items()))
    rest = {key: each for key, each in raw.items() if key != verb}
    match verb:
        case "model":
            return _answer(value, kind, rest)
        case "later":
            return Passes(span=_span(str(value)))
        case "forgets" | "adds":
            who, text = next(iter(cast("dict[str, str]", value).items()))
            return Does(what=verb, who=who, text=text)
        case "pauses" | "resumes" | "approves":
            return Does(what=verb, who=str(value))
        case _:
            return Says.model_validate({"who": verb, "text": value, **rest})


def _answer(value: object, kind: str, rest: Mapping[str, Any]) -> Answers:
    if isinstance(value, str):
        return Answers(obeys=True, **rest) if value == "obeys" else Answers(text=value, **rest)
    if isinstance(value, dict):
        return Answers.model_validate({**value, **rest})
    facts = [dict(_USUAL) | fact for fact in cast("list[dict[str, Any]]", value or [])]
    verdicts = {str(fact["fact"]): fact.pop("verdict", "said") for fact in facts if "fact" in fact}
    if kind == "plain" and any(fact.keys() - _SEED_FIELDS for fact in facts):
        raise ValueError("a plain answer has the five fields of the first form and no others")
    text = json.dumps(facts, ensure_ascii=False)
    return Answers.model_validate({"text": text, "proposes": len(facts), "verdicts": verdicts, **rest})


def _span(text: str) -> timedelta:
    found = _SPAN.fullmatch(text)
    if found is None:
        raise ValueError(f"not a span: {text}")
    return timedelta(**{f"{found[2]}s": int(found[1])})
