"""What the worst costs, in a process of its own: memory at its peak, and processor time.

Run as a program with names of `READERS`, it answers with one JSON object a line.
"""

import asyncio
import gc
import gzip
import json
import re
import resource
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from astrbot_plugin_ltm.long_term_memory.domain.errors import LtmError
from astrbot_plugin_ltm.long_term_memory.prompts.extraction import MAX_ANSWER, parse
from astrbot_plugin_ltm.long_term_memory.storage.transfer.document import MAX_CHARACTERS

from tests.children import output
from tests.stores import a_store
from tests.torture.form import either
from tests.torture.parsers import answers, documents
from tests.torture.parsers.worst import ANSWERS, written

ROOT = Path(__file__).resolve().parents[3]
TRIES = either(1, 3)
LONGEST = either(900.0, 3_600.0)
"""Seconds in which all readers are measured."""
_VALID_ITEMS = 300
_ENOUGH = 4 * 2**30
"""Bytes of memory that show that there is no limit."""
_PEAK = re.compile(r"VmHWM:\s+(\d+) kB")


@dataclass(frozen=True, kw_only=True)
class Cost:
    """Of one input."""

    name: str
    error: str
    """The name of the error that refused it; empty when it was taken."""
    megabytes: float
    """By how much memory grew at its peak."""
    seconds: float
    """Of the processor, the best of a few tries."""
    valid_seconds: float
    """The same for a valid input of this length, unpacked, or of the greatest it may have."""

    @property
    def times(self) -> float:
        """How many times as much as a valid one it cost."""
        return self.seconds / self.valid_seconds


def measured(*readers: str) -> Mapping[str, Sequence[Cost]]:
    """What the worst of its kind costs each of these readers, in a process of its own."""
    program = [sys.executable, "-m", "tests.torture.parsers.measuring", *readers]
    costs: dict[str, list[Cost]] = {reader: [] for reader in readers}
    for line in output(program, within=LONGEST, cwd=ROOT).splitlines():
        told = json.loads(line)
        costs[told.pop("reader")].append(Cost(**told))
    return costs


def _peak() -> float:
    found = _PEAK.search(Path("/proc/self/status").read_text("ascii"))
    assert found
    return int(found[1]) / 1024


def _once(work: Callable[[], object]) -> tuple[str, float, float]:
    """The error it ends with, megabytes and seconds."""
    gc.collect()
    with suppress(OSError):  # the peak begins anew; where that is forbidden, less is seen
        Path("/proc/self/clear_refs").write_text("5", "ascii")
    before, began, error = _peak(), process_time(), ""
    try:
        work()
    except (LtmError, ValueError, TypeError, MemoryError, RecursionError) as refused:
        error = type(refused).__name__
    return error, _peak() - before, process_time() - began


def _cost(name: str, work: Callable[[], object], valid_seconds: float) -> Cost:
    tried = [_once(work) for _ in range(TRIES)]
    return Cost(
        name=name,
        error=tried[0][0],
        megabytes=max(megabytes for _, megabytes, _ in tried),
        seconds=min(seconds for *_, seconds in tried),
        valid_seconds=valid_seconds,
    )


def _seconds(work: Callable[[], object]) -> float:
    return min(_once(work)[2] for _ in range(TRIES))


def _answers(reader: Callable[[str], object]) -> Iterator[Cost]:
    for name, text in ANSWERS.items():
        valid = answers.valid(min(len(text), MAX_ANSWER))
        yield _cost(name, partial(reader, text), _seconds(partial(parse, valid)))


def _documents(reader: Callable[[Path], object], only: str = "") -> Iterator[Cost]:
    with TemporaryDirectory() as folder:
        valid = Path(folder) / "valid"
        length = valid.write_bytes(documents.valid(_VALID_ITEMS))
        of_a_character = _seconds(partial(reader, valid)) / length
        for name, path, size in written(Path(folder), only):
            yield _cost(name, partial(reader, path), of_a_character * min(size, MAX_CHARACTERS))


def _importing() -> Iterator[Cost]:
    with TemporaryDirectory() as folder, asyncio.Runner() as runner:
        opened = a_store(Path(folder))
        store = runner.run(opened.__aenter__())
        yield from _documents(lambda path: runner.run(store.transfers.check(path)))
        runner.run(opened.__aexit__(None, None, None))


def _read_whole(path: Path) -> object:
    """An importer without a limit, but for one that saves the machine."""
    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (_ENOUGH, limits[1]))
    try:
        raw = path.read_bytes()
        return json.loads(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)


def _read_again_and_again(text: str) -> None:
    """A parser without a limit: wherever JSON may begin it is tried."""
    decoder = json.JSONDecoder()
    text = text[:MAX_ANSWER]
    for found in re.finditer(r"[\[{]", text):
        try:
            decoder.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            continue


READERS: Mapping[str, Callable[[], Iterator[Cost]]] = {
    "parser": partial(_answers, parse),
    "importer": _importing,
    "unlimited importer": partial(_documents, _read_whole, "a bomb"),
    "patient parser": partial(_answers, _read_again_and_again),
}


def _tell(reader: str) -> None:
    for cost in READERS[reader]():
        sys.stdout.write(json.dumps({"reader": reader, **asdict(cost)}) + "\n")


if __name__ == "__main__":
    for one in sys.argv[1:]:
        _tell(one)
