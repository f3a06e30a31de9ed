from dataclasses import replace
from datetime import UTC
from typing import Any

from astrbot_plugin_ltm.long_term_memory.write.told import in_haste, told_plainly

from tests.write.fakes import event


def test_only_those_who_are_asked_are_told_to_remember() -> None:
    said = [event("Remember that I like tea. I live in Rome.")]
    for asked, facts in ((True, ["I like tea", "User lives in Rome"]), (False, ["User lives in Rome"])):
        assert [each.candidate.fact for each in told_plainly(said, UTC, asked=asked)] == facts


def test_what_cannot_be_checked_costs_no_other_message_and_does_not_wait_long() -> None:
    never: Any = None
    odd = replace(event("Remember that I like tea"), created_at=never)
    facts = told_plainly([odd, event("I live in Rome", event_id="e2")], UTC, asked=True)
    assert [each.candidate.fact for each in facts] == ["User lives in Rome"]
    assert [each.urgent for each in in_haste([odd], facts)] == [True]
