"""Each kind of work amid which the host may end the plugin."""

from typing import override

from astrbot_plugin_ltm.long_term_memory.domain.chat import Turn
from astrbot_plugin_ltm.long_term_memory.domain.enums import Mode
from astrbot_plugin_ltm.long_term_memory.domain.memory import ItemFilter
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager

from tests.running import private, until
from tests.torture.lifecycle.document import MANY
from tests.torture.lifecycle.moving import (
    Checking,
    CheckingAnImport,
    Exporting,
    Importing,
    Restoring,
    Snapshot,
)
from tests.torture.lifecycle.scene import Scene
from tests.torture.lifecycle.tidying import Joining, Purging, Sweeping
from tests.torture.lifecycle.work import Work

ALICE = private("alice")
SAID = "There is a pot of basil on my balcony"
FOUND = (
    '[{"type": "profile", "fact": "User grows basil", "fact_key": "basil", "confidence": 0.9,'
    ' "importance": 0.6, "quote": "There is a pot of basil on my balcony"}]'
)
HEARD = "SELECT count(*) FROM ltm_events WHERE source_role = 'user' AND content LIKE '%basil%'"
LEARNT = "SELECT count(*) FROM ltm_items WHERE fact = 'User grows basil' AND evidence_count = 1"
PENDING = "SELECT count(*) FROM ltm_events WHERE extraction = 'pending' AND source_role = 'user'"
TO_SCRUB = "SELECT count(*) FROM ltm_meta WHERE name = 'to_scrub'"
WITHOUT_VECTOR = """
    SELECT count(*) FROM ltm_items WHERE scope_id LIKE 'plat:%'
    AND memory_id NOT IN (SELECT memory_id FROM ltm_vectors)
"""
PATIENCE = 60.0
"""Real seconds after which what is due will never come."""


class Recall(Work):
    """A reply waits for the vector of its question."""

    @override
    async def prepare(self, scene: Scene, memory: LTMManager) -> None:
        await memory.save(ALICE, fact="I grow basil", said="/ltm add I grow basil", message_id="1")
        scene.embedding.gate.shut()

    @override
    async def begin(self, scene: Scene, memory: LTMManager) -> object:
        return await memory.recall(ALICE, "Do I grow basil?")

    @override
    async def again(self, scene: Scene, memory: LTMManager) -> None:
        assert "basil" in (await memory.recall(ALICE, "Do I grow basil?")).block


class Extraction(Work):
    """A model is asked what it finds."""

    in_background = True

    @override
    async def begin(self, scene: Scene, memory: LTMManager) -> object:
        scene.reader.answer = FOUND
        scene.reader.gate.shut()
        turn = Turn(chat=ALICE, message_id="1", user_text=SAID, reply_text="I see.", at=scene.clock())
        await memory.record_turn(turn)

    @override
    def has_left(self, scene: Scene) -> bool:
        return (scene.one(HEARD), scene.one(LEARNT), scene.one(PENDING)) == (1, 0, 1)

    @override
    async def again(self, scene: Scene, memory: LTMManager) -> None:
        await until(lambda: scene.one(PENDING) == 0, PATIENCE)
        assert (scene.one(HEARD), scene.one(LEARNT)) == (1, 1)


class Embedding(Work):
    """A provider is asked for the vectors of memories."""

    in_background = True

    @override
    async def begin(self, scene: Scene, memory: LTMManager) -> object:
        saving = memory.save(ALICE, fact="I grow basil", said="/ltm add I grow basil", message_id="1")
        await saving
        scene.embedding.gate.shut()

    @override
    def has_left(self, scene: Scene) -> bool:
        return scene.one(WITHOUT_VECTOR) == 1

    @override
    async def again(self, scene: Scene, memory: LTMManager) -> None:
        await until(lambda: scene.one(WITHOUT_VECTOR) == 0, PATIENCE)


class Scrubbing(Work):
    """Somebody is erased, and the tables that held their words are written anew."""

    filled = True

    @override
    async def prepare(self, scene: Scene, memory: LTMManager) -> None:
        await memory.save(ALICE, fact="I grow basil", said="/ltm add I grow basil", message_id="1")

    @override
    async def begin(self, scene: Scene, memory: LTMManager) -> object:
        return await memory.erasing.of("plat:alice", actor="operator")

    @override
    def is_amid(self, scene: Scene, memory: LTMManager) -> bool:
        parts = memory._components  # pyright: ignore[reportPrivateUsage] - nobody else may tell
        writes = parts.store._database._turn.locked()  # pyright: ignore[reportPrivateUsage] - as above
        return bool(parts.scheduler.late) and writes and scene.one(TO_SCRUB) == 1

    @override
    async def again(self, scene: Scene, memory: LTMManager) -> None:
        await memory._components.scrubbing.work()  # pyright: ignore[reportPrivateUsage] - as housekeeping does
        assert scene.one(TO_SCRUB) == 0
        wal = scene.file.with_name(scene.file.name + "-wal")
        assert not any(b"basil" in file.read_bytes() for file in (scene.file, wal) if file.exists())


class SavingAPolicy(Work):
    """A policy is in force and on record, and about to be written into the settings."""

    @override
    async def prepare(self, scene: Scene, memory: LTMManager) -> None:
        scene.keeping.shut()

    @override
    async def begin(self, scene: Scene, memory: LTMManager) -> object:
        await memory.policy_changes.set_mode(Mode.SHADOW, actor="operator")
        return None

    @override
    def has_left(self, scene: Scene) -> bool:
        return [policies["write"]["mode"] for policies in scene.kept_policies] == ["shadow"]

    @override
    async def again(self, scene: Scene, memory: LTMManager) -> None:
        assert memory.mode is Mode.SHADOW
        assert (await memory.policy_changes.in_force()).version == 2


class ServingAPage(Work):
    """A page of the list is read."""

    filled = True

    @override
    async def begin(self, scene: Scene, memory: LTMManager) -> object:
        return await memory.browsing.items(ItemFilter())

    @override
    def is_amid(self, scene: Scene, memory: LTMManager) -> bool:
        database = memory._components.store._database  # pyright: ignore[reportPrivateUsage] - as above
        return len(database._idle) < len(database._readers)  # pyright: ignore[reportPrivateUsage]

    @override
    async def again(self, scene: Scene, memory: LTMManager) -> None:
        assert (await memory.browsing.items(ItemFilter())).total == MANY


WORKS = (
    Recall(),
    Extraction(),
    Embedding(),
    Checking(),
    CheckingAnImport(),
    Importing(),
    Exporting(),
    Snapshot(),
    Restoring(),
    Scrubbing(),
    SavingAPolicy(),
    ServingAPage(),
    Sweeping(),
    Purging(),
    Joining(),
)
