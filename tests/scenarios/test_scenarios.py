"""Every scenario of `themes/`: the store it expects, and what holds in every store."""

import logging
from collections import Counter
from pathlib import Path

import pytest

from tests.scenarios.form import RECORDED, Answers, Scenario, recording, scenarios, spoken
from tests.scenarios.judge import faults, missed, told
from tests.scenarios.stage import played

ALL = scenarios()


@pytest.mark.parametrize("scenario", [pytest.param(each, id=f"{each.theme}: {each.name}") for each in ALL])
async def test_the_store_is_what_the_scenario_expects(
    scenario: Scenario, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, logger="astrbot"):
        outcome = await played(scenario, tmp_path)
    wrong = missed(scenario, outcome) + faults(scenario, outcome)
    assert not wrong, "\n".join([*wrong, "", "the store:", *map(told, outcome.items), *outcome.refusals])


@pytest.mark.parametrize(
    "scenario", [pytest.param(each, id=f"{each.theme}: {each.name}") for each in ALL if each.refuses]
)
async def test_a_model_that_verifies_whatever_it_is_asked_breaks_nothing_that_code_holds(
    scenario: Scenario, tmp_path: Path
) -> None:
    outcome = await played(scenario, tmp_path, weak=True)
    assert faults(scenario, outcome) == []


def test_each_scenario_has_a_name_of_its_own() -> None:
    names = Counter((each.theme, each.name) for each in ALL)
    assert [name for name, number in names.items() if number > 1] == []


def test_half_the_scenarios_are_chinese_and_a_third_in_groups() -> None:
    assert len(ALL) >= 300
    assert sum(each.is_chinese for each in ALL) * 2 >= len(ALL)
    assert sum(each.chat == "group" for each in ALL) * 3 >= len(ALL)


def test_every_kind_of_answer_takes_part() -> None:
    kinds = Counter(each.kind for each in ALL)
    assert kinds["recorded"] >= 30
    assert kinds["hostile"] >= 15
    assert sum(each.refuses for each in ALL) >= 50
    assert min(kinds[kind] for kind in ("good", "sloppy", "plain", "broken")) >= 8


def test_each_recording_is_of_the_conversation_it_is_used_in() -> None:
    used = {
        step.recorded: each
        for each in ALL
        for step in each.talk
        if isinstance(step, Answers) and step.recorded
    }
    assert sorted(used) == sorted(file.stem for file in RECORDED.glob("*.json"))
    assert [name for name, each in used.items() if recording(name)["conversation"] != spoken(each)] == []
