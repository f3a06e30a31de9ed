from dataclasses import replace
from datetime import timedelta

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction, Level, Role
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event
from astrbot_plugin_ltm.long_term_memory.policies.secrets import CUT
from astrbot_plugin_ltm.long_term_memory.text_analysis.sanitize import MAX_NAME
from astrbot_plugin_ltm.long_term_memory.write.record import (
    MAX_QUOTED,
    MAX_TEXT,
    event_of_command,
    events_of_tool,
    events_of_turn,
)
from hypothesis import given
from hypothesis import strategies as st

from tests.write.fakes import ALICE, GROUP, START, access, tool_use, turn


def test_a_turn_becomes_what_was_said_and_what_was_answered() -> None:
    said, answered = events_of_turn(turn("I live in Rome", "Nice!"), access())
    assert (said.role, said.text, said.sender_id, said.sender_name) == (
        Role.USER,
        "I live in Rome",
        "alice",
        "Alice",
    )
    assert (answered.role, answered.text, answered.sender_id) == (Role.ASSISTANT, "Nice!", "")
    assert said.owner == said.at_scope == ALICE
    assert (said.level, said.extraction, said.created_at) == (Level.INTERNAL, Extraction.PENDING, START)


def test_in_a_group_the_place_is_the_groups_and_the_words_are_the_senders() -> None:
    said = events_of_turn(turn("hi"), access(group=GROUP))[0]
    assert (said.at_scope, said.owner, said.level) == (GROUP, ALICE, Level.PUBLIC)


@pytest.mark.parametrize("empty", ["", "  \n ", "\0"])
def test_empty_text_is_not_recorded(empty: str) -> None:
    assert [e.role for e in events_of_turn(turn("hi", empty), access())] == [Role.USER]
    assert events_of_turn(turn(empty, ""), access()) == []
    assert events_of_tool(tool_use(empty), access()) == []


def test_a_long_text_is_cut_visibly() -> None:
    said = events_of_turn(turn("长" * (MAX_TEXT + 1)), access())[0]
    assert len(said.text) == MAX_TEXT
    assert said.text.endswith(CUT)


def test_secrets_are_masked_in_what_people_bots_and_tools_say() -> None:
    said, answered = events_of_turn(
        turn("我叫小明，密码是abc123456", "Your API key sk-{} is safe".format("a1B2" * 6)), access()
    )
    (result,) = events_of_tool(tool_use('{"token": "' + "9f2c1e7ab34d5567" * 2 + '"}'), access())
    assert said.text == "我叫小明，密码是[secret:password]"
    assert answered.text == "Your API key [secret:key] is safe"
    assert result.text == '{"token": "[secret:key]"}'
    assert event_of_command(turn("/ltm add my PIN is 4921", ""), access()).text == (
        "/ltm add my PIN is [secret:password]"
    )


ASKED = [
    # what the bot asked, what is said, and what is kept of it
    ("What is your PIN?", "4921", "[secret:password]"),
    ("你的密码是什么？", "sunflower22", "[secret:password]"),
    ("What is your PIN?", "I'd rather not say", "I'd rather not say"),
    ("How old are you?", "4921", "4921"),
    ("", "4921", "4921"),
]


def test_a_secret_is_masked_by_the_question_it_answers() -> None:
    for asked, said, kept in ASKED:
        assert events_of_turn(turn(said, "Thanks."), access(), asked)[0].text == kept, (asked, said)


def test_a_quoted_secret_is_masked_by_the_question_it_answers() -> None:
    said = events_of_turn(replace(turn("is that right?"), quoted="4921"), access(), "What is your PIN?")[0]
    assert said.quoted == "[secret:password]"


def test_a_secret_that_the_bot_reads_back_is_masked_in_its_reply() -> None:
    asked = "What is your PIN?"
    said, answered = events_of_turn(turn("4921", "Thanks, your PIN 4921 is noted."), access(), asked)
    assert "4921" not in said.text + answered.text
    reply = events_of_turn(turn("my PIN is 4921", "So it is 4921."), access())[1]
    assert "4921" not in reply.text


def test_an_events_id_knows_nothing_of_the_secret_in_it() -> None:
    first = events_of_turn(turn("my PIN is 4921", "ok"), access())
    assert _ids(first) == _ids(events_of_turn(turn("my PIN is 4921", "ok"), access()))
    assert _ids(first) == _ids(events_of_turn(turn("my PIN is 8842", "ok"), access()))


@pytest.mark.parametrize(
    "before", [*range(MAX_TEXT - 24, MAX_TEXT, 3), *range(MAX_TEXT + 980, MAX_TEXT + 1000, 3)]
)
@pytest.mark.parametrize(
    "filling", ["", "my PIN is 4921829 " * 300, ("token " + "9f2c1e7ab34d5567" * 4 + " ") * 90]
)
def test_where_a_long_text_is_cut_no_part_of_a_secret_is_left(before: int, filling: str) -> None:
    words = (filling + "la " * MAX_TEXT)[: before - 1] + " "
    said = events_of_turn(turn(words + "4111 1111 1111 1111" + " la" * 500), access())[0]
    assert "4111" not in said.text
    assert "4921" not in said.text
    assert "9f2c" not in said.text
    assert len(said.text) <= MAX_TEXT
    assert said.text.endswith(CUT)


