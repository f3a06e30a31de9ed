"""Whatever people and operators do, in whatever order: memory holds what was promised, no more and no less.

The long form takes thousands of steps. A failure prints the steps that lead to it.
"""

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from tests.faults.story import Front
from tests.torture.form import LONG, SEED, either, tell
from tests.torture.model.machine import Speaking
from tests.torture.model.moving import Moving
from tests.torture.model.seeded import MISTAKES

pytestmark = pytest.mark.torture

STEPS = settings(
    max_examples=either(10, 300),
    stateful_step_count=either(20, 50),
    deadline=None,
    database=None,
    phases=[Phase.generate, *either([], [Phase.shrink])],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
UNTIL_FOUND = settings(STEPS, max_examples=200, phases=[Phase.generate])


def test_memory_holds_what_was_promised() -> None:
    before = Speaking.steps
    play(Moving, STEPS)
    tell("model: steps after which memory held what was promised", Speaking.steps - before)


def test_memory_holds_it_in_a_story_of_everyday_life() -> None:
    live(Moving)


@pytest.mark.parametrize("name", MISTAKES)
def test_a_memory_that_makes_a_mistake_is_found_out(name: str) -> None:
    with pytest.raises(AssertionError):
        live(mistaken(MISTAKES[name]))


@pytest.mark.skipif(not LONG, reason="chance takes its time")
@pytest.mark.parametrize("name", MISTAKES)
def test_chance_finds_it_out_as_well(name: str) -> None:
    before = Speaking.steps
    with pytest.raises(AssertionError):
        play(mistaken(MISTAKES[name]), UNTIL_FOUND)
    tell(f"model: steps until it was seen that {name}", Speaking.steps - before)


def mistaken(front: Front) -> type[Moving]:
    """The trial of a memory that makes a mistake."""

    class Mistaken(Moving):
        pass

    Mistaken.front = staticmethod(front)
    return Mistaken


def play(machine: type[RuleBasedStateMachine], how: settings) -> None:
    """Play the trial by the chances of this run."""
    run_state_machine_as_test(seed(SEED)(machine), settings=how)


def live(kind: type[Moving]) -> None:
    """A few things that happen to everybody, each with a look at what is promised."""
    alice, bob, kitchen = "alice in private", "bob in private", "alice in kitchen"
    trial = kind()
    try:
        trial.talk(alice, ["User lives in Oslo", "User likes green tea"])
        trial.all_is_as_promised()
        trial.talk(kitchen, ["User likes green tea", "User used to row for the county"])
        trial.all_is_as_promised()
        trial.talk(alice, ["User lives in Bergen", "User likes green tea"])
        trial.all_is_as_promised()
        for pick in range(2):
            trial.forget(kitchen, pick)
        trial.all_is_as_promised()
        trial.talk(kitchen, ["User likes green tea", "User used to row for the county"])
        trial.all_is_as_promised()
        trial.pause(bob)
        trial.talk(bob, ["User is allergic to peanuts", "Eva mends violins"])
        trial.all_is_as_promised()
        trial.sleep(90)
        trial.all_is_as_promised()
    finally:
        trial.teardown()
