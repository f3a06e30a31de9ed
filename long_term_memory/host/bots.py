"""Who is no person: what the platforms tell about a sender, read from the messages they delivered."""

import re
from collections.abc import Mapping
from typing import cast

_MARKS = (
    "author.bot",  # Discord, QQ
    "message.from_user.is_bot",  # Telegram: an update
    "from_user.is_bot",
    "user.is_bot",  # Satori
    "user.isBot",  # Misskey
    "extra.author.bot",  # KOOK
    "props.from_bot",  # Mattermost
)
"""Where platforms say that a sender is a bot; what is there counts unless it says no."""
_NO = frozenset({"", "0", "false", "none", "no"})
_TO_ANOTHER_BOT = re.compile(r"[/!！／][^\W\d_]")
"""What begins like a command and is none of this host's."""


def marked_as_a_bot(raw: object) -> bool:
    """Whether the platform says that a bot sent this; `raw` is the message as it was delivered.

    Platforms that say nothing of it have no bots for us: nothing is guessed from names.
    """
    said = (found_in(raw, mark) for mark in _MARKS)
    return any(isinstance(each, bool | int | str) and str(each).lower() not in _NO for each in said)


def to_another_bot(text: str) -> bool:
    """Whether a message to nobody in particular looks like a command: it is meant for some other bot."""
    return _TO_ANOTHER_BOT.match(text.lstrip()) is not None


def found_in(raw: object, path: str) -> object:
    """What is there, by key or attribute; None when nothing is or it cannot be read."""
    found = raw
    for name in path.split("."):
        try:
            if isinstance(found, Mapping):
                found = cast("Mapping[str, object]", found).get(name)
            else:
                found = getattr(found, name, None)
        except Exception:  # noqa: BLE001  libraries of platforms raise what they like
            return None
    return found
