"""Codes that live in memory, not for long: by which accounts are linked, and what is asked for twice."""

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from ..domain.chat import Chat
from ..domain.time import Clock, MakeId

LIFE = timedelta(minutes=10)
"""How long a link code can be used, and an entered one confirmed."""
LENGTH = 8
ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without those that look like another: 0 and O, 1, I and L. Eight of them are 39 bits."""
MAX_CODES = 1_000
"""Codes of a kind at a time, of all people together; the first gives way."""
MAX_TRIES = 5
"""Wrong codes that an account may enter within `LIFE`."""
MAX_GUESSERS = 10_000
CONFIRM_LIFE = timedelta(seconds=60)
CONFIRM_LENGTH = 6
_BETWEEN = re.compile(r"[\s-]+")


class Expiring[K, V]:
    """So many values at most, each for so long: the one that was put first gives way."""

    def __init__(
        self, clock: Clock, life: timedelta, most: int, *, size: Callable[[V], int] = lambda _: 1
    ) -> None:
        """`size` is how many a value counts as."""
        self._clock = clock
        self._life = life
        self._most = most
        self._size = size
        self._kept: dict[K, tuple[datetime, V]] = {}

    def put(self, key: K, value: V) -> bool:
        """Keep a value in the place of an earlier one; False, and nothing gives way, when it is too large."""
        self.pop(key)
        if (size := self._size(value)) > self._most:
            return False
        self._drop_over()
        while sum(self._size(kept) for _, kept in self._kept.values()) + size > self._most:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = (self._clock() + self._life, value)
        return True

    def change(self, key: K, value: V) -> None:
        """As `put`, but the value ends when the earlier one would have."""
        self._drop_over()
        if key in self._kept:
            self._kept[key] = (self._kept[key][0], value)
        else:
            self.put(key, value)

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


@dataclass(frozen=True, kw_only=True)
class Account:
    """One of the two accounts, and how it is shown to the owner of the other."""

    account: str
    platform_id: str
    sender_id: str
    name: str


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A code, whose it is, and who has entered it."""

    code: str
    of: Account
    entered_by: Account | None = None


class LinkCodes(Expiring[str, Offer]):
    """At most one code for each account. Who enters it first is the only one who can be confirmed."""

    def __init__(self, clock: Clock, make_id: MakeId) -> None:
        """`make_id` is where the codes come from: what it makes nobody can guess."""
        super().__init__(clock, LIFE, MAX_CODES)
        self._make_id = make_id
        self._guesses = Expiring[str, int](clock, LIFE, MAX_GUESSERS)

    def offer(self, of: Account) -> Offer:
        """A new code in the place of the account's earlier one."""
        offer = Offer(code=_code(self._make_id(), ALPHABET, LENGTH), of=of)
        self.put(of.account, offer)
        return offer

    def may_guess(self, account: str) -> bool:
        """Whether the account has not entered too many wrong codes lately."""
        return (self._guesses.get(account) or 0) < MAX_TRIES

    def find(self, code: str, by: Account) -> Offer | None:
        """The open offer with this code, however it is written, that nobody else has entered yet."""
        wanted = bare(code).upper()
        found = next((offer for offer in self.values if offer.code == wanted), None)
        return found if found and found.entered_by in (None, by) else None

    def guessed_wrong(self, account: str) -> None:
        """Count a wrong code; the time runs from the first."""
        self._guesses.change(account, (self._guesses.get(account) or 0) + 1)

    def entered(self, offer: Offer, by: Account) -> Offer:
        """Note who has entered it; there is as much time again to confirm it."""
        noted = replace(offer, entered_by=by)
        self.put(offer.of.account, noted)
        return noted

    def take_back(self, account: str) -> bool:
        """Let the account's code be over, and those of others that it has entered; whether there was any."""
        over = [
            offer.of.account
            for offer in self.values
            if account in (offer.of.account, offer.entered_by and offer.entered_by.account)
        ]
        for each in over:
            self.pop(each)
        return bool(over)


class Confirming:
    """At most one code for each person in each chat, good for one thing and for one time."""

    def __init__(self, clock: Clock, make_id: MakeId) -> None:
        """`make_id` is where the codes come from."""
        self._make_id = make_id
        self._codes = Expiring[tuple[str, str, str], tuple[str, str]](clock, CONFIRM_LIFE, MAX_CODES)

    def ask(self, chat: Chat, what: str) -> str:
        """A new code for the speaker in this chat to confirm `what`, in the place of an earlier one."""
        code = _code(self._make_id(), "0123456789", CONFIRM_LENGTH)
        self._codes.put(_asker(chat), (what, code))
        return code

    def confirmed(self, chat: Chat, what: str, code: str) -> bool:
        """Whether this is the open code of the speaker in this chat for `what`; if so it is used up."""
        # Some keyboards write wide digits, and people put spaces between.
        typed = "".join(unicodedata.normalize("NFKC", code).split())
        if self._codes.get(_asker(chat)) != (what, typed):
            return False
        self._codes.pop(_asker(chat))
        return True


def bare(code: str) -> str:
    """The code without what people put between its letters."""
    return _BETWEEN.sub("", code)


def _asker(chat: Chat) -> tuple[str, str, str]:
    return chat.umo, chat.platform_id, chat.sender_id


def _code(random: str, alphabet: str, length: int) -> str:
    number = int.from_bytes(hashlib.sha256(random.encode()).digest())
    return "".join(alphabet[number // len(alphabet) ** place % len(alphabet)] for place in range(length))
