"""The table of the tools' reference behaviours, played on the real host: a model calls, the host carries.

`make test` plays the table once, without a host; `test_tools` lets a model call each tool on one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pytest

from tests.host.harness.answers import CallTool
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.settings import merged
from tests.hosts import EAGER, HostMaker
from tests.tools.reference import Call, Step, assert_replies
from tests.tools.test_reference import TABLE

pytestmark = pytest.mark.torture

SESSIONS = ("CONFIDENTIAL", "RESTRICTED")
"""Levels that alice's private chats have under further accounts of hers."""
CASES = [*enumerate(TABLE.values())]


@pytest.fixture(scope="module")
def host(make_host: HostMaker) -> Iterator[Host]:
    """A host on which alice, another one in each case, has three accounts that are one person."""
    accounts = [(f"alice{number}", level) for number, _ in CASES for level in SESSIONS]
    rules = {
        "identity": {
            "cross_platform_aliases": [f"plat_b:{own}-{level}=plat_a:{own}" for own, level in accounts]
        },
        "levels": {"chats": [f"plat_b:FriendMessage:{own}-{level}={level}" for own, level in accounts]},
    }
    with make_host(plugin_config=merged(EAGER, rules)).running() as host:
        yield host


@dataclass(frozen=True)
class HostDesk:
    """Has the model call tools when somebody speaks; people and groups are this case's own."""

    host: Host
    model: ScriptedModel
    case: int

    def expect(self, *steps: Step) -> None:
        """Where the tool is to refuse, nobody asks to have anything remembered: the words alone would do."""
        for who, call, expected in steps:
            refused = isinstance(expected, str) and expected.startswith("Error:")
            assert_replies(self._reply(who, replace(call, said="?") if refused else call), expected)

    def _reply(self, who: str, call: Call) -> str:
        person, *rest = who.split()
        own, platform, group = f"{person}{self.case}", "plat_a", None
        match rest:
            case ["in", name]:
                group = f"{name}{self.case}"
            case [level]:
                own, platform = f"{own}-{level}", "plat_b"
            case _:
                pass
        self.model.chat.will_answer(CallTool(call.tool, call.arguments), "Done.")
        said = self.host.say(Person(own), call.said, group=group, platform=platform)
        assert said.endswith("Done.")
        return self.model.chat_requests[-1].tool_replies[-1]


@pytest.mark.parametrize(("case", "steps"), CASES, ids=TABLE)
def test_the_tools_behave_on_the_host_as_in_the_table(
    host: Host, model: ScriptedModel, case: int, steps: Sequence[Step]
) -> None:
    HostDesk(host, model, case).expect(*steps)
