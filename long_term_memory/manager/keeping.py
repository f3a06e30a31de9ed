"""What is in force already and cannot be kept for after a restart."""

from collections.abc import Generator
from contextlib import contextmanager

from ..domain.errors import UnavailableError

_ALL_BUT_KEPT = "it is in force, but the settings file cannot be written: it ends with the next restart"


@contextmanager
def told_when_not_kept() -> Generator[None]:
    """Raise UnavailableError that says so in place of what the settings file raises."""
    try:
        yield
    except OSError as error:
        raise UnavailableError(_ALL_BUT_KEPT) from error
