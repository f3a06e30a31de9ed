"""Acts in which files are written beside the store, and what must be true of those files."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

from astrbot_plugin_ltm.long_term_memory.domain.transfer import Kind
from astrbot_plugin_ltm.long_term_memory.storage import files
from astrbot_plugin_ltm.long_term_memory.storage import snapshots as snapshot_files

from tests.faults.stores import Says
from tests.faults.story import Act, Outside
from tests.running import World, private, settings

SNAPSHOT, EXPORT, IMPORT = "a snapshot", "an export", "an import"
PLUGIN_DATA = "plugin_data"
_AN_ID = "the id of an import"


async def document(file: Path) -> bytes:
    """What another store exports, which is made at this place."""
    world = World(file)
    async with world.memory(settings()) as memory:
        for fact in ("my boat is called Xaver", "I am allergic to almonds", "我养了一只猫"):
            await memory.save(private("dora"), fact=fact, said=f"/ltm add {fact}", message_id=fact)
        await world.tell(memory, private("dora"), "My name is Dora")
        made = await memory.transferring.export(None)
        return await asyncio.to_thread(made.path.read_bytes)


def acts(foreign: bytes) -> Sequence[Act]:
    """A snapshot is written, all is exported, and the document of another store is brought in."""

    async def export(outside: Outside) -> None:
        made = await outside.awake.transferring.export(None)
        try:
            assert json.loads(made.path.read_text("utf-8"))["manifest"]
        finally:
            made.path.unlink()

    async def bring_in(outside: Outside) -> None:
        transferring = outside.awake.transferring
        async with transferring.arriving() as path:
            path.write_bytes(foreign)
            await transferring.bring_in(path, actor="operator")

    return (
        Act(name=SNAPSHOT, calls=[lambda outside: outside.awake.transferring.snapshot(actor="operator")]),
        Act(name=EXPORT, calls=[export]),
        Act(name=IMPORT, calls=[bring_in]),
    )


def comparable(says: Says) -> Says:
    """What can be compared: the id of an import is another one each time."""
    imports = {after for _, action, fact, _, after, _ in says["audit"] if action == Kind.IMPORT and not fact}
    named = [tuple(_AN_ID if field in imports else field for field in row) for row in says["audit"]]
    return {**says, "audit": named}


def left_over(store: Path, *, removed: bool) -> list[str]:
    """What is wrong with the files beside a store; `removed`: the disk did let files be removed."""
    folder = store.with_name(PLUGIN_DATA)
    snapshots = snapshot_files.listed(folder / snapshot_files.FOLDER)
    wrong = [f"the snapshot {one.name} is damaged: {one.why}" for one in snapshots if not one.good]
    unfinished = (folder / snapshot_files.FOLDER / snapshot_files.UNFINISHED).exists()
    passing = [*(folder / files.IN_TRANSIT).glob("*")]
    if removed and (unfinished or passing):
        wrong.append(f"left over: {[path.name for path in passing]}, a snapshot: {unfinished}")
    return wrong
