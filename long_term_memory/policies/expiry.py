"""Until when an item is used."""

from datetime import datetime, timedelta

TTL_RULE = "ttl"
"""The reason of what has come to its end."""


def expiry(ttl_days: int | None, now: datetime) -> datetime | None:
    """The end of an item that lives so many days from now; None when it lives for ever."""
    return None if ttl_days is None or ttl_days < 0 else now + timedelta(days=ttl_days)
