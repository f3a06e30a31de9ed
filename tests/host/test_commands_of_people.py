"""What people decide about their own memories on a running host, and what admins do for them."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from shutil import rmtree

import pytest

from tests.host.harness.asking import block_given
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.waiting import wait_for

ADMIN = Person("admin")
ASKED = "Which colour has my bike?"
BIKE = "my bike is blue"

pytestmark = pytest.mark.usefixtures("model")

type Newcomer = Callable[[str], Person]


def code_in(said: str) -> str:
    [code] = re.findall(r"\b\d{6}\b", said)
    return code


def added(host: Host, person: Person, fact: str) -> str:
    """The short id of a memory somebody asks for."""
    said = host.say(person, f"/ltm add {fact}")
    return said[said.rindex("(") + 1 : said.rindex(")")]


def test_what_is_shared_is_given_in_groups_and_when_it_is_taken_back_no_more(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    ann = newcomer("Ann")
    short_id = added(host, ann, BIKE)
    assert block_given(host, model, ann, ASKED, group="yard") == ""
    assert "private chat" in host.say(ann, f"/ltm share {short_id}", group="yard")
    assert block_given(host, model, ann, ASKED, group="yard") == ""
    assert host.say(ann, f"/ltm share {short_id}").startswith(f"Shared: {BIKE}.")
    assert BIKE in block_given(host, model, ann, ASKED, group="yard")
    assert BIKE in block_given(host, model, ann, ASKED, group="hall", platform="plat_a")
    assert block_given(host, model, newcomer("Ben"), ASKED, group="yard") == ""
    shown = host.say(ann, "/ltm list", group="yard").splitlines()
    assert shown[1].endswith(f"{BIKE} (shared)")
    assert shown[-1].startswith("I show only what this group may see")
    assert host.say(ann, f"/ltm unshare {short_id}").startswith(f"No longer shared: {BIKE}.")
    assert block_given(host, model, ann, ASKED, group="yard") == ""
    assert BIKE in block_given(host, model, ann, ASKED)


def test_what_was_shared_and_forgotten_is_not_learnt_again_and_undo_brings_it_back_shared(
    host: Host, newcomer: Newcomer
) -> None:
    ann, fact = newcomer("Ann"), "User likes archery"
    host.say(ann, "I like archery")
    host.memories.wait_for(ann, fact)
    assert host.say(ann, "/ltm share archery").startswith(f"Shared: {fact}.")
    assert host.say(ann, "/ltm forget archery").startswith(f"Forgotten: {fact}.")
    host.say(ann, "I like archery")
    host.memories.wait_until_extracted()
    assert fact not in host.say(ann, "/ltm list")
    assert fact in host.say(ann, "/ltm undo")
    assert f"{fact} (shared)" in host.say(ann, "/ltm list")


def test_sharing_in_chinese_names_the_command_as_it_was_called(host: Host, newcomer: Newcomer) -> None:
    ann = newcomer("Ann")
    said = host.say(ann, "/记忆 记 我的自行车是蓝色的")
    short_id = said[said.rindex("（") + 1 : said.rindex("）")]
    assert f"/记忆 取消分享 {short_id}" in host.say(ann, f"/记忆 分享 {short_id}")
    assert f"/ltm 取消分享 {short_id}" in host.say(ann, f"/ltm 分享 {short_id}")


def test_memories_are_searched_by_their_words(host: Host, newcomer: Newcomer) -> None:
    ann = newcomer("Ann")
    short_id = added(host, ann, BIKE)
    added(host, ann, "my car is red")
    assert host.say(ann, "/ltm search bike").splitlines()[1].startswith(f"1. {short_id}")
    assert "car" not in host.say(ann, "/ltm search bike")
    assert "blue" not in host.say(ann, "/ltm search bike", group="yard")


def test_who_confirms_with_the_code_is_forgotten_whole(
    host: Host, model: ScriptedModel, newcomer: Newcomer
) -> None:
    ann, ben = newcomer("Ann"), newcomer("Ben")
    added(host, ann, BIKE)
    added(host, ben, "my boat is green")
    host.say(ann, "I'm allergic to shrimp")
    host.memories.wait_for(ann, "User is allergic to shrimp")
    code = code_in(host.say(ann, "/ltm forget all"))
    assert "Nothing was erased" in host.say(ben, f"/ltm forget all {code}")
    assert "private chat" in host.say(ann, f"/ltm forget all {code}", group="yard")
    assert len(host.memories.of(ann)) == 2
    said = host.say(ann, f"/ltm forget all {code}")
    assert said.startswith("Erased: 2 memories and ")
    assert "/reset clears the current conversation" in said
    assert host.memories.of(ann) == {}
    assert host.memories.recorded(host.session_of(ann)) == []
    assert block_given(host, model, ann, ASKED) == ""
    assert list(host.memories.of(ben)) == ["my boat is green"]
    assert "Nothing was erased" in host.say(ann, f"/ltm forget all {code}")


def test_an_export_arrives_as_a_file_and_stays_nowhere(host: Host, newcomer: Newcomer) -> None:
    ann, ben = newcomer("Ann"), newcomer("Ben")
    added(host, ann, BIKE)
    added(host, ben, "my boat is green")
    turn = host.turn(ann, "/ltm export")
    files = [file for sent in turn.sent for file in sent.files]
    assert [file["name"] for file in files] == ["memories.json"]
    assert "Here is your 1 memory" in turn.text
    whole = json.loads(files[0]["text"])
    assert whole["account"] == f"plat_a:{ann.id}"
    assert [one["fact"] for one in whole["memories"]] == [BIKE]
    lay = Path(files[0]["path"])
    assert lay.is_relative_to(host.plugin_data)
    assert ann.id not in str(lay)
    assert not lay.exists()
    in_group = host.turn(ann, "/ltm export", group="yard")
    assert [file for sent in in_group.sent for file in sent.files] == []
    assert "private chat" in in_group.text


def test_where_no_file_can_be_written_that_is_said_and_nothing_of_the_machine(
    host: Host, newcomer: Newcomer
) -> None:
    ann = newcomer("Ann")
    added(host, ann, BIKE)
    folder = host.plugin_data / "to_send"
    folder.parent.mkdir(parents=True, exist_ok=True)
    rmtree(folder, ignore_errors=True)
    folder.touch()
    try:
        turn = host.turn(ann, "/ltm export")
    finally:
        folder.unlink()
    assert turn.text == "The memory is not available at the moment. Try again later."
    assert "to_send" not in turn.text


def test_the_dashboards_chat_takes_the_file_too(host: Host) -> None:
    session = host.new_chat()
    host.chat("/ltm add my dashboard is tidy", session)
    exported = host.chat("/ltm export", session)
    [event] = exported.of_type("file")
    stored, _, name = str(event["data"]).removeprefix("[FILE]").partition("|")
    assert name in ("memories.json", "")
    whole = json.loads((host.root / "data" / "attachments" / stored).read_text("utf-8"))
    assert "my dashboard is tidy" in [one["fact"] for one in whole["memories"]]
    wait_for(lambda: not list((host.plugin_data / "to_send").iterdir()))


def test_a_file_that_is_being_sent_stays_during_an_erasure_and_goes_at_the_next_start(
    host: Host, newcomer: Newcomer
) -> None:
    ann = newcomer("Ann")
    added(host, ann, BIKE)
    sent, exported = (host.plugin_data / folder / "x.json" for folder in ("to_send", "in_transit"))
    for file in (sent, exported):
        file.parent.mkdir(exist_ok=True)
        file.touch()
    code = code_in(host.say(ADMIN, f"/ltm erase plat_a:{ann.id}"))
    host.say(ADMIN, f"/ltm erase plat_a:{ann.id} {code}")
    wait_for(lambda: not exported.exists())
    assert sent.exists()
    host.plugin.reload()
    wait_for(lambda: not sent.exists())


def test_an_admin_erases_an_account(host: Host, newcomer: Newcomer) -> None:
    ann, ben = newcomer("Ann"), newcomer("Ben")
    added(host, ann, BIKE)
    added(host, ben, "my boat is green")
    account = f"plat_a:{ann.id}"
    assert host.say(ben, f"/ltm erase {account}").startswith("Only an admin may do that.")
    code = code_in(host.say(ADMIN, f"/ltm erase {account}"))
    assert "Nothing was erased" in host.say(ADMIN, f"/ltm erase plat_a:{ben.id} {code}")
    said = host.say(ADMIN, f"/ltm erase {account} {code}")
    assert said.startswith(f"Erased for {account}: 1 memory and ")
    assert host.memories.of(ann) == {}
    assert list(host.memories.of(ben)) == ["my boat is green"]
