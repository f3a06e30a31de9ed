"""The plugin as a whole: running, paused with its reasons, switched off, or closed."""

import asyncio
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta, tzinfo
from enum import StrEnum

from .config_reader import SettingsProblem, broken
from .domain.errors import ClosedError, LtmError, NewerStoreError, UnavailableError
from .domain.log import logger
from .domain.time import shown_instant, zone_name
from .manager import LTMManager
from .manager.status import Counts
from .policies.back_off import Outage
from .settings import Settings, read_settings
from .upkeep.scheduler import Scheduler

START_DEADLINE = timedelta(seconds=3)
"""How long the host's boot may wait for the store."""
RETRY = timedelta(seconds=5)
"""How long a store that does not answer is left alone."""
STORE = "store"
"""The key of a problem that no setting can put right."""
EXTRACTOR = "extraction_provider_id"
"""The key of a model that does not answer."""
_AGAIN = "the plugin retries automatically"


class State(StrEnum):
    """Whether it remembers."""

    RUNNING = "running"
    PAUSED = "paused"
    DISABLED = "disabled"
    CLOSED = "closed"


@dataclass(frozen=True, kw_only=True)
class Report:
    """What an operator sees at a glance."""

    state: State
    version: str
    timezone: str
    """Of the times in the chat: an IANA name or an offset, as in "+08:00"; empty while it is not running."""
    problems: Sequence[SettingsProblem]
    """Why it is paused, what the store did not take or give when asked last, or which model is silent."""
    failures: Mapping[str, int]
    """How often a hook could not do its work since the start, by hook."""
    notes: Sequence[str]
    """What an operator should know although nothing is wrong."""
    counts: Counts | None = field(metadata={"beside": True})
    """How memory stands; None while it is not running."""


type Run = Callable[[Settings], AbstractAsyncContextManager[LTMManager]]


