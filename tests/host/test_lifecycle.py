"""Installed, upgraded, switched off, reloaded, removed and installed again: memories stay, nothing leaks."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.host.harness.answers import Hang, Say
from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.plugin_files import PLUGIN, REPOSITORY, copy_plugin, zip_plugin
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.tables import Tables
from tests.host.harness.waiting import wait_for
from tests.tools import TOOLS

NEWER = re.findall(r"^version: v(\S+)$", (REPOSITORY / "metadata.yaml").read_text("utf-8"), re.MULTILINE)[0]
OLDER = "0.0.1"
ALLERGY = "I am allergic to peanuts"
FACT = "User is allergic to peanuts"
QUESTION = "What is there to eat with peanuts?"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The zip as it is released."""
    return zip_plugin(tmp_path_factory.mktemp("zip") / f"{PLUGIN}.zip")


@pytest.fixture(scope="module")
def older_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same plugin, calling itself an older one."""
    folder = tmp_path_factory.mktemp("older")
    copy_plugin(folder)
    for name in ("main.py", "metadata.yaml", "plugin.yaml"):
        file = folder / PLUGIN / name
        file.write_text(file.read_text("utf-8").replace(NEWER, OLDER), "utf-8")
    return zip_plugin(folder / "older.zip", folder / PLUGIN)


@pytest.fixture(scope="module")
def host(spare_host: Host, archive: Path, older_archive: Path) -> Iterator[Host]:
    """A host into which an older version was uploaded."""
    spare_host.plugin.uninstall()
    spare_host.plugin.install(older_archive)
    yield spare_host
    spare_host.plugin.install(archive)


@pytest.fixture
def ann(host: Host, newcomer: Callable[[str], Person]) -> Person:
    """Somebody of whom something is remembered."""
    person = newcomer("Ann")
    assert host.say(person, f"/ltm add {ALLERGY}").startswith("I will remember")
    return person


def test_an_uploaded_zip_is_upgraded_by_a_newer_one_and_keeps_its_memories(
    host: Host, model: ScriptedModel, ann: Person, older_archive: Path, archive: Path
) -> None:
    host.plugin.install(older_archive)
    assert (version(host), health(host)["version"]) == (f"v{OLDER}", OLDER)
    host.plugin.install(archive)
    assert (version(host), health(host)["version"]) == (f"v{NEWER}", NEWER)
    assert host.plugin.config()["write_policy"]["mode"] == "auto"
    it_remembers(host, model, ann)


def test_switched_off_its_routes_say_so_and_nothing_is_written_or_injected(
    host: Host, model: ScriptedModel, ann: Person
) -> None:
    host.plugin.disable()
    before = Tables(host.database).contents()

    assert host.say(ann, QUESTION) == f"You said: {QUESTION}"
    assert model.chat_requests[-1].memory_blocks == []
    host.say(ann, "/ltm add I play the cello")
    for path in ("health", "items", "items/1"):
        assert host.plugin.get(path).status_code == 503
    wait_for(lambda: at_work(host) == (0, 0, True))
    assert Tables(host.database).contents() == before

    host.plugin.enable()
    it_remembers(host, model, ann)


def test_a_reload_in_the_middle_of_an_extraction_ends_it_and_it_is_done_afterwards(
    host: Host, model: ScriptedModel, ann: Person
) -> None:
    told = f"There is a pot of {ann.id} on my balcony"

    def asked() -> int:
        return sum(told in request.prompt for request in model.extraction_requests)

    model.extraction.always(lambda request: Hang(60, Say("[]")) if told in request.prompt else [])
    host.say(ann, told)
    wait_for(asked)
    model.extraction.reset()
    host.plugin.reload()
    wait_for(lambda: asked() > 1)
    wait_for(lambda: health(host)["events"]["pending"] == 0)
    it_remembers(host, model, ann)


def test_removed_without_its_data_and_installed_again_it_remembers(
    host: Host, model: ScriptedModel, ann: Person, archive: Path
) -> None:
    host.plugin.uninstall()
    assert host.plugin.get("health").status_code == 503
    before = Tables(host.database).contents()
    assert host.say(ann, QUESTION) == f"You said: {QUESTION}"
    assert model.chat_requests[-1].memory_blocks == []
    assert not {*TOOLS} & {*model.chat_requests[-1].tools}
    assert Tables(host.database).contents() == before
    host.plugin.install(archive)
    it_remembers(host, model, ann)


def test_removed_with_its_data_and_installed_again_it_knows_nothing(
    host: Host, model: ScriptedModel, ann: Person, archive: Path
) -> None:
    wait_for(lambda: health(host)["events"]["pending"] == 0)
    host.plugin.reload()  # what was still to be logged is written by its end
    wait_for(lambda: health(host)["state"] == "running")
    known = Tables(host.database).contents()
    host.plugin.uninstall(delete_data=True)
    host.plugin.install(archive)
    # A store that is locked at that moment is tried again.
    wait_for(lambda: health(host)["state"] == "running")

    assert recalled(host, model, ann) == ""
    assert host.say(ann, "/ltm list").startswith("I have no memories from you here.")
    kept = data(host.plugin.get("snapshots"))
    assert kept["offer"] == kept["snapshots"][0]["name"]
    assert kept["snapshots"][0]["items"] == len(known["ltm_items"])
    assert host.say(ann, f"/ltm add {ALLERGY}").startswith("I will remember")
    it_remembers(host, model, ann)
    host.plugin.reload()
    it_remembers(host, model, ann)

    host.plugin.uninstall(delete_data=True)
    assert not host.plugin_data.exists()
    host.plugin.install(archive)
    assert recalled(host, model, ann) == ""
    (newer,) = data(host.plugin.get("snapshots"))["snapshots"]
    assert newer["items"] == 1


def test_the_folder_lost_by_hand_costs_no_memory(host: Host, model: ScriptedModel, ann: Person) -> None:
    file = host.plugin_data / "store_id"
    store_id = file.read_text("utf-8")
    host.plugin.disable()
    shutil.rmtree(host.plugin_data)
    host.plugin.enable()
    it_remembers(host, model, ann)
    assert file.read_text("utf-8") == store_id
    assert health(host)["notes"] == []


def it_remembers(host: Host, model: ScriptedModel, person: Person) -> None:
    """It is up, with one of each background job, and knows what it knew."""
    assert FACT in recalled(host, model, person)
    assert (health(host)["state"], health(host)["background_jobs"]) == ("running", 4)
    wait_for(lambda: at_work(host) == (4, 1, True))
    assert Tables(host.database).faults() == []


def recalled(host: Host, model: ScriptedModel, person: Person) -> str:
    """The memory that reaches the model; empty without a block."""
    host.say(person, QUESTION)
    return model.chat_requests[-1].memory_block or ""


def at_work(host: Host) -> tuple[int, int, bool]:
    """How many background jobs and writing threads the plugin has, and whether few enough that read."""
    seen = host.internals()
    writers, readers = (sum(kind in name for name in seen.threads) for kind in ("ltm_writer", "ltm_reader"))
    return seen.tasks.get("_guarded", 0), writers, readers <= 3 * writers


def version(host: Host) -> str:
    return (host.plugin.info() or {})["version"]


def health(host: Host) -> dict[str, Any]:
    return data(host.plugin.get("health"))
