"""One trial: the host ends the plugin at one await of an act, and starts it again."""

import asyncio
from collections.abc import AsyncGenerator, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import override

from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.service import Service, State
from astrbot_plugin_ltm.long_term_memory.settings import Settings, read_policies

from tests.faults.faults import Fault, Kind, Points
from tests.faults.loop import this_loop
from tests.faults.playing import SETTLED, Outcome, Trial, acknowledges, nothing_left, unsound
from tests.faults.stores import NAME, is_made
from tests.faults.story import SETTINGS, Call, Front, Outside
from tests.torture.lifecycle.left import Before

LONGEST_STOP = 25.0
"""Seconds of the loop in which a stop is over, whatever was under way: two deadlines of the scheduler."""
LONGEST_CALL = 60.0
"""Seconds of the loop in which a call is answered that was under way when the plugin was ended."""


class Hosted(Outside):
    """An outside whose memory is started and ended as the host does it."""

    def service(self, front: Front) -> Service:
        """The plugin, not yet started."""
        return Service(partial(self._hosted, front), version="0")

    @asynccontextmanager
    async def _hosted(self, front: Front, _: Settings) -> AsyncGenerator[LTMManager]:
        async with self.memory(self._kept()) as memory:
            self._running = front(memory)
            yield memory

    def _kept(self) -> Settings:
        """The settings with the policies as they were kept last."""
        if not self.kept_policies:
            return SETTINGS
        kept = read_policies(self.kept_policies[-1], whole=True)
        return replace(SETTINGS, write=kept.write, read=kept.read)


@dataclass(frozen=True, kw_only=True)
class StopTrial(Trial):
    """Ended at one await."""

    at: int | None = None
    """The await, counted from 0, at which the host ends the plugin; None: after the act."""

    @override
    async def _play(self) -> Outcome:
        outside = self._laid(Hosted(self.folder / NAME))
        points = Points(None if self.at is None else Fault(kind=Kind.CRASH, at=self.at), crash=lambda: None)
        points.watch(this_loop())
        before = Before(self.folder)
        service = outside.service(self.front)
        wrong: list[str] = []
        if not self.act.asleep:
            await _awake(service)
        with points.counted(), this_loop().passes():
            calls = await self._begun(points, outside, service)
        await _stopped(service, wrong)
        acknowledged = await _answered(calls, wrong)
        wrong += [f"still there: {one}" for one in before.left()]
        if not self.act.asleep or is_made(outside.file):
            wrong += unsound(outside.file)
        again = outside.service(self.front)
        await _awake(again)
        await self._finished(outside, acknowledged)
        await _stopped(again, wrong)
        return self._outcome(outside, points, acknowledged, wrong)

    async def _begun(
        self, points: Points, outside: Hosted, service: Service
    ) -> Mapping[asyncio.Future[bool], Call]:
        """Play the act until it is over or the plugin is to end; its calls, some of them still under way."""
        if self.act.asleep:
            start = asyncio.ensure_future(_started(service))
            await asyncio.wait({start, points.crashed}, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait({points.crashed}, timeout=SETTLED)
            return dict.fromkeys([start], self.act.calls[0])
        hooks = {asyncio.ensure_future(acknowledges(call, outside)): call for call in self.act.calls}
        if not hooks:
            await nothing_left(outside.file, lambda: points.struck)
        while [hook for hook in hooks if not hook.done()] and not points.crashed.done():
            await asyncio.wait({*hooks, points.crashed}, return_when=asyncio.FIRST_COMPLETED)
        return {**hooks}


async def _started(service: Service) -> bool:
    """Start it, whatever becomes of it."""
    await service.start({})
    return True


async def _awake(service: Service) -> None:
    await service.start({})
    assert service.state is State.RUNNING, service.problems
    with this_loop().passes():
        await asyncio.sleep(SETTLED)


async def _stopped(service: Service, wrong: list[str]) -> None:
    try:
        async with asyncio.timeout(LONGEST_STOP):
            await service.stop()
    except TimeoutError:
        wrong.append("the stop did not end")
    if service.state is not State.CLOSED or service.active is not None:
        wrong.append(f"after the stop it is {service.state}")


async def _answered(calls: Mapping[asyncio.Future[bool], Call], wrong: list[str]) -> Collection[Call]:
    """The calls that were answered without an error; those under way end by themselves."""
    if not calls:
        return ()
    _, pending = await asyncio.wait(calls, timeout=LONGEST_CALL)
    wrong += ["a call did not end"] * len(pending)
    for hook in pending:
        hook.cancel()
    return [call for hook, call in calls.items() if hook not in pending and hook.result() is not False]
