"""Who is who, as it stands now."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, cast

import pytest
from astrbot_plugin_ltm.long_term_memory.access.gatekeeper import LevelRules
from astrbot_plugin_ltm.long_term_memory.access.identity import IdentityRules
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.manager.access_resolver import AccessResolver

from tests.running import group, private

HOME, PHONE = private("home"), private("phone")
RAISED: dict[str, Level] = {}


@dataclass
class FakeLinkStore:
    """Holds links, and may be out of reach."""

    kept: Mapping[str, str] = field(default_factory=dict[str, str])
    away: bool = False

    async def links(self) -> Mapping[str, str]:
        if self.away:
            raise UnavailableError("locked")
        return self.kept


def resolver(store: FakeLinkStore) -> AccessResolver:
    aliases = {"plat:tablet": "plat:phone"}
    return AccessResolver(
        IdentityRules(aliases=aliases),
        LevelRules(),
        cast("Any", store),
        raised=lambda chat: RAISED.get(chat.conversation_id, Level.PUBLIC),
    )


def test_the_level_is_asked_for_anew_each_time() -> None:
    who = resolver(FakeLinkStore())
    assert who.access(HOME).level is Level.INTERNAL
    RAISED[HOME.conversation_id] = Level.CONFIDENTIAL
    assert who.access(HOME).level is Level.CONFIDENTIAL
    RAISED.clear()


def test_whatever_can_be_paused_is_among_what_is_read() -> None:
    """`Conversation.recall` looks there first."""
    who = resolver(FakeLinkStore())
    for per_persona, strategy in product((False, True), ("platform_user", "unified_msg_origin")):
        who.rules = replace(who.rules, per_persona=per_persona, user_scope_strategy=strategy)
        for place, persona_id in product((HOME, PHONE, group("phone")), ("", "pirate")):
            chat = replace(place, persona_id=persona_id)
            person, groups = who.pausable(chat)
            assert person
            assert {*person, *groups} <= {*who.access(chat).readable}


async def test_links_count_once_they_are_loaded_beside_the_operators_aliases() -> None:
    store = FakeLinkStore({"plat:phone": "plat:home"})
    who = resolver(store)
    assert [ref.scope_id for ref in who.scopes(PHONE)] == ["plat:phone", "plat:tablet"]
    await who.load()
    assert [ref.scope_id for ref in who.scopes(PHONE)] == ["plat:home", "plat:phone", "plat:tablet"]
    assert who.access(PHONE).owner == who.access(HOME).owner
    rules = who.rules
    await who.load()
    assert who.rules is rules


async def test_links_that_cannot_be_read_again_stay_as_they_were_and_the_log_says_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = FakeLinkStore({"plat:phone": "plat:home"})
    who = resolver(store)
    await who.load()
    store.kept, store.away = {}, True
    await who.links_changed()
    assert who.rules.links
    await who.links_changed({"b": "a"})
    assert who.rules.links == {"b": "a"}
    assert "UnavailableError" in caplog.text
    store.away = False
    await who.links_changed()
    assert not who.rules.links
