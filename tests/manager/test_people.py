"""Who is who, as it stands now."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from astrbot_plugin_ltm.long_term_memory.access.gatekeeper import LevelRules
from astrbot_plugin_ltm.long_term_memory.access.identity import IdentityRules
from astrbot_plugin_ltm.long_term_memory.domain.words import Level
from astrbot_plugin_ltm.long_term_memory.manager import People

from tests.running import private

HOME, PHONE = private("home"), private("phone")
RAISED: dict[str, Level] = {}


@dataclass
class FakeLinkStore:
    """Holds links."""

    kept: Mapping[str, str] = field(default_factory=dict[str, str])

    async def links(self) -> Mapping[str, str]:
        return self.kept


def people(store: FakeLinkStore) -> People:
    aliases = {"plat:tablet": "plat:phone"}
    return People(
        IdentityRules(aliases=aliases),
        LevelRules(),
        cast("Any", store),
        raised=lambda chat: RAISED.get(chat.conversation_id, Level.PUBLIC),
    )


def test_the_level_is_asked_for_anew_each_time() -> None:
    who = people(FakeLinkStore())
    assert who.access(HOME).level is Level.INTERNAL
    RAISED[HOME.conversation_id] = Level.CONFIDENTIAL
    assert who.access(HOME).level is Level.CONFIDENTIAL
    RAISED.clear()


async def test_links_count_once_they_are_loaded_beside_the_operators_aliases() -> None:
    store = FakeLinkStore({"plat:phone": "plat:home"})
    who = people(store)
    assert [ref.scope_id for ref in who.scopes(PHONE)] == ["plat:phone", "plat:tablet"]
    await who.load()
    assert [ref.scope_id for ref in who.scopes(PHONE)] == ["plat:home", "plat:phone", "plat:tablet"]
    assert who.access(PHONE).owner == who.access(HOME).owner
    rules = who.rules
    await who.load()
    assert who.rules is rules
