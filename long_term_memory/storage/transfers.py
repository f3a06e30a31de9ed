"""Exports and imports of the store."""

from datetime import timedelta
from functools import partial
from pathlib import Path

from ..domain.chat import ScopeRef
from ..domain.errors import RefusedError
from ..domain.time import Clock
from ..domain.transfer import Arrived, Kind, Progress, Undone
from .database import Database, OnDatabase, reads
from .erasure import ErasedPersons
from .files import whole_file
from .long_work import Course, in_thread
from .transfer.exporter import Wanted, opened
from .transfer.importer import BUSY, Importer, Order, import_page, undo

ONE_AT_A_TIME = "another import is under way"
ERASED_MEANWHILE = "somebody was erased meanwhile, whom the file may hold: look at it again first"


class Transfers(OnDatabase):
    """One import at a time; all of the work is done in threads."""

    imports = reads(import_page)

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
        """How far the import under way has come; None when there is none."""
        return self._course.progress if self._course else None

    async def export(self, target: Path, *, scope: ScopeRef | None, plugin_version: str) -> None:
        """Write all that is remembered, or one scope of it, as it is at one moment, into this file.

        Raises UnavailableError when the disk does not take it.
        """
        course = Course()
        wanted = Wanted(plugin_version=plugin_version, at=self._clock(), scope=scope)

        def work(store: Path) -> None:
            with opened(store, wanted, course) as export:
                sha256 = export.checksums().document
                with whole_file(target.with_name(f"{target.name}.unfinished"), lambda _: target) as file:
                    export.write(file.write, sha256)

        await self._database.beside(work, course)

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
        self._refuse_read_only()
        order = Order(import_id=import_id, kind=kind, actor=actor, at=self._clock(), source=file, name=name)
        return await self._arrive(file, order)

    async def undo(self, import_id: str, *, actor: str) -> Undone:
        """Take an import back, as far as nobody has changed what it added.

        Raises NotFoundError, RefusedError.
        """
        now = self._clock()
        return await self._database.write_at_once(partial(undo, import_id=import_id, actor=actor, at=now))

    async def _arrive(self, file: Path, order: Order | None) -> Arrived:
        if self._course is not None:
            raise RefusedError(ONE_AT_A_TIME)
        course = self._course = Course()
        importer = Importer(self._database.path, course, busy=self._busy)
        erased = self._erased.times
        keep_waiting = order is not None and order.kind is Kind.RESTORE

        def see() -> None:
            self._refuse_read_only()
            if self._erased.times != erased:
                raise RefusedError(ERASED_MEANWHILE)

        def merge(order: Order) -> Arrived:
            arrived = importer.merge(order, see=see)
            self._database.changes.elsewhere()
            return arrived

        try:
            with self._database.long_work.under_way(course):
                would = await self._database.beside(
                    lambda _: importer.check(file, keep_waiting=keep_waiting), course
                )
                return would if order is None else await self._database.alone(lambda _: merge(order))
        finally:
            await in_thread(importer.close, course)
            self._course = None

    def _refuse_read_only(self) -> None:
        if self._database.read_only:
            raise RefusedError("emergency_read_only")
