"""Writes dashboard_routes/openapi.json anew, of what the routes say of themselves: `make openapi`."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args, get_origin, override

from astrbot_plugin_ltm.dashboard_routes import ROUTES
from astrbot_plugin_ltm.dashboard_routes.answers import PageShape
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
        for name, field in made["properties"].items():
            if ScopeRef.__name__ in field.get("$ref", ""):
                prefix = f"{name}_" if "scope" in properties else ""
                properties |= {f"{prefix}scope": {"type": "string"}, f"{prefix}scope_id": {"type": "string"}}
            else:
                field.pop("default", None)
                properties[name] = field
        return {**made, "properties": properties, "required": list(properties)}


def document(routes: Sequence[Route[Service]]) -> Schema:
    """The routes as the host serves them, in OpenAPI 3.1."""
    answers = [(_shape(route), TypeAdapter[Any](_shape(route))) for route in routes if _is_json(route)]
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
            shape = references[(_shape(route), "serialization")] if _is_json(route) else None
            paths.setdefault(_templated(f"/{PLUGIN}/{path}"), {})[method] = _operation(
                route, path, _page(route, shape) if shape and _is_page(route) else shape
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


def _is_json(route: Route[Service]) -> bool:
    return route.answer is not Download


def _is_page(route: Route[Service]) -> bool:
    return get_origin(route.answer) is Page


def _shape(route: Route[Service]) -> Any:  # noqa: ANN401  a form of a type
    """What it answers with, of a page its rows."""
    return Sequence[get_args(route.answer)[0]] if _is_page(route) else route.answer


def _page(route: Route[Service], rows: Mapping[str, Any]) -> Schema:
    """The rows under the last word of the path, and where the page stands."""
    place = TypeAdapter(PageShape).json_schema()
    name = route.path.rpartition("/")[2]
    properties = {name: rows, **place["properties"]}
    return {"type": "object", "properties": properties, "required": list(properties)}


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
