"""Once a day the admins are told in private how much waits for their decision."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

from ..domain.writing import AuditEntry, AuditFilter
from ..messages import LOCALES, Messages
from .accepting import ACCEPTED_BY_PEOPLE
from .parts import Parts

EVERY = timedelta(days=1)
ACTION = "review_notice"


class ReviewNotice:
    """The audit keeps when it was sent last: a restart sends none too many."""

    def __init__(self, parts: Parts, tell: Callable[[str], Awaitable[int]]) -> None:
        """`tell` sends a text to each admin with a known private chat, and returns to how many."""
        self._parts = parts
        self._tell = tell

    async def work(self) -> None:
        """Send it when a day is over and something waits that people may not accept for themselves."""
        store, now = self._parts.store, self._parts.clock()
        last = (await store.browsing.audit(AuditFilter(action=ACTION, page_size=1))).rows
        if last and now < last[0].at + EVERY:
            return
        policy = self._parts.policies.write()
        kinds = policy.allowed_types - policy.require_approval_types if policy.self_approval else ()
        count, owners = await store.browsing.waiting_for_admins(ACCEPTED_BY_PEOPLE, kinds)
        said = (Messages(locale).text("review.notice", count=count, owners=owners) for locale in LOCALES)
        if not count or not (told := await self._tell("\n".join(said))):
            return
        line = AuditEntry(
            actor="system", action=ACTION, memory_id="", before="", after="", reason=f"admins={told}"
        )
        async with store.transaction() as transaction:
            await transaction.audit(line)
