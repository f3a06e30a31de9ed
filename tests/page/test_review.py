"""The view Review in the real dashboard: why something waits, and deciding about many at once."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.host.harness.host import Host
from tests.page.browser import Opened
from tests.page.conftest import Newcomer, OpenPage
from tests.page.fake_api import (
    AT,
    HEALTH,
    FakeApi,
    RefusedByFakeError,
    evidence,
    explained,
    item,
    page_of,
)

pytestmark = pytest.mark.usefixtures("model")


@pytest.fixture(scope="module")
def host(host: Host) -> Iterator[Host]:
    """A host in shadow mode, as a new installation is."""
    with host.plugin.configured({"write_policy": {"mode": "shadow"}}):
        yield host


def waiting(number: int, **other: Any) -> Mapping[str, Any]:
    return {
        "item": item(number, status="pending", **other),
        "evidence": [evidence(f"The words of {number}")],
        "ends_soon": number == 1,
    }


def faked(total: int, **answers: Any) -> FakeApi:
    reasons = {"not_in_evidence": 2, "tool_result": max(0, total - 2)}
    rows = page_of(
        "waiting", total, lambda n: waiting(n, reason="not_in_evidence:Paris" if n < 3 else "tool_result")
    )

    def review(*asked: Any) -> Any:
        return rows(*asked) | {"reasons": reasons if total else {}}

    return FakeApi({"GET review": review} | answers)


def choose(page: Opened, *facts: str) -> None:
    for fact in facts:
        page.frame.get_by_label(f"Choose: {fact}").check()


def test_what_was_learnt_in_shadow_waits_with_its_words_and_is_approved_in_bulk(
    open_live: OpenPage, host: Host, newcomer: Newcomer
) -> None:
    kim = newcomer("Kim")
    for text in ("I'm allergic to shrimp", "I live in Hamburg", "I work as a carpenter"):
        host.say(kim, text)
    facts = ("User is allergic to shrimp", "User lives in Hamburg", "User works as a carpenter")
    host.memories.wait_for(kim, *facts)
    with open_live(place=f"review?scope_id=plat_a:{kim.id}") as page:
        rows = page.frame.locator("li.waiting")
        expect(rows).to_have_count(3)
        shrimp = rows.filter(has_text=facts[0])
        expect(shrimp.locator("blockquote")).to_have_text("I'm allergic to shrimp")
        expect(page.frame.locator("h3")).to_contain_text(
            "Learnt in shadow mode, nobody has accepted it yet (3)"
        )
        choose(page, facts[0], facts[1])
        page.frame.get_by_role("button", name="Approve 2").click()
        expect(page.frame.locator(".toast")).to_contain_text("Approved: 2 memories.")
        expect(rows).to_have_count(1)
        choose(page, facts[2])
        page.frame.get_by_role("button", name="Reject 1").click()
        expect(page.frame.locator(".state")).to_contain_text("Nothing waits")
    left = host.plugin.get("items", params={"scope_id": f"plat_a:{kim.id}", "status": "active"}).json()
    assert {one["fact"] for one in left["items"]} == set(facts[:2])


@pytest.mark.parametrize(("language", "told"), [("en-US", "Expires in 6 days"), ("zh-CN", "6 天后到期")])
def test_one_that_ends_soon_says_when_in_the_order_of_the_language(
    open_page: OpenPage, language: str, told: str
) -> None:
    ends = datetime.now(UTC) + timedelta(days=6, hours=1)  # noqa: TID251  the browser's now
    rows = page_of("waiting", 1, lambda n: waiting(n, reason="mode", expires_at=ends.isoformat()))

    def review(*asked: Any) -> Any:
        return rows(*asked) | {"reasons": {"mode": 1}}

    with open_page(api=FakeApi({"GET review": review}), place="review", language=language) as page:
        expect(page.frame.locator("li.waiting .chip").first).to_have_text(told)


def test_each_says_in_plain_words_why_it_waits(open_page: OpenPage) -> None:
    with open_page(api=faked(3), place="review") as page:
        rows = page.frame.locator("li.waiting")
        expect(rows.nth(0)).to_contain_text("Its evidence lacks a name or number: Paris.")
        expect(rows.nth(0)).to_contain_text("Expires soon")
        headings = page.frame.locator(".waiting-group h3")
        expect(headings).to_contain_text(
            ["Its evidence lacks a name or number (2)", "Its only evidence is a tool result"]
        )
        expect(rows.nth(2).locator("blockquote")).to_have_text("The words of 3")


def test_twenty_stand_on_a_screen_and_one_opens_with_its_words(open_page: OpenPage) -> None:
    with open_page(api=faked(30), place="review") as page:
        rows = page.frame.locator("li.waiting")
        expect(rows.nth(19)).to_be_in_viewport(ratio=1)
        words = rows.nth(1).locator("blockquote")
        expect(words).to_be_hidden()
        rows.nth(1).get_by_text("Fact number 2").click()
        expect(words).to_be_visible()
        rows.nth(1).get_by_role("link", name="Open the memory").click()
        page.settle()
        expect(page.frame.get_by_role("dialog")).to_be_visible()


@pytest.mark.parametrize(
    ("language", "chip", "used", "waits"),
    [
        (
            "en-US",
            "Says otherwise than another",
            "Says otherwise than this one, and both would be used:",
            "Says otherwise than this one, which waits as well:",
        ),
        (
            "zh-CN",
            "与另一条说法不同",
            "与这条说法不同，批准后两条都会使用：",
            "与这条说法不同，它也在待审核：",
        ),
    ],
)
def test_that_another_says_otherwise_than_one_that_waits_is_told_and_which_is_used_then(
    open_page: OpenPage, language: str, chip: str, used: str, waits: str
) -> None:
    api = faked(2)
    vet = {"memory_id": "8", "fact": "User lives in Lyon", "then": "both"}
    dijon = {"memory_id": "9", "fact": "User lives in Dijon", "then": "waits"}
    decided = {**waiting(2, reason="mode"), "otherwise": [{**vet, "then": "this"}]}
    rows = [{**waiting(1, reason="mode"), "otherwise": [vet, dijon]}, decided]
    api.answers["GET review"] = page_of("waiting", 2, lambda n: rows[n - 1])("", {}, None) | {
        "reasons": {"mode": 2}
    }
    api.answers |= {"GET items/*": explained(item(1, status="pending"), otherwise=[vet], replaces=[])}
    with open_page(api=api, place="review", language=language) as page:
        row = page.frame.locator("li.waiting").first
        expect(row.locator("summary")).to_contain_text(chip)
        expect(page.frame.locator("li.waiting").nth(1).locator(".chip", has_text=chip)).to_have_count(0)
        approve = page.frame.locator(".bulk-end button").first
        expect(approve).to_contain_text("1")  # the other one alone
        row.locator("summary").click()
        expect(row.locator("p", has_text=waits).get_by_role("link")).to_have_text(dijon["fact"])
        row.locator("p", has_text=used).get_by_role("link", name=vet["fact"]).click()
        page.settle()
        expect(page.frame.get_by_role("dialog").locator("p", has_text=used)).to_contain_text(vet["fact"])


@pytest.mark.parametrize(
    ("language", "approve", "told"),
    [
        ("en-US", "Approve", "“Fact number 1”. Another memory says otherwise: “User lives in Lyon”."),
        ("zh-CN", "批准", "“Fact number 1”。另一条记忆说法不同：“User lives in Lyon”。"),
    ],
)
@pytest.mark.parametrize(
    ("place", "within"),
    [("review", "li.waiting"), (f"review/{item(1)['memory_id']}", "[role=dialog]")],
    ids=["row", "memory"],
)
def test_after_an_approval_it_is_told_what_says_otherwise_and_is_used(
    open_page: OpenPage, place: str, within: str, language: str, approve: str, told: str
) -> None:
    lyon = {"memory_id": "8", "fact": "User lives in Lyon", "then": "both"}
    dijon = {"memory_id": "9", "fact": "User lives in Dijon", "then": "waits"}
    one = explained(item(1, status="pending"), otherwise=[lyon, dijon])
    done = {"done": [item(1)["memory_id"]], "left": [], "replaced": [], "decision_id": "d1"}
    api = faked(1, **{"POST review/approve": done, "GET items/*": one})
    api.answers["GET items/8"] = explained(item(8, fact=lyon["fact"]))
    with open_page(api=api, place=place, language=language) as page:
        page.frame.locator(within).get_by_role("button", name=approve, exact=True).click()
        expect(page.frame.locator(".toast .toast-text")).to_contain_text(told)
        expect(page.frame.locator(".toast .toast-text")).not_to_contain_text("Dijon")


@pytest.mark.parametrize("come_back", ["window.focus", "document.visibilitychange"])
def test_what_others_decide_meanwhile_goes_from_the_badge_and_the_list(
    open_page: OpenPage, come_back: str
) -> None:
    left = [3]

    def review(*asked: Any) -> Any:
        rows = page_of("waiting", left[0], lambda n: waiting(n, reason="mode"))
        return rows(*asked) | {"reasons": {"mode": left[0]}}

    def health(*_: Any) -> Any:
        return {**HEALTH, "waiting": left[0]}

    api = FakeApi({"GET review": review, "GET health": health})
    with open_page(api=api, place="review") as page:
        badge = page.frame.locator("nav.nav .badge [aria-hidden]")
        expect(badge).to_have_text("3")
        expect(page.frame.locator("li.waiting")).to_have_count(3)
        left[0] = 2
        target, event = come_back.split(".")
        page.frame.locator("body").evaluate(f"() => {target}.dispatchEvent(new Event('{event}'))")
        expect(badge).to_have_text("2")
        expect(page.frame.locator("li.waiting")).to_have_count(2)


def test_a_range_is_chosen_with_shift(open_page: OpenPage) -> None:
    with open_page(api=faked(12), place="review") as page:
        choose(page, "Fact number 2")
        page.frame.get_by_label("Choose: Fact number 9").click(modifiers=["Shift"])
        expect(page.frame.get_by_text("8 chosen")).to_be_visible()
        page.frame.get_by_label("Choose: Fact number 7").click(modifiers=["Shift"])
        expect(page.frame.get_by_text("5 chosen")).to_be_visible()
        page.frame.locator("summary", has_text="Fact number 12").click(modifiers=["Shift"])
        expect(page.frame.get_by_text("11 chosen")).to_be_visible()
        expect(page.frame.locator("li.waiting details[open]")).to_have_count(0)
        assert page.frame.locator("body").evaluate("() => String(getSelection())") == ""


def test_it_says_how_many_of_the_chosen_are_disputed(open_page: OpenPage) -> None:
    rows = page_of("waiting", 3, lambda n: waiting(n, reason="tool_result" if n == 1 else "mode"))

    def review(*asked: Any) -> Any:
        return rows(*asked) | {"reasons": {"tool_result": 1, "mode": 2}}

    with open_page(api=FakeApi({"GET review": review}), place="review") as page:
        told = page.frame.get_by_role("toolbar").locator("label")
        for number, words in ((2, "1 chosen"), (1, "2 chosen, 1 of them better decided one by one")):
            choose(page, f"Fact number {number}")
            expect(told).to_have_text(words)
        page.frame.get_by_label("Choose: Fact number 2").uncheck()
        expect(told).to_have_text("1 chosen, better decided one by one")
        headings = page.frame.locator(".waiting-group h3")
        expect(headings).to_contain_text(["(2)", "(1)"])  # what is undisputed comes first


def test_who_has_no_name_goes_by_id_and_platform(open_page: OpenPage) -> None:
    with open_page(api=faked(1), place="review?scope_id=plat_a%3AGroupMessage%3A7") as page:
        expect(page.frame.locator(".waiting-who")).to_have_text("kim on plat_a")
        expect(page.frame.get_by_text("group 7 on plat_a")).to_be_visible()


def test_all_undisputed_but_one_are_approved_with_three_clicks(open_page: OpenPage) -> None:
    rows = page_of("waiting", 4, lambda n: waiting(n, reason="tool_result" if n == 1 else "mode"))

    def review(*asked: Any) -> Any:
        return rows(*asked) | {"reasons": {"tool_result": 1, "mode": 3}}

    api = FakeApi({"GET review": review, "POST review/approve": {"done": [], "left": [], "replaced": []}})
    with open_page(api=api, place="review") as page:
        page.frame.get_by_label("Choose all undisputed, uncontradicted on this page").click()
        expect(page.frame.get_by_label("3 chosen")).to_be_checked()
        page.frame.get_by_label("Choose: Fact number 3").click()
        page.frame.get_by_role("button", name="Approve 2", exact=True).click()
        page.wait_until(lambda: bool(api.posted("review/approve")))
    ids = [item(number)["memory_id"] for number in (2, 4)]
    assert api.posted("review/approve") == [{"memory_ids": ids}]


def test_read_only_nothing_can_be_decided_and_each_button_says_why(open_page: OpenPage) -> None:
    api = faked(2, **{"GET health": {**HEALTH, "read_only": True}})
    with open_page(api=api, place="review") as page:
        choose(page, "Fact number 1")
        for name in ("Approve", "Reject", "Approve 1", "Reject 1"):
            button = page.frame.get_by_role("button", name=name, exact=True).first
            expect(button).to_be_disabled()
            expect(button).to_have_attribute("title", re.compile("^Read-only"))


def test_of_a_decision_that_fails_only_the_error_is_told(open_page: OpenPage) -> None:
    def refused(*_: Any) -> Any:
        raise RefusedByFakeError(503, "busy")

    with open_page(api=faked(2, **{"POST review/approve": refused}), place="review") as page:
        page.frame.locator("li.waiting").first.get_by_role("button", name="Approve").click()
        expect(page.frame.locator(".toast")).to_have_text(re.compile("^Busy"))


def test_those_of_one_person_are_asked_for(open_page: OpenPage) -> None:
    kim: dict[str, Any] = {
        "account": "plat_a:kim",
        "name": "Kim",
        "scope_id": "plat_a:kim",
        "items": 1,
        "chats": [],
    }
    people: dict[str, Any] = {
        "people": [{**kim, "last_seen": AT, "paused": False}],
        "total": 1,
        "page": 1,
        "page_size": 20,
    }
    api = faked(3, **{"GET people": people})
    listed = api.answers["GET review"]

    def review(*asked: Any) -> Any:
        return listed(*asked) | {"reasons": {"mode": 3}}

    api.answers["GET review"] = review
    with open_page(api=api, place="review") as page:
        everybodys = page.frame.get_by_role("button", name="Approve all 3 undisputed")
        expect(everybodys).to_be_enabled()
        page.frame.get_by_role("combobox", name="Person").fill("ki")
        # The list is everybody's still, so nothing is decided about it.
        expect(everybodys).to_be_disabled()
        page.frame.get_by_role("combobox", name="Person").fill("")
        expect(everybodys).to_be_enabled()
        page.frame.get_by_role("combobox", name="Person").fill("ki")
        page.frame.get_by_role("option", name="Kim").click()
        expect(everybodys).to_have_count(0)
        page.settle()
        expect(page.frame.get_by_role("combobox", name="Person")).to_have_value("Kim (plat_a:kim)")
        last = [query for _, path, query, _ in api.asked if path == "review"][-1]
        assert last["scope_id"] == "plat_a:kim"
        assert "account" not in last


def test_a_quote_stands_marked_in_what_was_said(open_page: OpenPage) -> None:
    said = [
        evidence("my name is Hamlet", before="In the play on Friday I say: ", after=". Ha!"),
        evidence("my name is Hamlet", evidence_id="e2"),
    ]
    one = {**waiting(1, reason="quote_out_of_context"), "evidence": said}
    rows = page_of("waiting", 1, lambda _: one)

    def review(*asked: Any) -> Any:
        return rows(*asked) | {"reasons": {"quote_out_of_context": 1}}

    with open_page(api=FakeApi({"GET review": review}), place="review") as page:
        quotes = page.frame.locator("blockquote")
        expect(quotes).to_have_text(
            ["In the play on Friday I say: my name is Hamlet. Ha!", "my name is Hamlet"]
        )
        expect(page.frame.locator("mark")).to_have_text(["my name is Hamlet"])


def test_those_of_one_reason_are_asked_for(open_page: OpenPage) -> None:
    api = faked(3)
    with open_page(api=api, place="review") as page:
        reasons = page.frame.get_by_label("Reason")
        expect(reasons.locator("option")).to_have_count(3)
        reasons.select_option("tool_result")
        expect(page.frame.locator("li.waiting").first).to_be_visible()
        page.settle()
        assert [query.get("reason") for _, path, query, _ in api.asked if path == "review"][
            -1
        ] == "tool_result"


def test_a_whole_page_is_chosen_at_once(open_page: OpenPage) -> None:
    api = faked(120, **{"POST review/approve": {"done": [str(n) for n in range(50)], "left": []}})
    with open_page(api=api, place="review") as page:
        page.frame.get_by_label("Choose all on this page").check()
        page.frame.get_by_role("button", name="Approve 50").click()
        expect(page.frame.locator(".toast")).to_contain_text("Approved: 50 memories.")
        [body] = api.posted("review/approve")
        assert len(body["memory_ids"]) == 50


def test_an_approval_is_undone_from_its_message(open_live: OpenPage, host: Host, newcomer: Newcomer) -> None:
    kim = newcomer("Kim")
    host.say(kim, "I live in Lagos")
    host.memories.wait_for(kim, "User lives in Lagos")
    with open_live(place=f"review?scope_id=plat_a:{kim.id}") as page:
        row = page.frame.locator("li.waiting")
        row.get_by_role("button", name="Approve").click()
        expect(page.frame.locator(".state")).to_contain_text("Nothing waits")
        page.hold_toast()
        page.frame.locator(".toast").get_by_role("button", name="Undo").click()
        expect(row).to_contain_text("User lives in Lagos")
        expect(page.frame.locator("h3")).to_contain_text(
            "Learnt in shadow mode, nobody has accepted it yet (1)"
        )


def test_what_could_not_be_decided_is_named_with_its_reason(open_page: OpenPage) -> None:
    one, other = item(1)["memory_id"], item(2)["memory_id"]
    answer = {"done": [one], "left": [{"memory_id": other, "why": "not_waiting"}]}
    with open_page(api=faked(2, **{"POST review/approve": answer}), place="review") as page:
        choose(page, "Fact number 1", "Fact number 2")
        page.frame.get_by_role("button", name="Approve 2").click()
        left = page.frame.get_by_role("dialog", name="Not approved: 1")
        expect(left).to_contain_text("Fact number 2")
        expect(left).to_contain_text("It no longer waits")


def test_approving_all_names_their_number_leaves_doubts_and_can_be_undone(open_page: OpenPage) -> None:
    doubt = {"memory_id": "y", "why": "in_doubt"}
    left = [doubt, {"memory_id": "v", "why": "replaces_newer"}, {"memory_id": "w", "why": "not_waiting"}]
    done = [f"x{number}" for number in range(33)]
    answer: dict[str, Any] = {
        "done": done,
        "left": left,
        "replaced": ["o1", "o2", "o3", "o4"],
        "decision_id": "d1",
    }
    api = faked(2, **{"POST review/approve": answer, "POST decisions/*/undo": answer})
    api.answers["GET items/*"] = explained(item(9, fact="User lives in Rome", status="superseded"))
    listed, fails = api.answers["GET review"], [True]

    def taken_back(*_: Any) -> Any:
        if fails:
            raise RefusedByFakeError(503, "busy")
        return answer

    api.answers["POST decisions/d1/undo"] = taken_back

    def review(*asked: Any) -> Any:
        return listed(*asked) | {"reasons": {"tool_result": 2, "mode": 35}, "changed_at": AT}

    api.answers["GET review"] = review
    with open_page(api=api, place="review") as page:
        page.frame.get_by_role("button", name="Approve all 35 undisputed").click()
        toast = page.frame.locator(".toast")
        expect(toast).to_contain_text(
            "Approved: 33 memories. Replaced: “User lives in Rome”, “User lives in Rome”, "
            "“User lives in Rome”, and 1 more. 1 was decided or changed meanwhile. "
            "Left: 1 disputed, 1 that would replace a newer one."
        )
        assert api.posted("review/approve") == [{"all": True, "unchanged_since": AT}]
        # Nobody asked about the doubts, which stay on the list.
        expect(page.frame.get_by_role("dialog")).to_have_count(0)
        toast.get_by_role("button", name="Undo").click()
        expect(toast.last).to_contain_text("Busy")
        fails.clear()
        assert [path for method, path, *_ in api.asked if method == "POST"][-1] == "decisions/d1/undo"
    with open_page(api=faked(2), place="review") as page:
        expect(page.frame.locator("li.waiting")).to_have_count(2)
        expect(page.frame.get_by_role("button", name="undisputed")).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "done", "told"),
    [
        ("en-US", 0, "5 were decided or changed meanwhile. Left: 2 disputed"),
        ("en-US", 4, "Approved: 4 memories. 1 was decided or changed meanwhile. Left: 2 disputed"),
        ("zh-CN", 0, "5 条已另行处理或改动。仍待审核：存疑 2 条"),
    ],
)
def test_of_all_that_a_stale_page_shows_it_is_told_how_many_were_decided_meanwhile(
    open_page: OpenPage, language: str, done: int, told: str
) -> None:
    whys = ("in_doubt", "in_doubt", "says_otherwise")
    left = [{"memory_id": f"l{number}", "why": why} for number, why in enumerate(whys)]
    made = [f"d{number}" for number in range(done)]
    answer = {"done": made, "left": left, "replaced": [], "decision_id": "d1" if done else ""}
    reasons = {"mode": 6, "names": 2}
    rows = page_of("waiting", 2, lambda n: waiting(n, reason="mode"))
    listed = rows("", {}, None) | {"reasons": reasons, "changed_at": AT}
    listed["waiting"][0]["otherwise"] = [{"memory_id": "o", "fact": "User lives in Lyon", "then": "both"}]
    api = FakeApi({"GET review": listed, "POST review/approve": answer})
    with open_page(api=api, place="review", language=language) as page:
        page.frame.locator(".bulk-end button").first.click()
        expect(page.frame.locator(".toast")).to_contain_text(told)


def test_on_a_narrow_screen_too_the_offer_to_undo_stays_in_sight(open_page: OpenPage) -> None:
    until = (datetime.now(UTC) + timedelta(minutes=5)).isoformat()  # noqa: TID251  by the browser's clock
    changed = {"fact": ["User likes go " * 4, "User likes chess " * 4], "type": ["profile", "preference"]}
    made = {"decision_id": "d", "action": "edit", "count": 1, "memory_id": "x", "until": until}
    api = faked(50, **{"GET decisions": {"decisions": [made | {"changed": changed}]}})
    api.answers["GET items/x"] = explained(item(1, fact="User likes chess " * 20))
    with open_page(api=api, place="review", width=400, height=800) as page:
        bar = page.frame.locator("main p.undo-bar")
        expect(bar.get_by_role("button")).to_be_in_viewport(ratio=1)
        expect(bar).to_contain_text("User likes chess")
        box = bar.bounding_box()
        assert box
        assert box["height"] < 160
        api.answers["GET items"] = page_of("items", 50, item)
        page.go("memories")
        expect(bar).to_contain_text("User likes chess")
        page.frame.get_by_label("Choose: Fact number 1", exact=True).check()
        # The buttons of what is chosen stand in its place.
        expect(bar).not_to_be_in_viewport()


def test_a_row_tells_what_it_would_replace_and_what_is_newer_is_not_among_all(open_page: OpenPage) -> None:
    bergen = {"memory_id": "b", "fact": "User lives in Bergen", "newer": False}
    rows = [
        {**waiting(1, reason="mode"), "replaces": [{**bergen, "newer": True}]},
        {**waiting(2, reason="mode"), "replaces": [bergen]},
        waiting(3, reason="mode"),
    ]
    listed = {"waiting": rows, "total": 3, "page": 1, "page_size": 50, "reasons": {"mode": 3}}
    with open_page(api=FakeApi({"GET review": listed}), place="review") as page:
        newer, older, none = (page.frame.locator("li.waiting").nth(place) for place in range(3))
        expect(newer).to_contain_text("Replaces a newer one")
        expect(older).to_contain_text("Replaces 1")
        expect(none).not_to_contain_text("Replaces")
        expect(page.frame.get_by_role("button", name="Approve all 2 undisputed")).to_have_count(1)
        newer.locator("summary").click()
        expect(newer.get_by_text("Replaces: User lives in Bergen (confirmed later)")).to_be_visible()
        choose(page, "Fact number 1", "Fact number 2")
        expect(page.frame.get_by_text("2 chosen, 1 of them better decided one by one")).to_be_visible()


def test_each_decision_can_be_undone_until_it_lapses_also_after_a_reload(open_page: OpenPage) -> None:
    until = (datetime.now(UTC) + timedelta(minutes=5)).isoformat()  # noqa: TID251  by the browser's clock
    edited = {"fact": ["User likes go", "User likes chess"], "type": ["profile", "preference"]}
    made: list[dict[str, Any]] = [
        {"decision_id": "d3", "action": "approve", "count": 34, "memory_id": "x"},
        {"decision_id": "d2", "action": "reject", "count": 1, "memory_id": "y"},
        {"decision_id": "d1", "action": "deleted", "count": 2, "memory_id": "z"},
        {"decision_id": "d0", "action": "edit", "count": 1, "memory_id": "y", "changed": edited},
    ]

    def undone(path: str, params: Any, body: Any) -> Any:  # noqa: ARG001  same shape for all
        made[:] = [one for one in made if one["decision_id"] not in path]
        return {"done": ["x"], "left": [], "decision_id": "d9"}

    def listed(*_: Any) -> Any:
        return {"decisions": [{"until": until, **one} for one in made]}

    api = faked(2, **{"GET decisions": listed, "POST decisions/*/undo": undone})
    api.answers["GET items/y"] = explained(item(1, fact="User likes chess", status="deleted"))
    with open_page(api=api, place="review") as page:
        bar = page.frame.locator("main p.row", has_text="Undo")
        expect(bar.first).to_contain_text("Approved: 34 memories.")
        expect(bar.first).to_contain_text("Undo ends in 4 minutes")
        single = bar.first.get_by_role("link", name="Disable single ones under Memories")
        expect(single).to_have_attribute("href", re.compile("#memories.*status=active"))
        page.frame.get_by_text("3 earlier decisions that can be undone").click()
        expect(bar.nth(1)).to_contain_text("Rejected: 1 memory. “User likes chess”")
        expect(bar.nth(3)).to_contain_text(
            "text: User likes go → User likes chess type: Profile → Preference"
        )
        expect(bar.nth(2)).to_contain_text("Forgotten: 2 memories.")
        bar.nth(1).get_by_role("button", name="Undo").click()
        expect(page.frame.locator(".toast")).to_contain_text("Undone: 1 memory is waiting again.")
        expect(bar).to_have_count(3)
        assert api.posted("decisions/d2/undo") == [{}]


@pytest.mark.parametrize(
    ("left", "language", "told"),
    [
        (None, "en-US", "Undone: “User likes chess” is waiting again."),
        (None, "zh-CN", "已撤销：“User likes chess”重新等待审核。"),
        (["changed_since"], "en-US", "Nothing undone: 1 was changed since. “User likes chess”"),
        (["import_undone"], "zh-CN", "没有撤销：1 条会恢复已撤销的导入带来的记忆。"),
        (
            ["taken", "changed_since", "taken"],
            "en-US",
            "Nothing undone: 2 have their place taken by another memory, 1 was changed since. "
            + "“User likes chess”, " * 2
            + "“User likes chess”",
        ),
        (
            ["changed_since"] * 5,
            "zh-CN",
            "没有撤销：5 条之后又改过。“User likes chess”，“User likes chess”，“User likes chess”，还有 2 条",
        ),
    ],
)
def test_an_undo_says_what_it_put_back_or_why_it_did_not(
    open_page: OpenPage, left: Sequence[str] | None, language: str, told: str
) -> None:
    until = (datetime.now(UTC) + timedelta(minutes=5)).isoformat()  # noqa: TID251  by the browser's clock
    made = {
        "decision_id": "d1",
        "action": "reject",
        "count": len(left or "1"),
        "memory_id": "x",
        "until": until,
    }
    stays = [{"memory_id": "x", "why": why, "detail": ""} for why in left or ()]
    undone = {"done": [] if left else ["x"], "left": stays, "decision_id": ""}
    api = faked(2, **{"GET decisions": {"decisions": [made]}, "POST decisions/d1/undo": undone})
    api.answers["GET items/x"] = explained(item(1, fact="User likes chess", status="pending"))
    with open_page(api=api, place="review", language=language) as page:
        page.frame.locator("main p.undo-bar").get_by_role("button").click()
        expect(page.frame.locator(".toast")).to_contain_text(told)


@pytest.mark.parametrize(
    ("language", "told", "undone"),
    [
        (
            "en-US",
            "Replaced: “User lives in Rome”.",
            "2 memories are waiting again. In use again: “User lives",
        ),
        ("zh-CN", "取代了：“User lives in Rome”。", "2 条记忆重新等待审核。恢复使用：“User lives in Rome”。"),
    ],
)
def test_the_offer_to_undo_names_what_was_replaced_and_its_undo_what_is_used_again(
    open_page: OpenPage, language: str, told: str, undone: str
) -> None:
    until = (datetime.now(UTC) + timedelta(minutes=5)).isoformat()  # noqa: TID251  by the browser's clock
    made = {"decision_id": "d1", "action": "approve", "count": 2, "memory_id": "x", "until": until}
    answer = {"done": ["x", "y"], "left": [], "decision_id": "", "replaced": ["rome"]}
    api = faked(2, **{"GET decisions": {"decisions": [made | {"replaced": ["rome"]}]}})
    api.answers["POST decisions/d1/undo"] = answer
    api.answers["GET items/rome"] = explained(item(9, fact="User lives in Rome"))
    with open_page(api=api, place="review", language=language) as page:
        bar = page.frame.locator("main p.undo-bar")
        expect(bar).to_contain_text(told)
        bar.get_by_role("button").click()
        expect(page.frame.locator(".toast")).to_contain_text(undone)


def test_the_mode_that_something_waits_for_is_named_by_its_status(open_page: OpenPage) -> None:
    rows = page_of("waiting", 1, lambda n: waiting(n, reason="mode"))
    told = "Learnt in manual mode, nobody has accepted it yet"

    def review(*asked: Any) -> Any:
        return rows(*asked) | {"reasons": {"mode": 1}}

    api = FakeApi({"GET review": review, "GET items/*": explained(waiting(1, reason="mode")["item"])})
    with open_page(api=api, place="review") as page:
        expect(page.frame.locator(".waiting-group h3")).to_have_text(f"{told} (1)")
        page.frame.get_by_text("Fact number 1").click()
        page.frame.get_by_role("link", name="Open the memory").click()
        expect(page.frame.get_by_role("dialog")).to_contain_text(f"Why: {told}.")


def test_one_is_edited_on_its_row_and_approved_from_the_toast_which_names_what_it_replaced(
    open_page: OpenPage,
) -> None:
    decided = {"done": [item(3)["memory_id"]], "left": [], "replaced": ["rome"], "decision_id": "d1"}
    api = faked(
        3,
        **{
            "POST items/*/update": {
                "item": item(3, status="pending", fact="User lives in Oslo"),
                "decision_id": "d0",
            },
            "POST review/approve": decided,
            "GET items/rome": explained(item(9, fact="User lives in Rome", status="superseded")),
        },
    )
    with open_page(api=api, place="review") as page:
        row = page.frame.locator("li.waiting").nth(2)
        row.get_by_text("Fact number 3").click()
        row.get_by_role("button", name="Edit").click()
        form = page.frame.get_by_role("dialog", name="Edit")
        form.get_by_label("Fact", exact=True).fill("User lives in Oslo")
        form.get_by_role("button", name="Save", exact=True).click()
        toast = page.frame.locator(".toast")
        expect(toast).to_contain_text("Saved, but not used until it is approved: “User lives in Oslo”.")
        toast.get_by_role("button", name="Approve").click()
        expect(toast).to_contain_text(
            "Approved, used from now on: “User lives in Oslo”. Replaced: “User lives in Rome”."
        )
    assert api.posted("items/*/update") == [{"fact": "User lives in Oslo"}]
    assert api.posted("review/approve") == [{"memory_ids": [item(3)["memory_id"]]}]


def test_nothing_moves_under_the_pointer_when_rows_are_chosen(open_page: OpenPage) -> None:
    with open_page(api=faked(12), place="review") as page:
        bar = page.frame.locator(".bulk-end .button").first
        before = bar.bounding_box()
        choose(page, "Fact number 2", "Fact number 5")
        expect(bar).to_have_text("Approve 2")
        assert bar.bounding_box() == before


def save_and_approve(page: Opened, **fields: str) -> None:
    row = page.frame.locator("li.waiting").nth(2)
    row.locator("details").evaluate("(it) => { it.open = true; }")
    row.get_by_role("button", name="Edit").click()
    form = page.frame.get_by_role("dialog", name="Edit")
    form.get_by_label("Fact", exact=True).fill("User lives in Oslo")
    for label, value in fields.items():
        form.get_by_label(label).select_option(value)
    form.get_by_role("button", name="Save and approve").click()


def test_a_corrected_one_is_saved_and_approved_at_once_and_both_are_taken_back(open_page: OpenPage) -> None:
    now = item(3, fact="User lives in Oslo")
    api = faked(
        3,
        **{
            "POST items/*/update": {"item": now, "decision_id": "d1", "replaced": ["rome"]},
            "POST decisions/d1/undo": {"done": [now["memory_id"]], "left": [], "decision_id": "d2"},
            "GET items/*": explained(now),
            "GET items/rome": explained(item(9, fact="User lives in Rome")),
        },
    )
    with open_page(api=api, place="review") as page:
        save_and_approve(page, Level="PUBLIC")
        toast = page.frame.locator(".toast")
        expect(toast).to_contain_text("Saved and approved, used from now on: “User lives in Oslo”.")
        expect(toast).to_contain_text("Replaced: “User lives in Rome”.")
        expect(page.frame.get_by_role("dialog")).to_have_count(0)
        edited = {"fact": "User lives in Oslo", "level": "PUBLIC", "status": "active"}
        assert api.posted("items/*/update") == [edited]
        page.hold_toast()
        toast.get_by_role("button", name="Undo").click()
        expect(toast).to_contain_text("Undone. It says again: “Fact number 3”.")
        assert api.posted("decisions/d1/undo") == [{}]


def test_what_cannot_be_approved_is_not_saved_either_and_the_form_says_why(open_page: OpenPage) -> None:
    def taken(*_: Any) -> Any:
        raise RefusedByFakeError(409, f"taken: the memory {item(7)['memory_id']} answers the same question")

    with open_page(api=faked(3, **{"POST items/*/update": taken}), place="review") as page:
        save_and_approve(page)
        form = page.frame.get_by_role("dialog", name="Edit")
        expect(form.get_by_role("alert")).to_contain_text("Another memory")
        expect(form.get_by_label("Fact", exact=True)).to_have_value("User lives in Oslo")


def test_a_decision_moves_nothing_but_its_own_row(open_page: OpenPage) -> None:
    rows = list(range(1, 31))
    until = (datetime.now(UTC) + timedelta(minutes=5)).isoformat()  # noqa: TID251  by the browser's clock
    made: list[dict[str, Any]] = []

    def review(path: str, params: Any, body: Any) -> Any:
        listed = page_of("waiting", len(rows), lambda n: waiting(rows[n - 1]))
        return listed(path, params, body) | {"reasons": {"mode": len(rows)}}

    def rejected(path: str, params: Any, body: Any) -> Any:  # noqa: ARG001  same shape for all
        del rows[9:]
        made.append({"decision_id": "d1", "action": "reject", "count": 1, "memory_id": "x", "until": until})
        return {"done": body["memory_ids"], "left": [], "decision_id": "d1"}

    def decisions(*_: Any) -> Any:
        return {"decisions": made}

    api = FakeApi({"GET review": review, "POST review/reject": rejected, "GET decisions": decisions})
    waits = [30]

    def health(*_: Any) -> Any:
        return {**HEALTH, "waiting": waits[-1]}

    api.answers["GET health"] = health
    with open_page(api=api, place="review") as page:
        page.settle()
        steady = [
            page.frame.locator("li.waiting").nth(2),
            page.frame.get_by_role("toolbar").get_by_role("button", name="Reject"),
            page.frame.get_by_role("link", name="Audit"),
        ]
        expect(page.frame.locator(".badge")).to_be_visible()
        before = [each.bounding_box() for each in steady]
        waits.append(0)
        page.frame.locator("li.waiting").nth(9).get_by_role("button", name="Reject").click()
        expect(page.frame.locator(".toast")).to_contain_text("Rejected: “Fact number 10”.")
        expect(page.frame.locator(".badge")).to_have_count(0)
        expect(page.frame.locator("li.waiting")).to_have_count(9)
        assert [each.bounding_box() for each in steady] == before


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("waiting", [7, 32, 320])
def test_the_count_stands_within_its_tab(open_page: OpenPage, width: int, waiting: int) -> None:
    with open_page(api=FakeApi({"GET health": {**HEALTH, "waiting": waiting}}), width=width) as page:
        badge = page.frame.locator(".badge")
        expect(badge).to_contain_text(str(waiting))
        count, tab = badge.bounding_box(), page.frame.locator(".nav-link", has=badge).bounding_box()
        assert count
        assert tab
        assert count["x"] + count["width"] <= tab["x"] + tab["width"] - 4


@pytest.mark.parametrize(
    ("count", "told"), [(1, "Approve the 1 undisputed"), (2, "Approve all 2 undisputed")]
)
def test_one_undisputed_is_not_called_all(open_page: OpenPage, count: int, told: str) -> None:
    rows = page_of("waiting", count, lambda n: waiting(n, reason="mode"))

    def review(*asked: Any) -> Any:
        return rows(*asked) | {"reasons": {"mode": count}}

    with open_page(api=FakeApi({"GET review": review}), place="review") as page:
        expect(page.frame.get_by_role("button", name=told)).to_be_visible()


@pytest.mark.parametrize(
    ("doubts", "told"), [(0, "批准全部 2 条"), (3, "批准全部 2 条（除存疑、说法不同的）")]
)
def test_doubts_are_left_out_in_words_where_there_are_some(
    open_page: OpenPage, doubts: int, told: str
) -> None:
    rows = page_of("waiting", 2, lambda n: waiting(n, reason="mode"))

    def review(*asked: Any) -> Any:
        return rows(*asked) | {"reasons": {"mode": 2, "tool_result": doubts}}

    with open_page(api=FakeApi({"GET review": review}), place="review", language="zh-CN") as page:
        expect(page.frame.get_by_role("button", name=told, exact=True)).to_be_visible()


def test_of_several_pages_the_number_of_all_undisputed_is_the_most_it_may_be(open_page: OpenPage) -> None:
    rows = page_of("waiting", 60, lambda n: waiting(n, reason="mode"))

    def review(*asked: Any) -> Any:
        return rows(*asked) | {"reasons": {"mode": 60}}

    with open_page(api=FakeApi({"GET review": review}), place="review") as page:
        told = "Approve all undisputed, uncontradicted, at most 60"
        expect(page.frame.get_by_role("button", name=told)).to_be_visible()


def test_what_a_reason_means_for_the_evidence_stands_beside_it(open_page: OpenPage) -> None:
    rows = page_of("waiting", 1, lambda n: waiting(n, reason="quote_not_found"))

    def review(*asked: Any) -> Any:
        return rows(*asked) | {"reasons": {"quote_not_found": 1}}

    with open_page(api=FakeApi({"GET review": review}), place="review") as page:
        row = page.frame.locator("li.waiting")
        row.get_by_text("Fact number 1").click()
        told = "Its quote was not found in the messages. So the evidence listed is the whole message."
        expect(row.get_by_text(told)).to_be_visible()
