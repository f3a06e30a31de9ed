"""The view People in the real dashboard: who is known, pausing, and erasing for good."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.page.conftest import Newcomer, OpenPage
from tests.page.fake_api import AT, FakeApi, Params, item, page_of

pytestmark = pytest.mark.usefixtures("model")


def person(number: int, **other: Any) -> dict[str, Any]:
    account = f"plat_a:kim{number}"
    return {
        "account": account,
        "name": f"Kim {number}",
        "scope_id": account,
        "items": number,
        "chats": [{"umo": f"plat_a:FriendMessage:kim{number}", "private": True, "last_seen": AT}],
        "last_seen": AT,
        "paused": False,
        "paused_by_operator": False,
        **other,
    }


def faked(row: Callable[[int], Any] = person, answers: Mapping[str, Any] | None = None) -> FakeApi:
    return FakeApi({"GET people": page_of("people", 2, row)} | dict(answers or {}))


def test_pausing_somebody_stops_the_learning_and_is_undone(
    open_live: OpenPage, host: Host, newcomer: Newcomer
) -> None:
    kim = newcomer("Kim")
    host.say(kim, "/ltm add I keep bees")
    with open_live(place=f"people?q={kim.id}") as page:
        row = page.frame.locator("li.person")
        expect(row).to_contain_text("1 current memory")
        row.get_by_role("button", name="Pause").click()
        page.hold_toast()
        expect(row.locator(".chip")).to_have_text("Paused by an admin")
        assert "paused" in host.say(kim, "/ltm add I love tea").lower()
        page.frame.locator(".toast").get_by_role("button", name="Undo").click()
        expect(row.locator(".chip")).to_have_count(0)


def test_erasing_somebody_wants_the_account_typed_and_leaves_nothing(
    open_live: OpenPage, host: Host, newcomer: Newcomer
) -> None:
    kim = newcomer("Kim")
    host.say(kim, "/ltm add I keep bees")
    host.say(kim, "/ltm add I love jasmine tea")
    tea = host.memories.wait_for(kim, "User loves jasmine tea")["User loves jasmine tea"]
    data(host.plugin.post(f"items/{tea['memory_id']}/delete"))
    with open_live(place=f"people?q={kim.id}") as page:
        page.frame.get_by_role("button", name="Erase").click()
        question = page.frame.get_by_role("dialog")
        expect(question).to_contain_text("the 1 counted here, replaced, expired and forgotten ones")
        agree = question.get_by_role("button", name="Erase")
        expect(agree).to_be_disabled()
        question.get_by_role("textbox").fill(f"plat_a:{kim.id}")
        agree.click()
        expect(page.frame.locator(".toast")).to_contain_text("Erased: 2 memories, including")
    left = host.plugin.get("items", params={"scope_id": f"plat_a:{kim.id}"}).json()
    assert left["total"] == 0


def test_nothing_is_erased_when_another_word_is_typed_or_it_is_called_off(open_page: OpenPage) -> None:
    api = faked()
    with open_page(api=api, place="people") as page:
        page.frame.get_by_role("button", name="Erase everything stored about Kim 1").click()
        question = page.frame.get_by_role("dialog")
        question.get_by_role("textbox").fill("plat_a:kim2")
        expect(question.get_by_role("button", name="Erase")).to_be_disabled()
        page.tab.keyboard.press("Escape")
        expect(question).to_have_count(0)
        assert api.posted("people/*") == []


def test_a_person_leads_to_what_is_remembered_of_them(open_page: OpenPage) -> None:
    api = faked(answers={"GET items": page_of("items", 1, item)})
    with open_page(api=api, place="people") as page:
        page.frame.get_by_role("link", name="2 current memories").click()
        expect(page.frame.locator("nav.nav a[aria-current]")).to_have_text("Memories")
        expect(page.frame.locator("main")).to_contain_text("Only memories of Kim 2.")
        # After the list its counts are asked for, with a status each.
        asked = next(query for _, path, query, _ in api.asked if path == "items")
        assert (asked["scope"], asked["scope_id"], asked["status"]) == ("user", "plat_a:kim2", "live")
        page.frame.get_by_role("link", name="Show all owners").click()
        expect(page.frame.locator("main")).not_to_contain_text("Only memories of")


def test_the_chats_of_a_person_are_told_in_words(open_page: OpenPage) -> None:
    with open_page(api=faked(), place="people") as page:
        first = page.frame.locator("li.person").first
        first.get_by_text("Speaks in 1 chat").click()
        expect(first).to_contain_text("private chat with Kim 1 on plat_a")


def test_of_who_is_known_from_an_import_alone_it_says_no_time(open_page: OpenPage) -> None:
    api = faked(lambda number: person(number, chats=[], last_seen=AT if number == 1 else None))
    with open_page(api=api, place="people") as page:
        heard, imported = (page.frame.locator("li.person").nth(place) for place in range(2))
        expect(heard).to_contain_text("spoke ")
        expect(imported).to_contain_text("no message from here")
        expect(imported).not_to_contain_text("spoke")


def test_of_a_person_as_many_are_listed_as_are_counted(
    open_live: OpenPage, host: Host, newcomer: Newcomer
) -> None:
    kim = newcomer("Kim")
    for text in ("/ltm add I keep bees", "/ltm add I love jasmine tea"):
        host.say(kim, text)
    tea = host.memories.wait_for(kim, "User loves jasmine tea")["User loves jasmine tea"]
    data(host.plugin.post(f"items/{tea['memory_id']}/delete"))
    with open_live(place=f"people?q={kim.id}") as page:
        page.frame.get_by_role("link", name="1 current memory").click()
        rows = page.frame.locator("li.memory")
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text("I keep bees")
        current = page.frame.get_by_role("navigation", name="Status").locator("a[aria-current]")
        expect(current).to_have_text("Current 1")


def test_pausing_says_that_it_stops_the_learning_and_the_use(open_page: OpenPage) -> None:
    api = faked(answers={"POST people/*": {"account": "plat_a:kim1", "paused": True}})
    with open_page(api=api, place="people") as page:
        pause = page.frame.get_by_role("button", name="Pause the memory of Kim 1")
        told = "Stops both: learning from what this person says, and using memories in replies to them."
        expect(pause).to_have_attribute("title", re.compile(told))
        pause.click()
        toast = page.frame.locator(".toast")
        expect(toast).to_contain_text(
            "Paused for Kim 1: the bot learns nothing they say and uses no memories in replies to them."
        )
        toast.get_by_role("button", name="Undo").click()
        expect(toast).to_contain_text("Resumed for Kim 1")


def test_a_pause_of_their_own_is_asked_about_and_put_back_as_their_own(open_page: OpenPage) -> None:
    def switched(_: str, _params: Params, body: Any) -> Any:
        return {"account": body["account"], "was_own": body["account"] == "plat_a:kim1"}

    api = faked(lambda n: person(n, paused=True, paused_by_operator=n == 2), {"POST people/*": switched})
    with open_page(api=api, place="people") as page:
        chips = page.frame.locator("li.person .chip")
        expect(chips).to_have_text(["Paused by themselves", "Paused by an admin"])
        page.frame.get_by_role("button", name="Resume the memory of Kim 1").click()
        question = page.frame.get_by_role("dialog")
        expect(question).to_contain_text("They paused it themselves.")
        assert not any(method == "POST" for method, *_ in api.asked)
        question.get_by_role("button", name="Resume anyway").click()
        page.frame.locator(".toast").get_by_role("button", name="Undo").click()
        expect(page.frame.locator(".toast")).to_contain_text("Paused for Kim 1")
        page.frame.get_by_role("button", name="Resume the memory of Kim 2").click()
        expect(page.frame.locator(".toast")).to_contain_text("Resumed for Kim 2")
        page.frame.locator(".toast").get_by_role("button", name="Undo").click()
        expect(page.frame.locator(".toast")).to_contain_text("Paused for Kim 2")
    account, other = ({"account": f"plat_a:kim{n}"} for n in (1, 2))
    assert [(path, body) for method, path, _, body in api.asked if method == "POST"] == [
        ("people/resume", account),
        ("people/pause", account | {"as_own": True}),
        ("people/resume", other),
        ("people/pause", other),
    ]


def test_a_chinese_name_has_no_space_around_it_and_a_latin_one_has(open_page: OpenPage) -> None:
    names = ("老王", "Kim")
    api = faked(lambda number: person(number, name=names[number - 1], paused=True))
    with open_page(api=api, place="people", language="zh-CN") as page:
        for name in ("恢复老王的记忆", "恢复 Kim 的记忆"):
            expect(page.frame.get_by_role("button", name=name, exact=True)).to_be_visible()


def test_people_are_counted_as_people_and_a_search_without_a_hit_says_no_more(open_page: OpenPage) -> None:
    def people(path: str, params: Params, body: Any) -> Any:
        return page_of("people", 0 if params.get("q") else 2, person)(path, params, body)

    api = faked(answers={"GET people": people})
    with open_page(api=api, place="people", language="zh-CN") as page:
        expect(page.frame.locator(".pager")).to_contain_text("第 1 至 2 人，共 2 人")
        page.go("people?q=zzz")
        expect(page.frame.locator(".state")).to_have_text("没有这个名字的人")


def test_hostile_names_are_words(open_page: OpenPage) -> None:
    hostile = '<img src=x onerror="ran()">'
    api = faked(lambda n: person(n, name=hostile))
    with open_page(api=api, place="people") as page:
        expect(page.frame.locator("li.person strong").first).to_have_text(hostile)
        assert page.frame.locator("img").count() == 0
