"""Everything by which somebody may come to read something, each as one random call."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass

from astrbot_plugin_ltm.long_term_memory.domain.enums import MemoryType

from tests.leaks.cast import Seat
from tests.leaks.oracle import EVERYBODY
from tests.leaks.scene import Scene
from tests.leaks.stage import Stage

_QUESTIONS = (
    "What do I like?",
    "What do you know about me?",
    "What did we talk about at the harbour?",
    "我喜欢什么？",
    "你还记得我的船吗？",
    "Who collects things at home?",
    "soup",
    "boat, shed, harbour, launch",
    '" OR 1=1 -- *',
)


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What somebody was shown, and what they may be shown."""

    path: str
    seat: Seat
    text: str
    allowed: frozenset[str]
    items: tuple[str, ...] = ()
    """Memories that are named by their ids."""


type AskOf[S] = Callable[[S, Seat], Awaitable[Shown]]
type Ask = AskOf[Stage]


def shown(path: str, seat: Seat, text: str, *allowed: Iterable[str], items: Iterable[str] = ()) -> Shown:
    """What a reply comes to; it may hold what is in any of the sets."""
    everything = frozenset(word for part in allowed for word in part)
    return Shown(path=path, seat=seat, text=text, allowed=everything, items=tuple(items))


def question(stage: Scene, seat: Seat) -> str:
    """Something of one's own, of anybody's, or in general."""
    dice = stage.random.random()
    if dice < 0.2:
        return stage.random.choice(_QUESTIONS)
    everything = [*stage.oracle.facts, *stage.oracle.utterances]
    if dice < 0.6:
        mine = stage.oracle.remembered(seat) | stage.oracle.said(seat)
        everything = [each for each in everything if each.pair.canary in mine] or everything
    one, other = stage.random.choice(everything).pair.hook, stage.random.choice(everything).pair.hook
    return stage.random.choice((one, f"{one} {other}", f"What about {one}?", f"{one}是什么？"))


async def _block(stage: Stage, seat: Seat) -> Shown:
    text = question(stage, seat)
    if stage.random.random() < 0.3:
        stage.memory.prepare(seat.chat, text)
    allowed = stage.oracle.remembered(seat)
    recall = await stage.memory.recall(seat.chat, text)
    stage.memory.log_recall(seat.chat, text, recall, sent=stage.random.random() < 0.8)
    stage.recalled.append((seat, frozenset(allowed)))
    items = [*(each.item for each in recall.injected)]
    texts = [f"{item.fact} {item.backstory} {item.tags}" for item in items]
    ids = [*(item.memory_id for item in items), *(each.memory_id for each in recall.omitted())]
    return shown("block", seat, "\n".join((recall.block, *texts)), allowed, items=ids)


async def _list(stage: Scene, seat: Seat) -> Shown:
    kind, page = stage.random.choice(("", "", *MemoryType)), stage.random.choice(("", "", "2", "3"))
    name = stage.random.choice(("list", "列表"))
    text = await stage.command(seat, f"/ltm {name} {kind} {page}")
    return shown("list", seat, text, stage.oracle.own(seat))


async def _search(stage: Scene, seat: Seat) -> Shown:
    name = stage.random.choice(("search", "搜索"))
    text = await stage.command(seat, f"/ltm {name} {question(stage, seat)}")
    return shown("search", seat, text, stage.oracle.own(seat))


async def _why(stage: Scene, seat: Seat) -> Shown:
    text = await stage.command(seat, f"/ltm why {stage.some_id(seat)}")
    return shown("why", seat, text, stage.oracle.own(seat), stage.oracle.quotable(seat))


async def _why_not(stage: Scene, seat: Seat) -> Shown:
    text = await stage.command(seat, f"/ltm why-not {question(stage, seat)}")
    return shown("why-not", seat, text, stage.oracle.own(seat), stage.oracle.said_by_oneself(seat))


async def _export(stage: Scene, seat: Seat) -> Shown:
    text = await stage.command(seat, "/ltm export")
    own = stage.oracle.own(seat, of_every_persona=True) if seat.private else ()
    words = stage.oracle.quotable(seat, of_every_persona=True) if seat.private else ()
    return shown("export", seat, text, own, words)


async def _session_search(stage: Stage, seat: Seat) -> Shown:
    found = await stage.memory.search_transcript(
        seat.chat, question(stage, seat), max_results=stage.random.choice((1, 10, 100))
    )
    text = "\n".join(f"{said.speaker}: {said.text}" for said in found)
    return shown("session search", seat, text, stage.oracle.said(seat))


async def _pending(stage: Scene, seat: Seat) -> Shown:
    """An operator reads everything, but in a group others read along."""
    text = await stage.command(seat, "/ltm pending", admin=True)
    everything = {fact.pair.canary for fact in stage.oracle.facts}
    return shown("pending", seat, text, everything if seat.private else stage.oracle.remembered(seat))


async def _about_memory(stage: Scene, seat: Seat) -> Shown:
    """What tells how memory stands, and what does not exist: none of it holds anybody's words."""
    name = stage.random.choice(("status", "help", "mode", "pendin", "link", "pending", "", "erase", "why"))
    return shown("about memory", seat, await stage.command(seat, f"/ltm {name}"))


async def _items(stage: Scene, seat: Seat) -> Shown:
    """The operator asks for one person's memories, or a group's."""
    of_group = bool(seat.group_scope) and stage.random.random() < 0.5
    query = {
        "scope": "group" if of_group else "user",
        "scope_id": seat.group_scope if of_group else seat.own_scope,
        "page_size": "200",
    }
    if stage.random.random() < 0.3:
        query["q"] = question(stage, seat)
    return shown(
        "items", seat, await stage.items(query), stage.oracle.of_scope([seat.room if of_group else seat.who])
    )


async def _item(stage: Scene, seat: Seat) -> Shown:
    """The operator asks for one memory: with it comes what it rests on, and nobody else's."""
    memory_id = stage.some_id(seat)
    body = await stage.item(memory_id)
    whose = {fact.whose for fact in stage.facts_of(memory_id)}
    everybody = EVERYBODY in whose
    said = (
        each.pair.canary
        for each in stage.oracle.utterances
        if everybody or each.by in whose or each.room in whose
    )
    return shown("item", seat, body, stage.oracle.of_scope(whose), said)


BY_COMMAND: Mapping[AskOf[Scene], float] = {
    _why: 8,
    _why_not: 8,
    _search: 8,
    _list: 6,
    _export: 3,
    _pending: 2,
    _about_memory: 2,
}
BY_ROUTE: Mapping[AskOf[Scene], float] = {_items: 3, _item: 3}
READS: Mapping[Ask, float] = {_block: 30, _session_search: 15, **BY_COMMAND, **BY_ROUTE}
"""Each way to read and how often it is gone."""
