"""The composition root: memory from its start to its end, and what tidies it in between."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import timedelta
from functools import partial
from pathlib import Path

from .domain.enums import BY_ITSELF
from .domain.errors import LtmError, UnusableStoreError
from .manager import LTMManager
from .manager.components import Components, Ports
from .manager.own_memories import send_review_notice
from .manager.transferring import Transferring
from .policies.embedded import bare
from .settings import Settings
from .storage.database import Database
from .storage.long_work import finish_despite_cancel
from .storage.schema import is_current, upgrade
from .storage.uninstall import settle
from .upkeep.duplicates import Duplicates
from .upkeep.housekeeping import Housekeeping, daily_snapshot, retention
from .upkeep.scheduler import breathe

LOG_DEADLINE = timedelta(seconds=1)
"""How long a stop waits until the last recalls are logged and counted."""
POLICY_DEADLINE = timedelta(seconds=1)
"""How long the start waits until the policy in force is on record; memory does not depend on it."""


@asynccontextmanager
async def running(settings: Settings, ports: Ports) -> AsyncGenerator[LTMManager]:
    """The plugin's memory, at work until the block ends.

    Raises UnavailableError when the store does not answer now, UnusableStoreError when it cannot be used.
    """
    await _bring_up_to_date(ports.database, read_only=settings.emergency_read_only)
    async with AsyncExitStack() as stack:
        database = Database(ports.database)
        await database.open()
        stack.push_async_callback(database.close)
        database.read_only = settings.emergency_read_only
        parts = Components(settings, ports, database, stack)
        await finish_despite_cancel(settle(database, parts.snapshots, ports.markers, new_id=ports.make_id()))
        # What a killed process has left half written.
        await asyncio.to_thread(parts.transit.clear)
        await asyncio.to_thread(parts.snapshots.clear)
        # Last in, first out: the jobs end before what they work with is closed.
        stack.push_async_callback(parts.scheduler.stop)
        stack.push_async_callback(_in_time, LOG_DEADLINE, parts.recall_log.settle)
        await parts.resolver.load()
        await parts.levels.load()
        if not settings.emergency_read_only:
            record = partial(_record_policy, parts)
            await parts.scheduler.run_with_deadline("record_policy", POLICY_DEADLINE, record)
        parts.scheduler.start("worker", partial(_work, parts))
        parts.scheduler.start("embedding", parts.embedding.run)
        parts.scheduler.start("recall_log", parts.recall_log.run)
        parts.scheduler.start("housekeeping", housekeeping(parts, ports).run)
        manager = LTMManager(parts)
        stack.push_async_callback(_in_time, POLICY_DEADLINE, manager.policy_changes.settle)
        yield manager


async def _in_time(patience: timedelta, settle: Callable[[], Awaitable[None]]) -> None:
    """Finish this before the stop, unless the store is too busy for that."""
    with suppress(TimeoutError):
        async with asyncio.timeout(patience.total_seconds()):
            await settle()


async def _bring_up_to_date(path: Path, *, read_only: bool) -> None:
    if await finish_despite_cancel(is_current(path)):
        return
    if read_only:
        raise UnusableStoreError(
            "the tables are not those of this version, and emergency_read_only forbids to change them"
        )
    await finish_despite_cancel(upgrade(path))


async def _work(parts: Components) -> None:
    """Work off the queue; what an earlier process was at when it ended keeps no chat waiting.

    Should the store not answer, its leases end by themselves.
    """
    with suppress(LtmError):
        await parts.store.events.release_all()
    await parts.worker.run()


async def _record_policy(parts: Components) -> None:
    # What is in force when it is written: the mode may have changed while the store did not answer.
    await parts.store.policies.record(parts.policies.both.as_json(), actor=BY_ITSELF)


def housekeeping(parts: Components, ports: Ports) -> Housekeeping:
    """What tidies the store, its steps in order: duplicates before what ages, then the snapshot."""
    settings, store, clock = parts.settings, parts.store, ports.clock
    duplicates = Duplicates(
        store,
        model_id=lambda: (model_id := parts.embedding.model_id) and bare(model_id),
        clock=clock,
        make_id=ports.make_id,
        breathe=breathe,
    )
    snapshot = partial(Transferring(parts).snapshot, actor=BY_ITSELF)
    steps = {
        "the overwriting of what was erased": parts.scrubbing.work,
        "the reading of links between accounts": parts.resolver.load,
        "the end of conversations' levels": partial(parts.levels.forget_ended, ports.gone, breathe),
        "the joining of duplicates": duplicates.work,
        **retention(store, parts.embedding, settings, clock, breathe),
        "the daily snapshot": partial(daily_snapshot, parts.snapshots, clock, snapshot),
    }
    if settings.review_notice:
        steps["the notice of what waits for an admin"] = partial(send_review_notice, parts, ports.tell_admins)
    return Housekeeping(steps, read_only=lambda: store.read_only)
