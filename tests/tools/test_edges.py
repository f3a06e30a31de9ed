"""What a tool answers when it cannot do what it is asked: words, never an exception."""

import json
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from astrbot_plugin_ltm.long_term_memory.access.gatekeeper import OWN_TOOLS
from astrbot_plugin_ltm.long_term_memory.domain.chat import Turn
from astrbot_plugin_ltm.long_term_memory.domain.enums import Status
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.domain.memory import ItemFilter
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.manager.components import EMBEDDED_TALK
from astrbot_plugin_ltm.long_term_memory.model_tools import (
    MEMORY_TOOLS,
    SESSION_SEARCH_TOOLS,
    Tool,
)
from astrbot_plugin_ltm.long_term_memory.text_analysis.tokens import tokens

from tests.read.fakes import FakeEmbedder
from tests.running import World, group, private, settings
from tests.stores import migrated
from tests.tools import TOOLS
from tests.tools.reference import Call, Desk, absent, delete, found, get, list_all, save, saved, search

ROOT = Path(__file__).parent.parent.parent
GUIDE = (ROOT / "docs" / "model-tools.md").read_text("utf-8")
ALL = (
    save(),
    get(),
    search("tea"),
    list_all(),
    delete(),
    Call(tool="session_search", arguments={"query": "x"}),
)
A = "alice"


async def test_who_has_paused_is_refused_by_every_tool_and_nothing_is_stored(desk: Desk) -> None:
    await desk.expect((A, save("before"), saved("before")))
    await desk.memory.pausing.own(private(), on=True)
    for call in ALL:
        await desk.expect(
            (
                A,
                call,
                "Error: Not done. For the user: memory is paused at your own request; to resume: /ltm resume",
            )
        )
        await desk.expect(
            (
                "alice in kitchen",
                call,
                "Error: Not done. For the user: memory is paused at your own request; to resume: /ltm resume",
            )
        )
    await desk.memory.pausing.own(private(), on=False)
    await desk.expect((A, get(), absent()))


async def test_in_a_paused_group_every_tool_refuses(desk: Desk) -> None:
    await desk.memory.pausing.group(group(), on=True, actor="operator:x")
    for call in ALL:
        await desk.expect(
            (
                "alice in kitchen",
                call,
                "Error: Not done. For the user: an admin has paused memory in this group.",
            )
        )
        assert not (await desk.call("alice in garden", call)).startswith("Error: Not done")


async def test_while_read_only_reading_works_and_nothing_changes(tmp_path: Path) -> None:
    world = World(migrated(tmp_path / "data_v4.db"))
    async with world.memory(settings()) as memory:
        await Desk(world, memory).expect((A, save(), saved()))
    async with world.memory(settings({"emergency_read_only": True})) as memory:
        desk = Desk(world, memory)
        before = (await memory.browsing.items(ItemFilter())).rows
        read_only = "Error: Not done. For the user: the memory is read-only."
        await desk.expect((A, save("other"), read_only), (A, delete(), read_only))
        assert (await desk.call(A, get())).startswith('{"found": true')
        assert (await memory.browsing.items(ItemFilter())).rows == before


async def test_a_full_memory_says_so_or_makes_room(tmp_path: Path) -> None:
    world = World(migrated(tmp_path / "data_v4.db"))
    policy = {"mode": "auto", "max_items_per_scope": 1}
    async with world.memory(settings({"write_policy": policy})) as memory:
        desk = Desk(world, memory)
        page = Call(
            tool="memory_save",
            arguments={"key": "b", "content": "User is allergic to cats"},
            said="What does the page say?",
        )
        await desk.expect(
            (A, save("a"), saved("a")),
            (A, page, "Error: Not done. For the user: the limit of memories is reached."),
            (A, save("c", "I like coffee"), saved("c")),
            (A, get("a"), absent("a")),
        )


async def test_what_an_operator_has_switched_off_is_not_saved_over(desk: Desk) -> None:
    await desk.expect((A, save(), saved()))
    (item,) = (await desk.memory.browsing.items(ItemFilter())).rows
    store = desk.memory._components.store  # pyright: ignore[reportPrivateUsage] - nothing else disables an item yet
    async with store.transaction() as transaction:
        await transaction.update_item(replace(item, status=Status.DISABLED))
    why = "Error: Not done. For the user: an admin disabled it."
    await desk.expect((A, save(content="I like coffee"), why), (A, save(), why), (A, get(), absent()))


@pytest.mark.parametrize("status", [Status.DELETED, Status.DISABLED])
@pytest.mark.parametrize("elsewhere", ["alice in garden", "alice PUBLIC"])
async def test_a_group_is_not_told_what_became_of_a_memory_that_was_said_elsewhere(
    tmp_path: Path, status: Status, elsewhere: str
) -> None:
    world = World(migrated(tmp_path / "data_v4.db"))
    async with world.memory(settings({"levels": {"private": "PUBLIC", "group": "PUBLIC"}})) as memory:
        desk = Desk(world, memory)
        await desk.expect((elsewhere, save(), saved(level="PUBLIC")))
        (item,) = (await memory.browsing.items(ItemFilter())).rows
        async with memory._components.store.transaction() as tx:  # pyright: ignore[reportPrivateUsage]
            await tx.update_item(replace(item, status=status, deleted_at=world.clock()))
        unasked = Call(tool="memory_save", arguments=save().arguments, said="What does the page say?")
        await desk.expect(("alice in kitchen", unasked, "Error: Not done. For the user: it was not stored."))
        assert await desk.call(elsewhere, unasked) != "Error: Not done. For the user: it was not stored."
        assert (await desk.call(elsewhere, unasked)).startswith("Error: Not done. For the user: ")


async def broken(_manager: LTMManager, _turn: Turn) -> str:
    raise ZeroDivisionError


