"""Plays a scenario on the whole memory: the real store, worker, rules and writer; no host, no embeddings."""

import asyncio
import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat, ToolUse, Turn
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager

from tests.running import FakeClock, World, group, private, record, settings, written
from tests.scenarios.form import Answers, Does, Passes, Says, Scenario, recording
from tests.scenarios.models import Part, StagedModel, Verifying, obedient
from tests.scenarios.outcome import Outcome, outcome_of
from tests.stores import migrated

IDLE = timedelta(seconds=121)
"""Longer than a chat rests before its messages go to the model."""
_ROUNDS = 60
"""Rounds of the worker after which a message that still waits counts as stuck."""
_USUAL: Mapping[str, Mapping[str, object]] = {
    "write_policy": {"mode": "auto"},
    "groups": {"passive_capture": True},
}


@dataclass
class Stage:
    """One scenario at play."""

    scenario: Scenario
    memory: LTMManager
    model: StagedModel
    clock: FakeClock
    part: Callable[[Answers], Part]
    weak: bool = False
    """Whether the model accepts whatever it is asked about a second time."""
    unasked: list[str] = field(default_factory=list[str])
    """Facts with a verdict that nobody asked for."""
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    async def play(self) -> None:
        for step in self.scenario.talk:
            match step:
                case Says():
                    await self._says(step)
                case Answers():
                    verifying = Verifying({}) if self.weak else Verifying(step.verdicts, step.verdict)
                    await self.extract(self.part(step), verifying)
                    self.unasked += verifying.unasked
                case Passes():
                    self.clock.move(step.span)
                case Does():
                    await self._does(step)

    async def extract(self, part: Part, verifying: Verifying) -> None:
        """Let the chats rest, and the model say its part until no message waits."""
        self.model.takes(part, verifying)
        worker = self.memory._components.worker  # pyright: ignore[reportPrivateUsage] - its rounds, without waits
        for _ in range(_ROUNDS):
            self.clock.move(IDLE)
            async with asyncio.TaskGroup() as chats:
                rest = await worker.begin(chats)
            await asyncio.sleep(0.005)
            if not await self.waiting():
                break
            self.clock.move(min(rest or IDLE, timedelta(hours=6)))
        self.model.rests()

    async def waiting(self) -> int:
        """How many messages are yet to be extracted."""
        store = self.memory._components.store  # pyright: ignore[reportPrivateUsage] - of all counts these alone
        return (await store.events.counts()).events[Extraction.PENDING]

    async def _says(self, said: Says) -> None:
        self.clock.move(timedelta(seconds=5))
        chat, number = self._chat(said.who, said.place), f"m{next(self._numbers)}"
        turn = Turn(
            chat=chat,
            message_id=number,
            user_text=said.text,
            reply_text="",
            quoted=said.quotes,
            at=self.clock(),
        )
        if said.overheard:
            await self._overhears(turn)
            return
        recall = await self.memory.recall(chat, said.text)
        self.memory.log_recall(chat, said.text, recall, sent=bool(recall.block))
        for tool, result in said.tools.items():
            use = ToolUse(chat=chat, message_id=number, tool=tool, result=result, at=self.clock())
            await record(self.memory, use)
        reply = said.bot.replace("{block}", recall.block)
        await record(self.memory, replace(turn, reply_text=reply))

    async def _overhears(self, turn: Turn) -> None:
        if self.memory.listens_to(turn.chat):
            await self.memory.record_heard(turn, addressed=False)
            await written(self.memory)

    async def _does(self, does: Does) -> None:
        self.clock.move(timedelta(seconds=5))
        if does.what == "approves":
            await self.memory.review.approve(None, actor="operator:tests")
            return
        chat = self._chat(does.who, "")
        match does.what:
            case "adds":
                said = f"/ltm add {does.text}"
                number = f"m{next(self._numbers)}"
                await self.memory.save(chat, fact=does.text, said=said, message_id=number)
            case "forgets":
                page = await self.memory.own_items(chat, kind=None, page=1, page_size=50)
                gone = [item for item in page.rows if does.text.casefold() in item.fact.casefold()]
                assert gone, f"nothing to forget: {does.text}"
                for item in gone:
                    await self.memory.forget(chat, item.memory_id)
            case "pauses":
                await self.memory.pausing.own(chat, on=True)
            case "resumes":
                await self.memory.pausing.own(chat, on=False)

    def _chat(self, who: str, place: str) -> Chat:
        kind, _, name = (place or self.scenario.chat).partition(" ")
        chat = group(who, name or "kitchen") if kind == "group" else private(who)
        return replace(chat, sender_name=self.scenario.nicknames.get(who, chat.sender_name))


def part_of(step: Answers) -> Part:
    """What the model says at this step."""
    if step.obeys:
        return obedient
    text = str(recording(step.recorded)["answer"]) if step.recorded else step.text
    return lambda _system, _prompt: text


async def played(
    scenario: Scenario, folder: Path, part: Callable[[Answers], Part] = part_of, *, weak: bool = False
) -> Outcome:
    """Play it in this folder and say how things stand afterwards; `part` is the model's at each step.

    With `weak` it accepts all it is asked to verify, whatever the scenario says.
    """
    file = migrated(folder / "data_v4.db")
    model, clock = StagedModel(), FakeClock(now=scenario.starts)
    world = World(file=file, model=cast("Any", model), clock=clock)
    raw = {key: {**_USUAL.get(key, {}), **scenario.settings.get(key, {})} for key in _USUAL}
    async with world.memory(settings({**scenario.settings, **raw})) as memory:
        stage = Stage(scenario=scenario, memory=memory, model=model, clock=clock, part=part, weak=weak)
        await stage.play()
        ends = bool(scenario.talk) and isinstance(scenario.talk[-1], Answers)
        stuck = await stage.waiting() if ends else 0
    return outcome_of(file, stuck=stuck, answers=model.answers, unasked=stage.unasked)
