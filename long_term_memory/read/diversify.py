"""Stage 4, diversify: one version of each fact, no repetition, not too many of one type (design 6.4)."""

import unicodedata
from collections import Counter
from collections.abc import Hashable, Sequence

from ..domain.memory import Item
from ..domain.reading import Hit, Omitted, Ranked, Sifted
from ..policies.read_policy import MemoryReadPolicy


def diversify(ranked: Sifted, hits: Sequence[Hit], policy: MemoryReadPolicy) -> Sifted:
    """Keep the order, drop what is shadowed, said already, or beyond `max_per_type`.

    Versions are compared among all that is visible, not among what matched: a lower level's version must not
    come up because only its outdated words match the question.
    """
    standing = _versions(hits)
    said: set[Hashable] = set()
    per_type: Counter[str] = Counter()
    kept: list[Ranked] = []
    omitted = list(ranked.omitted)
    for each in ranked.kept:
        item = each.item
        if standing[_identity(item)].memory_id != item.memory_id:
            rule = "shadowed"
        elif per_type[item.type] >= policy.max_per_type:
            rule = "max_per_type"
        elif (saying := _saying(item)) in said:
            rule = "duplicate"
        else:
            said.add(saying)
            per_type[item.type] += 1
            kept.append(each)
            continue
        omitted.append(Omitted(memory_id=item.memory_id, rule=rule))
    return Sifted(kept=kept, omitted=omitted)


def _versions(hits: Sequence[Hit]) -> dict[Hashable, Item]:
    """Find the version of each fact that counts: the highest level, then the last confirmed."""
    standing: dict[Hashable, Item] = {}
    for hit in hits:
        other = standing.setdefault(_identity(hit.item), hit.item)
        if _precedence(hit.item) > _precedence(other):
            standing[_identity(hit.item)] = hit.item
    return standing


def _identity(item: Item) -> Hashable:
    # By the kind of scope: a sender's accounts are one person; what a group says of them is another fact.
    return item.owner.scope, item.fact_key, item.person


def _precedence(item: Item) -> tuple[object, ...]:
    return item.level, item.last_confirmed_at, item.memory_id


def _saying(item: Item) -> Hashable:
    folded = unicodedata.normalize("NFKC", item.fact).casefold()
    return item.person, " ".join(folded.split()).rstrip(" .。!！;；,，")
