from dataclasses import replace
from datetime import UTC, datetime

import pytest
from astrbot_plugin_ltm.long_term_memory.write.ground import ground

from tests.write.everyday import CHINESE, ENGLISH
from tests.write.fakes import event
from tests.write.made import a_candidate

SAID_AT = datetime(2026, 11, 18, 9, tzinfo=UTC)


def test_there_are_sixty_in_each_language() -> None:
    assert min(len(ENGLISH), len(CHINESE)) >= 60


@pytest.mark.parametrize(("said", "fact"), [*ENGLISH, *CHINESE])
def test_what_people_plainly_say_every_day_waits_for_nobody(said: str, fact: str) -> None:
    assert ground(a_candidate(fact, quote=said), [replace(event(said), created_at=SAID_AT)]).doubt == ""
