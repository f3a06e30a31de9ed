"""What could not be done in the end while nothing is written."""

from ..domain.errors import RefusedError
from ..manager import LTMManager


def refuse_while_read_only(manager: LTMManager) -> None:
    """Raise RefusedError while read-only: nobody is asked for a code that could not be used."""
    if manager.switches.read_only:
        raise RefusedError("emergency_read_only")
