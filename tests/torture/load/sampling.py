"""What a process takes up, as the system tells it, and what lies in its folder."""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

_KEYS = ("Rss", "Pss", "Anonymous")


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One look at a host."""

    at: float
    """Seconds since the traffic began."""
    rss: float
    pss: float
    anonymous: float
    """Megabytes of memory that no file stands behind: what the process itself has asked for."""
    cpu: float
    """Seconds of processor that it has taken so far."""
    threads: int
    descriptors: int
    files: int
    """Descriptors that are neither lines nor the host's database, of which a host keeps some for later."""
    sizes: Mapping[str, int]
    """Bytes by kind of file."""


def sampled(pid: int, root: Path, at: float) -> Sample:
    """Look at a host's process and folder."""
    process = Path("/proc") / str(pid)
    memory = _memory(process)
    fields = (process / "stat").read_text("ascii").rsplit(")", 1)[1].split()
    opened = list(_opened(process))
    return Sample(
        at=at,
        rss=memory["Rss"],
        pss=memory["Pss"],
        anonymous=memory["Anonymous"],
        cpu=(int(fields[11]) + int(fields[12])) / 100,
        threads=int(fields[17]),
        descriptors=len(opened),
        files=sum(not each.startswith("socket:") and "/data_v4.db" not in each for each in opened),
        sizes=sizes(root),
    )


def _opened(process: Path) -> Iterator[str]:
    """What each descriptor leads to."""
    for descriptor in (process / "fd").iterdir():
        with suppress(FileNotFoundError):  # it has been shut meanwhile
            yield str(descriptor.readlink())


def sizes(root: Path) -> Mapping[str, int]:
    """Bytes of the database, its log of writes, the snapshots, what else the plugin keeps, and the log."""
    data = root / "data"
    own = data / "plugin_data" / "astrbot_plugin_ltm"
    snapshots = _folder(own / "snapshots")
    return {
        "database": _bytes(data / "data_v4.db"),
        "wal": _bytes(data / "data_v4.db-wal"),
        "snapshots": snapshots,
        "plugin_data": _folder(own) - snapshots,
        "log": _bytes(root / "host.log"),
    }


def pages(database: Path) -> Mapping[str, int]:
    """Bytes of the database by table, each with its indexes, and of its free pages: together all of it.

    Wait until nobody writes: pages of one moment are compared with the file of another.
    """
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("begin")
        named: dict[str, str] = dict(connection.execute("select name, tbl_name from sqlite_master"))
        taken = Counter[str]()
        for name, size in connection.execute("select name, sum(pgsize) from dbstat group by name"):
            taken[_table(named.get(name) or name)] += size
        [(free,)] = connection.execute("select freelist_count from pragma_freelist_count")
        [(page,)] = connection.execute("select page_size from pragma_page_size")
        [(number,)] = connection.execute("select page_count from pragma_page_count")
    taken["free pages"] = free * page
    taken["not explained"] = number * page - taken.total()
    return taken


def _table(name: str) -> str:
    return "ltm_fts" if name.startswith("ltm_fts") else name


def _memory(process: Path) -> Mapping[str, float]:
    lines = (process / "smaps_rollup").read_text("ascii").splitlines()[1:]
    found = {name: int(rest.split()[0]) / 1024 for name, rest in (line.split(":", 1) for line in lines)}
    return {key: found[key] for key in _KEYS}


def _bytes(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _folder(path: Path) -> int:
    return sum(_bytes(each) for each in path.rglob("*") if each.is_file())