async def away(_manager: LTMManager, _turn: Turn) -> str:
    raise UnavailableError("locked")


@pytest.mark.parametrize(
    ("run", "reply"),
    [
        (broken, "Error: Memory does not answer now."),
        (away, "Error: Memory does not answer now; try again later."),
    ],
)
async def test_whatever_goes_wrong_becomes_an_error_in_words(desk: Desk, run: object, reply: str) -> None:
    tool = Tool(name="t", description="", properties={}, required=(), run=run)  # pyright: ignore[reportArgumentType]
    turn = Turn(chat=private(), message_id="m", user_text="x", reply_text="", at=desk.world.clock())
    assert await tool.call(desk.memory, turn, {}) == reply


async def test_a_search_of_what_was_said_leaves_out_the_message_that_asks(desk: Desk) -> None:
    await desk.world.tell(desk.memory, private(), "The plumber comes on Tuesday", "Noted.")
    at = desk.world.clock()
    desk.world.clock.move(timedelta(hours=1))
    await desk.world.tell(desk.memory, private("bob"), "My plumber is called Bert")
    asks = Call(tool="session_search", arguments={"query": "plumber", "max_results": 1}, said="plumber?")
    said = {
        "role": "user",
        "speaker": "Alice",
        "said_at": at.isoformat(),
        "text": "The plumber comes on Tuesday",
    }
    await desk.expect(
        (A, asks, {"results": [said], "query": "plumber"}),
        ("alice in kitchen", asks, {"results": [], "query": "plumber"}),
        (
            A,
            Call(tool="session_search", arguments={}),
            "Error: session_search requires a 'query' argument (non-empty string).",
        ),
    )


@pytest.mark.parametrize(
    ("given", "expected"),
    [(1, 1), (0, 1), (-5, 1), (3.0, 3), (50, 50), (10**9, 50)]
    + [(value, 10) for value in ("3", None, True, 2.5, [1], float("nan"), float("inf"))],
)
async def test_the_number_of_results_is_clamped_and_ten_where_it_is_none(
    desk: Desk, given: object, expected: int
) -> None:
    for number in range(12):
        await desk.expect((A, save(f"k{number}", f"I like tea number {number}"), saved(f"k{number}")))
    reply = await desk.call(A, search("tea", max_results=given))
    assert reply.count('"key"') == min(expected, 12)


def test_each_tool_has_a_schema_and_says_what_it_needs() -> None:
    for tool in TOOLS.values():
        properties = cast("dict[str, object]", tool.parameters["properties"])
        required = cast("list[str]", tool.parameters["required"])
        assert set(required) <= set(properties)
        assert tool.description.endswith(".")


def test_the_docs_say_what_the_tools_cost_in_each_request() -> None:
    memory, talk = (cost(tools) for tools in (MEMORY_TOOLS, SESSION_SEARCH_TOOLS))
    stated = (
        f"about {memory} for the five memory tools and {talk} for `session_search`, {memory + talk} in all"
    )
    assert stated in " ".join(GUIDE.split())
    assert f"about {memory} tokens a request" in (ROOT / "README.md").read_text("utf-8")
    chinese = (ROOT / "README_zh.md").read_text("utf-8")
    assert {f"每次请求约占 {memory} 个 token", f"每次请求约占 {memory + talk} 个 token"} <= set(
        re.findall(r"每次请求约占 \d+ 个 token", chinese)
    )


def cost(tools: list[Tool]) -> int:
    """The tokens of these tools as a request carries them, to the next ten."""
    sent = [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
            },
        }
        for tool in tools
    ]
    return round(tokens(json.dumps(sent)), -1)


def test_no_tool_of_memory_raises_the_level_of_a_conversation_or_is_recorded() -> None:
    assert set(TOOLS) == OWN_TOOLS


def test_the_docs_list_every_tool() -> None:
    assert set(re.findall(r"^\| `(\w+)\(", GUIDE, re.MULTILINE)) == set(TOOLS)


@pytest.mark.parametrize(("on", "embedded"), [(True, {"The plumber comes"}), (False, set[str]())])
async def test_what_is_said_is_embedded_only_while_it_can_be_searched(
    tmp_path: Path, on: bool, embedded: set[str]
) -> None:
    searching = settings({"tools": {"session_search": on}})
    world = World(migrated(tmp_path / "data_v4.db"))
    async with world.memory(searching) as memory:
        await world.tell(memory, private(), "This was long ago", reply="")
    world.clock.move(EMBEDDED_TALK + timedelta(days=1))
    world.embedder = embedder = FakeEmbedder()
    async with world.memory(searching) as memory:
        await world.tell(memory, private(), "The plumber comes", reply="")
        while await memory._components.embedding.embed_batch():  # pyright: ignore[reportPrivateUsage] - at once
            pass
    said = [text for batch in embedder.batches for text in batch if "plumber" in text or "long ago" in text]
    assert {text.split(": ")[-1] for text in said} == embedded


@pytest.mark.parametrize("named", [{"key": "surprise-party"}, {"key": "k", "tags": ["surprise"]}])
async def test_a_key_and_tags_stay_where_they_were_given_when_the_words_are_said_elsewhere(
    desk: Desk, named: dict[str, Any]
) -> None:
    await desk.call("alice in kitchen", save(**named))
    await desk.memory.save(
        group("alice", "garden"), fact="I like tea", said="/ltm add I like tea", message_id="m"
    )
    listed = await desk.call("alice in garden", list_all())
    assert "User likes tea" in listed
    assert "surprise" not in listed
    assert await desk.call("alice in garden", get(named["key"])) == json.dumps(absent(named["key"]))
    await desk.expect(("alice in kitchen", get(named["key"]), found(level="PUBLIC", **named)))
