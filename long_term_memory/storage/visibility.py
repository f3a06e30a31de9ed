"""The choke point: which rows an `Access` reaches. Every read path of persons passes here (design 7)."""

from datetime import datetime

from sqlalchemy import ColumnElement, and_, false, or_, select

from ..domain.chat import Access
from ..domain.words import Audience, Scope, Status
from ..models import EVENTS, EVIDENCE, ITEMS

_ITEM = ITEMS.c
_EVENT = EVENTS.c


def visible(access: Access, *, now: datetime, min_confidence: float) -> ColumnElement[bool]:
    """Items that may be injected or found: reachable, active, unexpired and trusted enough."""
    return and_(
        reachable(access),
        _ITEM.status == Status.ACTIVE,
        or_(_ITEM.expires_at.is_(None), _ITEM.expires_at > now),
        _ITEM.confidence >= min_confidence,
    )


def reachable(access: Access) -> ColumnElement[bool]:
    """Items of any status that scope, level and audience let into this chat.

    A user's item surfaces in the groups it was said in and in its owner's private chats, elsewhere only when
    it is shared; items of groups, projects and all are for whoever has that scope. Where it was said its
    evidence tells: some hosts give one person's chats in several groups one and the same origin.
    """
    scopes = [and_(_ITEM.scope == ref.scope, _ITEM.scope_id == ref.scope_id) for ref in access.readable]
    if not scopes:
        return false()
    reached = and_(or_(*scopes), _ITEM.level <= access.level)
    if access.private:
        return reached
    said_here = (
        select(EVIDENCE.c.id)
        .join(EVENTS, EVENTS.c.event_id == EVIDENCE.c.event_id)
        .where(EVIDENCE.c.memory_id == _ITEM.memory_id, _in_group(access))
        .exists()
    )
    return and_(
        reached,
        or_(
            _ITEM.scope != Scope.USER,
            _ITEM.audience == Audience.EVERYWHERE,
            said_here,
        ),
    )


def quotable(access: Access) -> ColumnElement[bool]:
    """Events whose words may be shown in this chat, as evidence of an item that is reachable.

    The same fact may have been said again in another chat: its quote stays there.
    """
    here = _EVENT.level <= access.level
    return here if access.private else and_(here, _in_group(access))


def _in_group(access: Access) -> ColumnElement[bool]:
    """Events of the group this access is for; of none when there is no group."""
    if access.group is None:
        return false()
    return and_(_EVENT.scope == access.group.scope, _EVENT.scope_id == access.group.scope_id)
