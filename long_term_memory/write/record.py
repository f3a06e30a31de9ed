"""Stage 1, record: turns become events.

Secrets are masked before anything else is made from the text. The id of an event is a hash of the chat, the
speaker, the time and the words, so that recording a turn twice adds nothing. Message ids of platforms may be
empty, constant or reused, and the conversation of an overheard message is not known yet.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import reduce
from itertools import pairwise
from uuid import NAMESPACE_OID, uuid5

from ..domain.chat import Access, ScopeRef, ToolUse, Turn
from ..domain.enums import LIVE_STATUSES, Extraction, Role, Status
from ..domain.memory import Event, Item
from ..domain.writing import Grounded, Passage
from ..policies.requests import OptOut
from ..policies.secrets import mask_and_cut
from ..text_analysis.fact_words import polarity, tokens
from ..text_analysis.quotes import find, replaced, sentences, shared_terms
from ..text_analysis.sanitize import plain_name
from ..text_analysis.word_forms import relatives
from .protocols import WriteTransaction
from .reverting import PriorStates, prior_states
from .rule_facts import SAME_ENOUGH
from .transitions import Decision, leave

MAX_TEXT = 8_000
"""Characters kept of one event."""
MAX_QUOTED = 1_000
"""Characters kept of a quoted message."""
MAX_LOOKBACK = 6
"""Messages among which a request not to keep something finds the one it refers to."""
MAX_FORGOTTEN = 4
"""Known facts that the requests of one batch forget by themselves, as a model reads them."""
MAX_BESIDE = 100
"""Memories whose backstory is looked at for what is forgotten."""
_TELLS = 0.3
"""The share of the words forgotten by which a backstory tells them."""
KEPT = "kept"
"""In the meta of a withdrawn fact: what verification keeps of that."""
_JUST_NOW = timedelta(minutes=10)
"""What was said longer ago is not meant by "that"."""
_PARTS = (r"[,.;!?，。；！？、\n]|\b(?:and|but)\b", r"[.;!?。；！？\n]", r"(?!)")
"""What parts a message, the smaller parts first."""
_OF_ME = re.compile(r"\b(?:i|my|me)\b|我", re.IGNORECASE)
"""Who names oneself means one's own words, though somebody else spoke in between."""
_ASKED = 500
"""Characters at the end of a message that matter to its answer."""


def events_of_turn(turn: Turn, access: Access, asked: str = "") -> list[Event]:
    """The person's words and the bot's answer, as far as there are any; slow for long texts.

    `asked` are the bot's messages before. They tell which secrets the text answers or reads back.
    """
    own = mask_and_cut(turn.user_text, MAX_TEXT, asked)
    reply = mask_and_cut(turn.reply_text, MAX_TEXT, f"{asked}\n{turn.user_text[-_ASKED:]}")
    said = ((Role.USER, own), (Role.ASSISTANT, reply))
    events = [_event(turn, access, role, text) for role, text in said if text]
    if own and (quoted := mask_and_cut(turn.quoted, MAX_QUOTED, asked)):
        name = plain_name(turn.quoted_from)
        quoted = f"{name}: {quoted}" if name else quoted
        events[0] = replace(events[0], quoted=quoted, quoted_sender=turn.quoted_sender)
    return events


def events_of_tool(use: ToolUse, access: Access) -> list[Event]:
    """The tool's result, unless it is empty."""
    text = mask_and_cut(use.result, MAX_TEXT)
    return [_event(use, access, Role.TOOL, text)] if text else []


def event_of_command(command: Turn, access: Access) -> Event:
    """The words of an explicit save, which are not extracted. Raises ValueError when there are none."""
    text = mask_and_cut(command.user_text, MAX_TEXT)
    if not text:
        raise ValueError("a command without words is no evidence")
    return replace(_event(command, access, Role.USER, text), extraction=Extraction.SKIPPED)


