"""Reading one object of the host's config, key by key, without ever raising.

Each read gives the value, or the default and a problem on the list. A key that is missing or null takes its
default, as the host itself treats it. A problem names the place and what is allowed and never repeats the
value: a config may hold secrets, and it may hold numbers too long to print.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from enum import IntEnum, StrEnum
from typing import Any

from .domain.enums import MemoryType
from .messages import Messages


@dataclass(frozen=True, kw_only=True)
class SettingsProblem:
    """One setting that cannot be used."""

    key: str
    """Dotted, as in `write_policy.mode`; empty when the config as a whole is no object."""
    why: str
    """What is allowed, in English."""
    rule: str = ""
    """Key of that text below `problem.`; empty if there is only `why`."""
    values: Mapping[str, str | int] = field(default_factory=dict[str, str | int])
    """What belongs into the places of that text."""


def broken(key: str, rule: str, **values: str | int) -> SettingsProblem:
    """The problem of a setting that does not keep to this rule, as the text for people tells it."""
    why = Messages("en-US").text(f"problem.{rule}", **values)
    return SettingsProblem(key=key, why=why, rule=rule, values=values)


@dataclass(frozen=True, kw_only=True)
class ConfigReader:
    """One object of the config. The sections of a form add to its list of problems."""

    values: Mapping[str, object]
    prefix: str = ""
    problems: list[SettingsProblem] = field(default_factory=list[SettingsProblem])

    def refuse(self, key: str, rule: str, **values: str | int) -> None:
        """Note that this key does not keep to this rule."""
        self.problems.append(broken(f"{self.prefix}{key}", rule, **values))

    def section(self, key: str) -> "ConfigReader":
        """The object under this key; an empty one when there is none."""
        values = self._value(key, {}, Mapping, "object")
        return ConfigReader(values=values, prefix=f"{self.prefix}{key}.", problems=self.problems)

    def filled[T](self, kind: type[T], **given: object) -> T:
        """A dataclass of settings: each field that is not given is read by the type of its default.

        A whole number has its limits in its metadata, as `low` and `high`; a set is of types of memories.
        """
        read = {each.name: self._read(each) for each in fields(kind) if each.name not in given}  # pyright: ignore[reportArgumentType] - a dataclass
        return kind(**read, **given)

    def _read(self, each: Field[Any]) -> object:
        name, default = each.name, None if each.default is MISSING else each.default
        match default:
            case bool():
                return self._value(name, default, bool, "flag")
            case StrEnum() | IntEnum():
                words = {word.value if isinstance(word, str) else word.name: word for word in type(default)}
                return self.choice(name, words, default)
            case frozenset():
                return self.types(name, each.default)
            case str():
                return self._value(name, default, str, "text").strip()
            case int():
                return self.whole(name, default, **each.metadata)
            case float():  # NaN is between no two numbers
                return float(self._value(name, default, (int, float), "share", lambda n: 0 <= n <= 1))
            case _:
                raise TypeError(f"{name} must be given")

    def _value(
        self,
        key: str,
        default: object,
        kind: type | tuple[type, ...],
        rule: str,
        fits: Callable[[Any], bool] = lambda _: True,
        **values: str | int,
    ) -> Any:  # noqa: ANN401 - one of the kind
        """The value under this key, if of this type and fitting; else the default, and a problem is noted."""
        raw = self.values.get(key)
        # To Python a bool is an int; to the operator it is not.
        if isinstance(raw, kind) and isinstance(raw, bool) is (kind is bool) and fits(raw):
            return raw
        if raw is not None:
            self.refuse(key, rule, **values)
        return default

    def whole(self, key: str, default: int, *, low: int, high: int) -> int:
        """A whole number of the closed range."""
        return self._value(key, default, int, "whole", lambda n: low <= n <= high, low=low, high=high)

    def days(self, key: str, default: int | None, *, low: int = 1, high: int) -> int | None:
        """Days from `low` up, or -1, which is for ever and read as None."""
        found = self._value(
            key, default, int, "days", lambda n: n == -1 or low <= n <= high, low=low, high=high
        )
        return None if found == -1 else found

    def choice[T](self, key: str, choices: Mapping[str, T], default: T) -> T:
        """What the name stands for; names are taken exactly as they are."""
        name = self._value(key, None, str, "choice", choices.__contains__, names=", ".join(choices))
        return default if name is None else choices[name]

    def types(self, key: str, default: object) -> object:
        """The types of memories that a list names; an empty list means none, not the default."""
        names, types = self._lines(key), [kind.value for kind in MemoryType]
        if names is None:
            return default
        for place, name in enumerate(names, 1):
            if name not in types:
                self.refuse(key, "entry", place=place, names=", ".join(types))
        return frozenset(MemoryType(name) for name in names if name in types)

    def pairs[T](
        self, key: str, read: Callable[[str, str], T | None], rule: str, **values: str
    ) -> Mapping[str, T]:
        """A list of `a=b` lines as a map: the host's form holds no maps. Empty lines are passed over.

        The last `=` divides, since the host's ids may hold one. `read` turns both sides into the value, or
        gives None when they make no sense.
        """
        pairs: dict[str, T] = {}
        for place, line in enumerate(self._lines(key) or (), 1):
            left, divider, right = (part.strip() for part in line.rpartition("="))
            value = read(left, right) if divider and left and right else None
            if value is None:
                if line:
                    self.refuse(key, rule, place=place, **values)
            elif pairs.setdefault(left, value) != value:
                self.refuse(key, "contradiction", place=place)
        return pairs

    def names(self, key: str) -> frozenset[str]:
        """A list of texts, in no order, without the empty ones."""
        return frozenset(line for line in self._lines(key) or () if line)

    def _lines(self, key: str) -> Sequence[str] | None:
        lines = self._value(key, None, list, "list", lambda raw: all(isinstance(each, str) for each in raw))
        return None if lines is None else [line.strip() for line in lines]
