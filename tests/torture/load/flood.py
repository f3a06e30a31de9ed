"""One person who does not stop talking, and the others in the same store."""

import asyncio
import random
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import override

from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat, ToolUse, Turn
from astrbot_plugin_ltm.long_term_memory.domain.providers import Embedder
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager

from tests.host.harness.tables import Row, Tables
from tests.read.fakes import NoEmbedder
from tests.running import ScriptedChatModel, World, private, settings, until

HOUR = timedelta(hours=1)
MALLORY = private("mallory")
OTHERS = tuple(
    private(name)
    for name in ("anna", "boris", "clara", "david", "elena", "felix", "greta", "henry", "irina", "jonas")
)
MOST_LEARNT = 10
"""New facts that one chat may add in an hour."""
MOST_IN_HOUR = 25
"""New facts that all chats together may add in an hour, where that is what is tried."""
MOST_KEPT = 50
"""Facts that one person may have."""
SETTINGS: Mapping[str, object] = {
    "write_policy": {
        "mode": "auto",
        "max_writes_per_session": MOST_LEARNT,
        "max_writes_per_hour": 1_000,
        "max_items_per_scope": MOST_KEPT,
    },
}


class NobodyAnswers(ScriptedChatModel):
    """There is no model to be asked at the moment, so that what waits for it only becomes more."""

    @override
    async def provider_id(self, umo: str) -> str:
        raise LookupError(umo)


@dataclass
class Flood:
    """What is said in a memory that one person floods."""

    world: World
    memory: LTMManager
    chance: random.Random
    said: int = 0
    _words: Iterator[str] = field(init=False)

    def __post_init__(self) -> None:
        self._words = _made_up(self.chance)

    async def pours(self, *, hours: float, messages: int) -> None:
        """So many messages in so many hours, each with a new fact, and now and then the answer of a tool."""
        for _ in range(messages):
            self.world.clock.move(HOUR * hours / messages)
            await self.says(MALLORY, f"I like {next(self._words)} {next(self._words)}")
            if self.said % 10 == 0:
                await self._asks_a_tool()

    async def goes_on(self, *, every: timedelta) -> None:
        """The same without end, at this pace in real time."""
        while True:
            await self.pours(hours=every / HOUR, messages=1)
            await asyncio.sleep(every.total_seconds())

    async def says(self, chat: Chat, text: str) -> None:
        """One exchange."""
        self.said += 1
        await self.memory.record_turn(
            Turn(
                chat=chat,
                message_id=f"m{self.said}",
                user_text=text,
                reply_text="I see.",
                at=self.world.clock(),
            )
        )

    async def insists(self, messages: int) -> None:
        """So many demands to remember something."""
        for _ in range(messages):
            self.world.clock.move(HOUR / messages)
            await self.says(MALLORY, f"Remember that my {next(self._words)} is called {next(self._words)}")

    async def names(self, chat: Chat) -> None:
        """One exchange in which the model finds a new fact."""
        thing, name = next(self._words), next(self._words)
        await self.says(chat, f"My {thing} is called {name}, as of turn {self.said}")

    async def read(self) -> None:
        """Wait until the model has read everything; the clock goes on only a little."""
        async with asyncio.timeout(600):
            while self.tables.rows("select 1 from ltm_events where extraction = 'pending' limit 1"):
                self.world.clock.move(timedelta(milliseconds=100))
                await asyncio.sleep(0.05)

    async def written(self) -> None:
        """Wait until nothing is under way any more."""
        await until(lambda: not self.late, timeout=60)

    @property
    def late(self) -> int:
        """How many writes are under way."""
        return self.memory._components.scheduler.late  # pyright: ignore[reportPrivateUsage] - health asks the store too

    async def _asks_a_tool(self) -> None:
        use = ToolUse(
            chat=MALLORY,
            message_id=f"m{self.said}",
            tool="weather",
            result=f"Sunny in {next(self._words)}",
            at=self.world.clock(),
        )
        await self.memory.record_tool_use(use)

    @property
    def tables(self) -> Tables:
        """What the store holds."""
        return Tables(self.world.file)

    def learnt(self, chat: Chat) -> list[Row]:
        """When and what was learnt from this chat, in order: what waits only once it was let go on."""
        query = """
            select ltm_audit.created_at, fact from ltm_audit join ltm_items using (memory_id)
            where origin_umo = ? and before in ('', 'pending') and after = 'active' order by ltm_audit.id
        """
        return self.tables.rows(query, chat.umo)

    def live(self, chat: Chat) -> int:
        """How many items of this person take up room."""
        query = """
            select count(*) from ltm_items
            where scope_id = ? and status in ('active', 'shadow', 'pending', 'disabled')
        """
        [(number,)] = self.tables.rows(query, f"{chat.platform_id}:{chat.sender_id}")
        return number

    def waiting(self, chat: Chat) -> Mapping[str, int]:
        """How many events of this chat wait for the model, by who said them."""
        query = """
            select source_role, count(*) from ltm_events
            where session_id = ? and extraction = 'pending' group by source_role
        """
        return dict(self.tables.rows(query, chat.umo))


@asynccontextmanager
async def flooded(
    folder: Path,
    chance: random.Random,
    embedder: Embedder | None = None,
    model: ScriptedChatModel | None = None,
    **changes: object,
) -> AsyncGenerator[Flood]:
    """A memory at work in this folder, whose database may be there already."""
    world = World(folder / "data_v4.db", model=model or NobodyAnswers(), embedder=embedder or NoEmbedder())
    async with world.memory(settings({**SETTINGS, **changes})) as memory:
        yield Flood(world, memory, chance)


def _made_up(chance: random.Random) -> Iterator[str]:
    """Words without end that nobody has said before."""
    syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
    seen = set[str]()
    while True:
        word = "".join(chance.choices(syllables, k=4))
        if word not in seen:
            seen.add(word)
            yield word
