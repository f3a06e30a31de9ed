"""`confirmed` joins the origins of items and the methods of evidence: the bot said it and the person agreed.

SQLite cannot change a CHECK, so each table is made anew, as
https://www.sqlite.org/lang_altertable.html#otheralter describes. Every row keeps its id, by which the full
text knows it, and the indexes and triggers are those that were there.
"""

from alembic import op
from sqlalchemy import Connection

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

KNOWN, WIDENED = "'llm_extract', ", "'llm_extract', 'confirmed', "
MADE = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?"
BESIDE = """
    SELECT sql FROM sqlite_master WHERE tbl_name = ? AND type IN ('index', 'trigger') AND sql IS NOT NULL
    ORDER BY type, name
"""


def upgrade() -> None:
    """Make both tables anew around their rows, and have verified what waits for rules that are gone."""
    connection = op.get_bind()
    if connection.exec_driver_sql("PRAGMA foreign_keys").scalar():
        raise RuntimeError("dropping a table would delete what refers to it")
    # What is erased later must not lie in a page of the old table.
    connection.exec_driver_sql("PRAGMA secure_delete = ON")
    # A rename then minds neither the triggers that name the table nor a broken view of the host's.
    connection.exec_driver_sql("PRAGMA legacy_alter_table = ON")
    for table in ("ltm_items", "ltm_evidence"):
        rebuild(connection, table)
    connection.exec_driver_sql("PRAGMA legacy_alter_table = OFF")
    # No rule gives these reasons any more: whether such a fact was said, a model decides.
    connection.exec_driver_sql(
        "UPDATE ltm_items SET reason = 'unverified' WHERE status = 'pending' AND (reason IN ('answer_only',"
        " 'negation_differs', 'person_differs', 'quote_out_of_context', 'quote_says_nothing',"
        " 'quote_unrelated', 'roles_differ') OR reason LIKE 'not_in_evidence:%')"
    )


def rebuild(connection: Connection, table: str) -> None:
    """Make the table anew with the wider CHECK."""
    sql = connection.exec_driver_sql(MADE, (table,)).scalar_one()
    beside = connection.exec_driver_sql(BESIDE, (table,)).scalars().all()
    columns = sql[sql.index("(") :].replace(KNOWN, WIDENED)
    for statement in (
        f"CREATE TABLE {table}_0005 {columns}",
        f"INSERT INTO {table}_0005 SELECT * FROM {table}",  # noqa: S608 - made of the names above
        f"DROP TABLE {table}",
        f"ALTER TABLE {table}_0005 RENAME TO {table}",
        *beside,
    ):
        connection.exec_driver_sql(statement)


def downgrade() -> None:
    """Refuse: what was agreed to would have no origin."""
    raise NotImplementedError("memories are not thrown away by a downgrade")
