"""Stage 3, ground: find the quotes of a candidate, check its values, decide whose fact it is.

Code decides what needs no grammar: that the words were said, by whom, and that each number, date and address
occurs. Verification decides what a sentence means.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import tzinfo
from itertools import chain, product
from typing import NamedTuple

from ..domain.enums import MemoryType, Origin, Role, Scope, Stance
from ..domain.log import logger
from ..domain.memory import Event
from ..domain.writing import Candidate, Grounded, Passage, Segment
from ..policies.slots import is_exclusive, slot_of
from ..text_analysis.dates import is_of_later_outing, is_of_other_week, with_days, with_days_of
from ..text_analysis.fact_words import is_over, is_plain_yes
from ..text_analysis.quotes import bounded, find, sentences, shared_terms
from ..text_analysis.relative_dates import relative_dates
from ..text_analysis.values import missing_value
from ..text_analysis.word_forms import normal_words
from .attribution import AGREES, FIRST_PERSON, UNNAMED, attribute, names_of, with_names

ENOUGH_SHARED = 0.5
"""The share of a fact's terms that its message must have where there is no quote."""
BOT_ALONE = "assistant_words"
"""Only the bot said it, and nobody agreed."""
_SAID_BY = (Role.USER, Role.ASSISTANT, Role.TOOL)
"""Where a quote is looked for, the best evidence first."""


class _Evidence(NamedTuple):
    own: Sequence[Passage]
    """Words of one person of the segment."""
    bot: Sequence[Passage] = ()
    doubt: str = ""
    others: Sequence[Passage] = ()
    """Words of other people, such as a question: they may say a value, and are no evidence."""


def ground(candidate: Candidate, segment: Segment, zone: tzinfo) -> Grounded:
    """Find the evidence of a candidate; what speaks against it becomes a doubt or a refusal.

    Raises ValueError when no person said anything in the segment.
    """
    users = [event for event in segment.events if event.role is Role.USER]
    if not users:
        raise ValueError("a fact needs a person's words to rest on")
    own, bot, doubt, others = _evidence(candidate, segment, users)
    said = [*segment.earlier, *segment.events]
    replies = [each for each in own if bot and said.index(each.event) > said.index(bot[0].event)]
    is_withdrawn = candidate.stance is Stance.WITHDRAWN
    known = "\n".join(item.fact for item in segment.known if item.memory_id in candidate.replaces)
    is_of_bot = bool(bot) and not is_withdrawn and _adds(candidate.fact, known, bot, own, replies)
    refused = ""
    if is_of_bot:
        replies = replies or _agreement(bot[0].event, segment, own)
        own = [*replies, *(each for each in own if each not in replies)]
        refused = "" if own else BOT_ALONE
        candidate = replace(candidate, origin=Origin.CONFIRMED)
    unagreed = "only_asked" if _is_only_asked(candidate, own) else ""
    main, beside = own[0] if own else _whole(users[0]), (*own[1:], *bot)
    if is_of_bot and not is_plain_yes(main.event.text):
        unagreed = BOT_ALONE
    # Each event is evidence of an item once; of what is withdrawn all words count.
    first = {each.event.event_id: each for each in reversed((main, *beside))}
    said_at = main.event.created_at.astimezone(zone)
    candidate = replace(candidate, fact=with_names(candidate, main.event, segment.events))
    owner, person, teller = attribute(candidate, main.event, segment.events)
    of_group = owner.scope is Scope.GROUP and not person
    if of_group and is_exclusive(
        slot_of(candidate.slot, candidate.fact_key)
    ):  # a group has many names and ages
        candidate = replace(candidate, slot="", fact_key="")
    if not doubt and UNNAMED.fullmatch(normal_words(person)):
        doubt = "person_unclear"
    heard = (*_texts(main, beside, segment), *(each.text for each in others))
    if not doubt and (missing := missing_value(candidate.fact, heard, said_at)):
        doubt = f"not_in_evidence:{missing[:40]}"
    return Grounded(
        candidate=replace(candidate, fact=_dated(candidate, (main, *beside, *others), segment, zone)),
        event=main.event,
        quote=main.text,
        owner=owner,
        person=person,
        teller=teller,
        beside=tuple(each for each in beside if is_withdrawn or first[each.event.event_id] is each),
        doubt=doubt,
        refused=refused or ("secret" if "[secret:" in candidate.fact else ""),
        is_of_bot=is_of_bot,
        unagreed=unagreed,
    )


