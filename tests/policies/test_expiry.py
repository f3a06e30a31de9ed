from datetime import UTC, datetime, timedelta

import pytest
from astrbot_plugin_ltm.long_term_memory.policies.retention import expiry

NOW = datetime(2025, 6, 1, tzinfo=UTC)


@pytest.mark.parametrize(("days", "end"), [(None, None), (-1, None), (7, NOW + timedelta(days=7))])
def test_an_item_lives_so_many_days_or_for_ever(days: int | None, end: datetime | None) -> None:
    assert expiry(days, NOW) == end
