"""A hundred thousand real memories in the store of the real host: listed, filtered, turned and opened."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Response, expect

from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.hosts import EAGER, HostMaker
from tests.page.browser import Opened, opened

pytestmark = pytest.mark.torture

MANY = 100_000
BEES = 25
"""Of so many memories one speaks of bees."""
PAGE_SIZE = 50
KIM = Person("kim", "Kim")
_NUMBERS = f"WITH RECURSIVE made(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM made WHERE n < {MANY})"  # noqa: S608  numbers of our own
_FACT = f"iif(n % {BEES} = 0, 'Kim keeps bees in hive ' || n, 'Kim likes tea of the sort ' || n)"
_STATUS = "iif(n % 4 = 0, 'shadow', 'active')"
"""In SQL, of number n."""


@pytest.fixture(scope="module")
def full_host(make_host: HostMaker) -> Iterator[Host]:
    """A host whose store was filled while it was off."""
    host = make_host(plugin_config=EAGER)
    with host.running():
        host.say(KIM, "/ltm add I keep bees")
        host.memories.wait_for(KIM, "I keep bees")
    _multiplied(host.database)
    with host.running():
        yield host


def _multiplied(file: Path) -> None:
    """Write so many memories like the one that is there, each with words and evidence of its own."""
    ids = {"event_id": "'event-' || n", "memory_id": "'memory-' || n", "evidence_id": "'evidence-' || n"}
    words = {"fact": _FACT, "fact_key": f"lower({_FACT})", "status": _STATUS, "quote": _FACT}
    made = ids | words
    with closing(sqlite3.connect(file)) as connection, connection:
        [(newest,)] = connection.execute("SELECT max(id) FROM ltm_items").fetchall()
        for table in ("ltm_events", "ltm_evidence", "ltm_items"):
            columns: list[str] = [
                name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})") if name != "id"
            ]
            values = [made.get(name, name) for name in columns]
            connection.execute(
                f"{_NUMBERS} INSERT INTO {table} ({', '.join(columns)})"  # noqa: S608  names of our own
                f" SELECT {', '.join(values)} FROM made, (SELECT * FROM {table} ORDER BY id DESC LIMIT 1)"
            )
        connection.execute(
            "INSERT INTO ltm_fts (rowid, text) SELECT id, fact FROM ltm_items WHERE id > ?", (newest,)
        )


class Lists:
    """How many rows each answer held that lists memories."""

    def __init__(self, page: Opened) -> None:
        self.rows: list[int] = []
        page.tab.on("response", self._note)

    def _note(self, response: Response) -> None:
        if response.url.partition("?")[0].endswith("/items"):
            answer: dict[str, Any] = json.loads(response.text())
            self.rows.append(len(answer["items"]))


def test_they_are_listed_filtered_turned_and_opened_page_by_page(
    browser: BrowserContext, full_host: Host
) -> None:
    with opened(browser, full_host.dashboard) as page:
        lists = Lists(page)
        rows, pager = page.frame.locator("li.memory"), page.frame.locator(".pager")
        page.frame.get_by_role("link", name="Memories", exact=True).click()
        expect(pager).to_contain_text(f"1 to {PAGE_SIZE} of {MANY + 1:,}")
        expect(rows).to_have_count(PAGE_SIZE)
        page.frame.get_by_role("button", name="Last").click()
        expect(pager).to_contain_text(f"of {MANY + 1:,}")
        expect(rows).to_have_count(1)
        page.frame.get_by_role("button", name="Previous").click()
        expect(rows).to_have_count(PAGE_SIZE)
        page.frame.get_by_label("Search text").fill("hive")
        expect(pager).to_contain_text(f"1 to {PAGE_SIZE} of {MANY // BEES:,}")
        page.go("memories?q=hive&status=shadow&sort=created")
        expect(pager).to_contain_text(f"of {MANY // (BEES * 4):,}")
        first = page.frame.get_by_role("link", name="Kim keeps bees in hive 100", exact=True)
        first.click()
        memory = page.frame.get_by_role("dialog", name="Kim keeps bees in hive 100")
        expect(memory.locator("blockquote")).to_have_text("Kim keeps bees in hive 100")
        page.tab.keyboard.press("Escape")
        page.go("review")
        expect(pager).to_contain_text(f"1 to {PAGE_SIZE} of {MANY // 4:,}")
        expect(page.frame.locator("li.waiting")).to_have_count(PAGE_SIZE)
        page.settle()
        assert page.complaints == []
    assert lists.rows
    assert max(lists.rows) == PAGE_SIZE


def test_all_that_fit_are_forgotten_in_batches_and_brought_back(
    browser: BrowserContext, full_host: Host
) -> None:
    with opened(browser, full_host.dashboard, place="memories?q=hive&status=shadow") as page:
        pager, toasts = page.frame.locator(".pager"), page.frame.locator(".toast")
        page.frame.get_by_label("Choose all on this page").check()
        page.frame.get_by_role("button", name="Choose all 1,000 that match").click()
        expect(page.frame.get_by_text("1,000 chosen")).to_be_visible()
        page.frame.get_by_role("button", name="Forget 1,000").click()
        page.frame.get_by_role("dialog").get_by_role("button", name="Forget 1,000").click()
        expect(page.frame.get_by_text("200 of 1,000…")).to_be_visible()
        expect(toasts).to_contain_text("Forgotten: 1,000 memories.")
        page.hold_toast()
        expect(page.frame.locator(".state")).to_contain_text("No memory matches")
        toasts.get_by_role("button", name="Undo").click()
        expect(pager).to_contain_text("of 1,000")
        assert page.complaints == []


def test_the_overview_counts_all_of_them(browser: BrowserContext, full_host: Host) -> None:
    with opened(browser, full_host.dashboard) as page:
        name = f"Memories by type. {MANY + 1:,} memories in all, including replaced and forgotten ones."
        expect(page.frame.get_by_role("img", name=name)).to_be_visible()
        assert page.complaints == []
