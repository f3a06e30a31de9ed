"""The choke point: which rows an `Access` reaches. Every read path of persons passes here (design 7)."""

from datetime import datetime

from sqlalchemy import ColumnElement, and_, false, or_, select

from ..domain.chat import Access
from ..domain.words import Audience, Role, Scope, Status
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
    # An event is looked up for each piece of evidence: a group may have a million of them.
    of_group = select(_EVENT.id).where(_EVENT.event_id == EVIDENCE.c.event_id, _in_group(access)).exists()
    said_here = select(EVIDENCE.c.id).where(EVIDENCE.c.memory_id == _ITEM.memory_id, of_group).exists()
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


def searchable(access: Access) -> ColumnElement[bool]:
    """Events that a search of the transcript may find in this chat.

    In a group that is what was said in it. In private it is what was said in the person's own private chats,
    by them and by the bot, and their own words elsewhere, without what others answered there; in a chat of a
    project all of that project's, too.
    """
    if not access.private:
        return and_(_EVENT.level <= access.level, _in_group(access))
    chats = [ref for ref in access.readable if ref.scope in (Scope.USER, Scope.PROJECT)]
    mine = [ref for ref in chats if ref.scope is Scope.USER]
    return and_(
        _EVENT.level <= access.level,
        or_(
            false(),
            *(and_(_EVENT.scope == ref.scope, _EVENT.scope_id == ref.scope_id) for ref in chats),
            *(
                and_(
                    _EVENT.owner_scope == ref.scope,
                    _EVENT.owner_scope_id == ref.scope_id,
                    _EVENT.source_role == Role.USER,
                    _EVENT.scope != Scope.USER,
                )
                for ref in mine
            ),
        ),
    )


def _in_group(access: Access) -> ColumnElement[bool]:
    """Events of the group this access is for; of none when there is no group."""
    if access.group is None:
        return false()
    here = (access.group, *access.also_here)
    return or_(*(and_(_EVENT.scope == ref.scope, _EVENT.scope_id == ref.scope_id) for ref in here))
