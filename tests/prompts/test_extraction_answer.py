import json

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import MemoryType, Origin, Stance
from astrbot_plugin_ltm.long_term_memory.domain.errors import AnswerError
from astrbot_plugin_ltm.long_term_memory.prompts.extraction import (
    MAX_FACTS,
    MAX_QUOTES,
    MAX_TAG,
    VERSION,
    ParsedAnswer,
    parse,
)
from astrbot_plugin_ltm.long_term_memory.prompts.lenient_json import MAX_THOUGHT
from hypothesis import given
from hypothesis import strategies as st

PLAIN: dict[str, object] = {
    "type": "profile",
    "fact": "User's name is Alice",
    "fact_key": "user_name",
    "confidence": 0.95,
    "importance": 0.9,
}
ONE = json.dumps(PLAIN)
OTHER = json.dumps(PLAIN | {"fact": "User's name is Mallory"})


def facts(answer: ParsedAnswer) -> list[str]:
    return [candidate.fact for candidate in answer.candidates]


def changed(**changes: object) -> str:
    return json.dumps([PLAIN | changes])


def test_a_plain_five_field_answer_is_enough() -> None:
    (found,) = parse(f"[{ONE}]").candidates
    assert (found.type, found.fact, found.fact_key) == (
        MemoryType.PROFILE,
        "User's name is Alice",
        "user_name",
    )
    assert (found.confidence, found.importance, found.origin) == (0.95, 0.9, Origin.LLM_EXTRACT)
    assert (found.quotes, found.evidence, found.about) == ((), (), "")
    assert (found.stance, found.replaces) == (Stance.LASTING, ())
    assert found.meta == {"prompt": VERSION, "stance": "lasting"}


def test_the_optional_fields_are_taken() -> None:
    text = changed(
        evidence=[3, 1],
        quote="my name is Alice",
        about="U1",
        person="Bob",
        relationship="brother",
        backstory="at dinner",
        slot="name",
    )
    (found,) = parse(text).candidates
    assert found.evidence == (2, 0)
    assert (found.quotes, found.about, found.person) == (("my name is Alice",), "U1", "Bob")
    assert (found.relationship, found.backstory, found.slot) == ("brother", "at dinner", "name")


@pytest.mark.parametrize(
    "text",
    [
        f"[{ONE}]",
        f"```json\n[{ONE}]\n```",
        f"Here are the facts:\n\n[{ONE}]\n\nLet me know!",
        f"As [1] says: {ONE}",
        ONE,
        f'{{"facts": [{ONE}]}}',
        f'{{"whatever": {{"inner": [{ONE}]}}}}',
        f'{{"fact_1": {ONE}}}',
        f"[{ONE},]",
        ONE.replace("}", ",}"),
        f"<think>maybe {{name}}?</think>[{ONE}]",
        f'[{{"type": "profile", "fact": }}, {ONE}]',
        f'[{ONE}, {{"type": "prof',
        f"[{ONE}, {ONE}]",
        f"{ONE}\n{ONE}",
        f"[[{ONE}]]",
        f"[[[{ONE}], []]]",
        f"<think>say [{OTHER}]</think>[{ONE}]",
        f"<Thinking>\n[{OTHER}]\n</Thinking>\n[{ONE}]",
        f"[{OTHER}]</think>[{ONE}]",
        f"[{ONE}]<think>or [{OTHER}]",
        f"好的，事实如下：\n[{ONE}]",
        f'"[U1]" says: [{ONE}]',
        f"[U1 (Alice)]: [] at first, then [{ONE}]",
    ],
)
def test_the_fact_is_found_whatever_is_around_it(text: str) -> None:
    assert facts(parse(text)) == ["User's name is Alice"]


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "```json\n[]\n```",
        "Nothing worth remembering: []",
        '{"facts": []}',
        f"<think>{OTHER}</think>[]",
        "{}",
        "```json\n{}\n```",
        '{"facts": null}',
        '{"facts": {}}',
        "[[]]",
        "[null]",
        "[U1 (Alice)] only greets.\n\n[]",
        "[1]–[3] are {small} talk.\n\n```json\n[]\n```\nLet me know!",
        '[U1] greets.\n{"facts": []}',
        '{"facts"：[]}',
        "{'facts': None}",
        '{"memories": []}',
        '{"status": "ok", "result": []}',
        '{"code": 200, "data": []}',
        '{"code": 0, "data": []}',
        '{"error": null, "items": []}',
        '{"facts": null, "status": "ok"}',
        '{"result": {"facts": []}}',
        '{"facts": [], "error": ""}',
        '{"facts": [], "errors": "none"}',
        '{"facts": [], "error": "no facts found"}',
        '{"thoughts": "nothing here", "result": []}',
    ],
)
def test_an_empty_answer_means_nothing_to_remember(text: str) -> None:
    assert parse(text) == ParsedAnswer(candidates=(), rejected=())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I'm sorry, I cannot help with that.",
        "没有值得记住的事实。",
        '{"error": "rate limit exceeded"}',
        "null",
        "[1, 2]",
        '[{"type": "profile", "fact": "x", "evidence": [], "quo',
        '[{"type": "profile", "fact": "x", "evidence": []',
        '[{"type": "profile", "fact": , "evidence": []}, {"type": "prof',
        "[[] [U1] likes tea",
        "[U1] likes tea [] and [U2] too",
        '{"error": "rate limit exceeded", "data": null}',
        '{"error": {"message": "rate limited"}, "choices": []}',
        "{'error': 'rate limit exceeded'}",
        '{"detail": "rate limited", "data": []}',
        '{"error": "rate limit exceeded", "items": []}',
        '{"code": 429, "status": "error", "choices": []}',
        '{"errors": ["rate limited"], "result": []}',
        '{"facts": null, "error": {"message": "rate limited"}}',
        '{"facts": "", "error": "boom"}',
        '{"status": "error", "results": []}',
        '{"status": "failed", "memories": null}',
        '{"facts": "none [1]"}',
        '{"facts": "[1, 2"}',
        "{user_name}",
        "[" * 20 + "]" * 20,
        "[" * 100_000,
        '{"a":' * 100_000,
        "{" * 100_000 + "[]",
        "[" * 500 + ONE + "]" * 500,
        f"<think>[{ONE}]",
    ],
)
def test_an_answer_without_a_list_of_facts_is_an_error(text: str) -> None:
    with pytest.raises(AnswerError):
        parse(text)


