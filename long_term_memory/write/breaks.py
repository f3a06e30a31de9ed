"""What is broken at the moment, told once when it breaks and once when it is back."""

import logging

from ..domain.errors import LtmError

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

_MAX_ERROR = 200


class Breaks:
    """The log of a loop that goes on whatever happens."""

    def __init__(self) -> None:
        self._broken: set[tuple[str, str]] = set()

    def note(self, what: str, error: Exception | None, *, of: str = "") -> None:
        """Log when a thing breaks and when it is back, and nothing in between.

        `of` tells several of a kind apart: that one is well says nothing of the others.
        """
        if error is not None and (what, of) not in self._broken:
            self._broken.add((what, of))
            logger.warning("%s failed and will be tried again: %s", what, told(error))
        elif error is None and (what, of) in self._broken:
            self._broken.remove((what, of))
            logger.info("%s goes on.", what)


def told(error: Exception) -> str:
    """Our own errors say what they may; of others only the kind, for their text may quote anybody."""
    return (
        f"{type(error).__name__}: {error}"[:_MAX_ERROR]
        if isinstance(error, LtmError)
        else type(error).__name__
    )
