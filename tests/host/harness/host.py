"""A real AstrBot in a folder of its own, and everything a test does with it."""

import re
import secrets
import signal
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from .dashboard import Dashboard, data
from .memories import Memories
from .people import Belongings, ChatTurn, Internals, Person, Quote, Sent, Turn
from .plugin import Plugin
from .plugin_files import PLUGIN, REPOSITORY, copy_platform_plugin, copy_plugin, zip_plugin
from .process import HostProcess, free_port
from .saved import Conversation, read_conversations
from .settings import HostSettings, merged, write_config
from .waiting import wait_for

TEST_PLATFORM = "astrbot_plugin_test_platform"


class PluginFailedError(RuntimeError):
    """The host could not load the plugin under test."""


class Host:
    """An AstrBot that can be started, stopped, killed and started again in the same folder.

    `plugin_config` is the stored configuration of the plugin under test; None boots without the plugin.
    """

    def __init__(
        self,
        root: Path,
        settings: HostSettings,
        *,
        plugin_config: Mapping[str, Any] | None = None,
        plugin_source: Path = REPOSITORY,
    ) -> None:
        self.root = root
        self.settings = settings
        self.boot_seconds = 0.0
        self._plugin_config = plugin_config
        self._plugin_source = plugin_source
        self._prepared = False
        self._process: HostProcess | None = None
        self._dashboard: Dashboard | None = None

    # Its life

    def start(self, port: int | None = None) -> None:
        """Start the process and wait until it can be talked to.

        The first start writes the configuration and copies the plugins; a later one finds what was left.

        Raises:
            HostDiedError: the process ended instead.
            PluginFailedError: the host could not load the plugin under test; why is in the message.
        """
        if not self._prepared:
            self._prepare()
        began = time.monotonic()
        self._process = HostProcess(self.root, port or free_port(), self.root / "host.log")
        try:
            self._process.wait_until_ready()
            self._dashboard = Dashboard(self._process.port)
            self._dashboard.login()
            self._see_that_all_is_loaded()
        except BaseException:
            self.kill()
            raise
        self.boot_seconds = time.monotonic() - began

    def stop(self) -> None:
        """End the host as Ctrl-C does; stopping a host that does not run is fine.

        Raises:
            HostDiedError: it did not end with code 0.
        """
        process, self._process = self._process, None
        self._hang_up()
        if process is not None:
            process.stop()

    def kill(self, by: signal.Signals = signal.SIGKILL) -> None:
        """End the host with a signal, in the middle of whatever it does."""
        process, self._process = self._process, None
        if process is not None:
            process.kill(by)
        self._hang_up()

    def exit(self) -> None:
        """Have the process go from one moment to the next, its plugins not ended."""
        with suppress(httpx.TransportError):
            self._platform.post("exit")
        self.kill()

    def wait(self) -> None:
        """Wait until the host ends by itself.

        Raises:
            HostDiedError: it did not end with code 0.
        """
        self._running.wait()

    def empty(self) -> None:
        """Remove the plugin with its data and install it again: nothing is remembered, the settings stay."""
        self.plugin.uninstall(delete_data=True)
        with TemporaryDirectory() as folder:
            self.plugin.install(zip_plugin(Path(folder) / f"{PLUGIN}.zip", self._plugin_source))
        for snapshot in self.plugin_data.glob("snapshots/*"):
            snapshot.unlink()

    @contextmanager
    def configured(self, changes: Mapping[str, Any]) -> Generator["Host"]:
        """Run with some of the host's own settings changed, as saved in the dashboard.

        Providers and platforms are not among them.
        """
        path = "config-profiles/default"
        before: dict[str, Any] = data(self.dashboard.get(path))["config"]
        data(self.dashboard.put(path, json=merged(before, changes)))
        try:
            yield self
        finally:
            data(self.dashboard.put(path, json=before))

    @contextmanager
    def provider_changed(self, provider: str, changes: Mapping[str, Any]) -> Generator["Host"]:
        """Run with some settings of a provider changed, as saved in the dashboard."""
        path = f"providers/{provider}"
        before: dict[str, Any] = data(self.dashboard.get(path))["provider"]
        data(self.dashboard.put(path, json={"config": merged(before, changes)}))
        try:
            yield self
        finally:
            data(self.dashboard.put(path, json={"config": before}))

    @contextmanager
    def running(self, port: int | None = None) -> Generator["Host"]:
        """Start it, and stop it at the end of the block."""
        self.start(port)
        try:
            yield self
        finally:
            self.stop()

    # People

    def turn(
        self,
        person: Person,
        text: str,
        *,
        group: str | None = None,
        platform: str = "plat_a",
        addressed: bool = True,
        streaming: bool | None = None,
        quoting: Quote | None = None,
        by_a_bot: bool = False,
        recalls: str = "",
        timeout: float = 30.0,
    ) -> Turn:
        """Let a person say something and wait until the host is done with it.

        In a group a message is addressed to the bot or not; `streaming` None leaves it to the host's
        configuration. A sender may be a bot, which the platform says then. With the id of a message in
        `recalls`, the platform tells that it was recalled.
        """
        message_id = self.send(
            person,
            text,
            group=group,
            platform=platform,
            addressed=addressed,
            streaming=streaming,
            quoting=quoting,
            by_a_bot=by_a_bot,
            recalls=recalls,
        )
        return self.wait_for_turn(message_id, timeout)

    def say(self, person: Person, text: str, *, group: str | None = None, platform: str = "plat_a") -> str:
        """Let a person say something to the bot, and return what the bot says."""
        return self.turn(person, text, group=group, platform=platform).text

    def confirm(self, person: Person, command: str, *, group: str | None = None) -> str:
        """Give a command that is asked for twice, and its code; returns the second answer."""
        [code] = re.findall(r"\b\d{6}\b", self.say(person, command, group=group))
        return self.say(person, f"{command} {code}", group=group)

    def send(
        self,
        person: Person,
        text: str,
        *,
        group: str | None = None,
        platform: str = "plat_a",
        addressed: bool = True,
        streaming: bool | None = None,
        quoting: Quote | None = None,
        by_a_bot: bool = False,
        recalls: str = "",
    ) -> str:
        """Let a person say something without waiting for an answer; returns the message's id."""
        message_id = secrets.token_hex(8)
        message = {
            "platform": platform,
            "message_id": message_id,
            "sender_id": person.id,
            "sender_name": person.name or person.id,
            "group": group,
            "text": text,
            "addressed": addressed,
            "streaming": streaming,
            "quoting": _quoted(quoting) if quoting else None,
            "by_a_bot": by_a_bot,
            "recalls": recalls,
        }
        data(self._platform.post("messages", json=message))
        return message_id

    def wait_for_turn(self, message_id: str, timeout: float = 30.0) -> Turn:
        """Wait until the host is done with a message."""
        turn: dict[str, Any] = wait_for(lambda: self._finished(message_id), timeout)
        sent = tuple(Sent(**message) for message in turn.pop("sent"))
        return Turn(**turn, sent=sent)

    def sent(self) -> list[Sent]:
        """Everything the bot sent on the test platforms since it started, unasked messages included."""
        return [Sent(**message) for message in data(self._platform.get("sent"))["messages"]]

    def new_conversation(self, person: Person, *, group: str | None = None, platform: str = "plat_a") -> None:
        """Begin a new conversation in the person's session, with the host's own command."""
        self.say(person, "/new", group=group, platform=platform)

    # The dashboard's chat

    def new_chat(self, title: str = "chat") -> str:
        """Open a session of the dashboard's chat; being titled, it costs no request for a title."""
        session: str = data(self.dashboard.get("chat/sessions/new"))["session_id"]
        data(self.dashboard.patch(f"chat/sessions/{session}", json={"display_name": title}))
        return session

    def chat(self, text: str, session: str, *, streaming: bool = False) -> ChatTurn:
        """Say something in the dashboard's chat, as its user, and read the answer to its end."""
        body = {"message": text, "session_id": session, "enable_streaming": streaming}
        events = tuple(self.dashboard.events("chat", body))
        said = [e["data"] for e in events if e.get("type") == "plain" and not e.get("chain_type")]
        return ChatTurn(session=session, text="".join(said), events=events)

    # What came of it

    @property
    def dashboard(self) -> Dashboard:
        """The dashboard's API; the host must be running."""
        if self._dashboard is None:
            message = "the host is not running"
            raise RuntimeError(message)
        return self._dashboard

    @property
    def plugin(self) -> Plugin:
        """The plugin under test."""
        return Plugin(self.dashboard)

    @property
    def memories(self) -> Memories:
        """What the plugin under test remembers."""
        return Memories(self.plugin, self.database)

    @property
    def process_id(self) -> int:
        """The number of the host's process; the host must be running."""
        return self._running.pid

    @property
    def database(self) -> Path:
        """The host's own database."""
        return self.root / "data" / "data_v4.db"

    @property
    def plugin_data(self) -> Path:
        """The folder in which the plugin under test keeps its data."""
        return self.root / "data" / "plugin_data" / PLUGIN

    def session_of(self, person: Person, *, group: str | None = None, platform: str = "plat_a") -> str:
        """Name the session a person talks in, as the host does."""
        return f"{platform}:GroupMessage:{group}" if group else f"{platform}:FriendMessage:{person.id}"

    def conversations(self, session: str) -> list[Conversation]:
        """Read a session's saved conversations, oldest first."""
        return read_conversations(self.database, session)

    def history(
        self, person: Person, *, group: str | None = None, platform: str = "plat_a"
    ) -> list[tuple[str, str]]:
        """Read role and text of the messages saved in the person's newest conversation."""
        saved = self.conversations(self.session_of(person, group=group, platform=platform))
        return saved[-1].texts if saved else []

    def internals(self) -> Internals:
        """Look into the host's process."""
        found: dict[str, Any] = data(self._platform.get("internals"))
        return Internals(**found)

    def objects(self) -> dict[str, Any]:
        """Count what Python keeps in the host's memory; the host stands still meanwhile."""
        return data(self._platform.get("objects"))

    def belongings(self) -> Belongings:
        """Count what plugins could leave behind in the host's process; the host stands still meanwhile."""
        return data(self._platform.get("belongings"))

    def forget_turns(self) -> None:
        """Have the test platforms forget what was said and sent a while ago."""
        data(self._platform.post("forget"))

    def log(self) -> str:
        """Everything the host printed, over all its runs."""
        return (self.root / "host.log").read_text("utf-8", errors="replace")

    @property
    def _running(self) -> HostProcess:
        if self._process is None:
            message = "the host is not running"
            raise RuntimeError(message)
        return self._process

    @property
    def _platform(self) -> Plugin:
        return Plugin(self.dashboard, TEST_PLATFORM)

    def _prepare(self) -> None:
        plugins = self.root / "data" / "plugins"
        plugins.mkdir(parents=True, exist_ok=True)
        (self.root / ".astrbot").touch()
        write_config(self.root / "data" / "cmd_config.json", self.settings.as_config())
        if self.settings.platforms:
            copy_platform_plugin(plugins)
        if self._plugin_config is not None:
            copy_plugin(plugins, self._plugin_source)
            stored = self.root / "data" / "config" / f"{PLUGIN}_config.json"
            if not stored.exists():
                write_config(stored, self._plugin_config)
        self._prepared = True

    def _see_that_all_is_loaded(self) -> None:
        if self.settings.platforms:
            wait_for(lambda: self.internals().loaded, 30)
        if self._plugin_config is not None and (failure := self.plugin.failure()):
            raise PluginFailedError(failure["traceback"])

    def _finished(self, message_id: str) -> dict[str, Any] | None:
        """Ask for a turn; the host holds the answer back for a moment while the turn goes on."""
        try:
            return data(self._platform.get(f"turns/{message_id}"))["turn"]
        except httpx.ReadTimeout:
            return None

    def _hang_up(self) -> None:
        if self._dashboard is not None:
            self._dashboard.close()
        self._dashboard = None


def _quoted(quote: Quote) -> dict[str, str]:
    return {"by": quote.by.id, "name": quote.by.name or quote.by.id, "text": quote.text}
