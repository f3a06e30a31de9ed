"""What the model is to answer to one kind of request."""

from collections import deque
from collections.abc import Callable

from .answers import Answer, Answerable, answer_of
from .recorded import RecordedRequest

type Responder = Callable[[RecordedRequest], Answerable]


class Script:
    """A queue of answers, and what is said when the queue is empty.

    Tests write it from their own thread while the model's thread reads it.
    """

    def __init__(self, fallback: Responder) -> None:
        self._fallback = fallback
        self._otherwise = fallback
        self._queue: deque[Answerable] = deque()

    def will_answer(self, *answers: Answerable) -> None:
        """Queue answers, one for each of the next requests."""
        self._queue.extend(answers)

    def always(self, answer: Answerable | Responder) -> None:
        """Answer so whenever the queue is empty; a function is given the request."""
        self._otherwise = answer if callable(answer) else _constantly(answer)

    def reset(self) -> None:
        """Forget the queue and what was set with `always`."""
        self._queue.clear()
        self._otherwise = self._fallback

    def answer(self, request: RecordedRequest) -> Answer:
        """Take the answer to this request."""
        try:
            return answer_of(self._queue.popleft())
        except IndexError:
            return answer_of(self._otherwise(request))


def _constantly(answer: Answerable) -> Responder:
    def respond(_: RecordedRequest) -> Answerable:
        return answer

    return respond
