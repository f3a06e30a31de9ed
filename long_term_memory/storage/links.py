"""`ltm_links`: accounts that their owners have joined (design 8, `link`)."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.dialects.sqlite import insert

from ..models import LINKS
from .seat import Seat

_C = LINKS.c


async def every(connection: Seat) -> Mapping[str, str]:
    """Each linked account and the one it is joined to."""
    rows = await connection.execute(select(_C.account, _C.joined_to).order_by(_C.account))
    return {row.account: row.joined_to for row in rows}


async def put(connection: Seat, links: Mapping[str, str], *, at: datetime) -> None:
    """Let these be the links; one that is there already keeps its date."""
    before = await every(connection)
    if gone := [account for account in before if account not in links]:
        await connection.change(delete(LINKS).where(_C.account.in_(gone)))
    for account, joined_to in links.items():
        if before.get(account) != joined_to:
            row = insert(LINKS).values(account=account, joined_to=joined_to, created_at=at)
            moved = {"joined_to": row.excluded.joined_to, "created_at": row.excluded.created_at}
            await connection.change(row.on_conflict_do_update(index_elements=["account"], set_=moved))
