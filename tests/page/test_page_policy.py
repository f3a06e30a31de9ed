"""The policy: its form speaks as the settings do; a change is looked through first, and can be undone."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.page.browser import opened
from tests.page.conftest import OpenPage
from tests.page.fake_api import AT, HEALTH, READ, WRITE, FakeApi, Params, RealApi, RefusedByFakeError

ROOT = Path(__file__).resolve().parents[2]
SCHEMA: dict[str, Any] = json.loads((ROOT / "_conf_schema.json").read_text(encoding="utf-8"))
FIELDS_FILE = ROOT / "pages" / "memory" / "views" / "policy" / "fields.js"
KINDS = {"choice": "string", "share": "float", "whole": "int", "several": "list", "flag": "bool"}
"""What the settings form calls what the page's form calls so."""


def fields() -> dict[str, list[dict[str, Any]]]:
    text = FIELDS_FILE.read_text(encoding="utf-8").strip()
    return json.loads(text.removeprefix("export default ").removesuffix(";"))


def words(language: str) -> dict[str, Any]:
    path = ROOT / ".astrbot-plugin" / "i18n" / f"{language}.json"
    return json.loads(path.read_text(encoding="utf-8"))["config"]


@pytest.fixture(scope="module")
def policed_host(host: Host) -> Iterator[Host]:
    """A host whose policy is afterwards what it was."""
    with host.plugin.configured({}):
        yield host


def policy_of(host: Host) -> dict[str, Any]:
    return data(host.plugin.get("policy"))


@pytest.mark.parametrize("section", ["write", "read"])
def test_the_form_has_the_settings_of_the_plugin_and_their_choices(section: str) -> None:
    settings = SCHEMA[f"{section}_policy"]["items"]
    shown = {field["name"]: field for field in fields()[section]}
    assert list(shown) == list(settings)
    for name, field in shown.items():
        assert KINDS[field["kind"]] == settings[name]["type"]
        assert field.get("options") == settings[name].get("options")


@pytest.mark.parametrize("section", ["write", "read"])
def test_the_ranges_of_the_form_are_those_that_the_hints_name(section: str) -> None:
    settings = SCHEMA[f"{section}_policy"]["items"]
    for field in fields()[section]:
        named = re.match(r"(\d+) to (\d+)\b", settings[field["name"]]["hint"])
        assert (named is not None) == (field["kind"] in ("share", "whole"))
        if named:
            assert (field["low"], field["high"]) == (int(named[1]), int(named[2]))


@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
def test_every_setting_has_the_words_of_the_settings_form(
    browser: BrowserContext, stage: str, policed_host: Host, language: str
) -> None:
    with opened(
        browser, stage, api=RealApi(policed_host.dashboard), place="policy", language=language
    ) as page:
        page.settle()
        form = page.frame.locator("form")
        for section in ("write", "read"):
            told = words(language)[f"{section}_policy"]
            for field in fields()[section]:
                expect(form).to_contain_text(told[field["name"]]["description"])
                expect(form).to_contain_text(told[field["name"]]["hint"])
                for label in told[field["name"]].get("labels", []):
                    expect(form).to_contain_text(label)
        expect(form).not_to_contain_text("`")
        assert page.complaints == []


