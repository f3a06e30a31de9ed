import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Status
from astrbot_plugin_ltm.long_term_memory.domain.writing import AuditEntry
from astrbot_plugin_ltm.long_term_memory.policies.succession import (
    displaced,
    is_in_doubt,
    is_outdated,
    left,
    status_before,
    waited_as,
)

from tests.stores import NOW, an_item

ITEMS = {status: an_item(status=status) for status in Status}
EVERY = tuple(ITEMS.values())


@pytest.mark.parametrize(
    ("status", "reason", "leave"),
    [
        (Status.ACTIVE, "", [Status.ACTIVE, Status.SHADOW, Status.PENDING]),
        (Status.SHADOW, "mode", [Status.SHADOW, Status.PENDING]),
        (Status.PENDING, "mode", [Status.PENDING]),
        (Status.PENDING, "max_writes_per_hour", [Status.PENDING]),
        (Status.PENDING, "ungrounded", []),
        (Status.SUPERSEDED, "outdated", []),
        (Status.DISABLED, "", []),
    ],
)
def test_what_stands_no_higher_leaves_for_what_is_not_in_doubt(
    status: Status, reason: str, leave: list[Status]
) -> None:
    assert [item.status for item in displaced(EVERY, status, reason)] == leave


def test_only_what_waits_for_a_reason_of_its_own_is_in_doubt() -> None:
    assert is_in_doubt(Status.PENDING, "name_not_in_evidence: Oslo")
    assert not is_in_doubt(Status.PENDING, "require_approval_types")
    assert not is_in_doubt(Status.ACTIVE, "whatever")


@pytest.mark.parametrize(
    ("newer", "status", "reason", "outdated"),
    [
        (None, Status.ACTIVE, "", False),
        (Status.ACTIVE, Status.ACTIVE, "", True),
        (Status.SHADOW, Status.ACTIVE, "", False),
        (Status.ACTIVE, Status.SHADOW, "mode", True),
        (Status.ACTIVE, Status.PENDING, "mode", True),
        (Status.ACTIVE, Status.PENDING, "ungrounded", False),
    ],
)
def test_what_later_words_contradict_is_history_unless_they_are_weaker(
    newer: Status | None,
    status: Status,
    reason: str,
    outdated: bool,
) -> None:
    assert is_outdated(ITEMS[newer] if newer else None, status, reason) is outdated


def test_a_superseded_item_says_by_whom() -> None:
    gone = left(an_item(), Status.SUPERSEDED, "superseded", by="m2", now=NOW)
    assert (gone.status, gone.superseded_by, gone.updated_at) == (Status.SUPERSEDED, "m2", NOW)


def test_the_status_before_is_that_of_the_last_time_it_was_superseded() -> None:
    def line(before: str, after: str) -> AuditEntry:
        return AuditEntry(actor="system", action="any", before=before, after=after)

    history = [line("", "shadow"), line("shadow", "superseded"), line("superseded", "active")]
    assert status_before(history) is Status.SHADOW
    assert status_before([*history, line("active", "superseded")]) is Status.ACTIVE
    assert status_before([line("", "active")]) is None


def line(action: str, before: str, after: str, reason: str = "") -> AuditEntry:
    return AuditEntry(actor="x", action=action, memory_id="m", before=before, after=after, reason=reason)


ADDED = line("add", "", "pending", "ungrounded")
APPROVED = line("approve", "pending", "active", "ungrounded")
EDITED = line("edit", "0.5", "0.9", "importance")
FORGOTTEN = line("forget", "active", "deleted", "forgotten")
REJECTED = line("reject", "pending", "deleted", "rejected")
IMPORTED = line("import", "", "shadow", "9bd183d5-807d-4676-8d15-5ca07b6cc7ea")
WAITED = (Status.PENDING, "ungrounded")
RETURNED = line("revive", "superseded", "pending", "replacement_rejected")


@pytest.mark.parametrize(
    ("history", "waited"),
    [
        ([], None),
        ([ADDED, EDITED, REJECTED], WAITED),
        ([ADDED, APPROVED, FORGOTTEN], None),
        ([ADDED, APPROVED], None),
        ([ADDED, line("refuse", "pending", "pending", "quote_not_found"), APPROVED], None),
        ([line("add", "", "active"), FORGOTTEN], None),
        ([ADDED, APPROVED, line("undo", "active", "pending", "ungrounded"), REJECTED], WAITED),
        (
            [ADDED, line("disable", "pending", "disabled"), line("forget", "disabled", "deleted")],
            WAITED,
        ),
        ([IMPORTED, line("reject", "shadow", "deleted")], (Status.SHADOW, "")),
        ([REJECTED], (Status.PENDING, "")),
    ],
)
def test_what_waited_until_its_end_is_told_by_its_history(history: list[AuditEntry], waited: object) -> None:
    assert waited_as(history) == waited
