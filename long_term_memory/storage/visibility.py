"""The choke point: which rows an `Access` reaches. Every read path of persons passes here."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import ColumnElement, and_, false, literal_column, or_, select

from ..domain.chat import Access, ScopeRef
from ..domain.enums import Audience, Role, Scope, Status
from ..models import EVENTS, EVIDENCE, ITEMS
from .columns import Columns, in_scopes
from .events import IS_EXPLICIT_SAVE

_ITEM = ITEMS.c
_OTHER = ITEMS.alias("other").c
_OTHER_STATUS: ColumnElement[str] = literal_column("+other.status", _ITEM.status.type)
"""The sign keeps SQLite from the index of statuses, by which it would read each row for each."""
_EVENT = EVENTS.c


def visible(access: Access, *, now: datetime, min_confidence: float) -> ColumnElement[bool]:
    """Items that may be injected or found: reachable, active, unexpired and trusted enough."""
    return and_(
        reachable(access),
        _ITEM.status == Status.ACTIVE,
        or_(_ITEM.expires_at.is_(None), _ITEM.expires_at > now),
        _ITEM.confidence >= min_confidence,
    )


def reachable(access: Access, of: Columns = _ITEM) -> ColumnElement[bool]:
    """Items of any status that scope, level and audience let into this chat.

    A user's item: in its owner's private chats always; in a group if it was said there or is shared, or with
    `cross_group` if it was said in any group. Items of groups, projects and all: for whoever has that scope.
    Evidence tells where it was said, for some hosts give one person's chats in several groups the same umo.
    `of` are the columns of the items asked about.
    """
    if not access.readable:
        return false()
    reached = and_(in_scopes(of, access.readable), of.level <= access.level)
    if access.private:
        return reached
    # An event is looked up for each piece of evidence: a group may have a million of them.
    in_group = _EVENT.scope == Scope.GROUP if access.cross_group else _in_group(access)
    of_group = select(_EVENT.id).where(_EVENT.event_id == EVIDENCE.c.event_id, in_group).exists()
    said_here = select(EVIDENCE.c.id).where(EVIDENCE.c.memory_id == of.memory_id, of_group).exists()
    return and_(reached, or_(of.scope != Scope.USER, of.audience == Audience.EVERYWHERE, said_here))


def narrowed(access: Access, ref: ScopeRef) -> Access:
    """The access as far as it makes a difference to what is `visible` and `quotable` of this scope."""
    mine = replace(access, umo="", owner=ref, readable=(ref,))
    if ref.scope is Scope.USER:
        return replace(mine, group=None, also_here=(), cross_group=False) if access.private else mine
    mine = replace(mine, private=False, cross_group=False)
    if ref.scope is Scope.GROUP and ref in (access.group, *access.also_here):
        return mine
    return replace(mine, group=ref if ref.scope is Scope.GROUP else None, also_here=())


def topmost(access: Access) -> ColumnElement[bool]:
    """All items but those in use of which a version of a higher level is in use that this chat may see."""
    higher = (
        _OTHER.scope == _ITEM.scope,
        _OTHER.fact_key == _ITEM.fact_key,
        _OTHER.person == _ITEM.person,
        _OTHER.level > _ITEM.level,
        _OTHER_STATUS == Status.ACTIVE,
        reachable(access, _OTHER),
    )
    # One lookup for each scope, which the index of keys serves.
    others = (select(_OTHER.id).where(in_scopes(_OTHER, [ref]), *higher).exists() for ref in access.readable)
    return or_(_ITEM.status != Status.ACTIVE, ~or_(false(), *others))


def owned(access: Access) -> ColumnElement[bool]:
    """Items of any status that the speaker decides about and this chat may show.

    Their own, and in a group also what of its memories nobody else has told.
    """
    mine = in_scopes(_ITEM, access.own)
    if access.group is not None:
        theirs, of_group = _by_them(access), in_scopes(_ITEM, (access.group, *access.also_here))
        by_others = _rests_on(_EVENT.source_role == Role.USER, ~theirs)
        mine = or_(mine, and_(of_group, _rests_on(theirs), ~by_others))
    return and_(reachable(access), mine)


def in_own_words(access: Access) -> ColumnElement[bool]:
    """Items about the speaker that rest on nothing but their own words, none of them above this level.

    Neither the bot's words, to which somebody agreed, nor those of anybody else are theirs.
    """
    theirs = and_(_by_them(access), _EVENT.level <= access.level)
    return and_(_ITEM.scope == Scope.USER, _ITEM.person == "", _rests_on(), ~_rests_on(~theirs))


def said_by_them(access: Access) -> ColumnElement[bool]:
    """The speaker's own messages that this chat may know of, no commands: in a group those said in it."""
    mine = and_(_by_them(access), _EVENT.level <= access.level, ~IS_EXPLICIT_SAVE)
    return mine if access.private else and_(mine, _in_group(access))


def quotable(access: Access) -> ColumnElement[bool]:
    """Events whose words may be shown in this chat, as evidence of an item that is reachable.

    The same fact may have been said again in another chat: its quote stays there. With `cross_group` what the
    person said in other groups may be quoted in this one, not what others said there.
    """
    low_enough = _EVENT.level <= access.level
    if access.private:
        return low_enough
    here = _in_group(access)
    in_a_group = and_(_EVENT.scope == Scope.GROUP, _by_them(access))
    return and_(low_enough, or_(here, in_a_group) if access.cross_group else here)


def searchable(access: Access) -> ColumnElement[bool]:
    """Events that a search of the transcript may find in this chat, none of them a command.

    In a group that is what was said in it. In private it is what was said in the person's own private chats,
    by them and by the bot, and their own words elsewhere, without what others answered there; in a chat of a
    project all of that project's, too.
    """
    if not access.private:
        return and_(_EVENT.level <= access.level, _in_group(access), ~IS_EXPLICIT_SAVE)
    chats = [ref for ref in access.readable if ref.scope in (Scope.USER, Scope.PROJECT)]
    mine = [ref for ref in chats if ref.scope is Scope.USER]
    own_words_elsewhere = and_(_EVENT.source_role == Role.USER, _EVENT.scope != Scope.USER)
    return and_(
        _EVENT.level <= access.level,
        ~IS_EXPLICIT_SAVE,
        or_(
            in_scopes(_EVENT, chats),
            *(and_(in_scopes(_EVENT, [ref], "owner_"), own_words_elsewhere) for ref in mine),
        ),
    )


def _rests_on(*those: ColumnElement[bool]) -> ColumnElement[bool]:
    """Items with evidence among those events, each looked up by its id: a person may have a million."""
    said = select(_EVENT.id).where(_EVENT.event_id == EVIDENCE.c.event_id, *those).exists()
    return select(EVIDENCE.c.id).where(EVIDENCE.c.memory_id == _ITEM.memory_id, said).exists()


def _by_them(access: Access) -> ColumnElement[bool]:
    mine = [ref for ref in access.readable if ref.scope is Scope.USER]
    return and_(_EVENT.source_role == Role.USER, in_scopes(_EVENT, mine, "owner_"))


def _in_group(access: Access) -> ColumnElement[bool]:
    """Events of the group this access is for; of none when there is no group."""
    if access.group is None:
        return false()
    return in_scopes(_EVENT, (access.group, *access.also_here))
