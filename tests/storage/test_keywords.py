import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level
from astrbot_plugin_ltm.long_term_memory.storage.keywords import match_of
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.text_analysis.terms import terms, without_stop_words
from hypothesis import given
from hypothesis import strategies as st

from tests.stores import ALICE, BOB, an_event, an_evidence, an_item, keep

HOSTILE = [
    "what's my name?",
    "user-name",
    "name: Alice",
    "C++",
    '"unclosed',
    '"',
    '""',
    "'",
    "*",
    "(",
    ")",
    "^",
    "alice OR",
    "AND",
    "NEAR(alice bob)",
    "text:alice",
    "{text} : alice",
    "alice\0bob",
    "\0",
    "\ud83d",
    "'; DROP TABLE ltm_fts; --",
    "ltm_fts MATCH 'x'",
    "-",
    "a" * 1_000_000,
    "no " * 400_000,
    "汉字" * 500_000,
    "".join(chr(0x4E00 + at) for at in range(20_000)),
    "\u202e\u200b\ufeff",
    "👩‍👩‍👧‍👦",
    "﷽",
]


async def found(store: Store, text: str, limit: int = 9) -> list[str]:
    async with store.transaction() as transaction:
        return [item.fact for item in await transaction.similar(ALICE, Level.INTERNAL, text, limit=limit)]


@pytest.mark.parametrize(
    ("fact", "query"),
    [
        ("goes running every morning", "do I run?"),
        ("我喜欢熊猫", "熊猫"),
        ("我喜欢熊猫", "你还记得我喜欢什么动物吗"),
        ("My name is Alice", "what's my name?"),
        ("writes C++ for a living", "C++"),
        ("key is user-name", "user_name"),
        ("住在上海浦东", "上海 restaurants"),
        ("trinkt gern Kaffee im Café", "CAFE"),
        ("ＡＢＣ１２３", "abc123"),
        ("猫", "猫"),
        ("東京タワーが好き", "タワー"),
        ("커피를 좋아한다", "커피"),
        ("likes STRASSE music", "straße"),
    ],
)
async def test_a_fact_is_found_by_its_words(store: Store, fact: str, query: str) -> None:
    await keep(store, an_item(fact), an_item("zzz"), an_item("不相关的"))
    assert await found(store, query) == [fact]


@pytest.mark.parametrize("query", ["", "   ", "?!", "unicorn", "独角兽"])
async def test_no_word_in_common_finds_nothing(store: Store, query: str) -> None:
    await keep(store, an_item("lives in Beijing"))
    assert await found(store, query) == []


async def test_stop_words_count_only_where_there_is_nothing_else(store: Store) -> None:
    await keep(store, an_item("the who"), an_item("lives in the city"))
    assert await found(store, "the city") == ["lives in the city"]
    assert await found(store, "who?") == ["the who"]


async def test_neither_ids_nor_levels_nor_types_can_be_searched_for(store: Store) -> None:
    item = an_item("x", fact_key="secretkey", level=Level.INTERNAL, origin_umo="chat", tags=("tagged",))
    await keep(store, item)
    words = (
        f"{item.memory_id} memory telegram alice INTERNAL internal profile active user chat secretkey tagged"
    )
    assert await found(store, words) == []


async def test_whom_it_is_about_and_the_words_it_came_from_are_searched_too(store: Store) -> None:
    await keep(
        store, an_item("x", person="Bob", relationship="dentist", backstory="from Hamburg"), said="四颗牙"
    )
    for query in ("bob", "dentists", "hamburg", "四颗"):
        assert await found(store, query) == ["x"]


async def test_the_index_follows_the_fact(store: Store) -> None:
    item = an_item("Beijing")
    await keep(store, item, said="moved")
    async with store.transaction() as transaction:
        event = an_event("relocated")
        await transaction.add_events([event])
        told = an_evidence(item, event, extraction_meta={"tags": "home address"})
        await transaction.update_item(replace(item, fact="Shanghai"), [told])
    assert await found(store, "Beijing") == []
    for query in ("Shanghai", "moved", "relocated", "address"):
        assert await found(store, query) == ["Shanghai"]


async def test_a_better_match_comes_first(store: Store) -> None:
    await keep(store, an_item("red apples and green pears"), an_item("red apples"), an_item("a red car"))
    assert await found(store, "red apples") == ["red apples", "red apples and green pears", "a red car"]


