"""Runs the revisions on the connection that `long_term_memory/storage/schema.py` hands over.

That connection is inside one exclusive transaction: a start that is killed half-way leaves nothing behind. No
ini file and no logging set-up: both belong to the host. Only `ltm_*` tables are ever named here.
"""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    version_table=context.config.attributes["version_table"],
    transactional_ddl=True,
)
context.run_migrations()
