"""Whether a memory holds what was promised, by what lies in its file and by what it answers."""

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, Status

from tests.faults.stores import faults
from tests.torture.model.facts import Fact
from tests.torture.model.life import Life
from tests.torture.model.people import CHATS, account, place
from tests.torture.model.promise import Promise

type Line = tuple[Any, ...]

_FACTS = """
    select memory_id, scope_id, level, fact, type,
        case when status in ('active', 'pending', 'shadow') and expires_at <= ? then 'expired'
            else status end,
        audience = 'everywhere', evidence_count,
        (select group_concat(distinct scope_id) from ltm_events join ltm_evidence using (event_id)
         where memory_id = ltm_items.memory_id and ltm_events.scope = 'group')
    from ltm_items order by id
"""
_SAID = (
    "select platform_id || ':' || sender_id, content ->> 'text' from ltm_events where source_role = 'user'"
)
_WAITING = """
    select content ->> 'text' from ltm_events where source_role = 'user' and extraction = 'pending'
"""
_BROKEN_HISTORY = """
    select memory_id, superseded_by from ltm_items
    where status = 'superseded' and superseded_by is null
        or superseded_by = memory_id
        or superseded_by not in (select memory_id from ltm_items)
"""
_UNTOLD = """
    select memory_id, status, after from ltm_items join ltm_audit using (memory_id)
    where ltm_audit.id = (
        select max(id) from ltm_audit as line where line.memory_id = ltm_items.memory_id
            and after in ('active', 'shadow', 'pending', 'disabled', 'superseded', 'expired', 'deleted')
    ) and after <> status
"""
_NOT_EMBEDDED = """
    select memory_id, fact from ltm_items where status = 'active'
        and memory_id not in (select memory_id from ltm_vectors where model_id like ? || '%')
"""
_EMBEDDED = "select memory_id from ltm_vectors where model_id like ? || '%'"
_EMBEDDED_BEFORE = "select memory_id, model_id from ltm_vectors where model_id not like ? || '%'"


def wrong_in_file(file: Path, promise: Promise, now: datetime) -> Iterator[str]:
    """What the file holds that was not promised, and the other way round."""
    with closing(sqlite3.connect(file)) as store:
        yield from _apart("file", Counter(one for _, one in _lines(store, now)), promised(promise))
        said = Counter((one.by, one.text) for one in promise.said)
        yield from _apart("messages", Counter(store.execute(_SAID).fetchall()), said)
        waiting = Counter((one.text,) for one in promise.unread)
        yield from _apart("waiting", Counter(store.execute(_WAITING).fetchall()), waiting)
        for query in (_BROKEN_HISTORY, _UNTOLD):
            yield from (f"history: {row}" for row in store.execute(query))
    yield from (f"unsound: {row}" for row in faults(file))


def embedded(file: Path, model: str) -> AbstractSet[str]:
    """Under which ids facts are kept that have vectors of this model."""
    with closing(sqlite3.connect(file)) as store:
        return {memory_id for (memory_id,) in store.execute(_EMBEDDED, (model,))}


def wrong_once_settled(file: Path, promise: Promise, models: Sequence[str], now: datetime) -> Iterator[str]:
    """What is still to be done although there was time for it; `models` were in use for a rest each."""
    if promise.read_only:
        return
    with closing(sqlite3.connect(file)) as store:
        yield from (f"not embedded: {row}" for row in store.execute(_NOT_EMBEDDED, models[-1:]))
        if len(set(models[-2:])) == 1 and any(one.status is Status.ACTIVE for one in promise.facts):
            yield from (f"old vectors: {row}" for row in store.execute(_EMBEDDED_BEFORE, models[-1:]))
        over = "select fact from ltm_items where status in ('active', 'pending') and expires_at <= ?"
        yield from (f"not swept: {row}" for row in store.execute(over, (_stored(now),)))


