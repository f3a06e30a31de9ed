"""LTMManager: the verbs, those of people by their chat, those of operators by their name."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from ..domain.chat import Access, Chat, Turn
from ..domain.reading import Query
from ..domain.transcript import Said
from ..domain.words import Mode
from ..settings import Injection
from ..storage.condition import Condition
from ..write.stages import Saved
from .accepting import Accepting
from .accounts import KnownAccounts
from .browsing import Browsing
from .deciding import UNSURE, Deciding
from .editing import Editing
from .erasing import Erasing
from .exporting import Exporting
from .forgetting import Forgetting
from .governing import Governing
from .jobs import Jobs
from .keyed import Keyed
from .linking import Linking
from .own import OwnMemories
from .parts import Parts
from .pausing import Pausing
from .preparing import Preparing
from .recalling import Recalling
from .recalls import Recalls
from .recording import Recording
from .review import Review
from .searching import Searching
from .sharing import Sharing
from .standing import Counts, counts_of
from .statistics import Statistics
from .switches import Switches
from .transferring import Transferring


class LTMManager:
    """Recall, record, save, and what people and operators decide about it.

    Who may see what is worked out from the `Chat` of each call; no caller passes a scope or a level.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._settings = parts.settings
        review = Review(parts)
        self.approve, self.reject, self.waiting = review.approve, review.reject, review.waiting
        self.jobs = Jobs(parts)
        self.linking = Linking(parts)
        self.levels = parts.levels
        self._pausing = Pausing(parts)
        self.resume = partial(self._pausing.person, paused=False)
        self.pause_group = partial(self._pausing.group, paused=True)
        self.resume_group = partial(self._pausing.group, paused=False)
        own = self._own = OwnMemories(parts, self._pausing)
        self.own_items, self.why, self.why_not, self.unread = own.items, own.why, own.why_not, own.unread
        self.prepare = Preparing(parts, self._pausing).prepare
        recalling = Recalling(parts, self._pausing)
        self.recall, self.recalled = recalling.recall, recalling.recalled
        recording = self._recording = Recording(parts, self._pausing)
        self.listens_to, self.record_heard = recording.listens_to, recording.heard
        self.record_tool_use = recording.tool_use
        self.retract_message = recording.retract_message
        self.raised_to = parts.people.raised_to
        self.keyed = Keyed(parts, self._pausing)
        self.accepting = Accepting(parts, self._pausing)
        self.forgetting = Forgetting(parts, self._pausing)
        self.forget = self.forgetting.forget
        self.sharing = Sharing(parts)
        self.searching = Searching(parts)
        self.exporting = Exporting(parts)
        self.erasing = Erasing(parts)
        self.switches = Switches(parts)
        self.transferring = Transferring(parts)
        self.editing = Editing(parts)
        self.browsing = Browsing(parts)
        self.deciding = Deciding(parts)
        self.accounts = KnownAccounts(parts, self._pausing)
        self.governing = Governing(parts)
        self.set_mode = self.governing.set_mode
        self.statistics = Statistics(parts)
        self.recalls = Recalls(parts, self._pausing)

    @property
    def injection(self) -> Injection:
        """Where the block goes in a request."""
        return self._settings.injection

    @property
    def mode(self) -> Mode:
        """What automatic writing may do."""
        return self._parts.policies.write().mode

    async def search_transcript(
        self, chat: Chat, query: str, *, max_results: int = 10, asked_at: datetime | None = None
    ) -> Sequence[Said]:
        """What was said before, as far as this chat may show it, that answers best, the best first.

        `asked_at` is when the message arrived that is being answered: neither it nor what tools say since
        then is found. Raises RefusedError while the speaker or the group is paused, for "nothing was said"
        would be wrong; what a paused person said before stays for the others who were there.
        """
        await self._pausing.refuse(chat)
        wanted = Query(text=query, at=self._parts.clock())
        return await self._parts.transcript.search(
            self._access(chat), wanted, max_results=max_results, before=asked_at
        )

    async def record_turn(self, turn: Turn) -> None:
        """Keep a completed exchange; durable on return unless the store keeps it waiting for long."""
        await self._recording.turn(turn)

    async def save(self, chat: Chat, *, fact: str, said: str, message_id: str) -> Saved:
        """Keep what a person asks to remember; `said`, the whole message, is its evidence.

        What other chats alone were told does not count as known in a group.

        Raises InvalidInputError for an empty fact, RefusedError when a rule forbids it.
        """
        await self._pausing.refuse(chat)
        command = Turn(
            chat=chat, message_id=message_id, user_text=said, reply_text="", at=self._parts.clock()
        )
        saved = await self._parts.writer.save_explicit(command, self._access(chat), fact)
        self._parts.embedding.notify()
        known = saved.known and await self._own.was_told_here(chat, saved.item)
        return replace(saved, known=known)

    async def pause(self, chat: Chat) -> bool:
        """Learn and recall nothing for the speaker, anywhere; False when it is so already."""
        return await self._pausing.person(chat, paused=True)

    async def approve_all(self, *, actor: str) -> tuple[int, int]:
        """Let every waiting item be used but those in doubt; returns how many, and how many are left."""
        decided = await self.deciding.approve_all(actor=actor)
        return len(decided.done), len([why for why in decided.left.values() if why == UNSURE])

    async def counts(self) -> Counts:
        """How memory stands."""
        return await counts_of(self._parts)

    @property
    def failures(self) -> Mapping[str, int]:
        """How much work came to nothing after the reply had gone out, by hook."""
        return Counter(self._parts.scheduler.failures) + Counter(self._recording.failures)

    @property
    def condition(self) -> Condition:
        """How the file behind the store has answered."""
        return self._parts.store.condition

    async def notes(self) -> Sequence[str]:
        """What an operator should know although nothing is wrong."""
        return await asyncio.to_thread(self._parts.notes)

    def _access(self, chat: Chat) -> Access:
        return self._parts.people.access(chat)
