"""The cast of the leak matrix on a running host: people on two platforms and at the dashboard."""

import sqlite3
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level

from tests.host.harness.answers import Answerable, CallTool
from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.recorded import RecordedRequest
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.settings import merged
from tests.host.harness.waiting import wait_for
from tests.hosts import EAGER
from tests.leaks.asking import BY_COMMAND, BY_ROUTE, AskOf, Shown, question, shown
from tests.leaks.by_tools import TOOL_READS, as_another, save
from tests.leaks.canaries import Words
from tests.leaks.cast import Cast, Seat, Variant
from tests.leaks.changing import BY_PEOPLE
from tests.leaks.matrix import Tally, run
from tests.leaks.oracle import Oracle
from tests.leaks.scene import Row, Scene
from tests.leaks.stage import extracted
from tests.leaks.telling import add, heard, say_of_oneself, say_of_others
from tests.torture.form import chances, either

ADMIN = Person("admin")
WEB = "webchat"
_KINDS = (
    ("block",),
    ("list", "search", "why", "why-not", "export"),
    ("memory_get", "memory_search", "memory_list", "session_search"),
    ("items", "item"),
)
SEEN = either(_KINDS, [[path] for kind in _KINDS for path in kind])
"""What shows something every now and then: of few calls each kind, of many each path."""


def plugin_config(variant: Variant) -> Mapping[str, Any]:
    """What the operator of the host has set: what the cast goes by, and all is read at once."""
    rules = {"levels": {"tools": ["test_weather=CONFIDENTIAL"]}}
    return merged(merged(EAGER, variant.raw()), rules)


def host_config(variant: Variant) -> Mapping[str, Any]:
    """The host's own; whoever sits in the dashboard's chat has no more to say than others there."""
    return {"admins_id": [ADMIN.id], "platform_settings": {"unique_session": variant.unique_session}}


@dataclass(kw_only=True)
class HostStage(Scene):
    """A running host, whose model says what it is to say and is listened to."""

    host: Host
    model: ScriptedModel
    _unread: bool = False
    """Whether something was said that is yet to be read for facts."""
    _recalls: int = 0

    async def says(self, seat: Seat, text: str, reply: str = "I see.") -> None:
        self.turn(seat, text, reply)
        self._unread = True

    async def command(self, seat: Seat, text: str, *, admin: bool = False) -> str:
        reply, requests = self._said(seat, text, by=ADMIN if admin else None)
        assert not requests
        return reply

    async def tool(self, seat: Seat, name: str, said: str, arguments: Mapping[str, object]) -> str:
        *_, last = self.turn(seat, said, CallTool(name, arguments), "Done.")
        self._unread |= name == "memory_save"
        return last.tool_replies[-1]

    async def items(self, query: Mapping[str, str]) -> str:
        return str(data(self.host.plugin.get("items", params=query)))

    async def item(self, memory_id: str) -> str:
        answer = self.host.plugin.get(f"items/{memory_id}")
        return "" if answer.status_code == 404 else str(data(answer))

    async def settle(self) -> None:
        wait_for(lambda: self._logged() >= self._recalls)

    def rows(self) -> Mapping[str, Row]:
        """Every memory as it stands once all is read that was said."""
        if self._unread:
            self.host.memories.wait_until_extracted()
            self._unread = False
        return super().rows()

    def turn(self, seat: Seat, text: str, *answers: Answerable) -> list[RecordedRequest]:
        """Let somebody say something that the model answers so; what the model was asked."""
        self.recalled.append((seat, frozenset(self.oracle.remembered(seat))))
        self._recalls += 1
        self.model.chat.will_answer(*answers)
        _, requests = self._said(seat, text)
        assert len(requests) == len(answers)
        return requests

    def begin_anew(self, seat: Seat) -> None:
        """By the host's command; where all have one session that is for admins."""
        shared = not (seat.private or self.cast.variant.unique_session)
        self._said(seat, "/new", by=ADMIN if shared else None)
        super().begin_anew(seat)

    def _said(self, seat: Seat, text: str, *, by: Person | None = None) -> tuple[str, list[RecordedRequest]]:
        self.model.forget()
        chat = seat.chat
        if chat.platform_id == WEB and by is None:
            reply = self.host.chat(text, chat.umo.rpartition("!")[2]).text
        else:
            platform = "plat_a" if chat.platform_id == WEB else chat.platform_id
            person = by or Person(chat.sender_id, chat.sender_name)
            turn = self.host.turn(person, text, group=chat.group_id or None, platform=platform)
            files = [file["text"] for sent in turn.sent for file in sent.files]
            reply = "\n".join((turn.text, *files))
        return reply, self.model.chat_requests

    def _logged(self) -> int:
        return self.look.execute("SELECT coalesce(max(id), 0) FROM ltm_recalls").fetchone()[0]


