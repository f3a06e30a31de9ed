"""Writes dashboard_routes/openapi.json anew, of what the routes say of themselves: `make openapi`."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from types import get_original_bases
from typing import Any, TypedDict, get_args, get_origin, get_type_hints, override

from astrbot_plugin_ltm.dashboard_routes import ROUTES
from astrbot_plugin_ltm.dashboard_routes.core import Download, Page, Route, ScopeRef, Service
from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema
from pydantic_core import core_schema

FILE = Path(__file__).resolve().parent.parent / "dashboard_routes" / "openapi.json"
PLUGIN = "astrbot_plugin_ltm"

type Schema = dict[str, Any]

_REFERENCE = "#/components/schemas/{model}"
_ERROR: Schema = {
    "type": "object",
    "required": ["status", "message", "data"],
    "properties": {
        "status": {"const": "error"},
        "message": {"type": "string"},
        "data": {
            "type": "object",
            "required": ["field"],
            "properties": {"field": {"type": ["string", "null"]}},
        },
    },
}
_UNKNOWN: Schema = {
    "type": "object",
    "required": ["status", "message"],
    "properties": {"status": {"const": "error"}, "message": {"type": "string"}},
}
"""The host's own answer to whoever has not logged in."""
_ERRORS = {
    "404": "There is no such thing",
    "409": "A rule forbids it",
    "413": "It has too many bytes",
    "422": "A value cannot be used; the field is named",
    "503": "The memory is not running",
}


class Answers(GenerateJsonSchema):
    """The schema of what `as_json` makes of the domain's types."""

    @override
    def enum_schema(self, schema: core_schema.EnumSchema) -> JsonSchemaValue:
        return {"type": "string"}

    @override
    def datetime_schema(self, schema: core_schema.DatetimeSchema) -> JsonSchemaValue:
        return {"type": "string"}

    @override
    def date_schema(self, schema: core_schema.DateSchema) -> JsonSchemaValue:
        return {"type": "string"}

    @override
    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        """All fields are there, with two for each scope."""
        made = super().dataclass_schema(schema)
        if schema["cls"] is ScopeRef:
            return made
        properties: Schema = {}
        required: list[str] = []
        beside = {each.name for each in fields(schema["cls"]) if each.metadata.get("beside")}
        for name, field in made["properties"].items():
            if name in beside:
                properties |= self._of(field["anyOf"][0])["properties"]
            elif ScopeRef.__name__ in field.get("$ref", ""):
                prefix = f"{name}_" if "scope" in properties else ""
                both = (f"{prefix}scope", f"{prefix}scope_id")
                properties |= {key: {"type": "string"} for key in both}
                required.extend(both)
            else:
                field.pop("default", None)
                properties[name] = field
                required.append(name)
        return {**made, "properties": properties, "required": required}

    def _of(self, reference: JsonSchemaValue) -> JsonSchemaValue:
        """What a reference stands for."""
        found = self.get_schema_from_definitions(reference["$ref"])
        assert found is not None
        return found


def document(routes: Sequence[Route[Service]]) -> Schema:
    """The routes as the host serves them, in OpenAPI 3.1."""
    answers = [(r.method + r.path, TypeAdapter[Any](_shape(r))) for r in routes if r.answer is not Download]
    bodies = [route.body for route in routes if route.body is not None]
    references, schemas = TypeAdapter.json_schemas(
        [(answer, "serialization", adapter) for answer, adapter in answers],
        ref_template=_REFERENCE,
        schema_generator=Answers,
    )
    _, forms = models_json_schema(
        [(body, "validation") for body in dict.fromkeys(bodies) if issubclass(body, BaseModel)],
        ref_template=_REFERENCE,
    )
    components = {**schemas.get("$defs", {}), **forms.get("$defs", {}), "Error": _ERROR, "Unknown": _UNKNOWN}
    paths: dict[str, Schema] = {}
    for route in routes:
        for path, method in _addresses(route):
            paths.setdefault(_templated(f"/{PLUGIN}/{path}"), {})[method] = _operation(
                route, path, references.get((route.method + route.path, "serialization"))
            )
    return {
        "openapi": "3.1.0",
        "info": {"title": "Long-term memory", "version": "1"},
        "servers": [{"url": "/api/v1/plugins/extensions"}],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(components.items())),
            "securitySchemes": {"dashboard": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"dashboard": []}],
    }


