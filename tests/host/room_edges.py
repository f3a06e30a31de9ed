"""In which room a message was said and by whom, as adapters of the host deliver it.

These cases import the host, which warns and sets up logging: `test_edges.py` runs them on their own.
"""

from types import SimpleNamespace
from typing import Any

import pytest
from astrbot.api.event import AstrMessageEvent
from astrbot.api.message_components import Plain, Reply
from astrbot.api.platform import AstrBotMessage, MessageMember, MessageType, PlatformMetadata
from astrbot.core.platform.sources.misskey.misskey_utils import create_base_message, extract_sender_info
from astrbot.core.platform.sources.satori.satori_adapter import SatoriPlatformAdapter
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat
from astrbot_plugin_ltm.long_term_memory.host import host_events

FRIEND, GROUP, OTHER = MessageType.FRIEND_MESSAGE, MessageType.GROUP_MESSAGE, MessageType.OTHER_MESSAGE


def event_of(made: AstrBotMessage, platform: str) -> AstrMessageEvent:
    meta = PlatformMetadata(name=platform, description="", id="plat")
    return AstrMessageEvent(made.message_str, made, meta, made.session_id)


def message(
    kind: MessageType, *, group: str = "", session: str = "alice", platform: str = "qq", raw: object = None
) -> AstrMessageEvent:
    made = AstrBotMessage()
    made.type, made.group_id, made.session_id = kind, group, session
    made.self_id, made.message_id = "bot", "m1"
    made.sender = MessageMember(user_id="alice", nickname="Alice")
    made.message, made.message_str, made.raw_message = [Plain("hi")], "hi", raw
    return event_of(made, platform)


def room(event: AstrMessageEvent) -> str:
    return host_events.chat_of(event).group_id


async def in_satori(**told: Any) -> Chat:
    """A message as the adapter of Satori makes it of what it is told."""
    words = {"id": "m1", "content": "hi"}
    said: dict[str, Any] = {"message": words, "user": {"id": "8123"}, "guild": None, "login": {}, **told}
    adapter: Any = object.__new__(SatoriPlatformAdapter)
    made = await adapter.convert_satori_message(**said)
    return host_events.chat_of(event_of(made, "satori"))


def note(visibility: object, *readers: object, writer: str = "u1") -> AstrMessageEvent:
    """A note as the adapter of Misskey makes it."""
    raw: dict[str, Any] = {"id": "n1", "user": {"id": writer}, "visibility": visibility}
    if readers:
        raw["visibleUserIds"] = list(readers)
    made = create_base_message(raw, extract_sender_info(raw), "bot")
    made.message_str = "hi"
    return event_of(made, "misskey")


def test_a_chat_is_private_when_the_host_says_so_and_names_no_group() -> None:
    assert room(message(FRIEND)) == ""
    assert room(message(FRIEND, group="g1")) == "g1"
    assert room(message(GROUP, group="g1")) == "g1"


@pytest.mark.parametrize("kind", [GROUP, OTHER])
def test_a_group_without_an_id_is_a_room_all_the_same(kind: MessageType) -> None:
    assert room(message(kind, session="alice")) == "alice"
    assert room(message(kind, session="")) == f"plat:{kind.value}:"


@pytest.mark.parametrize("chat_type", ["group", "topic_group", "somehow_else"])
def test_a_lark_chat_of_more_than_two_is_a_room_whatever_the_host_takes_it_for(chat_type: str) -> None:
    raw = SimpleNamespace(chat_type=chat_type, chat_id="oc_1")
    assert room(message(FRIEND, platform="lark", raw=raw)) == "oc_1"
    assert room(message(FRIEND, platform="lark", raw=SimpleNamespace(chat_type=chat_type))) == "alice"


def test_a_lark_chat_of_two_is_private() -> None:
    assert room(message(FRIEND, platform="lark", raw=SimpleNamespace(chat_type="p2p", chat_id="oc_1"))) == ""


