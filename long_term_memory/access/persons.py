"""Everything that stands for one person in the store, under whatever rules it was kept (design 6.1, 9.6)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import get_args

from ..domain.chat import Chat, ScopeRef
from ..domain.words import Scope
from .identity import IdentityRules, UserScopeStrategy, account_of, sender_of
from .ids import escaped
from .personas import without_persona

_KINDS_OF_GROUPS = ("GroupMessage", "OtherMessage")


@dataclass(frozen=True, kw_only=True)
class Person:
    """All accounts of a person. The scopes that personas keep of them are theirs too."""

    ids: frozenset[str]
    """The ids of their scopes, by either strategy."""
    in_groups: frozenset[tuple[str, str]]
    """How the id of a scope begins and ends that is theirs in one group."""
    senders: frozenset[tuple[str, str]]
    """Platform and sender of each account."""
    chats: frozenset[str]
    """The origins of their private chats, as far as they follow from the accounts."""

    def owns(self, ref: ScopeRef) -> bool:
        """Whether this is a user's scope and theirs."""
        own = without_persona(ref).scope_id
        in_group = any(own.startswith(begin) and own.endswith(end) for begin, end in self.in_groups)
        return ref.scope is Scope.USER and (own in self.ids or in_group)


def person_of(chat: Chat, rules: IdentityRules) -> Person:
    """Who speaks, with all accounts joined to theirs."""
    return _person(_ids_of(chat), rules, chats=[chat.umo] if chat.private else [])


def person_named(account: str, rules: IdentityRules) -> Person | None:
    """Whose account `platform_id:sender_id` is, with all that are joined to it; None when it names nobody."""
    return _person([account], rules) if sender_of(account) else None


def _person(accounts: Iterable[str], rules: IdentityRules, *, chats: Iterable[str] = ()) -> Person:
    ids, new = set[str](), set(accounts)
    while new:
        ids |= new
        forms = {form for sender in _senders(new) for form in _ids_of(_private_chat(*sender))} | new
        new = {one for form in forms for one in (form, *rules.joined.get(form, ()))} - ids
    senders = _senders(ids)
    return Person(
        ids=frozenset(ids),
        in_groups=frozenset(
            (f"{escaped(platform)}:{kind}:", f":{escaped(sender)}")
            for platform, sender in senders
            for kind in _KINDS_OF_GROUPS
        ),
        senders=frozenset(senders),
        chats=frozenset({*chats, *(_private_chat(*sender).umo for sender in senders)}),
    )


def _senders(accounts: Iterable[str]) -> set[tuple[str, str]]:
    return {sender for sender in map(sender_of, accounts) if sender}


def _ids_of(chat: Chat) -> set[str]:
    """What the speaker is called under each strategy."""
    strategies: tuple[UserScopeStrategy, ...] = get_args(UserScopeStrategy.__value__)
    return {account_of(chat, IdentityRules(user_scope_strategy=each)) for each in strategies}


def _private_chat(platform_id: str, sender_id: str) -> Chat:
    """The private chat with this sender, as the host names it."""
    return Chat(
        umo=f"{platform_id}:FriendMessage:{sender_id}",
        platform_id=platform_id,
        sender_id=sender_id,
        sender_name="",
        group_id="",
        conversation_id="",
    )
