"""`ltm_session_levels`: the conversations that tools have raised above the lowest level."""

from collections.abc import Collection, Mapping

from sqlalchemy import select, tuple_
from sqlalchemy.dialects.sqlite import insert

from ..domain.chat import ConversationId, ToolLevel
from ..domain.enums import Level
from ..models import SESSION_LEVELS
from .database import OnDatabase

_C = SESSION_LEVELS.c
_KEY = ("umo", "conversation_id")


class StoredSessionLevels(OnDatabase):
    """The levels of conversations in the store."""

    async def every(self) -> Mapping[ConversationId, Level]:
        """Each conversation that was raised."""
        rows = await self._rows(select(_C.umo, _C.conversation_id, _C.level))
        return {(umo, own): level for umo, own, level in rows}

    async def put(self, raised: ToolLevel) -> None:
        """Keep a level, unless one at least as high is kept already."""
        row = insert(SESSION_LEVELS).values(vars(raised))
        new = {name: row.excluded[name] for name in ("level", "raised_by", "updated_at")}
        higher = row.on_conflict_do_update(index_elements=_KEY, set_=new, where=_C.level < row.excluded.level)
        await self._change(higher)

    async def drop(self, conversations: Collection[ConversationId]) -> None:
        """Forget these."""
        these = tuple_(_C.umo, _C.conversation_id).in_(conversations)
        if conversations:
            await self._change(SESSION_LEVELS.delete().where(these))
