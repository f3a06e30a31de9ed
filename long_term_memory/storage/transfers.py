"""Exports and imports of the store."""

from datetime import timedelta
from functools import partial
from pathlib import Path

from ..domain.chat import ScopeRef
from ..domain.errors import RefusedError
from ..domain.time import Clock
from ..domain.transfer import Arrived, Kind, Manifest, Progress, Undone
from .database import Database
from .erasure import ErasedPersons
from .long_work import Course, in_thread
from .methods import OnDatabase, reads
from .transfer import undoing
from .transfer.exporter import Wanted, export
from .transfer.importer import Order, bring_in, weighed
from .transfer.rows import stored
from .transfer.staging import BUSY, Staging

ONE_AT_A_TIME = "another import is under way"
ERASED_MEANWHILE = "somebody was erased meanwhile, whom the file may hold: look at it again first"


class Transfers(OnDatabase):
    """One import at a time; all of the work is done in threads."""

    imports = reads(undoing.page)

    def __init__(
        self, database: Database, clock: Clock, erased: ErasedPersons, *, busy: timedelta = BUSY
    ) -> None:
        """`erased` knows of each erasure; `busy` is how long an import waits for another program's write."""
        super().__init__(database)
        self._clock = clock
        self._erased = erased
        self._busy = busy
        self._course: Course | None = None

    @property
    def progress(self) -> Progress | None:
        """How far the import has come that is under way; None when there is none."""
        return self._course.progress if self._course else None

    async def export(self, target: Path, *, scope: ScopeRef | None, plugin_version: str) -> None:
        """Write all that is remembered, or one scope of it, as it is at one moment, into this file.

        Raises UnavailableError when the disk does not take it.
        """
        course = Course()
        wanted = Wanted(plugin_version=plugin_version, at=self._clock(), scope=scope)
        await self._database.beside(lambda store: export(store, target, wanted, course), course)

    async def check(self, file: Path) -> Arrived:
        """What an import of this file would do. Raises InvalidInputError, RefusedError."""
        return await self._arrive(file, None)

    async def bring_in(
        self, file: Path, *, import_id: str, kind: Kind, actor: str, name: str = ""
    ) -> Arrived:
        """Bring in all that this file holds and the store does not, or nothing; the audit has its name.

        A cancelled caller has it stopped until the writing begins; from then on it goes to its end, unless
        the store closes: then it is nothing. Raises InvalidInputError, RefusedError, UnavailableError,
        ClosedError.
        """
        if self._database.read_only:
            raise RefusedError("emergency_read_only")
        at = str(stored(self._clock()))
        order = Order(import_id=import_id, kind=kind, actor=actor, at=at, source=file, name=name)
        return await self._arrive(file, order)

    async def undo(self, import_id: str, *, actor: str) -> Undone:
        """Take an import back, as far as nobody has changed what it added.

        Raises NotFoundError, RefusedError.
        """
        now = self._clock()
        return await self._database.write_at_once(
            partial(undoing.undo, import_id=import_id, actor=actor, at=now)
        )

    async def _arrive(self, file: Path, order: Order | None) -> Arrived:
        if self._course is not None:
            raise RefusedError(ONE_AT_A_TIME)
        course = self._course = Course()
        try:
            with self._database.long_work.under_way(course):
                staging = Staging(self._busy)
                try:
                    return await self._staged(staging, file, order, course)
                finally:
                    await in_thread(staging.close, course)
        finally:
            self._course = None

    async def _staged(self, staging: Staging, file: Path, order: Order | None, course: Course) -> Arrived:
        keep_waiting = order is not None and order.kind is Kind.RESTORE
        erased = self._erased.times

        def look(store: Path) -> tuple[Manifest, Arrived]:
            staging.open(store)
            manifest = staging.take(file, course, keep_waiting=keep_waiting)
            return manifest, weighed(staging, manifest, course)

        manifest, would = await self._database.beside(look, course)
        if order is None:
            return would

        def write(_: Path) -> Arrived:
            arrived = bring_in(staging, manifest, order, course, see=partial(self._see, erased))
            self._database.changes.elsewhere()
            return arrived

        return await self._database.alone(write)

    def _see(self, erased: int) -> None:
        """That it may still be written. Raises RefusedError."""
        if self._database.read_only:
            raise RefusedError("emergency_read_only")
        if self._erased.times != erased:
            raise RefusedError(ERASED_MEANWHILE)
