"""A person's fact said in several chats: nothing of it comes to light where it was not said."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Audience, Level, Origin, Scope, Status
from astrbot_plugin_ltm.long_term_memory.write.transitions import Decision, leave

from tests.stores import ALICE, BOB, GROUP, GROUP_CHAT, visible_to
from tests.write.mind import Mind, a_mind

OTHER_CHAT = "qq:GroupMessage:43"
OTHER_GROUP = replace(GROUP, scope_id=OTHER_CHAT)
PROJECT = ScopeRef(scope=Scope.PROJECT, scope_id="webchat:42")
LONG = {"en": "User goes running by the lake every morning", "zh": "用户特别喜欢去西湖边跑步"}
SHORT = {"en": "User runs by the lake every morning", "zh": "用户喜欢去西湖边跑步"}
LANGUAGES = pytest.mark.parametrize("language", ["en", "zh"])


@pytest.fixture
async def mind(tmp_path: Path) -> AsyncGenerator[Mind]:
    async with a_mind(tmp_path) as new:
        yield new


async def hear(mind: Mind, fact: str, *, umo: str = "", **changes: Any) -> str:
    """Let Alice say it there, in private by default; returns the id of what it is."""
    item = await mind.heard(fact, event=mind.event(fact, **({"umo": umo} if umo else {})), **changes)
    return item.memory_id


async def seen(mind: Mind, group: str = "") -> list[str]:
    """What surfaces in a group, or in private."""
    place = replace(GROUP, scope_id=group) if group else None
    access = Access(
        umo=group or "private",
        private=place is None,
        level=Level.INTERNAL,
        owner=ALICE,
        group=place,
        readable=(ALICE, *([place] if place else [])),
    )
    found = await visible_to(mind.store, access, now=mind.now)
    return [item.fact for item in found]


@LANGUAGES
async def test_words_of_one_group_do_not_surface_in_another_where_less_was_said(
    mind: Mind, language: str
) -> None:
    told = await hear(mind, LONG[language], umo=GROUP_CHAT)
    less = await hear(mind, SHORT[language], umo=OTHER_CHAT)
    assert told != less
    assert await seen(mind, GROUP_CHAT) == [LONG[language]]
    assert await seen(mind, OTHER_CHAT) == [SHORT[language]]
    assert await seen(mind) == [LONG[language], SHORT[language]]


@LANGUAGES
async def test_words_of_a_private_chat_do_not_surface_in_a_group(mind: Mind, language: str) -> None:
    await hear(mind, LONG[language])
    await hear(mind, SHORT[language], umo=GROUP_CHAT)
    assert await seen(mind, GROUP_CHAT) == [SHORT[language]]


@LANGUAGES
@pytest.mark.parametrize("first", ["private", "project"])
async def test_a_project_is_as_private_as_any_chat_with_its_owner(
    mind: Mind, language: str, first: str
) -> None:
    facts = {first: LONG[language], "project" if first == "private" else "private": SHORT[language]}
    known = set[str]()
    for place, fact in facts.items():
        said = mind.event(fact, **({"at_scope": PROJECT} if place == "project" else {}))
        item = await mind.heard(fact, event=said)
        known.add(item.memory_id)
        async with mind.store.transaction() as transaction:
            assert await transaction.said_in(item.memory_id) == frozenset()
    assert len(known) == 1


@LANGUAGES
async def test_what_a_group_knows_is_confirmed_in_private_as_it_stands(mind: Mind, language: str) -> None:
    told = await hear(mind, LONG[language], umo=GROUP_CHAT)
    assert await hear(mind, SHORT[language]) == told
    assert await seen(mind, GROUP_CHAT) == [LONG[language]]


async def test_the_same_answer_in_two_groups_is_known_in_both(mind: Mind) -> None:
    slot = {"slot": "home_city"}
    await hear(mind, "User lives in Oslo", umo=GROUP_CHAT, **slot)
    await hear(mind, "User now lives in Oslo", umo=OTHER_CHAT, **slot)
    assert await seen(mind, GROUP_CHAT) == ["User lives in Oslo"]
    assert await seen(mind, OTHER_CHAT) == ["User now lives in Oslo"]
    await hear(mind, "User lives in Rome", umo=GROUP_CHAT, **slot)
    assert await seen(mind, GROUP_CHAT) == ["User lives in Rome"]
    assert await seen(mind, OTHER_CHAT) == ["User now lives in Oslo"]


HOMES = {"en": ("User lives in Rome", "User lives in Oslo"), "zh": ("用户住在罗马", "用户住在奥斯陆")}
LIKES = {"en": ("User likes tea", "User does not like tea"), "zh": ("用户喜欢喝茶", "用户不喜欢喝茶")}


@LANGUAGES
@pytest.mark.parametrize("values", [HOMES, LIKES], ids=["another value", "the contrary"])
async def test_a_group_keeps_what_it_was_told_when_another_chat_is_told_otherwise(
    mind: Mind, language: str, values: dict[str, tuple[str, str]]
) -> None:
    before, after = values[language]
    slot = {"slot": "home_city"} if values is HOMES else {}
    for elsewhere in (OTHER_CHAT, ""):
        told = await hear(mind, before, umo=GROUP_CHAT, **slot)
        assert await hear(mind, after, umo=elsewhere, **slot) != told
        assert await seen(mind, GROUP_CHAT) == [before]
    assert await seen(mind, OTHER_CHAT) == [after]
    assert sorted(await seen(mind)) == sorted([before, after])
    await hear(mind, after, umo=GROUP_CHAT, **slot)
    assert await seen(mind, GROUP_CHAT) == await seen(mind) == [after]


async def test_what_is_told_in_private_gives_way_to_what_is_told_in_a_group(mind: Mind) -> None:
    rome, oslo = HOMES["en"]
    await hear(mind, rome, slot="home_city")
    await hear(mind, oslo, umo=GROUP_CHAT, slot="home_city")
    assert await mind.facts() == [oslo]


async def test_what_is_shared_gives_way_once_it_is_out_of_date_where_it_was_said(mind: Mind) -> None:
    rome, oslo = HOMES["en"]
    told = await hear(mind, rome, umo=GROUP_CHAT, slot="home_city")
    await mind.change(told, audience=Audience.EVERYWHERE)
    await hear(mind, oslo, umo=OTHER_CHAT, slot="home_city")
    assert await seen(mind, GROUP_CHAT) == [rome]
    assert sorted(await seen(mind, OTHER_CHAT)) == sorted([rome, oslo])
    await hear(mind, oslo, umo=GROUP_CHAT, slot="home_city")
    assert await seen(mind, GROUP_CHAT) == await seen(mind, OTHER_CHAT) == [oslo]


async def test_what_every_chat_may_see_takes_the_place_of_what_one_was_told(mind: Mind) -> None:
    rome, oslo = HOMES["en"]
    shared = await hear(mind, oslo, umo=GROUP_CHAT, slot="home_city")
    await mind.change(shared, audience=Audience.EVERYWHERE)
    early = mind.event(rome, umo=OTHER_CHAT)
    assert await hear(mind, oslo, umo=GROUP_CHAT, slot="home_city") == shared
    await mind.hear(rome, event=early, slot="home_city")
    assert await seen(mind, OTHER_CHAT) == [oslo]
    await hear(mind, rome, umo=OTHER_CHAT, slot="home_city")
    assert sorted(await seen(mind, OTHER_CHAT)) == sorted([rome, oslo])
    await hear(mind, oslo, umo=GROUP_CHAT, slot="home_city")
    assert await seen(mind, OTHER_CHAT) == [oslo]


async def test_words_of_a_group_read_late_are_no_history_for_what_was_said_elsewhere_since(
    mind: Mind,
) -> None:
    rome, oslo = HOMES["en"]
    early, later = mind.event(rome, umo=GROUP_CHAT), mind.event(oslo, umo=OTHER_CHAT)
    await mind.hear(oslo, event=later, slot="home_city")
    await mind.hear(rome, event=early, slot="home_city")
    assert await seen(mind, GROUP_CHAT) == [rome]
    assert await seen(mind, OTHER_CHAT) == [oslo]


async def test_a_waiting_item_that_is_freed_leaves_what_another_group_was_told(mind: Mind) -> None:
    rome, oslo = HOMES["en"]
    older = await hear(mind, rome, umo=GROUP_CHAT, slot="home_city")
    mind.policy = replace(mind.policy, min_evidence_count=2)
    await hear(mind, oslo, umo=GROUP_CHAT, slot="home_city")
    await hear(mind, rome, umo=OTHER_CHAT, slot="home_city")
    assert await seen(mind, GROUP_CHAT) == [rome]
    await hear(mind, oslo, umo=GROUP_CHAT, slot="home_city")
    assert (await mind.item(older)).status is Status.ACTIVE
    assert sorted(await seen(mind, GROUP_CHAT)) == sorted([rome, oslo])
    assert await seen(mind, OTHER_CHAT) == [rome]


async def test_a_waiting_item_that_is_approved_leaves_what_another_group_was_told(
    mind: Mind,
) -> None:
    rome, oslo = HOMES["en"]
    older = await hear(mind, rome, umo=GROUP_CHAT, slot="home_city")
    waiting = await hear(mind, oslo, umo=GROUP_CHAT, slot="home_city", doubt="ungrounded")
    await hear(mind, rome, umo=OTHER_CHAT, slot="home_city")
    await mind.approve(waiting)
    assert (await mind.item(older)).status is Status.ACTIVE
    assert sorted(await seen(mind, GROUP_CHAT)) == sorted([rome, oslo])
    assert await seen(mind, OTHER_CHAT) == [rome]


async def test_the_very_same_words_are_one_fact_in_every_chat(mind: Mind) -> None:
    fact = SHORT["en"]
    ids = {await hear(mind, fact, umo=umo) for umo in (GROUP_CHAT, OTHER_CHAT, "")}
    assert len(ids) == 1
    assert await seen(mind, OTHER_CHAT) == [fact]


async def test_what_comes_back_does_not_surface_in_other_words_where_it_was_said_before(mind: Mind) -> None:
    old = await hear(mind, SHORT["en"], umo=GROUP_CHAT)
    await mind.change(old, status=Status.EXPIRED)
    await hear(mind, LONG["en"], umo=OTHER_CHAT)
    assert await seen(mind, GROUP_CHAT) == []
    assert await seen(mind, OTHER_CHAT) == [LONG["en"]]


async def test_what_was_shared_does_not_come_back_everywhere_in_other_words(mind: Mind) -> None:
    old = await hear(mind, SHORT["en"], umo=GROUP_CHAT)
    await mind.change(old, status=Status.EXPIRED, audience=Audience.EVERYWHERE)
    await hear(mind, LONG["en"], umo=GROUP_CHAT)
    assert await seen(mind, OTHER_CHAT) == []


async def test_what_is_shared_stays_as_it_is_wherever_it_is_said_again(mind: Mind) -> None:
    told = await hear(mind, LONG["en"], umo=GROUP_CHAT)
    await mind.change(told, audience=Audience.EVERYWHERE)
    assert await hear(mind, SHORT["en"], umo=OTHER_CHAT, backstory="at lunch") == told
    assert (await mind.item(told)).backstory == ""


@LANGUAGES
async def test_what_is_taken_back_does_not_surface_where_less_was_said_while_it_was_shared(
    mind: Mind, language: str
) -> None:
    told = await hear(mind, LONG[language], umo=GROUP_CHAT)
    await mind.change(told, audience=Audience.EVERYWHERE)
    assert await hear(mind, SHORT[language], umo=OTHER_CHAT) == told
    assert await seen(mind, OTHER_CHAT) == [LONG[language]]
    await mind.change(told, audience=Audience.CHAT)
    assert await seen(mind, OTHER_CHAT) == []
    assert await seen(mind, GROUP_CHAT) == [LONG[language]]
    assert await hear(mind, SHORT[language], umo=OTHER_CHAT) != told
    assert await seen(mind, OTHER_CHAT) == [SHORT[language]]


async def test_what_is_shared_and_said_again_in_its_own_words_stays_there_when_it_is_taken_back(
    mind: Mind,
) -> None:
    told = await hear(mind, SHORT["en"], umo=GROUP_CHAT)
    await mind.change(told, audience=Audience.EVERYWHERE)
    await hear(mind, SHORT["en"], umo=OTHER_CHAT)
    await mind.change(told, audience=Audience.CHAT)
    assert await seen(mind, OTHER_CHAT) == [SHORT["en"]]


async def test_what_was_forgotten_and_is_saved_again_surfaces_only_there(mind: Mind) -> None:
    old = await hear(mind, SHORT["en"], umo=GROUP_CHAT)
    await mind.change(old, status=Status.DELETED, deleted_at=mind.now)
    await hear(mind, SHORT["en"], origin=Origin.USER_EXPLICIT)
    assert await seen(mind) == [SHORT["en"]]
    assert await seen(mind, GROUP_CHAT) == []


async def test_what_was_forgotten_in_one_group_is_not_learnt_in_another(mind: Mind) -> None:
    old = await hear(mind, SHORT["en"], umo=GROUP_CHAT)
    await mind.change(old, status=Status.DELETED, deleted_at=mind.now)
    assert await hear(mind, SHORT["en"], umo=OTHER_CHAT) == old
    assert await mind.facts() == []


async def test_a_message_read_again_adds_nothing_to_what_was_said_elsewhere_too(mind: Mind) -> None:
    await hear(mind, SHORT["en"], umo=GROUP_CHAT)
    said = mind.event(SHORT["en"], umo=OTHER_CHAT)
    item = await mind.heard(SHORT["en"], event=said)
    await mind.change(item.memory_id, status=Status.SUPERSEDED)
    await mind.hear(f"{SHORT['en']} now", event=said)
    assert await mind.facts() == []


@pytest.mark.parametrize("first", ["", OTHER_CHAT])
async def test_what_was_told_beside_a_fact_stays_in_its_chat(mind: Mind, first: str) -> None:
    aside = {"relationship": "ex", "backstory": "told at night"}
    told = await hear(mind, SHORT["en"], umo=first, **aside)
    await hear(mind, SHORT["en"], umo=GROUP_CHAT)
    item = await mind.item(told)
    assert (item.relationship, item.backstory) == ("", "")


async def test_what_is_told_beside_a_fact_elsewhere_is_not_added(mind: Mind) -> None:
    told = await hear(mind, SHORT["en"], umo=GROUP_CHAT)
    await hear(mind, SHORT["en"], relationship="ex", backstory="told at night")
    item = await mind.item(told)
    assert (item.relationship, item.backstory) == ("", "")


async def test_what_is_told_beside_a_fact_in_the_same_chat_is_filled_in(mind: Mind) -> None:
    told = await hear(mind, SHORT["en"], umo=GROUP_CHAT)
    await hear(mind, SHORT["en"], umo=GROUP_CHAT, backstory="told here")
    await hear(mind, SHORT["en"], umo=GROUP_CHAT, backstory="told later")
    assert (await mind.item(told)).backstory == "told here"


async def test_what_a_group_knows_of_somebody_gives_way_to_their_own_word_there(mind: Mind) -> None:
    for way, umo, stays in (("train", GROUP_CHAT, False), ("bus", OTHER_CHAT, True), ("boat", "", True)):
        known, own = f"Alice comes by {way}", f"User is picked up by Del and takes no {way}"
        by_bob = mind.event(known, umo=GROUP_CHAT, sender_id="bob", owner=BOB)
        item = await mind.heard(known, event=by_bob, person="Alice", owner=GROUP)
        told = await hear(mind, own, umo=umo, replaces=(item.memory_id,))
        assert (known in await seen(mind, GROUP_CHAT)) is stays, umo
        assert (await mind.item(item.memory_id)).superseded_by == (None if stays else told)


async def test_what_somebody_said_stays_whatever_the_group_says_of_them(mind: Mind) -> None:
    own, others = "User is allergic to wasps", "Alice is not allergic to wasps"
    told = await hear(mind, own, umo=GROUP_CHAT)
    by_bob = mind.event(others, umo=GROUP_CHAT, sender_id="bob", owner=BOB)
    await mind.heard(others, event=by_bob, person="Alice", owner=GROUP, replaces=(told,))
    assert own in await seen(mind, GROUP_CHAT)


async def by_bob(mind: Mind, fact: str, person: str, **changes: Any) -> str:
    """Let Bob tell it of somebody else in the group."""
    said = mind.event(fact, umo=GROUP_CHAT, sender_id="bob", owner=BOB)
    return (await mind.heard(fact, event=said, person=person, owner=GROUP, **changes)).memory_id


async def test_what_is_not_hearsay_of_the_speaker_stays(mind: Mind) -> None:
    of_carol = await by_bob(mind, "Carol comes by train", "Carol")
    await hear(mind, "User comes by car", umo=GROUP_CHAT, replaces=(of_carol,))
    own = await hear(mind, "User has no dog", umo=GROUP_CHAT)
    said = mind.event("Alice's dog Rex comes along", umo=GROUP_CHAT)
    await mind.heard(said.text, event=said, person="Rex", owner=GROUP, replaces=(own,))
    of_flower = await by_bob(mind, "\N{CHERRY BLOSSOM} likes tea", "\N{CHERRY BLOSSOM}")
    heart = mind.event("I hate tea", umo=GROUP_CHAT, sender_name="\N{TWO HEARTS}")
    await mind.heard("User hates tea", event=heart, replaces=(of_flower,))
    for memory_id in (of_carol, own, of_flower):
        assert (await mind.item(memory_id)).status is Status.ACTIVE


async def test_hearsay_gives_way_to_ones_own_word_once_that_is_confirmed(mind: Mind) -> None:
    train = await by_bob(mind, "Alice comes by train", "Alice")
    for doubt in ("unverified", ""):
        assert (await mind.item(train)).status is Status.ACTIVE
        replaces = (train,) if doubt else ()
        await hear(mind, "User is picked up by Del", umo=GROUP_CHAT, replaces=replaces, doubt=doubt)
    assert (await mind.item(train)).status is Status.SUPERSEDED


async def test_what_others_said_later_replaces_nothing_of_ones_own(mind: Mind) -> None:
    early = mind.event("User eats meat", umo=GROUP_CHAT)
    own = await hear(mind, "User is vegetarian", umo=GROUP_CHAT)
    later = await by_bob(mind, "Alice is vegan", "Alice")
    late = await mind.heard("User eats meat", event=early, replaces=(own, later))
    assert (late.status, late.superseded_by) == (Status.SUPERSEDED, own)
    alone = await mind.heard("User eats fish", event=replace(early, event_id="fish"), replaces=(later,))
    assert alone.status is Status.ACTIVE


async def test_what_one_told_the_group_of_others_gives_way_to_ones_own_word_there(mind: Mind) -> None:
    for teller, stays in (("Alice", False), ("Bob", True)):
        said = mind.event(f"Mum's dinner is for four tables, says {teller}", umo=GROUP_CHAT)
        item = await mind.heard(said.text, event=said, person="Alice's Mum", owner=GROUP)
        await mind.change(item.memory_id, teller=teller)
        await hear(
            mind, f"User booked three tables, not {teller}", umo=GROUP_CHAT, replaces=(item.memory_id,)
        )
        assert ((await mind.item(item.memory_id)).status is Status.ACTIVE) is stays


async def test_any_member_changes_a_matter_of_the_whole_group_and_nothing_of_a_member(mind: Mind) -> None:
    said = mind.event("the shirts are navy", umo=GROUP_CHAT)
    navy = await mind.heard("The group's shirts are navy", event=said, owner=GROUP)
    own = await mind.heard("User wears size L", event=said)
    later = mind.event("no, green", umo=GROUP_CHAT, sender_id="bob")
    replaced = (navy.memory_id, own.memory_id)
    green = await mind.heard("The group's shirts are green", event=later, owner=GROUP, replaces=replaced)
    assert [*green.supersedes] == [navy.memory_id]
    assert (await mind.item(own.memory_id)).status is Status.ACTIVE


async def test_what_a_member_forgot_of_the_group_is_learnt_again_from_the_others(mind: Mind) -> None:
    fact = "The group meets in Mill Lane"
    first = mind.event("we meet in Mill Lane", umo=GROUP_CHAT)
    told = await mind.heard(fact, event=first, owner=GROUP)
    for actor, again in ((first.owner.scope_id, True), ("operator:olga", False)):
        await _forgotten_by(mind, told.memory_id, actor)
        own = mind.event("Mill Lane it is", umo=GROUP_CHAT)
        assert (await mind.heard(fact, event=own, owner=GROUP)).status is Status.DELETED
        other = replace(own, event_id=f"by {actor}", owner=BOB, sender_id="bob")
        found = await mind.heard(fact, event=other, owner=GROUP)
        assert (found.status is Status.ACTIVE) is again, actor
        if again:
            await _forgotten_by(mind, found.memory_id, "operator:olga")


async def _forgotten_by(mind: Mind, memory_id: str, actor: str) -> None:
    async with mind.store.transaction() as tx:
        item = await mind.item(memory_id)
        await leave(tx, item, Status.DELETED, Decision(actor=actor, now=mind.now), "forget", "forgotten")


async def test_ones_own_word_leaves_a_matter_of_the_whole_group_alone(mind: Mind) -> None:
    navy = await mind.heard("The shirts are navy", event=mind.event(umo=GROUP_CHAT), owner=GROUP)
    await mind.change(navy.memory_id, teller="Alice")
    await hear(mind, "User's shirt is green", umo=GROUP_CHAT, replaces=(navy.memory_id,))
    assert (await mind.item(navy.memory_id)).status is Status.ACTIVE
