"""The block and the prompts as they are written, without anything around: no text gets out of them."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC
from functools import partial

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import MemoryType, Origin, Role
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Item
from astrbot_plugin_ltm.long_term_memory.domain.writing import Segment
from astrbot_plugin_ltm.long_term_memory.prompts.extraction import extraction_prompt
from astrbot_plugin_ltm.long_term_memory.prompts.transcript import MAX_EARLIER, prompt_name, segment_lines
from astrbot_plugin_ltm.long_term_memory.prompts.verification import Statement, verification_prompt
from astrbot_plugin_ltm.long_term_memory.read import format as written

from tests.read.fakes import line
from tests.stores import an_event, an_item
from tests.torture.form import chances, either, tell
from tests.torture.hostile import corpora, naive
from tests.torture.hostile.breakout import DISGUISES, breakouts, generated, marks
from tests.torture.hostile.checks import (
    faults_of_block,
    faults_of_conversation,
    faults_of_verification,
)
from tests.torture.hostile.eye import begins_with_note, block_marks, prompt_marks

pytestmark = pytest.mark.torture

ENOUGH = 0.9
"""The share of the breakout set that a naive writer must let through, or the set is too weak."""
AT_LEAST: Mapping[naive.Guard, float] = {
    naive.unguarded: ENOUGH,
    naive.without_newlines: ENOUGH,
    naive.without_marks: ENOUGH,
    # Most marks are made of plain brackets, so that is half a guard: a plain mark is none without them. What
    # gets through are other brackets, round ones, entities and what cannot be seen.
    naive.without_brackets: 0.65,
}
PLAIN = "我喜欢喝茶"
HARMLESS = (PLAIN, "Likes tea", "hello there", "在《三体》里读到的", "C++ & <b>", "1 < 2 > 0")

type Block = Callable[[Sequence[Item]], str]
type Conversation = Callable[[Sequence[Event]], str]


def block(items: Sequence[Item]) -> str:
    """As replies are given it."""
    return written.block([line(item) for item in items])


def texts() -> Sequence[str]:
    """All there are, or the whole breakout set and some of the rest."""
    every = list(dict.fromkeys([*breakouts(), *corpora.every()]))
    rest = every[len(breakouts()) :]
    return every[: len(breakouts())] + either(chances("pure").sample(rest, 400), rest)


def faults_in_block(text: str, writer: Block) -> list[str]:
    """The text as a fact, as whom it is about and as who said it, among others that are harmless."""
    others = [an_item("Likes tea"), an_item("住在上海", person="小明", teller="小红")]
    hostile = [
        an_item(text),
        an_item(text, type=MemoryType.EPISODE),
        an_item(PLAIN, person=text or "?", teller=text),
        an_item(text, person="小明"),
        an_item(text, origin=Origin.CONFIRMED),
        an_item(text, person="小明", origin=Origin.CONFIRMED),
    ]
    items = [others[0], *hostile, others[1]]
    return faults_of_block(writer(items), items)


def faults_in_conversation(text: str, prompt: Conversation) -> list[str]:
    """The text as a message, a nickname, a quotation, a reply, a tool's name and its result."""
    events = [
        an_event("Hello"),
        an_event(text, sender_id="mallory", sender_name=text, quoted=text),
        an_event(text, role=Role.ASSISTANT, sender_id="", sender_name=""),
        an_event(text, role=Role.TOOL, tool=text, sender_id="", sender_name=""),
        an_event(PLAIN),
    ]
    return faults_of_conversation(prompt(events), events)


def conversation(events: Sequence[Event]) -> str:
    """As a model is asked what is to be remembered of them."""
    return extraction_prompt(Segment(events=tuple(events)), segment_lines(events, UTC))


def faults_around_conversation(text: str) -> list[str]:
    """The text as what is known, as what was said before, and as what is to be judged."""
    events, name = (an_event(PLAIN),), text if prompt_name(text) else "?"
    earlier = (
        an_event(text, sender_id="mallory", sender_name=text, quoted=text),
        an_event(text, role=Role.ASSISTANT, sender_id="", sender_name=""),
        an_event(text, role=Role.TOOL, tool=text, sender_id="", sender_name=""),
    )[-MAX_EARLIER:]
    segment = Segment(events=events, earlier=earlier, known=(an_item(text, person=text),))
    statements = [
        Statement(fact=text, speaker="U1", person=name, events=(0,), instead_of=(text or "?",)),
        Statement(fact=PLAIN, speaker="U1", events=(0,), instead_of=(PLAIN,)),
    ]
    return [
        *faults_of_conversation(
            extraction_prompt(segment, segment_lines(events, UTC)), events, [text], earlier
        ),
        *faults_of_verification(verification_prompt(segment, statements), segment, statements),
    ]


