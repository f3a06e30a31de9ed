"""What an old answer, an old button or an old place may not do to what is shown now."""

from typing import Any

from playwright.sync_api import expect

from tests.page.browser import Opened
from tests.page.conftest import OpenPage
from tests.page.fake_api import READ, WRITE, Answer, FakeApi, Params, evidence, explained, item, page_of


class Kept:
    """Memories that can be listed by their status, opened and changed."""

    def __init__(self, *facts: str) -> None:
        self.items = {
            each["memory_id"]: each for each in (item(n, fact=fact) for n, fact in enumerate(facts, 1))
        }
        self.before: dict[str, str] = {}
        """The status that each had before the last decision, whose id is its own."""
        self.api = FakeApi(
            {
                "GET items": self._listed,
                "GET items/*": self._explained,
                "POST items/change": self._decided,
                "POST decisions/*/undo": self._undone,
            }
        )

    def _listed(self, path: str, params: Params, body: Any) -> Any:
        wanted = params.get("status")
        found = [each for each in self.items.values() if wanted in (None, each["status"])]
        return page_of("items", len(found), lambda n: found[n - 1])(path, params, body)

    def _explained(self, path: str, params: Params, body: Any) -> Any:  # noqa: ARG002  same shape for all
        return explained(self._of(path))

    def _decided(self, path: str, params: Params, body: Any) -> Any:  # noqa: ARG002  same shape for all
        [memory_id] = body["memory_ids"]
        self.before[memory_id] = self.items[memory_id]["status"]
        self.items[memory_id]["status"] = body["status"]
        return {"done": [memory_id], "left": [], "decision_id": memory_id}

    def _undone(self, path: str, params: Params, body: Any) -> Any:  # noqa: ARG002  same shape for all
        one = self._of(path)
        one["status"] = self.before[one["memory_id"]]
        return {"done": [one["memory_id"]], "left": [], "decision_id": ""}

    def _of(self, path: str) -> dict[str, Any]:
        return self.items[path.split("/")[1]]


def act(page: Opened, fact: str, name: str) -> None:
    page.frame.get_by_role("dialog", name=fact).get_by_role("button", name=name).click()


def test_taking_back_shows_what_is_filtered_now(open_page: OpenPage) -> None:
    kept = Kept("I keep bees", "I love tea")
    with open_page(api=kept.api, place="memories?status=active") as page:
        rows = page.frame.locator("li.memory")
        page.frame.get_by_role("link", name="I keep bees").click()
        act(page, "I keep bees", "Disable")
        act(page, "I keep bees", "Close")
        page.hold_toast()
        expect(rows).to_have_count(1)
        page.go("memories?status=disabled")
        expect(rows).to_contain_text(["I keep bees"])
        page.frame.locator(".toast").get_by_role("button", name="Undo").click()
        expect(page.frame.locator(".state")).to_contain_text("No memory has the status “Disabled”")


def test_the_way_back_from_a_change_stays_in_its_view(open_page: OpenPage) -> None:
    kept = Kept("I keep bees")
    with open_page(api=kept.api, place="memories") as page:
        row = page.frame.locator("li.memory")
        page.frame.get_by_role("link", name="I keep bees").click()
        act(page, "I keep bees", "Disable")
        expect(row).to_contain_text("Disabled")
        expect(page.frame.locator(".toast")).to_have_count(1)
        page.go("tryout")
        expect(page.frame.locator(".toast")).to_have_count(0)


def test_only_the_last_change_of_a_memory_can_be_taken_back(open_page: OpenPage) -> None:
    kept = Kept("I keep bees")
    with open_page(api=kept.api, place="memories") as page:
        page.frame.get_by_role("link", name="I keep bees").click()
        act(page, "I keep bees", "Disable")
        act(page, "I keep bees", "Enable")
        undo = page.frame.locator(".toast").get_by_role("button", name="Undo")
        expect(page.frame.locator(".toast").last).to_contain_text("Enabled")
        expect(undo).to_have_count(1)
        undo.click()
        expect(page.frame.get_by_role("dialog").locator(".chip").first).to_have_text("Disabled")


def waits(of: dict[str, Any]) -> dict[str, Any]:
    return {"item": of, "evidence": [evidence()], "ends_soon": False}


