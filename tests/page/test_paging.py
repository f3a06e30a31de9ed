"""Lists that the server cuts into pages: beyond the end, when the last row is gone, from far below."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.page.conftest import OpenPage
from tests.page.fake_api import FakeApi, Params, evidence, item, page_of


def person(number: int) -> dict[str, Any]:
    account = f"plat_a:kim{number}"
    shown = {"account": account, "name": f"Kim {number}", "scope_id": account, "items": 1}
    return {**shown, "chats": [], "last_seen": None, "paused": False}


def line(number: int) -> dict[str, Any]:
    words = dict.fromkeys(("action", "before", "after", "reason"), "")
    return {"id": number, "at": "2026-11-20T09:30:00+00:00", "actor": "", "memory_id": None, **words}


def waits(number: int) -> dict[str, Any]:
    return {"item": item(number, status="pending"), "evidence": [evidence()], "ends_soon": False}


@pytest.mark.parametrize(
    ("place", "name", "row", "shown", "size"),
    [
        ("memories", "items", item, "li.memory", 50),
        ("people", "people", person, "li.person", 50),
        ("audit", "audit", line, "main li", 100),
    ],
)
def test_a_page_beyond_the_end_is_the_last_one(
    open_page: OpenPage, place: str, name: str, row: Any, shown: str, size: int
) -> None:
    api = FakeApi({f"GET {name}": page_of(name, size + 10, row)})
    with open_page(api=api, place=place) as page:
        expect(page.frame.locator(shown).first).to_be_visible()
        page.go(f"{place}?page=9")
        expect(page.frame.locator(shown)).to_have_count(10)
        expect(page.frame.locator(".pager")).to_contain_text(f"{size + 1} to {size + 10} of {size + 10}")
        page.tab.evaluate("history.back()")
        expect(page.frame.locator(shown)).to_have_count(size)


def test_when_the_last_page_is_decided_the_one_before_it_is_shown(open_page: OpenPage) -> None:
    waiting = 51

    def review(path: str, params: Params, body: Any) -> Any:
        return page_of("waiting", waiting, waits)(path, params, body) | {"reasons": {}}

    def approve(path: str, params: Params, body: Any) -> Any:  # noqa: ARG001  same shape for all
        nonlocal waiting
        waiting -= len(body["memory_ids"])
        return {"done": body["memory_ids"], "left": []}

    api = FakeApi({"GET review": review, "POST review/approve": approve})
    with open_page(api=api, place="review?page=2") as page:
        rows = page.frame.locator("li.waiting")
        expect(rows).to_have_count(1)
        rows.get_by_role("button", name="Approve").click()
        expect(rows).to_have_count(50)


def test_another_page_begins_at_its_first_row(open_page: OpenPage) -> None:
    api = FakeApi({"GET items": page_of("items", 120, item)})
    with open_page(api=api, place="memories") as page:
        page.frame.get_by_role("button", name="Next").click()
        expect(page.frame.get_by_role("link", name="Fact number 51", exact=True)).to_be_in_viewport()
