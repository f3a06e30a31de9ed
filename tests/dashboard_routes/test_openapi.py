"""The OpenAPI document says what the routes say."""

from astrbot_plugin_ltm.packaging.openapi import FILE, text


def test_the_document_is_that_of_the_routes() -> None:
    assert FILE.read_text(encoding="utf-8") == text(), "make openapi"
