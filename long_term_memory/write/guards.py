"""Of whom nothing may be kept now: the paused, and those who were erased meanwhile."""

from ..domain.chat import Access, ScopeRef
from ..domain.errors import RefusedError
from ..domain.memory import Event
from .protocols import WriteTransaction


def pausable(access: Access) -> tuple[ScopeRef, ...]:
    """Whoever is paused: the speaker under any of their accounts, or the group."""
    group = (access.group,) if access.group else ()
    return (access.owner, *access.readable, *group)


async def refuse_erased(tx: WriteTransaction, event: Event) -> None:
    """What somebody asked to keep just before they were erased is not kept after it."""
    if await tx.erased_since(event):
        raise RefusedError("forgotten")
