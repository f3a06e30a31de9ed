"""What is typed, chosen and pressed: nothing of it gets lost, and whatever is opened can be left."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.page.conftest import OpenPage
from tests.page.fake_api import AT, FakeApi, RefusedByFakeError, explained, item, page_of


def listed(**answers: Any) -> FakeApi:
    return FakeApi({"GET items": page_of("items", 1, item), "GET items/*": explained(item())} | answers)


def test_a_space_stays_while_one_thinks_of_the_next_word(open_page: OpenPage) -> None:
    api = listed()
    with open_page(api=api, place="memories") as page:
        search = page.frame.get_by_label("Search text")
        search.press_sequentially("red ")
        page.wait_until(lambda: any(query.get("q") == "red" for _, _, query, _ in api.asked))
        page.settle()
        search.press_sequentially("bike")
        expect(search).to_have_value("red bike")
        page.wait_until(lambda: any(query.get("q") == "red bike" for _, _, query, _ in api.asked))


def test_a_memory_that_is_opened_while_a_search_rests_stays_open(open_page: OpenPage) -> None:
    api = listed()
    with open_page(api=api, place="memories") as page:
        page.frame.get_by_label("Search text").fill("fact")
        page.frame.get_by_role("link", name="Fact number 1").click()
        page.wait_until(lambda: any(query.get("q") == "fact" for _, _, query, _ in api.asked))
        page.settle()
        expect(page.frame.get_by_role("dialog", name="Fact number 1")).to_be_visible()


def test_a_lifetime_left_blank_is_not_saved_as_none(open_page: OpenPage) -> None:
    api = listed()
    with open_page(api=api, place="memories") as page:
        page.frame.get_by_role("link", name="Fact number 1").click()
        page.frame.get_by_role("button", name="Edit", exact=True).click()
        form = page.frame.get_by_role("dialog", name="Edit")
        form.get_by_label("Never expires").uncheck()
        expect(form.get_by_role("button", name="Save")).to_be_enabled()
        form.get_by_label("Days until expiry").fill("")
        expect(form.get_by_role("button", name="Save")).to_be_disabled()


def test_escape_leaves_a_memory_whatever_had_the_focus_is_gone(open_page: OpenPage) -> None:
    kept = item()

    def disable(*_: Any) -> Any:
        kept["status"] = "disabled"
        return {"done": [kept["memory_id"]], "left": [], "decision_id": "d"}

    def shown(*_: Any) -> Any:
        return explained(kept)

    api = listed(**{"GET items/*": shown, "POST items/change": disable})
    with open_page(api=api, place="memories") as page:
        page.frame.get_by_role("link", name="Fact number 1").click()
        memory = page.frame.get_by_role("dialog", name="Fact number 1")
        memory.get_by_role("button", name="Disable").press("Enter")
        expect(memory.get_by_role("button", name="Enable")).to_be_visible()
        page.tab.keyboard.press("Escape")
        expect(memory).to_have_count(0)


def test_a_question_goes_with_the_view_that_asked_it(open_page: OpenPage) -> None:
    api = listed()
    with open_page(api=api, place="memories") as page:
        page.frame.get_by_role("link", name="Fact number 1").click()
        page.frame.get_by_role("button", name="Share").click()
        expect(page.frame.get_by_role("dialog", name="Share this memory?")).to_be_visible()
        page.go("audit")
        expect(page.frame.get_by_role("dialog")).to_have_count(0)
        expect(page.frame.locator("#page")).not_to_have_attribute("inert", "")
    assert api.posted("items/*") == []


@pytest.mark.parametrize("place", ["constructor", "__proto__", "toString/x?y", "%", "memories/%E0%A4%A"])
def test_an_odd_address_shows_a_view(open_page: OpenPage, place: str) -> None:
    with open_page(api=listed(), place="people") as page:
        page.go(place)
        shown = "Memories" if place.startswith("memories") else "Overview"
        expect(page.frame.locator("nav.nav a[aria-current]")).to_have_text(shown)
        assert page.complaints == []


def test_the_log_of_an_unknown_account_is_empty_and_not_waited_for(open_page: OpenPage) -> None:
    none: Any = {"recalls": [], "total": 0, "page": 1, "page_size": 50}
    api = FakeApi({"GET people": page_of("people", 0, item), "GET recalls": none})
    with open_page(api=api, place="recalls?account=plat_a:gone") as page:
        expect(page.frame.locator(".state")).to_contain_text("No recall matches")
    assert [query.get("scope_id") for _, path, query, _ in api.asked if path == "recalls"] == ["plat_a:gone"]


def test_an_account_of_signs_that_cannot_be_typed_can_be_erased(open_page: OpenPage) -> None:
    account = "plat_a: kim\u202e\u200b  lee "
    person = {"account": account, "name": "Kim", "scope_id": account, "items": 1}
    row: Any = {**person, "chats": [], "last_seen": AT, "paused": False}
    api = FakeApi(
        {"GET people": page_of("people", 1, lambda _: row), "POST people/erase": {"items": 1, "events": 1}}
    )
    with open_page(api=api, place="people") as page:
        page.frame.get_by_role("button", name="Erase everything stored about Kim").click()
        question = page.frame.get_by_role("dialog")
        question.get_by_role("textbox").fill("plat_a: kim lee")
        question.get_by_role("button", name="Erase").click()
        expect(page.frame.locator(".toast")).to_contain_text("Erased")
    assert api.posted("people/erase") == [{"account": account, "confirm": True}]


def test_a_refused_file_can_be_chosen_again_when_it_was_mended(open_page: OpenPage, tmp_path: Path) -> None:
    def refused(*_: Any) -> Any:
        raise RefusedByFakeError(422, "file: its checksum is wrong")

    file = tmp_path / "file.json"
    file.write_text("{}")
    api = FakeApi(
        {
            "GET imports": {"imports": [], "total": 0, "page": 1, "page_size": 20},
            "GET snapshots": {"snapshots": [], "offer": None},
            "POST import/check": refused,
        }
    )
    with open_page(api=api, place="transfer") as page:
        chosen = page.frame.get_by_label("File")
        chosen.set_input_files(file)
        expect(page.frame.get_by_role("alert")).to_contain_text("its checksum is wrong")
        with page.tab.expect_file_chooser():
            page.frame.get_by_text("Choose a file").click()
        # A browser tells nothing of a file that is chosen already.
        expect(chosen).to_have_value("")


def test_a_name_turns_no_account_around(open_page: OpenPage) -> None:
    turned = {"account": "plat_a:kim1", "name": "Kim\u202e", "scope_id": "plat_a:kim1", "items": 1}
    row: Any = {**turned, "chats": [], "last_seen": AT, "paused": False}
    with open_page(api=FakeApi({"GET people": page_of("people", 1, lambda _: row)}), place="tryout") as page:
        page.frame.get_by_role("combobox", name="As this person").fill("Kim")
        page.frame.get_by_role("option", name="plat_a:kim1").click()
        expect(page.frame.get_by_role("combobox", name="As this person")).to_have_value("Kim (plat_a:kim1)")


def test_a_page_without_the_dashboard_around_it_says_so(open_dashboard: OpenPage) -> None:
    with open_dashboard() as page:
        address = next(each.url for each in page.tab.frames if "/views/memory/" in each.url)
        page.tab.add_init_script("Object.defineProperty(window, 'AstrBotPluginPage', { set() {} });")
        page.tab.goto(address)
        expect(page.tab.locator("#page")).to_contain_text("AstrBot")
