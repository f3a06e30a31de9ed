"""In and out: a file is exported, checked, imported and taken back; snapshots are made and restored."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.page.browser import Opened, opened
from tests.page.conftest import OpenPage
from tests.page.fake_api import AT, HEALTH, FakeApi, RealApi

KIM = Person("kim", "Kim")
LEE = Person("lee", "Lee")
FACTS = {"I collect stamps", "my cello is in the attic"}
NO_IMPORTS: dict[str, Any] = {"imports": [], "total": 0, "page": 1, "page_size": 20}
COUNTS = {"items": 3, "evidence": 4, "events": 5}


@pytest.fixture(scope="module")
def own_host(spare_host: Host) -> Host:
    """A host with memories of two people and of nobody else."""
    spare_host.empty()
    spare_host.say(KIM, "/ltm add I collect stamps")
    spare_host.say(LEE, "/ltm add my cello is in the attic")
    spare_host.memories.wait_for(LEE, "my cello is in the attic")
    return spare_host


def exported(page: Opened, to: Path) -> dict[str, Any]:
    with page.tab.expect_download() as waited:
        page.frame.get_by_role("button", name="Export").click()
    assert waited.value.suggested_filename.startswith("ltm-export-")
    waited.value.save_as(to)
    return json.loads(to.read_text(encoding="utf-8"))


def facts(host: Host, status: str = "active") -> set[str]:
    return {item["fact"] for item in host.memories.items(status=status)}


def test_an_export_holds_everything_or_one_person(
    browser: BrowserContext, own_host: Host, tmp_path: Path
) -> None:
    with opened(browser, own_host.dashboard, place="transfer") as page:
        whole = exported(page, tmp_path / "all.json")
        assert {item["fact"] for item in whole["items"]} == FACTS
        page.frame.get_by_label("What").select_option("person")
        expect(page.frame.get_by_role("button", name="Export")).to_be_disabled()
        page.frame.get_by_role("combobox", name="Person").fill("lee")
        page.frame.get_by_role("option", name="Lee").click()
        one = exported(page, tmp_path / "one.json")
        assert {item["fact"] for item in one["items"]} == {"my cello is in the attic"}
        assert page.complaints == []


def test_a_snapshot_is_made_and_restored(browser: BrowserContext, stage: str, own_host: Host) -> None:
    with opened(browser, stage, place="transfer", api=RealApi(own_host.dashboard)) as page:
        page.frame.get_by_role("button", name="Create one now").click()
        made = page.frame.get_by_role("table", name="Snapshots").locator("tbody tr").first
        expect(made).to_contain_text("Complete")
        made.get_by_role("button", name="Restore").click()
        asked = page.frame.get_by_role("dialog")
        expect(asked).to_contain_text("would bring back 0 memories")
        expect(asked.get_by_role("button", name="Restore")).to_be_disabled()
        asked.get_by_role("button", name="Cancel").click()
        kept = {file: file.read_bytes() for file in own_host.plugin_data.glob("snapshots/*")}
        own_host.empty()
        for file, content in kept.items():
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(content)
        made.get_by_role("button", name="Restore").click()
        expect(asked).to_contain_text("nothing is deleted")
        asked.get_by_role("button", name="Restore").click()
        expect(page.frame.locator(".toast").last).to_contain_text("2 memories imported")
        assert facts(own_host) == FACTS
        assert page.complaints == []
    assert data(own_host.plugin.get("imports"))["total"] >= 1


def test_a_file_is_refused_if_damaged_or_else_checked_imported_and_taken_back(
    browser: BrowserContext, own_host: Host, tmp_path: Path
) -> None:
    file = tmp_path / "all.json"
    content = own_host.plugin.get("export").content
    file.write_bytes(content.replace(b"cello", b"viola"))
    own_host.empty()
    with opened(browser, own_host.dashboard, place="transfer") as page:
        page.frame.get_by_label("File").set_input_files(file)
        expect(page.frame.get_by_role("alert")).to_contain_text("edit them under Memories")
        expect(page.frame.get_by_role("button", name="Import", exact=True)).to_have_count(0)
        file.write_bytes(content)
        page.frame.get_by_label("File").set_input_files([])
        page.frame.get_by_label("File").set_input_files(file)
        expect(page.frame.get_by_role("alert")).to_have_count(0)
        would = page.frame.locator(".counts")
        expect(would).to_contain_text("New memories2")
        assert facts(own_host) == set()
        page.frame.get_by_role("button", name="Import", exact=True).click()
        expect(page.frame.get_by_text("Imported.")).to_be_visible()
        link = page.frame.get_by_role("link", name="Show the memories")
        expect(link).to_have_attribute("href", re.compile("import_id=."))
        assert facts(own_host) == FACTS
        page.frame.get_by_role("button", name="Import another file").click()
        page.frame.get_by_label("File").set_input_files(file)
        expect(page.frame.get_by_text("The file contains nothing new.")).to_be_visible()
        expect(page.frame.get_by_role("button", name="Import", exact=True)).to_have_count(0)
        expect(page.frame.locator(".counts")).to_contain_text("New memories0")
        for agree in ("Back", "Undo the import"):
            page.frame.get_by_role("button", name="Undo the import of all.json").click()
            assert facts(own_host) == FACTS
            page.frame.get_by_role("dialog").get_by_role("button", name=agree).click()
        expect(page.frame.locator(".toast")).to_contain_text("2 memories removed")
        expect(page.frame.get_by_role("table", name="Imports")).to_contain_text("Undone just now")
        # What the file would bring is another number now.
        expect(page.frame.locator(".counts")).to_contain_text("New memories2")
        expect(page.frame.get_by_role("button", name="Import", exact=True)).to_be_visible()
        assert facts(own_host) == set()
        assert page.complaints == []


def test_an_import_shows_that_it_is_at_work_and_what_it_would_do(open_page: OpenPage, tmp_path: Path) -> None:
    file = tmp_path / "file.json"
    file.write_text("{}")
    found = {
        "import_id": None,
        "added": COUNTS,
        "named": [
            {
                "memory_id": "m1",
                "scope": "user",
                "scope_id": "plat_a:kim",
                "fact": "User likes tea",
                "otherwise": ["User hates tea"],
            }
        ],
        "known": {"items": 2, "deleted": 1},
        "differing": {
            "items": 1,
            "named": [{"memory_id": "m2", "scope": "group", "scope_id": "g1", "fact": "We meet on Monday"}],
        },
        "gave_way": {"items": 1},
    }
    api = FakeApi({"GET health": HEALTH, "GET imports": NO_IMPORTS})
    api.answers |= {
        "GET snapshots": {"snapshots": [], "offer": None},
        "POST import/check": found
        | {
            "manifest": {
                "exported_at": AT,
                "plugin_version": "0.1.0",
                "scope": {"scope": "group", "scope_id": "g1"},
            }
        },
    }
    with open_page(api=api, place="transfer") as page:
        held = page.hold("**/import/check")
        page.frame.get_by_label("File").set_input_files(file)
        expect(page.frame.get_by_role("status").filter(has_text="Checking the file")).to_be_visible()
        page.wait_until(lambda: bool(held))
        held.pop().fallback()
        expect(page.frame.locator(".counts")).to_contain_text(
            "Of these, forgotten here (they stay forgotten)1"
        )
        expect(page.frame.locator("main")).to_contain_text("Contains only: Group g1")
        would = page.frame.get_by_role("region", name="Would be imported")
        expect(would).to_have_text(re.compile("kim.*: User likes tea.*Says otherwise here: User hates tea"))
        expect(would).to_contain_text("and 2 more")
        stay = page.frame.get_by_role("region", name="Stay as they are here")
        expect(stay).to_contain_text("Group g1: We meet on Monday")
        expect(page.frame.locator(".counts")).to_contain_text("Known with another text")


def test_a_snapshot_that_is_damaged_says_so_and_cannot_be_restored(open_page: OpenPage) -> None:
    bad = {
        "name": "s.json.gz",
        "at": AT,
        "bytes": 10,
        "items": 0,
        "good": False,
        "why": "its checksum is wrong",
    }
    api = FakeApi({"GET imports": NO_IMPORTS, "GET snapshots": {"snapshots": [bad], "offer": None}})
    with open_page(api=api, place="transfer") as page:
        row = page.frame.get_by_role("table", name="Snapshots").locator("tbody tr")
        expect(row).to_contain_text("Cannot be used")
        expect(row).to_contain_text("its checksum is wrong")
        expect(row.get_by_role("button")).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "asked", "agree"),
    [
        ("en-US", ["Replace today’s snapshot?", "with 3 memories"], "Create one now"),
        ("zh-CN", ["取代今天的快照？", "有 3 条记忆"], "立即生成"),
    ],
)
def test_a_snapshot_in_the_place_of_one_of_today_is_asked_for(
    open_page: OpenPage, language: str, asked: list[str], agree: str
) -> None:
    now = datetime.now(UTC)  # noqa: TID251  by the browser's clock
    of = {"bytes": 900, "good": True, "why": ""}
    yesterday = {"name": "a.json.gz", "at": (now - timedelta(days=1)).isoformat(), "items": 2, **of}
    today = {"name": "b.json.gz", "at": now.isoformat(), "items": 3, **of}
    listed = {"snapshots": [yesterday], "offer": None}
    api = FakeApi({"GET imports": NO_IMPORTS, "GET snapshots": listed, "POST snapshots/create": today})
    with open_page(api=api, place="transfer", language=language) as page:
        create = page.frame.locator("main").get_by_role("button", name=agree)
        create.click()
        expect(page.frame.locator(".toast")).to_be_visible()
        assert len(api.posted("snapshots/create")) == 1
        listed["snapshots"] = [today, yesterday]
        create.click()
        dialog = page.frame.get_by_role("dialog")
        for text in asked:
            expect(dialog).to_contain_text(text)
        dialog.locator("footer button").first.click()
        expect(dialog).to_have_count(0)
        assert len(api.posted("snapshots/create")) == 1
        create.click()
        dialog.get_by_role("button", name=agree).click()
        page.wait_until(lambda: len(api.posted("snapshots/create")) == 2)


@pytest.mark.parametrize("evidence", [0, 2])
def test_a_restore_that_would_bring_nothing_back_cannot_be_agreed_to(
    open_page: OpenPage, evidence: int
) -> None:
    row = {"name": "s.json.gz", "at": AT, "items": 12, "bytes": 900, "good": True, "why": ""}
    would: dict[str, Any] = {"added": {"items": 0, "evidence": evidence, "events": 4}, "named": []}
    would |= {"gave_way": {"items": 0}, "known": {"items": 12, "deleted": 0}, "differing": {"items": 0}}
    listed = {"snapshots": [row], "offer": None}
    api = FakeApi({"GET snapshots": listed, "GET imports": NO_IMPORTS, "POST snapshots/restore/check": would})
    with open_page(api=api, place="transfer") as page:
        page.frame.get_by_role("table").get_by_role("button").click()
        agree = page.frame.get_by_role("dialog").get_by_role("button", name="Restore")
        expect(agree).to_be_enabled(enabled=evidence > 0)


def test_dates_stay_within_a_narrow_card(open_page: OpenPage) -> None:
    at = "2026-11-29T00:09:00+00:00"
    row = {"name": "s.json.gz", "at": at, "items": 12, "bytes": 900, "good": True, "why": ""}
    listed = {"snapshots": [row], "offer": None}
    health = {**HEALTH, "timezone": "Asia/Shanghai"}
    api = FakeApi({"GET snapshots": listed, "GET imports": NO_IMPORTS, "GET health": health})
    with open_page(api=api, place="transfer", width=400) as page:
        shown = page.frame.get_by_role("table", name="Snapshots").locator(
            "td", has=page.frame.locator("time")
        )
        room = shown.evaluate(
            """(cell) => cell.getBoundingClientRect().right - parseFloat(getComputedStyle(cell).paddingRight)
            - cell.querySelector('time').getBoundingClientRect().right"""
        )
        assert room >= 0


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            "en-US",
            [
                "This would bring back 7 memories and 9 pieces of evidence.",
                "2 were forgotten here and stay forgotten.",
                "1 has another text here and keeps it.",
                "3 come back as history only",
                "Would be imported:\n• “fact 0”",
                "• “fact 4”\nand 2 more",
            ],
        ),
        (
            "zh-CN",
            [
                "这次会补回 7 条记忆和 9 条依据。",
                "其中 2 条在这里已忘记，不会恢复。",
                "1 条在这里的文字不同",
                "3 条只作为历史补回",
                "将导入：\n• “fact 0”",
                "• “fact 4”\n还有 2 条",
            ],
        ),
    ],
)
def test_before_a_restore_it_is_told_what_would_come_back_and_what_stays(
    open_page: OpenPage, language: str, lines: list[str]
) -> None:
    row = {"name": "s.json.gz", "at": AT, "items": 12, "bytes": 900, "good": True, "why": ""}
    would: dict[str, Any] = {"added": {"items": 7, "evidence": 9, "events": 0}, "gave_way": {"items": 3}}
    would |= {"known": {"items": 5, "deleted": 2}, "differing": {"items": 1, "named": []}}
    would["named"] = [{"fact": f"fact {n}"} for n in range(7)]
    api = FakeApi(
        {
            "GET imports": NO_IMPORTS,
            "GET snapshots": {"snapshots": [row], "offer": None},
            "POST snapshots/restore/check": would,
        }
    )
    with open_page(api=api, place="transfer", language=language) as page:
        page.frame.get_by_role("table").get_by_role("button").click()
        for line in lines:
            expect(page.frame.get_by_role("dialog")).to_contain_text(line)
        expect(page.frame.get_by_role("dialog")).not_to_contain_text("fact 5")
        page.frame.get_by_role("dialog").get_by_role("button").first.click()
        assert api.posted("snapshots/restore/check") == [{"name": "s.json.gz"}]
        assert api.posted("snapshots/restore") == []


def test_an_undone_import_accounts_for_all_that_it_brought(open_page: OpenPage) -> None:
    brought = {"import_id": "i1", "at": AT, "actor": "operator:ada", "kind": "import", "items": 7}
    row = {**brought, "name": "a.json", "events": 0, "sha256": "0" * 64, "undone_at": None}
    done = {"deleted": 5, "kept": 1, "returned": 3}
    told = (
        "5 memories removed, 1 kept because approved, edited, shared, confirmed or replaced since, "
        "1 forgotten or deleted before, 3 that they had replaced wait under Review again"
    )
    empty = {**row, "import_id": "i2", "items": 0}
    api = FakeApi(
        {
            "GET imports": {**NO_IMPORTS, "imports": [row, empty], "total": 2},
            "GET snapshots": {"snapshots": [], "offer": None},
            "POST imports/i1/undo": done,
        }
    )
    with open_page(api=api, place="transfer") as page:
        expect(page.frame.get_by_text("Nothing was imported")).to_have_count(1)
        expect(page.frame.get_by_role("link", name="7", exact=True)).to_be_visible()
        page.frame.get_by_role("button", name="Undo the import of a.json").click()
        asked = page.frame.get_by_role("dialog", name="Undo the import of a.json")
        expect(asked).to_contain_text("It imported 7 memories. Those that somebody approved")
        asked.get_by_role("button", name="Close").click()
        assert api.posted("imports/i1/undo") == []
        page.frame.get_by_role("button", name="Undo the import of a.json").click()
        row |= {"undone_at": AT}
        asked.get_by_role("button", name="Undo the import").click()
        expect(page.frame.locator(".toast")).to_contain_text(re.compile(f"Undone: a.json .*{told}"))
        table = page.frame.get_by_role("table", name="Imports")
        expect(table).to_contain_text("Undone")
        expect(table.get_by_role("link")).to_have_text("7")
