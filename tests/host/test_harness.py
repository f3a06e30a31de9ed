"""The harness itself, on the real host and without the plugin under test."""

import threading
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.host.harness.answers import CallTool, Fail, Hang, Hold, Say
from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.plugin import Plugin
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.waiting import wait_for

pytestmark = pytest.mark.torture

GREETER = {
    "metadata.yaml": "name: astrbot_plugin_greeter\ndesc: greets\nversion: '1'\nauthor: tests\n",
    "_conf_schema.json": '{"greeting": {"type": "string", "default": "Hello"}}',
    "main.py": """
from astrbot.api.star import Star


class Greeter(Star):
    def __init__(self, context, config):
        super().__init__(context)
        self.config = config
        context.register_web_api("/astrbot_plugin_greeter/greeting", self.greeting, ["GET"], "greets")

    async def greeting(self):
        return {"status": "ok", "data": self.config["greeting"]}
""",
}
ALICE = Person("alice", "Alice")
BOB = Person("bob", "Bob")


@pytest.fixture(scope="module")
def host(make_host: Callable[..., Host]) -> Iterator[Host]:
    with make_host().running() as running:
        yield running


def test_a_private_message_gets_the_models_answer(host: Host, model: ScriptedModel) -> None:
    model.chat.will_answer("Hello, Alice.")
    assert host.say(ALICE, "Hello") == "Hello, Alice."
    assert [request.user for request in model.chat_requests] == ["Hello"]


def test_a_groups_members_share_one_conversation(host: Host, model: ScriptedModel) -> None:
    host.say(ALICE, "I like tea", group="kitchen")
    host.say(BOB, "I like coffee", group="kitchen")
    assert "I like tea" in model.chat_requests[-1].prompt
    assert [text for role, text in host.history(ALICE, group="kitchen") if role == "assistant"] == [
        "You said: I like tea",
        "You said: I like coffee",
    ]


def test_an_unaddressed_group_message_gets_no_answer(host: Host, model: ScriptedModel) -> None:
    turn = host.turn(ALICE, "just talking", group="kitchen", addressed=False)
    assert turn.sent == ()
    assert model.chat_requests == []


def test_two_platforms_keep_their_conversations_apart(host: Host, model: ScriptedModel) -> None:
    carol = Person("carol")
    host.say(carol, "on one", platform="plat_a")
    host.say(carol, "on the other", platform="plat_b")
    assert "on one" not in model.chat_requests[-1].prompt
    assert {message.platform for message in host.sent() if "carol" in message.session} == {"plat_a", "plat_b"}


def test_a_turn_with_a_tool_call(host: Host, model: ScriptedModel) -> None:
    dave = Person("dave")
    model.chat.will_answer(CallTool("test_weather", {"city": "Oslo"}), "Take a hat.")
    assert host.say(dave, "Weather in Oslo?") == "Take a hat."
    assert "test_weather" in model.chat_requests[0].tools
    assert ("tool", "Sunny in Oslo.") in host.history(dave)


def test_a_streamed_reply_arrives_in_pieces(host: Host, model: ScriptedModel) -> None:
    model.chat.will_answer("one two three", "four five six")
    turn = host.turn(Person("erin"), "Count", streaming=True)
    assert (turn.text, turn.sent[0].pieces) == ("one two three", 3)
    answer = host.chat("Count on", host.new_chat(), streaming=True)
    assert answer.text == "four five six"
    assert answer.of_type("complete")
    assert model.requests("title") == []


def test_a_failing_model_ends_the_turn(host: Host, model: ScriptedModel) -> None:
    model.chat.always(Fail(503))
    assert "503" in host.say(Person("frank"), "Hello")


def test_a_held_answer_waits_for_the_test(host: Host, model: ScriptedModel) -> None:
    release = threading.Event()
    model.chat.will_answer(Hold(release, Say("at last")))
    message = host.send(Person("grace"), "Hello")
    wait_for(lambda: model.chat_requests)
    assert host.say(Person("heidi"), "Me too") == "You said: Me too"
    release.set()
    assert host.wait_for_turn(message).text == "at last"


def test_several_people_at_once(host: Host, model: ScriptedModel) -> None:
    model.chat.always(lambda request: Hang(0.3, Say(request.user)))
    people = [Person(f"guest{number}") for number in range(4)]
    with ThreadPoolExecutor() as pool:
        replies = list(pool.map(host.say, people, [person.id for person in people]))
    assert replies == [person.id for person in people]


def test_a_new_conversation_begins_empty(host: Host, model: ScriptedModel) -> None:
    ivan = Person("ivan")
    host.say(ivan, "Remember this")
    host.new_conversation(ivan)
    host.say(ivan, "What was it?")
    assert "Remember this" not in model.chat_requests[-1].prompt
    assert len(host.conversations(host.session_of(ivan))) == 2


def test_the_inside_of_the_process_can_be_seen(host: Host) -> None:
    seen = host.internals()
    assert seen.tasks["PlatformManager._run_platform"] == 3
    assert "MainThread" in seen.threads
    assert any(name.endswith("data_v4.db") for name in seen.open_files)
    assert seen.handlers["data.plugins.astrbot_plugin_test_platform.main"] == 4
    assert seen.tools["test_weather"] == "data.plugins.astrbot_plugin_test_platform.main"
    assert "GET /astrbot_plugin_test_platform/internals" in seen.routes


def test_a_plugin_is_installed_configured_switched_and_removed(host: Host, tmp_path: Path) -> None:
    archive = tmp_path / "greeter.zip"
    with zipfile.ZipFile(archive, "w") as package:
        for name, text in GREETER.items():
            package.writestr(name, text)
    plugin = Plugin(host.dashboard, "astrbot_plugin_greeter")
    plugin.install(archive)
    assert data(plugin.get("greeting")) == "Hello"
    plugin.save_config({"greeting": "Good day"})
    assert (plugin.config(), data(plugin.get("greeting"))) == ({"greeting": "Good day"}, "Good day")
    plugin.disable()
    assert (plugin.info() or {})["activated"] is False
    plugin.enable()
    assert (plugin.info() or {})["activated"] is True
    plugin.reload()
    assert data(plugin.get("greeting")) == "Good day"
    plugin.uninstall(delete_config=True, delete_data=True)
    assert (plugin.info(), plugin.failure()) == (None, None)


def test_a_killed_host_starts_again_with_its_history(
    make_host: Callable[..., Host], model: ScriptedModel
) -> None:
    host = make_host()
    host.start()
    host.say(ALICE, "Before")
    host.kill()
    with host.running():
        host.say(ALICE, "After")
    assert "Before" in model.chat_requests[-1].prompt
