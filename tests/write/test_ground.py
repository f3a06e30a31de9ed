"""The words, the values and the person of a fact, each looked for in what was really said."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import MemoryType, Origin, Role, Stance
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event
from astrbot_plugin_ltm.long_term_memory.domain.writing import Candidate, Grounded, Segment
from astrbot_plugin_ltm.long_term_memory.text_analysis.quotes import MAX_QUOTE
from astrbot_plugin_ltm.long_term_memory.write.ground import ground, ground_all
from hypothesis import given
from hypothesis import strategies as st

from tests.write.fakes import ALICE, BOB, event
from tests.write.made import a_candidate, an_item

BOT, TOOL = Role.ASSISTANT, Role.TOOL


def grounded(candidate: Candidate, *said: Event, earlier: tuple[Event, ...] = ()) -> Grounded:
    return ground(candidate, Segment(events=said, earlier=earlier), UTC)


def fact(text: str, *quotes: str, **changes: Any) -> Candidate:
    return a_candidate(text, quotes=quotes, **changes)


def talk(*lines: str) -> list[Event]:
    """Alice's messages, and the bot's behind `bot:`."""
    return [
        event(
            line.removeprefix("bot:").strip(), BOT if line.startswith("bot:") else Role.USER, event_id=f"e{n}"
        )
        for n, line in enumerate(lines)
    ]


QUOTES = [
    # said, quote, the words that are kept; none for what was not said
    ("My name is Alice!", "My name is Alice", "My name is Alice"),
    ("hi, MY  NAME is\nAlice!", "my name is alice", "MY  NAME is\nAlice"),
    ("My name is Alice.", '"my name, is: Alice"', "My name is Alice"),
    ("我叫 小明", "我叫小明。", "我叫 小明"),
    ("我住在ＡＢＣ大楼", "我住在ABC大楼", "我住在ＡＢＣ大楼"),
    (
        "I moved to the old town of Bern in spring",
        "I moved to the old town of Bern last spring",
        "I moved to the",
    ),
    ("I have lived here in Bern for 12 years now", "I have lived here in Bern for 13 years now", ""),
    ("what's the weather like", "I own a yacht", ""),
    ("I like teapots", "I like tea", ""),
]


def test_a_quote_is_kept_as_it_was_said_and_otherwise_the_fact_waits() -> None:
    for said, quote, kept in QUOTES:
        found = grounded(fact("User said so", quote), event(said))
        assert found.quote.startswith(kept or said), quote
        assert found.quote in said
        assert found.doubt == ("" if kept else "quote_not_found"), quote


def test_several_quotes_and_one_with_an_ellipsis_rest_on_each_message() -> None:
    said = talk("I live in Bern", "Nice", "since 2019 that is")
    found = grounded(fact("User has lived in Bern since 2019", "I live in Bern", "since 2019"), *said)
    assert (found.event, found.quote, found.doubt) == (said[0], "I live in Bern", "")
    assert [(each.event, each.text) for each in found.beside] == [(said[2], "since 2019")]
    one = event("I live, as you may know from before, in Bern")
    assert grounded(fact("User lives in Bern", "I live", "in Bern"), one).beside == ()


def test_of_several_quotes_those_of_another_person_are_left_out() -> None:
    bob = event("I live in Rome", sender="bob", event_id="e2")
    found = grounded(
        fact("User lives in Bern", "I live in Bern", "I live in Rome"), *talk("I live in Bern"), bob
    )
    assert (found.event.sender_id, found.beside) == ("alice", ())


def test_of_quotes_of_several_people_those_of_whom_it_is_about_are_the_evidence() -> None:
    asked = event("Is 3 October fine for you, Bob?", event_id="e0", in_group=True)
    answer = event("No, christening of our Elsie", sender="bob", event_id="e1", in_group=True)
    said, quotes = (asked, answer), ("Is 3 October fine", "christening of our Elsie")
    text = "User has the christening of Elsie on 3 October"
    found = grounded(fact(text, *quotes, about="U2"), *said)
    assert (found.event, found.owner, found.person, found.beside) == (answer, BOB, "", ())
    assert (found.doubt, found.candidate.fact) == ("", text)
    earlier = grounded(fact(text, *quotes, about="Bob"), answer, earlier=(asked,))
    assert (earlier.event, earlier.doubt) == (answer, "")
    unquoted = grounded(fact(text, quotes[1], about="U2"), *said)
    assert unquoted.doubt == "not_in_evidence:3 October"
    for about, meant in (("U1", asked), ("", answer), ("Carol", answer)):
        assert grounded(fact(text, *quotes, about=about), *said).event is meant


def test_who_only_reacts_says_nothing_of_what_others_tell() -> None:
    for told, reaction, about, text in (
        ("Bob eats everything, he is no vegetarian any more", "lol", "U2", "User eats everything"),
        ("Bob owes me 500 euros", "what a day", "U2", "User owes Alice 500 euros"),
        ("Did you know I'm pregnant?", "Congratulations to you!", "", "User is pregnant"),
        ("我怀孕了，你们知道吗？", "恭喜恭喜", "", "用户怀孕了"),
        ("我怀孕了，你们知道吗？", "好的，谢谢", "", "用户怀孕了"),
        ("Did you know I'm pregnant?", "Wonderful!", "", "User is pregnant"),
        ("Bob eats everything, he is no vegetarian any more", "nice", "U2", "User eats everything"),
    ):
        said = event(told, in_group=True, event_id="e0")
        heard = event(reaction, sender="bob", in_group=True, event_id="e1")
        assert grounded(fact(text, told, reaction, about=about), said, heard).event is said, told
    agreed = event("yes", sender="bob", in_group=True, event_id="e1")
    told = event("Bob eats everything", in_group=True, event_id="e0")
    assert grounded(fact("User eats everything", told.text, "yes", about="U2"), told, agreed).event is agreed


def test_who_answers_a_question_tells_it_in_whatever_words() -> None:
    for asked, answer, text in (
        ("Do you smoke, Bob?", "No", "User does not smoke"),
        ("Are you coming on Friday?", "Nope, can't make it", "User is not coming on Friday"),
        ("Who's driving?", "I am", "User is driving"),
        ("你抽烟吗？", "从来没有", "用户不抽烟"),
        ("谁吃素？", "我", "用户吃素"),
        ("Where do you work these days?", "I work at Siemens. Since May, in fact.", "User works at Siemens"),
    ):
        question = event(asked, in_group=True, event_id="e0")
        told = event(answer, sender="bob", in_group=True, event_id="e1")
        quote = answer.removesuffix(", in fact.").removeprefix("I ")
        for about in ("", "U2"):
            candidate = fact(text, asked, quote, about=about, evidence=(0, 1))
            assert grounded(candidate, question, told).event is told, (asked, about)


def test_of_the_words_of_others_only_what_is_quoted_may_say_a_value() -> None:
    asked = event("Is that fine? My rent is 900 euros.", in_group=True, event_id="e0")
    answer = event("Yes, my rent went up too", sender="bob", in_group=True, event_id="e1")
    rent = fact("User pays 900 euros of rent", "Is that fine?", answer.text, about="U2")
    assert grounded(rent, asked, answer).doubt == "not_in_evidence:900"
    taken = event("I take lisinopril", in_group=True, event_id="e0")
    usual = event("Usually that is 20 mg", BOT, in_group=True, event_id="e1")
    cool = event("ok cool thanks", sender="bob", in_group=True, event_id="e2")
    dose = fact("User takes 20 mg lisinopril", taken.text, cool.text, about="U1")
    assert grounded(dose, taken, usual, cool).doubt == "not_in_evidence:20"


def test_who_said_it_exactly_comes_before_who_said_nearly_the_same() -> None:
    near = event("I moved to the old town of Bern this spring", sender="bob", event_id="bob")
    exact = event("I moved to the old town of Bern last spring")
    found = grounded(fact("User moved to Bern", exact.text, evidence=(0,)), near, exact)
    assert (found.event, found.owner) == (exact, ALICE)


def test_the_cited_message_is_preferred_and_a_wrong_number_does_not_matter() -> None:
    said = talk("I like tea", "I like tea", "I like tea")
    for evidence, meant in (((1,), 1), ((-1, 7), 0), ((), 0)):
        assert grounded(fact("User likes tea", "I like tea", evidence=evidence), *said).event is said[meant]


def test_without_a_number_the_words_are_those_of_whom_the_fact_is_about() -> None:
    bob = event("I live in Berlin, do you?", sender="bob", event_id="bob", in_group=True)
    alice = event("Sure, I live in Berlin too!", in_group=True)
    for about, evidence, meant in (("U2", (), alice), ("Alice", (), alice), ("U2", (0,), bob), ("", (), bob)):
        found = grounded(
            fact("User lives in Berlin", "live in Berlin", about=about, evidence=evidence), bob, alice
        )
        assert found.event is meant, about


def test_without_a_quote_the_message_with_most_of_the_words_is_the_evidence() -> None:
    said = talk("what's up", "I prefer Python over Java")
    found = grounded(fact("User prefers Python over Java"), *said)
    assert (found.event, found.quote, found.doubt) == (said[1], "I prefer Python over Java", "")
    assert grounded(fact("User owns a yacht"), *said).doubt == "no_quote"


def test_evidence_is_bounded() -> None:
    said = "word " * 1000
    found = grounded(fact("User owns a yacht", "I own a yacht"), event(said))
    assert (len(found.quote), found.quote in said) == (MAX_QUOTE, True)


def test_what_the_bot_said_counts_with_the_answer_of_the_person() -> None:
    for answer, unagreed in (
        ("Yes, that's right", ""),
        ("好的", ""),
        ("I wear boots there", "assistant_words"),
    ):
        said = talk("hm", "bot: You live in Bern", answer)
        found = grounded(fact("User lives in Bern", "You live in Bern"), *said)
        assert (found.event, found.quote) == (said[2], answer)
        assert [each.event for each in found.beside] == [said[1]]
        assert (found.candidate.origin, found.is_of_bot) == (Origin.CONFIRMED, True)
        assert (found.doubt, found.refused, found.unagreed) == ("", "", unagreed), answer


def test_beside_words_of_the_person_that_do_not_say_it_the_fact_is_the_bots_all_the_same() -> None:
    bot, fine = "You are on the Gold plan.", "great, thanks"
    for lines, quotes, main, unagreed in (
        (["hm", f"bot: {bot}", "I have a pen"], [bot, "I have a pen"], 2, "assistant_words"),
        (["hm", f"bot: {bot}", fine], [fine, bot], 2, ""),
        (["What is my plan?", f"bot: {bot}", "Any hats?"], ["What is my plan?", bot], 2, "assistant_words"),
        (["What is my plan?", f"bot: {bot}", fine], ["What is my plan?", bot], 2, ""),
        (["What is my plan?", f"bot: {bot}"], ["What is my plan?", bot], 0, "assistant_words"),
    ):
        said = talk(*lines)
        found = grounded(fact("User is on the Gold plan", *quotes), *said)
        assert (found.event, found.candidate.origin, found.is_of_bot) == (said[main], Origin.CONFIRMED, True)
        assert (found.refused, found.unagreed) == ("", unagreed), lines


def test_what_the_bot_said_and_nobody_answered_is_refused() -> None:
    candidate = fact("User lives in Bern", "You live in Bern")
    for said in (talk("hm", "bot: You live in Bern"), talk("Who am I?", "bot: You live in Bern", "bot: Bye")):
        assert grounded(candidate, *said).refused == "assistant_words"
    before = tuple(talk("bot: You live in Bern", "lol"))
    assert grounded(candidate, event("yes", event_id="y"), earlier=before).refused == "assistant_words"


def test_only_the_person_to_whom_the_bot_spoke_can_agree() -> None:
    said = talk("hm", "bot: You live in Bern")
    bob, alice = event("yes", sender="bob", event_id="bob"), event("right", event_id="a")
    candidate = fact("User lives in Bern", "You live in Bern")
    assert grounded(candidate, *said, bob).refused == "assistant_words"
    assert grounded(candidate, *said, bob, alice).event is alice


def test_an_answer_in_the_segment_agrees_to_what_the_bot_said_before_it() -> None:
    before, (yes,) = talk("hm", "bot: You live in Bern"), talk("yes")
    found = grounded(
        fact("User lives in Bern", "You live in Bern"), replace(yes, event_id="y"), earlier=tuple(before)
    )
    assert (found.quote, found.refused) == ("yes", "")


def test_beside_the_persons_own_words_the_bots_are_no_reason_for_doubt() -> None:
    said = talk("bot: Where do you live?", "In Bern")
    found = grounded(fact("User lives in Bern", "Where do you live?", "In Bern"), *said)
    assert (found.quote, found.is_of_bot, found.unagreed) == ("In Bern", False, "")
    assert [each.text for each in found.beside] == ["Where do you live?"]


def test_what_a_replaced_fact_says_is_no_addition_of_the_bots() -> None:
    known = an_item("k", fact="User earns 28 cents a word from Acme")
    for bot, new, is_of_bot in (
        ("So 32 instead of 28.", "User earns 32 cents a word from Acme, 28 before", False),
        ("So 35 instead of 28.", "User earns 35 cents a word from Acme, 28 before", True),
    ):
        said = talk("From May it is 32 a word", f"bot: {bot}", "Bob always gets more")
        told = Segment(events=tuple(said), known=(known,))
        found = ground(fact(new, said[0].text, bot, replaces=("k",)), told, UTC)
        assert found.is_of_bot is is_of_bot, bot


def test_what_is_only_asked_is_for_verification_to_tell() -> None:
    for text, evidence, asked in (
        ("Am I allergic to nuts?", (), "only_asked"),
        ("我对坚果过敏吗？", (), "only_asked"),
        ("Am I allergic to nuts? Yes I am.", (), ""),
        ("Shall we meet on Friday?", (0, 2), ""),
    ):
        said = talk(text, "bot: Yes", "good")
        assert grounded(fact("User asked", text, evidence=evidence), *said).unagreed == asked, text


VALUES = [
    # what is said, the fact, the value nobody said
    ("I'm 42 years old", "User is 43 years old", "43"),
    ("我今年42岁", "用户今年43岁", "43"),
    ("I earn 85k", "User earns 85,000", ""),
    ("my exam is on 3 May", "User's exam is on 2025-05-04", "2025-05-04"),
    ("my exam is on 3 May", "User's exam is on 2025-05-03", ""),
    ("write to a@example.org", "User's mail is b@example.org", "b@example.org"),
    ("Since 2019 I've used Python 3.12", "User has used Python 3.12 since 2019", ""),
    ("my flight is LH 454", "User's flight is LH455", "LH455"),
]


def test_every_number_date_and_address_of_a_fact_was_said() -> None:
    for said, text, missing in VALUES:
        found = grounded(fact(text, said), event(said))
        assert found.doubt == (f"not_in_evidence:{missing}" if missing else ""), text


def test_a_value_may_come_from_around_the_quote_but_not_from_anybody_else() -> None:
    candidate = fact("User moved on 2025-05-03", "I moved then")
    said = talk("I moved then")
    other = event("3 May", sender="bob", event_id="b")
    known = an_item(fact="User leaves Rome on 2025-05-03")
    assert grounded(candidate, *talk("3 May it was", "I moved then")).doubt == ""
    assert grounded(candidate, *talk("bot: On 3 May?", "I moved then")).doubt == ""
    assert grounded(candidate, *said, earlier=tuple(talk("bot: On 3 May?"))).doubt == ""
    assert ground(candidate, Segment(events=tuple(said), known=(known,)), UTC).doubt == ""
    for unheard in ([*said, other], [*said, *talk("bot: 3 May")], said):
        assert grounded(candidate, *unheard).doubt == "not_in_evidence:2025-05-03"


def test_a_relative_date_gets_the_day_in_brackets_where_the_operator_is() -> None:
    said = replace(event("I have an exam tomorrow"), created_at=datetime(2026, 11, 22, 20, tzinfo=UTC))
    candidate, segment = fact("User has an exam tomorrow", said.text), Segment(events=(said,))
    here, there = ground(candidate, segment, UTC), ground(candidate, segment, ZoneInfo("Asia/Shanghai"))
    assert (here.candidate.fact, here.doubt) == ("User has an exam tomorrow (2026-11-23)", "")
    assert there.candidate.fact == "User has an exam tomorrow (2026-11-24)"


def test_the_day_is_counted_from_the_words_that_name_it() -> None:
    def said_on(day: int, text: str, role: Role = Role.USER) -> Event:
        return replace(event(text, role, event_id=text), created_at=datetime(2026, 11, day, 12, tzinfo=UTC))

    booked, asked = said_on(2, "I booked the dentist"), said_on(3, "Shall I book Luigi's for tomorrow?", BOT)
    known = an_item("m1", fact="User sees the dentist tomorrow (2026-11-03) at 9")
    for events, quotes, day in (
        ([booked, said_on(4, "he is in tomorrow")], ["he is in tomorrow"], "2026-11-05"),
        ([booked, said_on(4, "牙医是明天")], ["牙医是明天"], "2026-11-05"),
        ([asked, said_on(4, "yes, please")], [asked.text, "yes, please"], "2026-11-04"),
        ([booked, said_on(4, "it is in Main St")], ["it is in Main St"], "2026-11-03"),
        ([booked, said_on(4, "ah no, tomorrow")], ["ah no, tomorrow"], "2026-11-05"),
    ):
        candidate = fact("User is there tomorrow", events[0].text, *quotes, replaces=("m1",))
        segment = Segment(events=tuple(events), known=(known,))
        assert ground(candidate, segment, UTC).candidate.fact == f"User is there tomorrow ({day})", quotes
        earlier = Segment(events=tuple(events[1:]), earlier=tuple(events[:1]), known=(known,))
        assert day in ground(candidate, earlier, UTC).candidate.fact


def test_a_weekday_gets_the_day_of_a_plan_or_of_what_is_over_and_none_where_neither_is_told() -> None:
    episode, task = MemoryType.EPISODE, MemoryType.TASK_STATE
    for text, kind, stance, day in (
        ("User meets Tom on Friday", MemoryType.PROFILE, Stance.PLANNED, "2026-11-27"),
        ("User meets Tom on Sunday", MemoryType.PROFILE, Stance.PLANNED, ""),  # said on a Sunday
        ("User turned 41 on Friday", episode, Stance.LASTING, "2026-11-20"),
        ("User went to Rome on Friday", episode, Stance.LASTING, "2026-11-20"),
        ("用户周五去了医院", episode, Stance.LASTING, "2026年11月20日"),
        ("User got a table for Friday", episode, Stance.LASTING, ""),
        ("User agreed to meet Tom on Friday", episode, Stance.LASTING, ""),
        ("User was invited to a party on Friday", episode, Stance.LASTING, ""),
        ("User has a party on Friday", episode, Stance.LASTING, ""),
        ("User need not work on Friday", episode, Stance.LASTING, ""),
        ("用户周五去医院", episode, Stance.LASTING, ""),
        ("用户约了周五吃饭", episode, Stance.LASTING, ""),
        ("User handed in the report on Friday", task, Stance.LASTING, ""),
        ("User must hand in the report on Friday", task, Stance.LASTING, ""),
        ("User worked on Friday", MemoryType.PROFILE, Stance.LASTING, ""),
    ):
        said = replace(event(text), created_at=datetime(2026, 11, 22, 20, tzinfo=UTC))
        told = grounded(fact(text, text, type=kind, stance=stance), said).candidate.fact
        assert (told == text) if not day else (day in told), told


def test_a_weekday_of_what_is_over_is_no_day_of_a_plan_told_with_it() -> None:
    for words, dated in (
        ("We asked ten people on Friday and four could tell. I want eight by March.", False),
        ("I want to ask ten people on Friday.", True),
        ("It got moved to Friday.", True),
    ):
        said = replace(event(words), created_at=datetime(2026, 11, 22, 20, tzinfo=UTC))
        candidate = fact("User asks ten people on Friday", words, stance=Stance.PLANNED)
        assert ("2026-11-27" in grounded(candidate, said).candidate.fact) is dated, words


def test_a_weekday_behind_a_date_of_another_week_is_not_counted_from_today() -> None:
    for words, text, dated in (
        ("12月24日飞柏林，周日休息，周一上班", "用户周一上班", False),
        ("On December 24 we fly, and we rest on Sunday.", "User rests on Sunday", False),
        ("On December 24 we fly. We have the dentist on Sunday.", "User has the dentist on Sunday", True),
        ("On November 24 we fly, and we rest on Sunday.", "User rests on Sunday", False),
        ("On November 21 we fly, and we rest on Sunday.", "User rests on Sunday", True),
        ("Since November 2 I'm ill, and we rest on Sunday.", "User rests on Sunday", True),
        ("We rest on Sunday, and on December 24 we fly.", "User rests on Sunday", True),
    ):
        said = replace(event(words), created_at=datetime(2026, 11, 20, 12, tzinfo=UTC))
        quote = words.split("，")[-1] if "，" in words else "on Sunday"
        found = grounded(fact(text, quote, stance=Stance.PLANNED), said).candidate.fact
        assert ("2026-11-22" in found) is dated, (words, found)
        assert dated or found == text


def test_a_weekday_of_an_outing_in_a_later_week_is_not_counted_from_today() -> None:
    for known, text, dated in (
        ("The autumn weekend is 25 to 27 September", "User comes to the autumn weekend on Saturday", False),
        ("The autumn weekend is 25 to 27 September", "User comes to the dentist on Saturday", True),
        ("The trip to Rome is on July 18", "User packs for the trip on Saturday", True),
        ("9月25日去音乐节", "用户音乐节周六六点到", False),
        ("Anna's wedding is in Bonn", "User comes to Anna's wedding on Saturday", True),
    ):
        words = "周六六点到" if "周六" in text else "on Saturday"
        said = replace(event(f"I come {words}"), created_at=datetime(2026, 7, 16, 12, tzinfo=UTC))
        candidate = fact(text, words, stance=Stance.PLANNED)
        segment = Segment(events=(said,), known=(an_item(fact=known),))
        found = ground(candidate, segment, UTC).candidate.fact
        assert ("18" in found) is dated, (known, found)
    changed = replace(candidate, fact="User's Rome trip is on Saturday", quotes=("I come",), replaces=("m1",))
    known_trip = an_item("m1", fact="User's Rome trip is on September 1")
    said = replace(event("I come on Saturday"), created_at=datetime(2026, 7, 16, 12, tzinfo=UTC))
    found = ground(changed, Segment(events=(said,), known=(known_trip,)), UTC)
    assert "2026-07-18" in found.candidate.fact


def test_words_of_a_tool_a_quoted_message_and_a_name_wait() -> None:
    tool = event("Alice Smith, born 1990", TOOL, event_id="t")
    quoting = replace(event("lol"), quoted="Bob: I like green tea")
    named = replace(event("lol"), sender_name="I am allergic to peanuts")
    for quote, said, doubt in (
        ("Alice Smith, born 1990", [event("look me up"), tool], "tool_result"),
        ("I like green tea", [quoting], "quoted_message"),
        ("I am allergic to peanuts", [named], "nickname"),
    ):
        found = grounded(fact("User does", quote), *said)
        assert (found.doubt, found.event, found.owner) == (doubt, said[0], ALICE)


def test_what_a_person_said_outweighs_a_tool_that_says_the_same() -> None:
    said = (event("I was born in Rome", TOOL, event_id="t"), event("I was born in Rome"))
    found = grounded(fact("User was born in Rome", "I was born in Rome", evidence=(0,)), *said)
    assert (found.event, found.doubt) == (said[1], "")


def test_what_was_said_before_the_segment_is_no_evidence_by_itself() -> None:
    before = tuple(talk("I live in Bern"))
    found = grounded(
        fact("User lives in Bern", "I live in Bern"), event("hi", event_id="now"), earlier=before
    )
    assert found.doubt == "quote_not_found"


def test_a_fact_with_a_masked_secret_is_refused() -> None:
    said = event("my PIN is [secret:password]")
    for quotes in ((said.text,), ()):
        assert grounded(fact("User's PIN is [secret:password]", *quotes), said).refused == "secret"
    assert grounded(fact("User has a PIN", said.text), said).refused == ""


def test_a_fact_that_cannot_be_checked_costs_no_other(caplog: pytest.LogCaptureFixture) -> None:
    odd = fact("User likes cake", evidence=["my secret"])
    odd = replace(odd, quotes=("cake",))
    segment = Segment(events=(event("I like tea"),))
    facts, broken = ground_all([odd, fact("User likes tea"), odd], segment, UTC)
    assert [each.candidate.fact for each in facts] == ["User likes tea"]
    assert broken == ["not_checked", "not_checked"]
    assert "my secret" not in caplog.text


def test_without_a_persons_words_there_is_nothing_to_rest_on() -> None:
    for role in (BOT, TOOL):
        with pytest.raises(ValueError, match="person's words"):
            grounded(fact("User likes tea", "likes tea"), event("likes tea", role))


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60))
def test_whatever_is_said_the_evidence_stands_in_it(said: str, text: str, quote: str) -> None:
    candidate = a_candidate(text, quotes=(quote,) if quote else (), type=MemoryType.PROFILE)
    found = grounded(candidate, event(said or "x"))
    assert found.quote in (said or "x") or found.quote == "…"


def test_what_a_whole_group_has_answers_no_question_that_one_person_has_one_answer_to() -> None:
    said = event("the club's name is Foxes", in_group=True)
    for about, slot in (("group", ""), ("", "name")):
        candidate = fact(
            "The club's name is Foxes", "name is Foxes", about=about, slot="name", fact_key="name"
        )
        assert ground(candidate, Segment(events=(said,)), UTC).candidate.slot == slot
