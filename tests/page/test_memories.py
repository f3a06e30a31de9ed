"""The view Memories in the real dashboard: finding one, what it rests on, changing it, taking that back."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.page.browser import Opened
from tests.page.conftest import Newcomer, OpenPage
from tests.page.fake_api import AT, HEALTH, FakeApi, RefusedByFakeError, evidence, explained, item, page_of

pytestmark = pytest.mark.usefixtures("model")

HOSTILE = '<img src=x onerror="ran()"><b>bold</b>{{7*7}}${7*7}\u202e'


@pytest.fixture
def kim(host: Host, newcomer: Newcomer) -> Person:
    """Somebody with two memories."""
    person = newcomer("Kim")
    host.say(person, "/ltm add I keep bees")
    host.say(person, "/ltm add I love jasmine tea")
    host.memories.wait_for(person, "I keep bees", "User loves jasmine tea")
    return person


@pytest.fixture
def hers(open_live: OpenPage, kim: Person) -> Iterator[Opened]:
    """The page at her memories."""
    with open_live(place=f"memories?person=plat_a:{kim.id}") as page:
        expect(page.frame.locator("li.memory")).to_have_count(2)
        yield page


def opened_memory(page: Opened, fact: str) -> Locator:
    page.frame.get_by_role("link", name=fact).click()
    return page.frame.get_by_role("dialog", name=fact)


def follow_the_refusal(page: Opened, words: str) -> None:
    """Save the text of another memory; the link of the refusal leads to that one and closes the form."""
    form = page.frame.get_by_role("dialog", name="Edit")
    form.get_by_label("Fact").fill("Fact number 2")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_role("alert")).to_contain_text(words)
    form.get_by_role("link", name="“Fact number 2” (Pending)").click()
    expect(page.frame.get_by_role("dialog", name="Fact number 2")).to_be_visible()
    expect(form).to_have_count(0)


def test_a_memory_opens_with_its_words_its_place_and_what_happened_to_it(hers: Opened, kim: Person) -> None:
    memory = opened_memory(hers, "I keep bees")
    quote = memory.locator("figure.quote")
    expect(quote.locator("blockquote")).to_contain_text("I keep bees")
    expect(quote.get_by_title(kim.id, exact=True)).to_have_text("Kim")
    expect(memory).to_contain_text("in private chats with the bot")
    expect(memory).to_contain_text("Asked to remember")
    expect(memory.get_by_role("heading", name="History")).to_be_visible()


def test_a_memory_said_in_a_group_is_told_as_used_for_its_owner_alone(open_page: OpenPage) -> None:
    one = item(1, origin_umo="plat_a:GroupMessage:g1")
    api = FakeApi({"GET items": page_of("items", 1, lambda _: one), "GET items/*": explained(one)})
    with open_page(api=api, place="memories") as page:
        memory = opened_memory(page, "Fact number 1")
        expect(memory).to_contain_text("Used only in replies to")
        expect(memory).to_contain_text("In a group, everybody can read the reply.")
        expect(memory).not_to_contain_text("and everybody in")


def test_words_find_it(hers: Opened) -> None:
    hers.frame.get_by_label("Search text").fill("jasmine")
    expect(hers.frame.locator("li.memory")).to_have_count(1)
    expect(hers.frame.locator("li.memory")).to_contain_text("User loves jasmine tea")
    hers.frame.get_by_role("button", name="Clear filters").click()
    expect(hers.frame.locator("li.memory").nth(1)).to_be_visible()


def test_another_wording_is_kept_as_history_and_can_be_taken_back(hers: Opened) -> None:
    memory = opened_memory(hers, "I keep bees")
    memory.get_by_role("button", name="Edit").click()
    form = hers.frame.get_by_role("dialog", name="Edit")
    form.get_by_label("Fact").fill("I keep two hives of bees")
    form.get_by_label("Fact").press("Enter")
    hers.hold_toast()
    edited = hers.frame.get_by_role("dialog", name="I keep two hives of bees")
    expect(edited.get_by_role("heading", name="Earlier content")).to_be_visible()
    expect(edited).to_contain_text("An admin edited its text on")
    expect(edited.locator("dl")).to_contain_text("An admin’s text. Before that: ")
    expect(edited.locator("dl")).to_contain_text("of the earlier text")
    hers.frame.locator(".toast").get_by_role("button", name="Undo").click()
    back = hers.frame.get_by_role("dialog", name=re.compile("^I keep bees$"))
    expect(back).to_be_visible()
    expect(back).not_to_contain_text("An admin edited")


def test_disabling_is_undone_from_its_message(hers: Opened, host: Host, kim: Person) -> None:
    memory = opened_memory(hers, "I keep bees")
    memory.get_by_role("button", name="Disable").click()
    hers.hold_toast()
    expect(memory.locator(".chip").first).to_have_text("Disabled")
    hers.frame.locator(".toast").get_by_role("button", name="Undo").click()
    expect(memory.locator(".chip").first).to_have_text("In use")
    host.memories.wait_for(kim, "I keep bees", "User loves jasmine tea")


def test_forgetting_can_be_undone(hers: Opened) -> None:
    memory = opened_memory(hers, "I keep bees")
    memory.get_by_role("button", name="Forget").click()
    hers.hold_toast()
    expect(memory.locator(".chip").first).to_have_text("Forgotten")
    hers.frame.locator(".toast").get_by_role("button", name="Undo").click()
    expect(memory.locator(".chip").first).to_have_text("In use")


def test_sharing_asks_and_is_taken_back(hers: Opened) -> None:
    memory = opened_memory(hers, "I keep bees")
    memory.get_by_role("button", name="Share").click()
    question = hers.frame.get_by_role("dialog", name="Share this memory?")
    expect(question).to_contain_text("every chat")
    question.get_by_role("button", name="Share").click()
    expect(memory).to_contain_text("Shared: used only in replies")
    memory.get_by_role("button", name="Stop sharing").click()
    expect(memory).to_contain_text("in private chats with the bot")


def test_it_can_be_done_with_the_keyboard_alone(hers: Opened) -> None:
    keyboard = hers.tab.keyboard
    row = hers.frame.get_by_role("link", name="I keep bees")
    row.focus()
    keyboard.press("Enter")
    memory = hers.frame.get_by_role("dialog", name="I keep bees")
    expect(memory).to_be_focused()
    for _ in range(40):
        keyboard.press("Tab")
        where = hers.frame.locator(":focus")
        assert where.count() == 0 or where.evaluate("(e) => !document.getElementById('page').contains(e)")
    memory.get_by_role("button", name="Edit").focus()
    keyboard.press("Enter")
    expect(hers.frame.get_by_role("dialog", name="Edit")).to_be_visible()
    keyboard.press("Escape")
    expect(hers.frame.get_by_role("dialog", name="Edit")).to_have_count(0)
    expect(memory.get_by_role("button", name="Edit")).to_be_focused()
    keyboard.press("Escape")
    expect(memory).to_have_count(0)
    expect(row).to_be_focused()


def test_a_hundred_thousand_memories_are_turned_page_by_page(open_page: OpenPage) -> None:
    api = FakeApi({"GET items": page_of("items", 100_000, item)})
    with open_page(api=api, place="memories") as page:
        expect(page.frame.locator("li.memory")).to_have_count(50)
        expect(page.frame.locator(".pager")).to_contain_text("1 to 50 of 100,000")
        page.frame.get_by_role("button", name="Last").click()
        expect(page.frame.get_by_role("link", name="Fact number 100000")).to_be_visible()
        expect(page.frame.locator("li.memory")).to_have_count(50)
        page.tab.evaluate("history.back()")
        expect(page.frame.get_by_role("link", name="Fact number 1", exact=True)).to_be_visible()


def test_hostile_words_are_words_wherever_they_stand(open_page: OpenPage) -> None:
    texts = (
        "fact",
        "person",
        "teller",
        "relationship",
        "backstory",
        "reason",
        "scope_id",
        "origin_umo",
        "persona_id",
    )
    hostile = item(1, tags=[HOSTILE], status="pending", **dict.fromkeys(texts, HOSTILE))
    around = dict.fromkeys(("before", "after"), HOSTILE)
    said = evidence(
        HOSTILE, **around, sender_name=HOSTILE, sender_id=HOSTILE, umo=HOSTILE, extraction_method=HOSTILE
    )
    line = dict.fromkeys(("actor", "action", "before", "after", "reason"), HOSTILE) | {"id": 1, "at": AT}
    api = FakeApi(
        {
            "GET items": page_of("items", 1, lambda _: hostile),
            "GET items/*": explained(hostile, evidence=[said], older=[hostile], audit=[line]),
        }
    )
    with open_page(api=api, place="memories") as page:
        memory = opened_memory(page, HOSTILE)
        expect(memory.locator("blockquote")).to_have_text(HOSTILE * 3)
        expect(memory.locator("h2")).to_have_text(HOSTILE)
        assert page.frame.locator("img, b").count() == 0
        assert page.complaints == []


def test_a_refused_change_is_said_at_its_field_and_nothing_typed_is_lost(open_page: OpenPage) -> None:
    def refused(*_: Any) -> Any:
        raise RefusedByFakeError(422, "fact: must have at most 500 characters")

    one = item(1)
    api = FakeApi(
        {
            "GET items": page_of("items", 1, item),
            "GET items/*": explained(one),
            "POST items/*/update": refused,
        }
    )
    with open_page(api=api, place="memories") as page:
        opened_memory(page, "Fact number 1").get_by_role("button", name="Edit").click()
        form = page.frame.get_by_role("dialog", name="Edit")
        form.get_by_label("Fact").fill("Something else")
        form.get_by_role("button", name="Save").click()
        expect(form.get_by_label("Fact")).to_have_attribute("aria-invalid", "true")
        expect(form.locator(".field-error")).to_have_text("Must have at most 500 characters")
        expect(form.get_by_label("Fact")).to_have_value("Something else")


def test_only_what_was_changed_is_sent(open_page: OpenPage) -> None:
    one = item(1, level="CONFIDENTIAL")
    api = FakeApi(
        {
            "GET items": page_of("items", 1, item),
            "GET items/*": explained(one),
            "POST items/*": {"item": one, "decision_id": ""},
        }
    )
    with open_page(api=api, place="memories") as page:
        opened_memory(page, "Fact number 1").get_by_role("button", name="Edit").click()
        form = page.frame.get_by_role("dialog", name="Edit")
        levels = form.get_by_label("Level").locator("option")
        expect(levels).to_have_text(["Public", "Internal", "Confidential"])
        form.get_by_label("Never expires").uncheck()
        form.get_by_label("Days until expiry").fill("7")
        form.get_by_label("Level").select_option("PUBLIC")
        kinds = form.get_by_label("Type")
        expect(kinds.locator("option")).to_have_text(
            ["Profile", "Preference", "Task state", "Constraint", "Episode"]
        )
        kinds.select_option("constraint")
        form.get_by_role("button", name="Save").click()
        expect(page.frame.locator(".toast")).to_have_text(re.compile("^Saved"))
        assert page.frame.locator(".toast").get_by_role("button", name="Undo").count() == 0
        assert api.posted("items/*/update") == [{"ttl_days": 7, "level": "PUBLIC", "type": "constraint"}]


@pytest.mark.parametrize(
    ("language", "told", "used"),
    [
        (
            "en-US",
            "Another memory says otherwise: “Size: 41”.",
            "Says otherwise than this one, and both are used: Size: 41",
        ),
        (
            "zh-CN",
            "另一条记忆说法不同：“Size: 41”。",
            "与这条说法不同，两条都在使用：Size: 41",
        ),
    ],
)
def test_of_one_in_use_another_that_says_otherwise_is_named(
    open_page: OpenPage, language: str, told: str, used: str
) -> None:
    other = {"memory_id": "o", "fact": "Size: 41", "newer": False, "then": "both"}
    one = explained(item(1, fact="Size: 45"), otherwise=[other], reworded_at=AT)
    api = FakeApi(
        {
            "GET items": page_of("items", 1, item),
            "GET items/*": one,
            "POST items/*/update": {"item": one["item"], "decision_id": "d1"},
        }
    )
    with open_page(api=api, place=f"memories/{one['item']['memory_id']}", language=language) as page:
        memory = page.frame.get_by_role("dialog")
        expect(memory).to_contain_text(used)
        page.go("memories")
        page.frame.locator("li.memory").get_by_role("button").click()
        form = page.frame.get_by_role("dialog")
        # It is told before anything is saved, too, and of which text the evidence is.
        expect(form).to_contain_text(used)
        expect(form.locator(".note")).to_contain_text("2026")
        form.locator("textarea").fill("Size: 4")
        expect(form.get_by_role("link", name="Size: 41")).to_have_count(0)  # what is typed would be lost
        expect(form).to_contain_text(used)
        form.locator("textarea").fill("Size: 45")
        form.locator("footer .button").last.click()
        toast = page.frame.locator(".toast")
        expect(toast).to_contain_text(told)
        page.hold_toast()
        page.frame.locator("li.memory").get_by_role("button").click()
        form.locator("select").first.select_option("constraint")
        api.answers["POST items/*/update"] = {"item": item(1), "decision_id": "d2"}
        form.locator("footer .button").last.click()
        expect(toast).not_to_contain_text("Size: 41")


def test_many_are_chosen_changed_and_put_back(open_page: OpenPage) -> None:
    ids = [item(number)["memory_id"] for number in range(4)]
    decided = {"done": ids[1:3], "left": [{"memory_id": ids[3], "why": "taken"}], "decision_id": "d1"}
    undone = {"done": ids[1:2], "left": [{"memory_id": ids[2], "why": "changed_since"}], "decision_id": "d2"}
    api = FakeApi(
        {
            "GET items": page_of("items", 5, item),
            "POST items/change": decided,
            "POST decisions/d1/undo": undone,
        }
    )
    with open_page(api=api, place="memories") as page:
        page.frame.get_by_label("Choose: Fact number 1").check()
        page.frame.get_by_label("Choose: Fact number 3").click(modifiers=["Shift"])
        page.frame.get_by_label("Change the type to…").select_option("preference")
        left = page.frame.get_by_role("dialog", name="Type not changed: 1")
        expect(left).to_contain_text("Fact number 3")
        expect(left).to_contain_text("Another memory says this already")
        left.get_by_role("button", name="Close").last.click()
        assert api.posted("items/change") == [{"type": "preference", "memory_ids": ids[1:]}]
        toast = page.frame.locator(".toast")
        expect(toast).to_contain_text("Type changed: 2 memories.")
        toast.get_by_role("button", name="Undo").click()
        expect(toast).to_contain_text("Undone for 1. Not undone: 1 was changed since.")


@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
def test_each_button_counts_and_changes_those_that_it_fits_and_no_row_moves(
    open_page: OpenPage, language: str
) -> None:
    statuses = ["active", "disabled", "disabled", "superseded", "shadow", "deleted"]
    rows = page_of("items", 60, lambda number: item(number, status=statuses[number % 6]))
    api = FakeApi({"GET items": rows, "POST items/change": {"done": [], "left": [], "replaced": []}})
    with open_page(api=api, place="memories", language=language) as page:
        row = page.frame.locator("li.memory").first
        before = row.bounding_box()
        page.frame.locator(".bulk input").check()
        buttons = page.frame.locator(".bulk .button")
        english = ["Choose all 60 that match", "Disable 16", "Restore 34", "Forget 42"]
        chinese = ["选择全部 60 条符合的记忆", "停用 16 条", "恢复 34 条", "忘记 42 条"]
        expect(buttons).to_have_text(english if language == "en-US" else chinese)
        assert row.bounding_box() == before
        buttons.nth(1).click()
        page.wait_until(lambda: bool(api.posted("items/change")))
        fits = [item(number)["memory_id"] for number in range(1, 51) if number % 6 in (0, 4)]
        assert api.posted("items/change") == [{"status": "disabled", "memory_ids": fits}]


def test_the_type_of_what_is_over_is_not_changed_and_it_says_so(open_page: OpenPage) -> None:
    why = {"memory_id": item(1)["memory_id"], "why": "not_in_use", "detail": "this memory is superseded"}
    decided = {"done": [], "left": [why], "replaced": [], "decision_id": ""}
    rows = page_of("items", 1, lambda _: item(1, status="superseded"))
    with open_page(api=FakeApi({"GET items": rows, "POST items/change": decided}), place="memories") as page:
        page.frame.get_by_label("Choose: Fact number 1").check()
        page.frame.get_by_label("Change the type to…").select_option("preference")
        left = page.frame.get_by_role("dialog", name="Type not changed: 1")
        expect(left).to_contain_text("It was replaced, expired or forgotten: restore it first.")


def test_many_batches_are_stopped_and_say_how_far_they_came(open_page: OpenPage) -> None:
    def changed(path: str, params: Any, body: Any) -> Any:  # noqa: ARG001  same shape for all
        return {"done": body["memory_ids"], "left": [], "decision_id": "d"}

    ids = [item(number)["memory_id"] for number in range(450)]
    api = FakeApi(
        {
            "GET items": page_of("items", 450, item),
            "GET items/ids": {"memory_ids": ids},
            "POST items/change": changed,
        }
    )
    with open_page(api=api, place="memories?since=2026-11-01&author=plat_a:kim") as page:
        page.frame.get_by_label("Choose all on this page").check()
        page.frame.get_by_role("button", name="Disable 50").click()
        page.wait_until(lambda: len(api.posted("items/change")) == 1)
        page.frame.get_by_label("Choose all on this page").check()
        page.frame.get_by_role("button", name="Choose all 450 that match").click()
        held = page.hold("**/items/change")
        # What is on no page that is shown is asked about.
        asked = page.frame.get_by_role("dialog", name="Change 450 memories on several pages?")
        disable = page.frame.get_by_role("toolbar").get_by_role("button", name="Disable 450")
        disable.click()
        asked.get_by_role("button", name="Cancel").click()
        page.frame.get_by_label("Change the type to").select_option("episode")
        expect(asked.get_by_role("button", name="Episode")).to_be_visible()
        page.tab.keyboard.press("Escape")
        assert held == []
        disable.click()
        asked.get_by_role("button", name="Disable 450").click()
        page.frame.get_by_role("button", name="Stop").click()
        page.wait_until(lambda: bool(held))
        held[0].fallback()
        expect(page.frame.locator(".toast")).to_contain_text(
            "Disabled: 200 memories. 250 were not processed."
        )
        assert [len(body["memory_ids"]) for body in api.posted("items/change")] == [50, 200]
        [sought] = [query for _, path, query, _ in api.asked if path == "items/ids"]
        assert sought == {"since": "2026-11-01", "author": "plat_a:kim"}


def test_nothing_remembered_says_what_will_bring_something(open_page: OpenPage) -> None:
    api = FakeApi({"GET items": page_of("items", 0, item)})
    with open_page(api=api, place="memories") as page:
        expect(page.frame.locator(".state")).to_contain_text("No memories yet")
        page.frame.get_by_label("Search text").fill("tea")
        expect(page.frame.locator(".state")).to_contain_text("No memory matches")


def test_words_that_turn_the_direction_turn_nothing_but_themselves(open_page: OpenPage) -> None:
    turned = item(1, fact="Likes tea\u202e", audience="chat")
    api = FakeApi({"GET items": page_of("items", 1, lambda _: turned), "GET items/*": explained(turned)})
    with open_page(api=api, place="memories") as page:
        memory = opened_memory(page, "Likes tea")
        memory.get_by_role("button", name="Share").click()
        question = page.frame.get_by_role("dialog", name="Share this memory?")
        expect(question).to_contain_text("“Likes tea” ")


def test_what_a_rate_has_let_in_later_was_learnt_when_it_was_told_and_is_listed_by_when_it_was_let_in(
    open_page: OpenPage,
) -> None:
    told = item(1, created_at="2026-11-25T11:00:00+00:00", updated_at="2026-11-25T11:00:00+00:00")
    api = FakeApi({"GET items": page_of("items", 1, lambda _: told), "GET items/*": explained(told)})
    with open_page(api=api, place="memories") as page:
        expect(page.frame.locator("li.memory time")).to_have_attribute("datetime", told["created_at"])
        times = opened_memory(page, "Fact number 1").locator("dl time")
        expect(times.first).to_have_attribute("datetime", AT)


def test_a_share_is_rounded_as_the_block_of_a_request_rounds_it(open_page: OpenPage) -> None:
    # The nearest float lies below the half.
    told = item(1, confidence=0.95 * 0.9)
    assert f"{told['confidence']:.2f}" == "0.85"
    api = FakeApi({"GET items": page_of("items", 1, lambda _: told)})
    with open_page(api=api, place="memories") as page:
        expect(page.frame.locator("li.memory")).to_contain_text("85% confidence")


def test_what_somebody_asked_to_remember_is_a_note_as_in_the_chat(open_page: OpenPage) -> None:
    kinds = {1: ("episode", "user_explicit"), 2: ("episode", "llm_extract"), 3: ("profile", "user_explicit")}

    def row(number: int) -> dict[str, Any]:
        return item(number, type=kinds[number][0], origin=kinds[number][1])

    with open_page(api=FakeApi({"GET items": page_of("items", 3, row)}), place="memories") as page:
        chips = page.frame.locator(".memory-marks .chip:nth-child(2)")
        expect(chips).to_have_text(["Note", "Episode", "Profile"])
        kind = page.frame.get_by_label("Type", exact=True)
        expect(kind.locator("option[value=episode]")).to_have_text("Episode or note")
        for number, name in ((0, "Note"), (1, "Episode")):
            page.frame.locator("li.memory").nth(number).get_by_role("button").click()
            dialog = page.frame.get_by_role("dialog")
            expect(dialog.get_by_label("Type").locator("option:checked")).to_have_text(name)
            dialog.get_by_role("button", name="Cancel").click()


def test_chats_of_one_person_in_the_dashboard_stand_on_one_line_by_the_name(open_page: OpenPage) -> None:
    umos = [f"webchat:FriendMessage:webchat!olga!{number:04d}-7af2" for number in range(3)]
    told = item(1, origin_umo=umos[0])
    audience = {"chats": ["plat_a:FriendMessage:kim", *umos], "everywhere": False}
    api = FakeApi(
        {
            "GET items": page_of("items", 1, lambda _: told),
            "GET items/*": explained(told, audience={**audience, "scope": "user", "level": "INTERNAL"}),
        }
    )
    with open_page(api=api, place="memories") as page:
        memory = opened_memory(page, "Fact number 1")
        expect(memory.locator("section li")).to_have_text(
            [
                "private chat with kim on plat_a",
                "private chat with olga on webchat (3 conversations)",
            ]
        )
        expect(memory.locator("section li").last).to_have_attribute("title", "\n".join(umos))
        expect(memory.locator("dl")).to_contain_text("private chat with olga on webchat")
        expect(memory).to_contain_text("alone, in private chats with the bot.")


def test_of_one_that_waits_it_says_who_may_see_it_once_used_and_read_only_allows_nothing(
    open_page: OpenPage,
) -> None:
    one = item(1, status="pending", reason="unverified")
    audience = {"scope": "user", "level": "INTERNAL", "everywhere": False}
    chats = ["plat_a:FriendMessage:kim", "plat_a:GroupMessage:g1"]
    api = FakeApi(
        {
            "GET health": {**HEALTH, "read_only": True},
            "GET items": page_of("items", 1, lambda _: one),
            "GET items/*": explained(one, audience={**audience, "chats": chats}),
        }
    )
    with open_page(api=api, place="memories") as page:
        edit = page.frame.get_by_role("button", name="Edit: Fact number 1")
        expect(edit).to_be_disabled()
        memory = opened_memory(page, "Fact number 1")
        expect(memory).to_contain_text("Once it is in use:")
        expect(memory.locator("section li")).to_have_text(["group g1 on plat_a"])
        for name in ("Edit", "Approve", "Reject"):
            expect(memory.get_by_role("button", name=name, exact=True)).to_be_disabled()


def test_of_what_was_forgotten_it_says_by_whom(open_page: OpenPage) -> None:
    gone = item(1, status="deleted", reason="forgotten")
    line = {"id": 1, "actor": "plat_a:kim", "action": "forget", "memory_id": "m", "at": AT}
    audit = [{**line, "before": "active", "after": "deleted", "reason": "forgotten"}]
    audit += [{**line, "id": 2, "action": "restore", "before": "deleted", "after": "active"}]
    audit[1] |= {"actor": "operator:ann", "reason": "forgotten"}
    people = page_of(
        "people", 1, lambda _: {"account": "plat_a:kim", "name": "Kim", "scope_id": "plat_a:kim"}
    )
    api = FakeApi(
        {
            "GET people": people,
            "GET items": page_of("items", 1, lambda _: gone),
            "GET items/*": explained(gone, audit=audit),
        }
    )
    with open_page(api=api, place="memories") as page:
        memory = opened_memory(page, "Fact number 1")
        expect(memory.locator(".note")).to_contain_text("Why: Kim forgot it.")
        lines = memory.locator("section").last.locator(".muted")
        expect(lines).to_have_text(["by Kim · In use → Forgotten", "by ann (dashboard) · Forgotten → In use"])


def test_of_what_is_replaced_it_says_so_once_and_not_who_sees_it(open_page: OpenPage) -> None:
    gone = item(1, status="superseded", reason="superseded")
    api = FakeApi({"GET items": page_of("items", 1, lambda _: gone), "GET items/*": explained(gone)})
    with open_page(api=api, place="memories") as page:
        memory = opened_memory(page, "Fact number 1")
        expect(memory.get_by_text("Another memory replaced it.")).to_have_count(1)
        expect(memory.get_by_role("heading", name="Who may see it")).to_have_count(0)
        memory.get_by_role("button", name="Close").click()
        page.frame.get_by_label("Choose: Fact number 1").check()
        expect(page.frame.get_by_role("toolbar").get_by_role("button")).to_have_text(
            ["Restore 1", "Forget 1"]
        )


def test_what_waited_says_so_when_it_is_restored(open_page: OpenPage) -> None:
    one = item(1, status="deleted", reason="rejected")

    def restored(*_: Any) -> Any:
        one.update(status="shadow", reason="mode")
        return {"done": [one["memory_id"]], "left": [], "decision_id": "d1"}

    def shown(*_: Any) -> Any:
        return explained(one)

    api = FakeApi(
        {
            "GET items": page_of("items", 1, lambda _: one),
            "GET items/*": shown,
            "POST items/change": restored,
        }
    )
    with open_page(api=api, place="memories") as page:
        opened_memory(page, "Fact number 1").get_by_role("button", name="Restore").click()
        expect(page.frame.locator(".toast")).to_contain_text(
            "Restored, waits for review as before: “Fact number 1”."
        )


def test_a_restore_names_what_it_replaces(open_page: OpenPage) -> None:
    one = item(1, status="superseded", reason="superseded")
    oslo = item(9, fact="User lives in Oslo", status="superseded")
    decided = {"done": [one["memory_id"]], "left": [], "replaced": ["oslo"], "decision_id": "d1"}
    api = FakeApi(
        {
            "GET items": page_of("items", 1, lambda _: one),
            "GET items/*": explained(one),
            "GET items/oslo": explained(oslo),
            "POST items/change": decided,
        }
    )
    with open_page(api=api, place="memories") as page:
        told = "Fact number 1”. Replaced: “User lives in Oslo”."
        memory = opened_memory(page, "Fact number 1")
        memory.get_by_role("button", name="Restore").click()
        expect(page.frame.locator(".toast")).to_contain_text(f"Restored, used again: “{told}")
        memory.get_by_role("button", name="Close").click()
        page.frame.get_by_label("Choose: Fact number 1").check()
        page.frame.get_by_role("toolbar").get_by_role("button", name="Restore").click()
        expect(page.frame.locator(".toast")).to_contain_text(f"Restored: “{told}")


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en-US",
            "Restored: 3 memories. Replaced: “Fact number 8”, “Fact number 9”. 1 waits for review as before.",
        ),
        ("zh-CN", "已恢复 3 条记忆。取代了：“Fact number 8”，“Fact number 9”。1 条像之前一样等待审核。"),
    ],
)
def test_a_restore_of_many_tells_what_it_replaced_and_how_many_wait(
    open_page: OpenPage, language: str, told: str
) -> None:
    rows = [item(number, status="superseded") for number in (1, 2, 3)]
    ids = [row["memory_id"] for row in rows]
    newer = [item(number, status="superseded") for number in (8, 9)]
    gone = [row["memory_id"] for row in newer]
    now = [item(1), item(2, status="pending"), item(3), *newer]
    shown = {one["memory_id"]: explained(one) for one in now}

    def one(path: str, *_: Any) -> Any:
        return shown[path.rpartition("/")[2]]

    api = FakeApi(
        {
            "GET items": page_of("items", 3, lambda number: rows[number - 1]),
            "GET items/*": one,
            "POST items/change": {"done": ids, "left": [], "replaced": gone, "decision_id": "d1"},
        }
    )
    with open_page(api=api, place="memories", language=language) as page:
        page.frame.locator(".bulk input").check()
        page.frame.get_by_role("toolbar").get_by_role("button").first.click()
        expect(page.frame.locator(".toast")).to_contain_text(told)


def test_an_edit_that_another_memory_is_in_the_way_of_links_to_that(open_page: OpenPage) -> None:
    other = item(2, status="pending")

    def one_of(path: str, params: Any, body: Any) -> Any:  # noqa: ARG001  same shape for all
        return explained(other if other["memory_id"] in path else item(1))

    told = f"the memory {other['memory_id']} answers the same question"

    def refused(*_: Any) -> Any:
        raise RefusedByFakeError(409, f"taken: {told}")

    api = FakeApi(
        {
            "GET items": page_of("items", 1, item),
            "GET items/*": one_of,
            "POST items/*/update": refused,
            "POST items/change": {
                "done": [],
                "left": [{"memory_id": "x", "why": "taken", "detail": told}],
                "decision_id": "",
            },
        }
    )
    with open_page(api=api, place="memories") as page:
        memory = opened_memory(page, "Fact number 1")
        memory.get_by_role("button", name="Disable").click()
        link = page.frame.locator(".toast").get_by_role("link", name="“Fact number 2” (Pending)")
        expect(link).to_be_visible()
        memory.get_by_role("button", name="Edit").click()
        follow_the_refusal(page, "Another memory says this already")
    with open_page(api=api, place="memories?q=Fact") as page:
        page.frame.get_by_role("button", name="Edit: Fact number 1").click()
        follow_the_refusal(page, "Use that one")
        page.frame.get_by_role("button", name="Close").click()
        expect(page.frame.get_by_label("Search text")).to_have_value("Fact")


@pytest.mark.parametrize(
    ("used_at", "told"),
    [
        ("2026-11-19T09:30:00+00:00", "not yet since the import; 3 times before it"),
        ("2026-11-21T09:30:00+00:00", "(uses before the import included)"),
    ],
)
def test_an_imported_memory_tells_its_life_elsewhere_apart(
    open_page: OpenPage, used_at: str, told: str
) -> None:
    one = item(1, access_count=3, last_accessed_at=used_at, origin="rule")
    line = {"id": 1, "actor": "system", "memory_id": one["memory_id"], "at": AT, "action": "import"}
    line |= {"before": "", "after": "active", "reason": "9bd183d5-807d-4676-8d15-5ca07b6cc7ea"}
    api = FakeApi(
        {
            "GET items": page_of("items", 1, lambda _: one),
            "GET items/*": explained(one, audit=[line]),
        }
    )
    with open_page(api=api, place="memories") as page:
        details = opened_memory(page, "Fact number 1").locator("dl")
        expect(details).to_contain_text("Found by a rule (before the import)")
        expect(details).to_contain_text(told)
        expect(page.frame.get_by_role("listitem").filter(has_text="Imported").last).to_contain_text("In use")


def test_a_search_is_counted_by_status_and_an_empty_status_says_so(open_page: OpenPage) -> None:
    def items(path: str, params: Any, body: Any) -> Any:
        total = {"active": 2, "disabled": 0, None: 3}.get(params.get("status"), 1)
        return page_of("items", total, item)(path, params, body)

    with open_page(api=FakeApi({"GET items": items}), place="memories?q=fact") as page:
        statuses = page.frame.get_by_role("navigation", name="Status")
        expect(statuses).to_contain_text("In use 2")
        expect(statuses).to_contain_text("Current 4")
        expect(statuses).to_contain_text("All 7")
        expect(statuses).to_contain_text("Disabled 0")
        page.go("memories?status=disabled")
        expect(page.frame.locator(".state")).to_contain_text("No memory has the status “Disabled”")


def test_what_was_left_is_named_though_it_was_on_no_page_that_was_shown(open_page: OpenPage) -> None:
    far = item(70, fact="User likes tea", status="deleted")
    left = {"memory_id": far["memory_id"], "why": "unchanged"}
    api = FakeApi(
        {
            "GET items": page_of("items", 1, item),
            "GET items/*": explained(far),
            "POST items/change": {"done": [], "left": [left], "decision_id": ""},
        }
    )
    with open_page(api=api, place="memories") as page:
        page.frame.get_by_label("Choose: Fact number 1").check()
        page.frame.get_by_role("button", name="Forget").click()
        shown = page.frame.get_by_role("dialog", name="Not forgotten: 1")
        expect(shown).to_contain_text("User likes tea")
        expect(shown).to_contain_text("It is forgotten already.")


@pytest.mark.parametrize("width", [1280, 400])
def test_one_is_edited_on_its_row_unless_it_is_gone(open_page: OpenPage, width: int) -> None:
    long = "User keeps bees in a garden by the river, and sells their honey on Saturdays"
    status = {2: "superseded"}

    def row(number: int) -> dict[str, Any]:
        return item(number, fact=f"{long} ({number})", status=status.get(number, "active"), level="PUBLIC")

    kim = {"account": "plat_a:kim", "name": "Kim", "scope_id": "plat_a:kim"}
    api = FakeApi(
        {
            "GET items": page_of("items", 2, row),
            "GET items/*": explained(row(1), evidence=[evidence("I keep bees there")]),
            "GET people": {"people": [kim], "total": 1, "page": 1, "page_size": 200},
            "POST items/*/update": {"item": item(1, fact="User keeps bees"), "decision_id": "d1"},
        }
    )
    with open_page(api=api, place="memories", width=width) as page:
        rows = page.frame.locator("li.memory")
        expect(rows.nth(1).get_by_role("button")).to_have_count(0)
        edit, fact = rows.first.get_by_role("button", name="Edit"), rows.first.locator(".memory-fact")
        boxes = [each.bounding_box() for each in (edit, fact, rows.first)]
        assert all(boxes)
        button, words, whole = (box or {} for box in boxes)
        assert words["width"] > whole["width"] / 2
        assert button["x"] + button["width"] <= whole["x"] + whole["width"]
        edit.click()
        form = page.frame.get_by_role("dialog", name="Edit a memory of Kim")
        expect(form.locator("blockquote")).to_have_text("I keep bees there")
        expect(form.get_by_role("button", name="Save")).to_have_text(["Save"])
        # What is public already can go no lower.
        expect(form.get_by_label("Type")).to_be_visible()
        expect(form.get_by_label("Level")).to_have_count(0)
        form.get_by_label("Fact").fill("User keeps bees")
        form.get_by_role("button", name="Save").click()
        expect(page.frame.locator(".toast")).to_contain_text("Saved: “User keeps bees”.")
        expect(edit).to_be_focused()
    assert api.posted("items/*/update") == [{"fact": "User keeps bees"}]


def test_a_long_fact_is_shortened_in_the_message_that_names_it(open_page: OpenPage) -> None:
    one = item(1, fact="User keeps bees " * 8)
    done = {"done": [one["memory_id"]], "left": [], "decision_id": "d1"}
    api = FakeApi(
        {
            "GET items": page_of("items", 1, lambda _: one),
            "GET items/*": explained(one),
            "POST items/change": done,
            "POST decisions/*/undo": done,
        }
    )
    with open_page(api=api, place="memories") as page:
        opened_memory(page, one["fact"].strip()).get_by_role("button", name="Disable").click()
        toast = page.frame.locator(".toast")
        named = "“User keeps bees User keeps bees User keeps bees User keeps b…”."
        expect(toast).to_contain_text(f"Disabled, no longer used: {named}")
        toast.get_by_role("button", name="Undo").click()
        expect(toast).to_contain_text(f"Undone: {named}")


def test_of_one_in_shadow_mode_it_is_said_once(open_page: OpenPage) -> None:
    one = item(1, status="shadow", reason="mode")
    api = FakeApi({"GET items": page_of("items", 1, lambda _: one), "GET items/*": explained(one)})
    with open_page(api=api, place="memories") as page:
        memory = opened_memory(page, "Fact number 1")
        expect(memory.locator(".note")).to_have_text(
            "Learnt in shadow mode: stored, not used, waiting for approval."
        )


@pytest.mark.parametrize("width", [1280, 600])
def test_a_message_moves_nothing_and_leaves_the_buttons_of_a_memory_free(
    open_page: OpenPage, width: int
) -> None:
    one = item(1)
    done = {"done": [one["memory_id"]], "left": [], "decision_id": "d1"}
    api = FakeApi(
        {
            "GET items": page_of("items", 9, item),
            "GET items/*": explained(one),
            "POST items/change": done,
        }
    )
    with open_page(api=api, place="memories", width=width) as page:
        memory = opened_memory(page, "Fact number 1")
        button = memory.get_by_role("button", name="Disable")
        page.settle()
        tall = page.frame.locator("html").evaluate("(e) => e.scrollHeight")
        before = button.bounding_box()
        button.click()
        page.hold_toast()
        assert button.bounding_box() == before
        assert page.frame.locator("html").evaluate("(e) => e.scrollHeight") == tall
        button.click()
        page.wait_until(lambda: len(api.posted("items/change")) == 2)


def test_who_clicks_on_memories_can_type_what_is_searched_for(open_page: OpenPage) -> None:
    api = FakeApi({"GET items": page_of("items", 3, item), "GET review": page_of("waiting", 0, item)})
    with open_page(api=api, place="review") as page:
        tab = page.frame.get_by_role("link", name="Memories", exact=True)
        tab.click()
        expect(page.frame.get_by_label("Search text")).to_be_focused()
        page.go("review")
        expect(page.frame.locator("li.memory")).to_have_count(0)
        tab.press("Enter")
        expect(page.frame.locator("li.memory")).to_have_count(3)
        expect(tab).to_be_focused()


def test_an_id_as_replies_show_it_finds_its_memory_and_its_audit(
    hers: Opened, host: Host, kim: Person
) -> None:
    bees = host.memories.of(kim)["I keep bees"]["memory_id"]
    hers.frame.get_by_label("Search text").fill(f"({bees[:8]})")
    expect(hers.frame.locator("li.memory")).to_have_count(1)
    expect(hers.frame.locator("li.memory")).to_contain_text("I keep bees")
    hers.go("audit")
    hers.frame.get_by_label("Whose memory").select_option(label="Kim")
    expect(hers.frame.locator("main li")).to_have_count(len(host.memories.of(kim)))
    hers.go(f"audit?memory_id={bees[:8]}")
    expect(hers.frame.locator("main li")).to_have_count(1)
    expect(hers.frame.locator("main li")).to_contain_text("Saved at the person's request")


@pytest.mark.parametrize("width", [1280, 400])
def test_the_bar_lies_above_the_rows_while_some_are_chosen(open_page: OpenPage, width: int) -> None:
    seen = """(bar) => {
      const { x, y, width, height } = bar.getBoundingClientRect();
      const places = Array.from({ length: 20 }, (_, at) => x + ((at + 0.5) * width) / 20);
      return places.every((place) => bar.contains(document.elementFromPoint(place, y + height / 2)));
    }"""
    scroll = "(html, row) => html.ownerDocument.querySelectorAll('li.memory')[row].scrollIntoView()"
    api = FakeApi({"GET items": page_of("items", 50, item)})
    with open_page(api=api, place="memories", width=width) as page:
        html, bar = page.frame.locator("html"), page.frame.get_by_role("toolbar")
        first = page.frame.locator("li.memory").first
        first.wait_for()
        before = first.bounding_box()
        # No room is kept for buttons that come with a choice.
        assert bar.evaluate("(it) => it.offsetHeight") < 50
        page.frame.get_by_label("Choose: Fact number 1", exact=True).check()
        assert first.bounding_box() == before
        html.evaluate(scroll, 20)
        for place in range(0, 70, 10):
            html.evaluate("(html, place) => window.scrollBy(0, place && 10)", place)
            assert bar.evaluate(seen)
        for button in (*bar.get_by_role("button").all(), bar.get_by_role("combobox")):
            expect(button).to_be_in_viewport(ratio=1)
            assert button.evaluate("(it) => it.parentElement.scrollWidth <= it.parentElement.clientWidth")
        page.frame.get_by_label("Choose: Fact number 1", exact=True).uncheck()
        html.evaluate(scroll, 20)
        expect(bar).not_to_be_in_viewport()


def test_what_stands_in_the_place_of_a_button_takes_no_second_click(open_page: OpenPage) -> None:
    one = item(1)

    def changed(path: str, params: Any, body: Any) -> Any:  # noqa: ARG001  same shape for all
        one["status"] = body.get("status", "active")
        return {"done": [one["memory_id"]], "left": [], "decision_id": "d1"}

    def shown(*_: Any) -> Any:
        return explained(one)

    api = FakeApi(
        {
            "GET items": page_of("items", 1, lambda _: one),
            "GET items/*": shown,
            "POST items/change": changed,
        }
    )
    with open_page(api=api, place="memories") as page:
        memory = opened_memory(page, "Fact number 1")
        memory.get_by_role("button", name="Disable").click()
        enable = memory.get_by_role("button", name="Enable")
        expect(enable).to_be_disabled()
        enable.click()
        expect(memory.get_by_role("button", name="Disable")).to_be_disabled()
        expect(memory.get_by_role("button", name="Disable")).to_be_enabled()
    assert [body["status"] for body in api.posted("items/change")] == ["disabled", "active"]


def test_what_cannot_be_saved_says_why_at_its_field_until_it_is_mended(open_page: OpenPage) -> None:
    def refuse(*_: Any) -> Any:
        raise RefusedByFakeError(422, "fact: is taken")

    api = FakeApi({"GET items": page_of("items", 1, item), "GET items/*": explained(item())})
    api.answers["POST items/*/update"] = refuse
    with open_page(api=api, place="memories") as page:
        opened_memory(page, "Fact number 1").get_by_role("button", name="Edit").click()
        form = page.frame.get_by_role("dialog", name="Edit")
        told, save = form.locator(".field-error"), form.get_by_role("button", name="Save")
        fact = form.get_by_label("Fact")
        fact.fill(" ")
        expect(told).to_have_text("Must be given.")
        expect(save).to_be_disabled()
        fact.evaluate(
            "(field, text) => { field.select(); document.execCommand('insertText', false, text); }",
            "𠮷 " * 300,
        )
        expect(told).to_have_text("Must have at most 500 characters, and has 599.")
        expect(save).to_be_disabled()
        fact.fill("User likes tea")
        save.click()
        expect(told).to_have_text("Is taken")
        fact.fill("User likes coffee")
        expect(told).to_have_count(0)
        form.get_by_label("Never expires").uncheck()
        form.get_by_label("Days until expiry").fill("-1")
        expect(told).to_have_text("Must be a whole number from 0 to 36,500.")
        expect(save).to_be_disabled()
