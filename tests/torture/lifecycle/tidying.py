"""Steps of the housekeeping amid which the host may end the plugin."""

import asyncio
import json
import sqlite3
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import override

from astrbot_plugin_ltm.long_term_memory.bootstrap import housekeeping
from astrbot_plugin_ltm.long_term_memory.domain.chat import Turn
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.upkeep.housekeeping import BATCH_SIZE

from tests.running import private, until
from tests.torture.lifecycle.document import MANY
from tests.torture.lifecycle.scene import Scene
from tests.torture.lifecycle.work import Work

ALICE = private("alice")
WISHES = {
    "what I want is short sentences in answers": "User wants short sentences in answers",
    "it is short sentences that I want": "User wants the bot to use short sentences",
}
"""One wish in two ways, whose vectors are near; by the words in which it is found."""
SUPERSEDED = "SELECT count(*) FROM ltm_items WHERE status = 'superseded' AND reason = 'duplicate'"
JOINED = "SELECT count(*) FROM ltm_audit WHERE action = 'join'"
EMBEDDED = "SELECT count(DISTINCT memory_id) FROM ltm_vectors"
LATER = timedelta(days=60)
PATIENCE = 60.0
"""Real seconds after which what is due will never come."""


def _change(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file, timeout=PATIENCE)) as connection:
        connection.execute(statement)
        connection.commit()


class _Tidying(Work):
    """One step is under way, as it is once an hour."""

    in_background = True
    step: str
    """What the housekeeping calls it."""

    @override
    async def begin(self, scene: Scene, memory: LTMManager) -> object:
        scheduler = memory._components.scheduler  # pyright: ignore[reportPrivateUsage] - it does so an hour later
        return scheduler.begin_optional("housekeeping", partial(self._tidied, scene, memory))

    @override
    async def again(self, scene: Scene, memory: LTMManager) -> None:
        await self._tidied(scene, memory)

    async def _tidied(self, scene: Scene, memory: LTMManager) -> None:
        tidying = housekeeping(memory._components, scene._ports())  # pyright: ignore[reportPrivateUsage] - as above
        await tidying._steps[self.step]()  # pyright: ignore[reportPrivateUsage] - the others have their own


class _Ending(_Tidying):
    """Many memories are over, and end in one transaction after the other."""

    filled = True
    make_due: str
    due: str
    """Counts those that have not ended yet."""

    @override
    async def prepare(self, scene: Scene, memory: LTMManager) -> None:
        scene.clock.move(LATER)
        await asyncio.to_thread(_change, scene.file, self.make_due)

    @override
    def is_amid(self, scene: Scene, memory: LTMManager) -> bool:
        return 0 < scene.one(self.due) < MANY

    @override
    def has_left(self, scene: Scene) -> bool:
        return scene.one(self.due) % BATCH_SIZE == 0

    @override
    async def again(self, scene: Scene, memory: LTMManager) -> None:
        await super().again(scene, memory)
        assert scene.one(self.due) == 0


class Sweeping(_Ending):
    """What is over is swept."""

    step = "the sweep of what is over"
    make_due = "UPDATE ltm_items SET expires_at = created_at"
    due = "SELECT count(*) FROM ltm_items WHERE status = 'active'"


class Purging(_Ending):
    """What was deleted long ago is removed for good."""

    step = "the purge of what was deleted"
    make_due = "UPDATE ltm_items SET status = 'deleted', deleted_at = created_at"
    due = "SELECT count(*) FROM ltm_items WHERE status = 'deleted'"


class Joining(_Tidying):
    """Two memories that say the same become one."""

    step = "the joining of duplicates"

    @override
    async def prepare(self, scene: Scene, memory: LTMManager) -> None:
        common = {"type": "profile", "confidence": 0.9, "importance": 0.6}
        found = [common | {"fact": fact, "quote": quote} for quote, fact in WISHES.items()]
        scene.reader.answer = json.dumps(found)
        said = f"Well, {' and '.join(WISHES)}"
        turn = Turn(chat=ALICE, message_id="1", user_text=said, reply_text="I see.", at=scene.clock())
        await memory.record_turn(turn)
        await until(lambda: scene.one(EMBEDDED) == len(WISHES) and not self.is_amid(scene, memory), PATIENCE)

    @override
    def is_amid(self, scene: Scene, memory: LTMManager) -> bool:
        database = memory._components.store._database  # pyright: ignore[reportPrivateUsage] - nobody else may tell
        return database._turn.locked()  # pyright: ignore[reportPrivateUsage]

    @override
    def has_left(self, scene: Scene) -> bool:
        return (scene.one(SUPERSEDED), scene.one(JOINED)) in {(0, 0), (1, 2)}

    @override
    async def again(self, scene: Scene, memory: LTMManager) -> None:
        await super().again(scene, memory)
        assert (scene.one(SUPERSEDED), scene.one(JOINED)) == (1, 2)