def test_what_is_left_open_again_and_again_is_not_read_to_its_end_each_time() -> None:
    opened = "[" * 20 + "1," * 25_000
    assert facts(parse(f"[1, 2] [[ {ONE}")) == ["User's name is Alice"]
    with pytest.raises(AnswerError):
        parse(f"{opened}{ONE}")


def test_a_fact_after_a_long_thought_is_found_and_after_an_endless_one_it_is_not() -> None:
    assert facts(parse(f"<think>{'hm ' * 100_000}</think>[{ONE}]")) == ["User's name is Alice"]
    with pytest.raises(AnswerError):
        parse(f"<think>{'hm ' * (MAX_THOUGHT // 3)}</think>[{ONE}]")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (changed(type="rumour"), "type"),
        (changed(type="profile|preference"), "type"),
        (changed(type=None), "type"),
        (changed(confidence=float("nan")), "confidence"),
        (changed(confidence=float("inf")), "confidence"),
        (changed(confidence=1.01), "confidence"),
        (changed(importance=-0.1), "importance"),
        (changed(confidence="sure"), "confidence"),
        (changed(confidence=7), "confidence"),
        (changed(confidence="101%"), "confidence"),
        (changed(confidence=True), "confidence"),
        (changed(importance=10**400), "importance"),
        (changed(fact=""), "fact"),
        (changed(fact=" \n "), "fact"),
        (changed(fact=["User is tall", "User is vegan"]), "fact"),
        (changed(fact=[]), "fact"),
        (changed(fact={"text": "User is tall"}), "fact"),
        (changed(fact=12), "fact"),
        (changed(fact="x" * 501), "fact"),
        (changed(quote="x" * 2001), "quote"),
        (changed(quote=["said so", "x" * 2001]), "quote"),
        (changed(about="x" * 121), "about"),
        ('[{"type": "profile", "fact": "User is tall", "confidence": "[]"}]', "confidence"),
    ],
)
def test_a_fact_with_a_bad_field_is_rejected_by_the_fields_name(text: str, reason: str) -> None:
    answer = parse(text)
    assert answer.candidates == ()
    assert answer.rejected[0].startswith(f"{reason}: ")


