"""An OpenAI-compatible server on loopback that says what it is told to and records what it was asked."""

import asyncio
import base64
import itertools
import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

from aiohttp import web

from tests.verifying import all_said

from . import wire
from .answers import CallTool, Fail, Garbage, Hang, Hold, Say
from .recorded import RecordedRequest
from .script import Responder, Script
from .server import LoopbackServer
from .vectors import VectorSpace

EXTRACTION_MARKER = "Given this conversation segment, extract any long-term facts worth remembering."
VERIFICATION_MARKER = "Give a verdict for each fact"
TITLE_MARKER = "You are a conversation title generator."

type Predicate = Callable[[RecordedRequest], bool]


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """Where a model is reached."""

    base_url: str
    model: str
    api_key: str = "none"


class ScriptedModel:
    """Answers chat, extraction, verification, title and embedding requests, each from a script of its own.

    Which script a chat completion belongs to is decided by predicates, the latest added first; what none
    claims is `chat`, which echoes. The server lives in a thread, so tests may be synchronous.
    """

    def __init__(self, model: str = "scripted-model") -> None:
        self.vectors = VectorSpace()
        self.chat = Script(lambda request: f"You said: {request.user}")
        self.embeddings = Script(lambda _: Say("vectors"))
        self._model = model
        self._claims: list[tuple[str, Predicate, Script]] = []
        self.title = self.script("title", lambda request: TITLE_MARKER in request.system, lambda _: "<None>")
        self.extraction = self.script("extraction", lambda request: EXTRACTION_MARKER in request.prompt)
        self.verification = self.script(
            "verification",
            lambda request: VERIFICATION_MARKER in request.prompt,
            lambda request: all_said(request.prompt),
        )
        self._requests: list[RecordedRequest] = []
        self._numbers = itertools.count(1)
        self._server = LoopbackServer(self._application())

    def __enter__(self) -> Self:
        """Serve until the block ends."""
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop serving."""
        self.close()

    def start(self) -> None:
        """Serve on a free loopback port."""
        self._server.start()

    def close(self) -> None:
        """Stop serving and drop the requests still held."""
        self._server.close()

    @property
    def endpoint(self) -> Endpoint:
        """Where the model is reached, once started."""
        return Endpoint(base_url=f"http://127.0.0.1:{self._server.port}/v1", model=self._model)

    def script(self, kind: str, when: Predicate, fallback: Responder = lambda _: "[]") -> Script:
        """Give the chat completions that the predicate claims a kind and a script of their own."""
        script = Script(fallback)
        self._claims.insert(0, (kind, when, script))
        return script

    def forget(self) -> None:
        """Forget what was asked."""
        self._requests.clear()

    def reset(self) -> None:
        """Forget what was asked and every answer that was set."""
        self.forget()
        for script in (self.chat, self.embeddings, *(script for _, _, script in self._claims)):
            script.reset()

    def requests(self, kind: str) -> list[RecordedRequest]:
        """Return the requests of one kind, oldest first."""
        return [request for request in list(self._requests) if request.kind == kind]

    @property
    def chat_requests(self) -> list[RecordedRequest]:
        """The requests of the conversation itself: no titles, no extractions."""
        return self.requests("chat")

    @property
    def extraction_requests(self) -> list[RecordedRequest]:
        """The requests to extract memories."""
        return self.requests("extraction")

    @property
    def embedding_requests(self) -> list[RecordedRequest]:
        """The requests for embeddings."""
        return self.requests("embedding")

    @property
    def embedded(self) -> list[str]:
        """Every text whose embedding was asked for."""
        return [text for request in self.embedding_requests for text in request.embedded]

    def _application(self) -> web.Application:
        application = web.Application(client_max_size=64 * 1024 * 1024)
        application.router.add_get("/v1/models", self._models)
        application.router.add_post("/v1/embeddings", self._embed)
        application.router.add_post("/v1/chat/completions", self._complete)
        return application

    def _record(self, kind: str, body: dict[str, Any]) -> RecordedRequest:
        request = RecordedRequest(kind=kind, body=body, received_at=time.monotonic())
        self._requests.append(request)
        return request

    async def _models(self, _: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [{"id": self._model, "object": "model"}]})

    async def _embed(self, http: web.Request) -> web.Response:
        request = self._record("embedding", await http.json())
        answer = await _spoken(self.embeddings.answer(request))
        if isinstance(answer, web.Response):
            return answer
        packed = request.body.get("encoding_format") == "base64"
        data = [
            {"object": "embedding", "index": at, "embedding": _pack(vector) if packed else vector}
            for at, vector in enumerate(map(self.vectors.vector, request.embedded))
        ]
        used = sum(map(wire.tokens, request.embedded))
        usage = {"prompt_tokens": used, "total_tokens": used}
        return web.json_response({"object": "list", "data": data, "model": self._model, "usage": usage})

    async def _complete(self, http: web.Request) -> web.StreamResponse:
        body: dict[str, Any] = await http.json()
        kind, script = self._claimed(RecordedRequest(kind="", body=body, received_at=0.0))
        request = self._record(kind, body)
        answer = await _spoken(script.answer(request))
        if isinstance(answer, web.Response):
            return answer
        number = next(self._numbers)
        if not body.get("stream"):
            reply = wire.completion(answer, model=self._model, prompt=request.prompt, number=number)
            return web.json_response(reply)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(http)
        for event in wire.chunks(answer, model=self._model, prompt=request.prompt, number=number):
            await response.write(event.encode())
        await response.write_eof()
        return response

    def _claimed(self, request: RecordedRequest) -> tuple[str, Script]:
        for kind, claims, script in self._claims:
            if claims(request):
                return kind, script
        return "chat", self.chat


async def _spoken(answer: Say | CallTool | Fail | Garbage | Hang | Hold) -> Say | CallTool | web.Response:
    """Wait as long as the answer asks for; what is no speech becomes the response itself."""
    while True:
        match answer:
            case Hang(seconds, then):
                await asyncio.sleep(seconds)
                answer = then
            case Hold(release, then, max_seconds):
                deadline = time.monotonic() + max_seconds
                while not release.is_set() and time.monotonic() < deadline:
                    await asyncio.sleep(0.01)
                answer = then
            case Fail(status, message):
                error = {"message": message, "type": "server_error", "code": None}
                return web.json_response({"error": error}, status=status)
            case Garbage(body):
                return web.Response(text=body, content_type="text/html")
            case Say() | CallTool():
                return answer


def _pack(vector: list[float]) -> str:
    return base64.b64encode(array("f", vector).tobytes()).decode()