def test_a_change_is_looked_through_saved_and_rolled_back(
    browser: BrowserContext, stage: str, policed_host: Host
) -> None:
    before = policy_of(policed_host)
    with opened(browser, stage, api=RealApi(policed_host.dashboard), place="policy") as page:
        page.frame.get_by_label("Memories per request").fill("7")
        page.frame.get_by_role("group", name="Memory types that may be learnt").get_by_label(
            "Episode"
        ).uncheck()
        page.frame.get_by_role("button", name="Preview the change").click()
        asked = page.frame.get_by_role("dialog")
        expect(asked.locator(".changes li")).to_have_count(2)
        expect(asked).to_contain_text("Memories per request: 30 → 7")
        expect(asked).to_contain_text(
            "It also applies to whether people can accept for themselves what waits"
        )
        expect(asked).to_contain_text("You can undo it under Versions at the end of this page.")
        assert policy_of(policed_host) == before
        asked.get_by_role("button", name="Save").click()
        expect(page.frame.locator(".toast")).to_contain_text("Policy saved.")
        after = policy_of(policed_host)
        assert after["read"]["max_items"] == 7
        assert "episode" not in after["write"]["allowed_types"]
        expect(page.frame.get_by_role("row").nth(1)).to_contain_text("in effect")
        page.frame.get_by_role("button", name=f"Go back to version {before['version']}").click()
        expect(asked).to_contain_text("Memories per request: 7 → 30")
        asked.get_by_role("button", name="Go back").click()
        expect(page.frame.get_by_label("Memories per request")).to_have_value("30")
        # Each has its way back, and saving takes no preview.
        page.frame.locator(".toast").get_by_role("button", name="Undo").click()
        expect(page.frame.get_by_label("Memories per request")).to_have_value("7")
        page.frame.get_by_label("Memories per request").fill("8")
        page.frame.get_by_label("Memories per request").press("Enter")
        page.frame.locator(".toast", has_text="Policy saved.").get_by_role("button", name="Undo").click()
        expect(page.frame.get_by_label("Memories per request")).to_have_value("7")
        page.frame.get_by_role("button", name=f"Go back to version {before['version']}", exact=True).click()
        asked.get_by_role("button", name="Go back").click()
        expect(page.frame.get_by_label("Memories per request")).to_have_value("30")
        assert page.complaints == []
    back = policy_of(policed_host)
    assert (back["read"], back["write"]) == (before["read"], before["write"])
    assert back["version"] > after["version"]


def test_what_is_wrong_is_said_at_its_field(browser: BrowserContext, stage: str, policed_host: Host) -> None:
    before = policy_of(policed_host)
    with opened(browser, stage, api=RealApi(policed_host.dashboard), place="policy") as page:
        field = page.frame.get_by_label("Tokens per request")
        field.fill("99000")
        page.frame.get_by_role("button", name="Preview the change").click()
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_be_focused()
        expect(page.frame.locator(".field .field-error")).to_contain_text("1 to 32,000.")
        expect(page.frame.locator(".form-foot")).to_contain_text("Cannot preview. Tokens per request: ")
        field.fill("")
        page.frame.get_by_role("button", name="Preview the change").click()
        expect(page.frame.locator(".field .field-error")).to_contain_text("Must be given")
        page.go("audit")
        expect(field).to_have_count(0)
        page.go("policy")
        expect(field).to_have_value("")
        page.frame.get_by_role("button", name="Discard changes").click()
        expect(field).to_have_value("800")
        page.go("audit")
        expect(field).to_have_count(0)
        page.go("policy")
        expect(field).to_have_value("800")
    assert policy_of(policed_host) == before


def test_all_that_is_wrong_is_marked_at_once_and_no_longer_than_it_is_wrong(open_page: OpenPage) -> None:
    api = versioned([1])
    with open_page(api=api, place="policy", language="zh-CN") as page:
        foot, marked = page.frame.locator(".form-foot"), page.frame.locator(".field [aria-invalid=true]")
        limit = page.frame.get_by_label("每人或每群的记忆上限")
        share = page.frame.get_by_label("最低写入置信度")
        limit.fill("1.5")
        share.fill("7")
        page.frame.get_by_label("最少依据数").fill("")
        page.frame.get_by_role("button", name="保存").click()
        expect(marked).to_have_count(3)
        expect(limit).to_be_focused()
        expect(foot).to_contain_text("未保存。有 3 项需要改正，已在上面标出。")
        share.fill("0.5")
        page.frame.get_by_label("最少依据数").fill("1")
        expect(marked).to_have_count(1)
        expect(foot).to_contain_text("未保存。每人或每群的记忆上限：必须是 1 到 10,000 的整数。")
        limit.fill(str(WRITE["max_items_per_scope"]))
        expect(marked).to_have_count(0)
        expect(foot).to_contain_text("没有修改。")
        weights = [page.frame.get_by_label(name) for name in ("相似度权重", "重要性权重", "新近度权重")]
        for weight in weights:
            weight.fill("0")
        page.frame.get_by_role("button", name="预览修改").click()
        expect(weights[0]).to_have_attribute("aria-invalid", "true")
        expect(foot).to_contain_text("无法预览。相似度权重：其他两个权重为 0 时必须大于 0。")
        weights[2].fill("0.1")
        expect(marked).to_have_count(0)
        expect(foot).to_contain_text("尚未保存。")
        assert api.posted("policy/*") == []