def text() -> str:
    """What the file says."""
    return json.dumps(document(ROUTES), indent=1) + "\n"


def _shape(route: Route[Service]) -> Any:  # noqa: ANN401  a form of a type
    """What it answers with, under its key if it has one: of a page that is the key of the rows."""
    answer = route.answer
    if not route.key:
        return answer
    parts = {route.key: answer}
    if issubclass(get_origin(answer) or answer, Page):
        kind: Any = get_origin(answer) or answer
        page = next(each for each in (answer, *get_original_bases(kind)) if get_args(each))
        parts = get_type_hints(kind) | {"rows": Sequence[get_args(page)[0]]}
        parts = {route.key: parts.pop("rows"), **parts}
    name = route.handler.__name__.title().replace("_", "")
    made: Any = TypedDict  # what a route says is known when it is there
    return made(f"{name}Answer", parts)


def _addresses(route: Route[Service]) -> Iterator[tuple[str, str]]:
    yield route.path, route.method.lower()
    if route.twin:
        yield route.twin, "post"


def _templated(path: str) -> str:
    return re.sub(r"<(\w+)>", r"{\1}", path)


def _operation(route: Route[Service], path: str, shape: Mapping[str, Any] | None) -> Schema:
    name = getattr(route.handler, "__name__", path)
    operation: Schema = {
        "operationId": name if path == route.path else f"{name}_by_post",
        "summary": route.summary,
        "parameters": [*_of_path(path), *_of_query(route)],
        "responses": {
            "200": _good(shape),
            "401": _bad("Nobody has logged in", "Unknown"),
            **{code: _bad(why) for code, why in _ERRORS.items()},
        },
    }
    if asked := _body(route):
        operation["requestBody"] = {"required": True, "content": asked}
    return operation


def _of_path(path: str) -> Iterator[Schema]:
    for name in re.findall(r"<(\w+)>", path):
        yield {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}


def _of_query(route: Route[Service]) -> Iterator[Schema]:
    if route.query is None or not issubclass(route.query, BaseModel):
        return
    schema = route.query.model_json_schema(ref_template=_REFERENCE)
    defined = schema.get("$defs", {})
    for name, field in schema.get("properties", {}).items():
        yield {"name": name, "in": "query", "required": False, "schema": _resolved(field, defined)}


def _resolved(field: Schema, defined: Mapping[str, Schema]) -> Schema:
    """Without references: a query's words stand where they are used. An absent value is just left out."""
    match field:
        case {"$ref": str(reference)}:
            return _resolved(defined[reference.rsplit("/", 1)[1]], defined)
        case {"anyOf": [one, {"type": "null"}], **rest}:
            return {key: each for key, each in rest.items() if key == "title"} | _resolved(one, defined)
        case {"anyOf": [*several, {"type": "null"}], "title": title}:
            return {"title": title, "anyOf": [_resolved(one, defined) for one in several]}
        case _:
            return field


def _body(route: Route[Service]) -> Schema:
    if route.file:
        file = {
            "type": "object",
            "required": [route.file],
            "properties": {route.file: {"type": "string", "format": "binary"}},
        }
        return {"multipart/form-data": {"schema": file}}
    if route.body is None:
        return {}
    return {"application/json": {"schema": {"$ref": _REFERENCE.format(model=route.body.__name__)}}}


def _good(shape: Mapping[str, Any] | None) -> Schema:
    """A file is a document as well, though of a form of its own."""
    schema = dict(shape) if shape else {"type": "object"}
    return {"description": "Done", "content": {"application/json": {"schema": schema}}}


def _bad(why: str, model: str = "Error") -> Schema:
    error = {"$ref": _REFERENCE.format(model=model)}
    return {"description": why, "content": {"application/json": {"schema": error}}}


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
