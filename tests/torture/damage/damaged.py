"""A memory that is started on a damaged database, and everything that is wrong with what it does then."""

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from astrbot_plugin_ltm.long_term_memory.service import State

from tests.faults.stores import Says, faults, says, told_apart
from tests.host.harness.tables import Tables
from tests.torture.damage.lives import FORGOTTEN, KEPT, SOON, Filled, Life
from tests.torture.damage.spoiling import PAGE

ADVICE = "Stop AstrBot, copy the file and the files next to it, restore a backup of AstrBot"
KINDS = ("the database file is damaged", "the database file is not a database")

TRIES = 50


class Damaged:
    """One trial: the plugin is started, used, used again and stopped, and started anew when all is mended."""

    def __init__(self, file: Path, *, sound: bytes, before: Filled, plain: bool = True) -> None:
        """`sound` are the bytes that the file had before; not all is `plain` to SQLite."""
        self._plain = plain
        self.is_noticed = False
        self._before = before
        self._file = file
        self._sound = sound
        self._spoilt = file.read_bytes()

    async def complaints(self, life: Life | None = None) -> Sequence[str]:
        """What is wrong with what it does; nothing, if it does all that it must."""
        life = life or self._before.life(self._file)
        await life.begin()
        await life.day("Xaver")
        await self._verdict(life)
        told, status, kept, then = life.reports[-1], await life.status(), life.kept, self._bytes()
        await life.day("Yolanda")
        more, written = life.kept - kept, self._bytes() != then
        await life.end()
        self.is_noticed = told.state is State.PAUSED
        if not self.is_noticed:
            return [*life.odd, *self._unlike_the_sound(), *self._lost(life)]
        why = "; ".join(problem.why for problem in told.problems)
        wrong = {
            "health does not say what is wrong": not why.startswith(KINDS),
            "health does not say what to do": ADVICE not in why,
            "/ltm status does not say the same": why not in status,
            f"{more} calls were acknowledged all the same": more > 0,
            "something was written after the damage was told": written,
            "damaged bytes are not what they were": self._plain and not self._is_left_alone(),
        }
        found = [*life.odd, *(what for what, is_so in wrong.items() if is_so)]
        return found or (await self._mended(life) if self._plain else [])

    def _unlike_the_sound(self) -> list[str]:
        """What it said before it was used that the sound one does not, and the other way round."""
        said: list[Says] = []
        for name, content in (("spoilt.db", self._spoilt), ("sound.db", self._sound)):
            copy = self._file.with_name(name)
            copy.write_bytes(content)
            try:
                said.append(says(copy))
            except sqlite3.DatabaseError as error:
                return [f"nobody noticed what cannot be read: {error}"]
        apart = told_apart(*said)
        return [f"nobody noticed that it says something else:\n{apart}"] if apart else []

    def _lost(self, life: Life) -> list[str]:
        """What is missing or unsound once it was used as if nothing were wrong with it."""
        lost = missing(self._file, [*self._before.told, *life.acknowledged], life.saved)
        return [*lost, *(f"unsound: {row}" for row in faults(self._file))]

    async def _verdict(self, life: Life) -> None:
        """Ask health until the file has been looked at: while somebody writes, that may have to wait."""
        for _ in range(TRIES):
            report = life.reports[-1]
            if report.state is State.RUNNING or any(each.why.startswith(KINDS) for each in report.problems):
                return
            await asyncio.sleep(SOON.total_seconds())
            await life.look()

    def _bytes(self) -> Sequence[bytes]:
        """The database and what is not yet in it."""
        log = self._file.with_name(f"{self._file.name}-wal")
        return [each.read_bytes() for each in (self._file, log) if each.exists()]

    def _is_left_alone(self) -> bool:
        """Whether what was wrong in the file is as it was.

        Elsewhere the memory may have written until somebody came upon the damage, and never after.
        """
        now = self._file.read_bytes()
        return all(now[at : at + PAGE] == self._spoilt[at : at + PAGE] for at in self._wrong)

    @property
    def _wrong(self) -> Sequence[int]:
        """Where the pages begin that are damaged."""
        starts = range(0, len(self._sound), PAGE)
        return [at for at in starts if self._sound[at : at + PAGE] != self._spoilt[at : at + PAGE]]

    async def _mended(self, life: Life) -> list[str]:
        """What is missing once the damaged pages are what they were, and the plugin is started again."""
        now = bytearray(self._file.read_bytes())
        for at in self._wrong:
            now[at : at + PAGE] = self._sound[at : at + PAGE]
        self._file.write_bytes(now)
        again = self._before.life(self._file)
        await again.begin()
        await again.day("Zora")
        report = again.reports[-1]
        await again.end()
        stays = report.state is not State.RUNNING or report.problems
        found = ["the mended store is not at work"] if stays else []
        turns = [*self._before.told, *life.acknowledged, *again.acknowledged]
        lost = missing(self._file, turns, [*life.saved, *again.saved])
        return [*found, *again.odd, *lost, *(f"unsound: {row}" for row in faults(self._file))]


def missing(file: Path, turns: Sequence[str], facts: Sequence[str]) -> list[str]:
    """What was acknowledged and is not there once, and what was forgotten and is back."""
    tables = Tables(file)
    said = "select count(*) from ltm_events where content ->> 'text' = ? and source_role = 'user'"
    live = "select count(*) from ltm_items where fact = ? and status = 'active'"
    wanted = [(said, turn) for turn in turns] + [(live, fact) for fact in (*KEPT, *facts)]
    times = [(text, tables.rows(query, text)[0][0]) for query, text in wanted]
    back = ["what was forgotten is back"] if tables.rows(live, FORGOTTEN)[0][0] else []
    return [f"{text!r} is there {number} times" for text, number in times if number != 1] + back