def test_who_was_overtaken_loses_nothing_of_the_other_and_takes_the_newer(
    browser: BrowserContext, stage: str, policed_host: Host
) -> None:
    with opened(browser, stage, api=RealApi(policed_host.dashboard), place="policy") as page:
        page.frame.get_by_label("Memories per request").fill("9")
        page.frame.get_by_role("button", name="Preview the change").click()
        asked = page.frame.get_by_role("dialog")
        expect(asked.get_by_role("button", name="Save")).to_be_visible()
        present = policy_of(policed_host)
        other = {"write": present["write"], "read": present["read"] | {"max_tokens": 555}}
        data(policed_host.plugin.put("policy", json=other))
        asked.get_by_role("button", name="Save").click()
        expect(asked.get_by_role("alert")).to_contain_text(
            "Somebody else has changed the policy in the meantime"
        )
        assert policy_of(policed_host)["read"]["max_items"] == present["read"]["max_items"]
        asked.get_by_role("button", name="Load the newer policy").click()
        expect(page.frame.get_by_label("Tokens per request")).to_have_value("555")
        expect(asked).to_have_count(0)


def test_undo_goes_back_to_what_was_shown_and_is_offered_only_if_there_is_such_a_version(
    open_page: OpenPage,
) -> None:
    for shown, made, undoable in ((3, 5, True), (3, 3, False), (0, 1, False)):
        policy = {"write": WRITE, "read": READ, "version": shown, "at": AT, "actor": "system"}
        api = FakeApi(
            {
                "GET policy": policy,
                "GET policy/versions": {"versions": [], "total": 0, "page": 1, "page_size": 20},
                "POST policy/update": {**policy, "version": made},
                "POST policy/rollback": refused_as_stale,
            }
        )
        with open_page(api=api, place="policy") as page:
            page.frame.get_by_label("Memories per request").fill("7")
            page.frame.get_by_label("Memories per request").press("Enter")
            toast = page.frame.locator(".toast")
            expect(toast).to_contain_text("Policy saved.")
            undo = toast.get_by_role("button", name="Undo")
            expect(undo).to_have_count(int(undoable))
            if undoable:
                undo.click()
                expect(toast).to_contain_text("Somebody else has changed the policy")
                assert api.posted("policy/rollback") == [{"version": shown, "expected": made}]


def test_who_saves_what_is_overtaken_is_told_in_sight_of_the_button(open_page: OpenPage) -> None:
    api = versioned([1])
    api.answers["POST policy/update"] = refused_as_stale
    with open_page(api=api, place="policy") as page:
        field = page.frame.get_by_label("Memories per request")
        field.fill("7")
        field.press("Enter")
        bar = page.frame.locator(".form-foot")
        told = bar.get_by_role("alert")
        expect(told).to_contain_text("Somebody else has changed the policy")
        expect(told).to_be_in_viewport()
        expect(bar).not_to_contain_text("Not saved yet")
        bar.get_by_role("button", name="Load the newer policy and drop my changes").click()
        expect(field).to_have_value(str(READ["max_items"]))
        expect(told).to_have_count(0)


