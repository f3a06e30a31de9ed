"""An hour in `emergency_read_only`: people talk, everything is due, and no row of the file changes."""

import asyncio
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, override

from astrbot_plugin_ltm.long_term_memory.bootstrap import Ports
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat, ScopeRef, ToolUse, Turn
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction, Level, Scope, Status
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.manager.components import Components
from astrbot_plugin_ltm.long_term_memory.manager.linking import NotLinkedError
from astrbot_plugin_ltm.long_term_memory.storage.vectors import Embedded

from tests.faults.faults import Points
from tests.faults.loop import LoopClock, SteppedLoop, this_loop
from tests.host.harness.tables import Row, Tables
from tests.read.fakes import FakeEmbedder
from tests.running import AUTO, World, group, private
from tests.stores import NOW, a_recall, an_event, an_item, keep
from tests.test_commands import Talk, at_work
from tests.tools import TOOLS

ALICE, BOB, CAROL, ROOT = map(private, ("alice", "bob", "carol", "root"))
KITCHEN, GARDEN, ATTIC = group("bob"), group("carol", "garden"), group("root", "attic")
DAY = timedelta(days=1)
MINUTES = 62
"""Housekeeping comes a minute after the start and an hour after that."""
SETTINGS: Mapping[str, object] = {
    **AUTO,
    "extraction": {"batch_turns": 3, "idle_seconds": 60},
    "levels": {"tools": ["weather=CONFIDENTIAL"]},
    "groups": {"passive_capture": True},
}
COMMANDS: Mapping[str, Chat] = {
    "add my car is red": ALICE,
    "forget bike0001": ALICE,
    "forget all": ALICE,
    "share home0001": ALICE,
    "unshare home0001": ALICE,
    "pause": ALICE,
    "resume": ALICE,
    "link confirm": ALICE,
    "unlink": CAROL,
    "mode shadow": ROOT,
    "mode auto": ROOT,
    "approve wait0001": ROOT,
    "approve all": ROOT,
    "reject wait0002": ROOT,
    "retry": ROOT,
    "erase plat:carol": ROOT,
    "resume group": ATTIC,
    "pause group": ATTIC,
}
SAVE = {"key": "tea", "content": "I like green tea"}
READ_ONLY = "The memory is read-only; nothing was changed."
EXCUSES = {
    READ_ONLY,
    f"{READ_ONLY} Memories are still used; you can pause once read-only has ended.",
    "Error: Not done. For the user: the memory is read-only.",
}
DUE = {
    "to be read by the model": "from ltm_events where extraction = 'pending' and message_id = 'message'",
    "put off": "from ltm_events where extraction = 'pending' and attempts > 0",
    "given up": "from ltm_events where extraction = 'failed'",
    "over": "from ltm_items where status = 'active' and expires_at < '2025-06-01'",
    "deleted long ago": "from ltm_items where deleted_at < '2025-05-01'",
    "said long ago": "from ltm_events where created_at < '2025-05-01'",
    "asked long ago": "from ltm_recalls where created_at < '2025-05-20'",
    "without a vector": "from ltm_items where status = 'active' and memory_id like '%0001'"
    " and memory_id not in (select memory_id from ltm_vectors where model_id = 'fake')",
    "of a model that is gone": "from ltm_vectors where model_id = 'gone'",
    "said twice": "from ltm_items where status = 'active' and fact like '%software%'"
    " group by status having count(*) > 1",
    "to be overwritten": "from ltm_meta where name = 'to_scrub'",
    "a conversation that is gone": "from ltm_session_levels where umo like '%garden'",
}
"""What background work finds to do, and what it leaves nothing of."""
UNTOUCHED = {
    "ltm_alembic_version",
    "ltm_fts_config",
    "ltm_imports",
    "ltm_imported_items",
    "ltm_imported_events",
}
"""What no hour changes; nobody imports anything in it."""


class Outside(World):
    """Its host has none of the conversations any more."""

    @override
    def _ports(self) -> Ports:
        return replace(super()._ports(), gone=_all_gone)


async def _all_gone(conversation_ids: Sequence[str]) -> Collection[str]:
    return conversation_ids


@dataclass
class Hour:
    """What was seen of it."""

    due: tuple[set[str], set[str]] = (set(), set())
    """What of `DUE` there was to do before and after."""
    rows: list[Mapping[str, Sequence[Row]]] = field(default_factory=list[Mapping[str, Sequence[Row]]])
    answers: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """By command, or by tool and chat."""
    blocks: list[str] = field(default_factory=list[str])
    prompts: int = 0


def hour(folder: Path, *, read_only: bool, every: int) -> Hour:
    """Play it, in a few seconds; people say something every so many minutes."""
    with asyncio.Runner(loop_factory=SteppedLoop) as runner:
        return runner.run(_play(folder / "data_v4.db", read_only=read_only, every=every))


async def _play(file: Path, *, read_only: bool, every: int) -> Hour:
    loop, tables, seen = this_loop(), Tables(file), Hour()
    Points(None, lambda: None).watch(loop)
    embedder = FakeEmbedder(fails=True)
    world = Outside(file, embedder=embedder, clock=LoopClock())
    async with at_work(world, SETTINGS) as talk:
        with loop.passes():
            await asyncio.sleep(1.5)
        await _make_due(talk.memory, tables)
        await _talk(talk, "before", Hour())
        if read_only:
            await talk.memory.switches.set_read_only(on=True, actor="operator:plat:root")
        embedder.fails = False
        before = _due(tables)
        seen.rows.append(tables.contents())
        with loop.passes():
            for minute in range(0, MINUTES, every):
                await _talk(talk, str(minute), seen)
                if minute % 10 == 0:
                    await _command(talk, seen)
                await asyncio.sleep(60 * every)
        seen.due, seen.prompts = (before, _due(tables)), len(world.model.prompts)
        seen.rows.append(tables.contents())
    seen.rows.append(tables.contents())
    return seen


