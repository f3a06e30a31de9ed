"""People and chats by their ids alone: all that stands for one person, a chat as named."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import get_args

from ..domain.chat import Chat, ScopeRef
from ..domain.enums import Level, Scope
from ..domain.errors import InvalidInputError
from .identity import IdentityRules, UserScopeStrategy, account_of, escaped, sender_of, without_persona

_PLACE = re.compile(r"(?P<kind>Friend|Group|Other)Message:(?P<session>.+)", re.DOTALL)
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


def is_of_group(umo: str) -> bool:
    """Whether this is the origin of a group."""
    return umo.partition(":")[2].partition(":")[0] in _KINDS_OF_GROUPS


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
        forms = {form for sender in _senders(new) for form in _ids_of(private_chat(*sender))} | new
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
        chats=frozenset({*chats, *(private_chat(*sender).umo for sender in senders)}),
    )


def _senders(accounts: Iterable[str]) -> set[tuple[str, str]]:
    return {sender for sender in map(sender_of, accounts) if sender}


def _ids_of(chat: Chat) -> set[str]:
    """What the speaker is called under each strategy."""
    strategies: tuple[UserScopeStrategy, ...] = get_args(UserScopeStrategy.__value__)
    return {account_of(chat, IdentityRules(user_scope_strategy=each)) for each in strategies}


def private_chat(platform_id: str, sender_id: str) -> Chat:
    """The private chat with this sender, as the host names it."""
    return Chat(
        umo=f"{platform_id}:FriendMessage:{sender_id}",
        platform_id=platform_id,
        sender_id=sender_id,
        sender_name="",
        group_id="",
        conversation_id="",
    )


def chat_of(account: str) -> Chat:
    """The private chat with an account. Raises InvalidInputError when it is none."""
    sender = sender_of(account)
    if sender is None:
        raise InvalidInputError("account", "must name an account, as `platform:user` does")
    return private_chat(*sender)


def chat_named(account: str, umo: str, *, known_as: ScopeRef | None = None, raised: Level) -> Chat:
    """The chat in which the account `platform_id:sender_id` speaks at the origin `umo`.

    `known_as` is the scope of the group or project under which things said there were kept: where each member
    of a group has a session of their own, the origin does not tell the group. Without it the session stands
    for the group, as the host has it for a group without an id. Raises InvalidInputError.
    """
    alone = chat_of(account)
    begin = f"{alone.platform_id}:"
    place = _PLACE.fullmatch(umo, len(begin)) if umo.startswith(begin) else None
    if place is None:
        raise InvalidInputError(
            "umo", "must name a chat of the account's platform, as `platform:FriendMessage:session` does"
        )
    private = place["kind"] == "Friend"
    return replace(
        alone,
        umo=umo,
        group_id="" if private else _inner_id(known_as, Scope.GROUP, parts=2) or place["session"],
        project_id=_inner_id(known_as, Scope.PROJECT, parts=1) if private else "",
        raised=raised,
    )


def _inner_id(ref: ScopeRef | None, scope: Scope, *, parts: int) -> str:
    """What follows so many parts of the id, if it is of such a scope."""
    if ref is None or ref.scope is not scope:
        return ""
    return "".join(without_persona(ref).scope_id.split(":", parts)[parts:])
