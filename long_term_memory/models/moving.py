"""What came in from files: each import, and by which one a row came."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlmodel import Field

from ..domain.transfer import Kind
from ..storage.columns import Words, instant, number, one_of, optional_instant, optional_words, words
from .base import Base, to_item


class ImportRow(Base, table=True):
    """One document that was brought in whole."""

    __tablename__ = "ltm_imports"  # pyright: ignore[reportAssignmentType] - as SQLModel documents it
    __table_args__ = (one_of("kind", Kind), Index("ltm_imports_age", "created_at"))

    import_id: str = Field(sa_type=Words, primary_key=True)
    actor: str = words()
    kind: str = words()
    sha256: str = words()
    """Of the document, as its manifest has it."""
    store_id: str = optional_words()
    """The store it was taken of."""
    items: int = number(0)
    evidence: int = number(0)
    events: int = number(0)
    created_at: datetime = instant()
    undone_at: datetime | None = optional_instant()


class ImportedItemRow(Base, table=True):
    """A memory that an import added."""

    __tablename__ = "ltm_imported_items"  # pyright: ignore[reportAssignmentType] - as SQLModel documents it
    __table_args__ = (Index("ltm_imported_items_import", "import_id"),)

    memory_id: str = Field(sa_type=Words, primary_key=True, sa_column_args=[to_item(ondelete="CASCADE")])
    import_id: str = words(refers=ForeignKey("ltm_imports.import_id", ondelete="CASCADE"))
    updated_at: datetime = instant()
    """As it came in: another one tells that somebody has changed it since."""


class ImportedEventRow(Base, table=True):
    """A message that an import added."""

    __tablename__ = "ltm_imported_events"  # pyright: ignore[reportAssignmentType] - as SQLModel documents it
    __table_args__ = (Index("ltm_imported_events_import", "import_id"),)

    event_id: str = Field(
        sa_type=Words,
        primary_key=True,
        sa_column_args=[ForeignKey("ltm_events.event_id", ondelete="CASCADE")],
    )
    import_id: str = words(refers=ForeignKey("ltm_imports.import_id", ondelete="CASCADE"))
