"""What people and operators decide about facts, and what becomes of the promise by that."""

from datetime import datetime

from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, Status

from tests.torture.model.facts import Fact
from tests.torture.model.people import level
from tests.torture.model.promise import Promise
from tests.torture.model.statements import Statement


def forget(promise: Promise, chat: Chat, fact: Fact) -> None:
    """A person deletes a fact, with all versions of it that may be told there."""
    for one in promise.reachable(chat):
        if one.live and one.owner == fact.owner and one.what.name == fact.what.name:
            one.end(Status.DELETED)


def delete_key(promise: Promise, chat: Chat, key: str) -> bool:
    """An assistant deletes what has the key at exactly this level; whether there was anything."""
    own = promise.accounts(chat)
    found = [
        one
        for one in promise.reachable(chat)
        if one.live and one.owner in own and one.what.key == key and one.level is level(chat)
    ]
    for one in found:
        one.end(Status.DELETED)
    return bool(found)


def share(promise: Promise, fact: Fact) -> bool:
    """A fact in use is known everywhere from now on; whether that changed anything."""
    public = _at(fact, Level.PUBLIC)
    other = promise.holder(public)
    other = None if other is fact else other
    is_so = fact.shared and fact.level is Level.PUBLIC
    if fact.status is not Status.ACTIVE or is_so or (other and other.status is Status.DISABLED):
        return False
    if other:
        other.leave_for(fact)
    fact.shared, fact.level = True, Level.PUBLIC
    return True


def unshare(promise: Promise, fact: Fact) -> bool:
    """It is known where it was said again, at the level it was said at; whether that changed anything."""
    if not fact.shared:
        return False
    said_at = max(said.level for said in fact.said)
    other = promise.holder(_at(fact, said_at)) if fact.live else None
    other = None if other is fact else other
    fact.shared, fact.level = False, said_at
    if other and other.status is Status.PENDING and fact.status is Status.ACTIVE:
        other.leave_for(fact)
    elif other:
        fact.leave_for(other)
    return True


def approve(promise: Promise, fact: Fact, now: datetime) -> None:
    """What waits is used, in the place of those that answer the same where it is known."""
    in_use = [one for one in promise.answers(fact) if one.status is Status.ACTIVE]
    for one in (*fact.took, *in_use):
        if one.stands and fact.covers(one.groups):
            one.leave_for(fact)
    fact.use(now)


def reject(promise: Promise, fact: Fact) -> None:
    """It is forgotten; whoever left for it waits to be looked at, unless its place is taken."""
    fact.end(Status.DELETED)
    for one in fact.took:
        if one.left_for is fact and one.status is Status.SUPERSEDED and not promise.holder(one):
            one.status, one.in_doubt, one.left_for = Status.PENDING, True, None


def bring_back(promise: Promise, fact: Fact, now: datetime) -> bool:
    """It is used again, or waits again if it was not used; False when its place is not free for that.

    What an operator switched off keeps its place, and what is in use does from what would only wait there.
    """
    if fact.status is Status.PENDING:
        approve(promise, fact, now)
        return True
    holder = promise.holder(fact)
    if holder and holder.status is Status.DISABLED:
        return False
    # An earlier wording was used if what it became was.
    fact.waited = fact.waited and not (fact.became and fact.became.used)
    ranks = (
        ()
        if fact.waited and fact.in_doubt
        else (Status.PENDING,)
        if fact.waited
        else (Status.ACTIVE, Status.PENDING)
    )
    if fact.waited and holder and holder.status not in ranks:
        return False
    in_use = [one for one in promise.answers(fact) if one.status is Status.ACTIVE]
    for one in (*in_use, *_successor(fact)):
        if one.status in ranks and fact.covers(one.groups):
            one.leave_for(fact)
    if holder and holder.status in ranks:
        holder.leave_for(fact)
    if fact.waited:
        fact.status, fact.left_for = Status.PENDING, None
        fact.last_until(now)
    else:
        fact.use(now)
    return True


def reword(promise: Promise, fact: Fact, text: Statement) -> bool:
    """It says something else from now on; what it said is its history. False when that is taken."""
    wanted = Fact(owner=fact.owner, level=fact.level, what=text, type=fact.type, status=fact.status, said=[])
    if promise.holder(wanted):
        return False
    promise.facts.append(
        Fact(
            owner=fact.owner,
            level=fact.level,
            what=fact.what,
            type=fact.type,
            status=Status.SUPERSEDED,
            said=list(fact.said),
            in_doubt=fact.in_doubt,
            waited=fact.status is Status.PENDING or (fact.status is Status.DISABLED and fact.waited),
            stays=fact.stays,
            shared=fact.shared,
            left_for=fact,
            became=fact,
        )
    )
    fact.what = text
    return True


def erase(promise: Promise, chat: Chat) -> bool:
    """Nothing is left of a person, nor of what they alone told of others; whether there was anything."""
    own, had = set(promise.accounts(chat)), len(promise.said) + len(promise.facts)
    promise.said = [one for one in promise.said if one.by not in own]
    promise.unread = [one for one in promise.unread if one.by not in own]
    for one in promise.facts:
        one.said = [said for said in one.said if said.by not in own]
    promise.facts = [one for one in promise.facts if one.owner not in own and one.said]
    promise.joined = promise.joined and len(own) == 1
    return len(promise.said) + len(promise.facts) < had


def _at(fact: Fact, at: Level) -> Fact:
    return Fact(owner=fact.owner, level=at, what=fact.what, type=fact.type, status=fact.status, said=[])


def _successor(fact: Fact) -> list[Fact]:
    """Who has the place now that it left, directly or through others."""
    last, seen = fact, {fact}
    while last.left_for and last.left_for not in seen:
        last = last.left_for
        seen.add(last)
    return [] if last is fact else [last]
