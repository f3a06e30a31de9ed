"""Visibility of a fact: which items it may merge with, and which it may supersede.

A person's item is visible in their private chats and in each group its words were said in. Two facts stay
two where a merge would show a chat words that were never said in it. A group keeps what it was told: a fact
said again in another group does not supersede the one said in the first.
"""

from dataclasses import dataclass, replace

from ..domain.chat import ScopeRef
from ..domain.memory import Event, Item
from ..domain.words import LIVE_STATUSES, Audience, Origin, Scope, Status
from ..domain.writing import Grounded
from ..policies.keys import tells_more, waits
from ..policies.succession import is_in_doubt
from ..text_analysis.word_forms import same_words
from .protocols import WriteTransaction


@dataclass(frozen=True, kw_only=True)
class Visibility:
    """Where a fact is visible beside its owner's private chats."""

    groups: frozenset[ScopeRef]
    everywhere: bool

    def covers(self, groups: frozenset[ScopeRef]) -> bool:
        """Whether it is visible in each of these groups."""
        return self.everywhere or groups <= self.groups


async def visibility_of(tx: WriteTransaction, item: Item) -> Visibility:
    """Where an item is visible; items of a group, a project or all are visible wherever that is read."""
    everywhere = item.owner.scope is not Scope.USER or item.audience is Audience.EVERYWHERE
    return Visibility(groups=await tx.said_in(item.memory_id), everywhere=everywhere)


def visibility_of_words(grounded: Grounded, matched: Item | None = None) -> Visibility:
    """Where these words make a new or `matched` item visible, whatever was said before."""
    # A deleted item returns to the chat alone in which it is said again.
    is_shared = matched and matched.audience is Audience.EVERYWHERE and matched.status is not Status.DELETED
    everywhere = bool(is_shared) or grounded.owner.scope is not Scope.USER
    return Visibility(groups=groups_of(grounded.event), everywhere=everywhere)


def groups_of(event: Event) -> frozenset[ScopeRef]:
    """The group in which words were said; empty for private chats."""
    return frozenset({event.at_scope} if event.at_scope.scope is Scope.GROUP else ())


async def is_visible_here(tx: WriteTransaction, item: Item, event: Event) -> bool:
    """Whether an item is visible where these words were said."""
    return (await visibility_of(tx, item)).covers(groups_of(event))


async def may_merge(tx: WriteTransaction, item: Item, grounded: Grounded) -> bool:
    """Whether a merge shows neither text in a chat where only the other was said.

    An item in use keeps its text; an item that returns or is freed from doubt takes the candidate's. A
    deleted item is known wherever it is said, and returns only where it is saved again. A
    version that waits for a chosen key never merges.
    """
    if waits(item.fact_key):
        return False
    explicit = grounded.candidate.origin is Origin.USER_EXPLICIT
    if item.owner.scope is not Scope.USER or (item.status is Status.DELETED and not explicit):
        return True
    if await tx.has_evidence(item.memory_id, grounded.event.event_id):
        return True
    return _compatible(item, await visibility_of(tx, item), grounded)


async def merges_only_while_shared(tx: WriteTransaction, item: Item, grounded: Grounded) -> bool:
    """Whether `may_merge` holds only because the item is shared with everyone."""
    if item.owner.scope is not Scope.USER or item.audience is not Audience.EVERYWHERE:
        return False
    return not _compatible(item, replace(await visibility_of(tx, item), everywhere=False), grounded)


def _compatible(item: Item, known: Visibility, grounded: Grounded) -> bool:
    here, candidate = groups_of(grounded.event), grounded.candidate
    if item.status is Status.DELETED:
        return known.groups <= here
    if same_words(item.fact, candidate.fact):
        # Assistants read the key and the tags too: here, those that the candidate lacks must stay hidden.
        named = tells_more(item.fact_key, candidate.fact, proposed=candidate.fact_key)
        return known.covers(here) or not (named or set(item.tags) - set(candidate.tags))
    if item.status in LIVE_STATUSES and not is_in_doubt(item.status, item.reason):
        return known.covers(here)
    return known.groups <= here and not known.everywhere