async def apply_opt_out(
    tx: WriteTransaction, turn: Turn, access: Access, request: OptOut, since: datetime | None
) -> Sequence[datetime] | None:
    """Drop the turn; with `points_back` the exchange before it, else those that tell what `about` names.

    Of a message that tells more, only the words and memories that tell it go. "That" is nothing while paused,
    nor what was said before `_JUST_NOW` or `since`, when the speaker last said something that was not kept.
    Returns when what it took was said; None where it means the words of somebody else.
    """
    decision = Decision(actor=access.owner.scope_id, now=turn.at)
    gone = list(await tx.of_turn(turn.chat.umo, access.owner, turn.at))
    recent = await tx.newest(turn.chat.umo, access.at_scope.scope_id, limit=MAX_LOOKBACK)
    recent = [event for event in recent if event.created_at < turn.at]
    said = [at for at, event in enumerate(recent) if event.role is Role.USER]
    exchanges = [recent[at:following] for at, following in pairwise([*said, len(recent)])]
    own = [each for each in exchanges if each[0].sender_id == turn.chat.sender_id]
    oldest = max(turn.at - _JUST_NOW, since or turn.at - _JUST_NOW)
    last = [each for each in own[-1:] if each[0].created_at > oldest]
    spoken_between = bool(said) and recent[said[-1]].sender_id != turn.chat.sender_id
    is_of_another = spoken_between and request.points_back and not _OF_ME.search(turn.user_text)
    if is_of_another or (request.points_back and await tx.paused(*access.readable)):
        last = []  # what was said just now is not theirs, or not stored
    talk = [each for each in own if not _is_command(each[0])]
    taken = last if request.points_back else [each for each in talk if _tells(each[0].text, request.about)]
    for exchange in taken:
        whole = [*exchange, *await tx.of_turn(turn.chat.umo, access.owner, exchange[0].created_at)]
        parts = _telling(exchange[0].text, request.about)
        rest = reduce(lambda text, part: replaced(part, "", text), parts, exchange[0].text)
        if not parts or not re.search(r"\w", rest):
            gone += whole
            continue
        cuts, whose = [Passage(event=exchange[0], text=part) for part in parts], _relatives(request.about)
        told = {item.memory_id: item for item in await _resting_on(tx, cuts)}
        for item in await tx.resting([event.event_id for event in whole]):
            if _tells(item.fact, request.about) and _relatives(item.fact) == whose:
                told[item.memory_id] = item
        await _forget(tx, await _told_alone(tx, told.values(), access.owner), cuts, decision)
    await tx.retract(list({event.event_id: event for event in gone}.values()), actor=access.owner.scope_id)
    if own_words := [event for event in gone if event.role is Role.USER]:
        await _leave_out(tx, own_words[0], [event.text for event in own_words])
    return None if is_of_another else [exchange[0].created_at for exchange in taken]


async def forget_withdrawn(tx: WriteTransaction, fact: Grounded, *, now: datetime, most: int) -> PriorStates:
    """Forget what a speaker asks not to keep, as extraction and verification tell it.

    These are at `most` so many known memories that the fact replaces, at the level of its words or below, and
    those that rest on its words, unless verification keeps them: the speaker's own, and what they alone told.
    The words are cut out of their messages. Unverified, it does nothing. Returns how these memories stood.
    """
    if "verified" not in fact.candidate.meta:
        return ()
    tx.updates = updates = list[tuple[Item, Item]]()
    event, cuts = fact.event, [Passage(event=fact.event, text=fact.quote), *fact.beside]
    known = [await tx.get_item(each) for each in fact.candidate.replaces[:most]]
    kept = str(fact.candidate.meta.get(KEPT, "")).split()
    told = [item for item in await _resting_on(tx, cuts) if item.memory_id not in kept]
    told += [item for item in known if item and item.level <= event.level]
    own = await _told_alone(tx, told, event.owner)
    await _forget(tx, own, cuts, Decision(actor=event.owner.scope_id, now=now))
    await tx.mark_events([event.event_id], Extraction.DONE, "off_the_record")
    forgotten = {item.memory_id for item in own}
    return prior_states(each for each in updates if each[0].memory_id in forgotten)


async def _told_alone(tx: WriteTransaction, items: Iterable[Item], owner: ScopeRef) -> list[Item]:
    """Those that are a speaker's own, or that nobody else has told."""
    said = [(item, await tx.rests_on(item.memory_id)) for item in items]
    tellers = [{each.owner for each in events if each.role is Role.USER} for _, events in said]
    return [item for (item, _), by in zip(said, tellers, strict=True) if owner == item.owner or by == {owner}]


async def _resting_on(tx: WriteTransaction, cuts: Sequence[Passage]) -> Sequence[Item]:
    """What rests on these words of persons, or on more around them and tells the same."""
    said, found = [each for each in cuts if each.event.role is Role.USER], list[Item]()
    for item in await tx.resting([each.event.event_id for each in said]):
        quotes = {link.event_id: link.quote for link in await tx.links_of(item.memory_id)}
        if any(_is_told_by(each, quotes.get(each.event.event_id, ""), item.fact) for each in said):
            found.append(item)
    return found


