"""The tools, as a model calls them: with the arguments it should pass, and with those it makes up."""

import json
from collections.abc import Mapping

from tests.leaks.asking import AskOf, Shown, question, shown
from tests.leaks.cast import Seat
from tests.leaks.changing import follow
from tests.leaks.found import canaries_in
from tests.leaks.scene import Scene
from tests.leaks.telling import heard, learnt

_FORGED: Mapping[str, tuple[object, ...]] = {
    "owner": ("plat_a:bob", "alice"),
    "scope": ("user", "global", None),
    "scope_id": ("plat_a:alice", "plat_a:carol", "global", "plat_a:GroupMessage:kitchen"),
    "user_id": ("bob", "plat_a:bob", 1),
    "level": ("RESTRICTED", "PUBLIC", 4),
    "classification": ("RESTRICTED", "PUBLIC"),
    "audience": ("everywhere",),
    "umo": ("plat_a:FriendMessage:bob",),
    "persona_id": ("pirate", ""),
    "private": (True,),
    "admin": (True,),
    "chat": ({"group_id": "", "sender_id": "bob"},),
}


async def call(stage: Scene, seat: Seat, name: str, said: str = "What now?", **arguments: object) -> str:
    """What a tool replies to arguments of which some are forged."""
    forged = stage.random.sample(list(_FORGED), stage.random.choice((0, 0, 2, 4)))
    made_up = {each: stage.random.choice(_FORGED[each]) for each in forged}
    return await stage.tool(seat, name, said, {**made_up, **arguments})


async def _get(stage: Scene, seat: Seat) -> Shown:
    text = await call(stage, seat, "memory_get", key=_some_key(stage, seat))
    return shown("memory_get", seat, text, stage.oracle.remembered(seat))


async def _search(stage: Scene, seat: Seat) -> Shown:
    most = stage.random.choice((1, 10, 50, 10_000))
    text = await call(stage, seat, "memory_search", query=question(stage, seat), max_results=most)
    return shown("memory_search", seat, text, stage.oracle.remembered(seat))


async def _list(stage: Scene, seat: Seat) -> Shown:
    tag = stage.random.choice(stage.oracle.facts).pair.both
    arguments = {} if stage.random.random() < 0.5 else {"tag": tag}
    text = await call(stage, seat, "memory_list", **arguments)
    return shown("memory_list", seat, text, stage.oracle.remembered(seat))


async def _session_search(stage: Scene, seat: Seat) -> Shown:
    text = await call(stage, seat, "session_search", query=question(stage, seat), max_results=50)
    return shown("session_search", seat, text, stage.oracle.said(seat))


async def as_another(stage: Scene, seat: Seat) -> Shown:
    """A model that names another person as the one who asks, in every way, and asks for what is theirs."""
    other = stage.random.choice([each for each in stage.cast.seats if each.who != seat.who])
    theirs = [fact.pair.hook for fact in stage.oracle.facts if fact.whose == other.who]
    about = {"query": stage.random.choice(theirs or ["boat"]), "max_results": 50}
    remembered, said = stage.oracle.remembered(seat), stage.oracle.said(seat)
    name, arguments, allowed = stage.random.choice(
        (
            ("memory_search", about, remembered),
            ("memory_list", dict[str, object](), remembered),
            ("session_search", about, said),
        )
    )
    made_up = {
        "owner": other.own_scope,
        "user_id": other.chat.sender_id,
        "sender_id": other.chat.sender_id,
        "scope": "user",
        "scope_id": other.own_scope,
        "umo": other.chat.umo,
        "group_id": other.chat.group_id,
        "level": "RESTRICTED",
        "private": True,
    }
    text = await stage.tool(seat, name, "What now?", {**made_up, **arguments})
    return shown("forged", seat, text, allowed)


async def save(stage: Scene, seat: Seat) -> Shown:
    """The person asked for it, or a page told the model to; under a key that somebody else may have, too."""
    key = _some_key(stage, seat) if stage.random.random() < 0.3 else f"key-{stage.number()}"
    stage.keys.append(key)
    pair, tag = stage.words.pair(chinese=False), stage.words.pair(chinese=False)
    content, said = f"My cart is called {pair.both}", "Look that page up"
    if stage.random.random() < 0.7:
        said = f"Remember that my cart is called {pair.both}"
        heard(stage, seat, pair)
    for each in (pair, tag):
        learnt(stage, seat, each).key = key
    before, place = stage.rows(), stage.oracle.at_this_level(seat)
    text = await call(stage, seat, "memory_save", said, key=key, content=content, tags=[tag.both])
    if text.startswith("{"):
        assert json.loads(text)["classification"] == stage.oracle.level(seat).name
    changed = follow(stage, before)
    assert not canaries_in(text, stage.oracle.known())
    return shown("memory_save", seat, text, place, items=changed)


async def _delete(stage: Scene, seat: Seat) -> Shown:
    """At the session's own level and no other."""
    before, level = stage.rows(), stage.oracle.level(seat)
    allowed = stage.oracle.own(seat)
    text = await call(stage, seat, "memory_delete", key=_some_key(stage, seat))
    changed = follow(stage, before)
    assert all(before[each].level == level for each in changed)
    return shown("memory_delete", seat, text, allowed, items=changed)


def _some_key(stage: Scene, seat: Seat) -> str:
    """The key of something of one's own, of anybody's, or of nothing."""
    dice = stage.random.random()
    if stage.keys and dice < 0.3:
        return stage.random.choice(stage.keys)
    rows = [fact for fact in stage.oracle.facts if fact.row or fact.key]
    if not rows:
        return "nothing"
    own = stage.oracle.remembered(seat) if dice < 0.7 else set[str]()
    mine = [fact for fact in rows if fact.pair.canary in own]
    chosen = stage.random.choice(mine or rows)
    return chosen.key or chosen.row


TOOL_READS: Mapping[AskOf[Scene], float] = {_get: 12, _search: 12, _list: 6, _session_search: 6}
TOOL_CHANGES: Mapping[AskOf[Scene], float] = {save: 5, _delete: 3}
