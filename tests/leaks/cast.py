"""Who is where: three people and a namesake, in private, in groups, on other platforms and on the web.

Beside each seat stands, in plain words, who it is and what the operator's settings make of it: the oracle
goes by these and never by what the plugin works out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level

PIRATE = "pirate"
"""A persona of the bot."""
TOOLS: Mapping[str, Level] = {"vault": Level.RESTRICTED, "crm": Level.CONFIDENTIAL, "wiki": Level.PUBLIC}
"""Tools, and what the operator makes of a conversation in which they are used."""


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One way to run the bot."""

    name: str
    unique_session: bool = False
    """Each member of a group has a session of their own there."""
    strategy: Literal["platform_user", "unified_msg_origin"] = "platform_user"
    per_persona: bool = False
    cross_group: bool = False
    linked_by_code: bool = False
    """People join their accounts themselves; else the operator does."""
    embeds: bool = False
    """There is an embedding model; else words alone find things."""

    @property
    def by_chat(self) -> bool:
        """Whether memories are kept by chat."""
        return self.strategy == "unified_msg_origin"

    def raw(self) -> Mapping[str, object]:
        """The settings as the operator writes them."""
        aliases = [] if self.linked_by_code else [self._alias("al"), self._alias("alweb")]
        return {
            "write_policy": {
                "mode": "auto",
                "max_writes_per_session": 10_000,
                "max_writes_per_hour": 100_000,
                "max_items_per_scope": 10_000,
            },
            "read_policy": {"max_tokens": 1_200},
            "extraction": {"daily_token_cap": 100_000_000},
            "identity": {
                "user_scope_strategy": self.strategy,
                "cross_platform_aliases": aliases,
                "per_persona": self.per_persona,
            },
            "levels": {
                "chats": [
                    "plat_a:GroupMessage:garden=INTERNAL",
                    "plat_a:FriendMessage:bob=CONFIDENTIAL",
                    "plat_b:FriendMessage:al=RESTRICTED",
                    "web:FriendMessage:web!alweb!2=CONFIDENTIAL",
                ],
                "tools": [f"{tool}={level.name}" for tool, level in TOOLS.items()],
                "cross_group": self.cross_group,
            },
        }

    def _alias(self, other: str) -> str:
        ends = {"al": "plat_b:{}al", "alweb": "web:{}alweb"}
        if not self.by_chat:
            return f"{ends[other].format('')}=plat_a:alice"
        own = {"al": "plat_b:FriendMessage:al", "alweb": "web:FriendMessage:web!alweb!1"}[other]
        return f"{own}=plat_a:FriendMessage:alice"


@dataclass(frozen=True, kw_only=True)
class Seat:
    """Somebody in some chat."""

    chat: Chat
    who: str
    """Whose memory this is: a person, or by chat whatever is one chat."""
    room: str
    """Where it is: one name for all who are in it."""
    floor: Level
    own_scope: str
    """Where rows of one's own may lie."""
    group_scope: str = ""
    project: str = ""

    @property
    def private(self) -> bool:
        """Whether nobody else reads along."""
        return not self.group_scope

    @property
    def persona(self) -> str:
        """Who answers."""
        return self.chat.persona_id


