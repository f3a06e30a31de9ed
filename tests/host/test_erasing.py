"""Who forgets all, or is erased, leaves nothing behind on the running host but what the host keeps itself."""

import zlib
from collections.abc import Callable, Sequence

import pytest

from tests.host.harness.answers import CallTool
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.waiting import wait_for

ADMIN = Person("admin")
KITCHEN = "erasing-kitchen"
GZIP = 16 + zlib.MAX_WBITS

type Newcomer = Callable[[str], Person]
type Erase = Callable[[Host, Person], str]


def forget_all(host: Host, person: Person) -> str:
    """As the person themselves."""
    return host.confirm(person, "/ltm forget all")


def erase(host: Host, person: Person) -> str:
    """As an operator."""
    account = f"plat_a:{person.id}"
    return host.confirm(ADMIN, f"/ltm erase {account}")


def found_in(host: Host, words: Sequence[str]) -> set[str]:
    """Which of the words stand in the host's database, in its log, or in the plugin's folder."""
    files = [*host.database.parent.glob(f"{host.database.name}*"), *host.plugin_data.rglob("*")]
    kept = b"\n".join(_unpacked(file.read_bytes()) for file in files if file.is_file())
    return {word for word in words if word.encode() in kept}


def _unpacked(content: bytes) -> bytes:
    # A snapshot may be half written.
    return zlib.decompressobj(GZIP).decompress(content) if content.startswith(b"\x1f\x8b") else content


def logged(host: Host, words: Sequence[str]) -> list[str]:
    """The lines of the host's log that have one of the words."""
    return [line for line in host.log().splitlines() if any(word in line for word in words)]


def owned(host: Host, person: Person) -> dict[str, int]:
    """How many rows of each table are somebody's."""
    columns = {"ltm_items": "scope_id", "ltm_events": "owner_scope_id", "ltm_recalls": "owner_scope_id"}
    scope = f"plat_a:{person.id}"
    return {
        table: len(host.memories.rows(f"select 1 from {table} where {column} = ?", scope))  # noqa: S608 - ours
        for table, column in columns.items()
    }


@pytest.mark.parametrize("way", [forget_all, erase])
@pytest.mark.parametrize(
    ("facts", "words"),
    [
        (("I keep a quokka named {}onbert", "I collect {}quartz vases"), ("{}onbert", "{}quartz")),
        (("我养了一只猞猁叫{}貔貅", "我收藏{}玛瑙花瓶"), ("{}貔貅", "{}玛瑙")),
    ],
    ids=["en", "zh"],
)
def test_what_was_added_is_gone_byte_for_byte_and_what_others_added_is_not(
    host: Host,
    model: ScriptedModel,
    newcomer: Newcomer,
    way: Erase,
    facts: Sequence[str],
    words: Sequence[str],
) -> None:
    alice, bob = newcomer("Alice"), newcomer("Bob")
    mine, theirs = (f"zanz{way.__name__[0]}{len(facts[0])}", f"ulul{way.__name__[0]}{len(facts[0])}")
    for person, mark in ((alice, mine), (bob, theirs)):
        host.say(person, f"/ltm add {facts[0].format(mark)}")
        host.say(person, f"/ltm add {facts[1].format(mark)}", group=KITCHEN)
        host.say(person, "I live in Oslo")
        model.chat.will_answer(CallTool("test_weather", {"city": "Oslo"}), "Nice.")
        host.say(person, "What is the weather of Oslo?")
        host.say(person, "What do I keep?")
        wait_for(lambda person=person: owned(host, person)["ltm_recalls"] == 3)
    host.memories.wait_until_extracted()
    canaries, others = ([word.format(mark) for word in words] for mark in (mine, theirs))
    assert found_in(host, canaries) == set(canaries)
    kept = owned(host, bob)
    answer = way(host, alice)
    assert "/reset" in answer
    wait_for(lambda: not found_in(host, canaries))
    assert owned(host, alice) == {"ltm_items": 0, "ltm_events": 0, "ltm_recalls": 0}
    session = host.session_of(alice)
    assert host.memories.rows("select 1 from ltm_events where session_id = ?", session) == []
    assert logged(host, canaries) == []
    assert owned(host, bob) == kept
    assert found_in(host, others) == set(others)
    assert host.say(alice, "/ltm list").count(mine) == 0
    assert theirs in host.say(bob, "/ltm list")


@pytest.mark.parametrize("way", [forget_all, erase])
def test_what_an_import_brought_is_gone_byte_for_byte_and_from_the_snapshots(
    host: Host, newcomer: Newcomer, way: Erase
) -> None:
    alice = newcomer("Alice")
    canary = f"vizcacha{way.__name__}"
    host.say(alice, f"/ltm add I keep a {canary} in the barn")
    host.memories.wait_until_extracted()
    scope = {"scope": "user", "scope_id": f"plat_a:{alice.id}"}
    file = {"file": ("memory.json", host.plugin.get("export", params=scope).content)}
    way(host, alice)
    wait_for(lambda: not found_in(host, [canary]))
    assert host.plugin.post("import", files=file).json()["added"]["items"] == 1
    assert canary in host.say(alice, "/ltm list")
    assert host.plugin.post("snapshots/create").status_code == 200
    assert found_in(host, [canary]) == {canary}
    way(host, alice)
    wait_for(lambda: not found_in(host, [canary]))
    assert logged(host, [canary]) == []


def test_the_host_keeps_what_was_said_to_the_bot_until_it_is_reset(host: Host, newcomer: Newcomer) -> None:
    alice = newcomer("Alice")
    host.say(alice, "I keep a quokka named Zyxwbert")
    forget_all(host, alice)
    assert any("Zyxwbert" in text for _, text in host.history(alice))
    host.say(alice, "/reset")
    assert host.history(alice) == []
    assert owned(host, alice)["ltm_items"] == 0
