"""Reads messages as platforms delivered them to the host, of whatever make they are."""

from collections.abc import Mapping
from typing import cast


def found_in(raw: object, path: str) -> object:
    """What is there, by key or attribute; None when nothing is or it cannot be read."""
    found = raw
    for name in path.split("."):
        try:
            found = _part(found, name)
        except Exception:  # noqa: BLE001  libraries of platforms raise what they like
            return None
    return found


def _part(thing: object, name: str) -> object:
    if isinstance(thing, Mapping):
        return cast("Mapping[str, object]", thing).get(name)
    return getattr(thing, name, None)
