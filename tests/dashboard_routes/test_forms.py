"""What comes with a request is checked, and what is wrong is named."""

from typing import Annotated

import pytest
from astrbot_plugin_ltm.dashboard_routes.forms import MAX_BODY, Form, Paged, asked, body
from astrbot_plugin_ltm.long_term_memory.domain.enums import MemoryType
from astrbot_plugin_ltm.long_term_memory.domain.errors import InvalidInputError, TooLargeError
from astrbot_plugin_ltm.long_term_memory.web import Request
from pydantic import Field


class Listed(Paged):
    type: MemoryType | None = None


class Change(Form):
    importance: Annotated[float, Field(ge=0, le=1)] = 0.5
    ttl_days: Annotated[int, Field(le=36_500)] | None = None
    type: MemoryType | None = None


def test_what_is_not_asked_for_takes_its_default() -> None:
    listed = asked(Request(query={"type": "", "api_key": "abk_1"}), Listed)
    assert (listed.page, listed.page_size, listed.type) == (1, 50, None)


def test_words_and_numbers_are_read() -> None:
    listed = asked(Request(query={"page": "3", "page_size": "200", "type": "profile"}), Listed)
    assert (listed.page, listed.page_size, listed.type) == (3, 200, MemoryType.PROFILE)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("page", "0"),
        ("page", "-1"),
        ("page", "٣"),
        ("page", "9" * 5_000),
        ("page_size", "201"),
        ("type", "opinion"),
        ("pagesize", "5"),
    ],
)
def test_a_part_of_the_query_that_cannot_be_used_is_named(name: str, value: str) -> None:
    with pytest.raises(InvalidInputError, match=rf"^{name}: must ") as refused:
        asked(Request(query={name: value}), Listed)
    assert refused.value.field == name


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        (b"", "body"),
        (b"[]", "body"),
        (b"null", "body"),
        (b"{", "body"),
        (b"\xff", "body"),
        (b'{"importance": NaN}', "importance"),
        (b'{"importance": ' + b"9" * 5_000 + b"}", "body"),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "body"),
        (b'{"type": "\\ud800"}', "body"),
        (b'{"importance": 1e400}', "importance"),
        (b'{"importance": 1.5}', "importance"),
        (b'{"importance": "0.5"}', "importance"),
        (b'{"importance": true}', "importance"),
        (b'{"ttl_days": 2.5}', "ttl_days"),
        (b'{"ttl_days": 99999999999999999999}', "ttl_days"),
        (b'{"type": 3}', "type"),
        (b'{"owner": "me"}', "owner"),
    ],
)
def test_a_body_that_cannot_be_used_is_refused_by_the_name_of_its_field(raw: bytes, field: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        body(Request(body=raw), Change)
    assert refused.value.field == field


def test_a_body_is_read() -> None:
    change = body(Request(body=b'{"importance": 1, "type": "profile"}'), Change)
    assert (change.importance, change.ttl_days, change.type) == (1.0, None, MemoryType.PROFILE)


def test_a_body_of_more_bytes_than_are_looked_at_is_refused_unread() -> None:
    with pytest.raises(TooLargeError, match="body"):
        body(Request(body=b" " * (MAX_BODY + 1)), Change)
