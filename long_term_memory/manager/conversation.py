"""What a conversation asks of memory: to recall for a reply, and to record, so that nobody waits for long."""

import asyncio
from collections import deque
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from ..access.identity import group_scope
from ..domain.chat import Access, Chat, ToolUse, Turn
from ..domain.enums import BY_ITSELF, Audience
from ..domain.errors import UnavailableError
from ..domain.reading import Query, Recall, Said
from ..domain.recalls import NoBlock
from ..policies.requests import asks_not_to_keep
from ..upkeep.recall_log import Recalled
from ..write.tool_save import Saved
from .components import Components
from .operations import Operations
from .undo import StepKind

STORE_DEADLINE = timedelta(seconds=5)
"""How long a reply waits for the store, beside the vector of its question: others may be reading."""
RECORD_DEADLINE = timedelta(seconds=1)
"""How long a reply may wait for its turn to be durable while the store is busy."""
MAX_OVERHEARD_AT_ONCE = 50
"""Messages being written at once; of a flood beyond that, what nobody said to the bot is passed over."""
MAX_WITHDRAWN = 200
"""Messages withdrawn last whose turn may not be over yet: it is not recorded then."""
PAUSED_RECALL = Recall(block="", injected=(), vectors=False, reason=NoBlock.PAUSED)


