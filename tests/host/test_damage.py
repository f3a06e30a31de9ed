"""The store is damaged: the bot answers, what is damaged is left alone, and operators are told what to do."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.tables import Tables
from tests.host.harness.waiting import wait_for
from tests.hosts import EAGER, HostMaker
from tests.torture.damage.spoiling import PAGE, pages_of

pytestmark = pytest.mark.torture

ADMIN = Person("admin", "Admin")
ALLERGY = "I am allergic to peanuts"
FACT = "User is allergic to peanuts"
QUESTION = "What is there to eat with peanuts?"


@pytest.fixture(scope="module")
def host(make_host: HostMaker) -> Iterator[Host]:
    with make_host(plugin_config=EAGER).running() as running:
        yield running


@pytest.mark.torture_short
def test_a_damaged_store_keeps_no_reply_back_and_is_left_alone_until_it_is_mended(
    host: Host, model: ScriptedModel, newcomer: Callable[[str], Person]
) -> None:
    ann = newcomer("Ann")
    host.say(ann, f"/ltm add {ALLERGY}")
    host.plugin.disable()
    wait_for(lambda: Tables(host.database).rows("pragma wal_checkpoint(truncate)")[0][0] == 0)
    sound = {page: page_in(host.database, page) for page in pages_of(host.database, "ltm_items")}
    for page in sound:
        put_page(host.database, page, bytes(PAGE))
    host.plugin.enable()

    assert host.say(ann, QUESTION) == f"You said: {QUESTION}"
    assert model.chat_requests[-1].memory_block is None
    wait_for(lambda: health(host)["state"] == "paused")
    (problem,) = health(host)["problems"]
    assert problem["key"] == "store"
    assert problem["why"].startswith("the database file is damaged; nothing is written to it any more. Stop")
    assert "You can then restore the memory's own snapshots on its page" in problem["why"]
    assert problem["why"] in host.say(ADMIN, "/ltm status")
    assert "The memory is paused" in host.say(ann, "/ltm add I play the cello")
    assert host.plugin.get("items").status_code == 503
    assert "Paused, nothing is recorded or recalled: store: the database file is damaged" in host.log()
    assert host.say(ann, "And with almonds?") == "You said: And with almonds?"
    assert {page_in(host.database, page) for page in sound} == {bytes(PAGE)}

    for page, content in sound.items():
        put_page(host.database, page, content)
    host.plugin.reload()
    assert host.say(ann, QUESTION) == f"You said: {QUESTION}"
    assert FACT in (model.chat_requests[-1].memory_block or "")
    assert (health(host)["state"], health(host)["problems"]) == ("running", [])
    assert Tables(host.database).faults() == []


def page_in(file: Path, number: int) -> bytes:
    with file.open("rb") as database:
        database.seek((number - 1) * PAGE)
        return database.read(PAGE)


def put_page(file: Path, number: int, content: bytes) -> None:
    with file.open("rb+") as database:
        database.seek((number - 1) * PAGE)
        database.write(content)


def health(host: Host) -> dict[str, Any]:
    return data(host.plugin.get("health"))
