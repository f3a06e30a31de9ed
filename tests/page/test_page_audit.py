"""The audit: who did what in plain words, found by who, what and which memory."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.page.conftest import OpenPage
from tests.page.fake_api import AT, HEALTH, FakeApi, explained, item, page_of


def test_what_was_done_to_a_memory_is_told_and_leads_to_it(
    host: Host, open_live: OpenPage, newcomer: Callable[[str], Person]
) -> None:
    person = newcomer("Ash")
    host.say(person, "/ltm add I keep bees")
    memory_id = host.memories.wait_for(person, "I keep bees")["I keep bees"]["memory_id"]
    data(host.plugin.post(f"items/{memory_id}/update", json={"status": "disabled"}))
    with open_live(place=f"audit?memory_id={memory_id}") as page:
        rows = page.frame.locator("main li")
        expect(rows).to_have_count(2)
        expect(rows.first).to_contain_text("astrbot (dashboard)")
        expect(rows.first).to_contain_text("Disabled it")
        expect(rows.first).to_contain_text("In use → Disabled")
        expect(rows.last).to_contain_text("Saved at the person's request")
        page.frame.get_by_label("What", exact=True).select_option("add")
        expect(rows).to_have_count(1)
        page.frame.get_by_label("Who", exact=True).select_option("astrbot (dashboard)")
        expect(page.frame.locator(".state")).to_contain_text("No entry matches")
        page.frame.get_by_role("button", name="Clear filters").click()
        expect(rows.first).to_be_visible()
        page.go(f"audit?memory_id={memory_id}")
        rows.first.locator("summary").click()
        rows.first.get_by_role("link").click()
        expect(page.frame.locator("nav.nav a[aria-current]")).to_have_text("Memories")
        expect(page.frame.locator("#overlays, main").first).to_contain_text("I keep bees")
        assert page.complaints == []


ID = "9bd183d5-807d-4676-8d15-5ca07b6cc7ea"
TOLD = (
    ("share", "chat INTERNAL", "everywhere PUBLIC", "", "Not shared, level Internal → Shared"),
    ("erase", "plat_a:kim", "", "items=37 events=1", "Kim"),
    (
        "import",
        "May.json",
        ID,
        "items=2 evidence=3 events=3 known=1 gave_way=0",
        "3 messages, 1 already knownthe",
    ),
    (
        "undo_import",
        ID,
        "",
        "deleted=2 kept=1",
        "2 memories removed, 1 kept because approved, edited, shared, confirmed or replaced since",
    ),
    ("undo_import", "active", "", ID, "Undid an import"),
    ("revive", "superseded", "pending", "replacement_undone", "review again, because an import was undone"),
    ("supersede", "active", "superseded", f"superseded_by {ID}", "by another memory"),
    ("supersede", "shadow", "superseded", ID, "by an import"),
    ("approve", "pending", "active", "tool_result", "had waited: Its only evidence is a tool result"),
    ("undo", "active", "pending", "tool_result", "In use → Pending"),
    ("restore", "disabled", "active", "switched_off", "before: An admin disabled it"),
    ("retract", "", "", "off_the_record", "Removed it: the person asked not to keep it"),
    ("retract", "", "", "message_recalled", "Removed it with its withdrawn message"),
    ("snapshot", "", "20261127T131905000000Z-0123456789abcdef.json.gz", "items=53", "Snapshot of Nov 27"),
    ("import", "20261127T131905000000Z-0123456789abcdef.json.gz", ID, "known=53", "FromSnapshot of Nov 27"),
    ("review_notice", "", "", "admins=2", "2 admins"),
    ("policy", "1", "2", "write.mode, read.enable", "Version 1 → Version 2"),
    ("policy", "2", "3", 'write.mode: "shadow" -> "auto", read.max_items: 30 -> 7', "30 → 7"),
    ("read_now", "pending", "", "15", "15 messages"),
    ("retry", "failed", "pending", "3", "Failed → Queued"),
    ("edit", "profile", "preference", "type", "Changed its typeProfile → Preference"),
    ("edit", ID, ID, "fact", "Edited its text"),
    ("release", "pending", "shadow", "unverified", "Ended its wait"),
    ("pause", "", "paused", "plat_a:kim", "Kim"),
    ("pause", "", "paused", "qq:GroupMessage:cooks", "group cooks on qq"),
)
CODE = re.compile(r"[a-z]_[a-z]{2}|=\d|[0-9a-f]{8}-[0-9a-f]{4}|\b[A-Z]{6,}\b|write\.mode")


def test_every_line_is_told_in_words(open_page: OpenPage) -> None:
    def row(number: int) -> dict[str, Any]:
        action, before, after, reason, _ = TOLD[number - 1]
        line: dict[str, object] = {
            "id": number,
            "actor": "system",
            "memory_id": "",
            "at": AT,
            "action": action,
        }
        return line | {"before": before, "after": after, "reason": reason}

    kim = {"account": "plat_a:kim", "name": "Kim", "scope_id": "plat_a:kim"}
    people = {"people": [kim], "total": 1, "page": 1, "page_size": 200}
    api = FakeApi({"GET audit": page_of("audit", len(TOLD), row), "GET people": people})
    for language in ("en-US", "zh-CN"):
        with open_page(api=api, place="audit", language=language) as page:
            rows = page.frame.locator("main li")
            for number, (*_, told) in enumerate(TOLD):
                if language == "en-US":
                    expect(rows.nth(number)).to_contain_text(told)
                text = rows.nth(number).text_content() or ""
                assert not CODE.search(text), text
                assert text.count("Paused") < 2, text


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en-US", ["before: “lives in Oslo”", "Text beforelives in Oslo"]),
        ("zh-CN", ["修改前：“lives in Oslo”", "修改前的文字lives in Oslo"]),
    ],
)
def test_an_edit_names_the_text_that_it_replaced(open_page: OpenPage, language: str, told: list[str]) -> None:
    line = {"id": 1, "actor": "operator:olga", "action": "edit", "memory_id": "m1", "at": AT}
    line |= {"before": "old", "after": "m1", "reason": "fact"}
    listed = page_of("audit", 1, lambda _: line)

    def found(*asked: Any) -> Any:
        return listed(*asked) | {"facts": {"m1": "lives in Rome", "old": "lives in Oslo"}}

    api = FakeApi({"GET audit": found})
    with open_page(api=api, place="audit", language=language) as page:
        row = page.frame.locator("main li")
        expect(row.locator("summary")).to_contain_text(told[0])
        row.click()
        expect(row.locator("dl")).to_contain_text(told[1])


def milk(number: int) -> dict[str, Any]:
    """A line of a memory that was reworded, put back, disabled, put back, and reworded again."""
    lines = [
        ("edit", "e3", "m1", "fact", "drinks oat milk"),
        ("undo", "disabled", "active", "", "drinks tea"),
        ("disable", "active", "disabled", "switched_off", "drinks tea"),
        ("undo", "active", "active", "", "drinks tea"),
        ("edit", "profile", "episode", "type", "drinks tea"),
        ("undo", "active", "active", "", "drinks tea"),
        ("edit", "e1", "m1", "fact", "drinks milk"),
        ("add", "", "active", "", "drinks tea"),
    ]
    names = ("action", "before", "after", "reason", "fact")
    line: dict[str, Any] = {"id": 9 - number, "actor": "operator:olga", "memory_id": "m1", "at": AT}
    return line | dict(zip(names, lines[number - 1], strict=True))


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en-US", ["Undid: Edited its text", "Undid: Disabled it", "Undid: Changed its type"]),
        ("zh-CN", ["撤销操作：修改了文字", "撤销操作：停用", "撤销操作：修改了类型"]),
    ],
)
def test_a_line_tells_the_text_of_then_and_an_undo_what_it_took_back(
    open_page: OpenPage, language: str, told: list[str]
) -> None:
    listed = page_of("audit", 8, milk)
    facts = {"m1": "drinks oat milk", "e3": "drinks tea", "e1": "drinks tea"}
    older = [
        item(number, fact=fact, status="superseded", reason="edited", superseded_by="m1", updated_at=at)
        for number, fact, at in (
            (2, "drinks milk", "2026-11-22T09:30:00+00:00"),
            (3, "drinks tea", "2026-11-21T09:30:00+00:00"),
        )
    ]
    one = explained(item(1, memory_id="m1"), audit=[milk(number) for number in range(1, 9)], older=older)

    def found(*asked: Any) -> Any:
        return listed(*asked) | {"facts": facts}

    api = FakeApi({"GET audit": found, "GET items/*": one})
    with open_page(api=api, place="audit", language=language) as page:
        rows = page.frame.locator("main li")
        for number, text in ((5, told[0]), (1, told[1]), (3, told[2])):
            expect(rows.nth(number).locator("strong")).to_have_text(text)
        expect(rows.nth(5).locator("summary")).to_contain_text("drinks tea")
        expect(rows.nth(5).locator("summary")).to_contain_text("drinks milk")
        expect(rows.nth(6).locator("summary")).to_contain_text("drinks milk")
        rows.nth(6).click()
        expect(rows.nth(6).locator("dd", has_text="drinks milk")).to_have_count(1)
        expect(rows.nth(6).get_by_role("link")).to_have_text("drinks oat milk")
        page.go("audit?action=undo")
        expect(rows.nth(5).locator("strong")).not_to_contain_text(told[0])
        page.go("memories/m1")
        history = page.frame.get_by_role("dialog").locator("section").last.locator("li")
        expect(history.nth(5)).to_contain_text(told[0])
        expect(history.nth(5)).to_contain_text("drinks milk → drinks tea")
        expect(history.nth(6)).to_contain_text("drinks tea → drinks milk")
        expect(history.nth(3)).not_to_contain_text("drinks")
        held = page.frame.get_by_role("dialog").locator("li", has_text="drinks milk").first
        expect(held).to_contain_text(re.compile("21.*22"))


@pytest.mark.parametrize(
    ("actor", "told"),
    [
        ("operator:olga", "olga (dashboard)"),
        ("operator:webchat:astrbot", "astrbot on webchat (admin, by command)"),
        ("operator:plat_a:room:7", "room:7 on plat_a (admin, by command)"),
        ("operator:plat_a:ann", "Ann (admin, by command)"),
        ("operator:api_key:k17", "API key k17"),
        ("operator", "a dashboard user"),
        ("system", "the plugin itself"),
        ("tool:memory_save:plat_a:ann", "Ann (by a tool of the model)"),
        ("tool:memory_save:plat_a:kim", "kim on plat_a (by a tool of the model)"),
        ("plat_a:kim", "kim on plat_a"),
        ("plat_a:FriendMessage:kim", "kim on plat_a"),
    ],
)
def test_whoever_did_it_is_named_with_the_place_it_was_done_from(
    open_page: OpenPage, actor: str, told: str
) -> None:
    line = {"id": 1, "actor": actor, "action": "policy", "memory_id": "", "before": "", "after": ""}
    api = FakeApi({"GET audit": page_of("audit", 1, lambda _: {**line, "reason": "", "at": AT})})
    ann = {"account": "plat_a:ann", "name": "Ann", "scope_id": "plat_a:ann"}
    api.answers["GET people"] = page_of("people", 1, lambda _: ann)
    with open_page(api=api, place="audit") as page:
        expect(page.frame.locator("main .actor")).to_have_text(told)


@pytest.mark.parametrize(
    ("reader", "host", "shown"),
    [
        ("America/New_York", "Asia/Kolkata", "3:00 PM UTC+05:30"),
        ("America/New_York", "+08:00", "5:30 PM UTC+08:00"),
        ("America/New_York", "Etc/UTC", "9:30 AM UTC"),
        ("Asia/Kolkata", "No/Where", "3:00 PM UTC+05:30"),
        ("Asia/Kolkata", "", "3:00 PM UTC+05:30"),
    ],
)
def test_times_are_those_of_the_chat_with_their_offset(
    open_page: OpenPage, reader: str, host: str, shown: str
) -> None:
    line = {"id": 1, "actor": "system", "action": "policy", "memory_id": "", "before": "", "after": ""}
    api = FakeApi({"GET audit": page_of("audit", 1, lambda _: {**line, "reason": "", "at": AT})})
    api.answers["GET health"] = {**HEALTH, "timezone": host}
    with open_page(api=api) as page:
        devtools = page.tab.context.new_cdp_session(page.tab)
        zone = {"timezoneId": reader}
        devtools.send("Emulation.setTimezoneOverride", zone)  # pyright: ignore[reportUnknownMemberType] - theirs
        page.go("audit")
        told = page.frame.locator("main time").first
        expect(told).to_have_attribute("datetime", AT)
        text = f"{told.text_content()} {told.get_attribute('title')}".replace("\u202f", " ")
        assert shown in text
        assert f"{shown}+" not in text


def test_a_refusal_of_what_is_known_and_a_memory_that_is_gone_say_so(open_page: OpenPage) -> None:
    line = {"actor": "system", "at": AT, "memory_id": ID, "before": "active", "after": "active"}
    refused = {**line, "id": 1, "action": "refuse", "reason": "quote_not_found"}
    fact = {**refused, "id": 3, "memory_id": "", "before": "", "after": ""}
    gone = {**line, "id": 2, "action": "undo_import", "memory_id": "m2", "after": "", "reason": ID}
    audit = page_of("audit", 3, lambda n: [refused, fact, gone][n - 1])

    def listed(*asked: Any) -> Any:
        return audit(*asked) | {"facts": {ID: "User likes tea"}}

    with open_page(api=FakeApi({"GET audit": listed}), place="audit") as page:
        rows = page.frame.locator("main li")
        expect(rows.first.locator("summary")).to_contain_text(
            "Found it again (nothing to change)User likes teathe plugin"
        )
        expect(rows.first.locator("dl")).to_contain_text("Its quote was not found in the messages")
        expect(rows.nth(1).locator("strong")).to_have_text("Refused a fact")
        expect(rows.last.locator("summary")).to_contain_text("no longer stored")
        both = "Refused a fact, or found a memory again"
        expect(page.frame.get_by_label("What").locator("option", has_text=both)).to_have_count(1)


@pytest.mark.parametrize(("language", "told"), [("en-US", "by “{}”"), ("zh-CN", "被“{}”取代")])
def test_what_replaced_a_memory_is_named_and_linked(open_page: OpenPage, language: str, told: str) -> None:
    line = {"id": 1, "actor": "system", "at": AT, "action": "supersede", "memory_id": "old"}
    line |= {"before": "active", "after": "superseded", "reason": f"superseded_by {ID}"}
    facts = {"old": "User lives in Bonn", ID: "User lives in Oslo"}
    answer = page_of("audit", 1, lambda _: line)("", {}, None) | {"facts": facts}
    with open_page(api=FakeApi({"GET audit": answer}), place="audit", language=language) as page:
        row = page.frame.locator("main li")
        expect(row.locator("summary")).to_contain_text(f"User lives in Bonn · {told.format(facts[ID])}")
        row.locator("summary").click()
        link = row.get_by_role("link", name=told.format(facts[ID]))
        expect(link).to_have_attribute("href", re.compile(f"memories/{ID}"))


def test_many_memories_that_were_found_again_are_not_told_as_refused(open_page: OpenPage) -> None:
    def line(number: int) -> dict[str, Any]:
        told = {"memory_id": f"m{number}", "before": "active", "after": "active", "reason": "paused"}
        return {"id": number, "actor": "system", "at": AT, "action": "refuse", **told}

    with open_page(api=FakeApi({"GET audit": page_of("audit", 4, line)}), place="audit") as page:
        told = "Found 4 memories again (nothing to change)"
        expect(page.frame.locator("main summary strong").first).to_have_text(told)


def test_many_decisions_of_one_minute_are_one_line_that_opens(open_page: OpenPage) -> None:
    def line(number: int) -> dict[str, Any]:
        kept = {"id": 100 - number, "memory_id": f"m{number}", "before": "shadow", "after": "active"}
        if number <= 37:
            at = f"2026-11-20T09:30:{number:02d}+00:00"
            return {**kept, "actor": "operator:olga", "action": "approve", "at": at, "reason": "mode"}
        # Two of one minute, and one memory that was changed often, stay as they are.
        made = {**kept, "actor": "operator:olga", "action": "approve", "at": AT.replace("09:30", "09:10")}
        if number <= 39:
            return {**made, "reason": "mode"}
        return {**made, "action": "edit", "memory_id": "m40", "before": "", "after": "", "reason": "fact"}

    audit = page_of("audit", 43, line)

    def listed(*asked: Any) -> Any:
        return audit(*asked) | {"facts": {f"m{number}": f"Fact {number}" for number in range(1, 44)}}

    for language, told in (("en-US", "Approved 37 memories"), ("zh-CN", "批准 37 条记忆")):
        with open_page(api=FakeApi({"GET audit": listed}), place="audit", language=language) as page:
            rows = page.frame.locator("main .part > .loaded > ul > li, main .loaded > ul > li")
            expect(rows).to_have_count(1 + 2 + 4)
            expect(rows.first.locator("summary").first).to_contain_text(told)
            expect(rows.first.locator("summary").first).to_contain_text("Fact 1 · Fact 2 …")
            expect(rows.first.locator("li").nth(36)).to_be_hidden()
            rows.first.locator("summary").first.click()
            expect(rows.first.locator("li")).to_have_count(37)
            expect(rows.first.locator("li").nth(36)).to_contain_text("Fact 37")


def test_decisions_that_go_on_over_the_edge_of_a_page_say_so(open_page: OpenPage) -> None:
    def line(number: int) -> dict[str, Any]:
        at = (
            "2026-11-20T09:30:00+00:00"
            if 91 <= number <= 310
            else f"2026-11-20T08:{number % 60:02d}:00+00:00"
        )
        told = {"actor": "operator:olga", "action": "approve", "at": at, "reason": "mode"}
        return {**told, "id": number, "memory_id": f"m{number}", "before": "shadow", "after": "active"}

    with open_page(api=FakeApi({"GET audit": page_of("audit", 399, line)}), place="audit") as page:
        many = page.frame.locator("summary strong", has_text="memories")
        told = "Approved {} memories, more of them on the {}"
        for count, where in (
            (10, "next page"),
            (100, "pages around"),
            (100, "pages around"),
            (10, "page before"),
        ):
            expect(many).to_have_text(told.format(count, where))
            if where != "page before":
                page.frame.get_by_role("button", name="Next").click()
        expect(page.frame.get_by_role("navigation", name="Pages")).to_contain_text(
            "Entries 301 to 399 of 399, many of one minute on one line"
        )


def test_an_import_and_its_memories_are_one_line_that_names_the_file(open_page: OpenPage) -> None:
    told = {"actor": "operator:olga", "at": AT, "before": "active", "after": "", "reason": ID}
    undone = {**told, "action": "undo_import", "memory_id": "", "before": ID, "reason": "deleted=2 kept=0"}
    brought = {**told, "action": "import", "memory_id": "", "before": "May.json", "after": ID}
    brought["reason"] = "items=4 evidence=4 events=0 known=0 gave_way=0"
    back = {**told, "action": "revive", "memory_id": "old", "reason": "superseded"}
    parts = [{**told, "action": "undo_import", "memory_id": f"m{number}"} for number in range(2)]
    written = [{**told, "action": "import", "memory_id": f"m{number}"} for number in range(4)]
    lines = [undone, back, *parts, brought, *written]
    audit = page_of("audit", len(lines), lambda n: {**lines[n - 1], "id": 100 - n})
    with open_page(api=FakeApi({"GET audit": audit}), place="audit") as page:
        rows = page.frame.locator("main .loaded > ul > li")
        expect(rows).to_have_count(3)
        expect(rows.first).to_contain_text("Undid an importMay.json · 2 memories removed")
        expect(rows.last).to_contain_text("ImportedMay.json · 4 memories, 4 quotes")
        rows.last.locator("summary").first.click()
        expect(rows.last.locator("li")).to_have_count(4)
        expect(rows.last.locator("li").first).to_be_visible()


def test_it_is_asked_for_the_lines_of_some_days(host: Host, open_live: OpenPage) -> None:
    data(host.plugin.post("people/pause", json={"account": "plat_a:nobody"}))
    data(host.plugin.post("people/resume", json={"account": "plat_a:nobody"}))
    with open_live(place="audit?actor=operator:astrbot") as page:
        expect(page.frame.locator("main li").first).to_be_visible()
        page.frame.get_by_label("To day").fill("2020-01-31")
        expect(page.frame.locator(".state")).to_contain_text("No entry matches")
        page.go("audit?actor=operator:astrbot&since=2020-01-31")
        expect(page.frame.locator("main li").first).to_be_visible()


def test_the_zone_of_an_exact_time_is_told(open_page: OpenPage) -> None:
    line = {"id": 1, "actor": "system", "at": AT, "memory_id": "", "before": "", "after": ""}
    one = {**line, "action": "pause", "reason": ""}
    with open_page(api=FakeApi({"GET audit": page_of("audit", 1, lambda _: one)}), place="audit") as page:
        time = page.frame.locator("main time")
        expect(time).to_have_text(re.compile(r"^Nov 20, 2026, \d+:30 AM [A-Z]\S*$"))
        expect(time).to_have_attribute("title", re.compile(r"^(?!Nov)."))


@pytest.mark.parametrize("width", [1280, 850])
def test_clearing_filters_comes_without_moving_the_list_and_keeps_no_line(
    open_page: OpenPage, width: int
) -> None:
    line = {"id": 1, "actor": "system", "at": AT, "memory_id": "", "before": "", "after": "", "reason": ""}
    api = FakeApi({"GET audit": page_of("audit", 1, lambda _: {**line, "action": "pause"})})
    # So wide that the fields fill the row.
    with open_page(api=api, place="audit", width=width) as page:
        rows = page.frame.locator("main li")
        before = rows.bounding_box()
        last = page.frame.get_by_label("To day").bounding_box()
        assert before
        assert last
        assert before["y"] - last["y"] - last["height"] < 40
        page.frame.get_by_label("What", exact=True).select_option("pause")
        expect(page.frame.get_by_role("button", name="Clear filters")).to_be_visible()
        page.settle()
        assert rows.bounding_box() == before