def wrong_in_lists(life: Life, promise: Promise, chats: Sequence[Chat]) -> Iterator[str]:
    """Whose list shows what it should not, or lacks something."""
    for chat in chats:
        found = life.do(life.memory.own_items(chat, kind=None, page=1, page_size=100)).rows
        now = life.outside.clock()
        there = Counter(
            (one.fact, one.status, one.level, one.evidence_count)
            for one in found
            if one.expires_at is None or one.expires_at > now or one.status is Status.DISABLED
        )
        wanted = Counter(
            (one.what.fact, one.status, one.level, len(one.said)) for one in promise.listed(chat)
        )
        yield from _apart(f"list of {_named(chat)}", there, wanted)
        if not promise.is_paused(chat):
            usable = {one.fact for one in life.do(life.memory.tool_memories.list(chat))}
            yield from _apart(
                f"usable for {_named(chat)}",
                Counter(usable),
                Counter({one.what.fact for one in promise.visible(chat)}),
            )


def wrong_in_recalls(life: Life, promise: Promise, asked: Collection[str]) -> Iterator[str]:
    """Where a question gives what may not be told there, or not what it asks for."""
    for chat in CHATS:
        visible = [] if promise.is_paused(chat) else promise.visible(chat)
        known, over = ({one.what.fact for one in some} for some in (visible, promise.answered_later(visible)))
        for fact in asked:
            given = life.do(life.memory.recall(chat, fact))
            facts = {one.item.fact for one in given.injected}
            yield from (f"told {_named(chat)}: {each}" for each in facts - known)
            if fact in known - over and not (fact in facts and fact in given.block):
                yield f"not told {_named(chat)}: {fact}"


def wrong_in_counts(life: Life, promise: Promise) -> Iterator[str]:
    """Which figures do not come to what lies there."""
    counts = life.do(life.memory.status.counts())
    with closing(sqlite3.connect(life.file)) as store:
        kept = dict(store.execute("select status, count(*) from ltm_items group by status"))
        scopes = set(
            store.execute(
                "select scope_id, count(*) from ltm_items where status <> 'deleted' group by scope_id"
            )
        )
    items = {status: number for status, number in counts.items.items() if number}
    yield from _apart("counts", Counter(items), Counter(kept))
    if counts.events["pending"] < len(promise.unread) or counts.read_only is not promise.read_only:
        yield f"counts: {counts.events['pending']} messages wait, read-only {counts.read_only}"
    overview = life.do(life.memory.status.overview(page=1, page_size=50))
    if {(one.ref.scope_id, one.items) for one in overview.rows} != scopes:
        yield f"statistics: {overview.rows}"
    by_status = Counter[str]()
    for counts_of in overview.types.values():
        by_status.update(counts_of)
    if +by_status != +Counter(kept):
        yield f"statistics: {overview.types}"


def ids(file: Path, fact: Fact, now: datetime) -> list[str]:
    """Under which ids a fact like this is kept, the oldest first."""
    with closing(sqlite3.connect(file)) as store:
        return [memory_id for memory_id, found in _lines(store, now) if found == line(fact)]


def lines_of(file: Path, now: datetime) -> Counter[Line]:
    """All facts that lie in a file, as `line` says them."""
    with closing(sqlite3.connect(file)) as store:
        return Counter(found for _, found in _lines(store, now))


def _lines(store: sqlite3.Connection, now: datetime) -> Iterator[tuple[str, Line]]:
    for row in store.execute(_FACTS, (_stored(now),)):
        memory_id, owner, level, fact, kind, status, shared, number, groups = row
        told_in = ",".join(sorted(groups.split(","))) if groups else ""
        yield memory_id, (owner, Level(level).name, fact, kind, status, bool(shared), number, told_in)


def _stored(at: datetime) -> str:
    return at.strftime("%Y-%m-%d %H:%M:%S.%f")


def line(fact: Fact) -> Line:
    """What a fact comes to in the file."""
    return (
        fact.owner,
        fact.level.name,
        fact.what.fact,
        fact.type.value,
        fact.status.value,
        fact.shared,
        len(fact.said),
        ",".join(sorted(fact.groups)),
    )


def promised(promise: Promise) -> Counter[Line]:
    """All that should lie in a file."""
    return Counter(map(line, promise.facts))


def _named(chat: Chat) -> str:
    return f"{account(chat)} in {place(chat) or 'private'}"


def _apart[T](what: str, found: Counter[T], wanted: Counter[T]) -> Iterator[str]:
    yield from (f"{what}: + {one}" for one in (found - wanted).elements())
    yield from (f"{what}: - {one}" for one in (wanted - found).elements())
