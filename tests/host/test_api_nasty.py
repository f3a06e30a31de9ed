"""What nobody should send: each route refuses it by name, and nothing of it is an error of the server's."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import pytest

from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.plugin_files import PLUGIN, REPOSITORY

DOCUMENT: Mapping[str, Any] = json.loads(
    (REPOSITORY / "dashboard_routes" / "openapi.json").read_text("utf-8")
)
ROUTES: Mapping[str, tuple[str, str, Mapping[str, Any]]] = {
    f"{method.upper()} {path}": (method, path.removeprefix(f"/{PLUGIN}/"), operation)
    for path, operations in DOCUMENT["paths"].items()
    for method, operation in operations.items()
}
type Sent = tuple[str, str, dict[str, Any]]
"""What a request is called, its address, and the rest of it."""

ANSWERS = {200, 404, 409, 413, 422}
JSON = {"content-type": "application/json"}
DEEP = 100_000

BODIES: Mapping[str, bytes] = {
    "nothing": b"",
    "null": b"null",
    "a list": b"[]",
    "an empty object": b"{}",
    "a text": b'"text"',
    "half an object": b'{"version": 1',
    "no UTF-8": b'{"text": "\xff\xfe"}',
    "UTF-16": '{"version": 1}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"version": 1}',
    "deep lists": b"[" * DEEP,
    "deep lists that end": b"[" * DEEP + b"]" * DEEP,
    "deep objects": b'{"write":' * DEEP,
    "a deep value": b'{"write": ' + b"[" * 5_000 + b"]" * 5_000 + b"}",
    "no number": b'{"version": NaN, "importance": Infinity}',
    "a number beyond all": b'{"version": 1e400, "importance": -1e400}',
    "a whole number beyond all": b'{"version": 1' + b"0" * 30 + b"}",
    "more digits than are read": b'{"version": ' + b"9" * 5_000 + b"}",
    "half a surrogate pair": b'{"account": "plat_a:\\ud800", "text": "\\udfff", "umo": "\\ud800"}',
    "half a pair as a key": b'{"\\ud800": 1}',
    "NUL": b'{"account": "plat_a:\\u0000", "umo": "plat_a:FriendMessage:\\u0000", "text": "\\u0000"}',
    "a key twice": b'{"version": 1, "version": "two", "account": "a", "account": 2}',
    "an unknown field": b'{"__proto__": {"x": 1}, "constructor": 1}',
    "two megabytes": b'{"text": "' + b"a" * (2 << 20) + b'"}',
}
FORMS: Mapping[str, tuple[bytes, Mapping[str, str]]] = {
    "no type": (b"{}", {}),
    "another type": (b"<a/>", {"content-type": "application/xml"}),
    "a type that is none": (b"{}", {"content-type": "\u00e4;;;=,"}),
    "a form": (b"version=1&version=2", {"content-type": "application/x-www-form-urlencoded"}),
    "parts without a boundary": (b"--x\r\n", {"content-type": "multipart/form-data"}),
    "an empty boundary": (b"--\r\n\r\n----", {"content-type": "multipart/form-data; boundary="}),
    "parts that never begin": (b"no part at all", {"content-type": "multipart/form-data; boundary=x"}),
    "a part that never ends": (
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
        {"content-type": "multipart/form-data; boundary=x"},
    ),
    "a part without a name": (
        b"--x\r\nContent-Disposition: form-data\r\n\r\nabc\r\n--x--\r\n",
        {"content-type": "multipart/form-data; boundary=x"},
    ),
    "a text in the file's place": (
        b'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n{}\r\n--x--\r\n',
        {"content-type": "multipart/form-data; boundary=x"},
    ),
    "two files of one name": (
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="../../a"\r\n\r\n{}\r\n' * 2
        + b"--x--\r\n",
        {"content-type": "multipart/form-data; boundary=x"},
    ),
    "thousands of parts": (
        b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n' * 3_000 + b"--x--\r\n",
        {"content-type": "multipart/form-data; boundary=x"},
    ),
}
FILES: Mapping[str, bytes] = {
    "no bytes": b"",
    "no JSON": b"{",
    "deep": b"[" * DEEP,
    "half a pair": b'{"manifest": {"format": "\\ud800"}}',
    "a number beyond all": b'{"manifest": {"format_version": 1e400}, "items": [1e400]}',
    "lists of nothing": b'{"manifest": null, "items": null, "events": 7, "links": {}}',
    "a broken archive": b"\x1f\x8b\x08\x00broken",
}
QUERIES = (
    *(
        f"page={page}"
        for page in ("0", "-1", "1.5", "1e2", "10" * 30, "%EF%BC%91", "NaN", "%00", "true", "0x1")
    ),
    *(f"page_size={size}" for size in ("0", "201", "9" * 400, "%2B1", "+1")),
    "page=1&page=2",
    "page=1000000&page_size=200",
    "%00=1",
    "%FF=%FF",
    "q=%ED%A0%80",
    "=",
    "&&&",
    "page[]=1",
    "__class__=1",
)
TEXTS = ("%00", "%FF", "%ED%A0%80", "%F0%9F%92%A5", "'%3B--", "%25", "a" * 8_000, "%0A", "-", "null", "true")
IDS = ("nothing", "%00", "%FF", "%ED%A0%80", "%F0%9F%92%A5", "a" * 4_000, "%27%3B--", "%25", "%0A", "null")
VALUES = (
    b"null",
    b"true",
    b"-1",
    b"0.5",
    b"1e400",
    b"1" + b"0" * 30,
    b'""',
    b'"\\u0000"',
    b'"\\ud800"',
    b'"' + b"a" * 100_000 + b'"',
    b"[]",
    b"[[]]",
    b"[null, 1, {}]",
    b"{}",
    b'{"": {"": []}}',
)


@pytest.fixture(scope="module")
def host(spare_host: Host) -> Iterator[Host]:
    """Some of it does what it says."""
    with spare_host.plugin.configured({}):
        person = Person("kim", "Kim")
        spare_host.say(person, "My name is Kim")
        spare_host.memories.wait_for(person, "User's name is Kim")
        yield spare_host


@pytest.mark.parametrize("label", ROUTES)
def test_what_cannot_be_used_is_refused_and_never_breaks_anything(host: Host, label: str) -> None:
    method, path, operation = ROUTES[label]
    answers = {
        name: host.dashboard.request(method, f"plugins/extensions/{PLUGIN}/{address}", **options)
        for name, address, options in _requests(path, operation)
    }
    host.plugin.post("readonly", json={"on": False})
    wrong = {name: answer.text[:200] for name, answer in answers.items() if not _is_answer(answer)}
    assert not wrong


def test_nothing_of_it_was_an_error_of_the_servers(host: Host) -> None:
    health = host.plugin.get("health").json()
    assert (health["state"], health["failures"]) == ("running", {})
    assert not re.findall(r"The route .* failed\.", host.log())


def _is_answer(answer: httpx.Response) -> bool:
    """One of those the document knows; an error says so in words, and what cannot be used is named."""
    status, body = answer.status_code, answer.json()
    if status not in ANSWERS:
        return False
    if status == 404 and "data" not in body:
        return body["status"] == "error"  # the host's own: it takes the address for none of ours
    if status in {413, 422}:
        return body["status"] == "error" and bool(body["data"]["field"])
    return status == 200 or (body["status"] == "error" and "field" in body["data"])


def _requests(path: str, operation: Mapping[str, Any]) -> Iterator[Sent]:
    good = re.sub(r"{\w+}", "nothing", path)
    for each in IDS if good != path else ():
        yield f"id {each[:20]}", re.sub(r"{\w+}", each, path), {}
    for query in _queries(operation):
        yield f"query {query[:40]}", f"{good}?{query}", {}
    content = operation.get("requestBody", {}).get("content", {})
    if "application/json" in content:
        for name, body in _bodies(content["application/json"]["schema"]):
            yield name, good, {"content": body, "headers": JSON}
    for name, (body, headers) in FORMS.items() if content else ():
        sent = {key: value.encode("latin-1") for key, value in headers.items()}
        yield name, good, {"content": body, "headers": sent}
    for name, body in FILES.items() if "multipart/form-data" in content else ():
        yield name, good, {"files": {"file": ("a.json", body)}}


def _queries(operation: Mapping[str, Any]) -> Iterator[str]:
    yield from QUERIES
    for parameter in operation["parameters"]:
        if parameter["in"] == "query":
            yield from (f"{parameter['name']}={text}" for text in TEXTS)


def _bodies(schema: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    yield from BODIES.items()
    for field in _fields(schema):
        for value in VALUES:
            yield f"{field} = {value[:20]!r}", b'{"%s": %s}' % (field.encode(), value)


def _fields(schema: Mapping[str, Any]) -> Iterator[str]:
    model = DOCUMENT["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    yield from model["properties"]
