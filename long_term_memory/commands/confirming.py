"""Codes by which people say a second time what they cannot undo; they live in memory and not for long."""

import hashlib
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta

from ..domain.chat import Chat
from ..domain.time import Clock, MakeId

LIFE = timedelta(seconds=60)
"""How long a code can be used."""
LENGTH = 6
MAX_CODES = 1_000
"""Codes at a time, of all people together; the one that was asked for first gives way."""

type _Asker = tuple[str, str, str]


@dataclass(frozen=True, kw_only=True)
class _Code:
    code: str
    what: str
    ends_at: datetime


class Confirming:
    """At most one code for each person in each chat, good for one thing and for one time."""

    def __init__(self, clock: Clock, make_id: MakeId) -> None:
        """`make_id` is where the codes come from."""
        self._clock = clock
        self._make_id = make_id
        self._codes: dict[_Asker, _Code] = {}

    def ask(self, chat: Chat, what: str) -> str:
        """A new code for the speaker in this chat to confirm `what`, in the place of an earlier one."""
        self._drop_what_is_over()
        self._codes.pop(_asker(chat), None)
        while len(self._codes) >= MAX_CODES:
            del self._codes[next(iter(self._codes))]
        code = _code(self._make_id())
        self._codes[_asker(chat)] = _Code(code=code, what=what, ends_at=self._clock() + LIFE)
        return code

    def confirmed(self, chat: Chat, what: str, code: str) -> bool:
        """Whether this is the open code of the speaker in this chat for `what`; if so it is used up."""
        self._drop_what_is_over()
        asked = self._codes.get(_asker(chat))
        if asked is None or asked.what != what or asked.code != _bare(code):
            return False
        del self._codes[_asker(chat)]
        return True

    def _drop_what_is_over(self) -> None:
        now = self._clock()
        self._codes = {asker: code for asker, code in self._codes.items() if code.ends_at > now}


def _asker(chat: Chat) -> _Asker:
    return chat.umo, chat.platform_id, chat.sender_id


def _bare(code: str) -> str:
    """The code as it was given: some keyboards write wide digits, and people put spaces between."""
    return "".join(unicodedata.normalize("NFKC", code).split())


def _code(random: str) -> str:
    number = int.from_bytes(hashlib.sha256(random.encode()).digest())
    return f"{number % 10**LENGTH:0{LENGTH}}"
