from dataclasses import replace
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.memory import Evidence, Item
from astrbot_plugin_ltm.long_term_memory.domain.words import Level, Origin, Status
from astrbot_plugin_ltm.long_term_memory.domain.writing import Merged, MergeKind
from astrbot_plugin_ltm.long_term_memory.write.merge import merge

from tests.write.fakes import BOB, START, InMemoryStore
from tests.write.made import a_grounded, an_item

EXPLICIT = Origin.USER_EXPLICIT


def a_store(*items: Item, evidence: tuple[tuple[str, str], ...] = ()) -> InMemoryStore:
    store = InMemoryStore()
    store.items = {item.memory_id: item for item in items}
    store.evidence = [
        Evidence(
            evidence_id=f"{memory_id}-{event_id}",
            memory_id=memory_id,
            event_id=event_id,
            quote="I like tea",
            method=Origin.RULE,
            meta={},
            created_at=START,
        )
        for memory_id, event_id in evidence
    ]
    return store


def outcome(merged: Merged) -> tuple[MergeKind, str]:
    return merged.kind, merged.fact_key


async def test_what_nobody_said_before_is_new_under_its_own_words() -> None:
    merged = await merge(a_store(), a_grounded("User likes tea!"))
    assert outcome(merged) == (MergeKind.NEW, "user likes tea")


async def test_a_proposed_key_is_taken_when_it_is_free() -> None:
    merged = await merge(a_store(), a_grounded(fact_key="Fav_Drink"))
    assert outcome(merged) == (MergeKind.NEW, "fav drink")


@pytest.mark.parametrize("status", [Status.ACTIVE, Status.SHADOW, Status.PENDING, Status.DISABLED])
async def test_the_same_fact_from_another_message_confirms_the_live_item(status: Status) -> None:
    merged = await merge(a_store(an_item(status=status)), a_grounded("user likes TEA"))
    assert outcome(merged) == (MergeKind.CONFIRM, "user likes tea")


@pytest.mark.parametrize("status", list(Status))
async def test_the_same_message_again_adds_nothing_whatever_became_of_the_item(status: Status) -> None:
    store = a_store(an_item(status=status), evidence=(("m1", "e1"),))
    for origin in (Origin.LLM_EXTRACT, EXPLICIT):
        assert (await merge(store, a_grounded(origin=origin))).kind is MergeKind.KNOWN


@pytest.mark.parametrize("status", [Status.EXPIRED, Status.SUPERSEDED])
async def test_what_has_run_out_comes_back_when_it_is_heard_again(status: Status) -> None:
    assert (await merge(a_store(an_item(status=status)), a_grounded())).kind is MergeKind.REVIVE


async def test_a_deleted_fact_is_not_learnt_again_by_itself() -> None:
    store = a_store(an_item(status=Status.DELETED))
    assert (await merge(store, a_grounded())).kind is MergeKind.TOMBSTONE
    assert (await merge(store, a_grounded(origin=EXPLICIT))).kind is MergeKind.REVIVE


async def test_a_deleted_key_is_not_learnt_again_in_other_words() -> None:
    store = a_store(an_item(status=Status.DELETED, fact="", fact_key="home"))
    assert (await merge(store, a_grounded(fact_key="home"))).kind is MergeKind.TOMBSTONE
    saved = await merge(store, a_grounded(fact_key="home", origin=EXPLICIT))
    assert outcome(saved) == (MergeKind.NEW, "home")


PEANUTS = {"fact": "User is allergic to peanuts", "fact_key": "user is allergic to peanuts"}


@pytest.mark.parametrize("fact", ["User has a peanut allergy", "用户对花生过敏"])
async def test_a_deleted_fact_does_not_come_back_in_other_words_from_the_same_message(fact: str) -> None:
    store = a_store(an_item(status=Status.DELETED, **PEANUTS), evidence=(("m1", "e1"),))
    heard = replace(a_grounded(fact), quote="I'm allergic to peanuts")
    merged = await merge(store, heard)
    assert (merged.kind, merged.existing) == (MergeKind.TOMBSTONE, store.items["m1"])
    saved = replace(heard, candidate=replace(heard.candidate, origin=EXPLICIT))
    assert (await merge(store, saved)).kind is MergeKind.NEW


async def test_what_else_the_message_of_a_deleted_fact_said_is_still_learnt() -> None:
    store = a_store(an_item(status=Status.DELETED, **PEANUTS), evidence=(("m1", "e1"),))
    assert (await merge(store, a_grounded())).kind is MergeKind.NEW


async def test_another_message_may_say_in_other_words_what_was_deleted() -> None:
    store = a_store(an_item(status=Status.DELETED, **PEANUTS), evidence=(("m1", "e0"),))
    heard = replace(a_grounded("User has a peanut allergy"), quote="I'm allergic to peanuts")
    assert (await merge(store, heard)).kind is MergeKind.NEW


async def test_nothing_is_learnt_again_from_the_message_of_a_deleted_fact_whose_text_is_gone() -> None:
    store = a_store(an_item(status=Status.DELETED, fact="", fact_key="x"), evidence=(("m1", "e1"),))
    assert (await merge(store, a_grounded())).kind is MergeKind.TOMBSTONE


@pytest.mark.parametrize("other", [{"owner": BOB}, {"level": Level.RESTRICTED}, {"status": Status.EXPIRED}])
async def test_only_what_was_deleted_here_is_kept_from_coming_back(other: dict[str, Any]) -> None:
    gone = an_item(**({"status": Status.DELETED} | PEANUTS | other))
    store = a_store(gone, evidence=(("m1", "e1"),))
    heard = replace(a_grounded("User has a peanut allergy"), quote="I'm allergic to peanuts")
    assert (await merge(store, heard)).kind is MergeKind.NEW


async def test_another_value_under_a_taken_key_is_no_evidence_for_the_first() -> None:
    store = a_store(an_item(fact="User lives in Beijing", fact_key="home"))
    merged = await merge(store, a_grounded("User lives in Shanghai", fact_key="home"))
    assert outcome(merged) == (MergeKind.NEW, "user lives in shanghai")


async def test_the_same_words_under_another_key_meet_the_same_item() -> None:
    assert (await merge(a_store(an_item()), a_grounded(fact_key="drink"))).kind is MergeKind.CONFIRM


async def test_even_when_all_its_keys_are_taken_by_others_a_fact_finds_one() -> None:
    taken = [an_item("m1", fact="x", fact_key="drink"), an_item("m2", fact="y", fact_key="user likes tea")]
    merged = await merge(a_store(*taken), a_grounded(fact_key="drink"))
    assert merged.kind is MergeKind.NEW
    assert merged.fact_key not in {"drink", "user likes tea"}
    last = an_item("m3", fact="z", fact_key=merged.fact_key)
    assert (await merge(a_store(*taken, last), a_grounded(fact_key="drink"))).fact_key == merged.fact_key


@pytest.mark.parametrize("other", [{"owner": BOB}, {"level": Level.RESTRICTED}, {"person": "Bob"}])
async def test_nothing_merges_across_owner_level_or_person(other: dict[str, Any]) -> None:
    assert (await merge(a_store(an_item(**other)), a_grounded())).kind is MergeKind.NEW


async def test_another_person_makes_another_fact() -> None:
    about_bob = replace(a_grounded(), person="Bob")
    assert (await merge(a_store(an_item()), about_bob)).kind is MergeKind.NEW
