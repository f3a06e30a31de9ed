"""POST items/<memory_id>/share and unshare: in which chats a person's memory may be used."""

from .core import NotShared, RefusedError, Request, Route, Service, Shared, WhyNotShared
from .shapes import ChangedAnswer, item_shape

_UNCHANGED = frozenset({WhyNotShared.ALREADY, WhyNotShared.NOT_SHARED})


async def share_item(service: Service, request: Request) -> ChangedAnswer:
    """Let it be used in every chat."""
    sharing = service.manager().sharing
    return _decided(await sharing.share_one(request.path["memory_id"], actor=request.actor))


async def unshare_item(service: Service, request: Request) -> ChangedAnswer:
    """Keep it to the chats it was said in and its owner's private ones again."""
    sharing = service.manager().sharing
    return _decided(await sharing.unshare_one(request.path["memory_id"], actor=request.actor))


ROUTES = (
    Route(
        path="items/<memory_id>/share",
        method="POST",
        summary="Let a memory be used everywhere",
        handler=share_item,
        answer=ChangedAnswer,
    ),
    Route(
        path="items/<memory_id>/unshare",
        method="POST",
        summary="Take that back",
        handler=unshare_item,
        answer=ChangedAnswer,
    ),
)


def _decided(result: Shared | NotShared) -> ChangedAnswer:
    if result.item is None or (isinstance(result, NotShared) and result.why not in _UNCHANGED):
        raise RefusedError(_why(result))
    return ChangedAnswer(item=item_shape(result.item))


def _why(result: Shared | NotShared) -> str:
    if isinstance(result, NotShared) and result.why is WhyNotShared.NOT_PERSONAL:
        return "not_personal: what is a group's or everybody's is for them as it is"
    found = result.item
    return f"not_in_use: the memory {found.memory_id} is {found.status}" if found else "not_in_use"
