"""The plugin's API as the page sees it: answered in the browser, or by a host."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from playwright.sync_api import Page, Route

from tests.host.harness.dashboard import Dashboard
from tests.host.harness.plugin_files import PLUGIN

BASE = f"/api/v1/plugins/extensions/{PLUGIN}/"
AT = "2026-11-20T09:30:00+00:00"

type Params = Mapping[str, str]
type Answer = Callable[[str, Params, Any], Any]
"""Given the path below the plugin's name, the query and the body of a POST; returns the JSON."""


class RefusedByFakeError(Exception):
    """What an answer raises to be refused: the status and the message, which may begin with a field."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def item(number: int = 1, **other: Any) -> dict[str, Any]:
    """One memory as the API gives it."""
    return {
        "memory_id": f"{number:08d}-0000-4000-8000-000000000000",
        "scope": "user",
        "scope_id": "plat_a:kim",
        "type": "profile",
        "fact": f"Fact number {number}",
        "fact_key": f"fact number {number}",
        "confidence": 0.9,
        "importance": 0.5,
        "evidence_count": 1,
        "ttl_days": None,
        "status": "active",
        "reason": "",
        "level": "INTERNAL",
        "audience": "chat",
        "origin": "llm_extract",
        "origin_umo": "plat_a:FriendMessage:kim",
        "person": "",
        "teller": "",
        "relationship": "",
        "backstory": "",
        "slot": "",
        "superseded_by": None,
        "supersedes": [],
        "tags": [],
        "emotion": 0.0,
        "persona_id": "",
        "access_count": 0,
        "created_at": AT,
        "updated_at": AT,
        "last_confirmed_at": AT,
        "last_accessed_at": None,
        "expires_at": None,
        "deleted_at": None,
        **other,
    }


def evidence(quote: str = "I said so", **other: Any) -> dict[str, Any]:
    """One piece of evidence as the API gives it."""
    return {
        "evidence_id": "e1",
        "event_id": "v1",
        "quote": quote,
        "before": "",
        "after": "",
        "extraction_method": "llm_extract",
        "extraction_meta": {},
        "created_at": AT,
        "role": "user",
        "sender_id": "kim",
        "sender_name": "Kim",
        "said_at": AT,
        "umo": "plat_a:FriendMessage:kim",
        **other,
    }


def explained(of: Mapping[str, Any], **other: Any) -> dict[str, Any]:
    """One memory with all that belongs to it."""
    return {
        "item": dict(of),
        "evidence": [evidence()],
        "older": [],
        "audience": {
            "chats": [of["origin_umo"]],
            "everywhere": of["audience"] == "everywhere",
            "scope": of["scope"],
            "level": of["level"],
        },
        "audit": [],
        "replaces": [],
        "otherwise": [],
        **other,
    }


def page_of(name: str, total: int, row: Callable[[int], Any]) -> Answer:
    """A list of any length, of which only the rows of the asked page are made."""

    def answer(path: str, params: Params, body: Any) -> Any:  # noqa: ARG001  same shape for all
        page, size = int(params.get("page", 1)), int(params.get("page_size", 50))
        first = (page - 1) * size
        rows = [row(number + 1) for number in range(first, min(total, first + size))]
        return {name: rows, "total": total, "page": page, "page_size": size}

    return answer


HEALTH: Mapping[str, Any] = {
    "state": "running",
    "version": "0.1.0",
    "problems": [],
    "failures": {},
    "notes": [],
    "mode": "auto",
    "read_only": False,
    "chat_provider": True,
    "embedding_model": "embedder",
    "embedding_error": "",
    "embedded": 3,
    "embeddable": 3,
    "not_embeddable": 0,
    "events": {},
    "items": {"active": 3},
    "waiting": 0,
    "waiting_reasons": {},
    "waiting_expire_soon": 0,
    "paused_people": 0,
    "paused_groups": 0,
    "tokens_today": 0,
    "token_cap": 0,
    "calls_today": 0,
    "passed_over": 0,
    "last_error": "",
    "last_error_at": None,
    "memory_plugins": [],
    "recall_log": True,
    "recalls": 0,
    "recalls_empty": 0,
    "late_writes": 0,
    "background_jobs": 1,
}


WRITE: Mapping[str, Any] = {
    "mode": "auto",
    "min_confidence": 0.5,
    "min_evidence_count": 1,
    "allowed_types": [],
    "max_writes_per_session": 1,
    "max_writes_per_hour": 1,
    "max_items_per_scope": 1,
    "require_approval_types": [],
}
READ: Mapping[str, Any] = {
    "enable": True,
    "max_items": 30,
    "max_tokens": 800,
    "max_per_type": 5,
    "min_confidence": 0.5,
    "similarity_weight": 0.5,
    "importance_weight": 0.2,
    "recency_weight": 0.3,
}


@dataclass
class FakeApi:
    """Answers by "METHOD path", where `*` stands for any part; a later entry goes before an earlier one."""

    answers: dict[str, Any] = field(default_factory=dict[str, Any])
    asked: list[tuple[str, str, dict[str, str], Any]] = field(
        default_factory=list[tuple[str, str, dict[str, str], Any]]
    )
    """Method, path, query and body of every request, in order."""

    def __post_init__(self) -> None:
        self.answers = {"GET health": HEALTH, "GET decisions": {"decisions": []}} | self.answers

    def serve(self, tab: Page) -> None:
        """Answer every request to the plugin that is made by this tab."""
        tab.route(f"**{BASE}**", self._answer)

    def posted(self, path: str) -> list[Any]:
        """The bodies that were posted there."""
        return [body for method, to, _, body in self.asked if method == "POST" and fnmatch(to, path)]

    def _answer(self, route: Route) -> None:
        request = route.request
        address = urlsplit(request.url)
        path = unquote(address.path.removeprefix(BASE))
        params = dict(parse_qsl(address.query))
        body = _json(request.post_data)
        self.asked.append((request.method, path, params, body))
        try:
            found = self._found(f"{request.method} {path}")
            answer = found(path, params, body) if callable(found) else found
        except RefusedByFakeError as refused:
            told = {"status": "error", "message": refused.message, "data": {"field": None}}
            route.fulfill(status=refused.status, json=told)
        else:
            route.fulfill(json=answer)

    def _found(self, asked: str) -> Any:
        for pattern, answer in reversed(self.answers.items()):
            if fnmatch(asked, pattern):
                return answer
        raise RefusedByFakeError(404, f"nothing is known of {asked}")


@dataclass
class RealApi:
    """A host's API for a page that stands on the stage."""

    dashboard: Dashboard

    def serve(self, tab: Page) -> None:
        """Pass on every request to the plugin that is made by this tab."""
        tab.route(f"**{BASE}**", self._pass_on)

    def _pass_on(self, route: Route) -> None:
        asked = urlsplit(route.request.url)
        headers = {**route.request.headers, "authorization": f"Bearer {self.dashboard.token}"}
        url = asked._replace(netloc=urlsplit(self.dashboard.url).netloc).geturl()
        route.fulfill(response=route.fetch(url=url, headers=headers))


def _json(text: str | None) -> Any:
    try:
        return json.loads(text) if text else None
    except ValueError:
        return None
