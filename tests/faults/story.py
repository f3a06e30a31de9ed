"""What happens in every trial: two people and a group, told act by act."""

import asyncio
import itertools
import json
import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import override

from astrbot_plugin_ltm.long_term_memory.bootstrap import Ports
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat, ToolUse, Turn
from astrbot_plugin_ltm.long_term_memory.domain.errors import NotFoundError
from astrbot_plugin_ltm.long_term_memory.domain.writing import Completion
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager

from tests.faults.loop import LoopClock
from tests.running import ScriptedChatModel, World, group, private, settings
from tests.verifying import second_answer

SETTINGS = settings(
    {
        "write_policy": {
            "mode": "auto",
            "require_approval_types": ["constraint"],
            "max_writes_per_session": 40,
        },
        "extraction": {"batch_turns": 3, "idle_seconds": 60},
        "levels": {"group": "INTERNAL"},
    }
)
ALICE, BOB, CAROL, KITCHEN = private("alice"), private("bob"), private("carol"), group("bob")

type Call = Callable[["Outside"], Awaitable[object]]


type Front = Callable[[LTMManager], LTMManager]
"""What stands between the host and the memory."""


def as_it_is(memory: LTMManager) -> LTMManager:
    """Nothing stands between them."""
    return memory


@dataclass(frozen=True, kw_only=True)
class Act:
    """One thing that happens to a memory: calls of the host, all at once, or time that passes."""

    name: str
    calls: Sequence[Call] = ()
    repeated: bool = True
    """Whether to call again changes nothing; else to call again is something else that happens."""
    later: timedelta = timedelta(0)
    """How long after the act before it begins."""
    rest: timedelta = timedelta(0)
    """How long it takes until what failed in it is tried again."""
    asleep: bool = False
    """Whether no memory is running when it begins."""


class Outside(World):
    """The world around a memory: its time is the loop's, its model and its embedder answer from threads."""

    def begin(self, first_id: int) -> None:
        """Begin: no id made is below `first_id`."""
        self.clock = LoopClock()
        self.model = _Reader()
        self._running: LTMManager | None = None
        self._first: dict[str, datetime] = {}
        self._ids = itertools.count(first_id)

    @property
    def awake(self) -> LTMManager:
        """The memory, while it is running."""
        assert self._running is not None
        return self._running

    @asynccontextmanager
    async def run(self, front: Front) -> AsyncGenerator[None]:
        """Run a memory behind `front` until the block ends."""
        async with self.memory(SETTINGS) as memory:
            self._running = front(memory)
            yield
        self._running = None

    @override
    def _ports(self) -> Ports:
        return replace(super()._ports(), embedder=_Embedder(), make_id=lambda: f"{next(self._ids):08x}-0000")

    async def say(self, chat: Chat, text: str) -> None:
        """One exchange; told again it is the same exchange."""
        turn = Turn(chat=chat, message_id=text, user_text=text, reply_text="I see.", at=self._at(text))
        await self.awake.record_turn(turn)

    async def tool(self, name: str, result: str) -> None:
        """A tool answers in Alice's chat; told again it is the same answer."""
        use = ToolUse(chat=ALICE, message_id=name, tool=name, result=result, at=self._at(result))
        await self.awake.record_tool_use(use)

    def _at(self, text: str) -> datetime:
        return self._first.setdefault(text, self.clock())


class _Reader(ScriptedChatModel):
    """Finds the facts of `READINGS` in whatever it is shown, each when its words stand there; sums up."""

    @override
    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
        if verdicts := second_answer(system, prompt):
            return verdicts
        self.answer = await asyncio.to_thread(_read, prompt)
        return await super().complete(umo=umo, system=system, prompt=prompt)


class _Embedder:
    """Gives each text a direction of its own, but one to those of `ONE_WISH`."""

    def model_id(self) -> str | None:
        return "model"

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return await asyncio.to_thread(lambda: [_direction(text) for text in texts])


def _direction(text: str) -> list[float]:
    meaning = "a wish" if any(fact in text for fact in ONE_WISH) else text
    source = random.Random(meaning)  # noqa: S311  it need not be hard to guess
    return [source.gauss() for _ in range(16)]


def _read(prompt: str) -> str:
    conversation = prompt.rpartition("<<<conversation>>>")[2]
    return json.dumps([fact for quote, fact in READINGS.items() if quote in conversation], ensure_ascii=False)


