"""The page's frame in the real dashboard: in the sandbox, under a strict policy, in the dashboard's look."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.host.harness.host import Host
from tests.page.conftest import Newcomer, OpenPage
from tests.page.fake_api import HEALTH, FakeApi, RefusedByFakeError, item, page_of
from tests.page.page_texts import LANGUAGES, texts_of

VIEWS = ["Overview", "Memories", "Review", "People", "Try out", "Recalls", "Policy", "Transfer", "Audit"]
PLACES = ["overview", "memories", "review", "people", "tryout", "recalls", "policy", "transfer", "audit"]
NAMES = {language: [texts_of(language)[f"nav.{place}"] for place in PLACES] for language in LANGUAGES}
"""What the views are called."""
BACKGROUNDS = {"light": "rgb(255, 255, 255)", "dark": "rgb(26, 26, 26)"}
_VIEWS = "|".join({key.split(".")[0] for key in texts_of("en-US")})
KEYS = re.compile(rf"\b(?:{_VIEWS})\.(?!json\b)[a-z][a-z_.]+")
"""A text that is missing is shown by its key; `memory.json` is a file that another test may have imported."""


def test_the_page_stands_in_the_dashboard_breaks_no_rule_and_goes_back_and_forward_through_its_views(
    open_dashboard: OpenPage,
) -> None:
    with open_dashboard() as page:
        expect(page.frame.locator("nav.nav a")).to_contain_text(VIEWS)
        views = page.frame.get_by_role("navigation", name="Views")
        views.get_by_role("link", name="People").click()
        views.get_by_role("link", name="Audit").click()
        current = page.frame.locator("nav.nav a[aria-current]")
        expect(current).to_have_text("Audit")
        page.tab.evaluate("history.back()")
        expect(current).to_have_text("People")
        page.tab.evaluate("history.forward()")
        expect(current).to_have_text("Audit")
        assert page.complaints == []


def test_the_sandbox_and_the_policy_stop_what_is_not_a_file_of_the_page(open_dashboard: OpenPage) -> None:
    with open_dashboard() as page:
        tried = page.frame.locator("body").evaluate(
            """async (body) => {
                const stopped = [];
                const stop = (e) => stopped.push(e.effectiveDirective);
                document.addEventListener('securitypolicyviolation', stop);
                const add = (tag, values) => body.append(Object.assign(document.createElement(tag), values));
                window.ran = [];
                add('script', { textContent: "window.ran.push('inline')" });
                add('script', { src: 'data:text/javascript,window.ran.push("data")' });
                add('img', { src: '/favicon.svg?elsewhere' });
                add('iframe', { src: 'about:srcdoc', srcdoc: '<script>parent.ran.push("frame")</script>' });
                body.setAttribute('onclick', "window.ran.push('attribute')");
                body.click();
                let fetched = true;
                try { await fetch(location.href); } catch { fetched = false; }
                await new Promise((done) => setTimeout(done, 500));
                try { new Function('window.ran.push("made")')(); } catch { /* as it should be */ }
                return { stopped: [...new Set(stopped)].sort(), fetched, ran: window.ran };
            }"""
        )
        assert page.complaints
    assert tried["ran"] == []
    assert tried["fetched"] is False
    assert {"script-src-elem", "script-src-attr", "connect-src"} <= set(tried["stopped"])


@pytest.mark.parametrize(
    ("language", "theme", "widths"),
    [("en-US", "dark", (1280, 400)), ("zh-CN", "light", (400,))],
)
def test_every_view_stands_in_both_languages_and_themes_on_wide_and_narrow_screens(
    open_dashboard: OpenPage, host: Host, newcomer: Newcomer, language: str, theme: str, widths: Sequence[int]
) -> None:
    host.say(newcomer("Kim"), "/ltm add I keep bees")
    with open_dashboard(language=language, theme=theme) as page:
        document, current = page.frame.locator("html"), page.frame.locator("nav.nav a[aria-current]")
        expect(document).to_have_attribute("lang", language)
        expect(document).to_have_css("background-color", BACKGROUNDS[theme])
        for width in widths:
            page.tab.set_viewport_size({"width": width, "height": 900})
            for place, words in zip(PLACES, NAMES[language], strict=True):
                page.go(place)
                expect(current).to_contain_text(words)
                page.settle()
                main = page.frame.locator("main")
                assert len(main.inner_text()) > 40, place
                assert KEYS.findall(main.inner_text()) == [], place
                expect(page.frame.locator(".state-failed")).to_have_count(0)
                assert main.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), place
            for link in page.frame.locator("nav.nav a").all():
                expect(link).to_be_in_viewport(ratio=1)
        assert page.complaints == []


def test_it_says_that_it_writes_nothing_while_it_is_read_only(open_page: OpenPage) -> None:
    api = FakeApi({"GET health": {**HEALTH, "read_only": True}})
    with open_page(api=api, place="memories") as page:
        expect(page.frame.locator(".banner-warning")).to_contain_text("Read-only")


def test_it_says_why_the_memory_is_paused(open_page: OpenPage) -> None:
    problem = {
        "key": "levels.chats",
        "why": "line 2 contradicts an earlier line",
        "rule": "contradiction",
        "values": {"place": 2},
    }
    why = f"paused: {problem['key']}: {problem['why']}"

    def refused(*_: Any) -> Any:
        raise RefusedByFakeError(503, why)

    health = {**HEALTH, "state": "paused", "problems": [problem]}
    api = FakeApi({"GET health": health, "GET items": refused})
    with open_page(api=api, place="memories") as page:
        expect(page.frame.locator(".banner-error")).to_contain_text(
            "Levels → Level of single chats: line 2 contradicts an earlier line"
        )
        expect(page.frame.locator(".state-failed")).to_contain_text("the reason is at the top of the page")
    whole: dict[str, Any] = {
        "key": "",
        "why": "the settings must be an object",
        "rule": "whole_config",
        "values": {},
    }
    with open_page(api=FakeApi({"GET health": {**health, "problems": [whole]}}), place="memories") as page:
        expect(page.frame.locator(".banner-error div")).to_have_text("The settings must be an object")
    with open_page(api=api, place="memories", language="zh-CN") as page:
        expect(page.frame.locator(".banner-error")).to_contain_text(
            "密级 → 单个会话的密级：第 2 行与前面的行矛盾"
        )
        expect(page.frame.locator(".state-failed")).not_to_contain_text("line 2")


def test_what_fails_is_said_and_can_be_tried_again(open_page: OpenPage) -> None:
    def refused(*_: Any) -> Any:
        raise RefusedByFakeError(503, "the plugin is not running")

    api = FakeApi({"GET items": refused})
    with open_page(api=api, place="memories") as page:
        expect(page.frame.locator(".state-failed")).to_contain_text("The plugin is not running")
        api.answers["GET items"] = page_of("items", 1, item)
        page.frame.get_by_role("button", name="Try again").click()
        expect(page.frame.get_by_role("link", name="Fact number 1")).to_be_visible()


def test_the_link_of_the_view_that_is_shown_asks_for_it_anew(open_page: OpenPage) -> None:
    api = FakeApi({"GET items": page_of("items", 1, item)})
    with open_page(api=api, place="memories") as page:
        rows = page.frame.locator("li.memory")
        expect(rows).to_have_count(1)
        api.answers["GET items"] = page_of("items", 2, item)
        page.frame.get_by_role("link", name="Memories", exact=True).click()
        expect(rows).to_have_count(2)