async def test_each_channel_of_a_satori_guild_is_a_room() -> None:
    guild = {"id": "g1"}
    rooms = [(await in_satori(guild=guild, channel={"id": each, "type": 0})).group_id for each in ("a", "b")]
    assert rooms == ["a", "b"]
    assert (await in_satori(guild=guild, channel={"id": ""})).group_id == "g1"


async def test_a_satori_channel_without_a_guild_is_private_unless_it_is_said_to_be_another() -> None:
    assert (await in_satori(channel={"id": "c", "type": 1})).group_id == ""
    assert (await in_satori(channel={"id": "c"})).group_id == ""
    assert [(await in_satori(channel={"id": "c", "type": each})).group_id for each in (0, 3)] == ["c", "c"]


async def test_ids_of_satori_are_those_of_the_platform_that_the_bot_is_logged_in_to() -> None:
    login = {"platform": "telegram", "user": {"id": "bot"}}
    chat = await in_satori(channel={"id": "c", "type": 0}, login=login)
    assert (chat.sender_id, chat.group_id) == ("telegram:8123", "telegram:c")
    alone = await in_satori(channel={"id": "c", "type": 1}, login=login)
    assert (alone.sender_id, alone.group_id) == ("telegram:8123", "")
    odd = await in_satori(channel={"id": "c", "type": 1}, login={"platform": "a:b"})
    assert odd.sender_id == "a!.b:8123"
    assert (await in_satori(channel={"id": "c", "type": 1}, login=login, user={})).sender_id == ""


async def test_whom_a_message_of_satori_quotes_is_named_as_they_are_when_they_speak() -> None:
    for platform, quoted in (("satori", "telegram:7"), ("qq", "7")):
        event = message(FRIEND, platform=platform, raw={"login": {"platform": "telegram"}})
        event.message_obj.message.insert(0, Reply(id="1", message_str="I own llamas", sender_id="7"))
        assert host_events.turn_of(event, None).quoted_sender == quoted


async def test_a_bot_of_satori_is_still_known_by_its_own_id() -> None:
    raw = {"login": {"platform": "telegram"}}
    own = message(FRIEND, platform="satori", raw=raw)
    assert host_events.chat_of(own).sender_id == "telegram:alice"
    assert host_events.spoken_by_a_person(own)
    own.message_obj.self_id = "alice"
    assert not host_events.spoken_by_a_person(own)


def test_a_misskey_note_that_not_everybody_can_read_is_a_room_of_those_who_can() -> None:
    assert {room(note(each)) for each in ("public", "home")} == {"note%u1"}
    assert room(note("followers")) == "note%u1%followers"
    assert room(note("specified", "bot", "ann")) == room(note("specified", "ann", "bot"))
    assert room(note("specified", "bot", "ann")) == "note%u1%specified%ann%bot"
    assert room(note("specified")) == "note%u1%specified"
    assert room(message(OTHER, platform="misskey", raw={"visibility": "specified", "visibleUserIds": 3})) == (
        "alice%specified"
    )


def test_only_notes_of_misskey_are_told_apart_by_their_readers() -> None:
    raw = {"visibility": "followers"}
    assert room(message(FRIEND, platform="misskey", raw=raw)) == ""
    assert room(message(GROUP, group="r1", platform="misskey", raw=raw)) == "r1"


RAWS: list[object] = [
    None,
    "text",
    7,
    [],
    [1],
    {},
    {"channel": None, "login": "x"},
    {"channel": {"type": []}},
    {"login": {"platform": {}}},
]


@pytest.mark.parametrize("platform", ["lark", "satori", "misskey"])
@pytest.mark.parametrize("raw", [*RAWS, {"visibility": None, "visibleUserIds": 3, "chat_type": None}])
def test_of_a_message_that_tells_nothing_the_word_of_the_host_counts(platform: str, raw: object) -> None:
    assert room(message(FRIEND, platform=platform, raw=raw)) == ""
    assert room(message(GROUP, group="g1", platform=platform, raw=raw)) == "g1"
    assert room(message(OTHER, session="note%u1", platform=platform, raw=raw)) == "note%u1"
    assert host_events.chat_of(message(FRIEND, platform=platform, raw=raw)).sender_id == "alice"
