"""What was imported when, and which memories and messages came in by it."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

STATEMENTS = (
    """
    CREATE TABLE ltm_imports (
        import_id TEXT NOT NULL,
        actor TEXT NOT NULL,
        kind TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        store_id TEXT DEFAULT '' NOT NULL,
        items INTEGER DEFAULT '0' NOT NULL,
        evidence INTEGER DEFAULT '0' NOT NULL,
        events INTEGER DEFAULT '0' NOT NULL,
        created_at DATETIME NOT NULL,
        undone_at DATETIME,
        PRIMARY KEY (import_id),
        CONSTRAINT ltm_kind CHECK (kind IN ('import', 'restore'))
    )
    """,
    """
    CREATE INDEX ltm_imports_age ON ltm_imports (created_at)
    """,
    """
    CREATE TABLE ltm_imported_items (
        memory_id TEXT NOT NULL,
        import_id TEXT NOT NULL,
        updated_at DATETIME NOT NULL,
        PRIMARY KEY (memory_id),
        FOREIGN KEY(memory_id) REFERENCES ltm_items (memory_id)
            ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
        FOREIGN KEY(import_id) REFERENCES ltm_imports (import_id) ON DELETE CASCADE
    )
    """,
    """
    CREATE INDEX ltm_imported_items_import ON ltm_imported_items (import_id)
    """,
    """
    CREATE TABLE ltm_imported_events (
        event_id TEXT NOT NULL,
        import_id TEXT NOT NULL,
        PRIMARY KEY (event_id),
        FOREIGN KEY(event_id) REFERENCES ltm_events (event_id) ON DELETE CASCADE,
        FOREIGN KEY(import_id) REFERENCES ltm_imports (import_id) ON DELETE CASCADE
    )
    """,
    """
    CREATE INDEX ltm_imported_events_import ON ltm_imported_events (import_id)
    """,
)


def upgrade() -> None:
    """Add to what is there; no row changes."""
    connection = op.get_bind()
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement)


def downgrade() -> None:
    """Refuse: an import could not be undone any more."""
    raise NotImplementedError("memories are not thrown away by a downgrade")
