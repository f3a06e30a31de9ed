"""A provider on loopback that can do wrong whatever can be done wrong, below the level of HTTP too.

It speaks as much HTTP as the clients of providers need. What it does to a request is one function, which
tests change while it runs; without one it answers rightly.
"""

import asyncio
import json
import socket
import struct
import threading
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

_LINGER = struct.pack("ii", 1, 0)
"""As an option of a socket: what is not sent yet is dropped, and the other side is told so at once."""


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """One request, and the line to whoever sent it."""

    path: str
    body: dict[str, Any]
    right: bytes
    """The JSON of the right answer."""
    writer: asyncio.StreamWriter
    hang: Callable[[], Awaitable[None]]
    """Say nothing until the server is told to let go; then the line is dead."""

    async def send(self, raw: bytes) -> None:
        """Send bytes as they are."""
        self.writer.write(raw)
        await self.writer.drain()

    async def head(self, length: int, status: str = "200 OK", **headers: str) -> None:
        """Send the head of an answer; an underscore in the name of a header stands for a hyphen."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        fields = {"Content-Type": "application/json", "Content-Length": str(length), **named}
        lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in fields.items())]
        await self.send("\r\n".join([*lines, "", ""]).encode("latin-1"))

    async def answer(self, body: bytes, status: str = "200 OK", **headers: str) -> None:
        """Send a whole answer."""
        await self.head(len(body), status, **headers)
        await self.send(body)

    def reset(self) -> None:
        """Break the line as a crash does."""
        self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER)
        self.writer.transport.abort()


type Misbehaviour = Callable[[Exchange], Awaitable[None]]
type Well = Callable[[str, dict[str, Any]], Mapping[str, Any]]
"""The right answer to a path and a body."""


class FailingServer:
    """Serves in a thread, so that tests may be synchronous; each request is answered as `does` says then."""

    def __init__(self, well: Well) -> None:
        self.does: Misbehaviour | None = None
        self.port = 0
        self.asked = 0
        """Requests so far, repeated ones counted each time."""
        self.held = 0
        """Requests that wait for an answer which does not come."""
        self._well = well
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="failing-server", daemon=True)
        self._server: asyncio.Server | None = None
        self._lines = set[asyncio.StreamWriter]()
        self._let_go = asyncio.Event()

    def __enter__(self) -> Self:
        """Serve until the block ends."""
        self._thread.start()
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop serving."""
        self.recover()
        self.shut()
        self._do(_end_the_others())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)
        self._loop.close()

    @property
    def url(self) -> str:
        """Where it is reached."""
        return f"http://127.0.0.1:{self.port}/v1"

    def open(self) -> None:
        """Listen: at first on a free port, later on the same."""
        self._do(self._open())

    def shut(self) -> None:
        """Listen no more, and break all lines: whoever comes is refused."""
        self._do(self._shut())

    def misbehave(self, does: Misbehaviour) -> None:
        """Answer like this from now on."""
        self.does = does

    def recover(self) -> None:
        """Answer rightly from now on; whoever waits finds the line dead."""
        self.does = None
        self._loop.call_soon_threadsafe(self._let_go.set)

    def _do(self, what: Awaitable[None]) -> None:
        async def done() -> None:
            await what

        asyncio.run_coroutine_threadsafe(done(), self._loop).result(timeout=10)

    async def _open(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port, limit=2**24)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _shut(self) -> None:
        if self._server is not None:
            self._server.close()
            for line in self._lines:
                line.transport.abort()
            await self._server.wait_closed()
        self._server = None

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._lines.add(writer)
        with suppress(OSError, EOFError):
            while await self._one(reader, writer):
                pass
        writer.transport.abort() if writer.is_closing() else writer.close()
        self._lines.discard(writer)

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; whether another may come on this line."""
        head = await reader.readuntil(b"\n")
        if not head.startswith((b"POST ", b"GET ")):
            # No HTTP, as the greeting of TLS is none. Nothing will be understood on either side.
            self.asked += 1
            writer.write(b"\x00I do not understand\r\n\r\n" * 4)
            return False
        path, headers = head.split()[1].decode(), await reader.readuntil(b"\r\n\r\n")
        length = next(
            (int(line[15:]) for line in headers.lower().splitlines() if line.startswith(b"content-length:")),
            0,
        )
        body: dict[str, Any] = json.loads(await reader.readexactly(length) or b"{}")
        self.asked += 1
        does = self.does or _rightly
        right = json.dumps(self._well(path, body)).encode()
        await does(Exchange(path=path, body=body, right=right, writer=writer, hang=self._hang))
        # What was sent wrongly leaves nothing that a next request could be told by.
        return does is _rightly and not writer.is_closing()

    async def _hang(self) -> None:
        self._let_go.clear()
        self.held += 1
        try:
            await self._let_go.wait()
        finally:
            self.held -= 1


async def _rightly(exchange: Exchange) -> None:
    await exchange.answer(exchange.right)


async def _end_the_others() -> None:
    """End what still answers somebody: a loop that is closed over it complains later, in another test."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
