"""Which item a fact meets, on the real store."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, Origin, Status
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Item
from astrbot_plugin_ltm.long_term_memory.domain.writing import Merged, MergeKind

from tests.stores import BOB, an_event, an_evidence, an_item
from tests.write.mind import Mind, a_mind

EXPLICIT = Origin.USER_EXPLICIT
TEA = "User likes tea"


@pytest.fixture
async def mind(tmp_path: Path) -> AsyncGenerator[Mind]:
    async with a_mind(tmp_path) as new:
        yield new


async def put(mind: Mind, fact: str = TEA, *, event: Event | None = None, **changes: Any) -> Item:
    """An item that rests on this event, or on one of its own."""
    item = an_item(fact, **changes)
    event = event or an_event(fact, owner=item.owner)
    async with mind.store.transaction() as tx:
        await tx.add_events([event])
        await tx.insert_item(item, [an_evidence(item, event)])
    return item


def outcome(merged: Merged) -> tuple[MergeKind, str]:
    return merged.kind, merged.fact_key


async def test_what_nobody_said_before_is_new_under_its_own_words(mind: Mind) -> None:
    assert outcome(await mind.merge("User likes tea!")) == (MergeKind.NEW, "user likes tea")


async def test_a_proposed_key_is_taken_when_it_is_free(mind: Mind) -> None:
    assert outcome(await mind.merge(TEA, fact_key="Fav_Drink")) == (MergeKind.NEW, "fav drink")


@pytest.mark.parametrize("status", [Status.ACTIVE, Status.SHADOW, Status.PENDING, Status.DISABLED])
@pytest.mark.parametrize("words", ["user likes TEA", "User loves tea"])
async def test_the_same_fact_from_another_message_confirms_the_live_item(
    mind: Mind, status: Status, words: str
) -> None:
    await put(mind, status=status)
    assert outcome(await mind.merge(words)) == (MergeKind.CONFIRM, "user likes tea")


@pytest.mark.parametrize("status", list(Status))
async def test_the_same_message_again_adds_nothing_whatever_became_of_the_item(
    mind: Mind, status: Status
) -> None:
    event = mind.event()
    await put(mind, event=event, status=status)
    for origin in (Origin.LLM_EXTRACT, EXPLICIT):
        for words in (TEA, "User loves tea"):
            assert (await mind.merge(words, event=event, origin=origin)).kind is MergeKind.KNOWN


@pytest.mark.parametrize("status", [Status.EXPIRED, Status.SUPERSEDED])
async def test_what_has_run_out_comes_back_when_it_is_heard_again(mind: Mind, status: Status) -> None:
    await put(mind, status=status)
    assert (await mind.merge(TEA)).kind is MergeKind.REVIVE


async def test_a_deleted_fact_is_not_learnt_again_by_itself(mind: Mind) -> None:
    await put(mind, status=Status.DELETED)
    assert (await mind.merge(TEA)).kind is MergeKind.TOMBSTONE
    assert (await mind.merge(TEA, origin=EXPLICIT)).kind is MergeKind.REVIVE


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("words", [TEA, "User loves tea"])
async def test_a_deleted_fact_is_not_learnt_again_at_any_level(mind: Mind, level: Level, words: str) -> None:
    gone = await put(mind, level=level, status=Status.DELETED)
    merged = await mind.merge(words)
    assert (merged.kind, merged.existing) == (MergeKind.TOMBSTONE, gone)
    assert (await mind.merge(words, origin=EXPLICIT)).kind is not MergeKind.TOMBSTONE
    assert (await mind.merge("User hates tea")).kind is MergeKind.NEW


async def test_a_deleted_key_is_not_learnt_again_in_other_words(mind: Mind) -> None:
    await put(mind, "gone", status=Status.DELETED, fact_key="home")
    assert (await mind.merge(TEA, fact_key="home")).kind is MergeKind.TOMBSTONE
    assert outcome(await mind.merge(TEA, fact_key="home", origin=EXPLICIT)) == (MergeKind.NEW, "home")


@pytest.mark.parametrize(
    ("statuses", "kind", "met"),
    [
        ((Status.DELETED, Status.ACTIVE), MergeKind.CONFIRM, 1),
        ((Status.SUPERSEDED, Status.PENDING, Status.ACTIVE), MergeKind.CONFIRM, 2),
        ((Status.SUPERSEDED, Status.DELETED), MergeKind.TOMBSTONE, 1),
        ((Status.SUPERSEDED, Status.EXPIRED), MergeKind.REVIVE, 1),
    ],
)
async def test_of_several_that_say_the_same_the_one_in_use_is_met_then_the_deleted_one(
    mind: Mind, statuses: tuple[Status, ...], kind: MergeKind, met: int
) -> None:
    words = ("User loves tea", "User enjoys tea", "User is fond of tea")
    items = [await put(mind, fact, status=status) for fact, status in zip(words, statuses, strict=False)]
    merged = await mind.merge(TEA)
    assert (merged.kind, merged.existing) == (kind, items[met])


PEANUTS = "User is allergic to peanuts"
SAID = {"quote": "I'm allergic to peanuts"}


@pytest.mark.parametrize(
    "fact", ["User has a peanut allergy", "Peanuts are an allergen of the user", "用户对花生过敏"]
)
async def test_a_deleted_fact_does_not_come_back_in_other_words_from_the_same_message(
    mind: Mind, fact: str
) -> None:
    event = mind.event()
    gone = await put(mind, PEANUTS, event=event, status=Status.DELETED)
    merged = await mind.merge(fact, event=event, quote="I'm allergic to peanuts")
    assert merged.kind in {MergeKind.TOMBSTONE, MergeKind.KNOWN}
    assert merged.existing == gone
    saved = await mind.merge("用户对花生过敏", event=event, origin=EXPLICIT)
    assert saved.kind is MergeKind.NEW


async def test_what_else_the_message_of_a_deleted_fact_said_is_still_learnt(mind: Mind) -> None:
    event = mind.event()
    await put(mind, PEANUTS, event=event, status=Status.DELETED)
    assert (await mind.merge(TEA, event=event)).kind is MergeKind.NEW


@pytest.mark.parametrize("quote", ["", "I like chickpeas"])
async def test_a_deleted_fact_keeps_nothing_out_that_only_begins_alike(mind: Mind, quote: str) -> None:
    event = mind.event("I like chicken. I like chickpeas.")
    await put(mind, "User likes chicken", event=event, status=Status.DELETED)
    assert (await mind.merge("User likes chickpeas")).kind is MergeKind.NEW
    assert (await mind.merge("User likes chickpeas", event=event, quote=quote)).kind is MergeKind.NEW
    assert (await mind.merge("User enjoys chicken", event=event)).kind is not MergeKind.NEW


async def test_nothing_is_learnt_again_from_the_message_of_a_deleted_fact_whose_text_is_gone(
    mind: Mind,
) -> None:
    event = mind.event()
    await put(mind, "\u3000", event=event, status=Status.DELETED, fact_key="x")
    assert (await mind.merge(TEA, event=event)).kind is MergeKind.TOMBSTONE


@pytest.mark.parametrize("other", [{"owner": BOB}, {"level": Level.RESTRICTED}, {"person": "Bob"}])
@pytest.mark.parametrize("status", list(Status))
async def test_nothing_merges_across_owner_level_or_person(
    mind: Mind, status: Status, other: dict[str, Any]
) -> None:
    item = await put(mind, status=status, **other)
    merged = await mind.merge("User loves tea", near=[item.memory_id], replaces=item.memory_id)
    assert (merged.kind, merged.existing, merged.older) == (MergeKind.NEW, None, ())


async def test_another_value_under_a_taken_key_is_no_evidence_for_the_first(mind: Mind) -> None:
    await put(mind, "User plays chess", fact_key="hobby")
    merged = await mind.merge("User plays go", fact_key="hobby")
    assert outcome(merged) == (MergeKind.NEW, "user plays go")


async def test_the_same_words_under_another_key_meet_the_same_item(mind: Mind) -> None:
    await put(mind)
    assert (await mind.merge(TEA, fact_key="drink")).kind is MergeKind.CONFIRM


async def test_even_when_all_its_keys_are_taken_by_others_a_fact_finds_one(mind: Mind) -> None:
    await put(mind, "x", fact_key="drink")
    await put(mind, "y", fact_key="user likes tea")
    merged = await mind.merge(TEA, fact_key="drink")
    assert merged.kind is MergeKind.NEW
    assert merged.fact_key not in {"drink", "user likes tea"}
    await put(mind, "z", fact_key=merged.fact_key)
    assert (await mind.merge(TEA, fact_key="drink")).fact_key == merged.fact_key


async def test_an_explicit_save_meets_the_plain_statement_it_makes_and_the_other_way_round(
    mind: Mind,
) -> None:
    statement = await put(mind, "User lives in Oslo")
    saved = await mind.merge("that I live in Oslo", fact_key="User lives in Oslo", origin=EXPLICIT)
    assert (saved.kind, saved.existing) == (MergeKind.CONFIRM, statement)
    save = await put(mind, "that I play go", fact_key="user plays go", origin=EXPLICIT)
    told = await mind.merge("User plays go")
    assert (told.kind, told.existing) == (MergeKind.CONFIRM, save)


async def test_without_evidence_left_an_item_is_as_old_as_its_last_confirmation(mind: Mind) -> None:
    item = await put(mind, "User hates tea")
    async with mind.store.transaction() as tx:
        assert await tx.last_said(item.memory_id) is not None
        assert await tx.last_said("nobody") is None


async def test_a_confirmation_fills_no_slot_that_was_answered_since(mind: Mind) -> None:
    await put(mind, "User works as a nurse", slot="")
    between = mind.event()
    answer = await put(
        mind, "User works as a teacher", slot="job", event=replace(mind.event(), event_id="later")
    )
    merged = await mind.merge("User works as a nurse", slot="job", event=between)
    assert (merged.kind, merged.grounded.candidate.slot) == (MergeKind.CONFIRM, "")
    assert merged.newer == answer
