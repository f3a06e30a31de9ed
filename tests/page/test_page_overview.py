"""The overview: what is wrong and what to do about it, the first steps, the switches, the charts."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.page.browser import opened
from tests.page.conftest import OpenPage
from tests.page.fake_api import AT, HEALTH, FakeApi, RealApi

DAYS = [f"2026-11-{day:02d}" for day in range(1, 15)]
STATS: dict[str, Any] = {
    "scopes": [],
    "total": 0,
    "page": 1,
    "page_size": 1,
    "types": {"profile": {"active": 4, "shadow": 1, "deleted": 2}, "episode": {"pending": 3}},
    "growth": [{"day": day, "items": 2, "events": 20} for day in DAYS],
    "recalls": [{"day": day, "total": 10, "empty": 1} for day in DAYS],
    "tokens": [{"day": day, "calls": 3, "prompt_tokens": 900, "answer_tokens": 100} for day in DAYS],
}
NO_SNAPSHOTS: dict[str, Any] = {"snapshots": [], "offer": None}


@pytest.fixture(scope="module")
def shadow_host(spare_host: Host) -> Iterator[Host]:
    """A host in shadow mode that knows nothing yet: the tests here turn its switches."""
    with spare_host.plugin.configured({"write_policy": {"mode": "shadow"}}):
        spare_host.empty()
        yield spare_host


def fake(**health: Any) -> FakeApi:
    answers = {"GET health": {**HEALTH, **health}, "GET stats": STATS, "GET snapshots": NO_SNAPSHOTS}
    answers["GET audit"] = {"audit": [], "total": 0, "page": 1, "page_size": 1}
    return FakeApi(answers)


def test_shadow_mode_is_explained_until_what_is_learnt_is_used(
    browser: BrowserContext, stage: str, shadow_host: Host
) -> None:
    shadow_host.say(Person("kim", "Kim"), "My name is Kim")
    shadow_host.memories.wait_until_extracted()
    with opened(browser, stage, api=RealApi(shadow_host.dashboard)) as page:
        guide = page.frame.get_by_role(
            "region", name="The bot is learning, but does not use what it learns yet"
        )
        expect(guide).to_contain_text("1 memory waits under Review.")
        guide.get_by_role("button", name="Use new facts immediately").click()
        asked = page.frame.get_by_role("dialog")
        expect(asked).to_contain_text("used in replies without review")
        expect(asked).to_contain_text(
            "The 1 memory that waits under Review stays unused until you approve it."
        )
        asked.get_by_role("button", name="Use them").click()
        expect(guide).to_have_count(0)
        expect(page.frame.get_by_label("Auto (use immediately)")).to_be_checked()
        assert data(shadow_host.plugin.get("health"))["mode"] == "auto"
        expect(page.frame.get_by_text("unless its type needs approval under Policy")).to_be_visible()
        page.frame.locator(".toast").get_by_role("button", name="Undo").click()
        expect(page.frame.get_by_label("Shadow (store, do not use)")).to_be_checked()
        assert page.complaints == []
    assert data(shadow_host.plugin.get("health"))["mode"] == "shadow"


def test_the_guide_says_what_there_is_and_is_a_line_after_the_first_decision(open_page: OpenPage) -> None:
    api = fake(mode="shadow", items={"active": 14})
    with open_page(api=api) as page:
        guide = page.frame.locator(".first-run")
        expect(guide).to_contain_text("No memory waits under Review; 14 are in use.")
        expect(guide).to_contain_text("Facts that somebody asked to remember are used immediately")
        expect(guide.locator("li")).to_have_count(3)
        api.answers["GET health"] = {**HEALTH, "mode": "shadow", "items": {}}
        api.answers["GET audit"] = {"audit": [], "total": 1, "page": 1, "page_size": 1}
        page.go("recalls")
        expect(guide).to_have_count(0)
        page.go("overview")
        expect(guide).to_contain_text(
            "a learnt fact is used only after approval. Nothing has been learnt yet."
        )
        expect(guide.locator("li")).to_have_count(0)
        assert guide.evaluate("(it) => it.offsetHeight") < 70
        api.answers["GET health"] = {**HEALTH, "mode": "shadow", "waiting": 2, "items": {"active": 1}}
        page.go("recalls")
        page.go("overview")
        expect(guide).to_contain_text("2 memories wait under Review; 1 is in use.")


def test_the_next_reading_is_told_and_can_be_now(open_page: OpenPage) -> None:
    soon = (datetime.now(UTC) + timedelta(minutes=4, seconds=50)).isoformat()  # noqa: TID251  the browser's now
    api = fake(token_cap=1000, events={"pending": 3}, next_reading_at=soon)
    api.answers["POST jobs/read-now"] = {"hastened": 3}
    with open_page(api=api) as page:
        work = page.frame.locator("dl.work")
        expect(work).to_contain_text("Next extraction in 4 minutes.")
        expect(work.locator("span[title]")).to_be_visible()
        work.get_by_role("button", name="Process now").click()
        toast = page.frame.locator(".toast")
        expect(toast).to_contain_text("Extraction of all waiting messages has started.")
        # The page has room for it at its end.
        page.hold_toast()
        shell = page.frame.locator(".shell").evaluate("(e) => parseFloat(getComputedStyle(e).paddingBottom)")
        toasts = page.frame.locator(".toasts").evaluate("(e) => e.offsetHeight")
        assert shell >= toasts > 0
        assert page.complaints == []


def test_the_first_week_is_told_in_numbers(open_page: OpenPage) -> None:
    api = fake()
    growth = [{"day": day, "items": 0, "events": 0} for day in DAYS[:-3]] + STATS["growth"][-3:]
    api.answers["GET stats"] = {**STATS, "growth": growth}
    with open_page(api=api) as page:
        numbers = page.frame.get_by_role("region", name="The first days")
        expect(numbers.locator("dt")).to_have_count(6)
        expect(numbers.locator("dt").first).to_have_text("New messages")
        expect(page.frame.get_by_text("0 calls today")).to_be_visible()
        expect(numbers.locator("dd")).to_have_text(["60", "6", "140", "14", "42", "14,000"])
        expect(page.frame.locator(".day-bars")).to_have_count(0)


def test_the_mode_stays_when_nobody_agrees(browser: BrowserContext, stage: str, shadow_host: Host) -> None:
    before = data(shadow_host.plugin.get("health"))["mode"]
    with opened(browser, stage, api=RealApi(shadow_host.dashboard)) as page:
        # A click is lost if what loads above the button moves it meanwhile.
        page.tab.wait_for_load_state("networkidle")
        page.frame.get_by_role("button", name="Turn read-only on").click()
        expect(page.frame.get_by_role("dialog")).to_be_visible()
        expect(page.frame.locator(".button .spinner")).to_be_hidden()
        page.frame.get_by_role("dialog").get_by_role("button", name="Cancel").click()
        page.frame.get_by_label("Manual (require approval)").click()
        page.frame.get_by_role("dialog").get_by_role("button", name="Cancel").click()
        expect(page.frame.get_by_label("Manual (require approval)")).not_to_be_checked()
    assert data(shadow_host.plugin.get("health"))["mode"] == before


def test_read_only_is_turned_on_and_off_with_a_question(
    browser: BrowserContext, stage: str, shadow_host: Host
) -> None:
    with opened(browser, stage, api=RealApi(shadow_host.dashboard)) as page:
        # A click is lost if what loads above the button moves it meanwhile.
        page.tab.wait_for_load_state("networkidle")
        page.frame.get_by_role("button", name="Turn read-only on").click()
        page.frame.get_by_role("dialog").get_by_role("button", name="Turn read-only on").click()
        expect(page.frame.locator(".banner-warning")).to_contain_text("Read-only")
        assert data(shadow_host.plugin.get("health"))["read_only"] is True
        page.frame.locator(".trouble").get_by_role("button", name="End read-only").click()
        page.frame.get_by_role("dialog").get_by_role("button", name="End it").click()
        expect(page.frame.locator(".banner-warning")).to_have_count(0)
    assert data(shadow_host.plugin.get("health"))["read_only"] is False


def test_messages_that_failed_are_named_and_read_again(open_page: OpenPage) -> None:
    job = {
        "event_id": "e",
        "umo": "a:GroupMessage:g",
        "attempts": 5,
        "last_error": "RateLimit",
        "created_at": AT,
    }
    api = fake(events={"failed": 2}, last_error="RateLimit")
    api.answers["GET jobs"] = {"jobs": [job], "total": 1, "page": 1, "page_size": 10}

    def retried(*_: Any) -> Any:
        api.answers["GET health"] = HEALTH
        return {"retried": 2}

    api.answers["POST jobs/retry"] = retried
    with open_page(api=api) as page:
        trouble = page.frame.locator(".trouble-error")
        expect(trouble).to_contain_text("Extraction failed for 2 messages. Last error: RateLimit")
        trouble.get_by_text("Which messages").click()
        expect(trouble.get_by_role("cell", name="group g on a")).to_be_visible()
        trouble.get_by_role("button", name="Process again").click()
        expect(page.frame.locator(".toast")).to_contain_text("Processing 2 messages again.")
        expect(trouble).to_have_count(0)


TROUBLES: list[tuple[dict[str, Any], str]] = [
    (
        {"problems": [{"key": "store", "why": "the disk is full; free some space"}]},
        "The disk is full; free some space.",
    ),
    (
        {"problems": [{"key": "extraction_provider_id", "why": "HTTP 401"}]},
        "The extraction model does not answer",
    ),
    ({"chat_provider": False}, "Add a chat provider under Providers"),
    ({"token_cap": 100, "tokens_today": 100}, "Messages wait until midnight (UTC)"),
    ({"token_cap": 0}, "the daily token cap is 0"),
    ({"embedding_error": "HTTP 500"}, "Embedding fails at the moment: HTTP 500"),
    ({"not_embeddable": 2}, "rejects 2 memories"),
    ({"waiting_expire_soon": 1}, "1 memory under Review expires within 7 days."),
    ({"waiting_expire_soon": 2}, "Each then lasts for the retention of its type"),
    ({"memory_plugins": ["LivingMemory"]}, "Another memory plugin is active: LivingMemory."),
    ({"paused_people": 1}, "Paused for 1 person."),
    ({"paused_groups": 2}, "Paused in 2 groups."),
    ({"passed_over": 4}, "4 messages were processed by rules only."),
    ({"embedding_model": None}, "memories are found by words only"),
    ({"recall_log": False}, "The setting “Retention of the recall log, in days” turns it on"),
    ({"failures": {"on_llm_request": 3}}, "3 failures since the start."),
    ({"events": {"pending": 7}}, "7 messages"),
    ({"embedded": 5, "embeddable": 9}, "5 of 9"),
    ({"notes": ["A copy is set aside in data.old"]}, "A copy is set aside in data.old"),
    ({"state": "paused"}, "Fix the problem named above."),
    ({"state": "disabled"}, "Turn on “Remember”"),
    ({"state": "closed"}, "reload it under Extensions"),
]


def stopped(health: dict[str, Any]) -> dict[str, Any]:
    """Of a memory that does not run nothing is counted."""
    return {"version": "0.1.0", "problems": [], "failures": {}, "notes": [], **health}


def test_it_says_what_is_wrong_and_what_to_do(open_page: OpenPage) -> None:
    api = fake(token_cap=1000)
    with open_page(api=api) as page:
        health = page.frame.locator(".health")
        expect(health).to_contain_text("No problems. Version 0.1.0.")
        expect(page.frame.locator(".trouble")).to_have_count(0)
        for wrong, told in TROUBLES:
            page.go("recalls")
            expect(health).to_have_count(0)
            api.answers["GET health"] = (
                stopped(wrong) if "state" in wrong else {**HEALTH, "token_cap": 1000} | wrong
            )
            page.go("overview")
            expect(health).to_contain_text(told)


def test_each_chart_is_told_in_words_and_has_its_numbers_in_a_table(open_page: OpenPage) -> None:
    api = fake(token_cap=5000)
    with open_page(api=api) as page:
        told = [
            "Memories by type. 10 memories in all, including replaced and forgotten ones.",
            "New memories, 30 days (UTC). 28 memories and 280 messages still stored, with imports.",
            (
                "Recalls, 14 days (UTC). 140 recalls still in the log, "
                "14 of them without memories (paused ones not counted)."
            ),
            "Model calls, 30 days (UTC). 42 calls for extraction.",
            "Model tokens, 30 days (UTC). 14,000 tokens, prompts and answers together.",
        ]
        for name in told:
            expect(page.frame.get_by_role("img", name=name)).to_be_visible()
        expect(page.frame.locator(".chart")).to_have_count(len(told))
        expect(page.frame.locator(".chart").last).to_contain_text("daily cap 5,000")
        kinds = page.frame.get_by_role("region", name="Memories by type")
        kinds.get_by_text("Numbers").click()
        kinds.get_by_role("row", name="Profile").get_by_role("link", name="4").click()
        page.settle()
        expect(page.frame.locator("nav.nav a[aria-current]")).to_have_text("Memories")
    wanted = [query for _, path, query, _ in api.asked if path == "items"]
    assert wanted[-1]["type"] == "profile"
    assert wanted[-1]["status"] == "active"


def test_a_snapshot_that_is_offered_is_restored_with_a_question(open_page: OpenPage) -> None:
    api = fake(token_cap=1000)
    snapshot = {"name": "s.json.gz", "at": AT, "bytes": 900, "items": 24, "good": True, "why": ""}
    api.answers["GET snapshots"] = {"snapshots": [snapshot], "offer": "s.json.gz"}

    def checked(*_: Any) -> Any:
        counts = {"items": 24, "evidence": 30, "events": 60}
        none = {"items": 0, "deleted": 0}
        named = [{"fact": "User likes tea"}]
        return {"added": counts, "known": none, "differing": none, "gave_way": none, "named": named}

    def restored(*_: Any) -> Any:
        api.answers["GET snapshots"] = {"snapshots": [snapshot], "offer": None}
        return {"import_id": "i"} | checked()

    api.answers |= {"POST snapshots/restore/check": checked, "POST snapshots/restore": restored}
    with open_page(api=api) as page:
        offer = page.frame.locator(".offer")
        expect(offer).to_contain_text("24 memories")
        offer.get_by_role("button", name="Restore it").click()
        page.frame.get_by_role("dialog").get_by_role("button", name="Restore").click()
        expect(page.frame.locator(".toast")).to_contain_text("24 memories imported")
        expect(offer).to_have_count(0)
    assert api.posted("snapshots/restore") == [{"name": "s.json.gz"}]


def test_who_spoke_last_is_paused_with_one_click(open_page: OpenPage) -> None:
    person = {"account": "plat_a:kim", "name": "Kim", "scope_id": "plat_a:kim", "items": 2}
    row: dict[str, Any] = {**person, "chats": [], "last_seen": STATS["growth"][0]["day"], "paused": False}
    api = fake()
    imported = {**row, "account": "plat_a:carol", "name": "Carol", "last_seen": None}
    api.answers["GET people"] = {"people": [imported, row], "total": 2, "page": 1, "page_size": 3}
    api.answers["POST people/pause"] = {"account": "plat_a:kim", "paused": True}
    with open_page(api=api) as page:
        spoke = page.frame.get_by_role("region", name="Spoke last")
        expect(spoke.get_by_role("button")).to_have_count(1)
        expect(spoke).not_to_contain_text("Carol")
        spoke.get_by_role("button", name="Kim").click()
        expect(page.frame.locator(".toast").get_by_role("button", name="Undo")).to_be_visible()
    assert api.posted("people/pause") == [{"account": "plat_a:kim"}]
