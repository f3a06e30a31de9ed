"""A dictionary whose values expire, and the codes by which people confirm."""

import hashlib
import unicodedata
from collections.abc import Iterable
from datetime import datetime, timedelta

from ..domain.chat import Chat
from ..domain.time import Clock, MakeId

MAX_CODES = 1_000
"""Codes of a kind at a time, of all people together; the first gives way."""
CONFIRM_LIFE = timedelta(seconds=60)
CONFIRM_LENGTH = 6


class Expiring[K, V]:
    """So many values at most, each for so long: the one that was put first gives way."""

    def __init__(self, clock: Clock, life: timedelta, most: int) -> None:
        self._clock = clock
        self._life = life
        self._most = most
        self._kept: dict[K, tuple[datetime, V]] = {}

    def put(self, key: K, value: V) -> None:
        """Keep a value in the place of an earlier one."""
        self.pop(key)
        self._drop_over()
        if len(self._kept) >= self._most:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = (self._clock() + self._life, value)

    def get(self, key: K) -> V | None:
        """The value, unless its time is over."""
        self._drop_over()
        return self._kept[key][1] if key in self._kept else None

    def pop(self, key: K) -> None:
        """Let it be over."""
        self._kept.pop(key, None)

    @property
    def values(self) -> Iterable[V]:
        """All of them."""
        self._drop_over()
        return [value for _, value in self._kept.values()]

    def _drop_over(self) -> None:
        now = self._clock()
        self._kept = {key: kept for key, kept in self._kept.items() if kept[0] > now}


class Confirming:
    """At most one code for each person in each chat, good for one thing and for one time."""

    def __init__(self, clock: Clock, make_id: MakeId) -> None:
        self._make_id = make_id
        self._codes = Expiring[tuple[str, str, str], tuple[str, str]](clock, CONFIRM_LIFE, MAX_CODES)

    def ask(self, chat: Chat, what: str) -> str:
        """A new code for the speaker in this chat to confirm `what`, in the place of an earlier one."""
        code = code_of(self._make_id(), "0123456789", CONFIRM_LENGTH)
        self._codes.put(asker(chat), (what, code))
        return code

    def confirmed(self, chat: Chat, what: str, code: str) -> bool:
        """Whether this is the open code of the speaker in this chat for `what`; if so it is used up."""
        # Some keyboards write wide digits, and people put spaces between.
        typed = "".join(unicodedata.normalize("NFKC", code).split())
        if self._codes.get(asker(chat)) != (what, typed):
            return False
        self._codes.pop(asker(chat))
        return True


def asker(chat: Chat) -> tuple[str, str, str]:
    """The speaker in this chat, as a key."""
    return chat.umo, chat.platform_id, chat.sender_id


def code_of(random: str, alphabet: str, length: int) -> str:
    """A code of so many letters of the alphabet, made of a text that nobody can guess."""
    number = int.from_bytes(hashlib.sha256(random.encode()).digest())
    return "".join(alphabet[number // len(alphabet) ** place % len(alphabet)] for place in range(length))
