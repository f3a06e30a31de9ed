"""Memories on their way into files and out of them, amid which the host may end the plugin."""

from typing import override

from astrbot_plugin_ltm.long_term_memory.manager import LTMManager

from tests.torture.lifecycle.document import MANY
from tests.torture.lifecycle.scene import Scene
from tests.torture.lifecycle.work import Work

THEIRS = "SELECT count(*) FROM ltm_items WHERE scope_id LIKE 'telegram:%'"


class Importing(Work):
    """The rows of a file are written."""

    writes = True

    @override
    async def begin(self, scene: Scene, memory: LTMManager) -> object:
        return await memory.transferring.bring_in(scene.document, actor="operator")

    @override
    def is_amid(self, scene: Scene, memory: LTMManager) -> bool:
        store = memory._store  # pyright: ignore[reportPrivateUsage] - nobody else may tell
        at_work = store.transfers._stop_signal is not None  # pyright: ignore[reportPrivateUsage] - as above
        return at_work and store._database._turn.locked() is self.writes  # pyright: ignore[reportPrivateUsage]

    @override
    def has_left(self, scene: Scene) -> bool:
        return scene.one(THEIRS) == 0 and scene.one("SELECT count(*) FROM ltm_imports") == 0

    @override
    async def again(self, scene: Scene, memory: LTMManager) -> None:
        await memory.transferring.bring_in(scene.document, actor="operator")
        assert (scene.one(THEIRS), scene.one("SELECT count(*) FROM ltm_imports")) == (MANY, 1)


class CheckingAnImport(Importing):
    """The rows of a file that is to be imported are read."""

    writes = False


class Checking(Importing):
    """What an import would do is worked out."""

    writes = False

    @override
    async def begin(self, scene: Scene, memory: LTMManager) -> object:
        return await memory.transferring.check(scene.document)

    @override
    async def again(self, scene: Scene, memory: LTMManager) -> None:
        assert (await memory.transferring.check(scene.document)).added.items == MANY


class Exporting(Work):
    """All that is remembered is written into a file."""

    filled = True

    @override
    async def begin(self, scene: Scene, memory: LTMManager) -> object:
        return await memory.transferring.export(None)

    @override
    def is_amid(self, scene: Scene, memory: LTMManager) -> bool:
        return any(file.stat().st_size for file in scene.folder.glob("in_transit/*.unfinished"))

    @override
    def has_left(self, scene: Scene) -> bool:
        return not list(scene.folder.glob("in_transit/*"))

    @override
    async def again(self, scene: Scene, memory: LTMManager) -> None:
        made = await memory.transferring.export(None)
        assert (await memory.transferring.check(made.path)).known.items == MANY
        made.path.unlink()


class Snapshot(Work):
    """A snapshot is written."""

    filled = True

    @override
    async def begin(self, scene: Scene, memory: LTMManager) -> object:
        return await memory.transferring.snapshot(actor="operator")

    @override
    def is_amid(self, scene: Scene, memory: LTMManager) -> bool:
        return (scene.folder / "snapshots" / "snapshot.unfinished").exists()

    @override
    def has_left(self, scene: Scene) -> bool:
        return not list(scene.folder.glob("snapshots/*"))

    @override
    async def again(self, scene: Scene, memory: LTMManager) -> None:
        made = await memory.transferring.snapshot(actor="operator")
        assert made is not None
        assert made.good


class Restoring(Importing):
    """A snapshot is read, and then the memories are there already."""

    filled = True
    writes = False

    @override
    async def prepare(self, scene: Scene, memory: LTMManager) -> None:
        await memory.transferring.snapshot(actor="operator")

    @override
    async def begin(self, scene: Scene, memory: LTMManager) -> object:
        (file,) = scene.folder.glob("snapshots/*")
        return await memory.transferring.restore(file.name, actor="operator")

    @override
    def has_left(self, scene: Scene) -> bool:
        return scene.one("SELECT count(*) FROM ltm_imports WHERE kind = 'restore'") == 0

    @override
    async def again(self, scene: Scene, memory: LTMManager) -> None:
        await self.begin(scene, memory)
        assert scene.one("SELECT count(*) FROM ltm_imports WHERE kind = 'restore'") == 1
        assert scene.one(THEIRS) == MANY
