"""What there is more of in a host's process than there was."""

from collections.abc import Iterator, Mapping

from astrbot_plugin_ltm.long_term_memory.storage.database import READERS

from tests.host.harness.people import Belongings

_OF_POOLS: Mapping[str, tuple[str, ...]] = {
    # The host's and Python's own pools grow with the traffic up to a limit, whatever plugins do.
    "threads": ("asyncio_#", "AnyIO worker thread", "Thread-# (_connection_worker_thread)"),
    # Connections that are kept alive; of the plugin's own there are none, for it has no client.
    # A database's descriptors stay with SQLite for later while another connection has it open: that is why
    # connections are counted by themselves. The log of the database goes with each connection.
    "open files": ("socket:[#]", "/data/data_v#.db", "/data/data_v#.db-wal", "/data/data_v#.db-shm"),
    # What the host does at the moment.
    "tasks": ("EventBus", "PipelineScheduler", "Event.wait", "AstrBot"),
}

_READER = "ltm_reader_#_#"
"""A thread of ours with its connection; it begins when it is first needed, and one load has `READERS`."""


def grown(before: Belongings, now: Belongings) -> Mapping[str, int]:
    """By how much, as `kind: name`; kinds that were not counted before are left out."""
    return {what: number for what, number in _differences(before, now) if number > 0}


def _differences(before: Belongings, now: Belongings) -> Iterator[tuple[str, int]]:
    begun = _readers(now) - _readers(before)
    for kind in before:
        passed = _OF_POOLS.get(kind, ())
        for name, number in now[kind].items():
            if not any(part in name for part in passed):
                allowed = begun if name == _READER or kind == "connections" else 0
                yield f"{kind}: {name}", number - before[kind].get(name, 0) - allowed


def _readers(seen: Belongings) -> int:
    return min(READERS, seen["threads"].get(_READER, 0))
