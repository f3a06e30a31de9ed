"""Who somebody is to the memory: from a chat to the ids of scopes.

Two different people never get one id, whatever characters their ids hold. That rests on three rules:

- A platform id holds no `:` (the host replaces it; should one hold it all the same, it is escaped), so the
  first `:` ends it.
- A chat's id goes on with the kind of its messages. A sender id that would read like that is escaped.
- A sender id behind a chat's id holds no `:` (escaped), so the last `:` begins it.

A persona with memories of its own (`identity.per_persona`) keeps them in a scope beside the one without a
persona, `!p{persona}:{id}`. No other id begins like that, for in an escaped platform id `!` is followed by
`!` or `.`; and the persona is escaped as well, so the first `:` ends it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from ..domain.chat import Chat, ScopeRef
from ..domain.enums import Scope
from .accounts import Joined, join_accounts

type UserScopeStrategy = Literal["platform_user", "unified_msg_origin"]

GLOBAL = ScopeRef(scope=Scope.GLOBAL, scope_id="global")
"""The one scope that everybody reads."""

_MARKED = re.compile(r"!([!.])")
MARK = "!p"
"""How the ids of personas' scopes begin."""
_KIND_OF_CHAT = re.compile(r"(?:Friend|Group|Other)Message(?=:)")
_LIKE_A_CHAT = re.compile(r"!*(?:Friend|Group|Other)Message:")


@dataclass(frozen=True, kw_only=True)
class IdentityRules:
    """How people are told apart and joined: by the operator, and by themselves."""

    user_scope_strategy: UserScopeStrategy = "platform_user"
    aliases: Mapping[str, str] = field(default_factory=dict[str, str])
    """Account to the account it belongs to, such as `plat_b:bob2` to `plat_a:bob`; chains are followed."""
    include_legacy_umo_on_read: bool = True
    per_persona: bool = False
    """Whether each persona of the bot, the default one excepted, has memories of its own."""
    links: Mapping[str, str] = field(default_factory=dict[str, str])
    """As `aliases`, but made by people who proved by a code that both accounts are theirs."""

    @cached_property
    def joined(self) -> Joined:
        """Each joined account to its whole group, the one that stands for all of them first."""
        return join_accounts(self.aliases, self.links)

    @cached_property
    def joined_by_operator(self) -> Joined:
        """The same by aliases alone: what nobody can undo by a command."""
        return join_accounts(self.aliases, {})


def account_of(chat: Chat, rules: IdentityRules) -> str:
    """Name the account that speaks, whoever it is joined to."""
    chat_id = _chat_id(chat) if rules.user_scope_strategy == "unified_msg_origin" else None
    if chat_id is None:
        sender = f"!{chat.sender_id}" if _LIKE_A_CHAT.match(chat.sender_id) else chat.sender_id
        return f"{escaped(chat.platform_id)}:{sender}"
    # All members share the group's umo: alone it would make one person of them.
    return chat_id if chat.private else f"{chat_id}:{escaped(chat.sender_id)}"


def user_scopes(chat: Chat, rules: IdentityRules) -> tuple[ScopeRef, ...]:
    """Name the scopes of the sender: first the one that is written to, then those of joined accounts."""
    own = account_of(chat, rules)
    return tuple(ScopeRef(scope=Scope.USER, scope_id=each) for each in rules.joined.get(own, (own,)))


def group_scope(chat: Chat) -> ScopeRef | None:
    """Name the scope of the group: one for all members, even where the host keeps a session for each.

    None in a private chat.
    """
    if chat.private:
        return None
    kind = _kind(chat) or "GroupMessage"
    return ScopeRef(scope=Scope.GROUP, scope_id=f"{escaped(chat.platform_id)}:{kind}:{chat.group_id}")


def project_scope(chat: Chat) -> ScopeRef | None:
    """Name the scope of the web chat's project; None outside one. No group is in a project."""
    if not chat.private or not chat.project_id:
        return None
    return ScopeRef(scope=Scope.PROJECT, scope_id=f"{escaped(chat.platform_id)}:{chat.project_id}")


def legacy_scope(chat: Chat, rules: IdentityRules) -> ScopeRef | None:
    """Name the scope of a private chat as `unified_msg_origin` had it; None where that is not read."""
    chat_id = _chat_id(chat)
    if not rules.include_legacy_umo_on_read or not chat.private or chat_id is None:
        return None
    return ScopeRef(scope=Scope.USER, scope_id=chat_id)


def sender_of(account: str) -> tuple[str, str] | None:
    """The platform and the sender that this account is of, by either strategy; None when it names nobody.

    Of a private chat's id that is who the chat is with: the host names it so.
    """
    platform, _, rest = account.partition(":")
    sender = rest
    if found := _KIND_OF_CHAT.match(rest):
        chat = rest[found.end() + 1 :]
        if found.group() == "FriendMessage":
            sender = chat
        else:
            group, _, member = chat.rpartition(":")
            sender = unescaped(member) if group else ""
    elif _LIKE_A_CHAT.match(rest):
        sender = rest[1:]
    return (unescaped(platform), sender) if platform and sender else None


def _chat_id(chat: Chat) -> str | None:
    """Give the umo; None when it is not of the host's form, and so names nobody for certain."""
    kind = _kind(chat)
    if kind is None or (kind == "FriendMessage") != chat.private:
        return None
    return escaped(chat.platform_id) + chat.umo[len(chat.platform_id) :]


def _kind(chat: Chat) -> str | None:
    platform = f"{chat.platform_id}:"
    found = _KIND_OF_CHAT.match(chat.umo, len(platform)) if chat.umo.startswith(platform) else None
    return found and found.group()


def of_persona(ref: ScopeRef, persona_id: str) -> ScopeRef:
    """The scope in which this persona keeps what belongs to `ref`; `ref` itself for the default persona."""
    return replace(ref, scope_id=f"{MARK}{escaped(persona_id)}:{ref.scope_id}") if persona_id else ref


def persona_of(ref: ScopeRef) -> str:
    """The persona that keeps this scope; empty when it is without one."""
    return unescaped(ref.scope_id[len(MARK) :].partition(":")[0]) if ref.scope_id.startswith(MARK) else ""


def without_persona(ref: ScopeRef) -> ScopeRef:
    """The scope of the same person or group without a persona."""
    return replace(ref, scope_id=ref.scope_id.partition(":")[2]) if ref.scope_id.startswith(MARK) else ref


def escaped(part: str) -> str:
    """Rid the part of `:`, one to one; the host keeps `!` out of platform ids, so those stay the same."""
    return part.replace("!", "!!").replace(":", "!.")


def unescaped(part: str) -> str:
    """The part as it was."""
    return _MARKED.sub(lambda found: "!" if found[1] == "!" else ":", part)
