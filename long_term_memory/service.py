"""The plugin as a whole: running, paused with its reasons, switched off, or closed."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from enum import StrEnum

from .config_form import SettingsProblem
from .domain.errors import ClosedError, LtmError, UnavailableError
from .manager import Counts, LTMManager
from .settings import Settings, read_settings

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")


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
    problems: Sequence[SettingsProblem]
    """Why it is paused."""
    failures: Mapping[str, int]
    """How often a hook could not do its work since the start, by hook."""
    counts: Counts | None
    """How memory stands; None while it is not running."""


type Run = Callable[[Settings], AbstractAsyncContextManager[LTMManager]]


class Service:
    """Owns the manager's lifetime. Nothing it is told to start can take the host down with it."""

    def __init__(self, run: Run, *, version: str) -> None:
        self._run = run
        self._version = version
        self._stack = AsyncExitStack()
        self._manager: LTMManager | None = None
        self._state = State.CLOSED
        self._problems: Sequence[SettingsProblem] = ()
        self._failures: dict[str, int] = {}

    async def start(self, raw: Mapping[str, object]) -> None:
        """Come up as the settings say, or paused where they cannot be followed."""
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
        await self._stack.aclose()

    def require_open(self) -> None:
        """Raise ClosedError once the plugin is unloaded."""
        if self._state is State.CLOSED:
            raise ClosedError("the plugin is not loaded")

    @property
    def state(self) -> State:
        """Where it stands now."""
        return self._state

    @property
    def problems(self) -> Sequence[SettingsProblem]:
        """Why it is paused."""
        return self._problems

    @property
    def active(self) -> LTMManager | None:
        """The manager while running; the hooks do nothing without one."""
        return self._manager

    def manager(self) -> LTMManager:
        """The manager; raises ClosedError, or UnavailableError that says why there is none."""
        self.require_open()
        if self._manager is None:
            why = "; ".join(f"{p.key}: {p.why}" for p in self._problems) or "switched off (enable: false)"
            raise UnavailableError(f"{self._state.value}: {why}")
        return self._manager

    def failed(self, hook: str, error: Exception) -> None:
        """Count a hook that could not do its work; the first of a kind is logged in full."""
        self._failures[hook] = self._failures.get(hook, 0) + 1
        if self._failures[hook] == 1:
            logger.error("Memory failed in %s; the chat goes on.", hook, exc_info=error)

    async def health(self) -> Report:
        """What `GET health` and `/ltm status` tell."""
        return Report(
            state=self._state,
            version=self._version,
            problems=self._problems,
            failures=dict(self._failures),
            counts=await self._manager.counts() if self._manager else None,
        )

    async def _come_up(self, settings: Settings) -> None:
        try:
            self._manager = await self._stack.enter_async_context(self._run(settings))
        except LtmError as error:
            self._pause((SettingsProblem(key="store", why=str(error)),))
        except Exception:
            logger.exception("The store could not be opened.")
            self._pause((SettingsProblem(key="store", why="could not be opened, see the log"),))
        else:
            self._state = State.RUNNING

    def _pause(self, problems: Sequence[SettingsProblem]) -> None:
        self._state = State.PAUSED
        self._problems = tuple(problems)
        for problem in problems:
            logger.error("Paused, nothing is recorded or recalled: %s: %s", problem.key, problem.why)
