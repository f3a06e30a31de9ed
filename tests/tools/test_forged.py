"""Whatever a model passes beside a tool's parameters has no effect: owner and level come from the message."""

import itertools
from collections.abc import Mapping, Sequence

from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, Status
from astrbot_plugin_ltm.long_term_memory.domain.memory import ItemFilter

from tests.tools.reference import (
    Call,
    Desk,
    absent,
    delete,
    deleted,
    found,
    get,
    list_all,
    save,
    saved,
    search,
)

NAMES = (
    "owner",
    "owner_id",
    "user",
    "user_id",
    "agent_id",
    "scope",
    "scope_id",
    "group_id",
    "sender_id",
    "umo",
    "chat",
    "level",
    "classification",
    "min_level",
    "access",
    "audience",
    "memory_id",
    "status",
    "readable",
    "turn",
    "person",
    "persona_id",
)
VALUES: tuple[object, ...] = (
    "bob",
    "plat:bob",
    "plat:FriendMessage:bob",
    "global",
    "RESTRICTED",
    4,
    -1,
    True,
    None,
    "%",
    ["plat:bob", "global"],
    {"scope": "user", "scope_id": "plat:bob", "level": 4},
)
FORGED = [{name: value} for name, value in itertools.product(NAMES, VALUES)]
CANARIES = ("bobs-canary", "high-canary", "group-canary")


async def test_forged_arguments_have_no_effect(desk: Desk) -> None:
    await desk.expect(
        ("bob", save("k", "I hide the bobs-canary"), saved()),
        ("alice RESTRICTED", save("k", "I hide the high-canary"), saved(level="RESTRICTED")),
        ("alice in kitchen", save("g", "I hide the group-canary"), saved("g", "PUBLIC")),
        ("alice", delete("g"), "Error: Memory record 'g' not found at INTERNAL level"),
    )
    before = await others(desk)
    assert len(FORGED) >= 200
    for number, forged in enumerate(FORGED):
        content = f"I like tea number {number}"
        replies = [
            await desk.call(who, forge(call, forged))
            for who, call in (
                ("alice", save("mine", content)),
                ("alice", get("mine")),
                ("alice", get("k")),
                ("alice in garden", list_all()),
                ("alice in garden", search("canary")),
                ("alice", delete("k")),
            )
        ]
        assert not any(canary in reply for reply in replies for canary in CANARIES), forged
        assert replies[0] == '{"saved": true, "key": "mine", "classification": "INTERNAL"}', forged
        assert content in replies[1], forged
        assert replies[2:] == [
            '{"found": false, "key": "k"}',
            "No memories found.",
            '{"results": [], "query": "canary"}',
            "Error: Memory record 'k' not found at INTERNAL level",
        ], forged
    assert await others(desk) == before
    mine = await desk.memory.browsing.items(
        ItemFilter(scope_id="plat:alice", status=Status.ACTIVE, page_size=100)
    )
    assert [item.level for item in mine.rows if item.fact_key == "mine"] == [Level.INTERNAL]


async def test_forged_values_of_real_arguments_break_nothing(desk: Desk) -> None:
    await desk.expect(("alice", save("k", "I like tea", tags=["t"]), saved()))
    for value in (*VALUES, float("nan"), float("inf"), 10**400, "1", "\ud800", "\0", "x" * 100_000):
        for call in (
            search("tea", max_results=value),
            search(value),
            list_all(tag=value),
            get(value),
            delete(value if value != "k" else "x"),
            save(value, "I like tea"),
            save("other", value),
        ):
            reply = await desk.call("alice", call)
            assert reply[0] == "{" or reply.startswith("Error: ") or reply == "No memories found."
    await desk.expect(
        ("alice", get(), found(tags=["t"])), ("alice", delete(), deleted()), ("alice", get(), absent())
    )


def forge(call: Call, forged: Mapping[str, object]) -> Call:
    return Call(tool=call.tool, arguments={**forged, **call.arguments}, said=call.said)


async def others(desk: Desk) -> Sequence[object]:
    """All that is not Alice's at the level of her private chat."""
    page = await desk.memory.browsing.items(ItemFilter(page_size=1_000))
    kept = [item for item in page.rows if item.fact_key != "mine"]
    return sorted((item.owner, item.level, item.fact_key, item.fact, item.status) for item in kept)
