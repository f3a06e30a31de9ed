"""Remove what no code makes or reads any more: proposed summaries, undone imports, a table of counts."""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

GONE = (
    "SELECT memory_id FROM ltm_items WHERE (status = 'pending' AND reason = 'compaction')"
    " OR (status = 'deleted' AND reason = 'undo_import')"
)
STATEMENTS = (
    # What is erased later must not lie in a page that was let go.
    "PRAGMA secure_delete = ON",
    "DROP TRIGGER ltm_items_moved",
    "DROP TRIGGER ltm_vectors_deleted",
    "DROP TRIGGER ltm_vectors_inserted",
    "DROP TRIGGER ltm_vectors_updated",
    "DROP TABLE ltm_namespaces",
    # The next erasure writes the full text anew, which may hold their words.
    f"INSERT OR REPLACE INTO ltm_meta (name, value) SELECT 'dropped', '' WHERE EXISTS ({GONE})",
    # Foreign keys are off; triggers remove evidence, vectors and full text.
    f"DELETE FROM ltm_imported_items WHERE memory_id IN ({GONE})",  # noqa: S608 - made of the constant above
    f"UPDATE ltm_items SET superseded_by = NULL WHERE superseded_by IN ({GONE})",  # noqa: S608 - as above
    f"DELETE FROM ltm_items WHERE memory_id IN ({GONE})",  # noqa: S608 - as above
)


def upgrade() -> None:
    """Remove them; every other row stays."""
    connection = op.get_bind()
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement)


def downgrade() -> None:
    """Refuse: what was removed is not kept."""
    raise NotImplementedError("memories are not thrown away by a downgrade")
