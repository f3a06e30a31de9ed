"""What is said at the beginning: by turns, commands and tools, and rows that no chat would make today."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef, ToolUse, Turn
from astrbot_plugin_ltm.long_term_memory.domain.enums import (
    Audience,
    Extraction,
    Level,
    MemoryType,
    Origin,
    Scope,
    Status,
)
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Item

from tests.leaks.canaries import Pair
from tests.leaks.cast import Seat
from tests.leaks.oracle import EVERYBODY, Fact, Utterance
from tests.leaks.scene import Scene
from tests.leaks.stage import Stage
from tests.running import record
from tests.stores import an_event, an_evidence, an_item

_OTHERS = ("Dora", "Bob", "Carol")
_OWN: Mapping[bool, tuple[str, ...]] = {
    False: ("I like {}.", "Remember that my boat is called {}.", "I work as a {}."),
    True: ("我喜欢{}。", "记住我的船叫{}。", "我的爱好是{}"),
}

_SELDOM = 0.25
_STANDING = (MemoryType.PROFILE, MemoryType.CONSTRAINT, MemoryType.PREFERENCE)


async def tell_everything(stage: Stage) -> None:
    """Put all of it in, and let it be read."""
    if stage.cast.variant.linked_by_code:
        await _link(stage)
    for seat in stage.cast.seats:
        for tell in (say_of_oneself, _add, say_of_others, _let_the_bot_speak, _quote):
            await tell(stage, seat)
    await _live_through_old_days(stage)
    await stage.extract()
    await _lay_down_all(stage)
    await stage.embedded_by("first")


def heard(stage: Scene, seat: Seat, pair: Pair, *, by_bot: bool = False) -> None:
    """Note that these words were said at this seat."""
    told = _heard(seat, pair, by_bot=by_bot)
    stage.oracle.utterances.append(replace(told, level=stage.oracle.level(seat)))


def _heard(seat: Seat, pair: Pair, *, by_bot: bool = False) -> Utterance:
    return Utterance(
        pair=pair,
        by="" if by_bot else seat.who,
        beside=seat.who if seat.private and not seat.project else "",
        room=seat.project if seat.private else seat.room,
        level=seat.floor,
        in_group=not seat.private,
        persona=seat.persona,
    )


def learnt(stage: Scene, seat: Seat, pair: Pair, *, whose: str = "") -> Fact:
    """Note that a fact was told at this seat: of whoever sits there, unless it is said of whom.

    A project is one for all personas.
    """
    fact = Fact(
        pair=pair,
        whose=whose or seat.who,
        by=seat.who,
        level=stage.oracle.level(seat),
        groups=frozenset() if seat.private else frozenset({seat.room}),
        persona="" if whose and whose == seat.project else seat.persona,
    )
    stage.oracle.facts.append(fact)
    return fact


async def _link(stage: Stage) -> None:
    head = stage.cast.at("alice", "plat_a:FriendMessage:alice")
    for room in ("plat_b:FriendMessage:al", "web:FriendMessage:web!alweb!1"):
        other = stage.cast.at(room.split(":")[2].split("!")[1] if "!" in room else "al", room)
        offer = stage.memory.linking.begin(head.chat)
        stage.memory.linking.enter(other.chat, getattr(offer, "code", ""))
        await stage.memory.linking.confirm(head.chat)


async def say_of_oneself(stage: Scene, seat: Seat) -> None:
    """A plain statement in each language."""
    for chinese, sentences in _OWN.items():
        pair = stage.words.pair(chinese=chinese)
        heard(stage, seat, pair)
        learnt(stage, seat, pair)
        await stage.says(seat, stage.random.choice(sentences).format(pair.both))


async def _add(stage: Scene, seat: Seat) -> None:
    await add(stage, seat, chinese=stage.random.random() < 0.5)


async def add(stage: Scene, seat: Seat, *, chinese: bool) -> str:
    """`/ltm add`; returns the reply."""
    pair = stage.words.pair(chinese=chinese)
    heard(stage, seat, pair)
    learnt(stage, seat, pair)
    text = f"我养了一只{pair.both}" if chinese else f"My shed is painted {pair.both}"
    return await stage.command(seat, f"/ltm add {text}")


async def say_of_others(stage: Scene, seat: Seat) -> None:
    """In a group it is the group's, in private the speaker's own; how the work goes is the project's."""
    name = stage.random.choice([name for name in _OTHERS if name.lower() != seat.chat.sender_id])
    pair = stage.words.pair(chinese=False)
    heard(stage, seat, pair)
    learnt(stage, seat, pair, whose="" if seat.private else seat.room)
    await stage.says(seat, f"{name} collects {pair.both} at home")
    if seat.project:
        pair = stage.words.pair(chinese=False)
        heard(stage, seat, pair)
        learnt(stage, seat, pair, whose=seat.project)
        await stage.says(seat, f"The boat still needs {pair.both} before the launch")


