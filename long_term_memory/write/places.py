"""Whether a fact said in one chat may be an item that rests on what was said in another (design 7).

A person's own item surfaces in private and in each group its words were said in. So once it is heard in one
more group it surfaces there too, and words that are added to it surface wherever it did before. Both would
tell a chat what was never said in it, so then the two stay two.
"""

from dataclasses import replace

from ..domain.chat import ScopeRef
from ..domain.memory import Event, Item
from ..domain.words import LIVE_STATUSES, Audience, Origin, Scope, Status
from ..domain.writing import Candidate, Grounded, Reach
from ..policies.chosen_keys import waits
from ..policies.keys import same_words, tells_more
from ..policies.succession import is_in_doubt, is_summary
from .protocols import WriteTransaction


async def may_be_one(tx: WriteTransaction, item: Item, grounded: Grounded) -> bool:
    """Whether the words of neither come to light where only the other was said.

    Nor is it the sum of others: what a person says needs no approval, and takes nobody else's place. And what
    waits for a chosen key is nothing but that.
    An item in use keeps its words; what comes back, or is freed from doubt, gets those of the candidate. What
    a person deleted is known wherever it is said, and comes back nowhere but where it is saved again.
    """
    if is_summary(item) or waits(item.fact_key):
        return False
    explicit = grounded.candidate.origin is Origin.USER_EXPLICIT
    if item.owner.scope is not Scope.USER or (item.status is Status.DELETED and not explicit):
        return True
    if await tx.has_evidence(item.memory_id, grounded.event.event_id):
        return True
    return _surface_alike(item, grounded, await tx.said_in(item.memory_id))


async def is_one_while_shared(tx: WriteTransaction, item: Item, grounded: Grounded) -> bool:
    """Whether `may_be_one` holds only as long as the item is shared.

    If it rested on these words it would still surface where they were said once it is taken back.
    """
    if item.owner.scope is not Scope.USER or item.audience is not Audience.EVERYWHERE:
        return False
    taken_back = replace(item, audience=Audience.CHAT)
    return not _surface_alike(taken_back, grounded, await tx.said_in(item.memory_id))


def _surface_alike(item: Item, grounded: Grounded, said_in: frozenset[ScopeRef]) -> bool:
    here, shared = groups_of(grounded.event), item.audience is Audience.EVERYWHERE
    if item.status is Status.DELETED:
        return said_in <= here
    if same_words(item.fact, grounded.candidate.fact):
        return shared or here <= said_in or not _is_named_otherwise(item, grounded.candidate)
    if item.status in LIVE_STATUSES and not is_in_doubt(item.status, item.reason):
        return shared or here <= said_in
    return said_in <= here and not shared


def _is_named_otherwise(item: Item, candidate: Candidate) -> bool:
    """Whether the item has a key or tags that the candidate does not bring: assistants read those, too."""
    named = tells_more(item.fact_key, candidate.fact, proposed=candidate.fact_key)
    return named or not set(item.tags) <= set(candidate.tags)


async def reach(tx: WriteTransaction, met: Item, grounded: Grounded) -> Reach:
    """Where the item surfaces that a fact is, beside where the fact was said."""
    if met.owner.scope is not Scope.USER:
        return Reach.SAME
    said_in, here = await tx.said_in(met.memory_id), groups_of(grounded.event)
    if met.audience is Audience.EVERYWHERE or here < said_in:
        return Reach.WIDER
    if here <= said_in:
        return Reach.SAME
    return Reach.NARROWER if said_in < here else Reach.APART


async def is_known_here(tx: WriteTransaction, item: Item, event: Event) -> bool:
    """Whether what became of an item may be told where these words were said."""
    said_in = await tx.said_in(item.memory_id)
    return groups_of(event) <= said_in or item.audience is Audience.EVERYWHERE


def groups_of(event: Event) -> frozenset[ScopeRef]:
    """The group in which words were said; none for those said in private."""
    return frozenset({event.at_scope} if event.at_scope.scope is Scope.GROUP else ())
