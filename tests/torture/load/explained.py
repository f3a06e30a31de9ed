"""What the plugin keeps on the disk is explained: bytes by rows, and rows by what was done."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from astrbot_plugin_ltm.long_term_memory.models import METADATA

type Numbers = Mapping[str, int]

PER_THING = 4
"""Rows that one thing done adds to a table at most: a message, the reply and the results of tools."""
SOME_ROWS = 100
"""Rows of a table that come from no traffic: one for each chat, day or model."""
PER_ROW = 1_500
"""Bytes of a row with its part of the indexes: a sentence, or a vector of the scripted model, and ids."""
PER_RECALL = 6_000
"""The same of the log of recalls: a row names all that was found, and why the rest was not."""
ROOM = 2**17
"""Bytes of a table and its indexes that hold nothing yet."""
SNAPSHOTS = 3
"""The last of each day is kept: of two days, and one that is being made."""
PER_ITEM = 2_000
"""Bytes of a packed memory in a snapshot, with its evidence and what it was learnt from."""
_OF = {"ltm_event_vectors": ("ltm_events", 1), "ltm_vectors": ("ltm_items", 2)}
"""Of what there are vectors, and how many of each: an item has one of all its words and one of its fact."""


def rows(database: Path) -> Numbers:
    """How many there are in each table of the plugin."""
    with closing(sqlite3.connect(database)) as connection:
        counts = (
            (table, connection.execute(f"select count(*) from {table}").fetchone())  # noqa: S608 - our own names
            for table in ("ltm_fts", *METADATA.tables)
        )
        return {table: number for table, (number,) in counts}


def unexplained(before: Numbers, after: Numbers, *, taken: Numbers, files: Numbers, done: int) -> list[str]:
    """What is larger than it has to be, once so many things are done.

    `before` and `after` are rows by table, `taken` and `files` bytes by table and by kind of file.
    """
    faults: list[str] = []
    for table, number in after.items():
        if taken[table] > ROOM + number * (PER_RECALL if table == "ltm_recalls" else PER_ROW):
            faults.append(f"{table}: {taken[table]} bytes for {number} rows")
        of, times = _OF.get(table, ("", 0))
        if number > (times * after[of] if of else before[table] + SOME_ROWS + PER_THING * done):
            faults.append(f"{table}: {number} rows, {before[table]} before {done} things were done")
    limits = {
        "free pages": (taken["free pages"], 2**20 + sum(taken.values()) // 10),
        "not explained": (taken["not explained"], 0),
        "snapshots": (files["snapshots"], SNAPSHOTS * (ROOM + PER_ITEM * after["ltm_items"])),
        "plugin_data": (files["plugin_data"], 2**16),
    }
    return faults + [f"{name}: {found} bytes" for name, (found, most) in limits.items() if found > most]
