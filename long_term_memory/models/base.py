"""The registry of the tables, and what several of them refer to."""

from sqlalchemy import ForeignKey, MetaData
from sqlalchemy.orm import registry
from sqlmodel import SQLModel


class Base(SQLModel, registry=registry(metadata=MetaData())):
    """The root of every table here."""


def to_item(*, ondelete: str | None = None) -> ForeignKey:
    """Checked at the commit, because evidence goes in before its item."""
    return ForeignKey("ltm_items.memory_id", ondelete=ondelete, deferrable=True, initially="DEFERRED")
