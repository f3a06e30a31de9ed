"""Two more things that happen to a memory, which its operator or its people do."""

from contextlib import suppress

from astrbot_plugin_ltm.long_term_memory.manager.linking import NotLinkedError

from tests.faults.story import ALICE, BOB, Act, Outside


async def joining(outside: Outside) -> None:
    """Alice gives a code, Bob enters it, Alice confirms; once they are joined nothing changes any more."""
    linking = outside.awake.linking
    with suppress(NotLinkedError):
        linking.enter(BOB, linking.begin(ALICE).code)
        await linking.confirm(ALICE)


async def saving_a_policy(outside: Outside) -> None:
    """The operator lets fewer memories into a prompt."""
    policy_changes = outside.awake.policy_changes
    policies = (await policy_changes.in_force()).as_json()
    policies["read"]["max_items"] = 3
    await policy_changes.change(policies, version=None, actor="operator")


JOINING = Act(name="accounts are joined", calls=[joining])
SAVING_A_POLICY = Act(name="a policy is saved", calls=[saving_a_policy])
