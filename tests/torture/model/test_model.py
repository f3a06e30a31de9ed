"""Whatever people and operators do, in whatever order: memory holds what was promised, no more and no less.

The long form takes thousands of steps that come to something. A failure prints the steps that lead to it.
"""

from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from tests.faults.story import Front
from tests.torture.form import LONG, SEED, either, tell
from tests.torture.model.acts import Act
from tests.torture.model.machine import Speaking
from tests.torture.model.moving import Moving
from tests.torture.model.seeded import MISTAKES
from tests.torture.model.stories import STORIES

pytestmark = pytest.mark.torture

STEPS = settings(
    max_examples=either(8, 300),
    stateful_step_count=either(25, 50),
    deadline=None,
    database=None,
    phases=[Phase.generate, *either([], [Phase.shrink])],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
UNTIL_FOUND = settings(STEPS, max_examples=200, phases=[Phase.generate])


def test_memory_holds_what_was_promised() -> None:
    play(Moving, STEPS)
    tell("model: steps after which memory held what was promised", Speaking.steps)
    tell("model: what they came to", ", ".join(f"{act} {Speaking.acts[act]}" for act in Act))
    assert Speaking.steps >= either(80, 5_000)
    never = set(Act) - set(Speaking.acts)
    assert len(never) <= either(12, 0), f"never came to anything: {never}"


def test_memory_holds_it_in_stories_in_which_everything_comes_to_something() -> None:
    assert set(Act) - set(live(Moving)) == set()


@pytest.mark.parametrize("name", MISTAKES)
def test_a_memory_that_makes_a_mistake_is_found_out(name: str) -> None:
    with pytest.raises(AssertionError):
        live(mistaken(MISTAKES[name]))


@pytest.mark.skipif(not LONG, reason="chance takes its time")
@pytest.mark.parametrize("name", MISTAKES)
def test_chance_finds_it_out_as_well(name: str) -> None:
    with pytest.raises(AssertionError):
        play(mistaken(MISTAKES[name]), UNTIL_FOUND)
    tell(f"model: steps until it was seen that {name}", Speaking.steps)


def mistaken(front: Front) -> type[Moving]:
    """The trial of a memory that makes a mistake."""

    class Mistaken(Moving):
        pass

    Mistaken.front = staticmethod(front)
    return Mistaken


def play(machine: type[RuleBasedStateMachine], how: settings) -> None:
    """Play the trial by the chances of this run, and count anew."""
    Speaking.steps = 0
    Speaking.acts.clear()
    run_state_machine_as_test(seed(SEED)(machine), settings=how)


def live(kind: type[Moving]) -> Counter[Act]:
    """Play each story from the beginning; returns what they came to."""
    came = Counter[Act]()
    for story in STORIES:
        trial = kind()
        try:
            story(trial)
        finally:
            trial.teardown()
        came += trial.promise.acts
    return came
