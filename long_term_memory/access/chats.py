"""A chat as an operator names it: by an account and a place, with nothing of the host's at hand."""

import re

from ..domain.chat import Chat, ScopeRef
from ..domain.errors import InvalidInputError
from ..domain.words import Level, Scope
from .identity import sender_of
from .personas import without_persona

_PLACE = re.compile(r"(?P<kind>Friend|Group|Other)Message:(?P<session>.+)", re.DOTALL)


def chat_named(account: str, umo: str, *, known_as: ScopeRef | None = None, raised: Level) -> Chat:
    """The chat in which the account `platform_id:sender_id` speaks at the origin `umo`.

    `known_as` is the scope of the group or project under which things said there were kept: where each member
    of a group has a session of their own, the origin does not tell the group. Without it the session stands
    for the group, as the host has it for a group without an id. Raises InvalidInputError.
    """
    sender = sender_of(account)
    if sender is None:
        raise InvalidInputError("account", "must name an account, as `platform:user` does")
    platform_id, sender_id = sender
    place = (
        _PLACE.fullmatch(umo.removeprefix(f"{platform_id}:")) if umo.startswith(f"{platform_id}:") else None
    )
    if place is None:
        raise InvalidInputError(
            "umo", "must name a chat of the account's platform, as `platform:FriendMessage:session` does"
        )
    private = place["kind"] == "Friend"
    return Chat(
        umo=umo,
        platform_id=platform_id,
        sender_id=sender_id,
        sender_name="",
        group_id="" if private else _inner_id(known_as, Scope.GROUP, parts=2) or place["session"],
        conversation_id="",
        project_id=_inner_id(known_as, Scope.PROJECT, parts=1) if private else "",
        raised=raised,
    )


def _inner_id(ref: ScopeRef | None, scope: Scope, *, parts: int) -> str:
    """What follows so many parts of the id, if it is of such a scope."""
    if ref is None or ref.scope is not scope:
        return ""
    return "".join(without_persona(ref).scope_id.split(":", parts)[parts:])
