"""What people and operators decide in between, and what comes out of the store and back."""

from collections.abc import Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat
from astrbot_plugin_ltm.long_term_memory.domain.enums import Status
from astrbot_plugin_ltm.long_term_memory.domain.errors import RefusedError
from astrbot_plugin_ltm.long_term_memory.manager.editing import Edit
from astrbot_plugin_ltm.long_term_memory.manager.linking import NotLinkedError
from astrbot_plugin_ltm.long_term_memory.manager.sharing import NotSharedError
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.torture.model import checks, decisions
from tests.torture.model.acts import Act
from tests.torture.model.facts import Fact
from tests.torture.model.machine import OPERATOR, PICKS, RARELY, WHERE, Speaking, one_of
from tests.torture.model.people import ALICE, ALICIA, ALONE, BY_NAME, PRIVATE, TOGETHER, account, place
from tests.torture.model.statements import BY_FACT, WRITTEN

KNOWS_SOMETHING = precondition(lambda self: self.promise.facts)


class Deciding(Speaking):
    """People talk and decide about their own; operators decide about everybody's."""

    @KNOWS_SOMETHING
    @rule(where=WHERE, pick=PICKS)
    def forget(self, where: str, pick: int) -> None:
        chat = BY_NAME[where]
        fact = self._one(self.promise.listed(chat), pick)
        if fact and self._allowed(self.memory.forget(chat, self._id(fact))):
            decisions.forget(self.promise, chat, fact)
            self.note(Act.FORGET, came=True)

    @KNOWS_SOMETHING
    @rule(where=st.sampled_from(ALONE), pick=PICKS)
    def share(self, where: str, pick: int) -> None:
        if fact := self._one(self.promise.listed(BY_NAME[where]), pick):
            done = self._shared(
                self.memory.sharing.own(BY_NAME[where], self._id(fact), on=True),
                paused=self.promise.is_paused(BY_NAME[where]),
            )
            assert bool(done) is (done is not None and decisions.share(self.promise, fact))
            done = bool(done)
            self.note(Act.SHARE, came=done)

    @KNOWS_SOMETHING
    @rule(where=st.sampled_from(ALONE), pick=PICKS)
    def unshare(self, where: str, pick: int) -> None:
        chat = BY_NAME[where]
        listed = self.promise.listed(chat)
        if fact := self._one([one for one in listed if one.shared] or listed, pick):
            done = self._shared(self.memory.sharing.own(BY_NAME[where], self._id(fact), on=False))
            assert bool(done) is (done is not None and decisions.unshare(self.promise, fact))
            done = bool(done)
            self.note(Act.UNSHARE, came=done)

    @precondition(lambda self: any(one.status is Status.PENDING for one in self.promise.facts))
    @rule(pick=PICKS)
    def approve(self, pick: int) -> None:
        waiting = [one for one in self.promise.facts if one.status is Status.PENDING]
        fact = self._one(waiting, pick)
        if fact and self._allowed(self.memory.review.approve_one(self._id(fact), actor=OPERATOR)):
            decisions.approve(self.promise, fact, self.now)
            self.note(Act.APPROVE, came=True)

    @KNOWS_SOMETHING
    @rule(pick=PICKS)
    def reject(self, pick: int) -> None:
        fact = self._one([one for one in self.promise.facts if one.live], pick)
        if fact and self._allowed(self.memory.review.reject_one(self._id(fact), actor=OPERATOR)):
            decisions.reject(self.promise, fact)
            self.note(Act.REJECT, came=True)

    @KNOWS_SOMETHING
    @rule(pick=PICKS)
    def switch_off(self, pick: int) -> None:
        if fact := self._one([one for one in self.promise.facts if one.live], pick):
            done = self._edited(fact, Edit(status=Status.DISABLED))
            assert done is not self.promise.read_only
            self.note(Act.SWITCH_OFF, came=done and fact.status is not Status.DISABLED)
            if done:
                fact.end(Status.DISABLED)

    @KNOWS_SOMETHING
    @rule(pick=PICKS)
    def delete(self, pick: int) -> None:
        if fact := self._one(self.promise.facts, pick):
            done = self._edited(fact, Edit(status=Status.DELETED))
            assert done is not self.promise.read_only
            self.note(Act.DELETE, came=done and fact.status is not Status.DELETED)
            if done:
                fact.end(Status.DELETED)

    @KNOWS_SOMETHING
    @rule(pick=PICKS)
    def bring_back(self, pick: int) -> None:
        over = [one for one in self.promise.facts if one.status is not Status.ACTIVE]
        if fact := self._one(over, pick):
            done = self._edited(fact, Edit(status=Status.ACTIVE))
            allowed = not self.promise.read_only
            assert done is (allowed and decisions.bring_back(self.promise, fact, self.now))
            self.note(Act.BRING_BACK, came=done)

    @KNOWS_SOMETHING
    @rule(pick=PICKS, words=one_of(WRITTEN))
    def reword(self, pick: int, words: str) -> None:
        live = [one for one in self.promise.facts if one.live and not one.what.key and one.what.fact != words]
        if fact := self._one(live, pick):
            text = replace(BY_FACT[words], person=fact.what.person, question=fact.what.question)
            done = self._edited(fact, Edit(fact=words))
            allowed = not self.promise.read_only
            assert done is (allowed and decisions.reword(self.promise, fact, text))
            self.note(Act.REWORD, came=done)

    @rule(where=st.sampled_from(ALONE))
    def pause(self, where: str) -> None:
        chat = BY_NAME[where]
        self._next()
        if self._allowed(self.memory.pausing.own(chat, on=True)):
            self.note(Act.PAUSE, came=not self.promise.paused >= set(self.promise.accounts(chat)))
            self.promise.paused |= set(self.promise.accounts(chat))

    @precondition(lambda self: self._paused)
    @rule(pick=PICKS)
    def resume(self, pick: int) -> None:
        chat = self._paused[pick % len(self._paused)]
        self._next()
        if self._allowed(self.memory.pausing.own(chat, on=False)):
            self.note(Act.RESUME, came=bool(self.promise.paused & set(self.promise.accounts(chat))))
            self.promise.paused -= set(self.promise.accounts(chat))
            self._rest()  # what has waited for it is due

    @rule(where=st.sampled_from(TOGETHER), rarely=RARELY)
    def pause_or_resume_a_group(self, where: str, rarely: bool) -> None:
        chat = BY_NAME[where]
        paused = place(chat) in self.promise.paused
        if not (paused or rarely):
            return
        self._next()
        if self._allowed(self.memory.pausing.group(chat, on=not paused, actor=OPERATOR)):
            self.promise.paused ^= {place(chat)}
            self.note(Act.RESUME_A_GROUP if paused else Act.PAUSE_A_GROUP, came=True)
            if paused:
                self._rest()  # as above

    @rule()
    def join_or_part_accounts(self) -> None:
        self._next()
        if self.promise.joined:
            self.promise.joined = not self._linking(self.memory.linking.leave(ALICIA))
            self.note(Act.PART_ACCOUNTS, came=not self.promise.joined)
            return
        self.memory.linking.enter(ALICIA, self.memory.linking.begin(ALICE).code)
        self.promise.joined = self._linking(self.memory.linking.confirm(ALICE))
        self.note(Act.JOIN_ACCOUNTS, came=self.promise.joined)
        self._were_joined |= self.promise.joined

    @precondition(lambda self: len(self.promise.facts) > 3)
    @rule(where=st.sampled_from(ALONE))
    def erase(self, where: str) -> None:
        chat = BY_NAME[where]
        # Who told what while two accounts were one is told apart by nobody after they parted.
        if (
            self._were_joined
            and not self.promise.joined
            and account(chat) in {account(ALICE), account(ALICIA)}
        ):
            return
        self._next()
        if self._allowed(self.memory.erasing.own(chat)):
            self.note(Act.ERASE, came=decisions.erase(self.promise, chat))
            self._forget_copies()

    def _forget_copies(self) -> None:
        """What lies elsewhere may tell of whoever was erased."""

    @property
    def _paused(self) -> Sequence[Chat]:
        """Where those are who have paused themselves."""
        return [chat for chat in PRIVATE if self.promise.is_paused(chat)]

    def _one(self, facts: Sequence[Fact], pick: int) -> Fact | None:
        """One of these; none when there are none."""
        return facts[pick % len(facts)] if facts else None

    def _allowed(self, work: Coroutine[Any, Any, object]) -> bool:
        """Whether it was done, which nothing but read-only forbids."""
        done = self._done(work)
        assert done is not self.promise.read_only
        return done

    def _answer[T](self, work: Coroutine[Any, Any, T], *, paused: bool = False) -> T | None:
        """What the memory answers; None while read-only, or paused where that forbids it."""
        try:
            answer = self.do(work)
        except (NotSharedError, NotLinkedError):
            raise
        except RefusedError:
            assert self.promise.read_only or paused
            return None
        assert not paused
        return answer

    def _linking(self, work: Coroutine[Any, Any, object]) -> bool:
        """Whether anything came of it."""
        with suppress(NotLinkedError):
            return self._answer(work) is not None
        return False

    def _shared(self, work: Coroutine[Any, Any, object], *, paused: bool = False) -> bool | None:
        """Whether anything came of it; None while read-only, or paused where that forbids it."""
        try:
            return self._answer(work, paused=paused) is not None or None
        except NotSharedError:
            return False

    def _edited(self, fact: Fact, edit: Edit) -> bool:
        """Whether an operator could do this to a fact."""
        return self._done(self.memory.review.edit_one(self._id(fact), edit, actor=OPERATOR))

    def _id(self, fact: Fact) -> str:
        """Under which id it is kept: of several that look alike they come in the same order."""
        alike = [one for one in self.promise.facts if checks.line(one) == checks.line(fact)]
        return checks.ids(self.life.file, fact, self.now)[alike.index(fact)]
