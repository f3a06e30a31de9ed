"""What was sent, and which messages the host is done with."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any


@dataclass
class _Turn:
    began: float
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    first_reply_seconds: float | None = None
    seconds: float = 0.0
    sent: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


class Turns:
    """The turns since the host started, by the id of the message that began each."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self._turns: dict[str, _Turn] = {}

    def begin(self, message_id: str) -> None:
        """Note that a person has said something."""
        self._turns[message_id] = _Turn(time.monotonic())

    def record(
        self,
        *,
        platform: str,
        session: str,
        answers: str | None,
        text: str,
        pieces: int = 1,
        files: Sequence[Mapping[str, str]] = (),
    ) -> None:
        """Note that the bot has sent something."""
        message = {
            "number": len(self.sent),
            "platform": platform,
            "session": session,
            "answers": answers,
            "text": text,
            "pieces": pieces,
            "files": list(files),
        }
        self.sent.append(message)
        turn = self._turns.get(answers or "")
        if turn is not None:
            turn.sent.append(message)
            self.first_sign(answers or "")

    def first_sign(self, message_id: str) -> None:
        """Note that the first of a reply has reached the person."""
        turn = self._turns[message_id]
        if turn.first_reply_seconds is None:
            turn.first_reply_seconds = time.monotonic() - turn.began

    def end(self, message_id: str) -> None:
        """Note that the host is done with a message."""
        turn = self._turns[message_id]
        turn.seconds = time.monotonic() - turn.began
        turn.ended.set()

    async def wait(self, message_id: str, seconds: float) -> None:
        """Wait until a turn has ended, at most some seconds."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._turns[message_id].ended.wait(), seconds)

    def finished(self, message_id: str) -> dict[str, Any] | None:
        """Describe a turn that has ended; None while it goes on."""
        turn = self._turns[message_id]
        if not turn.ended.is_set():
            return None
        return {
            "message_id": message_id,
            "sent": turn.sent,
            "first_reply_seconds": turn.first_reply_seconds,
            "seconds": turn.seconds,
        }

    def forget(self, seconds: float) -> None:
        """Forget what was sent, and the turns that began longer ago and have ended."""
        self.sent.clear()
        before = time.monotonic() - seconds
        self._turns = {
            key: turn for key, turn in self._turns.items() if turn.began > before or not turn.ended.is_set()
        }


turns = Turns()
