"""Which groups are listened to where nobody spoke to the bot, and how much of a chat waits (design 5.1)."""

import re
from dataclasses import dataclass

MAX_WAITING = 200
"""Messages of one group that wait for the model at most: what is overheard beyond them goes past it.

The rules still read it, and it is kept like any other message; only the queue grows no further.
"""
MAX_ADDRESSED_WAITING = 1_000
"""The same for what is said to the bot in one chat: more than people say while a model is away for a day."""
_TO_ANOTHER_BOT = re.compile(r"[/!！／][^\W\d_]")
"""What begins like a command and is none of this host's."""


@dataclass(frozen=True, kw_only=True)
class GroupRules:
    """Which groups are listened to where nobody spoke to the bot."""

    passive_capture: bool = False
    only: frozenset[str] = frozenset()
    """Ids of groups, bare or as their scope has them; empty is every group."""
    but: frozenset[str] = frozenset()
    """Ids of groups that are never listened to."""

    def listens_to(self, *names: str) -> bool:
        """Whether the group that goes by these names is listened to; `but` wins over `only`."""
        if not self.passive_capture or not self.but.isdisjoint(names):
            return False
        return not self.only or not self.only.isdisjoint(names)


def to_another_bot(text: str) -> bool:
    """Whether a message to nobody in particular looks like a command: it is meant for some other bot."""
    return _TO_ANOTHER_BOT.match(text.lstrip()) is not None