def _fact(quote: str, fact: str, **fields: object) -> tuple[str, Mapping[str, object]]:
    common = {"type": "profile", "fact": fact, "quote": quote, "confidence": 0.9, "importance": 0.6}
    return quote, common | fields


ONE_WISH = ("User wants answers in short sentences", "User wants the bot to keep sentences short")
"""One in other words: but for the vectors nobody would know."""
TOWNS = ("Oslo", "Narvik", "Bodø", "Molde", "Voss", "Hamar", "Moss", "Røros")
"""To which Alice missed the train."""

READINGS = dict(
    (
        _fact("used to row for the county", "User used to row for the county"),
        _fact("we moved to Bergen", "User lives in Bergen", slot="home_city", fact_key="home_city"),
        _fact("we moved to Tromsø", "User lives in Tromsø", slot="home_city", fact_key="home_city"),
        _fact("my sister Eva plays the cello", "Eva plays the cello", person="Eva", relationship="sister"),
        _fact("每天早上都跑步", "用户每天早上都跑步", type="preference"),
        _fact("the recital on Friday", "User plans the recital", type="task_state"),
        _fact("what I want is answers in short sentences", ONE_WISH[0], type="constraint", importance=0.8),
        _fact("it is short sentences that I want", ONE_WISH[1], type="constraint"),
        *(
            _fact(f"missed the train to {town}", f"User missed the train to {town}", type="episode")
            for town in TOWNS
        ),
    )
)
"""What the model finds, by the words it finds it in."""


def saying(chat: Chat, text: str) -> Call:
    """Somebody says something, and the bot answers."""
    return lambda outside: outside.say(chat, text)


async def the_weather(outside: Outside) -> None:
    await outside.tool("weather", "Bergen: rain, 9 °C")


async def the_bike(outside: Outside) -> None:
    await outside.awake.save(
        ALICE, fact="my bike is blue", said="/ltm add my bike is blue", message_id="bike"
    )


async def approval(outside: Outside) -> None:
    await outside.awake.review.approve(None, actor="operator")


async def forgetting(outside: Outside) -> None:
    page = await outside.awake.own_items(ALICE, kind=None, page=1, page_size=50)
    gone = [item for item in page.rows if "bike" in item.fact]
    if not gone:
        raise NotFoundError("no such memory")
    await outside.awake.forget(ALICE, gone[0].memory_id)


async def a_start_and_a_stop(outside: Outside) -> None:
    async with outside.run(as_it_is):
        await asyncio.sleep(1.5)


STORY = (
    Act(name="the first start", calls=[a_start_and_a_stop], asleep=True, repeated=False),
    Act(name="a plain statement", calls=[saying(ALICE, "My name is Alice and I like green tea")]),
    Act(
        name="two people at once",
        calls=[
            saying(ALICE, "In my youth I used to row for the county"),
            saying(KITCHEN, "I live in Oslo. And my sister Eva plays the cello"),
        ],
    ),
    Act(name="a tool", calls=[the_weather]),
    Act(name="an explicit save", calls=[the_bike], repeated=False),
    Act(name="a statement that needs approval", calls=[saying(BOB, "我对花生过敏,每天早上都跑步")]),
    Act(name="a new home", calls=[saying(ALICE, "Last spring we moved to Bergen for good")]),
    Act(name="the first batches"),
    Act(
        name="known words again",
        calls=[saying(ALICE, "I like green tea. And what I want is answers in short sentences")],
    ),
    Act(
        name="another home",
        calls=[
            saying(
                ALICE,
                "This week we moved to Tromsø. I used to row for the county until 2019. On the way we "
                + ", ".join(f"missed the train to {town}" for town in TOWNS)
                + ". So it is short sentences that I want",
            )
        ],
    ),
    Act(name="the batch that replaces"),
    Act(name="an approval", calls=[approval]),
    Act(name="a memory is forgotten", calls=[forgetting]),
    Act(name="a start", calls=[a_start_and_a_stop], asleep=True, repeated=False),
    Act(name="duplicates are joined", rest=timedelta(hours=2)),
    Act(name="housekeeping after a hundred days", later=timedelta(days=100), rest=timedelta(hours=2)),
    Act(name="what has expired is said again", calls=[saying(ALICE, "Oh, and I like green tea")]),
)
