"""The reference behaviours of the memory tools, as a table: who calls what, and what it replies."""

import pytest

from tests.tools.reference import (
    NONE,
    Desk,
    Step,
    absent,
    delete,
    deleted,
    found,
    get,
    hit,
    list_all,
    memories,
    not_found,
    requires,
    results,
    save,
    saved,
    search,
)

A = "alice"
A_PUBLIC = "alice in kitchen"
A_HIGH = "alice CONFIDENTIAL"
A_TOP = "alice RESTRICTED"
B = "bob"
TEA, COFFEE, CATS = "I like tea", "I like coffee", "I keep cats"

TABLE: dict[str, list[Step]] = {
    "a save is at the level of the session and says so": [
        (A, save(), saved()),
        (A, get(), found()),
    ],
    "a save in a group is at the group's level": [
        (A_PUBLIC, save(), saved(level="PUBLIC")),
        (A_PUBLIC, get(), found(level="PUBLIC")),
    ],
    "a save in a raised conversation is at its level": [
        (A_HIGH, save(), saved(level="CONFIDENTIAL")),
        (A_HIGH, get(), found(level="CONFIDENTIAL")),
    ],
    "a level from the model has no effect": [
        (A, save(classification="PUBLIC", level=4), saved()),
        (A, get(classification="RESTRICTED"), found()),
    ],
    "a save needs a key": [
        (A, save(key=None), requires("memory_save", "key")),
        (A, save(key=""), requires("memory_save", "key")),
        (A, save(key="  "), requires("memory_save", "key")),
        (A, save(key=7), requires("memory_save", "key")),
        (A, list_all(), NONE),
    ],
    "a save needs content": [
        (A, save(content=None), requires("memory_save", "content")),
        (A, save(content=""), requires("memory_save", "content")),
        (A, save(content=["I like tea"]), requires("memory_save", "content")),
        (A, list_all(), NONE),
    ],
    "the other tools need their argument": [
        (A, get(key=None), requires("memory_get", "key")),
        (A, search(query=""), requires("memory_search", "query")),
        (A, search(query=3), requires("memory_search", "query")),
        (A, delete(key={}), requires("memory_delete", "key")),
    ],
    "a key has 128 characters at most": [
        (A, save(key="k" * 129), "Error: 'key' must have 1 to 128 characters."),
        (A, save(key="k" * 128), saved("k" * 128)),
        (A, get("k" * 128), found(key="k" * 128)),
    ],
    "a fact has 500 characters at most": [
        (
            A,
            save(content="tea " * 200),
            "Error: 'content' must have at most 500 characters; one fact at a time.",
        ),
        (A, list_all(), NONE),
    ],
    "a key is trimmed, composed and on one line": [
        (A, save(key=" cafe\u0301\n x "), saved("caf\u00e9 x")),
        (A, get("caf\u00e9 x"), found(key="caf\u00e9 x")),
    ],
    "tags are optional and those that are no text are dropped": [
        (A, save("a", TEA), saved("a")),
        (A, save("b", COFFEE, tags=["drink", 3, None, ["x"], "drink", " "]), saved("b")),
        (A, save("c", CATS, tags="drink"), saved("c")),
        (A, get("a"), found(TEA, "a")),
        (A, get("b"), found(COFFEE, "b", tags=["drink"])),
        (A, get("c"), found(CATS, "c")),
    ],
    "tags are bounded": [
        (A, save(tags=[str(n) for n in range(20)]), saved()),
        (A, get(), found(tags=[str(n) for n in range(16)])),
    ],
    "the same key and level again replaces content and tags": [
        (A, save(content=TEA, tags=["a"]), saved()),
        (A, save(content=COFFEE, tags=["b"]), saved()),
        (A, get(), found(COFFEE, tags=["b"])),
        (A, list_all(), memories(hit(COFFEE, tags=["b"]))),
        (A, list_all(tag="a"), NONE),
    ],
    "the same content with other tags replaces the tags": [
        (A, save(tags=["a"]), saved()),
        (A, save(tags=["b"]), saved()),
        (A, list_all(), memories(hit(tags=["b"]))),
    ],
    "saving the very same twice is one memory": [
        (A, save(), saved()),
        (A, save(), saved()),
        (A, list_all(), memories(hit())),
    ],
    "the same key at another level is another memory": [
        (A, save(content=TEA), saved()),
        (A_HIGH, save(content=COFFEE), saved(level="CONFIDENTIAL")),
        (A, get(), found(TEA)),
        (A_HIGH, get(), found(COFFEE, level="CONFIDENTIAL")),
    ],
    "the highest level that the session reaches counts": [
        (A, save(content=TEA), saved()),
        (A_HIGH, save(content=COFFEE), saved(level="CONFIDENTIAL")),
        (A_TOP, save(content=CATS), saved(level="RESTRICTED")),
        (A_HIGH, get(), found(COFFEE, level="CONFIDENTIAL")),
        (A_TOP, get(), found(CATS, level="RESTRICTED")),
    ],
    "a memory that is too high is as absent as one that never was": [
        (A_HIGH, save("secret-plan"), saved("secret-plan", "CONFIDENTIAL")),
        (A, get("secret-plan"), absent("secret-plan")),
        (A, get("never-was"), absent("never-was")),
        (A, list_all(), NONE),
        (A, search("tea"), results("tea")),
    ],
    "lower levels are read from above": [
        (A_PUBLIC, save(), saved(level="PUBLIC")),
        (A, get(), found(level="PUBLIC")),
        (A_TOP, get(), found(level="PUBLIC")),
    ],
    "a list has each key once, at its own level": [
        (A, save("k", TEA), saved()),
        (A, save("other", CATS), saved("other")),
        (A_HIGH, save("k", COFFEE), saved(level="CONFIDENTIAL")),
        (A_HIGH, list_all(), memories(hit(COFFEE, level="CONFIDENTIAL"), hit(CATS, "other"))),
        (A, list_all(), memories(hit(CATS, "other"), hit(TEA))),
    ],
    "a list by tag is exact": [
        (A, save("a", TEA, tags=["drink"]), saved("a")),
        (A, save("b", COFFEE, tags=["drinks"]), saved("b")),
        (A, list_all(tag="drink"), memories(hit(TEA, "a", tags=["drink"]))),
        (A, list_all(tag="drin"), NONE),
        (A, list_all(tag="Drink"), NONE),
        (A, list_all(tag="%"), NONE),
    ],
    "a tag that only a shadowed version has finds nothing": [
        (A, save(content=TEA, tags=["old"]), saved()),
        (A_HIGH, save(content=COFFEE, tags=["new"]), saved(level="CONFIDENTIAL")),
        (A_HIGH, list_all(tag="old"), NONE),
        (A, list_all(tag="old"), memories(hit(TEA, tags=["old"]))),
    ],
    "nothing is listed as a text": [
        (A, list_all(), NONE),
        (A, list_all(tag="x"), NONE),
        (A, list_all(tag=5), NONE),
    ],
    "a search finds by the stem": [
        (A, save(content="I like to run in the park"), saved()),
        (A, search("running"), results("running", hit("I like to run in the park"))),
    ],
    "a search finds Chinese words": [
        (A, save("宠物", "我喜欢熊猫"), saved("宠物")),
        (A, search("熊猫"), results("熊猫", hit("我喜欢熊猫", "宠物"))),
        (A, search("老虎"), results("老虎")),
    ],
    "a search finds nothing where nothing has to do with it": [
        (A, save("user works as a nurse", "I work as a nurse"), saved("user works as a nurse")),
        (A, save("用户的职业是护士", "我的职业是护士"), saved("用户的职业是护士")),
        (A, save("我的自行车在家里", "我的自行车在家里"), saved("我的自行车在家里")),
        *((A, search(text), results(text)) for text in ("user passport number", "护照", "我的护照在哪里")),
        (A, search("我的自行车"), results("我的自行车", hit("我的自行车在家里", "我的自行车在家里"))),
    ],
    "a search finds the key": [
        (A, save("user-name", "I am Alice"), saved("user-name")),
        (A, search("user-name"), results("user-name", hit("I am Alice", "user-name"))),
        (A, search("USER-NAME"), results("USER-NAME", hit("I am Alice", "user-name"))),
    ],
    "a search finds a tag": [
        (A, save(content=TEA, tags=["beverage"]), saved()),
        (A, search("beverage"), results("beverage", hit(TEA, tags=["beverage"]))),
    ],
    "a search does not find owners or levels": [
        (A, save(), saved()),
        (A, search("alice"), results("alice")),
        (A, search("internal"), results("internal")),
        (A, search("plat"), results("plat")),
    ],
    "any text can be looked for": [
        (A, save("name", "My name is Alice"), saved("name")),
        (A, search("what's my name?"), results("what's my name?", hit("My name is Alice", "name"))),
        (A, search("name: Alice"), results("name: Alice", hit("My name is Alice", "name"))),
        (A, search("alice OR"), results("alice OR", hit("My name is Alice", "name"))),
        *((A, search(text), results(text)) for text in ('"', "*", "(", "C++", '"unclosed', "NEAR(", "-")),
    ],
    "a sign that the text has is found": [
        (A, save(content="I love C++"), saved()),
        (A, search("C++"), results("C++", hit("I love C++"))),
    ],
    "a search keeps to the level": [
        (A, save("a", "I like green tea"), saved("a")),
        (A_HIGH, save("b", "I like black tea"), saved("b", "CONFIDENTIAL")),
        (A, search("tea"), results("tea", hit("I like green tea", "a"))),
    ],
    "a word that only a shadowed version has finds nothing": [
        (A, save(content=TEA), saved()),
        (A_HIGH, save(content=COFFEE), saved(level="CONFIDENTIAL")),
        (A_HIGH, search("tea"), results("tea")),
        (A_HIGH, search("coffee"), results("coffee", hit(COFFEE, level="CONFIDENTIAL"))),
        (A, search("tea"), results("tea", hit(TEA))),
    ],
    "the number of results is kept to after level and shadowing": [
        (A, save("low", "I like jasmine tea"), saved("low")),
        *(
            (A_TOP, save(f"high-{n}", f"I like jasmine tea number {n}"), saved(f"high-{n}", "RESTRICTED"))
            for n in range(6)
        ),
        (
            A,
            search("jasmine tea", max_results=1),
            results("jasmine tea", hit("I like jasmine tea", "low")),
        ),
    ],
    "no hit echoes the query": [
        (A, search("nothing"), results("nothing")),
        (A, search("无"), results("无")),
    ],
    "a delete is at the level of the session only": [
        (A, save(), saved()),
        (A_HIGH, delete(), not_found(level="CONFIDENTIAL")),
        (A_PUBLIC, delete(), not_found(level="PUBLIC")),
        (A, get(), found()),
        (A, delete(), deleted()),
    ],
    "a delete hides from all tools at once": [
        (A, save(tags=["t"]), saved()),
        (A, delete(), deleted()),
        (A, get(), absent()),
        (A, list_all(), NONE),
        (A, list_all(tag="t"), NONE),
        (A, search("tea"), results("tea")),
    ],
    "a delete of the upper version leaves the lower one": [
        (A, save(content=TEA), saved()),
        (A_HIGH, save(content=COFFEE), saved(level="CONFIDENTIAL")),
        (A_HIGH, delete(), deleted()),
        (A_HIGH, get(), found(TEA)),
    ],
    "a delete of what is not there names key and level": [
        (A, delete("nope"), not_found("nope")),
        (A_HIGH, delete("nope"), not_found("nope", "CONFIDENTIAL")),
        (A, save("gone"), saved("gone")),
        (A, delete("gone"), deleted("gone")),
        (A, delete("gone"), not_found("gone")),
    ],
    "a save after a delete revives": [
        (A, save(tags=["a"]), saved()),
        (A, delete(), deleted()),
        (A, save(tags=["a"]), saved()),
        (A, get(), found(tags=["a"])),
        (A, delete(), deleted()),
        (A, save(content=COFFEE), saved()),
        (A, list_all(), memories(hit(COFFEE))),
    ],
    "owners are apart in all tools": [
        (A, save(tags=["t"]), saved()),
        (B, get(), absent()),
        (B, list_all(), NONE),
        (B, list_all(tag="t"), NONE),
        (B, search("tea"), results("tea")),
        (B, delete(), not_found()),
        (B, save(content=COFFEE), saved()),
        (A, get(), found(TEA, tags=["t"])),
        (B, get(), found(COFFEE)),
    ],
    "ids that a pattern would mix are apart": [
        *(
            (who, save(content=f"I like tea, says {n}"), saved())
            for n, who in enumerate(("u_1", "uX1", "U_1", "u%1"))
        ),
        *((who, get(), found(f"I like tea, says {n}")) for n, who in enumerate(("u_1", "uX1", "U_1", "u%1"))),
    ],
    "keys that a pattern would mix are apart": [
        (A, save("k_1", TEA), saved("k_1")),
        (A, save("kX1", COFFEE), saved("kX1")),
        (A, delete("k_1"), deleted("k_1")),
        (A, get("kX1"), found(COFFEE, "kX1")),
        (A, delete("%"), not_found("%")),
    ],
    "a key is looked up as written before it is looked up in any case": [
        (A, save("Key", TEA), saved("Key")),
        (A, get("key"), found(TEA, "Key")),
        (A, save("key", COFFEE), saved("key")),
        (A, get("key"), found(COFFEE, "key")),
        (A, get("Key"), found(TEA, "Key")),
        (A, delete("KEY"), not_found("KEY")),
    ],
    "what was said in one group is silent in another and there in private": [
        (A_PUBLIC, save(), saved(level="PUBLIC")),
        ("alice in garden", get(), absent()),
        ("alice in garden", list_all(), NONE),
        ("alice in garden", search("tea"), results("tea")),
        ("alice in garden", delete(), not_found(level="PUBLIC")),
        (A, get(), found(level="PUBLIC")),
    ],
    "another version from another group does not surface where it was not said": [
        (A_PUBLIC, save(content=TEA), saved(level="PUBLIC")),
        ("alice in garden", save(content=COFFEE), saved(level="PUBLIC")),
        ("alice in garden", get(), found(COFFEE, level="PUBLIC")),
        (A_PUBLIC, get(), absent()),
        (A, list_all(), memories(hit(COFFEE, level="PUBLIC"))),
    ],
    "a secret is refused": [
        (
            A,
            save("wifi", "My wifi password is hunter2!x9"),
            "Error: 'content' must not hold a secret, such as a password, code or card number.",
        ),
        (A, get("wifi"), absent("wifi")),
    ],
    "replies keep characters as they are": [
        (A, save("名字", "我叫小明"), saved("名字")),
        (A, list_all(), memories(hit("我叫小明", "名字"))),
    ],
}


@pytest.mark.parametrize("steps", TABLE.values(), ids=TABLE)
async def test_the_tools_behave_as_in_the_table(desk: Desk, steps: list[Step]) -> None:
    await desk.expect(*steps)


def test_the_table_is_long_enough() -> None:
    assert len(TABLE) >= 40
