from dataclasses import replace
from datetime import timedelta

from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.words import MemoryType
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import MemoryReadPolicy
from astrbot_plugin_ltm.long_term_memory.read.diversify import (
    diversify,
    is_beside_the_point,
    is_open,
    is_overtaken,
)
from astrbot_plugin_ltm.long_term_memory.text_analysis.terms import index_terms

from tests.cpu_limit import cpu_limit

from .fakes import in_this_order, item

TASK = MemoryType.TASK_STATE


def left_out(fact: str, question: str, *, person: str = "", slot: str = "") -> bool:
    """Whether a question with these words goes without the fact."""
    memory = replace(item("m", fact), person=person, slot=slot)
    return is_beside_the_point(memory, frozenset(index_terms(question)))


def test_a_private_detail_is_left_out_of_what_does_not_ask_for_it() -> None:
    for fact in (
        "User's date of birth is July 2nd, 1991",
        "User was born on 1991-07-02",
        "用户的生日是七月二日",
        "User's passport number is 553120987",
        "User's phone number is 020 7946 0958-11, ext. 20794609",
        "User's e-mail address is ann@example.org",
        "User is a member of the library, card LIB-4471920",
        "User's salary is $88,000",
        "User pays 1,300 a month for the mortgage",
        "用户的月薪是两万3千",
    ):
        assert left_out(fact, "Recommend a film for tonight"), fact
        assert left_out(fact, ""), fact
    for question in (
        "Write an essay on the bill of rights",
        "Bill called, what did he want?",
        "送她什么花好",
    ):
        assert left_out("User's salary is $88,000", question), question


def test_dates_and_amounts_are_no_private_numbers_and_what_is_planned_is_no_detail() -> None:
    for fact in (
        "User今早（2026年11月26日）去看了医生,12月7日之前别碰酒",
        "12月5号交4050×3=12150元",
        "User's trip is from 2026-11-26 to 2026-12-01",
        "User has run 10000米",
    ):
        assert not left_out(fact, "Recommend a film for tonight"), fact
    plan = item("m", "新公司月薪28k,11月30日入职", TASK)
    assert not is_beside_the_point(plan, frozenset())


def test_a_private_detail_goes_along_with_what_asks_for_it() -> None:
    for fact, question in (
        ("User's date of birth is July 2nd, 1991", "When was I born?"),
        ("User's date of birth is July 2nd, 1991", "What is my birthday?"),
        ("用户的生日是七月二日", "我哪天出生"),
        ("User's salary is $88,000", "What do I have to pay this month?"),
        ("用户店里小谭的工资从11月起4500", "算个账，到年底还要往外掏哪些钱"),
        ("User's passport number is 553120987", "What is the number of my passport?"),
        ("User's e-mail address is ann@example.org", "Which address do I use for mail?"),
        ("User's salary is $88,000", "How much do I earn?"),
        ("用户的月薪是两万3千", "我的工资是多少"),
    ):
        assert not left_out(fact, question), fact


def test_the_name_of_a_person_alone_does_not_ask_for_their_details() -> None:
    fact = "Mia Berg, User's niece, was born May 9, 2012"
    assert left_out(fact, "What could I cook for Mia?", person="Mia Berg")
    assert not left_out(fact, "How old is Mia?", person="Mia Berg")
    assert not left_out(fact, "Who is my niece?", person="Mia Berg")


def test_the_slot_asks_for_a_detail_in_both_languages() -> None:
    assert not left_out("User's phone number is 02079460958", "我的手机号码是多少", slot="phone_number")
    assert left_out("User's phone number is 02079460958", "今晚看什么电影", slot="phone_number")


def test_what_holds_no_detail_is_never_left_out_nor_anything_from_a_question_for_everything() -> None:
    for fact in (
        "User likes tea",
        "User lives in Bern since 2019",
        "User owes Tom a coffee",
        "User ran 10,000 m",
    ):
        assert not left_out(fact, "Recommend a film"), fact
    assert not is_beside_the_point(item("m", "User's salary is $88,000"), None)


def test_a_hostile_fact_costs_little() -> None:
    with cpu_limit():
        for unit in ("1", "1a", "1111aaaaaa ", "loan ", "a@", "-"):
            left_out((unit * 80_000)[:80_000] + "1", "loan")


def state(memory_id: str, fact: str, *, days_old: float, kind: MemoryType = TASK) -> Item:
    memory = item(memory_id, fact, kind)
    return replace(memory, last_confirmed_at=memory.last_confirmed_at - timedelta(days=days_old))


OPEN = state("open", "User might fly to Lisbon for the spring fair", days_old=9)
BOOKED = state("booked", "User booked the flight to Lisbon for the spring fair, on May 4", days_old=1)


def test_a_plan_is_overtaken_by_what_came_of_it_later() -> None:
    assert is_overtaken(OPEN, [OPEN, BOOKED])
    came = state("zh", "用户订好了五月去里斯本看展的机票", days_old=1)
    assert is_overtaken(state("plan", "用户打算五月去里斯本看展", days_old=9), [came])


def test_a_plan_stays_while_nothing_came_of_it() -> None:
    for other in (
        state("earlier", BOOKED.fact, days_old=20),
        state("still open", "User wants to see Lisbon at the spring fair", days_old=1),
        state("else", "User booked a table for the evening", days_old=1),
        state("liking", "User likes Lisbon and the spring fair", days_old=1, kind=MemoryType.PREFERENCE),
        replace(BOOKED, person="Tom"),
    ):
        assert not is_overtaken(OPEN, [OPEN, other]), other.memory_id


def test_an_amount_that_is_open_is_not_settled_by_a_later_memory_without_it() -> None:
    owed = state("owed", "User owes Priya 120 for the hotel in Chicago and will pay it", days_old=9)
    along = state("along", "User goes along to Chicago, to cheer for Priya at the hotel", days_old=1)
    assert is_open(owed)
    assert not is_overtaken(owed, [along])
    assert is_overtaken(owed, [replace(along, fact="User paid Priya the 120 for the hotel in Chicago")])
    plan = replace(owed, fact="User plans to see Lisbon with 2 friends next week (week of 2025-06-09)")
    assert is_overtaken(plan, [replace(along, fact="User has seen Lisbon with the friends")])


def test_open_is_a_plan_or_a_need_of_a_task() -> None:
    assert is_open(OPEN)
    assert is_open(state("zh", "用户打算五月去里斯本看展", days_old=9))
    assert not is_open(BOOKED)
    assert not is_open(replace(OPEN, type=MemoryType.PREFERENCE))


def test_both_are_told_by_their_rules() -> None:
    number = item("number", "User's passport number is 553120987")
    ranking = in_this_order([number, OPEN, BOOKED])
    rules = {
        ranking.visible.items[row].memory_id: rule for row, rule in diversify(ranking, MemoryReadPolicy())
    }
    assert rules == {"number": "private", "open": "earlier_state", "booked": ""}