def test_who_may_accept_is_told_where_the_change_is_about_that(open_page: OpenPage) -> None:
    api = versioned([1])
    for name, told in (("max_items", 0), ("self_approval", 1)):
        change = {"field": f"write.{name}", "before": 1, "after": 2}
        api.answers["POST policy/preview"] = {"changes": [change], "effects": []}
        with open_page(api=api, place="policy") as page:
            page.frame.get_by_label("Memories per request").fill("7")
            page.frame.get_by_role("button", name="Preview the change").click()
            asked = page.frame.get_by_role("dialog")
            expect(asked).to_contain_text("Memories in use are not affected.")
            expect(asked.get_by_text("accept for themselves")).to_have_count(told)


def test_the_preview_tells_that_later_requests_get_fewer_memories_or_more(open_page: OpenPage) -> None:
    for after, name, told in (
        (4, "max_items", "Later requests get fewer memories where they reach the limit"),
        (40, "max_items", "Later requests get more memories where they reached the limit"),
        (4, "recency_weight", "Later requests may get other memories"),
    ):
        api = versioned([1])
        change = {"field": f"read.{name}", "before": 30, "after": after}
        api.answers["POST policy/preview"] = {"changes": [change], "effects": []}
        with open_page(api=api, place="policy") as page:
            page.frame.get_by_label("Memories per request").fill("7")
            page.frame.get_by_role("button", name="Preview the change").click()
            asked = page.frame.get_by_role("dialog")
            expect(asked).to_contain_text(f"{told}; stored memories stay as they are.")
            expect(asked).not_to_contain_text("Memories in use are not affected.")


def test_it_says_where_levels_are_set_and_how_a_line_looks(open_page: OpenPage) -> None:
    with open_page(api=versioned([1]), place="policy") as page:
        told = page.frame.locator("main p", has_text="Who may hear what is set elsewhere")
        expect(told.locator("code")).to_have_text(["qq:GroupMessage:12345=internal", "/sid"])
        for name in ("Levels", "Level of single chats"):
            expect(told).to_contain_text(f"“{name}”")


def versioned(versions: list[int]) -> FakeApi:
    """A policy of these versions, the newest first; going back adds one."""
    # Those in force come sorted, those on record in the order of the types.
    kinds = ["profile", "constraint"]
    in_force = {**WRITE, "allowed_types": sorted(kinds)}

    def policy(*_: Any) -> Any:
        return {"write": in_force, "read": READ, "version": versions[0], "at": AT, "actor": "system"}

    def listed(*_: Any) -> Any:
        changes = [{"field": "read.max_items", "before": 30, "after": 7}]
        told: dict[str, Any] = {"at": AT, "actor": "system", "changes": changes}
        told["write"] = {**WRITE, "allowed_types": kinds}
        rows = [{**told, "version": each, "read": {**READ, "max_items": each}} for each in versions]
        return {"versions": rows, "total": len(rows), "page": 1, "page_size": 20}

    def rolled_back(*_: Any) -> Any:
        versions.insert(0, versions[0] + 1)
        return policy()

    none: dict[str, Any] = {"changes": [], "effects": []}
    api = FakeApi({"GET policy": policy, "GET policy/versions": listed, "POST policy/preview": none})
    api.answers["POST policy/rollback"] = rolled_back
    return api


def test_there_is_no_way_back_to_the_settings_that_are_in_force(open_page: OpenPage) -> None:
    versions = [3, int(READ["max_items"]), 1]
    with open_page(api=versioned(versions), place="policy") as page:
        expect(page.frame.get_by_role("row")).to_have_count(4)
        back = page.frame.get_by_role("button", name="Go back to version")
        expect(back).to_have_count(1)
        expect(back).to_have_accessible_name("Go back to version 1")
        expect(page.frame.get_by_role("row").nth(2)).to_contain_text("Same settings as now")
        expect(page.frame.get_by_text("Same settings as now")).to_have_count(1)


