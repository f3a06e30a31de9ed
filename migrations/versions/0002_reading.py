"""What reading came to need: linked accounts, vectors of the transcript, why a recall was as it was."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

STATEMENTS = (
    """
    CREATE TABLE ltm_links (
        account TEXT NOT NULL,
        joined_to TEXT NOT NULL,
        created_at DATETIME NOT NULL,
        PRIMARY KEY (account)
    )
    """,
    """
    CREATE TABLE ltm_event_vectors (
        id INTEGER NOT NULL,
        event_id TEXT NOT NULL,
        model_id TEXT NOT NULL,
        dimension INTEGER NOT NULL,
        vector BLOB NOT NULL,
        created_at DATETIME NOT NULL,
        PRIMARY KEY (id),
        CONSTRAINT ltm_event_vectors_once UNIQUE (event_id, model_id),
        CONSTRAINT ltm_dimension CHECK (dimension > 0 AND length(vector) = 4 * dimension),
        FOREIGN KEY (event_id) REFERENCES ltm_events (event_id) ON DELETE CASCADE
    )
    """,
    "CREATE INDEX ltm_event_vectors_model ON ltm_event_vectors (model_id, dimension)",
    "CREATE INDEX ltm_vectors_model ON ltm_vectors (model_id, dimension)",
    "CREATE INDEX ltm_events_scope ON ltm_events (scope, scope_id, created_at)",
    "ALTER TABLE ltm_recalls ADD COLUMN reason TEXT DEFAULT '' NOT NULL",
    "CREATE INDEX ltm_recalls_chat ON ltm_recalls (session_id, owner_scope, owner_scope_id, created_at)",
)


def upgrade() -> None:
    """Add to what is there; no row changes."""
    connection = op.get_bind()
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement)


def downgrade() -> None:
    """Refuse: what people linked and what was recalled would be lost."""
    raise NotImplementedError("memories are not thrown away by a downgrade")
