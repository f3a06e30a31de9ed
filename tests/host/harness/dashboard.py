"""The dashboard's HTTP API, logged in."""

import json
from collections.abc import Iterator
from typing import Any, cast

import httpx

from .settings import PASSWORD, USERNAME


class DashboardError(RuntimeError):
    """The dashboard refused, or answered with an error."""


def data(response: httpx.Response) -> Any:
    """Return the `data` of a good answer.

    Raises:
        DashboardError: the HTTP status or the `status` in the body is not a good one.
    """
    body: Any = response.json() if "json" in response.headers.get("content-type", "") else response.text
    if not response.is_success or not isinstance(body, dict):
        message = f"HTTP {response.status_code}: {body}"
        raise DashboardError(message)
    fields = cast("dict[str, Any]", body)
    if fields.get("status", "ok") != "ok":
        raise DashboardError(str(fields.get("message")))
    return fields.get("data", fields)


class Dashboard:
    """Requests below `/api/v1/`; a path that begins with a slash is taken as it is."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.token = ""
        self._client = httpx.Client(base_url=self.url, timeout=60.0, trust_env=False)

    def login(self) -> None:
        """Log in as the dashboard's user.

        Raises:
            DashboardError: the password is another one by now.
        """
        credentials = {"username": USERNAME, "password": PASSWORD}
        self.token = data(self._client.post("/api/auth/login", json=credentials))["token"]
        self._client.headers["Authorization"] = f"Bearer {self.token}"

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Send a request; the options are httpx's (`json`, `params`, `files`, `headers`)."""
        return self._client.request(method, _absolute(path), **options)

    def get(self, path: str, **options: Any) -> httpx.Response:
        """Send a GET."""
        return self.request("GET", path, **options)

    def post(self, path: str, **options: Any) -> httpx.Response:
        """Send a POST."""
        return self.request("POST", path, **options)

    def put(self, path: str, **options: Any) -> httpx.Response:
        """Send a PUT."""
        return self.request("PUT", path, **options)

    def patch(self, path: str, **options: Any) -> httpx.Response:
        """Send a PATCH."""
        return self.request("PATCH", path, **options)

    def delete(self, path: str, **options: Any) -> httpx.Response:
        """Send a DELETE."""
        return self.request("DELETE", path, **options)

    def events(self, path: str, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Post a body and yield the server-sent events of the answer."""
        with self._client.stream("POST", _absolute(path), json=body) as response:
            for line in response.iter_lines():
                if line.startswith("data: "):
                    yield json.loads(line.removeprefix("data: "))


def _absolute(path: str) -> str:
    return path if path.startswith("/") else f"/api/v1/{path}"
