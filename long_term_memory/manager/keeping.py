"""What is in force already and cannot be kept for after a restart."""

from collections.abc import Generator
from contextlib import contextmanager

from ..domain.errors import UnavailableError

_ALL_BUT_KEPT = "it is in force, but the settings file cannot be written: it ends with the next restart"


class NotKeptError(UnavailableError):
    """It is in force until the next restart."""


@contextmanager
def told_when_not_kept() -> Generator[None]:
    """Raise NotKeptError in place of what the settings file raises."""
    try:
        yield
    except OSError as error:
        raise NotKeptError(_ALL_BUT_KEPT) from error
