"""What may happen to a memory, in any order; after each step it holds what the promise says."""

import itertools
from collections import Counter
from collections.abc import Coroutine, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime, timedelta
from typing import Any, ClassVar, override

from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat, Turn
from astrbot_plugin_ltm.long_term_memory.domain.errors import RefusedError
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.manager.tool_memories import NotAtLevelError
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tests.faults.story import Front, as_it_is
from tests.torture.model import checks, decisions
from tests.torture.model.acts import Act
from tests.torture.model.life import DAY, FIRST_MODEL, ROUND, Life
from tests.torture.model.people import BY_NAME, CHATS
from tests.torture.model.promise import Promise
from tests.torture.model.statements import ASKED, BY_FACT, EVERY, KEYED, TOLD, Statement

OPERATOR = "operator:olga"
MOMENT = timedelta(milliseconds=10)
"""So short that many of them are no time in which anything happens by itself."""
WHERE = st.sampled_from(list(BY_NAME))
PICKS = st.integers(0, 1_000)
"""Which of those that there are."""
RARELY = st.sampled_from((True, False, False))
"""Whether to begin what keeps most other things from happening until it ends."""


def one_of(statements: Sequence[Statement]) -> st.SearchStrategy[str]:
    """One of these, by its fact."""
    return st.sampled_from([one.fact for one in statements])