def ground_all(
    candidates: Sequence[Candidate], segment: Segment, zone: tzinfo
) -> tuple[list[Grounded], list[str]]:
    """`ground` for each candidate, and a reason for each that raised an error."""
    facts: list[Grounded] = []
    broken: list[str] = []
    for candidate in candidates:
        try:
            facts.append(ground(candidate, segment, zone))
        except Exception as error:  # noqa: BLE001  words nobody thought of break one fact, not the batch
            logger.error("A fact could not be checked: %s", type(error).__name__)  # noqa: TRY400  its text may quote
            broken.append("not_checked")
    return facts, broken


def _dated(candidate: Candidate, passages: Sequence[Passage], segment: Segment, zone: tzinfo) -> str:
    """The fact with the day of each such word, from the passage that has it or the known fact it replaces."""
    fact, to_come = candidate.fact, _is_to_come(candidate)
    today = passages[0].event.created_at.astimezone(zone).date()
    known = (item.fact for item in segment.known if item.memory_id not in candidate.replaces)
    heard = (each for event in (*segment.earlier, *segment.events) for each in sentences(event.text))
    is_apart = is_of_later_outing(fact, chain(known, heard), today)
    if is_apart or any(_has_days_apart(each, to_come=to_come) for each in passages):
        to_come = None
    spoken = [(each.text, each.event) for each in passages]
    for text, event in (*spoken, *((each.event.text, each.event) for each in passages)):
        fact = with_days(fact, event.created_at.astimezone(zone), to_come=to_come, heard=text)
    for item in segment.known:
        fact = with_days_of(fact, item.fact) if item.memory_id in candidate.replaces else fact
    return with_days(fact, passages[0].event.created_at.astimezone(zone), to_come=to_come)


def _is_to_come(candidate: Candidate) -> bool | None:
    """Whether its days lie ahead (a plan) or in the past (an episode in that tense); None: not told."""
    if candidate.stance is Stance.PLANNED:
        return True
    return False if candidate.type is MemoryType.EPISODE and is_over(candidate.fact) else None


def _has_days_apart(passage: Passage, *, to_come: bool | None) -> bool:
    """Whether its weekdays may be counted from another day than that of its words.

    A sentence in the past tense tells what was "on Friday", which is no day of a plan; and "8 August we fly,
    Sunday we rest" tells a Sunday of another week.
    """
    today, text = passage.event.created_at.date(), passage.text
    over = (relative_dates(each, today) for each in sentences(text) if to_come and is_over(each))
    if any(one.bare and one.preposition == "on" for found in over for one in found):
        return True
    return any(is_of_other_week(each, today) for each in _sentences_around(passage))


def _sentences_around(passage: Passage) -> list[str]:
    """The sentences of the message that are in the passage, or that it is in; else those of the passage."""
    whole, text = sentences(passage.event.text), passage.text
    return [each for each in whole if text in each or each.strip() in text] or sentences(text)


def _evidence(candidate: Candidate, segment: Segment, users: Sequence[Event]) -> _Evidence:
    is_withdrawn = candidate.stance is Stance.WITHDRAWN
    if not candidate.quotes and not is_withdrawn:  # as a plain answer names none
        best = max(users, key=lambda event: shared_terms(candidate.fact, event.text))
        enough = shared_terms(candidate.fact, best.text) >= ENOUGH_SHARED
        return _Evidence([_whole(best)], doubt="" if enough else "no_quote")
    cited = [segment.events[i] for i in candidate.evidence if 0 <= i < len(segment.events)]
    about = normal_words(candidate.about)
    likely = [*cited, *(each for each in users if about and about in names_of(each, segment.events))]
    passages = [
        found for quote in candidate.quotes if (found := _find(quote, segment, likely, whole=is_withdrawn))
    ]
    own = by_people = [each for each in passages if each.event.role is Role.USER]
    if is_withdrawn and len({each.event.sender_id for each in own}) > 1:
        return _Evidence([], doubt="no_quote")
    if not is_withdrawn or not any(each.event in segment.events for each in own):
        own = [each for each in own if each.event in segment.events]
    bot = [each for each in passages if each.event.role is Role.ASSISTANT]
    if own or (bot and not is_withdrawn):
        who = _teller(candidate, own, segment)
        of_one = [each for each in own if each.event.sender_id == who]
        others = [each for each in by_people if who and each.event.sender_id != who]
        return _Evidence(of_one, bot, others=others)
    if any(each.event.role is Role.TOOL for each in passages):
        return _Evidence([], doubt="tool_result")
    likeliest = next((event for event in cited if event.role is Role.USER), users[0])
    return _Evidence([_whole(likeliest)], doubt=_doubt_about_quotes(candidate, segment.events))


