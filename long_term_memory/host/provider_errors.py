"""What an error of a provider's client says, whichever library raised it.

Never its text: that may quote anybody.
"""

from collections.abc import Iterator
from http import HTTPStatus

_TIMEOUTS = frozenset({HTTPStatus.REQUEST_TIMEOUT, 499, HTTPStatus.GATEWAY_TIMEOUT, 524})
"""Answers of somebody in between who has stopped waiting for the provider."""
_LONGEST_CHAIN = 20


def in_words(error: Exception) -> str:
    """What happened, and the error's kind."""
    status, kind = _status(error), type(error).__name__
    if _is_timeout(error):
        return f"does not answer in time ({kind})"
    if status:
        return f"answers with HTTP {status} ({kind})"
    return f"{'cannot be reached' if _is_connection(error) else 'failed'} ({kind})"


def cost_nothing(error: Exception) -> bool:
    """Whether the provider surely did not work on the question: it was not reached, or turned it away.

    One that was not heard of in time, or whose answer is of no use, may have.
    """
    return not _is_timeout(error) and (_status(error) > 0 or _is_connection(error))


def _is_timeout(error: Exception) -> bool:
    return _status(error) in _TIMEOUTS or any(
        isinstance(each, TimeoutError) or "Timeout" in type(each).__name__ for each in _chain(error)
    )


def _is_connection(error: Exception) -> bool:
    """Whether the system had no connection: refused, reset, or no address for the name."""
    return any(isinstance(each, OSError) for each in _chain(error))


def _status(error: Exception) -> int:
    """The HTTP status that it was answered with, if that is an error; each library names it otherwise."""
    for name in ("status_code", "status", "code"):
        status: object = getattr(error, name, None)
        if isinstance(status, int) and HTTPStatus.BAD_REQUEST <= status < 600:
            return int(status)
    return 0


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error and what led to it."""
    each: BaseException | None = error
    for _ in range(_LONGEST_CHAIN):
        if each is None:
            return
        yield each
        each = each.__cause__ or each.__context__
