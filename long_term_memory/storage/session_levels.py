"""`ltm_session_levels`: the conversations that tools have raised above the lowest level (design 7)."""

from collections.abc import Collection, Mapping

from sqlalchemy import Connection, bindparam, delete, select
from sqlalchemy.dialects.sqlite import insert

from ..domain.conversations import Conversation, Raised
from ..domain.words import Level
from ..models import SESSION_LEVELS
from .database import Database

_C = SESSION_LEVELS.c
_KEY = ("umo", "conversation_id")


class StoredSessionLevels:
    """Implements `manager.session_levels.LevelStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def read_only(self) -> bool:
        """Whether nothing is written at the moment."""
        return self._database.read_only

    async def every(self) -> Mapping[Conversation, Level]:
        """Each conversation that was raised."""
        async with self._database.read() as connection:
            return await connection.run(_every)

    async def put(self, raised: Raised) -> None:
        """Keep a level, unless one at least as high is kept already."""
        row = insert(SESSION_LEVELS).values(
            umo=raised.where.umo,
            conversation_id=raised.where.conversation_id,
            level=raised.level,
            raised_by=raised.tool,
            updated_at=raised.at,
        )
        new = {name: row.excluded[name] for name in ("level", "raised_by", "updated_at")}
        higher = row.on_conflict_do_update(index_elements=_KEY, set_=new, where=_C.level < row.excluded.level)
        async with self._database.write() as connection:
            await connection.change(higher)

    async def drop(self, conversations: Collection[Conversation]) -> None:
        """Forget these."""
        these = delete(SESSION_LEVELS).where(
            _C.umo == bindparam("chat"), _C.conversation_id == bindparam("conversation")
        )
        rows = [{"chat": each.umo, "conversation": each.conversation_id} for each in conversations]
        if rows:
            async with self._database.write() as connection:
                await connection.change(these, rows)


def _every(connection: Connection) -> Mapping[Conversation, Level]:
    rows = connection.execute(select(_C.umo, _C.conversation_id, _C.level)).all()
    return {Conversation(umo=umo, conversation_id=own): Level(level) for umo, own, level in rows}
