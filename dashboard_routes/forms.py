"""What comes with a request, checked: a value that cannot be used is refused by the name of its field."""

import json
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Annotated, Any, get_type_hints

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    WithJsonSchema,
    create_model,
)

from .core import InvalidInputError, Level, Request, TooLargeError, Upload

MAX_PAGE_SIZE = 200
MAX_PAGE = 1_000_000
MAX_BODY = 1 << 17
"""Bytes of a JSON body; files come another way. Reading more would hold up all chats."""
FILE = "file"
"""The field of a file that comes along."""
_OF_THE_HOST = "api_key"
"""A part of the query by which the host knows its callers."""
_WHY = {
    "missing": "must be given",
    "extra_forbidden": "must be left out: it is not known here",
    "json_invalid": "must be JSON",
    "int_parsing_size": "must be a smaller number",
}


def _meant(value: bool) -> bool:  # noqa: FBT001  the value of the field
    if not value:
        raise ValueError("must be true")
    return value


type Words = Annotated[str, StringConstraints(max_length=500)]
type LevelName = Annotated[
    Level, BeforeValidator(Level.named), WithJsonSchema({"type": "string", "enum": list(Level.__members__)})
]
type Yes = Annotated[bool, AfterValidator(_meant), WithJsonSchema({"type": "boolean", "const": True})]
"""Nothing but true, and not the number that is equal to it either."""


class Form(BaseModel):
    """Values of a caller's. What is not named in it is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class QueryForm(Form):
    """The query of an address: every value is a text."""

    model_config = ConfigDict(strict=False)


class Paged(QueryForm):
    """A list is given in pages."""

    page: Annotated[int, Field(ge=1, le=MAX_PAGE)] = 1
    page_size: Annotated[int, Field(ge=1, le=MAX_PAGE_SIZE)] = 50


_IN_A_QUERY: Mapping[object, object] = {str: Words, str | None: Words | None, Level | None: LevelName | None}


@cache
def form_of(filter_type: type[Any], *, paged: bool = True) -> type[QueryForm]:
    """The query for a filter of the domain (a dataclass): its fields, of which `query` is called `q`.

    A form of a query is its own.
    """
    if issubclass(filter_type, QueryForm):
        return filter_type
    hints = get_type_hints(filter_type)
    queried: dict[str, Any] = {
        field.name: (
            _IN_A_QUERY.get(hints[field.name], hints[field.name]),
            Field(default=field.default, alias="q" if field.name == "query" else None),
        )
        for field in fields(filter_type)
        if field.name not in Paged.model_fields
    }
    return create_model(filter_type.__name__, __base__=Paged if paged else QueryForm, **queried)


def asked[T](request: Request, wanted: type[T], *, paged: bool = True) -> T:
    """The query as this filter or form; an empty value is none. Raises InvalidInputError with the field."""
    given = {name: value for name, value in request.query.items() if value and name != _OF_THE_HOST}
    # As JSON, so that a word may stand for a member of an enumeration.
    return wanted(**dict(_filled(form_of(wanted, paged=paged), json.dumps(given))))


def body[F: Form](request: Request, form: type[F]) -> F:
    """The JSON body as this form. Raises InvalidInputError that names the field, TooLargeError."""
    if len(request.body) > MAX_BODY:
        raise TooLargeError("body", f"must have at most {MAX_BODY} bytes")
    return _filled(form, request.body)


def uploaded(request: Request) -> Upload:
    """The file that came along. Raises InvalidInputError."""
    if FILE not in request.files:
        raise InvalidInputError(FILE, "must come along as multipart/form-data")
    return request.files[FILE]


def _filled[F: Form](form: type[F], values: str | bytes) -> F:
    try:
        return form.model_validate_json(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        # A union's branches stand in the path too; they are no names a caller knows.
        named = [str(part) for part in first["loc"] if not (isinstance(part, str) and "[" in part)]
        field = ".".join(named) or ("query" if issubclass(form, QueryForm) else "body")
        why = first["msg"].removeprefix("Value error, ").removeprefix("Input ").replace("should", "must", 1)
        raise InvalidInputError(field, _WHY.get(first["type"], why)) from None
