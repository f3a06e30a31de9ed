"""`ltm_meta`: what the store says about itself."""

from sqlalchemy import select
from sqlalchemy.dialects.sqlite import insert

from ..models import META
from .connection import Connection

_C = META.c
_STORE_ID, _TO_SCRUB, _DROPPED = "store_id", "to_scrub", "dropped"


async def store_id(connection: Connection) -> str | None:
    """Which store this is; None before anybody named it."""
    return await _value(connection, _STORE_ID)


async def name_store(connection: Connection, store_id: str) -> None:
    """Give a store its id."""
    await _put(connection, _STORE_ID, store_id)


async def to_scrub(connection: Connection) -> str | None:
    """The marks of erasures whose bytes may still be in the file; None when there is none."""
    return await _value(connection, _TO_SCRUB)


async def ask_to_scrub(connection: Connection, mark: str) -> None:
    """Note that something was erased; the mark is a new word each time, behind those that wait."""
    waiting = await to_scrub(connection)
    await _put(connection, _TO_SCRUB, f"{waiting} {mark}" if waiting else mark)
    await connection.change(META.delete().where(_C.name == _DROPPED))


async def note_dropped(connection: Connection) -> None:
    """Note that rows with text were deleted of which copies may still be in the file."""
    await _put(connection, _DROPPED, "")


async def is_dropped(connection: Connection) -> bool:
    """Whether that was so since something was erased the last time."""
    return await _value(connection, _DROPPED) is not None


async def scrubbed(connection: Connection, mark: str) -> None:
    """Note that the file is clean, unless something was erased since."""
    await connection.change(META.delete().where(_C.name == _TO_SCRUB, _C.value == mark))


async def _value(connection: Connection, name: str) -> str | None:
    return (await connection.execute(select(_C.value).where(_C.name == name))).scalar()


async def _put(connection: Connection, name: str, value: str) -> None:
    row = insert(META).values(name=name, value=value)
    await connection.change(row.on_conflict_do_update(index_elements=["name"], set_={"value": value}))