def reviewed(rows: list[dict[str, Any]]) -> Answer:
    """What waits: these rows, which a test may take away."""

    def answer(path: str, params: Params, body: Any) -> Any:
        listed = page_of("waiting", len(rows), lambda n: waits(rows[n - 1]))
        return listed(path, params, body) | {"reasons": {"mode": len(rows)}}

    return answer


def test_what_is_decided_by_itself_leaves_the_choice_of_the_others(open_page: OpenPage) -> None:
    rows = [item(n, fact=fact, status="pending") for n, fact in enumerate(("bees", "tea", "jazz"), 1)]

    def decided(path: str, params: Params, body: Any) -> Any:  # noqa: ARG001  same shape for all
        rows[:] = [row for row in rows if row["memory_id"] not in body["memory_ids"]]
        return {"done": body["memory_ids"], "left": []}

    api = FakeApi({"GET review": reviewed(rows), "POST review/*": decided})
    with open_page(api=api, place="review") as page:
        for fact in ("bees", "tea"):
            page.frame.get_by_label(f"Choose: {fact}").check()
        page.frame.locator("li.waiting", has_text="tea").get_by_role("button", name="Approve").click()
        expect(page.frame.locator("li.waiting")).to_have_count(2)
        page.frame.get_by_role("button", name="Approve 1").click()
        expect(page.frame.locator("li.waiting")).to_have_count(1)
    assert [body["memory_ids"] for body in api.posted("review/approve")] == [
        [item(2)["memory_id"]],
        [item(1)["memory_id"]],
    ]


def test_what_could_not_be_decided_keeps_its_words_when_it_is_gone(open_page: OpenPage) -> None:
    one = item(1, fact="I keep bees", status="pending")
    rows = [one]

    def late(*_: Any) -> Any:
        rows.clear()
        return {"done": [], "left": [{"memory_id": one["memory_id"], "why": "not_waiting"}]}

    api = FakeApi({"GET review": reviewed(rows), "POST review/approve": late})
    with open_page(api=api, place="review") as page:
        page.frame.get_by_role("button", name="Approve", exact=True).last.click()
        left = page.frame.get_by_role("dialog", name="Not approved: 1")
        expect(page.frame.locator("li.waiting")).to_have_count(0)
        expect(left.get_by_role("link")).to_have_text("I keep bees")


def test_a_memory_opened_under_review_leads_to_its_history_without_the_filters_of_review(
    open_page: OpenPage,
) -> None:
    one, older = item(1, status="pending", fact="new words"), item(2, fact="old words", status="superseded")
    api = FakeApi(
        {
            "GET review": reviewed([one]),
            "GET items": page_of("items", 1, lambda _: one),
            "GET items/*": explained(one, older=[older]),
        }
    )
    with open_page(api=api, place=f"review/{one['memory_id']}?reason=mode&page=1") as page:
        page.frame.get_by_role("dialog").get_by_role("link", name="old words").click()
        expect(page.frame.locator("li.memory")).to_have_count(1)
    assert all("reason" not in query for _, path, query, _ in api.asked if path == "items")


def test_a_policy_is_saved_once_however_often_it_is_clicked(open_page: OpenPage) -> None:
    policy = {"write": WRITE, "read": READ, "version": 1, "at": None, "actor": ""}
    api = FakeApi(
        {
            "GET policy": policy,
            "GET policy/versions": {"versions": [], "total": 0, "page": 1, "page_size": 20},
            "POST policy/preview": {"changes": [], "effects": []},
            "POST policy/update": policy,
        }
    )
    with open_page(api=api, place="policy") as page:
        page.frame.get_by_label("Memories per request").fill("7")
        page.frame.get_by_role("button", name="Preview the change").click()
        save = page.frame.get_by_role("dialog").get_by_role("button", name="Save")
        expect(save).to_be_visible()
        held = page.hold("**/policy")
        save.click()
        page.wait_until(lambda: bool(held))  # it is saved, and what is in force now is asked for
        expect(save).to_be_disabled()
        held.pop().fallback()
        expect(save).to_have_count(0)
    assert len(api.posted("policy/update")) == 1