async def test_the_limit_counts_only_what_may_be_seen(store: Store) -> None:
    hidden = [an_item(f"apples apples {number}", owner=BOB) for number in range(30)]
    higher = [an_item(f"apples too {number}", level=Level.RESTRICTED) for number in range(30)]
    await keep(store, *hidden, *higher, an_item("some apples in a long sentence about a basket of fruit"))
    assert await found(store, "apples", limit=1) == ["some apples in a long sentence about a basket of fruit"]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
async def test_any_text_is_a_fine_query(store: Store, text: str) -> None:
    await keep(store, an_item("Alice"))
    assert await found(store, text) in ([], ["Alice"])


@pytest.mark.parametrize("text", [text for text in HOSTILE if text.strip()], ids=range(len(HOSTILE)))
async def test_any_text_is_a_fine_fact(store: Store, text: str) -> None:
    await keep(store, an_item(text[:5000], person=text[:5000]))
    assert len(await found(store, text)) <= 1


def index() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute(
        "CREATE VIRTUAL TABLE f USING fts5(text, tokenize = 'porter unicode61 remove_diacritics 2')"
    )
    return connection


@given(st.text(alphabet=st.characters()) | st.text(alphabet='"*()^:{}+- ANDORNEAR熊猫a1'), st.text())
def test_no_text_is_syntax(text: str, other: str) -> None:
    with closing(index()) as connection:
        connection.executemany(
            "INSERT INTO f VALUES (?)", [(" ".join(terms(said)),) for said in (text, other)]
        )
        query = match_of(text)
        matched = (
            connection.execute("SELECT rowid FROM f WHERE f MATCH ?", (query,)).fetchall() if query else []
        )
    assert matched in ([], [(1,)], [(1,), (2,)])


@given(st.text(alphabet=st.sampled_from("ab熊猫好 ,?")))
def test_every_text_with_words_finds_itself(text: str) -> None:
    query = match_of(text)
    with closing(index()) as connection:
        connection.execute("INSERT INTO f VALUES (?)", (" ".join(terms(text)),))
        assert bool(query) == any(character in "ab熊猫好" for character in text)
        if query:
            assert connection.execute("SELECT count(*) FROM f WHERE f MATCH ?", (query,)).fetchone() == (1,)


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("Hello, World", ["hello", "world"]),
        ("我喜欢熊猫", ["我喜", "喜欢", "欢熊", "熊猫"]),
        ("用Python写", ["用", "python", "写"]),
        ("猫，狗", ["猫", "狗"]),
        ("3.14 元", ["3", "14", "元"]),
        ("x" * 100, ["x" * 64]),
        ("", []),
    ],
)
def test_text_is_cut_into_words_and_bigrams(text: str, cut: list[str]) -> None:
    assert [*terms(text)] == cut


def test_stop_words_are_dropped_unless_nothing_remains() -> None:
    assert without_stop_words(["what", "is", "tea"]) == ["tea"]
    assert without_stop_words(["what", "is"]) == ["what", "is"]


async def test_what_is_asked_twice_in_a_transaction_is_found_as_it_is_by_then(store: Store) -> None:
    item, later = an_item("likes tea"), an_item("likes green tea")
    await keep(store, item)
    async with store.transaction() as tx:
        assert await tx.similar(ALICE, None, "tea", limit=9) == [item]
        await tx.update_item(reworded := replace(item, fact="likes black tea"))
        assert await tx.similar(ALICE, None, "tea", limit=9) == [reworded]
        await tx.add_events([event := an_event()])
        await tx.insert_item(later, [an_evidence(later, event)])
        assert set(await tx.similar(ALICE, item.level, "tea", limit=9)) == {reworded, later}


async def test_nearer_ones_of_another_level_do_not_hide_those_of_a_level(store: Store) -> None:
    public = [an_item("tea", fact_key=f"{n}", level=Level.PUBLIC) for n in range(3)]
    own = an_item("likes tea with milk and two lumps of sugar")
    await keep(store, *public, own)
    async with store.transaction() as tx:
        assert set(await tx.similar(ALICE, None, "tea", limit=3)) == {*public}
        assert await tx.similar(ALICE, own.level, "tea", limit=3) == [own]
        assert set(await tx.similar(ALICE, Level.PUBLIC, "tea", limit=3)) == {*public}
