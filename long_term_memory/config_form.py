"""Reading one object of the host's config, key by key, without ever raising.

Each read gives the value, or the default and a problem on the list. A key that is missing or null takes its
default, as the host itself treats it. A problem names the place and what is allowed and never repeats the
value: a config may hold secrets, and it may hold numbers too long to print.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from enum import IntEnum, StrEnum
from typing import Any, cast


@dataclass(frozen=True, kw_only=True)
class SettingsProblem:
    """One setting that cannot be used."""

    key: str
    """Dotted, as in `write_policy.mode`; empty when the config as a whole is no object."""
    why: str
    """What is allowed, in English."""
    rule: str = ""
    """What is allowed, as a name among the texts for people; empty where there is only `why`."""
    values: Mapping[str, str | int] = field(default_factory=dict[str, str | int])
    """What belongs into the places of that text."""


@dataclass(frozen=True, kw_only=True)
class ConfigForm:
    """One object of the config. The sections of a form add to its list of problems."""

    values: Mapping[str, object]
    prefix: str = ""
    problems: list[SettingsProblem] = field(default_factory=list[SettingsProblem])

    def refuse(self, key: str, why: str, rule: str = "", **values: str | int) -> None:
        """Note that this key cannot be used; `rule` and `values` tell so in other languages."""
        self.problems.append(SettingsProblem(key=f"{self.prefix}{key}", why=why, rule=rule, values=values))

    def section(self, key: str) -> "ConfigForm":
        """The object under this key; an empty one when there is none."""
        raw = self.values.get(key)
        if not isinstance(raw, Mapping):
            if raw is not None:
                self.refuse(key, "must be an object", "object")
            raw = {}
        return ConfigForm(
            values=cast("Mapping[str, object]", raw), prefix=f"{self.prefix}{key}.", problems=self.problems
        )

    def filled[T](self, kind: type[T], **given: object) -> T:
        """A dataclass of settings: each field that is not given is read by the kind of its default.

        A whole number has its limits in its metadata, as `low` and `high`.
        """
        read = {each.name: self._read(each) for each in fields(kind) if each.name not in given}  # pyright: ignore[reportArgumentType] - a dataclass
        return kind(**read, **given)

    def _read(self, each: Field[Any]) -> object:
        default = None if each.default is MISSING else each.default
        match default:
            case bool():
                return self.flag(each.name, default=default)
            case StrEnum():
                return self.choice(each.name, {word.value: word for word in type(default)}, default)
            case IntEnum():
                return self.choice(each.name, {level.name: level for level in type(default)}, default)
            case str():
                return self.text(each.name)
            case int():
                return self.whole(each.name, default, **each.metadata)
            case float():
                return self.share(each.name, default)
            case _:
                raise TypeError(f"{each.name} must be given")

    def flag(self, key: str, *, default: bool) -> bool:
        """True or false."""
        raw = self.values.get(key)
        if raw is None or isinstance(raw, bool):
            return default if raw is None else raw
        self.refuse(key, "must be true or false", "flag")
        return default

    def text(self, key: str) -> str:
        """One line without the blanks around it; empty by default."""
        raw = self.values.get(key)
        if raw is None or isinstance(raw, str):
            return (raw or "").strip()
        self.refuse(key, "must be text", "text")
        return ""

    def whole(self, key: str, default: int, *, low: int, high: int) -> int:
        """A whole number of the closed range."""
        raw = self.values.get(key)
        if raw is None:
            return default
        # To Python a bool is an int; to the operator it is not.
        if isinstance(raw, int) and not isinstance(raw, bool) and low <= raw <= high:
            return raw
        self.refuse(key, f"must be a whole number from {low} to {high}", "whole", low=low, high=high)
        return default

    def share(self, key: str, default: float) -> float:
        """A number of 0..1. NaN is none."""
        raw = self.values.get(key)
        if raw is None:
            return default
        if isinstance(raw, int | float) and not isinstance(raw, bool) and 0 <= raw <= 1:
            return float(raw)
        self.refuse(key, "must be a number from 0 to 1", "share")
        return default

    def days(self, key: str, default: int | None, *, low: int = 1, high: int) -> int | None:
        """Days from `low` up, or -1, which is for ever and read as None."""
        raw = self.values.get(key)
        if raw is None:
            return default
        if isinstance(raw, int) and not isinstance(raw, bool) and (raw == -1 or low <= raw <= high):
            return None if raw == -1 else raw
        why = f"must be a whole number of days from {low} to {high}, or -1 for ever"
        self.refuse(key, why, "days", low=low, high=high)
        return default

    def choice[T](self, key: str, choices: Mapping[str, T], default: T) -> T:
        """What the name stands for; names are taken exactly as they are."""
        raw = self.values.get(key)
        if raw is None:
            return default
        if isinstance(raw, str) and raw in choices:
            return choices[raw]
        self.refuse(key, f"must be {one_of(choices)}", "choice", names=", ".join(choices))
        return default

    def choices[T](self, key: str, choices: Mapping[str, T], default: frozenset[T]) -> frozenset[T]:
        """What the names of a list stand for; an empty list is none of them."""
        names = self._lines(key)
        if names is None:
            return default
        for place, name in enumerate(names, 1):
            if name not in choices:
                why = f"entry {place} must be {one_of(choices)}"
                self.refuse(key, why, "entry", place=place, names=", ".join(choices))
        return frozenset(choices[name] for name in names if name in choices)

    def pairs[T](
        self, key: str, read: Callable[[str, str], T | None], allowed: str, rule: str, **values: str
    ) -> Mapping[str, T]:
        """A list of `a=b` lines as a map: the host's form holds no maps. Empty lines are passed over.

        The last `=` divides, since the host's ids may hold one. `read` turns both sides into the value, or
        gives None when they make no sense. What is `allowed`, `rule` and `values` tell in other languages.
        """
        pairs: dict[str, T] = {}
        for place, line in enumerate(self._lines(key) or (), 1):
            left, divider, right = (part.strip() for part in line.rpartition("="))
            value = read(left, right) if divider and left and right else None
            if value is None:
                if line:
                    self.refuse(key, f"line {place} must be {allowed}", rule, place=place, **values)
            elif pairs.setdefault(left, value) != value:
                self.refuse(key, f"line {place} contradicts an earlier line", "contradiction", place=place)
        return pairs

    def names(self, key: str) -> frozenset[str]:
        """A list of texts, in no order, without the empty ones."""
        return frozenset(line for line in self._lines(key) or () if line)

    def _lines(self, key: str) -> Sequence[str] | None:
        raw = self.values.get(key)
        if raw is None:
            return None
        if isinstance(raw, list):
            lines = [line.strip() for line in cast("list[object]", raw) if isinstance(line, str)]
            if len(lines) == len(cast("list[object]", raw)):
                return lines
        self.refuse(key, "must be a list of texts", "list")
        return None


def one_of(choices: Mapping[str, object]) -> str:
    """The names, for people."""
    return "one of " + ", ".join(choices)