class Speaking(RuleBasedStateMachine):
    """A memory and the promise beside it; people talk, time passes."""

    front: ClassVar[Front] = as_it_is
    steps: ClassVar[int] = 0
    """How many have come to something and were looked at, of all examples."""
    acts: ClassVar[Counter[Act]] = Counter()
    """What they have come to."""

    def __init__(self) -> None:
        super().__init__()
        self.life = Life(type(self).front)
        self.promise = Promise()
        self._numbers = itertools.count(1)
        self._questions = itertools.cycle([one.fact for one in EVERY])
        self._chats = itertools.cycle(CHATS)
        self._asked: list[str] = []
        self._settled = False
        self._models: list[str] = []
        """What was used for embedding in each rest."""
        self._embedded: tuple[str, AbstractSet[str]] = ("", frozenset())
        """What was embedded when that was looked at last, and by which model."""
        self._were_joined = False

    @rule(said=st.lists(st.tuples(WHERE, one_of(TOLD)), min_size=1, max_size=6))
    def tell(self, said: Sequence[tuple[str, str]]) -> None:
        for where, fact in said:
            chat, what, at = BY_NAME[where], BY_FACT[fact], self._next()
            self.do(self.memory.record_turn(self._turn(chat, what.said, reply="I see.")))
            self.promise.hear(chat, what.said, what, at)
            self._asked.append(what.fact)

    @initialize(said=st.lists(st.tuples(WHERE, one_of(TOLD)), max_size=8))
    def begin(self, said: Sequence[tuple[str, str]]) -> None:
        self.tell(said)
        self._rest()

    @rule(where=WHERE, facts=st.lists(one_of(TOLD), min_size=2, max_size=4))
    def talk(self, where: str, facts: Sequence[str]) -> None:
        self.tell([(where, fact) for fact in facts])
        self._rest()

    @rule()
    def rest(self) -> None:
        self._rest()

    @rule(days=st.sampled_from((1, 7, 30, 90)))
    def sleep(self, days: int) -> None:
        self.life.leap(days * DAY)
        if not self._is_unsure():
            self.promise.expire(self.now)
            self.all_is_as_promised()
        self._rest()

    @rule(where=WHERE, fact=one_of(ASKED))
    def save(self, where: str, fact: str) -> None:
        chat, what, at = BY_NAME[where], BY_FACT[fact], self._next()
        words = f"/ltm add {what.said}"
        saving = self.memory.save(chat, fact=fact, said=words, message_id=self._number())
        done = self._done(saving)
        assert self.promise.save(chat, words, what, at) is done
        self.note(Act.SAVE, came=done)
        self._asked.append(what.fact)

    @rule(where=WHERE, fact=one_of(KEYED))
    def save_under_a_key(self, where: str, fact: str) -> None:
        chat, what, at = BY_NAME[where], BY_FACT[fact], self._next()
        done = self._done(self.memory.tool_memories.save(self._turn(chat, what.said), what.key, fact))
        assert self.promise.save(chat, what.said, what, at) is done
        self.note(Act.SAVE_UNDER_A_KEY, came=done)
        self._asked.append(what.fact)

    @rule(where=WHERE, fact=one_of(KEYED))
    def delete_a_key(self, where: str, fact: str) -> None:
        chat, what = BY_NAME[where], BY_FACT[fact]
        self._next()
        try:
            done = self._done(self.memory.tool_memories.delete(chat, what.key))
        except NotAtLevelError:
            done = False
        allowed = not (self.promise.read_only or self.promise.is_paused(chat))
        assert done is (allowed and decisions.delete_key(self.promise, chat, what.key))
        self.note(Act.DELETE_A_KEY, came=done)

    @rule()
    def reload(self) -> None:
        self.life.stop()
        self.life.start(read_only=self.promise.read_only)
        self.note(Act.RELOAD, came=bool(self.promise.facts))

    @rule(name=st.sampled_from((FIRST_MODEL, "second", "third")))
    def another_embedding_model(self, name: str) -> None:
        self.life.outside.directions.model = name

    @rule(rarely=RARELY)
    def turn_read_only(self, rarely: bool) -> None:
        on = not self.promise.read_only
        if on and not rarely:
            return
        self.do(self.memory.switches.set_read_only(on=on, actor=OPERATOR))
        self.promise.read_only = on
        self.note(Act.TURN_READ_ONLY, came=on)
        if not on:
            self._rest()  # what has waited for it is due

    @invariant()
    def all_is_as_promised(self) -> None:
        asked = {next(self._questions), *self._asked[-1:]}
        chats = CHATS if self._settled else [next(self._chats), next(self._chats)]
        wrong = [
            *checks.wrong_in_file(self.life.file, self.promise, self.now),
            *checks.wrong_in_lists(self.life, self.promise, chats),
            *checks.wrong_in_recalls(self.life, self.promise, asked),
        ]
        if self._settled:
            wrong += checks.wrong_in_counts(self.life, self.promise)
            wrong += checks.wrong_once_settled(self.life.file, self.promise, self._models, self.now)
            self._note_embedding()
        self._settled = False
        self._asked.clear()
        assert not wrong, "\n".join(wrong)

    @invariant()
    def it_is_counted(self) -> None:
        came, self.promise.acts = self.promise.acts, Counter()
        Speaking.steps += bool(came)
        Speaking.acts.update(came)

    @override
    def teardown(self) -> None:
        self.life.end()

    @property
    def memory(self) -> LTMManager:
        """The one that is running."""
        return self.life.memory

    @property
    def now(self) -> datetime:
        """The world's time."""
        return self.life.outside.clock()

    def note(self, act: Act, *, came: bool) -> None:
        """Count what happens, when it `came` to something."""
        if came:
            self.promise.acts[act] += 1

    def do[T](self, work: Coroutine[Any, Any, T]) -> T:
        """What the memory answers."""
        return self.life.do(work)

    def _note_embedding(self) -> None:
        """What was embedded by another model when this was looked at last is embedded anew."""
        model, (before, had) = self._models[-1], self._embedded
        has = checks.embedded(self.life.file, model)
        self.note(Act.EMBED_ANEW, came=model != before and bool(has & had))
        self._embedded = model, has

    def _done(self, work: Coroutine[Any, Any, object]) -> bool:
        """Whether it was not refused."""
        try:
            self.do(work)
        except RefusedError:
            return False
        return True

    def _next(self) -> datetime:
        """A moment later."""
        self.life.wait(MOMENT)
        if self._is_unsure():
            self._rest()
            self._settled = False
        return self.now

    def _rest(self) -> None:
        """So long that everything is done that can be done."""
        began = self.now
        self.life.wait(ROUND)
        self.promise.read(self.now)
        # What ended meanwhile may not have been swept, and what was read meanwhile is older than it seems.
        ended = [one for one in self.promise.facts if one.stands and one.ends and one.ends <= self.now]
        if self._is_unsure() or any(one.ends and began < one.ends for one in ended):
            self._rest()
        self.promise.expire(self.now)
        self._models.append(self.life.outside.directions.model)
        self._settled = True

    def _is_unsure(self) -> bool:
        """Whether something ends about now: how old a fact is, is known to the length of a rest."""
        mortal = [one.ends for one in self.promise.facts if one.stands and one.ends]
        return any(ends - ROUND <= self.now < ends for ends in mortal)

    def _number(self) -> str:
        return f"message {next(self._numbers)}"

    def _turn(self, chat: Chat, text: str, reply: str = "") -> Turn:
        return Turn(chat=chat, message_id=self._number(), user_text=text, reply_text=reply, at=self.now)
