"""A memory over a file that may be damaged, called as the host calls it; what came of each call is noted."""

import itertools
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat, ToolUse, Turn
from astrbot_plugin_ltm.long_term_memory.domain.errors import LtmError
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.service import Report, Service, State

from tests.running import AUTO, FakeMarkers, World, group, private

ALICE, BOB, KITCHEN = private("alice"), private("bob"), group("bob")
SOON = timedelta(milliseconds=20)
KEPT = ("my bike is blue", "the peanuts are in the tin", "花生放在蓝色的罐子里")
FORGOTTEN = "my old password hint is the lighthouse"
TURNS = 40
IN_FILE = TURNS // 2
"""How many of the first are in the database itself, and not in its log alone."""
A_WHILE = "we talked about the garden and the weather for a while, and then of dinner. " * 5 + "Bye."

_runs = itertools.count(1)
"""No run makes an id that another has made."""

type Use = Callable[[LTMManager], Awaitable[object]]


@dataclass
class Life:
    """One run of the plugin, from its start to its end, and what came of each call."""

    world: World
    acknowledged: list[str] = field(default_factory=list[str])
    """What was said in turns that were recorded, as far as the calls tell."""
    saved: list[str] = field(default_factory=list[str])
    odd: list[str] = field(default_factory=list[str])
    """Calls that ended by an error that names nobody who must act."""
    reports: list[Report] = field(default_factory=list[Report])
    """What health told each time it was asked."""

    def __post_init__(self) -> None:
        self.service = Service(self.world.memory, version="1", patience=timedelta(minutes=1), retry=SOON)

    async def begin(self) -> None:
        """Start it."""
        await self.service.start(AUTO)

    @property
    def kept(self) -> int:
        """How much was acknowledged so far."""
        return len(self.acknowledged) + len(self.saved)

    async def end(self) -> None:
        """Stop it."""
        await self.service.stop()

    async def look(self) -> State:
        """Ask health, which never raises."""
        report = await self.service.health()
        self.reports.append(report)
        return report.state

    async def status(self) -> str:
        """What an admin reads."""
        commands = self.world.commands(self.service)
        return (await commands.answer(ALICE, "/ltm status", admin=True, message_id="status")).text

    async def hook(self, name: str, use: Use) -> bool:
        """Call it as a hook of the host does; whether it was acknowledged."""
        manager = self.service.active
        if manager is None:
            return False
        try:
            await use(manager)
        except LtmError as error:
            self.service.failed(name, error)
            return False
        except Exception as error:  # noqa: BLE001  as the host's hooks do, but here it is told
            self.service.failed(name, error)
            self.odd.append(f"{name}: {type(error).__name__}: {error}")
            return False
        return True

    async def say(self, chat: Chat, text: str) -> bool:
        """One exchange."""
        turn = Turn(chat=chat, message_id=text, user_text=text, reply_text="I see.", at=self.world.clock())
        kept = await self.hook("record_turn", lambda memory: memory.record_turn(turn))
        if kept:
            self.acknowledged.append(text)
        return kept

    async def save(self, chat: Chat, fact: str) -> bool:
        """An explicit save."""
        kept = await self.hook(
            "save", lambda memory: memory.save(chat, fact=fact, said=f"/ltm add {fact}", message_id=fact)
        )
        if kept:
            self.saved.append(fact)
        return kept

    async def day(self, name: str) -> None:
        """Some of everything that the host asks of it."""
        tool = ToolUse(
            chat=ALICE, message_id=name, tool="weather", result=f"{name}: rain", at=self.world.clock()
        )
        await self.hook("recall", lambda memory: memory.recall(ALICE, "What of my bike, and of peanuts?"))
        await self.say(ALICE, f"{name}: I went to the market")
        await self.hook("record_tool_result", lambda memory: memory.record_tool_use(tool))
        await self.say(KITCHEN, f"{name}: the kettle is broken")
        await self.save(ALICE, f"{name} is the name of my boat")
        await self.hook("search", lambda memory: memory.search_transcript(ALICE, "market"))
        await self.hook("list", lambda memory: memory.own_items(ALICE, kind=None, page=1, page_size=50))
        await self.hook("recall", lambda memory: memory.recall(BOB, "花生"))
        await self.hook("snapshot", lambda memory: memory.transferring.snapshot(actor="operator"))
        await self.look()


@dataclass(frozen=True, kw_only=True)
class Filled:
    """A store that was filled."""

    told: Sequence[str]
    """What was said in turns, in this order."""
    places: Sequence[str | None]
    """The store's id where the host keeps it."""

    def life(self, file: Path) -> Life:
        """A run of the plugin over a copy of it."""
        ids = itertools.count(next(_runs) * 100_000)
        markers = FakeMarkers(list(self.places))
        return Life(World(file, markers=markers, ready_made=False, _numbers=ids))


def _checkpoint(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("pragma wal_checkpoint(truncate)")


async def fill(file: Path, *, between: Callable[[], object] = lambda: None) -> Filled:
    """Make a store with people, memories and one that was forgotten.

    `between` is called while the memory is running and has nothing to do.
    """
    world = World(file)
    life = Life(world)
    await life.begin()
    manager = life.service.manager()
    for number in range(TURNS):
        await life.say((ALICE, BOB, KITCHEN)[number % 3], f"turn {number}: {A_WHILE}")
        if number + 1 == IN_FILE:
            _checkpoint(file)
    for fact in KEPT:
        await life.save(ALICE, fact)
    forgotten = await manager.save(ALICE, fact=FORGOTTEN, said=FORGOTTEN, message_id="hint")
    await manager.forget(ALICE, forgotten.item.memory_id)
    between()
    await life.end()
    assert not life.odd
    return Filled(told=life.acknowledged, places=world.markers.places)
