"""What an error of a provider's client says: what happened, and whether it may have cost something."""

from datetime import UTC, datetime

import pytest
from astrbot_plugin_ltm.long_term_memory.host.provider_errors import cost_nothing, in_words

NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)


class APIConnectionError(Exception):
    """As the client libraries call it."""


class APITimeoutError(APIConnectionError):
    """A timeout of theirs is an error of the connection, too."""


class APIStatusError(Exception):
    """An answer that is an error."""

    def __init__(self, status_code: object) -> None:
        super().__init__("secret")
        self.status_code = status_code


class ServerError(Exception):
    """The same by another library."""

    def __init__(self, code: object) -> None:
        super().__init__("secret")
        self.code = code


def raised(error: Exception, *because: BaseException) -> Exception:
    """The error with what led to it."""
    last: BaseException = error
    for each in because:
        last.__cause__ = last = each
    return error


UNREACHED = "cannot be reached (APIConnectionError)"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (raised(APIConnectionError(), ConnectionRefusedError()), UNREACHED),
        (raised(APIConnectionError(), ValueError(), ConnectionResetError()), UNREACHED),
        (ConnectionResetError("secret"), "cannot be reached (ConnectionResetError)"),
        (APIStatusError(401), "answers with HTTP 401 (APIStatusError)"),
        (APIStatusError(503), "answers with HTTP 503 (APIStatusError)"),
        (ServerError(429), "answers with HTTP 429 (ServerError)"),
    ],
)
def test_a_question_that_was_turned_away_or_did_not_arrive_has_cost_nothing(
    error: Exception, words: str
) -> None:
    assert cost_nothing(error)
    assert in_words(error) == words


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (TimeoutError(), "does not answer in time (TimeoutError)"),
        (APITimeoutError(), "does not answer in time (APITimeoutError)"),
        (raised(APIConnectionError(), TimeoutError()), "does not answer in time (APIConnectionError)"),
        (
            raised(APIConnectionError(), ConnectionResetError(), TimeoutError()),
            "does not answer in time (APIConnectionError)",
        ),
        (APIStatusError(504), "does not answer in time (APIStatusError)"),
        (APIConnectionError(), "failed (APIConnectionError)"),
        (ServerError("invalid_api_key"), "failed (ServerError)"),
        (APIStatusError(200), "failed (APIStatusError)"),
        (ValueError("secret"), "failed (ValueError)"),
    ],
)
def test_what_the_provider_may_have_worked_on_may_have_cost_something(error: Exception, words: str) -> None:
    assert not cost_nothing(error)
    assert in_words(error) == words


def test_errors_that_led_to_each_other_are_not_followed_for_ever() -> None:
    one, other = ValueError(), KeyError()
    one.__cause__, other.__cause__ = other, one
    assert not cost_nothing(one)
