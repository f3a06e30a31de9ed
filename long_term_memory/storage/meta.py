"""`ltm_meta`: what the store says about itself."""

from sqlalchemy import select

from ..models import META
from .seat import Seat

_STORE_ID = "store_id"


async def store_id(connection: Seat) -> str | None:
    """Which store this is; None before anybody named it."""
    wanted = select(META.c.value).where(META.c.name == _STORE_ID)
    return (await connection.execute(wanted)).scalar()


async def name_store(connection: Seat, store_id: str) -> None:
    """Give a store without an id its id."""
    await connection.change(META.insert().values(name=_STORE_ID, value=store_id))