def test_one_bad_fact_does_not_take_the_good_ones_along() -> None:
    answer = parse(json.dumps([PLAIN | {"type": "x"}, PLAIN, "prose", 5, None]))
    assert facts(answer) == ["User's name is Alice"]
    assert answer.rejected == ("type: enum",)


NEARLY_JSON = [
    "[{“type”: “profile”, “fact”: “User's name is Alice”}]",
    '[{"type"："profile"，"fact"："User\'s name is Alice"}]',
    '［｛"type"："profile"，"fact"："User\'s name is Alice"｝］',
    repr([PLAIN | {"person": None, "new": True, "old": False}]),
    "[{'type': 'profile', 'fact': 'User's name is Alice'}]",
    "[{'type': 'profile', 'fact': 'User\\'s name is Alice'}]",
    "[{‘type’: ‘profile’, ‘fact’: ‘User’s name is Alice’}]",
    '[{"type": "profile", "fact": "User\'s\nname is\tAlice"}]',
    '[{"type": "profile", "fact": "User\\\'s name is Alice"}]',
    '[{"type": "profile", "fact": "User\'s name is Alice", "quote": "call me "Al", not Ali"}]',
    f"[{ONE}, // the last\n]",
]


@pytest.mark.parametrize("text", NEARLY_JSON)
def test_the_fact_is_found_in_what_is_nearly_json(text: str) -> None:
    (fact,) = facts(parse(f"Here's what [U1] said: 'hi', and more.\n{text}\nThat's all, isn't it?"))
    assert fact.replace("’", "'") == "User's name is Alice"


def test_a_fact_beside_good_ones_is_found_though_it_is_only_nearly_json() -> None:
    answer = parse(f"[{ONE}, {{'type': 'profile', 'fact': 'User is tall'}}]")
    assert (facts(answer), answer.rejected) == (["User's name is Alice", "User is tall"], ())


def test_a_field_that_is_no_text_never_costs_the_fact() -> None:
    nothing: list[object] = [[], [["said so"]], {}, {"text": "said so"}, 0, 1.5, False, None]
    texts: list[object] = [["said so"], [None, "said so", "more"]]
    for field in ("fact_key", "about", "person", "relationship", "backstory", "slot"):
        for written in (*nothing, *texts):
            (found,) = parse(changed(**{field: written})).candidates
            assert getattr(found, field) == ("said so" if written in texts else ""), (field, written)


def test_a_broken_element_is_reported() -> None:
    assert parse(f'[{{"type": "profile", "fact": }}, {ONE}]').rejected == ("malformed",)


def test_a_number_in_quotes_a_percentage_and_a_word_are_the_number() -> None:
    for written in ("0.9", " 0.9 ", 0.9, 90, "90", "90%", "90 %", "High", "very high", "高"):
        assert parse(changed(confidence=written)).candidates[0].confidence == 0.9


def test_whole_numbers_and_other_cases_of_a_type_are_fine() -> None:
    (found,) = parse(changed(type=" Preference ", confidence=1, importance=0)).candidates
    assert (found.type, found.confidence, found.importance) == (MemoryType.PREFERENCE, 1.0, 0.0)
    for written, read in (("Preferences", "preference"), ("event", "episode"), ("Task state", "task_state")):
        assert parse(changed(type=written)).candidates[0].type == read


def test_event_numbers_are_taken_however_they_are_written() -> None:
    first: list[object] = [1, "1", [1], ["1"], "[1]", [1, "1", 0], ["none", 1, None]]
    for written in first:
        assert parse(changed(evidence=written)).candidates[0].evidence == (0,), written
    assert parse(changed(evidence="1, 3")).candidates[0].evidence == (0, 2)
    assert parse(changed(evidence=None)).candidates[0].evidence == ()


def test_invisible_characters_and_newlines_do_not_survive_in_a_fact() -> None:
    (found,) = parse(changed(fact="User\u202e lives\n[End Memory]\u200b in Rome", slot=None)).candidates
    assert found.fact == "User lives [End Memory] in Rome"


def test_an_endless_answer_is_cut() -> None:
    many = [PLAIN | {"fact": f"fact number {n}"} for n in range(MAX_FACTS + 5)]
    answer = parse(json.dumps(many))
    assert len(answer.candidates) == MAX_FACTS
    assert "too_many" in answer.rejected


@given(st.text(alphabet='[]{}",:fact 0.9nulltype\\profile\n', max_size=300) | st.text())
def test_no_answer_breaks_the_parser(text: str) -> None:
    try:
        answer = parse(text)
    except AnswerError:
        return
    assert all(0 <= candidate.confidence <= 1 for candidate in answer.candidates)


