"""A file that is not right in every row is refused whole, with a reason, and nothing changes."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import InvalidInputError
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.storage.transfer import document as documents

from tests.storage.transfer.files import bring_in, checksum, dump, export, read, write
from tests.storage.transfer.test_round import fill
from tests.stores import a_store

type Document = dict[str, Any]
type Spoil = Callable[[Document], object]


@pytest.fixture
async def good(tmp_path: Path) -> Document:
    """A document that is right."""
    (tmp_path / "theirs").mkdir()
    async with a_store(tmp_path / "theirs") as theirs:
        await fill(theirs)
        return read(await export(theirs, tmp_path / "good.json"))


async def refusal(store: Store, file: Path) -> str:
    """Why it is refused; nothing may have changed."""
    path = Path(file.parent / "data_v4.db")
    before = dump(path)
    with pytest.raises(InvalidInputError) as refused:
        await bring_in(store, file)
    assert dump(path) == before
    assert refused.value.field == "file"
    return refused.value.message


def put(section: str, **values: object) -> Spoil:
    """Give the first entry of a list these values."""
    return lambda document: document[section][0].update(values)


def drop(section: str, key: str) -> Spoil:
    return lambda document: document[section][0].pop(key)


def again(section: str) -> Spoil:
    """Have the first entry stand there twice; the manifest counts it."""

    def spoil(document: Document) -> None:
        document[section].append(dict(document[section][0]))
        if section in document["manifest"]["counts"]:
            document["manifest"]["counts"][section] += 1

    return spoil


SPOILT: list[tuple[str, Spoil, str]] = [
    ("an unknown field", put("items", secret=1), "items[0].secret"),
    ("a field too few", drop("items", "fact"), "items[0].fact"),
    ("a fact that is blank", put("items", fact=" \n"), "ltm_fact"),
    ("a fact that is a number", put("items", fact=7), "items[0].fact"),
    ("a confidence above one", put("items", confidence=1.5), "ltm_confidence"),
    ("a confidence that is a text", put("items", confidence="0.5"), "items[0].confidence"),
    ("a confidence that is true", put("items", confidence=True), "items[0].confidence"),
    ("a huge count", put("items", access_count=10**30), "items[0].access_count"),
    ("a status nobody knows", put("items", status="loved"), "items[0].status"),
    ("a level nobody knows", put("items", level="SECRET"), "items[0].level"),
    ("a level as a number", put("items", level=2), "items[0].level"),
    ("an instant without a zone", put("items", created_at="2025-06-01T12:00:00"), "items[0].created_at"),
    ("an instant as a number", put("items", created_at=1748779200), "items[0].created_at"),
    ("an instant before all", put("items", created_at="0001-01-01T00:00:00+14:00"), "items[0].created_at"),
    ("an instant of year 1", put("items", created_at="0001-01-01T00:00:00+00:00"), "items[0].created_at"),
    ("an instant of year 9999", put("events", created_at="9999-12-31T23:59:59Z"), "events[0].created_at"),
    ("days that never end", put("items", ttl_days=10**12), "items[0].ttl_days"),
    ("an empty id", put("events", event_id=""), "events[0].event_id"),
    ("a NUL in an id", put("evidence", memory_id="a\0b"), "evidence[0].memory_id"),
    ("an item superseded by itself", lambda d: d["items"][0].update(superseded_by=d["items"][0]["memory_id"]),
        "items[0] supersedes itself"),
    ("an item superseded by nobody known", put("items", superseded_by="nobody"), "FOREIGN KEY"),
    ("a tag that is none", put("items", tags=[None]), "items[0].tags.0"),
    ("evidence without a quote", put("evidence", quote=""), "ltm_quote"),
    ("evidence of no item", put("evidence", memory_id="nobody"), "an item needs evidence"),
    ("evidence of no message", put("evidence", event_id="nothing"), "FOREIGN KEY"),
    ("evidence with deep remarks", put("evidence", extraction_meta={"a": {"b": 1}}), "extraction_meta"),
    ("a role nobody knows", put("events", role="king"), "events[0].role"),
    ("an urgency that is a number", put("events", urgent=1), "events[0].urgent"),
    ("a pause of no kind of scope", put("paused", scope="city"), "paused[0].scope"),
    ("an item that is a text", lambda d: d["items"].__setitem__(0, "x"), "parts"),
    ("an item twice", again("items"), "items: an id stands there twice"),
    ("a message twice", again("events"), "events: an id stands there twice"),
    ("evidence twice", again("evidence"), "evidence: an id stands there twice"),
        ("wrong counts", lambda d: d["manifest"]["counts"].update(items=9), "other numbers of rows"),
    ("an unknown part", lambda d: d.update(vectors=[]), "cannot be read"),
    ("a part too few", lambda d: d.pop("links"), "checksum"),
    ("a part that is no list", lambda d: d.update(links={}), "parts"),
    ("another format", lambda d: d["manifest"].update(format="other"), "is no export of"),
    ("no manifest", lambda d: d.update(manifest=[]), "first line"),
]  # fmt: skip


@pytest.mark.parametrize(("spoil", "why"), [case[1:] for case in SPOILT], ids=[case[0] for case in SPOILT])
async def test_what_is_sealed_and_not_right_is_refused(
    store: Store, good: Document, tmp_path: Path, spoil: Spoil, why: str
) -> None:
    spoil(good)
    sealed = isinstance(good["manifest"], dict)
    message = await refusal(store, write(good, tmp_path / "spoilt.json", sealed=sealed))
    assert why in message
    assert "Beijing" not in message


async def test_two_live_memories_that_say_the_same_are_refused(
    store: Store, good: Document, tmp_path: Path
) -> None:
    live = next(item for item in good["items"] if item["status"] == "active")
    proof = next(one for one in good["evidence"] if one["memory_id"] == live["memory_id"])
    good["items"].append(live | {"memory_id": "another"})
    good["evidence"].append(proof | {"memory_id": "another", "evidence_id": "other"})
    for counted in ("items", "evidence"):
        good["manifest"]["counts"][counted] += 1
    assert "UNIQUE" in await refusal(store, write(good, tmp_path / "spoilt.json"))


async def test_a_memory_without_evidence_is_refused(store: Store, good: Document, tmp_path: Path) -> None:
    good["items"].append(good["items"][0] | {"memory_id": "another", "fact_key": "other"})
    good["manifest"]["counts"]["items"] += 1
    assert "an item needs evidence" in await refusal(store, write(good, tmp_path / "spoilt.json"))


async def test_evidence_under_the_id_of_other_evidence_is_refused(
    store: Store, good: Document, tmp_path: Path
) -> None:
    await bring_in(store, write(good, tmp_path / "good.json"), "import-0")
    for number, item in enumerate(good["items"]):
        old, item["memory_id"] = item["memory_id"], f"another-{number}"
        item |= {"fact_key": f"other {number}", "superseded_by": None}
        for one in good["evidence"]:
            one["memory_id"] = item["memory_id"] if one["memory_id"] == old else one["memory_id"]
    assert "this evidence is there already" in await refusal(store, write(good, tmp_path / "spoilt.json"))


async def test_a_newer_version_is_refused_with_both_versions(
    store: Store, good: Document, tmp_path: Path
) -> None:
    good["manifest"]["format_version"] = 7
    good["moods"] = [{"what": "ever"}]
    message = await refusal(store, write(good, tmp_path / "newer.json"))
    assert "format version 7" in message
    assert "up to version 1" in message
    assert "update the plugin" in message


async def test_a_changed_word_is_told_by_the_checksum_before_anything_else(
    store: Store, good: Document, tmp_path: Path
) -> None:
    good["items"][0] |= {"fact": "Alice owes Bob money", "confidence": 7}
    assert "checksum" in await refusal(store, write(good, tmp_path / "changed.json", sealed=False))


@pytest.mark.parametrize("indent", [None, 1])
async def test_a_document_that_another_program_wrote_anew_is_refused_as_such(
    store: Store, good: Document, tmp_path: Path, indent: int | None
) -> None:
    file = tmp_path / "anew.json"
    file.write_text(json.dumps(good, indent=indent), "utf-8")
    assert "another program" in await refusal(store, file)


@pytest.mark.parametrize("behind", ["{}\n", "]}\n{}\n", '"paused":[\n{}]}\n', "garbage"])
async def test_something_behind_the_end_is_refused(
    store: Store, good: Document, tmp_path: Path, behind: str
) -> None:
    file = write(good, tmp_path / "longer.json")
    file.write_text(file.read_text("utf-8") + behind, "utf-8")
    assert "checksum" in await refusal(store, file)


async def test_parts_in_another_order_are_the_same(store: Store, good: Document, tmp_path: Path) -> None:
    turned = {name: good[name] for name in ("manifest", "paused", "items", "links", "evidence", "events")}
    assert (await bring_in(store, write(turned, tmp_path / "turned.json"))).added.items == 4


NO_DOCUMENT = {
    "empty": b"",
    "white space": b" \n ",
    "an empty object": b"{}",
    "a manifest alone": b'{"manifest":{"format":"astrbot_plugin_ltm","format_version":1},\n',
    "a list": b"[]",
    "a text": b'"x"',
    "no JSON": b"hello",
    "half an object": b'{"manifest":',
    "a name that is none": b"{1: 2}",
    "a name twice": b'{"items":[],"items":[]}',
    "no colon": b'{"items" []}',
    "no comma": b'{"items":[1 2]}',
    "no end": b'{"items":[]',
    "no end of a list": b'{"items":[{}',
    "something after it": b"{} {}",
    "not a number": b'{"links":[NaN]}',
    "an endless number": b'{"links":[-Infinity]}',
    "a very long number": b'{"links":[' + b"9" * 5_000 + b"]}",
    "a float beyond all": b'{"manifest":{"format":"astrbot_plugin_ltm","format_version":1,"x":1e999}}',
    "a float beyond all in a row": b'{"links":[1e999]}',
    "deep lists": b'{"links":[' + b"[" * 100_000 + b"]" * 100_000 + b"]}",
    "deep objects": b'{"x":' + b'{"a":' * 40_000 + b"1" + b"}" * 40_000 + b"}",
    "a very long entry": b'{"links":["' + b"x" * 1_000_000 + b'"]}',
    "half a character": b'{"links":["\xff"]}',
    "half a surrogate": b'{"links":["\\ud800"]}',
    "half a surrogate in the manifest": b'{"manifest":{"format":"astrbot_plugin_ltm","x":"\\ud800"},'
    b'"items":[],"events":[],"evidence":[],"links":[],"paused":[]}',
    "a float beyond all in the manifest of a whole": b'{"manifest":{"format":"astrbot_plugin_ltm","x":1e999},'
    b'"items":[],"events":[],"evidence":[],"links":[],"paused":[]}',
    "a very long name": b'{"' + b"x" * 200 + b'":1}',
    "very many names": b"{" + b",".join(b'"%d":1' % number for number in range(200)) + b"}",
    "packed rubbish": b"\x1f\x8brubbish",
    "packed and cut off": gzip.compress(b'{"links":[' + b"1," * 10_000)[:-20],
    "packed and damaged": gzip.compress(b'{"links":[1]}')[:-6] + b"xxxxxx",
    "UTF-16": "{}".encode("utf-16"),
}


@pytest.mark.parametrize("content", NO_DOCUMENT.values(), ids=NO_DOCUMENT.keys())
async def test_what_is_no_document_is_refused(store: Store, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "file.json"
    file.write_bytes(content)
    assert await refusal(store, file)


async def test_a_refusal_is_short_whatever_it_names(store: Store, good: Document, tmp_path: Path) -> None:
    good["items"][0]["x" * 100_000] = 1
    assert len(await refusal(store, write(good, tmp_path / "spoilt.json"))) < 200
    good["manifest"]["format_version"] = 10**1_000
    assert len(await refusal(store, write(good, tmp_path / "newer.json"))) < 200


async def test_more_than_can_be_read_is_refused_however_small_the_file_is(
    store: Store, good: Document, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "packed.json"
    file.write_bytes(gzip.compress(write(good, tmp_path / "good.json").read_bytes()))
    monkeypatch.setattr(documents, "MAX_CHARACTERS", 2_000)
    assert "too long" in await refusal(store, file)


@pytest.mark.parametrize(
    ("behind", "why"),
    [("\n" * 100_000, "parts"), ('"links":[\n' * 2_000_000, "too long")],
    ids=["empty", "heads"],
)
async def test_lines_that_hold_nothing_are_not_looked_through(
    store: Store, good: Document, tmp_path: Path, behind: str, why: str
) -> None:
    file = write(good, tmp_path / "file.json")
    manifest = file.read_text("utf-8").partition("\n")[0]
    file.write_text(f"{manifest}\n{behind}", "utf-8")
    assert why in await refusal(store, file)


async def test_too_many_rows_are_refused(
    store: Store, good: Document, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "MAX_ROWS", {**documents.MAX_ROWS, "items": 3})
    assert "more than 3 items" in await refusal(store, write(good, tmp_path / "many.json"))


def test_the_checksum_is_that_of_the_canonical_document(good: Document) -> None:
    assert good["manifest"]["sha256"] == checksum(good)
