"""Whose answer the bot is working on at the moment."""

import asyncio
from functools import partial

type Speaker = tuple[str, str]
"""A chat and a person in it."""
type Task = asyncio.Task[object]


class Runs:
    """The speakers for whom an agent runs.

    What such a speaker says meanwhile the host may hand to the running agent as a note: then no turn of its
    own ever ends with it.
    """

    def __init__(self) -> None:
        self._tasks: dict[Speaker, Task] = {}

    def began(self, speaker: Speaker, task: Task) -> None:
        """Note that the bot begins to answer in this task.

        When the task ends the run has, too: the host tells nobody of one that ends by an error.
        """
        self._tasks[speaker] = task
        task.add_done_callback(partial(self._over, speaker))

    def ended(self, speaker: Speaker) -> None:
        """Note that it has answered."""
        self._tasks.pop(speaker, None)

    def __contains__(self, speaker: Speaker) -> bool:
        """Whether the bot is answering this speaker."""
        return speaker in self._tasks

    def _over(self, speaker: Speaker, task: Task) -> None:
        if self._tasks.get(speaker) is task:
            self.ended(speaker)