def test_half_a_character_cannot_break_the_store() -> None:
    assert events_of_turn(turn("a\ud83d"), access())[0].text == "a?"


def test_a_tools_result_is_recorded_as_what_it_is() -> None:
    (result,) = events_of_tool(tool_use("42 degrees"), access())
    assert (result.role, result.tool, result.sender_id) == (Role.TOOL, "web_search", "")


def test_the_same_turn_recorded_again_is_the_same_events() -> None:
    assert _ids(events_of_turn(turn("hi"), access())) == _ids(events_of_turn(turn("hi"), access()))


def test_the_same_words_said_later_are_other_events_though_the_message_id_is_the_same() -> None:
    later = turn("hi", at=START + timedelta(seconds=3))
    assert not _ids(events_of_turn(turn("hi"), access())) & _ids(events_of_turn(later, access()))


def test_other_words_under_a_reused_message_id_are_other_events() -> None:
    assert not _ids(events_of_turn(turn("hi", "a"), access())) & _ids(
        events_of_turn(turn("ho", "b"), access())
    )


def test_without_a_message_id_the_time_tells_messages_apart() -> None:
    first = turn("hi", message_id="")
    later = turn("hi", message_id="", at=START + timedelta(seconds=3))
    assert _ids(events_of_turn(first, access())) == _ids(events_of_turn(first, access()))
    assert not _ids(events_of_turn(first, access())) & _ids(events_of_turn(later, access()))


def test_what_was_overheard_and_then_answered_is_one_event() -> None:
    answered = turn("hi")
    overheard = replace(answered, chat=replace(answered.chat, conversation_id=""), reply_text="")
    both = _ids(events_of_turn(overheard, access())) & _ids(events_of_turn(answered, access()))
    assert both == _ids(events_of_turn(overheard, access()))
    other_group = replace(answered, chat=replace(answered.chat, group_id="g2"))
    assert not both & _ids(events_of_turn(other_group, access(group=GROUP)))


def test_a_quoted_message_is_kept_beside_the_words_and_never_among_them() -> None:
    quoting = replace(turn("Is that so?"), quoted="I own 42 llamas", quoted_from="Bob\nthe\u202e Boss")
    said, answered = events_of_turn(quoting, access())
    assert (said.text, said.quoted) == ("Is that so?", "Bob the Boss: I own 42 llamas")
    assert answered.quoted == ""
    nameless = events_of_turn(replace(quoting, quoted_from=""), access())[0]
    assert nameless.quoted == "I own 42 llamas"
    assert events_of_turn(replace(quoting, quoted=" "), access())[0].quoted == ""


def test_a_quoted_message_is_kept_with_the_id_of_who_said_it() -> None:
    quoting = replace(turn("Is that so?"), quoted="I own 42 llamas", quoted_sender="bob")
    assert [event.quoted_sender for event in events_of_turn(quoting, access())] == ["bob", ""]
    assert events_of_turn(replace(quoting, quoted=" "), access())[0].quoted_sender == ""


def test_a_quoted_message_is_masked_and_bounded() -> None:
    secret = replace(turn("hm"), quoted="my PIN is 4921")
    assert events_of_turn(secret, access())[0].quoted == "my PIN is [secret:password]"
    long = replace(turn("hm"), quoted="la " * 2_000 + "4111 1111 1111 1111")
    quoted = events_of_turn(long, access())[0].quoted
    assert (len(quoted), quoted.endswith(CUT)) == (MAX_QUOTED, True)


def test_a_message_that_only_quotes_is_not_recorded() -> None:
    assert events_of_turn(replace(turn("", ""), quoted="I own 42 llamas"), access()) == []


def test_a_nickname_is_kept_as_one_plain_short_line() -> None:
    odd = turn("hi")
    odd = replace(odd, chat=replace(odd.chat, sender_name="A\u202el\nice" + "!" * 500))
    name = events_of_turn(odd, access())[0].sender_name
    assert name.startswith("Al ice!!!")
    assert len(name) == MAX_NAME


def test_a_command_is_evidence_and_not_read_again() -> None:
    assert event_of_command(turn("/ltm add tea", ""), access()).extraction is Extraction.SKIPPED


def test_a_command_without_words_is_no_evidence() -> None:
    with pytest.raises(ValueError, match="without words"):
        event_of_command(turn(" "), access())


@given(st.text(max_size=50), st.text(max_size=50))
def test_any_text_can_be_stored_as_utf8(user: str, reply: str) -> None:
    for found in events_of_turn(turn(user, reply), access()):
        assert found.text.encode()
        assert "\0" not in found.text


def _ids(events: list[Event]) -> set[str]:
    return {event.event_id for event in events}