def cast_of(host: Host, variant: Variant) -> Cast:
    """Those of the cast who are on the platforms of the host, and its dashboard's user in two chats."""
    cast = Cast(variant)
    there = [_on_host(seat, variant) for seat in cast.seats if seat.chat.platform_id != "web"]
    cast.seats = [*there, *(_at_dashboard(host.new_chat(title)) for title in ("one", "two"))]
    return cast


def _on_host(seat: Seat, variant: Variant) -> Seat:
    if seat.private or not variant.unique_session:
        return seat
    chat = seat.chat
    umo = f"{chat.platform_id}:GroupMessage:{chat.sender_id}_{chat.group_id}"
    return replace(seat, chat=replace(chat, umo=umo, conversation_id=f"{umo}-1"))


def _at_dashboard(session: str) -> Seat:
    umo = f"{WEB}:FriendMessage:{WEB}!astrbot!{session}"
    chat = Chat(
        umo=umo,
        platform_id=WEB,
        sender_id="astrbot",
        sender_name="astrbot",
        group_id="",
        conversation_id=f"{umo}-1",
    )
    return Seat(chat=chat, who="web", room=umo, floor=Level.INTERNAL, own_scope=f"{WEB}:astrbot")


async def tell_everything(stage: HostStage) -> None:
    """At each seat by conversation, command and tool; then at some in a raised conversation, too."""
    stage.model.extraction.always(lambda request: extracted(request.prompt))
    for seat in map(stage.present, stage.cast.seats):
        await say_of_oneself(stage, seat)
        await say_of_others(stage, seat)
        await add(stage, seat, chinese=stage.random.random() < 0.5)
        await save(stage, seat)
        pair = stage.words.pair(chinese=False)
        heard(stage, seat, pair, by_bot=True)
        await stage.says(seat, "What is new?", f"They opened the {pair.both} yesterday.")
    for seat in map(stage.present, stage.random.sample(stage.cast.seats, 5)):
        await _use_tool(stage, seat)
        await say_of_oneself(stage, seat)
        await add(stage, seat, chinese=False)
        await _begin_anew(stage, seat)


async def _block(stage: HostStage, seat: Seat) -> Shown:
    text, allowed = question(stage, seat), stage.oracle.remembered(seat)
    [request] = stage.turn(seat, text, "I see.")
    return shown("block", seat, request.memory_block or "", allowed)


async def _use_tool(stage: HostStage, seat: Seat) -> Shown:
    stage.turn(seat, "How is the weather?", CallTool("test_weather", {"city": "Oslo"}), "Sunny.")
    stage.oracle.used(seat, Level.CONFIDENTIAL)
    return shown("tool", seat, "")


async def _begin_anew(stage: HostStage, seat: Seat) -> Shown:
    stage.begin_anew(seat)
    return shown("new conversation", seat, "")


READING: Mapping[AskOf[HostStage], float] = {
    _block: 30,
    as_another: 20,
    **TOOL_READS,
    **BY_COMMAND,
    **BY_ROUTE,
}
EVERYTHING: Mapping[AskOf[HostStage], float] = {**READING, **BY_PEOPLE, _use_tool: 3, _begin_anew: 4}


async def play(stage: HostStage, calls: int) -> Tally:
    """Random calls by everybody; some have shared something before."""
    return await run(stage, calls // 10, BY_PEOPLE) + await run(stage, calls - calls // 10, EVERYTHING)


@contextmanager
def on_stage(host: Host, model: ScriptedModel, variant: Variant) -> Generator[HostStage]:
    """The running host, which nobody has told anything yet."""
    dice = chances(f"leaks on the host, {variant.name}")
    with closing(sqlite3.connect(f"file:{host.database}?mode=ro", uri=True, isolation_level=None)) as look:
        yield HostStage(
            host=host,
            model=model,
            cast=cast_of(host, variant),
            oracle=Oracle(variant),
            random=dice,
            words=Words(dice),
            look=look,
        )