def _teller(candidate: Candidate, own: Sequence[Passage], segment: Segment) -> str | None:
    """The sender of the passages whose fact it is: whom it is about, else who tells it rather than asks.

    They must say part of it, agree to it, or answer where only questions tell it.
    """
    said, about = [*segment.earlier, *segment.events], normal_words(candidate.about)
    says = [each for each in own if shared_terms(candidate.fact, each.text) or _agrees(each, own, said)]
    telling = [each for each in says if not _all_ask(_sentences_around(each))]
    is_asked = not telling and not any(FIRST_PERSON.search(each.text) for each in says)
    answers = [each for each in own if is_asked and not _all_ask(_sentences_around(each))]
    of_about = (e for e in (*(says or own), *answers) if about and about in names_of(e.event, segment.events))
    return next((each.event.sender_id for each in (*of_about, *telling, *answers, *own)), None)


def _agrees(passage: Passage, own: Sequence[Passage], said: Sequence[Event]) -> bool:
    """Whether it says yes to what somebody else says before it."""
    before = [each for each in own if said.index(each.event) < said.index(passage.event)]
    others = any(each.event.sender_id != passage.event.sender_id for each in before)
    return others and bool(AGREES.match(normal_words(passage.event.text)))


def _whole(event: Event) -> Passage:
    return Passage(event=event, text=bounded(event.text) or "…")


def _find(quote: str, segment: Segment, likely: Sequence[Event], *, whole: bool) -> Passage | None:
    """The passage in the best message, `whole` or as evidence: likely ones first, earlier ones last."""
    events = [*likely, *(event for event in segment.events if event not in likely)]
    by_role = [[event for event in events if event.role is role] for role in _SAID_BY]
    before = [event for event in segment.earlier if event.role is not Role.TOOL]
    for said, nearly in product((*by_role, before), (False, True)):
        for event in said:
            if span := find(quote, event.text, nearly=nearly):
                words = event.text[span[0] : span[1]]
                return Passage(event=event, text=words if whole else bounded(words))
    return None


def _doubt_about_quotes(candidate: Candidate, events: Sequence[Event]) -> str:
    """Why a quote does not count: it is in a quoted message, in a name, or nowhere."""
    for quote, event in product(candidate.quotes, events):
        if find(quote, event.quoted):
            return "quoted_message"
        if find(quote, event.sender_name):
            return "nickname"
    return "quote_not_found"


def _adds(
    fact: str, known: str, bot: Sequence[Passage], own: Sequence[Passage], replies: Sequence[Passage]
) -> bool:
    """Whether the bot says what the person does not and is not `known`, and the replies say nothing of it."""
    if any(shared_terms(fact, each.text) for each in replies):
        return False
    said = [each.text for each in own]
    adds = shared_terms(fact, "\n".join([known, *said, *(each.text for each in bot)]))
    return not shared_terms(fact, "\n".join(said)) or shared_terms(fact, "\n".join([known, *said])) < adds


def _agreement(said: Event, segment: Segment, own: Sequence[Passage]) -> Sequence[Passage]:
    """The next message in the segment of the person whom the bot spoke to, if they said what is `own`."""
    every = (*segment.earlier, *segment.events)
    talk = [event for event in every if event.role is Role.USER or event is said]
    at = talk.index(said)
    listener_id = own[0].event.sender_id if own else talk[at - 1].sender_id if at else None
    answers = (event for event in talk[at + 1 :] if listener_id in (None, event.sender_id))
    answer = next((event for event in answers if event.role is Role.USER), None)
    return [Passage(event=answer, text=bounded(answer.text))] if answer in segment.events and answer else ()


def _texts(main: Passage, beside: Sequence[Passage], segment: Segment) -> Iterator[str]:
    """The texts a value may come from: the speaker's, the bot's before their last one, known facts."""
    said = [*segment.earlier, *segment.events]
    own = [event for event in said if event.sender_id == main.event.sender_id]
    quoted = [each.event for each in (main, *beside)]
    last = max((said.index(event) for event in (*own, *quoted) if event in said), default=-1)
    for index, event in enumerate(said):
        if event in quoted or event in own or (event.role is Role.ASSISTANT and index < last):
            yield event.text
    yield from (item.fact for item in segment.known)


def _is_only_asked(candidate: Candidate, own: Sequence[Passage]) -> bool:
    """Whether the one passage is all questions, and no answer is cited."""
    return len(own) == 1 and _all_ask(sentences(own[0].text)) and len(candidate.evidence) < 2


def _all_ask(said: Sequence[str]) -> bool:
    return bool(said) and all(each.rstrip().endswith(("?", "？", "؟")) for each in said)
