"""Time and ids are inputs, so that tests can set them."""

from collections.abc import Callable
from datetime import datetime, tzinfo

type Clock = Callable[[], datetime]
"""Returns the current instant, aware, in UTC."""

type MakeId = Callable[[], str]
"""Returns a fresh unique id (uuid4 as text)."""


def zone_name(zone: tzinfo) -> str:
    """Its IANA name; of a zone without one its offset, as in "+08:00"."""
    return getattr(zone, "key", "") or f"{datetime(2000, 1, 1, tzinfo=zone):%:z}"


def shown_instant(at: datetime, zone: tzinfo, layout: str = "%Y-%m-%d %H:%M") -> str:
    """The local time with its offset, as in "2026-11-27 21:30 UTC+08:00"; names such as CST are ambiguous."""
    local = at.astimezone(zone)
    return f"{local:{layout}} UTC{local:%:z}".removesuffix("+00:00")