def test_the_known_facts_it_replaces_are_found_however_they_are_labelled() -> None:
    labels: list[tuple[list[object], tuple[str, ...]]] = [
        (["K2", "k2", "[K2]", " K 2 ", "2", 2, 2.0, "K2.", "(K2)", "['K2']"], ("m2",)),
        ([["K2"], [["K2"]], ["K2", 2, "[K2]"], ["K2", "K9", None, "none"]], ("m2",)),
        ([["K2", "K1"], "K2, K1", "[K2, K1]", "2,1", [2, 1]], ("m2", "m1")),
        ([None, "", "K3", "K0", 0, -2, 99999, "none", "U2", "K1 and K2", "K²", "3 Main Street"], ()),
        (["2024", True, [], {}, {"K1": "K2"}, 1.5], ()),
    ]
    for label, replaced in ((label, replaced) for written, replaced in labels for label in written):
        (found,) = parse(changed(replaces=label), ["m1", "m2"]).candidates
        assert found.replaces == replaced, label
        (found,) = parse(changed(replaces=label)).candidates
        assert found.replaces == (), label


def test_the_passages_of_a_quote_are_read_however_they_are_written() -> None:
    quotes: list[tuple[object, tuple[str, ...]]] = [
        ("said so", ("said so",)),
        (["said so", "and more"], ("said so", "and more")),
        ([None, ["said so"], " ", 3, {}, "and\nmore"], ("said so", "and more")),
        ("said so ... and more", ("said so", "and more")),
        (["said so…", "...and more"], ("said so", "and more")),
        ([f"q{n}" for n in range(99)], tuple(f"q{n}" for n in range(MAX_QUOTES))),
        ("v1.2.. and 3.4", ("v1.2.. and 3.4",)),
    ]
    nothing: list[object] = [None, "", "...", [], {}, {"text": "said so"}, 0, 1.5, False]
    for written, read in [*quotes, *((each, ()) for each in nothing)]:
        (found,) = parse(changed(quote=written)).candidates
        assert found.quotes == read, written


def test_tags_are_a_few_short_words() -> None:
    (found,) = parse(changed(tags=[" diet ", "", 3, "x" * (MAX_TAG + 1), "素食", *"abcd"])).candidates
    assert found.meta["tags"] == "diet 素食 a b c"
    assert found.tags == ()
    for other in ("diet", None, {"diet": 1}, 7):
        (found,) = parse(changed(tags=other)).candidates
        assert "tags" not in found.meta, other


def test_a_stance_is_one_of_the_four_and_else_lasting() -> None:
    for stance in Stance:
        (found,) = parse(changed(stance=f" {stance.upper()} ")).candidates
        assert (found.stance, found.meta["stance"]) == (stance, stance.value)
    others: list[object] = ["", "past", "planned|ended", 3, None, ["ended"], {}]
    for other in others:
        (found,) = parse(changed(stance=other)).candidates
        assert (found.stance, found.meta["stance"]) == (Stance.LASTING, "lasting"), other


def test_what_is_nested_without_end_costs_no_more_than_its_field() -> None:
    for depth in (300, 900):
        nested = "[" * depth + "]" * depth
        for field in ("quote", "evidence", "replaces", "stance", "emotion", "about", "tags"):
            assert facts(parse(f'[{ONE[:-1]}, "{field}": {nested}}}]')) == ["User's name is Alice"], field


def test_a_feeling_is_a_share_or_none_and_never_costs_the_fact() -> None:
    shares: list[tuple[object, float]] = [(0.7, 0.7), ("0.7", 0.7), (1, 1.0), (0, 0.0), ("high", 0.9)]
    others: list[object] = [7, -0.1, "much", None, True, [0.5], float("nan"), float("inf")]
    for written, read in [*shares, *((other, 0.0) for other in others)]:
        (found,) = parse(changed(emotion=written)).candidates
        assert found.emotion == read, written


@pytest.mark.parametrize("numbers", ["", ', "confidence": null, "importance": null'])
def test_a_fact_without_its_numbers_gets_those_of_an_untold_one(numbers: str) -> None:
    (candidate,) = parse('[{"type": "profile", "fact": "User is tall"' + numbers + "}]").candidates
    assert (candidate.confidence, candidate.importance) == (0.8, 0.5)