@dataclass
class Cast:
    """Everybody's seats in a variant."""

    variant: Variant
    seats: Sequence[Seat] = field(init=False)

    def __post_init__(self) -> None:
        plain = [*self._private(), *self._grouped()]
        pirates = [_with_pirate(seat) for seat in plain] if self.variant.per_persona else []
        self.seats = [*plain, *pirates]

    def at(self, who: str, room: str) -> Seat:
        """The seat of this sender in this room, under the default persona."""
        return next(
            seat
            for seat in self.seats
            if seat.chat.sender_id == who and seat.room == room and not seat.persona
        )

    def scopes_of(self, seat: Seat) -> set[str]:
        """Where the memories of whoever sits there may lie."""
        return {each.own_scope for each in self.seats if each.who == seat.who}

    def part(self, scope: str, now: str) -> None:
        """Whoever has this scope is somebody else from now on."""
        self.seats = [replace(each, who=now) if each.own_scope == scope else each for each in self.seats]

    def _private(self) -> Iterator[Seat]:
        yield self._alone("alice", "plat_a", "alice", "alice", Level.INTERNAL)
        yield self._alone("alice", "plat_b", "al", "al", Level.RESTRICTED)
        yield self._alone("alice", "web", "alweb", "web!alweb!1", Level.INTERNAL)
        yield self._alone("alice", "web", "alweb", "web!alweb!2", Level.CONFIDENTIAL, project="boat")
        yield self._alone("bob", "plat_a", "bob", "bob", Level.CONFIDENTIAL)
        yield self._alone("bobweb", "web", "bobweb", "web!bobweb!1", Level.INTERNAL, project="shed")
        yield self._alone("carol", "plat_a", "carol", "carol", Level.INTERNAL)
        yield self._alone("namesake", "plat_b", "alice", "alice", Level.INTERNAL)

    def _grouped(self) -> Iterator[Seat]:
        for sender in ("alice", "bob", "carol"):
            yield self._among(sender, "plat_a", sender, "kitchen", Level.PUBLIC)
            yield self._among(sender, "plat_a", sender, "garden", Level.INTERNAL)
        yield self._among("alice", "plat_b", "al", "kitchen", Level.PUBLIC)
        yield self._among("namesake", "plat_b", "alice", "kitchen", Level.PUBLIC)

    def _alone(
        self, person: str, platform: str, sender: str, session: str, floor: Level, *, project: str = ""
    ) -> Seat:
        umo = f"{platform}:FriendMessage:{session}"
        joined = person != "alice" or session != "web!alweb!2" or not self.variant.by_chat
        return Seat(
            chat=_chat(umo, platform, sender, project=project),
            who=person if joined else umo,
            room=umo,
            floor=floor,
            own_scope=umo if self.variant.by_chat else f"{platform}:{sender}",
            project=project and f"{platform}:{project}",
        )

    def _among(self, person: str, platform: str, sender: str, group: str, floor: Level) -> Seat:
        session = group
        if self.variant.unique_session:
            # On some platforms the session is the member's in all groups, on others in this one.
            session = sender if platform == "plat_a" else f"{sender}_{group}"
        umo = f"{platform}:GroupMessage:{session}"
        by_chat = f"{umo}:{sender}"
        return Seat(
            chat=_chat(umo, platform, sender, group=group),
            who=by_chat if self.variant.by_chat else person,
            room=f"{platform}:GroupMessage:{group}",
            floor=floor,
            own_scope=by_chat if self.variant.by_chat else f"{platform}:{sender}",
            group_scope=f"{platform}:GroupMessage:{group}",
        )


def _chat(umo: str, platform: str, sender: str, *, group: str = "", project: str = "") -> Chat:
    return Chat(
        umo=umo,
        platform_id=platform,
        sender_id=sender,
        sender_name=sender.title(),
        group_id=group,
        conversation_id=f"{umo}-1",
        project_id=project,
    )


def _with_pirate(seat: Seat) -> Seat:
    return replace(
        seat,
        chat=replace(seat.chat, persona_id=PIRATE, conversation_id=f"{seat.chat.umo}-pirate"),
        own_scope=f"!p{PIRATE}:{seat.own_scope}",
        group_scope=seat.group_scope and f"!p{PIRATE}:{seat.group_scope}",
    )


VARIANTS = (
    Variant(name="usual", embeds=True),
    Variant(name="unique sessions, linked by code", unique_session=True, linked_by_code=True, embeds=True),
    Variant(name="by chat", strategy="unified_msg_origin"),
    Variant(name="by chat, unique sessions", strategy="unified_msg_origin", unique_session=True, embeds=True),
    Variant(name="personas", per_persona=True, embeds=True),
    Variant(name="groups open to each other", cross_group=True),
)
