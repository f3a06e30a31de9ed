"""How confidential each conversation has become by the tools that were used in it."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

STATEMENTS = (
    """
    CREATE TABLE ltm_session_levels (
        umo TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        level INTEGER NOT NULL,
        raised_by TEXT DEFAULT '' NOT NULL,
        updated_at DATETIME NOT NULL,
        PRIMARY KEY (umo, conversation_id),
        CONSTRAINT ltm_level CHECK (level BETWEEN 1 AND 4)
    )
    """,
)


def upgrade() -> None:
    """Add to what is there; no row changes."""
    connection = op.get_bind()
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement)


def downgrade() -> None:
    """Refuse: what was said in confidence would be shown again."""
    raise NotImplementedError("memories are not thrown away by a downgrade")
