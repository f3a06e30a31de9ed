from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.conversations import Conversation
from astrbot_plugin_ltm.long_term_memory.upkeep.housekeeping import (
    AT_ONCE,
    EndedConversations,
    none_gone,
)

from tests.upkeep.fakes import Hands


def conversation(number: int, chat: str = "qq:FriendMessage:1") -> Conversation:
    return Conversation(umo=chat, conversation_id=f"c{number}")


@dataclass
class FakeLevels:
    """Holds conversations, and whether they were written."""

    held: list[Conversation] = field(default_factory=list[Conversation])
    settled: int = 0

    async def settle(self) -> None:
        self.settled += 1

    def raised(self) -> Sequence[Conversation]:
        return tuple(self.held)

    async def ended(self, conversations: Collection[Conversation]) -> None:
        for each in conversations:
            self.held.remove(each)


async def test_what_the_host_has_no_more_is_forgotten_and_nothing_else() -> None:
    levels, hands = FakeLevels([conversation(number) for number in range(2 * AT_ONCE + 1)]), Hands()
    asked: list[int] = []

    async def gone(conversation_ids: Sequence[str]) -> Collection[str]:
        asked.append(len(conversation_ids))
        return {own_id for own_id in conversation_ids if own_id in {"c0", f"c{AT_ONCE}", "c9999"}}

    await EndedConversations(levels, gone, hands.breathe).work()
    assert asked == [AT_ONCE, AT_ONCE, 1]
    assert hands.breaths == len(asked)
    assert len(levels.held) == 2 * AT_ONCE - 1
    assert not {conversation(0), conversation(AT_ONCE)} & {*levels.held}
    assert levels.settled == 1


async def test_a_host_that_cannot_tell_ends_nothing() -> None:
    levels = FakeLevels([conversation(1)])

    async def silent(_conversation_ids: Sequence[str]) -> Collection[str]:
        raise OSError("disk I/O error")

    with pytest.raises(OSError, match="disk"):
        await EndedConversations(levels, silent, Hands().breathe).work()
    assert levels.held == [conversation(1)]


async def test_where_no_conversation_ends_all_stay() -> None:
    levels = FakeLevels([conversation(1)])
    await EndedConversations(levels, none_gone, Hands().breathe).work()
    assert levels.held == [conversation(1)]