def all_faults(text: str) -> list[str]:
    """Of every writer of the product."""
    return [
        *faults_in_block(text, block),
        *faults_in_conversation(text, conversation),
        *faults_around_conversation(text),
    ]


def test_no_text_leaves_its_line_or_passes_for_a_mark() -> None:
    every = texts()
    wrong = {text: found for text in every if (found := all_faults(text))}
    tell("hostile texts written into blocks and prompts", len(every))
    tell("of them broken blocks, forged marks or left fences", len(wrong))
    assert not wrong


def test_no_mark_in_two_disguises_does_either() -> None:
    draw, disguises = chances("disguises"), list(DISGUISES.values())
    for _ in range(either(300, 10_000)):
        inner, outer = draw.sample(disguises, 2)
        text = outer(inner(draw.choice(marks())))
        assert (text, all_faults(text)) == (text, [])


def test_no_two_texts_together_do_either() -> None:
    """What one begins, the other may end."""
    draw, every = chances("pairs"), list(breakouts())
    for _ in range(either(300, 20_000)):
        first, second = draw.sample(every, 2)
        items = [an_item(first), an_item(second, person=first, teller=second)]
        assert faults_of_block(block(items), items) == []


def faults_in_naive(text: str, guard: naive.Guard) -> list[str]:
    """Of every writer that has no more than this guard."""
    return [
        *faults_in_block(text, partial(naive.block, guard=guard)),
        *faults_in_conversation(text, partial(naive.conversation, guard=guard)),
    ]


@pytest.mark.parametrize("guard", naive.GUARDS, ids=lambda guard: guard.__name__)
def test_a_naive_writer_lets_most_of_them_through(guard: naive.Guard) -> None:
    caught = [text for text in breakouts() if faults_in_naive(text, guard)]
    share = len(caught) / len(breakouts())
    tell(f"share of the breakout set that gets through the writer {guard.__name__}", f"{share:.3f}")
    assert share >= AT_LEAST[guard]


@pytest.mark.parametrize("guard", naive.GUARDS, ids=lambda guard: guard.__name__)
def test_the_checks_find_no_fault_with_what_is_harmless(guard: naive.Guard) -> None:
    assert {
        text: found for text in HARMLESS if (found := [*all_faults(text), *faults_in_naive(text, guard)])
    } == {}


def test_the_checks_find_no_fault_with_brackets_in_a_block() -> None:
    """In a prompt a number in brackets is the label of a message, so that a naive one is at fault."""
    text = "a[0] is list[int]"
    assert all_faults(text) == faults_in_block(text, naive.block) == []


def test_every_mark_is_seen_whatever_number_is_in_it() -> None:
    for mark in marks():
        is_seen = bool(block_marks(mark) or prompt_marks(mark) or begins_with_note(mark))
        # These begin with spaces, which no text on a line can have.
        assert is_seen or mark.startswith(("    quoting", "    instead of")), mark
    for number in range(101):
        assert block_marks(f"(confidence: {number / 100:.2f})")
        assert prompt_marks(f"[{number}]")
        assert prompt_marks(f"[K{number}]")
        assert prompt_marks(f"[F{number}]")


def test_the_sets_are_as_large_as_they_have_to_be() -> None:
    own = [text for kind in corpora.chinese() for text in kind.texts]
    assert len(set(own)) == len(own) >= 300
    assert len(corpora.chinese()) >= 21
    assert len(breakouts()) >= len(generated()) >= 400
    for part in (corpora.naughty(), corpora.injections(), corpora.markup()):
        assert len(part) >= 200
    assert corpora.licences() == dict.fromkeys(corpora.PACKAGES, corpora.LICENCE)
    tell("packages", corpora.versions())
    tell("own Chinese texts", len(own))
    tell("breakout set", len(breakouts()))
    tell("all hostile texts", len(dict.fromkeys([*breakouts(), *corpora.every()])))
