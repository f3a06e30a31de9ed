"""What the plugin under test remembers, seen from outside: by its routes, and by its rows."""

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .dashboard import data
from .people import Person
from .plugin import Plugin
from .waiting import wait_for

type Item = dict[str, Any]
"""An item as the API shows it."""


@dataclass(frozen=True)
class Memories:
    """The memories of a running host."""

    plugin: Plugin
    database: Path

    def items(self, **filters: str | int) -> list[Item]:
        """The items of the API's list, at most 200; the filters are the route's own."""
        return data(self.plugin.get("items", params={"page_size": 200, **filters}))["items"]

    def of(self, person: Person, *, platform: str = "plat_a", **filters: str | int) -> dict[str, Item]:
        """A person's own items of every status, by their fact."""
        found = self.items(scope="user", scope_id=f"{platform}:{person.id}", **filters)
        return {item["fact"]: item for item in found}

    def wait_for(self, person: Person, *facts: str, platform: str = "plat_a") -> dict[str, Item]:
        """Wait until a person has these facts, and return everything of that person."""

        def learnt() -> dict[str, Item] | None:
            found = self.of(person, platform=platform)
            return found if set(facts) <= set(found) else None

        return wait_for(learnt)

    def wait_until_used(self, person: Person, fact: str) -> Item:
        """Wait until a person's fact has been counted as used, and return it."""
        return wait_for(lambda: item if (item := self.of(person)[fact])["access_count"] else None)

    def evidence(self, memory_id: str) -> list[dict[str, Any]]:
        """What an item rests on, as the API shows it."""
        return data(self.plugin.get(f"items/{memory_id}"))["evidence"]

    def wait_until_written(self) -> None:
        """Wait until all is recorded that was said: a reply waits for a busy disk no longer than a moment."""
        # While the store keeps health waiting, it has no counts.
        wait_for(lambda: data(self.plugin.get("health")).get("late_writes") == 0, 90)

    def wait_until_extracted(self) -> None:
        """Wait until the model has been asked about every message but those of paused people.

        For hosts that ask after each turn.
        """
        self.wait_until_written()
        paused = "select 1 from ltm_paused p where instr(e.owner_scope_id || e.scope_id, p.scope_id)"
        query = f"select 1 from ltm_events e where extraction = 'pending' and not exists ({paused})"  # noqa: S608 - ours
        wait_for(lambda: not self.rows(query), 90)

    def recorded(self, session: str) -> list[tuple[str, str]]:
        """Role and text of the events kept of a session, oldest first, once all that was said is recorded."""
        self.wait_until_written()
        query = "select source_role, content from ltm_events where session_id = ? order by id"
        return [(row["source_role"], json.loads(row["content"])["text"]) for row in self.rows(query, session)]

    def rows(self, query: str, *values: str) -> list[dict[str, Any]]:
        """Read the host's database, which the host goes on writing."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(query, values)]
