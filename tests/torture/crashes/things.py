"""What the traffic is about: things with words of their own, so that each can be found in the store."""

import re
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any, Self

_LETTERS = "bcdfghkmpz"
"""In the place of digits: the rules take no digit for a part of a word. They begin it, for long words that
begin alike are taken for forms of one."""
WORD = re.compile(rf"[{_LETTERS}]{{5}}plant", re.IGNORECASE)
NO_WORD = ""


class Kind(StrEnum):
    """In which way a thing comes to be known."""

    LIKED = "I like {}"
    """The rules find it at once."""
    GROWN = "There is a pot of {} on my balcony"
    """A model finds it later."""
    FETCHED = "I must fetch {} from the station"
    """A model finds it, and a day later it is over."""
    FEARED = "I'm allergic to {}"
    """A model finds it, and it waits for an approval."""
    EMPLOYER = "I work at {}"
    """The rules find it, and it takes the place of the employer before it."""
    NAMED = "By the way, who was {}?"
    """Nobody finds anything in it."""
    SAVED = "my {} is blue"
    """A person has it remembered."""
    KEYED = "User plays the {}"
    """A model saves it under a key."""
    HEARD = "{}: rain, 9 °C"
    """A tool says it."""
    BROUGHT = "I love {}"
    """It comes with an import."""

    def of(self, word: str) -> str:
        """What is said of the thing with this word."""
        return self.format(word.title() if self is Kind.EMPLOYER else word)


def word_of(number: int) -> str:
    """The word of the thing with this number, of five digits at most."""
    return f"{number:05d}plant".translate(str.maketrans("0123456789", _LETTERS))


SAID = (Kind.LIKED, Kind.GROWN, Kind.FETCHED, Kind.FEARED, Kind.EMPLOYER, Kind.NAMED)
"""What people say in a turn."""
SAID_ONCE = (Kind.SAVED, Kind.KEYED)
"""What nobody says again, so that it stands at one level, whoever shares it."""


class Deed(StrEnum):
    """What a call does."""

    TURN = "turn"
    TOOL = "tool"
    SAVE = "save"
    KEYED_SAVE = "keyed save"
    FORGET = "forget"
    SHARE = "share"
    UNSHARE = "unshare"
    APPROVE = "approve"
    REJECT = "reject"
    PAUSE = "pause"
    RESUME = "resume"
    ERASE = "erase"
    IMPORT = "import"
    EXPORT = "export"
    SNAPSHOT = "snapshot"
    RECALL = "recall"
    PASS = "pass"
    """Time passes, in which what is due in the background is done."""


@dataclass(frozen=True, kw_only=True)
class Call:
    """One call of the host; as it is told over the pipe."""

    number: str
    """The id of its message, where it has one."""
    deed: Deed
    word: str = NO_WORD
    kind: Kind | None = None
    person: str = ""
    in_group: bool = False
    at: float = 0.0
    """Seconds of the loop at which it began; for `PASS` how many pass."""
    path: str = ""
    """Of the file of an import; empty when there is none."""
    words: tuple[str, ...] = ()
    """In that file."""

    @property
    def run(self) -> str:
        """In which process it was first made."""
        return self.number.partition(".")[0]

    def as_json(self) -> dict[str, Any]:
        """For the pipe."""
        return asdict(self)

    @classmethod
    def of_json(cls, raw: dict[str, Any]) -> Self:
        """From the pipe."""
        given = {field.name: raw[field.name] for field in fields(cls)}
        kind = given["kind"]
        given |= {"deed": Deed(given["deed"]), "kind": kind and Kind(kind), "words": tuple(given["words"])}
        return cls(**given)