class Conversation(Operations):
    """Recall, record, save. While the store is read-only, nothing is recorded."""

    def __init__(self, components: Components) -> None:
        super().__init__(components)
        self._withdrawn_messages = deque[tuple[str, str]](maxlen=MAX_WITHDRAWN)

    def prepare(self, chat: Chat, text: str) -> None:
        """Begin in the background what a recall for these words takes, while the host gets ready."""
        if self._components.policies.read().enable:
            self._components.scheduler.begin_optional("prepare", partial(self._prepare, chat, text))

    async def recall(self, chat: Chat, text: str) -> Recall:
        """What a request with these words carries. Raises UnavailableError when the store is late."""
        patience = self._components.settings.recall_deadline + STORE_DEADLINE
        try:
            async with asyncio.timeout(patience.total_seconds()):
                access = self._access(chat)
                # What can be paused is among what is read, so mostly one look is enough.
                if await self._store.paused(*access.readable) and await self.paused_by(chat):
                    return PAUSED_RECALL
                return await self._components.reader.recall(access, Query(text=text, at=self._clock()))
        except TimeoutError as error:
            raise UnavailableError("the store does not answer in time") from error

    def log_recall(
        self, chat: Chat, text: str, recall: Recall, *, sent: bool, asked_at: datetime | None = None
    ) -> None:
        """Note what became of a recall; `sent`: its block went out; `asked_at`: when the message arrived."""
        self._components.recall_log.put(
            Recalled(
                access=self._access(chat),
                conversation_id=chat.conversation_id,
                text=text,
                recall=recall,
                sent=sent,
                at=asked_at or self._clock(),
            )
        )

    async def search_transcript(
        self, chat: Chat, query: str, *, max_results: int = 10, asked_at: datetime | None = None
    ) -> Sequence[Said]:
        """What was said before, as far as this chat may show it, that answers best, the best first.

        `asked_at` is when the message arrived that is being answered: neither it nor what tools say since
        then is found. Raises RefusedError while the speaker or the group is paused, for "nothing was said"
        would be wrong; what a paused person said before stays for the others who were there.
        """
        access, wanted = await self._unless_paused(chat), Query(text=query, at=self._clock())
        search = self._components.transcript.search
        return await search(access, wanted, max_results=max_results, before=asked_at)

    def listens_to(self, chat: Chat) -> bool:
        """Whether this is a group in which everything said is recorded."""
        group = group_scope(chat)
        groups = self._components.settings.groups
        return group is not None and groups.listens_to(chat.group_id, group.scope_id)

    def record_turn(self, turn: Turn) -> Coroutine[Any, Any, None]:
        """Keep a completed exchange; durable when awaited unless the store keeps it waiting for long."""
        if self._store.read_only:
            return asyncio.sleep(0)
        record = partial(self._record, turn, self._access(turn.chat))
        return self._components.scheduler.run_with_deadline("record_turn", RECORD_DEADLINE, record)

    async def record_tool_use(self, use: ToolUse) -> None:
        """Keep what a tool answered, as `record_turn`."""
        if not self._store.read_only:
            record = partial(self._components.writer.record_tool, use, self._access(use.chat))
            await self._components.scheduler.run_with_deadline("record_tool_result", RECORD_DEADLINE, record)

    async def record_heard(self, turn: Turn, *, addressed: bool) -> None:
        """Keep what somebody just said, in the background; `addressed` words come again with their turn."""
        if self._store.read_only:
            return
        if not addressed and self._components.scheduler.late >= MAX_OVERHEARD_AT_ONCE:
            self._components.scheduler.failures["listen"] += 1
            return
        record = partial(self._record, turn, self._access(turn.chat), overheard=not addressed)
        await self._components.scheduler.run_with_deadline("listen", timedelta(0), record)

    async def retract_message(self, chat: Chat, message_id: str) -> None:
        """Drop the turn of a message that was withdrawn in this chat, and what rests on it alone."""
        self._withdrawn_messages.append((chat.umo, message_id))
        if not self._store.read_only:
            retract = partial(self._retract, chat.umo, message_id)
            await self._components.scheduler.run_with_deadline("listen", timedelta(0), retract)

    async def save(
        self,
        chat: Chat,
        *,
        fact: str,
        said: str,
        message_id: str,
        kind: StepKind = "note",
        message: object = None,
    ) -> Saved:
        """Keep what a person asks to remember in the message `said`; all of one `message` is undone at once.

        `kind` is what an undo calls it. Raises InvalidInputError too.
        """
        access = await self._unless_paused(chat)
        command = Turn(chat=chat, message_id=message_id, user_text=said, reply_text="", at=self._clock())
        saved = await self._components.writer.save_explicit(command, access, fact)
        self._components.embedding.notify()
        self._components.undo.saved(chat, saved, kind=kind, message=message, is_read=False)
        changed = await self._store.memories.own_by_id([one.memory_id for one in saved.changed], access)
        by_it = [one for one in changed.values() if one.superseded_by == saved.item.memory_id]
        saved = replace(saved, replaced=by_it)
        if saved.known and not chat.private and saved.item.audience is not Audience.EVERYWHERE:
            evidence = await self._store.memories.own_evidence(saved.item.memory_id, access)
            return replace(saved, known=len(evidence) > 1)
        return saved

    async def _prepare(self, chat: Chat, text: str) -> None:
        if await self.paused_by(chat):
            return
        # First what takes longest.
        self._components.question_embedder.prepare(text)
        access, now = self._access(chat), self._clock()
        min_confidence = self._components.policies.read().min_confidence
        await self._components.memory.warm(access, now=now, min_confidence=min_confidence)

    async def _retract(self, umo: str, message_id: str) -> None:
        await self._components.recall_log.settle()
        async with self._store.transaction() as transaction:
            if turn := await transaction.of_message(umo, message_id):
                await transaction.retract(turn, actor=BY_ITSELF, reason="message_recalled")

    async def _record(self, turn: Turn, access: Access, *, overheard: bool = False) -> None:
        if (turn.chat.umo, turn.message_id) in self._withdrawn_messages:
            return
        turn = await self._without_paused_quote(turn)
        if out := asks_not_to_keep(turn.user_text):
            await self._components.recall_log.settle()  # what it takes back may be in there, unwritten
        asked = await self._components.writer.record(turn, access, overheard=overheard)
        kind = "opt_out" if out and (out.points_back or out.about) else "note"
        self._components.undo.add(turn.chat, kind, asked, message=(turn.at, turn.user_text))
        self._components.worker.notify()
        self._components.embedding.notify()