async def _let_the_bot_speak(stage: Stage, seat: Seat) -> None:
    reply, result = stage.words.pair(chinese=False), stage.words.pair(chinese=True)
    for pair in (reply, result):
        heard(stage, seat, pair, by_bot=True)
    await stage.says(seat, "What is new?", f"They opened the {reply.both} yesterday.")
    use = ToolUse(
        chat=seat.chat,
        message_id=stage.number(),
        tool="search",
        result=f"新闻：{result.both}开业了",
        at=stage.world.clock(),
    )
    await record(stage.memory, use)


async def _quote(stage: Stage, seat: Seat) -> None:
    """Another's words that somebody answers are no words of theirs, but were read out here."""
    pair = stage.words.pair(chinese=False)
    heard(stage, seat, pair)
    turn = Turn(
        chat=seat.chat,
        message_id=stage.number(),
        user_text="What do you make of that?",
        reply_text="",
        at=stage.world.clock(),
        quoted=f"We sail the {pair.both} on Monday",
        quoted_from="Eve",
    )
    await record(stage.memory, turn)


async def _live_through_old_days(stage: Stage) -> None:
    """Many of one kind in some of the chats."""
    for seat in stage.random.sample(stage.cast.seats, 4):
        for _ in range(9):
            pair = stage.words.pair(chinese=False)
            heard(stage, seat, pair)
            learnt(stage, seat, pair, whose=seat.project)
            await stage.says(seat, f"I met {pair.both} at the harbour today")


@dataclass(frozen=True, kw_only=True)
class Laid:
    """A fact as it is to lie in the store, without any words that made it so."""

    fact: Fact
    seat: Seat
    owner: ScopeRef
    status: Status = Status.ACTIVE
    text: str = ""


async def _lay_down_all(stage: Stage) -> None:
    rows = [
        *(row for seat in stage.cast.seats for row in _of_seat(stage, seat)),
        *_of_all(stage),
        *_twins(stage),
    ]
    await lay_down(stage, rows)


async def lay_down(stage: Stage, rows: Sequence[Laid]) -> None:
    """Put them into the store, each with words that it rests on."""
    async with stage.store.transaction() as transaction:
        for row in rows:
            event, item = _event(stage, row), _item(stage, row)
            await transaction.add_events([event])
            evidence = an_evidence(item, event, evidence_id=f"e-{item.memory_id}")
            await transaction.insert_item(item, [evidence])


def _of_seat(stage: Stage, seat: Seat) -> Iterator[Laid]:
    """At each level, for here or for everywhere; in use and not; of the speaker and of all who are here."""
    own = ScopeRef(scope=Scope.USER, scope_id=seat.own_scope)
    for level in Level:
        fact = learnt(stage, seat, stage.words.pair(chinese=stage.random.random() < 0.5))
        fact.level, fact.everywhere = level, stage.random.random() < 0.3
        yield Laid(fact=fact, seat=seat, owner=own)
    for status in stage.random.sample((*Status,), 3):
        fact = learnt(stage, seat, stage.words.pair(chinese=False))
        fact.gone = status is Status.DELETED
        yield Laid(fact=fact, seat=seat, owner=own, status=status)
    if not (seat.group_scope or seat.project):
        return
    scope = Scope.GROUP if seat.group_scope else Scope.PROJECT
    ref = ScopeRef(scope=scope, scope_id=seat.group_scope or seat.project)
    for level in stage.random.sample((*Level,), 2):
        whose = seat.room if seat.group_scope else seat.project
        fact = learnt(stage, seat, stage.words.pair(chinese=False), whose=whose)
        fact.level = level
        yield Laid(fact=fact, seat=seat, owner=ref)


