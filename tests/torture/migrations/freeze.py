"""The tables as each revision was released with them, kept beside the scripts that make them.

A script that was released never changes: who has run it will not run it again. After adding a revision run
`python -m tests.torture.migrations.freeze`, which writes what is missing and leaves alone what is there.
"""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.torture.migrations.releases import RELEASES, to_release

SCHEMAS = Path(__file__).with_name("schemas")
_MADE = """
    SELECT sql FROM sqlite_master WHERE tbl_name LIKE 'ltm\\_%' ESCAPE '\\' AND sql IS NOT NULL
    ORDER BY tbl_name, type != 'table', name
"""


def frozen(revision: str) -> Path:
    """Where the tables of this revision are written down."""
    return SCHEMAS / f"{revision}.sql"


def made(revision: str, folder: Path) -> str:
    """The tables, indexes and triggers that today's scripts make up to this revision."""
    path = folder / f"{revision}.db"
    to_release(path, revision)
    with closing(sqlite3.connect(path)) as connection:
        return "".join(f"{sql};\n\n" for (sql,) in connection.execute(_MADE))


def _freeze() -> None:
    SCHEMAS.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        for revision in RELEASES:
            if not frozen(revision).exists():
                frozen(revision).write_text(made(revision, Path(folder)), "utf-8")
                sys.stdout.write(f"{frozen(revision)}\n")


if __name__ == "__main__":
    _freeze()
