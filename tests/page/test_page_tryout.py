"""Trying a recall, and the log of real ones: what was given, each share of it, what was left out and why."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.reading import NoVector
from astrbot_plugin_ltm.long_term_memory.domain.recalls import NoBlock
from playwright.sync_api import expect

from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.page.conftest import OpenPage
from tests.page.fake_api import AT, FakeApi, Params, item, page_of

ROOT = Path(__file__).resolve().parents[2]
MARKUP = "<img src=x onerror=alert(1)> **bold**"
OUTCOME: dict[str, Any] = {
    "block": "<memories>\nKim is allergic to peanuts\n</memories>",
    "reason": "",
    "vectors": True,
    "tokens": 21,
    "given": [
        {
            "memory_id": "m1",
            "fact": MARKUP,
            "type": "constraint",
            "status": "active",
            "score": 0.7,
            "similarity": 0.6,
            "importance": 0.03,
            "recency": 0.02,
            "words": 3.25,
            "cosine": 0.61,
        }
    ],
    "left_out": [
        {
            "memory_id": f"m-{rule}",
            "fact": None if rule == "max_tokens" else rule,
            "type": "profile",
            "status": "active",
            "rule": rule,
            "reworded": rule == "shadowed",
            "retyped": rule == "duplicate",
            "score": 0.9 if rule in ("not_relevant", "max_items") else None,
        }
        for rule in (
            "not_relevant",
            "shadowed",
            "duplicate",
            "max_per_type",
            "max_items",
            "max_tokens",
            "not_sent",
            "shadow",
        )
    ],
    "not_here": 2,
}


def somebody(number: int) -> dict[str, Any]:
    account = f"plat_a:person{number}"
    chat = {"umo": f"plat_a:FriendMessage:person{number}", "private": True, "last_seen": AT}
    group = {"umo": "plat_a:GroupMessage:g1", "private": False, "last_seen": AT}
    person = {"account": account, "name": f"Person {number}", "scope_id": account, "items": number}
    return {**person, "chats": [chat, group], "last_seen": AT, "paused": False}


def fake(outcome: dict[str, Any] = OUTCOME) -> FakeApi:
    def people(path: str, params: Params, body: Any) -> Any:
        return page_of("people", 3 if not params.get("q") else 2, somebody)(path, params, body)

    return FakeApi({"GET people": people, "POST recall/try": outcome})


@pytest.fixture
def knower(host: Host, newcomer: Callable[[str], Person]) -> Person:
    """Somebody of whom two things are known."""
    person = newcomer("Robin")
    host.say(person, "/ltm add I am allergic to peanuts")
    host.say(person, "/ltm add I collect stamps from Peru")
    host.memories.wait_for(person, "User is allergic to peanuts", "I collect stamps from Peru")
    return person


@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
def test_every_rule_that_leaves_out_a_memory_has_its_words(language: str) -> None:
    commands = json.loads(
        (ROOT / "long_term_memory" / "texts" / f"{language}.json").read_text(encoding="utf-8")
    )
    page = (ROOT / "pages" / "memory" / "texts" / language / "tryout.js").read_text(encoding="utf-8")
    shown = json.loads(page.strip().removeprefix("export default ").removesuffix(";"))
    family = "left_out."
    assert {key for key in shown if key.startswith(family)} == {
        key for key in commands if key.startswith(family)
    }
    assert {f"recall_reason.{reason}" for reason in (*NoBlock, *NoVector)} <= shown.keys()


def test_a_try_shows_the_block_as_the_model_would_get_it(
    host: Host, open_live: OpenPage, knower: Person
) -> None:
    with open_live(place="tryout") as page:
        page.frame.get_by_role("combobox", name="As this person").fill(knower.id)
        page.frame.get_by_role("option", name=knower.id).click()
        page.frame.get_by_label("Message").fill("Are there peanuts in it?")
        page.frame.get_by_role("button", name="Try it").click()
        given = page.frame.get_by_role("region", name="Included")
        expect(given).to_contain_text("User is allergic to peanuts")
        asked = {"account": f"plat_a:{knower.id}", "umo": f"plat_a:FriendMessage:{knower.id}"}
        would = data(host.plugin.post("recall/try", json={**asked, "text": "Are there peanuts in it?"}))
        expect(page.frame.locator("pre.block")).to_have_text(would["block"])
        expect(given).to_contain_text("Similarity")
        stamps = page.frame.locator("main li", has_text="stamps from Peru")
        expect(stamps.locator(".chip").first).to_have_text("Note")
        given.get_by_role("link", name="User is allergic to peanuts").click()
        expect(page.frame.locator("nav.nav a[aria-current]")).to_have_text("Memories")
        assert page.complaints == []


def test_a_try_leaves_no_trace(host: Host, open_live: OpenPage, knower: Person) -> None:
    before = data(host.plugin.get("recalls", params={"scope_id": f"plat_a:{knower.id}"}))["total"]
    with open_live(place=f"tryout?account=plat_a:{knower.id}&text=peanuts") as page:
        expect(page.frame.get_by_role("region", name="Included")).to_contain_text("peanuts")
    assert data(host.plugin.get("recalls", params={"scope_id": f"plat_a:{knower.id}"}))["total"] == before
    assert {item["access_count"] for item in host.memories.of(knower).values()} == {0}


def test_a_person_is_chosen_by_the_keyboard_alone(open_page: OpenPage) -> None:
    api = fake()
    with open_page(api=api, place="tryout") as page:
        field = page.frame.get_by_role("combobox", name="As this person")
        field.focus()
        field.press_sequentially("Per")
        expect(page.frame.get_by_role("listbox").get_by_role("option")).to_have_count(2)
        field.press("ArrowDown")
        field.press("Enter")
        expect(field).to_have_value("Person 2 (plat_a:person2)")
        page.frame.get_by_label("Message").fill("food")
        page.frame.get_by_label("At this level").select_option("RESTRICTED")
        page.frame.get_by_label("In this chat").select_option("plat_a:GroupMessage:g1")
        page.frame.get_by_role("button", name="Try it").press("Enter")
        expect(page.frame.locator("pre.block")).to_have_text(OUTCOME["block"])
    wanted = {
        "account": "plat_a:person2",
        "umo": "plat_a:GroupMessage:g1",
        "text": "food",
        "level": "RESTRICTED",
    }
    assert api.posted("recall/try") == [wanted]
    assert "Per" in [query.get("q") for _, path, query, _ in api.asked if path == "people"]


def test_a_name_that_fits_one_person_is_taken_when_one_goes_on(open_page: OpenPage) -> None:
    api = fake()
    found = api.answers["GET people"]

    def people(path: str, params: Params, body: Any) -> Any:
        one = page_of("people", 1, somebody)
        return (one if params.get("q") == "Bob" else found)(path, params, body)

    api.answers["GET people"] = people
    with open_page(api=api, place="tryout") as page:
        field = page.frame.get_by_role("combobox", name="As this person")
        field.fill("Per")
        page.frame.get_by_label("Message").fill("food")
        expect(page.frame.get_by_role("button", name="Try it")).to_be_disabled()
        expect(field).to_have_value("Per")
        for typed in ("Bob", "person 2"):
            field.fill(typed)
            field.press("Tab")
            expect(field).to_have_value(re.compile(r"^Person \d \(plat_a:person\d\)$"))
            expect(page.frame.get_by_role("button", name="Try it")).to_be_enabled()


def test_what_was_typed_and_chosen_survives_a_change_of_tab(open_page: OpenPage) -> None:
    with open_page(api=fake(), place="tryout") as page:
        field = page.frame.get_by_role("combobox", name="As this person")
        field.fill("Per")
        page.frame.get_by_role("option", name="Person 1").click()
        page.frame.get_by_label("Message").fill("food")
        page.go("people")
        page.go("tryout")
        expect(field).to_have_value("Person 1 (plat_a:person1)")
        expect(page.frame.get_by_label("Message")).to_have_value("food")


def test_what_one_person_was_given_goes_when_another_is_chosen(open_page: OpenPage) -> None:
    api = fake()
    api.answers["POST recall/why-not"] = {"text": "Nothing is known of it.", "memories": []}
    with open_page(api=api, place="tryout?account=plat_a:person1&text=food") as page:
        block = page.frame.locator("pre.block")
        expect(block).to_be_visible()
        expect(page.frame.locator("main")).to_contain_text(
            "As Person 1, in the private chat with Person 1 on plat_a: “food”"
        )
        page.frame.get_by_label("What became of something").fill("tea")
        page.frame.get_by_role("button", name="Look it up").click()
        told = page.frame.get_by_text("Nothing is known of it.")
        expect(told).to_be_visible()
        field = page.frame.get_by_role("combobox", name="As this person")
        field.fill("Per")
        page.frame.get_by_role("option", name="Person 2").click()
        expect(field).to_have_value("Person 2 (plat_a:person2)")
        expect(block).to_have_count(0)
        page.frame.get_by_role("button", name="Try it").click()
        expect(block).to_be_visible()
        expect(told).to_have_count(0)


@pytest.mark.parametrize(
    ("signals", "told"),
    [
        ({"words": 0, "cosine": None, "similarity": 0.25}, True),
        ({"words": None, "cosine": None, "similarity": 0.25}, True),
        ({"words": 0, "cosine": None, "similarity": 0}, False),
        ({"words": 0.3, "cosine": None, "similarity": 0.25}, False),
        ({"words": 0, "cosine": 0.1, "similarity": 0.25}, False),
    ],
)
def test_a_minimum_is_not_called_a_similarity(
    open_page: OpenPage, signals: dict[str, Any], *, told: bool
) -> None:
    given = {**OUTCOME["given"][0], "type": "constraint", **signals}
    with open_page(
        api=fake({**OUTCOME, "given": [given]}), place="tryout?account=plat_a:person1&text=x"
    ) as page:
        shown = page.frame.locator(".signals")
        expect(shown).to_contain_text("Minimum of the type" if told else "Similarity")
        expect(shown.get_by_text("No word of it is in the message")).to_have_count(int(told))


def test_an_answer_comes_into_view_and_takes_the_focus(open_page: OpenPage) -> None:
    of_kim = {"scope": "user", "scope_id": "plat_a:kim", "umo": "plat_a:FriendMessage:kim", "at": AT}
    recall = {**of_kim, "level": "PUBLIC", "query": "x", "reason": "", "vectors": True}
    listed: dict[str, Any] = {"recalls": [], "total": 0, "page": 1, "page_size": 50}
    told: dict[str, Any] = {"text": "Nothing is known of it.\n" * 6, "memories": []}
    found = {**OUTCOME, "recall": recall, "reply": "y"}
    api = FakeApi({"GET recalls": listed, "GET recalls/r1": found, "POST recall/why-not": told})
    with open_page(api=api, place="recalls/r1", height=600) as page:
        opened = page.frame.get_by_role("dialog", name="Recall")
        opened.get_by_label("What became of something").fill("tea")
        opened.get_by_role("button", name="Look it up").click()
        answer = opened.locator(".answer")
        expect(answer).to_contain_text("Nothing is known of it.")
        expect(answer).to_be_in_viewport(ratio=0.99)
        expect(answer).to_be_focused()


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("paused", "Paused"),
        ("reading_off", "Recall off"),
        ("nothing_relevant", "Nothing relevant"),
        ("nothing_remembered", "None was in use"),
        ("of_a_later_version", "None"),
    ],
)
def test_the_log_says_why_nothing_was_included(open_page: OpenPage, reason: str, told: str) -> None:
    of = {"scope": "user", "scope_id": "plat_a:person1", "umo": "plat_a:FriendMessage:person1", "at": AT}
    row = {**of, "recall_id": "r", "level": "INTERNAL", "query": "x", "given": 0, "left_out": 2}
    api = fake()
    api.answers["GET recalls"] = page_of("recalls", 1, lambda _: {**row, "vectors": True, "reason": reason})
    with open_page(api=api, place="recalls") as page:
        expect(page.frame.locator("tbody .chip")).to_have_text(told)
        expect(page.frame.locator("tbody time")).to_have_text(re.compile(r"^Nov 20, \d+:30 AM \S+$"))


def test_a_recall_of_the_log_tells_how_it_was_then_and_leads_to_what_waits_of_the_person(
    open_page: OpenPage,
) -> None:
    of = {"scope": "user", "scope_id": "plat_a:person1", "umo": "plat_a:FriendMessage:person1", "at": AT}
    recall = {**of, "level": "PUBLIC", "query": "x", "reason": "nothing_remembered", "vectors": False}
    left = [{**row, "rule": "shadow", "status": "active"} for row in OUTCOME["left_out"][:1]]
    api = fake()
    api.answers["GET recalls"] = {"recalls": [], "total": 0, "page": 1, "page_size": 50}
    api.answers["GET recalls/r1"] = {"recall": recall, "reply": "y", "given": [], "left_out": left}
    none: dict[str, Any] = {"waiting": [], "reasons": {}, "page": 1, "page_size": 50, "changed_at": AT}
    api.answers["GET review"] = {**none, "total": 0}
    with open_page(api=api, place="recalls/r1") as page:
        opened = page.frame.get_by_role("dialog", name="Recall")
        expect(opened.locator(".recall-list li")).to_have_count(1)
        expect(opened.get_by_role("link", name="Waiting memories of Person 1")).to_have_count(0)
    api.answers["GET review"] = {**none, "total": 1}
    with open_page(api=api, place="recalls/r1") as page:
        opened = page.frame.get_by_role("dialog", name="Recall")
        expect(opened).to_contain_text("All memories here waited for approval then, or were disabled.")
        opened.get_by_role("link", name="Waiting memories of Person 1").click()
        field = page.frame.get_by_role("combobox", name="Person")
        expect(field).to_have_value("Person 1 (plat_a:person1)")


def test_what_a_try_still_needs_is_told(open_page: OpenPage) -> None:
    api = fake()
    with open_page(api=api, place="tryout") as page:
        expect(page.frame.get_by_text("Choose a person and write a message.")).to_be_visible()
        person = page.frame.get_by_role("combobox", name="As this person")
        page.frame.get_by_label("Message").fill("Hi")
        api.answers["GET people"] = page_of("people", 0, lambda _: {})
        person.fill("zzz:nobody")
        page.frame.get_by_label("Message").fill("")
        expect(page.frame.get_by_role("alert")).to_have_text("Nobody with this name has spoken yet.")
        api.answers = fake().answers
        person.fill("Per")
        page.frame.get_by_role("option", name="Person 2").click()
        expect(page.frame.get_by_text("Write a message.", exact=True)).to_be_visible()


def test_each_share_and_each_rule_is_told_and_text_stays_text(open_page: OpenPage) -> None:
    with open_page(api=fake(), place="tryout?account=plat_a:person1&text=x") as page:
        given = page.frame.get_by_role("region", name="Included")
        expect(given.get_by_role("link")).to_have_text(MARKUP)
        numbers = ["Score0.7", "Similarity0.6", "Importance0.03", "Recency and type0.02"]
        numbers += ["Person, day or plans asked for0.05"]
        expect(given.locator(".signal-numbers > div")).to_have_text(
            [*numbers, "Word match (raw value)3.25", "Embedding similarity (raw value)0.61"]
        )
        left = page.frame.get_by_role("region", name="Omitted")
        expect(left.locator("li p")).to_have_text(
            [
                "It is not relevant enough to the message.",
                "Another version of it applies here.",
                "A memory that says the same was included.",
                "The limit for its type was reached.",
                (
                    "The limit of memories per request was reached. Score 0.9. Those included with a lower "
                    "score answer the same question as one with a higher score, so they stand beside it."
                ),
                "The token limit was reached.",
                "The request could not carry memories.",
                "Not in use then (Shadow). Now: In use.",
            ]
        )
        expect(left.get_by_text("Edited since then.")).to_have_count(1)
        expect(left.get_by_text("Type changed since then.")).to_have_count(1)
        expect(left.get_by_role("link", name="Its wording then is no longer known.")).to_have_count(1)
        expect(page.frame.get_by_text("Found by meaning and words.")).to_be_visible()
        expect(page.frame.get_by_text("2 more memories of this person may not be used")).to_be_visible()
        all_of_them = page.frame.get_by_role("link", name="Show the person’s memories")
        assert "scope_id=plat_a%3Aperson1" in (all_of_them.get_attribute("href") or "")
        assert page.complaints == []


@pytest.mark.parametrize(
    ("language", "rule", "kind", "score", "told"),
    [
        (
            "en-US",
            "max_per_type",
            "profile",
            0.9,
            "Score 0.9. Those included with a lower score are of other",
        ),
        ("zh-CN", "max_per_type", "profile", 0.9, "得分 0.9。得分更低而被带上的属于其他类型"),
        ("en-US", "max_per_type", "constraint", 0.9, "Score 0.9. Those included with a lower score answer"),
        (
            "zh-CN",
            "max_tokens",
            "profile",
            0.9,
            "得分 0.9。得分更低而被带上的，与得分更高的某条回答同一个问题",
        ),
        ("en-US", "max_per_type", "profile", 0.5, "The limit for its type was reached. Score 0.5"),
        ("en-US", "duplicate", "profile", 0.9, "A memory that says the same was included. Score 0.9"),
    ],
)
def test_one_left_out_with_a_higher_score_than_others_says_why(
    open_page: OpenPage, language: str, rule: str, kind: str, score: float, told: str
) -> None:
    row = {**OUTCOME["left_out"][0], "rule": rule, "type": kind, "score": score}
    outcome = {**OUTCOME, "left_out": [row]}
    with open_page(
        api=fake(outcome), place="tryout?account=plat_a:person1&text=x", language=language
    ) as page:
        said = page.frame.locator("section li p").last
        expect(said).to_contain_text(told)
        if not told.startswith(("Score", "得分")):
            expect(said).to_have_text(told)


def test_what_asks_for_everything_is_told_as_the_reason(open_page: OpenPage) -> None:
    asked: dict[str, Any] = {**OUTCOME, "reason": "no_question", "vectors": False, "left_out": []}
    with open_page(api=fake(asked), place="tryout?account=plat_a:person1&text=x") as page:
        given = page.frame.get_by_role("region", name="Included")
        expect(given).to_contain_text("Why: the message asks for everything remembered.")
        expect(page.frame.locator("main")).to_contain_text(
            "so nothing was searched for: all of it is included"
        )
        expect(page.frame.get_by_role("region", name="Omitted")).not_to_contain_text("with these words")


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("paused", "Memory is paused for this person or this group."),
        ("reading_off", "Recall is switched off under Policy"),
        ("provider_down", "Found by words only: the embedding provider failed."),
    ],
)
def test_it_says_why_nothing_was_given(open_page: OpenPage, reason: str, told: str) -> None:
    nothing: dict[str, Any] = {
        **OUTCOME,
        "block": "",
        "given": [],
        "left_out": [],
        "reason": reason,
        "vectors": False,
    }
    with open_page(api=fake(nothing), place="tryout?account=plat_a:person1&text=x") as page:
        expect(page.frame.locator("main")).to_contain_text("No memories were included.")
        expect(page.frame.locator("main")).to_contain_text(told)


def test_what_became_of_something_is_asked_for_the_account_that_asked_there(open_page: OpenPage) -> None:
    of_kim: dict[str, Any] = {
        "recall_id": "r1",
        "scope": "user",
        "scope_id": "!pcat:plat_a:kim",
        "level": "PUBLIC",
        "query": "x",
        "at": AT,
    }
    for umo, account in (
        ("plat_b:FriendMessage:kim2", "plat_b:kim2"),
        ("webchat:FriendMessage:webchat!kim3!conversation", "webchat:kim3"),
        ("plat_a:GroupMessage:g1", "plat_a:kim"),
        ("plat_b:GroupMessage:g1", None),
    ):
        found: dict[str, Any] = {
            **OUTCOME,
            "recall": {**of_kim, "umo": umo, "reason": "", "vectors": True},
            "reply": "y",
        }
        listed: dict[str, Any] = {"recalls": [], "total": 0, "page": 1, "page_size": 50}
        told: dict[str, Any] = {"text": f"Nothing is known of it ({AT}).", "memories": [item(1)]}
        api = FakeApi({"GET recalls": listed, "GET recalls/r1": found, "POST recall/why-not": told})
        with open_page(api=api, place="recalls/r1") as page:
            opened = page.frame.get_by_role("dialog", name="Recall")
            expect(opened.get_by_role("region", name="Included")).to_be_visible()
            field = opened.get_by_label("What became of something")
            if account is None:
                expect(field).to_have_count(0)
                continue
            field.fill("tea")
            field.press("Enter")
            expect(opened).to_contain_text(
                re.compile(r"Nothing is known of it \(Nov 20, 2026, \d+:30 AM [A-Z]\S*\).")
            )
            expect(opened.locator(".answer")).to_have_text(re.compile("Fact number 1Profile"))
            expect(opened).to_contain_text("The answer is about this recall")
            who = {"account": account, "umo": umo, "level": "PUBLIC", "recall_id": "r1"}
            asked = {**who, "text": "tea", "language": "en-US"}
            assert api.posted("recall/why-not") == [asked]


def test_the_log_shows_real_recalls_by_person_and_the_empty_ones(
    host: Host, open_live: OpenPage, knower: Person
) -> None:
    answered = host.say(knower, "Are there peanuts in it?")
    other = f"plat_a:{knower.id}"
    with open_live(place=f"recalls?account={other}") as page:
        rows = page.frame.locator("tbody tr")
        expect(rows).to_have_count(1)
        page.frame.get_by_role("link", name="Are there peanuts in it?").click()
        opened = page.frame.get_by_role("dialog", name="Recall")
        expect(opened.get_by_role("region", name="Included")).to_contain_text("User is allergic to peanuts")
        expect(opened.locator("figure").nth(1)).to_contain_text(answered)
        opened.get_by_label("What became of something").fill("peanuts")
        opened.get_by_label("What became of something").press("Enter")
        expect(opened).to_contain_text("included in this request.")
        page.tab.keyboard.press("Escape")
        expect(opened).to_have_count(0)
        page.frame.get_by_label("Text of the message").fill("peanuts")
        page.frame.get_by_label("From day").fill("2020-01-31")
        page.settle()
        expect(rows).to_have_count(1)
        page.frame.get_by_label("To day").fill("2020-02-01")
        expect(page.frame.locator(".state")).to_contain_text("No recall matches")
        page.frame.get_by_role("button", name="Clear filters").click()
        expect(rows).to_have_count(1)
        page.frame.get_by_label("Only those without memories").check()
        expect(page.frame.locator(".state")).to_contain_text("No recall matches")
        assert page.complaints == []


def test_a_narrow_screen_shows_a_recall_in_three_lines_and_a_wide_one_the_whole_name_of_a_chat(
    open_page: OpenPage,
) -> None:
    row = {"scope": "user", "scope_id": "plat_a:person1", "umo": "plat_a:FriendMessage:person1", "at": AT}
    counted = {"level": "INTERNAL", "query": "x", "given": 1, "left_out": 2, "vectors": True, "reason": ""}
    api = fake()
    api.answers["GET recalls"] = page_of("recalls", 2, lambda n: {"recall_id": f"r{n}", **row, **counted})
    with open_page(api=api, place="recalls", width=400) as page:
        shown = page.frame.locator("tbody tr").first
        expect(shown.get_by_title("plat_a:person1")).to_have_text("Person 1")
        expect(shown.get_by_title(row["umo"])).to_have_text("private chat with Person 1 on plat_a")
        expect(shown.get_by_text("2", exact=True)).to_be_visible()
        expect(shown.get_by_text("Internal")).to_be_hidden()
        box = shown.bounding_box()
        assert box
        assert box["height"] < 110
    with open_page(api=api, place="recalls", language="zh-CN") as page:
        expect(page.frame.locator("tbody tr").first).to_contain_text("11月20日 09:30 UTC")
    with open_page(api=api, place="tryout?account=plat_a:person1") as page:
        box = page.frame.get_by_label("In this chat").bounding_box()
        assert box
        assert box["width"] > 600
