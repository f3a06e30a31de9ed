"""Which accounts are one person: the operator's aliases, and the links people made by a code.

Aliases and links both lead from an account to the one it belongs to, and chains may mix both. The direction
only decides which account is written to, not who is joined; nor does the order of the links.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping

type Joined = Mapping[str, tuple[str, ...]]
"""Maps each joined account to all accounts of its person; the first one is written to."""


def join_accounts(aliases: Mapping[str, str], links: Mapping[str, str]) -> Joined:
    """Who is joined by aliases and links together."""
    accounts = {*aliases, *aliases.values(), *links, *links.values()}
    heads = {account: _end(account, aliases) for account in accounts}
    ties = {(heads[one], heads[other]) for one, other in links.items() if heads[one] != heads[other]}
    led_on = {one for one, _ in ties}
    members: dict[str, list[str]] = defaultdict(list)
    for account in sorted(heads):
        members[heads[account]].append(account)
    person_of = {one: frozenset([one]) for one in members}
    for one, other in ties:
        person = person_of[one] | person_of[other]
        person_of |= dict.fromkeys(person, person)
    joined: dict[str, tuple[str, ...]] = {}
    for person in {*person_of.values()}:
        head = min(person - led_on or person)
        others = sorted(account for one in person for account in members[one] if account != head)
        joined |= dict.fromkeys((head, *others), (head, *others))
    return joined


def with_link(links: Mapping[str, str], person: Collection[str], to: str) -> Mapping[str, str]:
    """The links after all accounts of `person` are linked to `to`, an account of somebody else.

    Each link leads straight to its end afterwards, so that one account can leave without parting others.
    `person` begins with the account that is written to.
    """
    ends = {end for link in links.items() for end in link if end in person}
    return {**links, **dict.fromkeys({next(iter(person)), *ends}, to)}


def without_links(links: Mapping[str, str], accounts: Collection[str]) -> Mapping[str, str]:
    """The links after these accounts left; those that were linked to them stay joined to each other."""
    left = {account: to for account, to in links.items() if account not in accounts}
    orphans = {account for account, to in left.items() if to in accounts}
    if not orphans:
        return left
    parents = {to for account, to in links.items() if account in accounts and to not in accounts}
    head = min(parents or orphans)
    moved = {account: head if account in orphans else to for account, to in left.items()}
    return {account: to for account, to in moved.items() if account != to}


def _end(account: str, aliases: Mapping[str, str]) -> str:
    """Follow the chain of aliases to its end; in a cycle, take the first name."""
    path: dict[str, int] = {}
    while account in aliases and account not in path:
        path[account] = len(path)
        account = aliases[account]
    return min(list(path)[path[account] :]) if account in path else account
