"""Mistakes made on purpose: each is one that a real gatekeeper could make, and the matrix has to see it."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import replace

from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, Chat, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, Scope
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.manager.access_resolver import AccessResolver

from tests.leaks.cast import Cast
from tests.leaks.stage import Stage

type Mistake = Callable[[Access, Chat, Cast], Access]


class Mistaken(AccessResolver):
    """The real rules, and a mistake made with what they come to."""

    @classmethod
    def instead_of(cls, resolver: AccessResolver, mistake: Mistake, cast: Cast) -> "Mistaken":
        """Shares all that the real one knows, so that what others tell that one is known here."""
        own = object.__new__(cls)
        own.__dict__ = resolver.__dict__
        cls._mistake, cls._cast = staticmethod(mistake), cast
        return own

    _mistake: Mistake
    _cast: Cast

    def access(self, chat: Chat) -> Access:
        return self._mistake(super().access(chat), chat, self._cast)


@contextmanager
def mistaken(stage: Stage, mistake: Mistake) -> Generator[None]:
    """A memory that makes this mistake, on the same store."""
    right, parts = stage.memory, stage.parts
    resolver = Mistaken.instead_of(parts.resolver, mistake, stage.cast)
    wrong = copy(parts)
    wrong.resolver = resolver
    stage.take(LTMManager(wrong))
    try:
        yield
    finally:
        stage.take(right)


def _audience(access: Access, _chat: Chat, _cast: Cast) -> Access:
    return replace(access, private=True)


def _level(access: Access, _chat: Chat, _cast: Cast) -> Access:
    return replace(access, level=Level.RESTRICTED)


def _one_level(access: Access, _chat: Chat, _cast: Cast) -> Access:
    return replace(access, level=Level(min(access.level + 1, Level.RESTRICTED)))


def _other_group(access: Access, _chat: Chat, cast: Cast) -> Access:
    groups = {seat.group_scope for seat in cast.seats if seat.group_scope}
    others = tuple(ScopeRef(scope=Scope.GROUP, scope_id=each) for each in sorted(groups))
    return replace(access, also_here=others if access.group else ())


def _platform(access: Access, chat: Chat, cast: Cast) -> Access:
    """Whoever has the same id on another platform passes for the same."""
    same = {seat.own_scope for seat in cast.seats if seat.chat.sender_id == chat.sender_id}
    refs = (ScopeRef(scope=Scope.USER, scope_id=each) for each in sorted(same))
    return replace(access, readable=(*access.readable, *refs))


def _in_private(access: Access, _chat: Chat, cast: Cast) -> Access:
    """In private everybody reads everybody's."""
    refs = (ScopeRef(scope=Scope.USER, scope_id=seat.own_scope) for seat in cast.seats)
    return replace(access, readable=(*access.readable, *refs)) if access.private else access


def _groups_are_one(access: Access, _chat: Chat, _cast: Cast) -> Access:
    return replace(access, cross_group=not access.private)


MISTAKES: Mapping[str, Mistake] = {
    "every chat is private": _audience,
    "every level is read": _level,
    "one level too many is read": _one_level,
    "all groups are one": _other_group,
    "groups are open to each other without being asked": _groups_are_one,
    "ids are taken for persons": _platform,
    "everybody is one in private": _in_private,
}


@contextmanager
def deaf(stage: Stage) -> Generator[None]:
    """A memory that is told nothing of what is written."""
    changes = stage.store._database.change_feed  # pyright: ignore[reportPrivateUsage] - who tells it
    listeners = dict(changes._listeners)  # pyright: ignore[reportPrivateUsage]
    changes._listeners.clear()  # pyright: ignore[reportPrivateUsage]
    try:
        yield
    finally:
        changes._listeners.update(listeners)  # pyright: ignore[reportPrivateUsage]