QUESTION = {
    "en-US": ["Use new facts immediately?", "you can disable each memory later.", "The 2 memories that wait"],
    "zh-CN": ["立即使用新学到的事实？", "每条记忆之后都可以停用。", "“审核”中等待的 2 条"],
}
CHANGED = {
    "en-US": [
        "This changes:\n• Memories per request: 30 → 1\n• ",
        "the default\n2 memories are recalled again",
    ],
    "zh-CN": ["会改变：\n• 每次请求的记忆条数上限：30 → 1\n• ", "记忆 token 上限：默认值\n2 条记忆重新召回"],
}


@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
@pytest.mark.parametrize("mode", ["auto", ""])
def test_going_back_says_before_what_it_changes_and_asks_for_automatic_use_as_elsewhere(
    open_page: OpenPage, language: str, mode: str
) -> None:
    api = versioned([2, 1])
    changes: list[dict[str, Any]] = [{"field": "read.max_items", "before": 30, "after": 1}]
    changes += [{"field": "write.mode", "before": "manual", "after": mode}] if mode else []
    effects = [{"what": "recalled_again", "count": 2}, {"what": "waiting", "count": 7}]
    read = {name: value for name, value in READ.items() if name != "max_tokens"} | {"max_items": 1}
    old: dict[str, Any] = {
        "version": 1,
        "at": AT,
        "actor": "system",
        "changes": [],
        "write": WRITE,
        "read": read,
    }
    api.answers |= {
        "GET health": {**HEALTH, "waiting": 2},
        "GET policy/versions": {"versions": [old], "total": 1, "page": 1, "page_size": 20},
        "POST policy/preview": {"changes": changes, "effects": effects},
    }
    with open_page(api=api, place="policy", language=language) as page:
        page.frame.get_by_role("table").get_by_role("button").click()
        asked = page.frame.get_by_role("dialog")
        for text in QUESTION[language] if mode else CHANGED[language]:
            expect(asked).to_contain_text(text)
        expect(asked.get_by_text("7")).to_have_count(0 if mode else 1)
        asked.get_by_role("button").nth(1).click()
        expect(asked).to_have_count(0)
        assert [each["read"]["max_items"] for each in api.posted("policy/preview")] == [1]
        assert api.posted("policy/rollback") == []


def test_going_back_leaves_the_versions_where_they_are(open_page: OpenPage) -> None:
    with open_page(api=versioned([4, 3, 2, 1]), place="policy") as page:
        button = page.frame.get_by_role("button", name="Go back to version 2", exact=True)
        button.scroll_into_view_if_needed()
        button.hover()
        before = button.bounding_box()
        button.click()
        page.frame.get_by_role("dialog").get_by_role("button", name="Go back").click()
        expect(page.frame.get_by_role("button", name="Go back to version 4", exact=True)).to_be_visible()
        page.settle()
        after = button.bounding_box()
        assert before
        assert after
        assert abs(after["y"] - before["y"]) < 1


@pytest.mark.parametrize("width", [1280, 400])
def test_a_message_neither_covers_the_foot_nor_moves_what_is_above_the_end(
    open_page: OpenPage, width: int
) -> None:
    api = versioned([2, 1])
    api.answers["POST policy/update"] = api.answers["POST policy/rollback"]
    with open_page(api=api, place="policy", width=width) as page:
        field = page.frame.get_by_label("Memories per request")
        field.fill("7")
        field.press("Enter")
        page.hold_toast()
        room = "(e) => e.style.getPropertyValue('--toasts')"
        before = page.frame.locator("html").evaluate(room)
        toast = page.frame.locator(".toast").bounding_box()
        foot = page.frame.locator(".form-foot").bounding_box()
        assert toast
        assert foot
        assert toast["y"] + toast["height"] <= foot["y"]
        page.frame.locator(".toast").get_by_role("button", name="Close").click()
        expect(page.frame.locator(".toast")).to_have_count(0)
        assert page.frame.locator("html").evaluate(room) == before


def refused_as_stale(path: str, params: Params, body: Any) -> Any:  # noqa: ARG001  same shape for all
    raise RefusedByFakeError(409, "stale_version")
