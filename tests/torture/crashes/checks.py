"""What a store says of each thing, and what is wrong with it and with the folder beside it."""

import gzip
import json
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from shutil import rmtree

from astrbot_plugin_ltm.long_term_memory.domain.enums import Level
from astrbot_plugin_ltm.long_term_memory.policies.embedded import alone, bare
from astrbot_plugin_ltm.long_term_memory.storage.keywords import indexed
from astrbot_plugin_ltm.long_term_memory.storage.snapshots import listed
from astrbot_plugin_ltm.long_term_memory.storage.vectors import unit

from tests.faults.stores import NAME, copy_files, faults
from tests.host.harness.tables import Row
from tests.torture.crashes.fates import Fate, Found
from tests.torture.crashes.outside import direction
from tests.torture.crashes.things import WORD

_ITEMS = "select fact, status, audience, level from ltm_items"
_EVENTS = "select message_id, source_role, content ->> 'text' from ltm_events"
_PAUSED = "select scope_id from ltm_paused where scope = 'user'"
_INDEX = """
    select fact, person, relationship, backstory, ltm_fts.text,
        (select json_group_array(quote) from (
            select quote from ltm_evidence where ltm_evidence.memory_id = ltm_items.memory_id order by id))
    from ltm_items left join ltm_fts on ltm_fts.rowid = ltm_items.id
"""
_VECTORS = """
    select fact, model_id, vector from ltm_items left join ltm_vectors using (memory_id)
    where status in ('active', 'shadow', 'pending')
"""
_TWO_ANSWERS = """
    select scope_id, slot from ltm_items where slot <> '' and status = 'active'
    group by scope, scope_id, level, slot having count(*) > 1
"""
_UNREAD = """
    select message_id, extraction, last_error from ltm_events
    where extraction = 'failed' or extraction = 'pending' and not exists (
        select 1 from ltm_paused where instr(owner_scope_id || ltm_events.scope_id, ltm_paused.scope_id))
"""
_WITHOUT_VECTOR = """
    select fact from ltm_items where status in ('active', 'shadow', 'pending') and 2 <> (
        select count(*) from ltm_vectors where ltm_vectors.memory_id = ltm_items.memory_id
        and model_id in (?, ?))
"""
_OVER = {"superseded", "expired", "disabled"}
_LIVE = {"active": Fate.IN_USE, "pending": Fate.WAITING, "shadow": Fate.WAITING}


def at_the_kill(file: Path, folder: Path) -> list[str]:
    """What is wrong with the files as they were left; looked at in a copy, so that nothing is mended."""
    if not file.exists():
        return []
    copy_files(file, folder)
    found = [f"unsound at the kill: {row}" for row in faults(folder / NAME)]
    rmtree(folder)
    return found


def found(file: Path) -> Found:
    """What the store says, by the words of things and the ids of messages."""
    with closing(sqlite3.connect(file)) as connection:
        items = connection.execute(_ITEMS).fetchall()
        events = connection.execute(_EVENTS).fetchall()
        paused = connection.execute(_PAUSED).fetchall()
    statuses, said = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    reaches = defaultdict[str, set[str]](set)
    for fact, status, audience, level in items:
        for word in WORD.findall(fact):
            statuses[word.lower()].append(status)
            if status != "deleted":
                reaches[word.lower()].add(f"{audience} {Level(level).name}")
    for message, role, _ in events:
        said[message].append(role)
    heard = {word.lower() for _, _, text in events for word in WORD.findall(text)}
    return Found(
        fates={word: _fate(statuses.get(word, ())) for word in heard | set(statuses)},
        doubled=[word for word, found in statuses.items() if sum(one in _LIVE for one in found) > 1],
        messages={message: sorted(roles) for message, roles in said.items()},
        reaches=reaches,
        paused={scope_id.partition(":")[2] for (scope_id,) in paused},
    )


def _fate(statuses: Iterable[str]) -> Fate:
    has = set(statuses)
    for status, fate in _LIVE.items():
        if status in has:
            return fate
    if "deleted" in has:
        return Fate.FORGOTTEN
    return Fate.OVER if has & _OVER else Fate.SAID


def unfinished(file: Path, model: str) -> list[Row]:
    """Messages that are unread though nobody is paused for them, and memories without their vectors."""
    with closing(sqlite3.connect(file)) as connection:
        return [
            *connection.execute(_UNREAD).fetchall(),
            *connection.execute(_WITHOUT_VECTOR, (model, bare(model))).fetchall(),
        ]


def wrong_at_rest(file: Path, model: str) -> list[str]:
    """What is wrong once all is done that was left to do."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("insert into ltm_fts(ltm_fts) values ('integrity-check')")
        index = connection.execute(_INDEX).fetchall()
        vectors = connection.execute(_VECTORS).fetchall()
        answers = connection.execute(_TWO_ANSWERS).fetchall()
    return [
        *(f"unsound: {row}" for row in faults(file)),
        *(f"unfinished: {row}" for row in unfinished(file, model)),
        *(f"two answers: {row}" for row in answers),
        *(f"index: {row[0]!r}: {row[4]!r}" for row in index if _indexed(row) != set(str(row[4]).split())),
        *(
            f"vector: {fact!r}"
            for fact, tag, vector in vectors
            if tag == bare(model) and vector != _vector(fact, tag)
        ),
    ]


def _indexed(row: Row) -> set[str]:
    fact, person, relationship, backstory, _, quotes = row
    return set(indexed(fact, person, relationship, backstory, *json.loads(quotes)).split())


def _vector(fact: str, tag: str) -> bytes:
    return unit(direction(alone(fact), tag.partition("#")[0])).tobytes()


def left_over(folder: Path) -> list[str]:
    """Halves of files in the plugin's folder, and snapshots that are not whole."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    strange = [
        path for path in files if not re.fullmatch(r"snapshots/.*\.json\.gz", str(path.relative_to(folder)))
    ]
    bad = [one.name for one in listed(folder / "snapshots") if not one.good] if folder.exists() else []
    return [*(f"left over: {path.name}" for path in strange), *(f"broken: {name}" for name in bad)]


def traces(words: Sequence[str], files: Sequence[Path]) -> list[str]:
    """Words that stand in the bytes of these files; what is packed is unpacked."""
    held: Mapping[Path, bytes] = {path: _content(path).lower() for path in files if path.exists()}
    return [
        f"trace of {word} in {path.name}" for word in words for path in held if word.encode() in held[path]
    ]


def _content(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
