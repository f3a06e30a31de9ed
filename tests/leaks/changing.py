"""What people change while others read, and attempts to change what is not theirs."""

import re
from collections.abc import Mapping
from datetime import timedelta

from tests.leaks.asking import Ask, AskOf, Shown, shown
from tests.leaks.cast import TOOLS, Seat
from tests.leaks.scene import Row, Scene
from tests.leaks.stage import Stage
from tests.leaks.telling import add, say_of_oneself
from tests.torture.form import either

_CODE = re.compile(r"\b\d{6}\b")


async def _forget(stage: Scene, seat: Seat) -> Shown:
    return await _by_id(stage, seat, "forget")


async def _share(stage: Scene, seat: Seat) -> Shown:
    return await _by_id(stage, seat, stage.random.choice(("share", "分享")))


async def _unshare(stage: Scene, seat: Seat) -> Shown:
    return await _by_id(stage, seat, stage.random.choice(("unshare", "取消分享")))


async def _by_id(stage: Scene, seat: Seat, name: str) -> Shown:
    before = stage.rows()
    memory_id = stage.some_id(seat)
    allowed = stage.oracle.own(seat, of_every_persona=True)
    text = await stage.command(seat, f"/ltm {name} {memory_id[:8]}")
    return shown(name, seat, text, allowed, items=follow(stage, before))


def follow(stage: Scene, before: Mapping[str, Row]) -> list[str]:
    """Let the oracle know what became of memories; the ids of those that somebody changed.

    In between, upkeep joins duplicates and lets pass what was verified: no answer to this call.
    """
    after = stage.rows()
    changed = [each for each in before if before[each] != after.get(each)]
    for memory_id in changed:
        row, public = after[memory_id], before[memory_id].audience == "everywhere"
        for fact in stage.facts_of(memory_id):
            fact.gone = all(each.status == "deleted" for each in stage.holding(fact))
            fact.everywhere = row.audience == "everywhere"
            fact.shared = fact.everywhere and (fact.shared or not public or row.level < fact.level)
    last = "SELECT actor FROM ltm_audit WHERE memory_id = ? ORDER BY id DESC LIMIT 1"
    return [each for each in changed if stage.look.execute(last, (each,)).fetchone() != ("system",)]


async def _tell(stage: Scene, seat: Seat) -> Shown:
    if stage.random.random() < 0.5:
        await say_of_oneself(stage, seat)
        return shown("turn", seat, "")
    text = await add(stage, seat, chinese=stage.random.random() < 0.5)
    return shown("add", seat, text, stage.oracle.own(seat))


async def _use_tool(stage: Stage, seat: Seat) -> Shown:
    """A tool raises the conversation; sooner or later somebody begins another one."""
    if stage.random.random() < 0.5:
        stage.begin_anew(seat)
        return shown("new conversation", seat, "")
    tool = stage.random.choice((*TOOLS,))
    await stage.memory.levels.used(seat.chat, tool)
    stage.oracle.used(seat, TOOLS[tool])
    return shown("tool", seat, "")


async def tidy(stage: Stage) -> None:
    """Duplicates are joined; what waits for an operator is let pass."""
    stage.world.clock.move(timedelta(days=15))
    await stage.tidy()
    for memory_id, row in stage.rows().items():
        if row.status == "pending":
            await stage.memory.review.approve_one(memory_id, actor="operator:tests")


async def embed_anew(stage: Stage, model: str) -> None:
    """Another embedding model; half the time the old vectors, or words alone, are still what answers."""
    if stage.cast.variant.embeds:
        stage.embedder.model = model
        stage.parts.embedding.notify()
    if stage.random.random() < 0.5:
        await stage.embedded_by(model)


async def forget_all(stage: Stage, person: Seat) -> None:
    """Somebody has all of theirs erased, wherever they sit."""
    asked = await stage.command(person, "/ltm forget all")
    [code] = _CODE.findall(asked)
    await stage.command(person, f"/ltm forget all {code}")
    chat = person.chat
    seats = [
        each
        for each in stage.cast.seats
        if (each.chat.platform_id, each.chat.sender_id) == (chat.platform_id, chat.sender_id)
    ]
    stage.oracle.erased({seat.who for seat in seats})


async def unlink(stage: Stage) -> None:
    """An account leaves the others; where the operator has joined them it cannot.

    What it said before is the others', so a model that reads it later is told what is known of them.
    """
    await stage.extract()
    leaver = stage.cast.at("al", "plat_b:FriendMessage:al")
    said = await stage.command(leaver, "/ltm unlink")
    if stage.cast.variant.linked_by_code:
        assert "on its own again" in said, said  # else all that follows would count as shown
        stage.cast.part(leaver.own_scope, "al")
        stage.oracle.parted(leaver.own_scope, "al")


BY_PEOPLE: Mapping[AskOf[Scene], float] = {_tell: 4, _forget: 3, _share: 4, _unshare: 4}
CHANGES: Mapping[Ask, float] = {**BY_PEOPLE, _use_tool: 6}
"""Each change and how often it is made."""
CHANGED = (("forget",), ("share", "分享"), *either((), (("unshare", "取消分享"),)))
"""What has to come to something, by the commands; a short run hardly ever takes a sharing back."""
