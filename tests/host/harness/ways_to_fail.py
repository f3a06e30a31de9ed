"""The ways in which a provider fails, by name: of any provider, of one that chats, of one that embeds."""

import gzip
import json
from collections.abc import Mapping

from .failing import Misbehaviour
from .misbehaving import (
    HUGE,
    MANY,
    answers,
    breaks_off,
    breaks_the_line,
    chat,
    dates_its_pause,
    drips,
    embeds,
    ends_early,
    fails,
    falls_silent,
    floods,
    goes_in_circles,
    hangs_up,
    is_silent,
    says,
    spends,
    stops_halfway,
    stream,
    talks_nonsense,
    turns,
)

ANY: Mapping[str, Misbehaviour] = {
    "breaks the line": breaks_the_line,
    "breaks off": breaks_off,
    "hangs up": hangs_up,
    "ends early": ends_early,
    "talks nonsense": talks_nonsense,
    "400": fails("400 Bad Request"),
    "401": fails("401 Unauthorized", b'{"error":{"message":"bad key"}}'),
    "403 html": fails("403 Forbidden", b"<html>no</html>", Content_Type="text/html"),
    "404 model": fails("404 Not Found", b'{"error":{"message":"no such model","code":"model_not_found"}}'),
    "429": fails("429 Too Many Requests", MANY),
    "429 for an hour": fails("429 Too Many Requests", MANY, Retry_After="3600"),
    "429 until a date": dates_its_pause,
    "429 for nonsense": fails("429 Too Many Requests", MANY, Retry_After="soon, I guess"),
    "429 for ever": fails("429 Too Many Requests", MANY, Retry_After="9" * 400),
    "429 for less than nothing": fails("429 Too Many Requests", MANY, Retry_After="-5"),
    "500": fails("500 Internal Server Error"),
    "502 html": fails("502 Bad Gateway", b"<html>" + b"x" * 100_000, Content_Type="text/html"),
    "503 for an hour": fails("503 Service Unavailable", Retry_After="3600"),
    "is silent": is_silent,
    "falls silent": falls_silent,
    "stops halfway": stops_halfway,
    "drips": drips,
    "truncated JSON": turns(lambda right: right[:-20]),
    "empty body": answers(b""),
    "no content": fails("204 No Content", b""),
    "null": answers(b"null"),
    "a number": answers(b"17"),
    "a list": answers(b"[]"),
    "an empty object": answers(b"{}"),
    "an error that says it is well": answers(b'{"error":{"message":"overloaded"}}'),
    "html that says it is well": answers(b"<html>log in</html>", Content_Type="text/html"),
    "no UTF-8": answers(b'{"choices": "\xe4\xf6\xfc\xff", "data": "\xff"}'),
    "no gzip": turns(bytes, Content_Encoding="gzip"),
    "deep JSON": answers(b"[" * 200_000 + b"]" * 200_000),
    "deep object": answers(b'{"choices":' * 50_000 + b"1" + b"}" * 50_000),
    "redirects for ever": goes_in_circles,
    "redirects to nobody": fails("302 Found", b"", Location="http://127.0.0.1:9/"),
    "headers without end": floods,
}
CHATTING: Mapping[str, Misbehaviour] = {
    "no choices": turns(lambda right: json.dumps({**json.loads(right), "choices": []}).encode()),
    "null choices": turns(lambda right: json.dumps({**json.loads(right), "choices": None}).encode()),
    "null message": turns(
        lambda right: json.dumps({**json.loads(right), "choices": [{"index": 0, "message": None}]}).encode()
    ),
    "null content": says(None),
    "empty content": says(""),
    "a number as content": says(17),
    "an object as content": says({"a": [1]}),
    "filtered": says("", finish_reason="content_filter"),
    "prose": says("I am afraid I cannot help with that. " * 30_000),
    "deep content": says("[" * 100_000),
    "deep short content": says("[" * 4_000 + "]" * 4_000),
    "an endless thought": says("<think>" + "let me see " * 100_000),
    "cut off in a fact": says('[{"type": "profile", "fact": "User ha'),
    "costs words": spends(prompt_tokens="many", completion_tokens=None),
    "an event stream": answers(stream(), Content_Type="text/event-stream"),
}
ODD: Mapping[str, Misbehaviour] = {
    "costs less than nothing": spends(prompt_tokens=-(10**9), completion_tokens=-(10**9), total_tokens=-1),
    "costs more than can be counted": spends(prompt_tokens=10**30, completion_tokens=10**30),
    "JSON that says it is html": turns(bytes, Content_Type="text/html"),
    "UTF-16": turns(
        lambda right: b"\xff\xfe" + right.decode().encode("utf-16-le"), Content_Type="text/plain"
    ),
}
"""The answer is right all the same."""
SILENT = ("is silent", "falls silent", "stops halfway", "drips")
"""Those of any provider after which no answer comes until the client gives up."""
EMBEDDING: Mapping[str, Misbehaviour] = {
    "NaN": embeds(lambda vectors: [[float("nan")] * len(each) for each in vectors]),
    "Infinity": embeds(lambda vectors: [[float("inf"), *each[1:]] for each in vectors]),
    "a number too large": turns(lambda right: right.replace(b'"embedding": [', b'"embedding": [1e999, ')),
    "large numbers": embeds(lambda vectors: [[1.7e308] * len(each) for each in vectors]),
    "a whole number too large": embeds(lambda vectors: [[10**400, *each[1:]] for each in vectors]),
    "nulls in a vector": embeds(lambda vectors: [[None, *each[1:]] for each in vectors]),
    "zero vectors": embeds(lambda vectors: [[0.0] * len(each) for each in vectors]),
    "empty vectors": embeds(lambda vectors: [[] for _ in vectors]),
    "no vectors": embeds(lambda _: []),
    "null vectors": embeds(lambda vectors: [None for _ in vectors]),
    "fewer vectors": embeds(lambda vectors: vectors[1:]),
    "more vectors": embeds(lambda vectors: [*vectors, vectors[0]]),
    "strings for numbers": embeds(lambda vectors: [list(map(str, each)) for each in vectors]),
    "vectors in vectors": embeds(lambda vectors: [[each] for each in vectors]),
    "objects for vectors": embeds(lambda vectors: [{"a": 1} for _ in vectors]),
    "base64 of nothing": embeds(lambda vectors: ["%%%" for _ in vectors]),
    "a vector longer than any": embeds(lambda vectors: [[0.5] * 300_000 for _ in vectors]),
    "null data": turns(lambda right: json.dumps({**json.loads(right), "data": None}).encode()),
}


def huge_prose(size: int = HUGE) -> Misbehaviour:
    """A chat model that does not stop talking."""
    return answers(chat("no " * (size // 3)))


def huge_vector(size: int = HUGE) -> Misbehaviour:
    """An embedding model that gives one vector as long as a library."""
    numbers = b"0.125," * (size // 6) + b"1"
    body = b'{"object":"list","data":[{"object":"embedding","index":0,"embedding":[%s]}],"model":"m"}'
    return answers(body % numbers)


def bomb(size: int = HUGE) -> Misbehaviour:
    """A small answer that unpacks to a huge one."""
    return answers(gzip.compress(b" " * size + b"{}", 1), Content_Encoding="gzip")


def changes_length() -> Misbehaviour:
    """An embedding model whose vectors have another length each time."""
    lengths = iter(range(3, 1_000_000))
    return embeds(lambda vectors: [[1.0] * next(lengths) for _ in vectors])


def halved() -> Misbehaviour:
    """An embedding model whose vectors have half the length they had."""
    return embeds(lambda vectors: [each[: len(each) // 2] for each in vectors])