async def _make_due(memory: LTMManager, tables: Tables) -> None:
    """Leave something for each kind of background work, as if it had been put off for weeks."""
    store = _parts(memory).store
    alices, bobs = (ScopeRef(scope=Scope.USER, scope_id=f"plat:{name}") for name in ("alice", "bob"))

    def known(memory_id: str, fact: str, **changes: Any) -> Item:
        mine = {"memory_id": memory_id, "owner": alices, "origin_umo": ALICE.umo}
        return an_item(fact, **(mine | changes))

    items = [
        known("home0001", "User lives in Bergen"),
        known("bike0001", "User's bike is blue"),
        known("work0001", "User is a software engineer"),
        known("work0002", "User develops software for a living"),
        known("wait0001", "User has a boat", status=Status.PENDING),
        known("wait0002", "User has a horse", status=Status.PENDING),
        known("over", "User plans a move", expires_at=NOW - DAY),
        known("gone", "User had a dog", status=Status.DELETED, deleted_at=NOW - 40 * DAY),
        known("cake0001", "User bakes cakes", owner=bobs, origin_umo=KITCHEN.umo, level=Level.PUBLIC),
    ]
    await keep(store, *items)
    put_off = an_event("later", message_id="later", umo=BOB.umo)
    async with store.transaction() as transaction:
        await transaction.add_events(
            [
                put_off,
                an_event("in vain", extraction=Extraction.FAILED, attempts=10, message_id="failed"),
                an_event("old", extraction=Extraction.DONE, message_id="old", created_at=NOW - 40 * DAY),
            ]
        )
    await store.events.postpone([put_off.event_id], until=NOW + timedelta(minutes=10), error="broken")
    await store.recalls.noted([a_recall(at=NOW - 30 * DAY)], kept=True)
    await store.vectors.put("gone", [Embedded(key="home0001", fact=items[0].fact, vector=(1.0, 0.0))])
    await memory.levels.used(GARDEN, "weather")
    tables.rows("insert into ltm_meta (name, value) values ('to_scrub', 'mark')")


async def _talk(talk: Talk, minute: str, seen: Hour) -> None:
    """A minute in which people talk in private and in a group, and the model that answers them uses tools."""
    memory, at = talk.memory, talk.world.clock()
    for chat in (ALICE, BOB, KITCHEN):
        text = f"I live in Oslo and I drink {minute} cups of tea"
        turn = Turn(chat=chat, message_id=minute, user_text=text, reply_text="I see.", at=at)
        memory.prepare(chat, text)
        recall = await memory.recall(chat, text)
        memory.log_recall(chat, text, recall, sent=True)
        seen.blocks.append(recall.block)
        await memory.levels.used(chat, "weather")
        use = ToolUse(chat=chat, message_id=minute, tool="weather", result=f"{minute} °C", at=at)
        await memory.record_tool_use(use)
        await memory.record_heard(turn, addressed=chat is not KITCHEN)
        for tool in ("memory_save", "memory_delete"):
            answer = await TOOLS[tool].call(memory, replace(turn, reply_text=""), SAVE)
            seen.answers[f"{tool} {chat.umo}"].append(answer)
        await memory.record_turn(turn)


async def _command(talk: Talk, seen: Hour) -> None:
    """Every command that writes."""
    linking = talk.memory.linking
    with suppress(NotLinkedError):  # they are joined from the first time on
        linking.enter(BOB, linking.begin(ALICE).code)
        linking.begin(ALICE)  # which says whom a confirmation joins
    for command, chat in COMMANDS.items():
        answer = await talk.says(f"ltm {command}", chat, admin=chat in (ROOT, ATTIC))
        seen.answers[command].append(answer)


def _parts(memory: LTMManager) -> Components:
    return memory._components  # pyright: ignore[reportPrivateUsage] - what no caller of a memory can do to it


def _due(tables: Tables) -> set[str]:
    """What of `DUE` there is to do."""
    return {name for name, found in DUE.items() if tables.rows(f"select 1 {found}")}


def test_while_read_only_no_row_changes_and_recall_goes_on(tmp_path: Path) -> None:
    seen = hour(tmp_path, read_only=True, every=1)
    before, *after = seen.rows
    assert seen.due == (set(DUE), set(DUE))
    for rows in after:
        assert rows == before
    assert {answer for answers in seen.answers.values() for answer in answers} == EXCUSES
    assert all(seen.blocks)
    assert seen.prompts == 0


def test_in_the_same_hour_without_it_all_of_that_is_done(tmp_path: Path) -> None:
    seen = hour(tmp_path, read_only=False, every=10)
    before, after, _ = seen.rows
    assert seen.due == (set(DUE), set())
    same = {name for name in before if before[name] == after[name]}
    assert same - {"ltm_fts_idx"} == UNTOUCHED  # the pages of the full-text index may end up the same
    assert not EXCUSES & {answer for answers in seen.answers.values() for answer in answers}
    assert seen.prompts
