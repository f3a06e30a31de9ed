"""What there is more of in a host's process than there was."""

from collections.abc import Iterator, Mapping

from astrbot_plugin_ltm.long_term_memory.storage.database import READERS

from tests.host.harness.people import Belongings

_HOSTS_CONNECTION = "Thread-# (_connection_worker_thread)"
"""A thread of the host's with its connection to a database: aiosqlite, which the plugin does not use."""
_READER = "ltm_reader_#_#"
"""A thread of ours with its connection; it begins when it is first needed, and one load has `READERS`."""
_LOG_OF_WRITES = "/data/data_v#.db-wal"

_POOLS: Mapping[str, Mapping[str, int]] = {
    # The host's and Python's own grow with the traffic, whatever plugins do, but no further than this.
    "threads": {"asyncio_#": 32, "AnyIO worker thread": 40, _HOSTS_CONNECTION: 2 * 15},
    # Lines that are kept alive: of the plugin's own there are none, for it has no client. Of a database as
    # many as were ever open at once, the host's 15 and those of two loads: SQLite keeps a descriptor for the
    # next connection while another one has the database open.
    "open files": {"socket:[#]": 50, "/data/data_v#.db": 15 + 2 * (READERS + 2)},
}
"""How many there may be without anything being left over, by how their names end."""
_MOMENTARY = ("EventBus", "PipelineScheduler")
"""Tasks in which the host handles a message."""


def grown(before: Belongings, now: Belongings) -> Mapping[str, int]:
    """By how much, as `kind: name`; kinds that were not counted before are left out."""
    return {what: number for what, number in _differences(before, now) if number > 0}


def _differences(before: Belongings, now: Belongings) -> Iterator[tuple[str, int]]:
    for kind in before:
        for name, number in now[kind].items():
            if not (kind == "tasks" and name.startswith(_MOMENTARY)):
                had = max(before[kind].get(name, 0), _pool(kind, name))
                yield f"{kind}: {name}", number - had - _begun(before, now, kind, name)


def _pool(kind: str, name: str) -> int:
    return next((most for end, most in _POOLS.get(kind, {}).items() if name.endswith(end)), 0)


def _begun(before: Belongings, now: Belongings, kind: str, name: str) -> int:
    """How many more of these come with the connections that were opened since."""
    readers = _readers(now) - _readers(before)
    if kind == "connections" or name == _READER:
        return readers
    # Each connection has the log of writes open once, from its first use to its end.
    if name.endswith(_LOG_OF_WRITES):
        threads = (seen["threads"].get(_HOSTS_CONNECTION, 0) for seen in (now, before))
        return readers + next(threads) - next(threads)
    return 0


def _readers(seen: Belongings) -> int:
    return min(READERS, seen["threads"].get(_READER, 0))
