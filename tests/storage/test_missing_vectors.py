"""What has no vector yet, and the words that go into it."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction, Level, Role, Status
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Item
from astrbot_plugin_ltm.long_term_memory.policies.embedded import (
    MAX_ANSWERED,
    MAX_MESSAGE,
    MAX_QUOTE,
    bare,
)
from astrbot_plugin_ltm.long_term_memory.storage.missing_vectors import Embeddable
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.storage.vectors import Embedded

from tests.stores import GROUP_CHAT, NOW, a_store, an_event, an_evidence, an_item, keep

MINUTE = timedelta(minutes=1)


async def put(store: Store, item: Item, *vector: float, model: str = "model") -> None:
    for tag in (model, bare(model)):
        await store.vectors.put(tag, [Embedded(key=item.memory_id, fact=item.fact, vector=vector)])


async def told(store: Store, item: Item, *events: Event, before: tuple[Event, ...] = ()) -> Embeddable:
    """The item resting on these events, as it is to be embedded."""
    async with store.transaction() as tx:
        await tx.add_events([*before, *events])
        await tx.insert_item(item, [an_evidence(item, event) for event in events])
    [found] = await store.vectors.items_without("model", 9)
    return found


async def test_items_that_may_be_recalled_wait_for_their_vectors_newest_first(store: Store) -> None:
    await keep(store, *(an_item(status, status=status) for status in Status))
    waiting = [one.fact for one in await store.vectors.items_without("model", 9)]
    assert waiting == ["pending", "shadow", "active"]
    assert len(await store.vectors.items_without("model", 2)) == 2
    assert await store.vectors.progress("model") == (0, 3)


async def test_an_item_is_done_when_it_has_both_vectors(store: Store) -> None:
    item = an_item()
    await keep(store, item)
    await store.vectors.put("model", [Embedded(key=item.memory_id, fact=item.fact, vector=[1, 0])])
    assert len(await store.vectors.items_without("model", 9)) == 1
    assert await store.vectors.progress("model") == (0, 1)
    await put(store, item, 1, 0)
    assert await store.vectors.items_without("model", 9) == []
    assert await store.vectors.progress("model") == (1, 1)
    assert await store.vectors.progress("another") == (0, 1)


async def test_a_changed_fact_waits_for_its_vectors_again(store: Store) -> None:
    item = an_item("Beijing")
    await keep(store, item)
    await put(store, item, 1, 0)
    async with store.transaction() as tx:
        await tx.update_item(replace(item, status=Status.SHADOW))
    assert await store.vectors.items_without("model", 9) == []
    async with store.transaction() as tx:
        await tx.update_item(replace(item, fact="Shanghai"))
    [waiting] = await store.vectors.items_without("model", 9)
    assert waiting.fact == "Shanghai"


async def test_an_item_comes_with_its_oldest_words_and_what_they_answered(store: Store) -> None:
    asked = an_event("Where do you live?", role=Role.ASSISTANT, sender_name="")
    first = an_event("In Beijing", created_at=NOW + MINUTE)
    again = an_event("Still in Beijing", created_at=NOW + 2 * MINUTE)
    item = an_item("User lives in Beijing")
    found = await told(store, item, first, again, before=(asked,))
    fact = "User lives in Beijing"
    texts = (fact, f"{fact}\nWhere do you live?\nAlice: In Beijing")
    assert found == Embeddable(key=item.memory_id, fact=fact, texts=texts)


async def test_what_somebody_else_said_before_is_answered_past_ones_own_words(store: Store) -> None:
    bob = an_event("Tea or coffee?", umo=GROUP_CHAT, sender_id="bob", sender_name="Bob")
    own, said = an_event("Hm", umo=GROUP_CHAT), an_event("Tea", umo=GROUP_CHAT)
    found = await told(store, an_item(origin_umo=GROUP_CHAT), said, before=(bob, own))
    assert found.texts[1].split("\n")[1:-1] == ["Bob: Tea or coffee?"]


async def test_what_a_message_quotes_is_what_it_answers(store: Store) -> None:
    earlier = an_event("Something else", role=Role.ASSISTANT)
    found = await told(store, an_item(), an_event("Yes", quoted="Bob: Tea?"), before=(earlier,))
    assert found.texts[1].split("\n")[1:-1] == ["Bob: Tea?"]


async def test_each_part_is_bounded_and_of_what_is_answered_the_end_counts(store: Store) -> None:
    long = f"{'x' * 5_000}?"
    asked, quoting = an_event(long, role=Role.ASSISTANT), an_event("q" * 5_000, quoted=long)
    for said, before in ((an_event("q" * 5_000), (asked,)), (quoting, ())):
        item = an_item(said.event_id)
        found = await told(store, item, said, before=before)
        ends = ["x" * (MAX_ANSWERED - 1) + "?", f"Alice: {'q' * MAX_QUOTE}"]
        assert found.texts[1].split("\n")[1:] == ends
        await put(store, item, 1, 0)
    messages = await store.vectors.events_without("model", after=0, since=None, limit=9)
    assert [len(one.texts[0]) for one in messages if one.key == asked.event_id] == [MAX_MESSAGE]


@pytest.mark.parametrize(
    "before",
    [
        an_event("by the same person"),
        an_event("long ago", role=Role.ASSISTANT, created_at=NOW - timedelta(hours=2)),
        an_event("in a group", role=Role.ASSISTANT, umo=GROUP_CHAT),
        an_event("in another private chat", role=Role.ASSISTANT, umo="discord:FriendMessage:alice"),
        an_event("above this level", role=Role.ASSISTANT, level=Level.RESTRICTED),
        an_event("of a tool", role=Role.TOOL),
    ],
    ids=lambda event: event.text,
)
async def test_words_answer_nothing_that_was_said_elsewhere_or_long_ago(store: Store, before: Event) -> None:
    found = await told(store, an_item(), an_event("In Beijing"), before=(before,))
    assert found.texts[1].split("\n")[1:] == ["Alice: In Beijing"]


async def test_what_is_said_after_it_is_not_what_a_message_answers(store: Store) -> None:
    item, said = an_item(), an_event("In Beijing")
    async with store.transaction() as tx:
        await tx.add_events([said, an_event("I see.", role=Role.ASSISTANT)])
        await tx.insert_item(item, [an_evidence(item, said)])
    [found] = await store.vectors.items_without("model", 9)
    assert found.texts[1].split("\n")[1:] == ["Alice: In Beijing"]


async def test_words_from_another_chat_stay_out_of_the_vector(store: Store) -> None:
    elsewhere, here = an_event("secret", umo=GROUP_CHAT), an_event("In Beijing")
    found = await told(store, an_item(), elsewhere, here)
    assert found.texts[1].split("\n")[1:] == ["Alice: In Beijing"]


async def test_an_item_whose_words_are_all_from_elsewhere_is_embedded_alone(store: Store) -> None:
    found = await told(store, an_item(), an_event("secret", umo=GROUP_CHAT))
    assert found.texts == (found.fact, found.fact)


async def test_messages_wait_for_their_vector_last_stored_first(tmp_path: Path) -> None:
    async with a_store(tmp_path) as store:
        assert await store.vectors.last_event() == 0
        old = an_event("old", created_at=NOW - timedelta(days=9))
        user = an_event("I live in Beijing")
        reply = an_event("I see.", role=Role.ASSISTANT, sender_name="", created_at=NOW + MINUTE)
        tool = an_event("Sunny", role=Role.TOOL)
        async with store.transaction() as tx:
            await tx.add_events([old, user, reply, tool])
        waiting = await store.vectors.events_without("model", after=0, since=None, limit=9)
        assert waiting == [
            Embeddable(key=reply.event_id, texts=("I see.",)),
            Embeddable(key=user.event_id, texts=("Alice: I live in Beijing",)),
            Embeddable(key=old.event_id, texts=("Alice: old",)),
        ]
        since = NOW - timedelta(days=1)
        assert len(await store.vectors.events_without("model", after=0, since=since, limit=9)) == 2
        assert len(await store.vectors.events_without("model", after=0, since=since, limit=1)) == 1
        last = await store.vectors.last_event()
        new = await store.vectors.events_without("model", after=last - 2, since=None, limit=9)
        assert [one.key for one in new] == [reply.event_id]
        assert await store.vectors.events_without("model", after=last, since=None, limit=9) == []


async def test_the_words_of_a_command_get_no_vector_of_their_own(store: Store) -> None:
    command = an_event("/ltm add I like tea", extraction=Extraction.SKIPPED)
    passed_over = an_event("I like cake", extraction=Extraction.SKIPPED, last_error="queue_full")
    async with store.transaction() as tx:
        await tx.add_events([command, passed_over])
    waiting = await store.vectors.events_without("model", after=0, since=None, limit=9)
    assert [one.key for one in waiting] == [passed_over.event_id]
