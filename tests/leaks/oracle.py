"""Who may see what, from its rules alone: a list of what was said where, at which level.

Nothing here comes from the plugin but the four names of the levels.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from astrbot_plugin_ltm.long_term_memory.domain.enums import Level

from tests.leaks.canaries import Pair
from tests.leaks.cast import Seat, Variant

EVERYBODY = "everybody"


@dataclass(kw_only=True)
class Fact:
    """Something that is remembered."""

    pair: Pair
    whose: str
    """A person's (`Seat.who`), a group's or a project's (`Seat.room`, `Seat.project`), or everybody's."""
    level: Level
    groups: frozenset[str] = frozenset()
    """The rooms of the groups it was said in."""
    by: str = ""
    """Who told it (`Seat.who`)."""
    persona: str = ""
    """The persona it was told to; the default one's are for all of them."""
    only_in: str = ""
    """The one room where it is read; empty where nothing of the kind binds it."""
    everywhere: bool = False
    shared: bool = False
    """By the person: whatever it was told at, it is PUBLIC until that is taken back."""
    gone: bool = False
    row: str = ""
    """The id of its row, where it was laid down and not told."""
    key: str = ""
    """The one a model has chosen for it."""
    kept_in: str = ""
    """The scope its row was laid down in; what was told is kept by whoever is `whose`."""
    told_as: str = ""
    """The scope of who told it, where its row was laid down."""


@dataclass(frozen=True, kw_only=True)
class Utterance:
    """Words that were said in a chat, by whoever."""

    pair: Pair
    by: str
    """Who said them (`Seat.who`); empty for the bot and its tools."""
    beside: str
    """Whose chat it was, where nobody else reads along; else empty."""
    room: str
    """The group; the project; else empty."""
    level: Level
    in_group: bool = False
    persona: str = ""
    kept_in: str = ""
    """As of a fact."""


@dataclass
class Oracle:
    """Everything that was said, and who may be shown it."""

    variant: Variant
    facts: list[Fact] = field(default_factory=list[Fact])
    utterances: list[Utterance] = field(default_factory=list[Utterance])
    _known: set[str] = field(default_factory=set[str])
    _counted: tuple[int, int] = (0, 0)
    _raised: dict[tuple[str, str], Level] = field(default_factory=dict[tuple[str, str], Level])

    def level(self, seat: Seat) -> Level:
        """The session's: its floor, or what the tools used in this conversation made of it.

        Where the host knows of no conversation a tool counts for its own turn alone.
        """
        raised = self._raised.get((seat.chat.umo, seat.chat.conversation_id), Level.PUBLIC)
        return max(seat.floor, raised, seat.chat.raised)

    def used(self, seat: Seat, level: Level) -> None:
        """A tool of this level was used in this conversation: it never falls again."""
        where = seat.chat.umo, seat.chat.conversation_id
        if seat.chat.conversation_id:
            self._raised[where] = max(level, self._raised.get(where, Level.PUBLIC))

    def erased(self, whose: Iterable[str]) -> None:
        """All of these is gone: what is remembered of them, what they told, and every chat with them."""
        gone = set(whose)
        self.known()
        self.facts[:] = [fact for fact in self.facts if not gone & {fact.whose, fact.by}]
        self.utterances[:] = [each for each in self.utterances if not gone & {each.by, each.beside}]
        self._counted = len(self.facts), len(self.utterances)

    def parted(self, scope: str, now: str) -> None:
        """An account stands alone again: what was laid down as its own is its own, what was told is not."""
        for fact in self.facts:
            if fact.kept_in == scope:
                fact.whose = now
            if fact.told_as == scope:
                fact.by = now
        self.utterances[:] = [
            replace(each, by=now, beside=each.beside and now) if each.kept_in == scope else each
            for each in self.utterances
        ]

    def remembered(self, seat: Seat) -> set[str]:
        """What a reply here may tell of what is remembered."""
        level = self.level(seat)
        return {fact.pair.canary for fact in self.facts if self._may(fact, seat, level)}

    def own(self, seat: Seat, *, of_every_persona: bool = False) -> set[str]:
        """The same of what is the speaker's, or the project's, or what they alone told this group of it."""
        level, whose = self.level(seat), {seat.who, seat.project or seat.who}
        return {
            fact.pair.canary
            for fact in self.facts
            if fact.whose in whose or (fact.by == seat.who and not seat.private and fact.whose == seat.room)
            if self._may(fact, seat, level, of_every_persona=of_every_persona)
        }

    def at_this_level(self, seat: Seat) -> set[str]:
        """What saving here may take the place of, seen from here or not: a key is had once at a level."""
        level = self.level(seat)
        own = (fact for fact in self.facts if fact.whose == seat.who and not fact.gone)
        return {fact.pair.canary for fact in own if fact.level == level or fact.shared}

    def said(self, seat: Seat) -> set[str]:
        """What a search of the transcript may find here."""
        level = self.level(seat)
        return {each.pair.canary for each in self.utterances if self._may_hear(each, seat, level)}

    def said_by_oneself(self, seat: Seat) -> set[str]:
        """The speaker's own words that may be given here as what came to no memory."""
        level = self.level(seat)
        heard = (each for each in self.utterances if self._may_hear(each, seat, level))
        return {each.pair.canary for each in heard if each.by == seat.who}

    def quotable(self, seat: Seat, *, of_every_persona: bool = False) -> set[str]:
        """The words that may be given here as the reason for a memory."""
        level = self.level(seat)
        return {
            each.pair.canary
            for each in self.utterances
            if self._may_hear(each, seat, level, of_every_persona=of_every_persona)
            or self._is_open(each, seat, level)
        }

    def of_scope(self, whose: Iterable[str]) -> set[str]:
        """What an operator is shown who asks for the memories of these."""
        wanted = set(whose)
        return {fact.pair.canary for fact in self.facts if fact.whose in wanted}

    def about(self, canary: str) -> list[Fact]:
        """What holds this word."""
        return [fact for fact in self.facts if fact.pair.canary == canary]

    def known(self) -> set[str]:
        """Every canary there is."""
        new = (*self.facts[self._counted[0] :], *self.utterances[self._counted[1] :])
        self._counted = len(self.facts), len(self.utterances)
        self._known |= {each.pair.canary for each in new}
        return self._known

    def _may(self, fact: Fact, seat: Seat, level: Level, *, of_every_persona: bool = False) -> bool:
        if fact.gone or (fact.level > level and not fact.shared):
            return False
        if fact.only_in and fact.only_in != seat.room:
            return False
        if not (of_every_persona or fact.persona in ("", seat.persona)):
            return False
        if fact.whose != seat.who:
            return fact.whose == EVERYBODY or fact.whose in (seat.room, seat.project)
        if seat.private or fact.everywhere or seat.room in fact.groups:
            return True
        return self.variant.cross_group and bool(fact.groups)

    def _may_hear(self, each: Utterance, seat: Seat, level: Level, *, of_every_persona: bool = False) -> bool:
        if each.level > level:
            return False
        if each.room and each.room == seat.project:
            return True
        if not (of_every_persona or each.persona in ("", seat.persona)):
            return False
        if not seat.private:
            return each.room == seat.room
        return seat.who in (each.by, each.beside)

    def _is_open(self, each: Utterance, seat: Seat, level: Level) -> bool:
        """Whether the operator lets the speaker's own words in another group be quoted in this one."""
        own = each.by == seat.who and each.in_group and each.level <= level
        return self.variant.cross_group and not seat.private and own
