"""Random calls and what the oracle says of them."""

import asyncio
import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tests.leaks.asking import READS, Ask, AskOf, Shown
from tests.leaks.by_tools import TOOL_CHANGES, TOOL_READS
from tests.leaks.changing import CHANGES, embed_anew, forget_all, tidy, unlink
from tests.leaks.found import canaries_in
from tests.leaks.scene import Scene
from tests.leaks.stage import Stage

READING: Mapping[Ask, float] = {**READS, **TOOL_READS}
EVERYTHING: Mapping[Ask, float] = {**READING, **CHANGES, **TOOL_CHANGES}
_LOOKED_AT = 40
"""Recalls between two looks at their log."""


@dataclass
class Tally:
    """What came of a run."""

    calls: Counter[str] = field(default_factory=Counter[str])
    telling: Counter[str] = field(default_factory=Counter[str])
    """Calls that showed at least one canary, by their path."""
    changing: Counter[str] = field(default_factory=Counter[str])
    """Calls that changed a memory, by their path."""
    leaks: list[str] = field(default_factory=list[str])
    """What was shown where it must not be: the path, the seat and the words."""

    def take(self, shown: Shown, named: Mapping[str, frozenset[str]], known: set[str]) -> None:
        """Count a call and judge it; `named` are the words of the memories it named by their ids."""
        self.calls[shown.path] += 1
        found = canaries_in(shown.text, known)
        self.telling[shown.path] += bool(found)
        self.changing[shown.path] += bool(shown.items) and shown.path != "block"
        foreign = found - shown.allowed
        foreign |= {word for words in named.values() for word in words - shown.allowed}
        if foreign:
            chat = shown.seat.chat
            where = f"{chat.sender_id} in {shown.seat.room} {chat.persona_id} {chat.conversation_id}"
            self.leaks.append(f"{shown.path}: {where}: {sorted(foreign)}")

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            calls=self.calls + other.calls,
            telling=self.telling + other.telling,
            changing=self.changing + other.changing,
            leaks=[*self.leaks, *other.leaks],
        )

    @property
    def share(self) -> float:
        """How many of the calls showed something."""
        return self.telling.total() / max(self.calls.total(), 1)

    def __str__(self) -> str:
        paths = ", ".join(f"{path} {self.telling[path]}/{number}" for path, number in self.calls.items())
        changes = ", ".join(f"{path} {number}" for path, number in self.changing.items() if number)
        return f"{len(self.leaks)} leaks in {self.calls.total()} calls ({paths}; changed by {changes})"


async def run[S: Scene](stage: S, calls: int, ways: Mapping[AskOf[S], float], *, at_once: int = 1) -> Tally:
    """So many calls at random seats, one after the other or several at once."""
    tally = Tally()
    for _ in range(calls // at_once):
        for shown in await asyncio.gather(*(_asked(stage, ways) for _ in range(at_once))):
            tally.take(shown, stage.words_of(shown.items), stage.oracle.known())
        if len(stage.recalled) >= _LOOKED_AT:
            tally.leaks += await log_leaks(stage)
    tally.leaks += [*await log_leaks(stage), *stage.prompt_leaks]
    stage.prompt_leaks.clear()
    return tally


def shows_enough(tally: Tally, *kinds: Collection[str]) -> None:
    """Where nothing was ever shown, nothing could leak either: by none of these kinds of paths."""
    assert tally.share > 0.3, tally
    for paths in kinds:
        telling, calls = (sum(counted[path] for path in paths) for counted in (tally.telling, tally.calls))
        assert telling >= 0.1 * calls > 0, (paths, tally)


def changes_enough(tally: Tally, *kinds: Collection[str]) -> None:
    """What nobody ever changed could not be shown too late either: by each of these kinds of paths."""
    assert all(sum(tally.changing[path] for path in paths) for paths in kinds), (kinds, tally)


async def play(stage: Stage, calls: int) -> Tally:
    """Reading and changing; in between a round of upkeep, another embedding model, and one who leaves."""
    tally = await run(stage, calls // 3, EVERYTHING)
    await tidy(stage)
    await embed_anew(stage, "second")
    await unlink(stage)
    tally += await run(stage, calls // 3, EVERYTHING)
    await forget_all(stage, stage.cast.at("carol", "plat_a:FriendMessage:carol"))
    tally += await run(stage, calls // 6, READING, at_once=8)
    return tally + await run(stage, calls - tally.calls.total(), EVERYTHING)


async def _asked[S: Scene](stage: S, ways: Mapping[AskOf[S], float]) -> Shown:
    seat = stage.present(stage.random.choice(stage.cast.seats))
    [ask] = stage.random.choices([*ways], weights=[*ways.values()])
    return await ask(stage, seat)


async def log_leaks(stage: Scene) -> list[str]:
    """What the log of recalls holds that its owner must not be shown, since it was looked at last."""
    await stage.settle()
    asked, stage.recalled = stage.recalled, []
    rows = _logged(stage, len(asked))
    leaks: list[str] = []
    for (seat, allowed), (owner, ids) in zip(asked, rows, strict=True):
        if owner not in stage.cast.scopes_of(seat):
            leaks.append(f"recall log: {seat.room} is logged for another")
        foreign = {word for words in stage.words_of(ids).values() for word in words - allowed}
        if foreign:
            leaks.append(f"recall log: {seat.chat.sender_id} in {seat.room}: {sorted(foreign)}")
    return leaks


def _logged(stage: Scene, newest: int) -> Iterator[tuple[str, Sequence[str]]]:
    query = "SELECT owner_scope_id, injected, omitted FROM ltm_recalls ORDER BY id DESC LIMIT ?"
    for owner, injected, omitted in reversed(stage.look.execute(query, (newest,)).fetchall()):
        yield owner, [each["id"] for each in (*json.loads(injected), *json.loads(omitted))]