def _is_told_by(words: Passage, quote: str, fact: str) -> bool:
    """Whether a quote stands within the words, or around them and the fact is about them."""
    inner, outer = (find(each, words.event.text, nearly=False) for each in (quote, words.text))
    if not inner or not outer or inner[0] >= outer[1] or outer[0] >= inner[1]:
        return False
    is_within = outer[0] <= inner[0] and inner[1] <= outer[1]
    return is_within or shared_terms(fact, words.text) >= SAME_ENOUGH


async def _forget(
    tx: WriteTransaction, items: Sequence[Item], cuts: Sequence[Passage], decision: Decision
) -> None:
    """Forget these, and cut the words out, and of other messages those that they rest on."""
    words = [(each.event.event_id, each.text) for each in cuts]
    here = {event_id for event_id, _ in words}
    for item in {item.memory_id: item for item in items if item.status in LIVE_STATUSES}.values():
        links = await tx.links_of(item.memory_id)
        words += [(link.event_id, link.quote) for link in links if link.event_id not in here]
        await leave(tx, item, Status.DELETED, decision, "forget", "forgotten")
    for event_id, each in sorted(dict.fromkeys(words), key=lambda one: -len(one[1])):  # one may hold another
        await tx.redact(event_id, each)
    await _leave_out(tx, cuts[0].event, [*(text for _, text in words), *(item.fact for item in items)])


def _tells_of(backstory: str, told: Sequence[str]) -> bool:
    """Whether it has enough words of one sentence of these, or one of these enough of its words."""
    parts = [each for text in told for each in sentences(text)] if backstory else []
    return any(max(shared_terms(each, backstory), shared_terms(backstory, each)) >= _TELLS for each in parts)


async def _leave_out(tx: WriteTransaction, event: Event, told: Sequence[str]) -> None:
    """Drop the backstories that tell this, of memories that are the speaker's or that they alone told."""
    for owner in {event.owner, event.at_scope}:
        near = await tx.similar(owner, None, "\n".join(told), limit=MAX_BESIDE)
        live = (item for item in near if item.status in LIVE_STATUSES and item.level <= event.level)
        telling = [item for item in live if _tells_of(item.backstory, told)]
        for item in await _told_alone(tx, telling, event.owner):
            await tx.update_item(replace(item, backstory=""))


def _is_command(event: Event) -> bool:
    return event.extraction is Extraction.SKIPPED and not event.last_error


def _relatives(text: str) -> frozenset[str]:
    return relatives(text.casefold())


def _telling(text: str, about: str) -> list[str]:
    """The smallest parts of a message that tell this, and of nobody else."""
    parted = (re.split(pattern, text) for pattern in _PARTS)
    whose = _relatives(about)
    ways = ([part.strip() for part in way if _relatives(part) == whose] for way in parted)
    return next(filter(None, ([part for part in way if _tells(part, about)] for way in ways)), list[str]())


def _tells(text: str, about: str) -> bool:
    """Whether a text says just this, word for word but for forms and idle words, of these relatives."""
    wanted, words = tokens(about), tokens(text)
    told = any(words[at : at + len(wanted)] == wanted for at in range(len(words))) and bool(wanted)
    side, sides = polarity(about), polarity(text)
    agrees = side.is_denied == sides.is_denied and {*side.likes} <= {*sides.likes}
    return told and agrees and _relatives(about) <= _relatives(text)


def _event(what: Turn | ToolUse, access: Access, role: Role, text: str) -> Event:
    chat, by_person = what.chat, role is Role.USER
    tool = what.tool if isinstance(what, ToolUse) else ""
    who = [chat.umo, chat.group_id, chat.sender_id]
    happened = json.dumps([*who, what.message_id, what.at.isoformat(), role, tool, text])
    return Event(
        event_id=str(uuid5(NAMESPACE_OID, happened)),
        at_scope=access.at_scope,
        owner=access.owner,
        role=role,
        text=text,
        tool=tool,
        platform_id=chat.platform_id,
        umo=chat.umo,
        conversation_id=chat.conversation_id,
        message_id=what.message_id,
        sender_id=chat.sender_id if by_person else "",
        sender_name=plain_name(chat.sender_name) if by_person else "",
        level=access.level,
        created_at=what.at,
    )
