"""What a memory that has ended must not leave behind in its process."""

import asyncio
import threading
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

PATIENCE = 10.0
"""Real seconds in which a thread that was told to end has ended."""


@dataclass(frozen=True)
class Before:
    """What is there before a memory starts; to be made on the loop on which it will run."""

    folder: Path
    """Where all its files lie."""
    patience: float = PATIENCE
    threads: frozenset[threading.Thread] = field(default_factory=lambda: frozenset(threading.enumerate()))
    tasks: frozenset["asyncio.Task[object]"] = field(default_factory=lambda: frozenset(asyncio.all_tasks()))

    def left(self, *, but: Collection["asyncio.Future[object]"] = ()) -> Sequence[str]:
        """The tasks, threads and open files that are there now and were not; `but` may be there."""
        tasks = asyncio.all_tasks().difference(self.tasks, but)
        return [
            *(f"task {task.get_name()}: {task.get_coro()}" for task in tasks),
            *(f"thread {thread.name}" for thread in threading.enumerate() if self._lives_on(thread)),
            *(f"open file {file}" for file in self._open_files()),
        ]

    def _lives_on(self, thread: threading.Thread) -> bool:
        """A thread of a pool ends a moment after its last work; the loop's own pool stays."""
        if thread in self.threads or not thread.name.startswith("ltm_"):
            return False
        thread.join(self.patience)
        return thread.is_alive()

    def _open_files(self) -> list[str]:
        found: list[str] = []
        for descriptor in Path("/proc/self/fd").iterdir():
            try:
                file = descriptor.readlink()
            except FileNotFoundError:  # the one that lists the folder
                continue
            if file.is_relative_to(self.folder):
                found.append(file.name)
        return found
