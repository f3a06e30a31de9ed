"""The six jobs of an operator on a real host: each from the overview, with so many clicks at most."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

import pytest
from playwright.sync_api import FrameLocator, Locator, expect

from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.page.conftest import OpenPage

pytestmark = pytest.mark.usefixtures("model")
ANN, BEN, CAL, DOT, LEE = (Person(name.lower(), name) for name in ("Ann", "Ben", "Cal", "Dot", "Lee"))


@pytest.fixture(scope="module")
def host(spare_host: Host) -> Host:
    """A host that knows nothing but what an import has brought."""
    spare_host.say(LEE, "/ltm add I collect stamps")
    file = spare_host.plugin.get("export", params={"scope": "user", "scope_id": "plat_a:lee"}).content
    spare_host.empty()
    data(spare_host.plugin.post("import", files={"file": ("lee.json", file)}))
    return spare_host


@contextmanager
def at_work(live: OpenPage, view: str, *, most: int) -> Generator[tuple[FrameLocator, Callable[..., None]]]:
    """The page at a view, and how to click; typing and Enter are no clicks, going to a field is one."""
    with live() as page:
        clicks = list[Locator]()

        def click(target: Locator) -> None:
            page.settle()
            clicks.append(target)
            target.click()

        page.tab.wait_for_load_state("networkidle")
        if view != "Overview":
            click(page.frame.locator("nav.nav").get_by_role("link", name=view))
        yield page.frame, click
    assert len(clicks) <= most


def test_a_wrong_belief_is_mended(open_live: OpenPage, host: Host) -> None:
    host.say(ANN, "/ltm add I keep bees")
    with at_work(open_live, "Memories", most=3) as (page, click):
        click(page.get_by_role("button", name="Edit: I keep bees"))
        field = page.get_by_role("dialog", name="Edit").get_by_label("Fact", exact=True)
        expect(field).to_be_focused()
        field.fill("I keep ducks")
        click(page.get_by_role("button", name="Save", exact=True))
        expect(field).to_have_count(0)
    assert {*host.memories.of(ANN, status="active")} == {"I keep ducks"}


def test_one_person_is_stopped(open_live: OpenPage, host: Host) -> None:
    host.say(BEN, "Hello")
    with at_work(open_live, "Overview", most=1) as (page, click):
        click(page.get_by_role("region", name="Spoke last").get_by_role("button").first)
        expect(page.locator(".toast")).to_contain_text("Paused for Ben")
    assert data(host.plugin.get("people", params={"q": BEN.id}))["people"][0]["paused"]


def test_an_import_is_undone(open_live: OpenPage, host: Host) -> None:
    with at_work(open_live, "Transfer", most=3) as (page, click):
        click(page.get_by_role("button", name="Undo the import of lee.json"))
        click(page.get_by_role("dialog").get_by_role("button", name="Undo the import"))
        expect(page.locator(".toast")).to_contain_text("1 memory removed")
    assert not host.memories.of(LEE, status="active")


def test_why_a_reply_did_not_know_something_is_told(open_live: OpenPage, host: Host) -> None:
    host.say(CAL, "What should I cook?")
    host.say(CAL, "/ltm add I am allergic to shrimp")
    with at_work(open_live, "Recalls", most=3) as (page, click):
        click(page.get_by_role("link", name="What should I cook?"))
        click(page.get_by_label("What became of something"))
        page.get_by_label("What became of something").press_sequentially("shrimp\n")
        expect(page.locator(".answer")).to_contain_text("learnt after this reply")


def test_the_policy_is_changed_and_set_back(open_live: OpenPage, host: Host) -> None:
    before = data(host.plugin.get("policy"))["read"]
    with at_work(open_live, "Policy", most=3) as (page, click):
        click(page.get_by_label("Memories per request"))
        page.get_by_label("Memories per request").fill("7")
        page.get_by_label("Memories per request").press("Enter")
        expect(page.get_by_text("Policy saved.")).to_be_visible()
        assert data(host.plugin.get("policy"))["read"] == {**before, "max_items": 7}
        click(page.locator(".toast").get_by_role("button", name="Undo"))
        expect(page.get_by_label("Memories per request")).to_have_value(str(before["max_items"]))
    assert data(host.plugin.get("policy"))["read"] == before


def test_thirty_are_approved(open_live: OpenPage, host: Host) -> None:
    with host.plugin.configured({"write_policy": {"mode": "shadow"}}):
        for foods in (
            "bread rice soup salad pizza pasta curry stew pie cake",
            "tofu sushi ramen dumplings pancakes waffles cheese yoghurt porridge risotto",
            "couscous lentils noodles omelettes tacos burritos falafel hummus paella gnocchi",
        ):
            host.say(DOT, " ".join(f"I like {food}." for food in foods.split()))
        host.memories.wait_until_written()
        with at_work(open_live, "Review", most=2) as (page, click):
            click(page.get_by_role("button", name="Approve all 30 undisputed"))
            expect(page.locator(".toast")).to_contain_text("Approved: 30 memories.")
        assert len(host.memories.of(DOT, status="active")) == 30
