"""What is too high, or another's, is like what there is not: in what is replied, and in the work it takes."""

from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, Scope
from sqlalchemy import Engine, event

from tests.leaks.by_tools import call
from tests.leaks.cast import VARIANTS, Seat
from tests.leaks.oracle import Fact
from tests.leaks.seeded import MISTAKES, mistaken
from tests.leaks.stage import Stage, on_stage
from tests.leaks.telling import Laid, lay_down, learnt

pytestmark = pytest.mark.torture

type Ask = Callable[[Stage, Seat, str], Awaitable[str]]

_TRIES = 10
ALICE = "plat_a:FriendMessage:alice"
KITCHEN, GARDEN = "plat_a:GroupMessage:kitchen", "plat_a:GroupMessage:garden"


@dataclass(frozen=True, kw_only=True)
class Hidden:
    """A memory that somebody asks for where it must not be shown."""

    told_at: tuple[str, str]
    level: Level
    asked_at: tuple[str, str]


HIDDEN: Mapping[str, Hidden] = {
    "one's own, too high": Hidden(
        told_at=("alice", ALICE), level=Level.CONFIDENTIAL, asked_at=("alice", ALICE)
    ),
    "one's own, private, in a group": Hidden(
        told_at=("alice", ALICE), level=Level.PUBLIC, asked_at=("alice", KITCHEN)
    ),
    "one's own, of another group": Hidden(
        told_at=("alice", GARDEN), level=Level.PUBLIC, asked_at=("alice", KITCHEN)
    ),
    "one's own, of this group, too high": Hidden(
        told_at=("alice", KITCHEN), level=Level.RESTRICTED, asked_at=("alice", KITCHEN)
    ),
    "another's": Hidden(
        told_at=("bob", "plat_a:FriendMessage:bob"), level=Level.PUBLIC, asked_at=("alice", ALICE)
    ),
    "another's, of this group": Hidden(
        told_at=("bob", KITCHEN), level=Level.PUBLIC, asked_at=("alice", KITCHEN)
    ),
}


def _by_command(name: str) -> Ask:
    async def ask(stage: Stage, seat: Seat, what: str) -> str:
        return await stage.command(seat, f"/ltm {name} {what}")

    return ask


def _by_tool(name: str, argument: str) -> Ask:
    async def ask(stage: Stage, seat: Seat, what: str) -> str:
        return await call(stage, seat, name, **{argument: what})

    return ask


async def _by_recall(stage: Stage, seat: Seat, what: str) -> str:
    recall = await stage.memory.recall(seat.chat, f"What about {what}?")
    left_out = [(each.memory_id, each.rule) for each in recall.omitted()]
    return f"{recall.block} {recall.reason} {left_out}"


BY_ID: Mapping[str, Ask] = {name: _by_command(name) for name in ("why", "forget", "share", "unshare")}
BY_KEY: Mapping[str, Ask] = {name: _by_tool(name, "key") for name in ("memory_get", "memory_delete")}
BY_WORD: Mapping[str, Ask] = {
    "search": _by_command("search"),
    "why-not": _by_command("why-not"),
    "recall": _by_recall,
    "memory_search": _by_tool("memory_search", "query"),
    "memory_list": _by_tool("memory_list", "tag"),
    "session_search": _by_tool("session_search", "query"),
}


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncGenerator[Stage]:
    async with on_stage(VARIANTS[0], tmp_path, 5) as stage:
        for seat in stage.cast.seats[:10]:
            await stage.says(seat, "My boat is called Anna", "A fine name.")
        await stage.extract()
        yield stage


@contextmanager
def statements() -> Generator[list[str]]:
    """What is asked of the store meanwhile, without the values."""
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        asked.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(Engine, "before_cursor_execute", note)


async def answered(stage: Stage, ask: Ask, seat: Seat, what: str) -> tuple[str, Counter[str]]:
    """The reply, the words of the question taken out, and how often it took which statement."""
    with statements() as asked:
        reply = await ask(stage, seat, what)
    return reply.replace(what, "..."), Counter(asked)


async def alike(stage: Stage, ask: Ask, seat: Seat, what: str, other: str) -> bool:
    """Whether both are answered alike, with the very same work.

    Something in the background may ask the store meanwhile, so that only counts which happens every time.
    """
    (reply, work), (other_reply, other_work) = [
        await answered(stage, ask, seat, each) for each in (what, other)
    ]
    for _ in range(_TRIES):
        if reply != other_reply or work == other_work:
            break
        work &= (await answered(stage, ask, seat, what))[1]
        other_work &= (await answered(stage, ask, seat, other))[1]
    return (reply, work) == (other_reply, other_work)


async def hide(stage: Stage, hidden: Hidden) -> tuple[Seat, Fact]:
    """Lay it down; the seat of whoever asks."""
    told_at, asked_at = stage.cast.at(*hidden.told_at), stage.cast.at(*hidden.asked_at)
    fact = learnt(stage, told_at, stage.words.pair(chinese=False))
    fact.level = hidden.level
    laid = Laid(fact=fact, seat=told_at, owner=ScopeRef(scope=Scope.USER, scope_id=told_at.own_scope))
    await lay_down(stage, [laid])
    await stage.embedded_by("first")
    return asked_at, fact


@pytest.mark.parametrize("hidden", HIDDEN.values(), ids=[*HIDDEN])
async def test_what_is_hidden_is_answered_like_what_there_is_not(stage: Stage, hidden: Hidden) -> None:
    seat, fact = await hide(stage, hidden)
    tag = stage.oracle.facts[-1].pair.both
    nothing = stage.words.pair(chinese=False)
    pairs = [
        *((ask, fact.row[:8], f"{stage.random.getrandbits(32):08x}") for ask in BY_ID.values()),
        *((ask, fact.row, f"{stage.random.getrandbits(32):08x}-row") for ask in BY_KEY.values()),
        *((ask, fact.pair.hook, nothing.hook) for ask in BY_WORD.values()),
        *((ask, tag, nothing.both) for ask in BY_WORD.values()),
    ]
    for ask, there, absent in pairs:
        assert await alike(stage, ask, seat, there, absent), await ask(stage, seat, there)


@pytest.mark.parametrize("ask", [BY_ID["why"], BY_KEY["memory_get"]], ids=["why", "memory_get"])
async def test_where_every_level_is_read_the_difference_is_seen(stage: Stage, ask: Ask) -> None:
    seat, fact = await hide(stage, HIDDEN["one's own, too high"])
    with mistaken(stage, MISTAKES["every level is read"]):
        assert not await alike(stage, ask, seat, fact.row, f"{stage.random.getrandbits(32):08x}-row")


@pytest.mark.parametrize("hidden", HIDDEN.values(), ids=[*HIDDEN])
async def test_a_save_under_a_hidden_key_is_answered_like_one_under_a_new_key(
    stage: Stage, hidden: Hidden
) -> None:
    seat, fact = await hide(stage, hidden)
    """It may have to make way where it is the speaker's own and of this level: the key is theirs once."""
    before = stage.rows()[fact.row]
    replies = [
        (
            await call(
                stage,
                seat,
                "memory_save",
                f"Remember that my {thing} is called Berta",
                key=key,
                content=f"My {thing} is called Berta",
            )
        ).replace(key, "...")
        for thing, key in (("cart", fact.row), ("sled", f"{stage.random.getrandbits(32):08x}-row"))
    ]
    assert replies[0] == replies[1]
    if fact.whose != seat.who or fact.level != stage.oracle.level(seat):
        assert stage.rows()[fact.row] == before
