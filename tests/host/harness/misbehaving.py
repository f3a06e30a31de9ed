"""What a provider does wrong to one request."""

import asyncio
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any

from . import wire
from .answers import Say
from .failing import Exchange, Misbehaviour

HUGE = 100_000_000
"""Bytes of the largest answer."""
MANY = b'{"error":{"message":"too many","type":"requests","code":"rate_limit_exceeded"}}'


def fails(status: str, body: bytes = b"{}", **headers: str) -> Misbehaviour:
    """Answers with this status."""

    async def does(exchange: Exchange) -> None:
        await exchange.answer(body, status, Connection="close", **headers)

    return does


def answers(body: bytes, **headers: str) -> Misbehaviour:
    """Answers with status 200 and this body."""
    return fails("200 OK", body, **headers)


def turns(change: Callable[[bytes], bytes], **headers: str) -> Misbehaviour:
    """Turns the right answer into another one."""

    async def does(exchange: Exchange) -> None:
        await exchange.answer(change(exchange.right), Connection="close", **headers)

    return does


def says(content: Any, **choice: Any) -> Misbehaviour:
    """A chat model that answers with this content."""

    def change(right: bytes) -> bytes:
        answer: dict[str, Any] = json.loads(right)
        answer["choices"][0]["message"]["content"] = content
        answer["choices"][0] |= choice
        return json.dumps(answer).encode()

    return turns(change)


def spends(**usage: Any) -> Misbehaviour:
    """A chat model that tells nonsense about its cost."""

    def change(right: bytes) -> bytes:
        return json.dumps({**json.loads(right), "usage": usage}).encode()

    return turns(change)


def embeds(change: Callable[[Sequence[list[float]]], Sequence[Any]]) -> Misbehaviour:
    """An embedding model that gives other vectors."""

    def changed(right: bytes) -> bytes:
        answer: dict[str, Any] = json.loads(right)
        vectors = change([each["embedding"] for each in answer["data"]])
        data = [{"object": "embedding", "index": at, "embedding": each} for at, each in enumerate(vectors)]
        return json.dumps({**answer, "data": data}).encode()

    return turns(changed)


async def breaks_the_line(exchange: Exchange) -> None:
    """Resets before a byte is sent."""
    exchange.reset()


async def breaks_off(exchange: Exchange) -> None:
    """Resets in the middle of the answer."""
    await exchange.head(len(exchange.right))
    await exchange.send(exchange.right[: len(exchange.right) // 2])
    await asyncio.sleep(0.01)
    exchange.reset()


async def hangs_up(exchange: Exchange) -> None:
    """Closes without a word."""
    exchange.writer.close()


async def ends_early(exchange: Exchange) -> None:
    """Promises more bytes than come."""
    await exchange.head(2 * len(exchange.right))
    await exchange.send(exchange.right)


async def talks_nonsense(exchange: Exchange) -> None:
    """Answers what is no HTTP."""
    await exchange.send(b"\x15\x03\x01\x00\x02\x02\x50\xff\xfe" * 40)


async def is_silent(exchange: Exchange) -> None:
    """Hangs before the first byte."""
    await exchange.hang()


async def falls_silent(exchange: Exchange) -> None:
    """Hangs after the head."""
    await exchange.head(len(exchange.right))
    await exchange.hang()


async def stops_halfway(exchange: Exchange) -> None:
    """Hangs in the middle of the body."""
    await exchange.head(len(exchange.right))
    await exchange.send(exchange.right[: len(exchange.right) // 2])
    await exchange.hang()


async def drips(exchange: Exchange) -> None:
    """Sends a byte now and then: no read ever takes long, and the answer is not there for hours."""
    await exchange.head(HUGE)
    while not exchange.writer.is_closing():
        await exchange.send(b" ")
        await asyncio.sleep(0.05)


async def goes_in_circles(exchange: Exchange) -> None:
    """Redirects to itself for ever."""
    await exchange.answer(b"", "307 Temporary Redirect", Location=exchange.path, Connection="close")


async def dates_its_pause(exchange: Exchange) -> None:
    """Wants to be left alone until an instant that no clock here has reached."""
    until = format_datetime(datetime(2100, 1, 1, tzinfo=UTC), usegmt=True)
    await exchange.answer(MANY, "429 Too Many Requests", Retry_After=until, Connection="close")


async def floods(exchange: Exchange) -> None:
    """Sends the head of an answer, and lines of it without end."""
    await exchange.send(b"HTTP/1.1 200 OK\r\n")
    for number in range(5_000):
        await exchange.send(b"X-Header-%d: %s\r\n" % (number, b"x" * 100))


def chat(content: str) -> bytes:
    """The JSON of a chat model's answer."""
    return json.dumps(wire.completion(Say(content), model="m", prompt="", number=1)).encode()


def stream() -> bytes:
    """An answer in pieces that nobody asked for."""
    return "".join(wire.chunks(Say("[]"), model="m", prompt="", number=1)).encode()
