"""Agents that run elsewhere, Dify's and Coze's, on loopback: they echo, and record what they were asked."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Self

from aiohttp import web

from .server import LoopbackServer


class ThirdParty:
    """Both services at one address."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        """The bodies of the requests, oldest first."""
        self.fails = False
        """Whether the next answers are errors."""
        application = web.Application()
        application.router.add_post("/chat-messages", self._dify)
        application.router.add_post("/v3/chat", self._coze)
        self._server = LoopbackServer(application)

    def __enter__(self) -> Self:
        """Serve until the block ends."""
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop serving."""
        self._server.close()

    def runner(self, kind: str) -> Mapping[str, Any]:
        """The host's settings under which one of them answers: `dify` or `coze`."""
        base = f"http://127.0.0.1:{self._server.port}"
        configs = {
            "dify": {"dify_api_type": "chat", "dify_api_key": "none", "dify_api_base": base},
            "coze": {"coze_api_key": "none", "bot_id": "1", "coze_api_base": base},
        }
        return {"agent_runner": {"runner_type": kind, "config": configs[kind]}}

    async def _dify(self, http: web.Request) -> web.StreamResponse:
        body = await self._taken(http)
        words = f"You said: {body['query']}".split(" ")
        pieces = [{"event": "message", "answer": f"{word} ", "conversation_id": "d1"} for word in words]
        pieces[-1]["answer"] = words[-1]
        return await self._stream(http, [f"data: {json.dumps(each)}\n\n" for each in (*pieces, _DIFY_END)])

    async def _coze(self, http: web.Request) -> web.StreamResponse:
        body = await self._taken(http)
        words = f"You said: {body['additional_messages'][-1]['content']}".split(" ")
        pieces = [f"{word} " for word in words[:-1]] + words[-1:]
        events = [
            ("conversation.chat.created", {"conversation_id": "c1"}),
            *(("conversation.message.delta", {"content": piece}) for piece in pieces),
            ("conversation.chat.completed", {"conversation_id": "c1"}),
        ]
        return await self._stream(http, [f"event: {name}\ndata: {json.dumps(d)}\n\n" for name, d in events])

    async def _taken(self, http: web.Request) -> dict[str, Any]:
        body: dict[str, Any] = await http.json()
        self.asked.append(body)
        if self.fails:
            raise web.HTTPInternalServerError
        return body

    @staticmethod
    async def _stream(http: web.Request, events: Sequence[str]) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(http)
        for event in events:
            await response.write(event.encode())
        await response.write_eof()
        return response


_DIFY_END = {"event": "message_end", "conversation_id": "d1"}
