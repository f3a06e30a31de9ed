"""What a memory promises about what it was told, as plainly as it can be said.

It is written from what people are told and shares nothing with the code but the names of
levels, types and states. It is a list of facts: a fact is one for its owner and its level; where its words
were said decides where it surfaces.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat
from astrbot_plugin_ltm.long_term_memory.domain.enums import Status

from tests.torture.model.acts import Act
from tests.torture.model.facts import Fact, Said
from tests.torture.model.people import ALICE, ALICIA, account, level, place
from tests.torture.model.statements import Statement

_MET_FIRST = (
    *(Status.ACTIVE, Status.PENDING, Status.DISABLED),
    *(Status.DELETED, Status.EXPIRED, Status.SUPERSEDED),
)
"""Which of several is meant: what is in use, then what was forgotten."""


@dataclass
class Promise:
    """All that is known."""

    facts: list[Fact] = field(default_factory=list[Fact])
    said: list[Said] = field(default_factory=list[Said])
    unread: list[Said] = field(default_factory=list[Said])
    """What no model has read yet."""
    paused: set[str] = field(default_factory=set[str])
    """Accounts and groups."""
    joined: bool = False
    """Whether Alice's two accounts are one person."""
    read_only: bool = False
    acts: Counter[Act] = field(default_factory=Counter[Act])
    """What has come to something since somebody looked."""

    def accounts(self, chat: Chat) -> Sequence[str]:
        """All accounts of who speaks there, the one that is written to first."""
        both = (account(ALICE), account(ALICIA))
        return both if self.joined and account(chat) in both else (account(chat),)

    def is_paused(self, chat: Chat) -> bool:
        """Whether nothing is learnt or recalled there."""
        return bool(self.paused & {*self.accounts(chat), place(chat)})

    def hear(self, chat: Chat, text: str, what: Statement, at: datetime) -> None:
        """Somebody says something to the bot."""
        if self.read_only or self.is_paused(chat):
            return
        said = self._recorded(chat, text, what, at)
        self.unread.append(said)
        self.acts[Act.RECORD] += 1
        if what.at_once:
            self._learn(said, at)

    def read(self, now: datetime) -> None:
        """A model reads all that waits but of the paused, first in the chat where it has waited longest."""
        if self.read_only:
            return
        waiting = [one for one in self.unread if not self.paused & {one.owner, one.place}]
        self.unread = [one for one in self.unread if one not in waiting]
        since = {one.chat.umo: one.at for one in sorted(waiting, key=lambda one: one.at, reverse=True)}
        for said in sorted(waiting, key=lambda one: (since[one.chat.umo], one.at)):
            if not (said.what.at_once or said.what.key):
                self.acts[Act.EXTRACT] += 1
                self._learn(said, now)

    def save(self, chat: Chat, text: str, what: Statement, at: datetime) -> bool:
        """Somebody asks to remember something; whether that is done."""
        if self.read_only or self.is_paused(chat):
            return False
        said = self._recorded(chat, text, what, at)
        if not what.key:
            self._learn(said, at, asked=True)
            return True
        self.unread.append(said)
        return self._put_under_key(said, at)

    def visible(self, chat: Chat) -> list[Fact]:
        """What may be used there, one of each name in all accounts: the most confidential, said last."""
        found = [one for one in self.reachable(chat) if one.status is Status.ACTIVE]
        here = sorted(found, key=lambda one: (one.level, one.last_said))
        return list({one.what.name: one for one in here}.values())

    def answered_later(self, visible: Sequence[Fact]) -> list[Fact]:
        """What a recall leaves out, since another of these answers its question later, at another level."""
        return [
            one
            for one in visible
            if one.what.question
            and any(
                (other.owner, other.what.question) == (one.owner, one.what.question)
                and other.level is not one.level
                and other.last_said > one.last_said
                for other in visible
            )
        ]

    def listed(self, chat: Chat) -> list[Fact]:
        """What the speaker's own list shows there."""
        own = self.accounts(chat)
        here = self.reachable(chat)
        in_use = [one for one in here if one.status is Status.ACTIVE]
        return [
            one
            for one in here
            if one.owner in own
            and one.live
            and not (one.status is Status.ACTIVE and self._is_outranked(one, in_use))
        ]

    def reachable(self, chat: Chat) -> list[Fact]:
        """Whatever may be told there, whatever has become of it."""
        owners, here = {*self.accounts(chat), place(chat)}, frozenset({place(chat)})
        near = [one for one in self.facts if one.owner in owners and one.level <= level(chat)]
        return near if not place(chat) else [one for one in near if one.covers(here)]

    def expire(self, now: datetime) -> None:
        """What nobody said again in time is over; what an operator switched off has no time."""
        for one in self.facts:
            if one.stands and one.ends is not None and one.ends <= now:
                one.end(Status.EXPIRED)
                self.acts[Act.EXPIRE] += 1

    def holder(self, fact: Fact) -> Fact | None:
        """The other fact in use, or waiting, that has the name, owner and level of this one."""
        return next((one for one in self.facts if one is not fact and one.live and _alike(one, fact)), None)

    def answers(self, fact: Fact) -> list[Fact]:
        """The other facts in use, or waiting, that answer the question that this one answers."""
        question = (fact.owner, fact.level, fact.what.question)
        others = [one for one in self.facts if one.stands and one.what != fact.what and fact.what.question]
        return [one for one in others if (one.owner, one.level, one.what.question) == question]

    def _recorded(self, chat: Chat, text: str, what: Statement, at: datetime) -> Said:
        said = Said(text=text, what=what, chat=chat, owner=self.accounts(chat)[0], at=at)
        self.said.append(said)
        return said

    def _learn(self, said: Said, now: datetime, *, asked: bool = False) -> None:
        """What was forgotten stays so unless it is asked for; what is doubtful bears out nothing."""
        wanted = self._new(said)
        met = self._met(wanted, lambda one: not asked or not _gone(one) or one.groups <= said.groups)
        if met and not asked and (_gone(met) or (met.live and said.what.doubtful)):
            return
        if not asked and not (met and met.live) and self._forgotten(wanted):
            return
        fact, was_live = met or wanted, bool(met and met.live)
        if met is None:
            self.facts.append(fact)
        conflicts = self.answers(fact)
        older = [
            one
            for one in conflicts
            if one.last_said <= said.at and (fact.shared or one.groups <= said.groups)
        ]
        newer = [one for one in conflicts if one.last_said > said.at and one.covers(said.groups)]
        if was_live:
            self.acts[Act.MERGE] += 1
        self._heard(fact, said, asked=asked, newer=newer)
        fact.last_until(now)
        fact.took = [*(fact.took if was_live else ()), *older]
        if fact.status is Status.ACTIVE:
            waited_for = [one for one in fact.took if fact.shared or one.groups <= fact.groups]
            self._displace([*older, *waited_for], fact)

    def _heard(self, fact: Fact, said: Said, *, asked: bool, newer: Sequence[Fact]) -> None:
        """It rests on these words as well, and comes into use unless something stands in its way."""
        fact.said.append(said)
        kept = fact.live and (fact.status is not Status.PENDING or not (fact.in_doubt or asked) or newer)
        if kept and len(fact.said) > 1:
            return
        fact.shared &= fact.status is not Status.DELETED
        fact.in_doubt, fact.left_for = said.what.doubtful and not asked, None
        fact.status = Status.PENDING if fact.in_doubt or said.what.waits else Status.ACTIVE
        outdated = [one for one in newer if one.status is Status.ACTIVE]
        if outdated and not fact.in_doubt:
            fact.leave_for(outdated[0])
            outdated[0].took.append(fact)

    def _put_under_key(self, said: Said, now: datetime) -> bool:
        """Whatever has the key at this level leaves for it, unless an operator switched that off."""
        wanted = self._new(said)
        held = [one for one in self.facts if _alike(one, wanted)]
        holder = next((one for one in held if one.live), held[-1] if held else None)
        if holder and holder.status is Status.DISABLED:
            return False
        same = holder is not None and holder.what == said.what
        known_here = holder is not None and holder.groups <= said.groups
        if holder and same and (known_here or (holder.live and not holder.in_doubt)):
            wanted, left = holder, []
            wanted.shared &= wanted.status is not Status.DELETED
        else:
            self.facts.append(wanted)
            left = [holder] if holder and holder.stands else []
            wanted.took = left
        wanted.said.append(said)
        wanted.use(now)
        self._displace(left, wanted)
        return True

    def _displace(self, facts: Sequence[Fact], by: Fact) -> None:
        for one in facts:
            if one.stands:
                one.leave_for(by)
                self.acts[Act.SUPERSEDE] += 1

    def _new(self, said: Said) -> Fact:
        """What it would be if nothing were known."""
        return Fact(
            owner=said.place if said.what.person and said.place else said.owner,
            level=said.level,
            what=said.what,
            type=said.what.type,
            status=Status.PENDING,
            said=[],
            stays=said.what.stays,
        )

    def _met(self, wanted: Fact, may_be: Callable[[Fact], bool]) -> Fact | None:
        found = [one for one in self.facts if _alike(one, wanted) and may_be(one)]
        return min(reversed(found), key=lambda one: _MET_FIRST.index(one.status), default=None)

    def _forgotten(self, wanted: Fact) -> bool:
        """Whether it was forgotten at whatever level, and not asked for there since."""
        names = (wanted.owner, wanted.what.name)
        gone = [one for one in self.facts if _gone(one) and (one.owner, one.what.name) == names]
        return any(self.holder(one) is None for one in gone)

    def _is_outranked(self, fact: Fact, among: Sequence[Fact]) -> bool:
        return any(one.what.name == fact.what.name and one.level > fact.level for one in among)


def _alike(one: Fact, other: Fact) -> bool:
    return (one.owner, one.level, one.what.name) == (other.owner, other.level, other.what.name)


def _gone(fact: Fact) -> bool:
    return fact.status is Status.DELETED
