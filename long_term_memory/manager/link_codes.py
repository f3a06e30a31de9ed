"""The codes by which two accounts find each other; they live in memory and not for long."""

import hashlib
import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from ..domain.time import Clock, MakeId

LIFE = timedelta(minutes=10)
"""How long a code can be used, and an entered one confirmed."""
LENGTH = 8
ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without those that look like another: 0 and O, 1, I and L. Eight of them are 39 bits."""
MAX_CODES = 1_000
"""Codes at a time, of all people together."""
MAX_TRIES = 5
"""Wrong codes that an account may enter within `LIFE`."""
MAX_GUESSERS = 10_000
"""Accounts whose wrong codes are counted at a time; the count that began first gives way."""
_BETWEEN = re.compile(r"[\s-]+")


@dataclass(frozen=True, kw_only=True)
class Account:
    """One of the two accounts, and how it is shown to the owner of the other."""

    account: str
    """As `access.identity.account_of` names it."""
    platform_id: str
    sender_id: str
    name: str


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A code, whose it is, and who has entered it."""

    code: str
    of: Account
    ends_at: datetime
    entered_by: Account | None = None


@dataclass(frozen=True, kw_only=True)
class _Guesses:
    number: int
    ends_at: datetime


class LinkCodes:
    """At most one code for each account. Who enters it first is the only one who can be confirmed."""

    def __init__(self, clock: Clock, make_id: MakeId) -> None:
        """`make_id` is where the codes come from: what it makes nobody can guess."""
        self._clock = clock
        self._make_id = make_id
        self._offers: dict[str, Offer] = {}
        self._guesses: dict[str, _Guesses] = {}

    def offer(self, of: Account) -> Offer | None:
        """A new code in the place of the account's earlier one; None while too many are open."""
        self._drop_what_is_over()
        self._offers.pop(of.account, None)
        if len(self._offers) >= MAX_CODES:
            return None
        offer = Offer(code=_code(self._make_id()), of=of, ends_at=self._clock() + LIFE)
        self._offers[of.account] = offer
        return offer

    def open(self, account: str) -> Offer | None:
        """The account's code, while it can be used or confirmed."""
        self._drop_what_is_over()
        return self._offers.get(account)

    def may_guess(self, account: str) -> bool:
        """Whether the account has not entered too many wrong codes lately."""
        self._drop_what_is_over()
        guesses = self._guesses.get(account)
        return guesses is None or guesses.number < MAX_TRIES

    def find(self, code: str, by: Account) -> Offer | None:
        """The open offer with this code, however it is written, that nobody else has entered yet."""
        self._drop_what_is_over()
        wanted = bare(code).upper()
        found = next((offer for offer in self._offers.values() if offer.code == wanted), None)
        taken = found is not None and found.entered_by not in (None, by)
        return None if taken else found

    def guessed_wrong(self, account: str) -> None:
        """Count a wrong code; the time runs from the first."""
        before = self._guesses.get(account)
        if before is None:
            if len(self._guesses) >= MAX_GUESSERS:
                del self._guesses[next(iter(self._guesses))]
            before = _Guesses(number=0, ends_at=self._clock() + LIFE)
        self._guesses[account] = replace(before, number=before.number + 1)

    def entered(self, offer: Offer, by: Account) -> Offer:
        """Note who has entered it; there is as much time again to confirm it."""
        noted = replace(offer, entered_by=by, ends_at=self._clock() + LIFE)
        self._offers[offer.of.account] = noted
        return noted

    def drop(self, account: str) -> None:
        """Let the account's code be over."""
        self._offers.pop(account, None)

    def take_back(self, account: str) -> bool:
        """Let the account's code be over, and those of others that it has entered; whether there was any."""
        self._drop_what_is_over()
        over = [
            offer.of.account
            for offer in self._offers.values()
            if account in (offer.of.account, offer.entered_by and offer.entered_by.account)
        ]
        for each in over:
            self.drop(each)
        return bool(over)

    def _drop_what_is_over(self) -> None:
        now = self._clock()
        self._offers = {account: offer for account, offer in self._offers.items() if offer.ends_at > now}
        self._guesses = {account: one for account, one in self._guesses.items() if one.ends_at > now}


def bare(code: str) -> str:
    """The code without what people put between its letters."""
    return _BETWEEN.sub("", code)


def _code(random: str) -> str:
    number = int.from_bytes(hashlib.sha256(random.encode()).digest())
    letters: list[str] = []
    for _ in range(LENGTH):
        number, place = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[place])
    return "".join(letters)