def _of_all(stage: Stage) -> Iterator[Laid]:
    """What is everybody's, and what stood for a chat before people were told apart."""
    alice = stage.cast.at("alice", "plat_a:FriendMessage:alice")
    for level in Level:
        fact = learnt(stage, alice, stage.words.pair(chinese=False), whose=EVERYBODY)
        fact.level = level
        yield Laid(fact=fact, seat=alice, owner=ScopeRef(scope=Scope.GLOBAL, scope_id="global"))
        if not stage.cast.variant.by_chat:
            fact = learnt(stage, alice, stage.words.pair(chinese=False))
            fact.level, fact.only_in = level, alice.room
            yield Laid(fact=fact, seat=alice, owner=ScopeRef(scope=Scope.USER, scope_id=alice.room))


def _twins(stage: Stage) -> Iterator[Laid]:
    """The same fact in several chats, of one person and of two: they may be joined, their asides may not."""
    shared = stage.words.pair(chinese=False)
    for seat in stage.cast.seats:
        for _ in range(2):
            fact = learnt(stage, seat, shared)
            fact.level, fact.everywhere = Level.PUBLIC, stage.random.random() < _SELDOM
            owner = ScopeRef(scope=Scope.USER, scope_id=seat.own_scope)
            really = stage.random.choice(("", "", "really "))
            yield Laid(fact=fact, seat=seat, owner=owner, text=f"User {really}enjoys {shared.both} soup")


def _event(stage: Stage, row: Laid) -> Event:
    """What somebody said that the fact rests on, in other words."""
    seat, beneath = row.seat, stage.words.pair(chinese=False)
    told = replace(_heard(seat, beneath), level=row.fact.level, kept_in=seat.own_scope)
    stage.oracle.utterances.append(told)
    own = ScopeRef(scope=Scope.USER, scope_id=seat.own_scope)
    place = own
    if seat.group_scope:
        place = ScopeRef(scope=Scope.GROUP, scope_id=seat.group_scope)
    elif seat.project:
        place = ScopeRef(scope=Scope.PROJECT, scope_id=seat.project)
    return an_event(
        f"So it is {beneath.both} you say",
        at_scope=place,
        owner=own,
        umo=seat.chat.umo,
        platform_id=seat.chat.platform_id,
        conversation_id=seat.chat.conversation_id,
        sender_id=seat.chat.sender_id,
        sender_name=seat.chat.sender_name,
        level=row.fact.level,
        created_at=stage.world.clock(),
        extraction=Extraction.DONE,
    )


def _item(stage: Stage, row: Laid) -> Item:
    """The fact, with more words of its own in the texts beside it; twins may have none, and so be joined."""
    at = stage.world.clock()
    if row.owner.scope_id == row.seat.own_scope:
        row.fact.kept_in = row.seat.own_scope
    row.fact.told_as = row.seat.own_scope
    row.fact.row = f"{stage.random.getrandbits(32):08x}-row"
    asides: list[str] = []
    for _ in range(2):
        aside = stage.words.pair(chinese=False)
        asides.append("" if row.text and stage.random.random() > _SELDOM else aside.both)
        if asides[-1]:
            stage.oracle.facts.append(replace(row.fact, pair=aside))
    backstory, tag = asides
    return an_item(
        row.text or f"User owns a {row.fact.pair.both}",
        memory_id=row.fact.row,
        owner=row.owner,
        level=row.fact.level,
        audience=Audience.EVERYWHERE if row.fact.everywhere else Audience.CHAT,
        origin=Origin.RULE if row.text else stage.random.choice((*Origin,)),
        origin_umo=row.seat.chat.umo,
        type=MemoryType.PREFERENCE if row.text else stage.random.choice(_STANDING),
        # What somebody has chosen a key for is not joined with anything.
        fact_key=stage.words.pair(chinese=False).hook if row.text else row.fact.row,
        backstory=backstory,
        tags=(tag,) if tag else (),
        status=row.status,
        persona_id=row.fact.persona,
        created_at=at,
        updated_at=at,
        last_confirmed_at=at,
    )