class Service:
    """Owns the manager's lifetime. Nothing it is told to start can take the host down with it."""

    def __init__(
        self, run: Run, *, version: str, patience: timedelta = START_DEADLINE, retry: timedelta = RETRY
    ) -> None:
        """`patience` bounds the start; `retry` is how often a store that does not answer is tried."""
        self._run = run
        self._version = version
        self._patience = patience.total_seconds()
        self._retry = retry.total_seconds()
        self._scheduler = Scheduler()
        self._stack = AsyncExitStack()
        self._manager: LTMManager | None = None
        self._state = State.CLOSED
        self._problems: Sequence[SettingsProblem] = ()
        self._failures: dict[str, int] = {}
        self._tried = asyncio.Event()

    async def start(self, raw: Mapping[str, object]) -> None:
        """Come up as the settings say, or paused where they cannot be followed.

        Paused as well while the store does not answer; then it comes up by itself as soon as it does.
        """
        reading = read_settings(raw)
        if reading.settings is None:
            self._pause(reading.problems)
        elif not reading.settings.enable:
            self._state = State.DISABLED
        else:
            await self._come_up(reading.settings)

    async def stop(self) -> None:
        """End all background work and let the store go. Safe to call twice."""
        self._state = State.CLOSED
        self._manager = None
        self._tried.set()  # a start that waits has nothing more to wait for
        await self._scheduler.stop()
        await self._stack.aclose()

    def require_open(self) -> None:
        """Raise ClosedError once the plugin is unloaded."""
        if self._state is State.CLOSED:
            raise ClosedError("the plugin is not loaded")

    @property
    def state(self) -> State:
        """Where it stands now."""
        return State.PAUSED if self._damage else self._state

    @property
    def problems(self) -> Sequence[SettingsProblem]:
        """Why it is paused."""
        damage = self._damage
        return (SettingsProblem(key=STORE, why=damage),) if damage else self._problems

    @property
    def active(self) -> LTMManager | None:
        """The manager while running; the hooks do nothing without one."""
        return None if self._damage else self._manager

    def manager(self) -> LTMManager:
        """The manager; raises ClosedError, or UnavailableError that says why there is none."""
        self.require_open()
        manager = self.active
        if manager is None:
            why = "; ".join(f"{p.key}: {p.why}" for p in self.problems) or "switched off (enable: false)"
            raise UnavailableError(f"{self.state.value}: {why}")
        return manager

    @property
    def _damage(self) -> str:
        """Why a store that was opened can be used no more."""
        return self._manager.health.damage if self._manager else ""

    def failed(self, hook: str, error: Exception) -> None:
        """Count a hook that could not do its work; the first of a kind is logged in full.

        One that a stop overtakes has not failed.
        """
        if isinstance(error, ClosedError):
            logger.debug("Memory is closed: nothing is done in %s.", hook)
            return
        self._failures[hook] = self._failures.get(hook, 0) + 1
        if self._failures[hook] == 1:
            logger.error("Memory failed in %s; the chat goes on.", hook, exc_info=error)

    @contextmanager
    def guard(self, hook: str) -> Generator[LTMManager | None]:
        """The manager while running. Memory may fail, the chat may not: what goes wrong is counted."""
        try:
            yield self.active
        except Exception as error:  # noqa: BLE001  see above
            self.failed(hook, error)

    async def health(self) -> Report:
        """What `GET health` and `/ltm status` tell. Never raises, whatever the store does."""
        warnings, counts, unread = await self._asked(self._manager)
        problems = list(self.problems)
        if not self._damage and self._manager and (why := self._manager.health.trouble or unread):
            problems.append(SettingsProblem(key=STORE, why=f"{why}; {_AGAIN}"))
        if counts and self._manager:
            problems.extend(_of_outage(each, self._manager.zone) for each in counts.outages)
        return Report(
            state=State.PAUSED if unread else self.state,
            version=self._version,
            timezone=zone_name(self._manager.zone) if self._manager else "",
            problems=tuple(problems),
            failures=Counter(self._failures) + Counter(self._manager.failures if self._manager else {}),
            notes=warnings,
            counts=counts,
        )

    async def _asked(self, manager: LTMManager | None) -> tuple[Sequence[str], Counts | None, str]:
        """What the manager has to tell, and why it cannot tell it."""
        if manager is None:
            return (), None, ""
        try:
            return await manager.warnings(), await manager.status.counts(), ""
        except ClosedError:
            return (), None, ""  # stopped meanwhile, as the state tells
        except LtmError as error:
            return (), None, str(error)
        except Exception as error:  # noqa: BLE001  the outer edge: health answers whatever is broken
            self.failed("health", error)
            return (), None, "it cannot be read, see the log"

    async def _come_up(self, settings: Settings) -> None:
        self._tried = tried = asyncio.Event()

        async def keep_trying() -> None:
            while not await self._settled(settings):
                tried.set()
                await asyncio.sleep(self._retry)
            tried.set()

        self._scheduler.start("start", keep_trying)
        with suppress(TimeoutError):
            async with asyncio.timeout(self._patience):
                await tried.wait()
        if not tried.is_set():
            self._pause((SettingsProblem(key=STORE, why=f"does not answer; {_AGAIN}"),))

    async def _settled(self, settings: Settings) -> bool:
        """Whether it runs, or is paused for good; False when another try may help."""
        try:
            self._manager = await self._stack.enter_async_context(self._run(settings))
        except NewerStoreError as error:
            self._pause((SettingsProblem(key=STORE, why=str(error)),))
        except LtmError as error:
            self._pause((SettingsProblem(key=STORE, why=f"{error}; {_AGAIN}"),))
            return False
        except Exception:
            logger.exception("The store could not be opened.")
            self._pause((SettingsProblem(key=STORE, why="could not be opened, see the log"),))
        else:
            if self._problems:
                logger.info("The store answers: nothing is paused any more.")
            self._state = State.RUNNING
            self._problems = ()
        return True

    def _pause(self, problems: Sequence[SettingsProblem]) -> None:
        news = [problem for problem in problems if problem not in self._problems]
        self._state = State.PAUSED
        self._problems = tuple(problems)
        for problem in news:
            logger.error("Paused, nothing is recorded or recalled: %s: %s", problem.key, problem.why)


def _of_outage(outage: Outage, zone: tzinfo) -> SettingsProblem:
    values = {
        "provider": outage.provider,
        "since": shown_instant(outage.since, zone),
        "again": shown_instant(outage.until, zone, "%H:%M:%S"),
        "error": outage.why.removeprefix(f"{UnavailableError.__name__}: "),
    }
    return broken(EXTRACTOR, "outage", **values)
