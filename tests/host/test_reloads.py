"""Reloaded, replaced and ended while people talk: the bot answers, nothing is lost, nothing is left over."""

import re
import signal
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from tests.host.harness.host import Host
from tests.host.harness.people import Belongings, Person
from tests.host.harness.plugin_files import PLUGIN, zip_plugin
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.settings import merged
from tests.host.harness.tables import Tables
from tests.host.harness.waiting import wait_for
from tests.hosts import DIMENSION, EAGER, HostMaker
from tests.torture.form import either, tell
from tests.torture.lifecycle.crowd import PLANT, POT, Crowd, Held, answer_them
from tests.torture.lifecycle.growth import grown
from tests.torture.lifecycle.kept import Rows, amiss, cut, during
from tests.torture.lifecycle.leaky import leaks, leaky_plugin

pytestmark = pytest.mark.torture

RELOADS = either(6, 50)
PEOPLE = either(3, 8)
SETTLED = 120.0
"""Seconds after which what is not done never will be."""
ENDED = 30.0
"""Seconds after which what is left over is left for good."""
PENDING = "select count(*) from ltm_events where extraction = 'pending'"
WITHOUT_VECTOR = """
    select count(*) from ltm_items
    where status = 'active' and memory_id not in (select memory_id from ltm_vectors)
"""
TROUBLE = re.compile(
    r"^.*(?:never awaited|was destroyed but|never retrieved|Memory failed in|lost for good|do not end"
    r"|did not terminate cleanly|internal error|database is locked|The background job).*$",
    re.MULTILINE,
)
"""What the host's log must not hold, whatever is under way at a reload."""
LEAST = 0.2
"""The least share of the messages under way during a reload that is recorded; it has been 0.45 and more."""
A_RECORD = re.compile(r"^(?=(?:\x1b\[\d*m)*\[\d\d:\d\d:\d\d)", re.MULTILINE)
"""Where a record of the host's log begins."""


@pytest.fixture(scope="module")
def host(make_host: HostMaker) -> Iterator[Host]:
    """On which one person may tell more in an hour than else in a year."""
    plenty = {"max_writes_per_session": 10_000, "max_items_per_scope": 10_000}
    with make_host(
        plugin_config=merged(EAGER, {"write_policy": plenty}), dimension=DIMENSION
    ).running() as running:
        yield running


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The zip as it is released."""
    return zip_plugin(tmp_path_factory.mktemp("zip") / f"{PLUGIN}.zip")


def reload(host: Host, _: Path) -> None:
    host.plugin.reload()


def switch_off_and_on(host: Host, _: Path) -> None:
    host.plugin.disable()
    host.plugin.enable()


def save_the_settings(host: Host, _: Path) -> None:
    host.plugin.save_config(host.plugin.config())


def remove_and_install(host: Host, archive: Path) -> None:
    host.plugin.uninstall()
    host.plugin.install(archive)


def install_over(host: Host, archive: Path) -> None:
    host.plugin.install(archive)


type Interruption = Callable[[Host, Path], None]

INTERRUPTIONS: tuple[Interruption, ...] = (
    reload,
    switch_off_and_on,
    reload,
    save_the_settings,
    remove_and_install,
    install_over,
)


def test_people_who_talk_meanwhile_are_answered_remembered_once_and_nothing_is_left_over(
    host: Host, model: ScriptedModel, archive: Path
) -> None:
    answer_them(model)
    with (warm := Crowd(host, "warm")).talking(PEOPLE):
        wait_for(lambda: len(warm.turns) >= 5 * PEOPLE, SETTLED)
        reload(host, archive)
    settle(host)
    before = host.belongings()
    log = len(host.log())

    crowd, gaps = Crowd(host, "ann"), list[tuple[float, float]]()
    with crowd.talking(PEOPLE):
        for number in range(RELOADS):
            heard = len(crowd.turns)
            wait_for(lambda heard=heard: crowd.broken or len(crowd.turns) >= heard + 2 * PEOPLE, SETTLED)
            began = time.monotonic()
            INTERRUPTIONS[number % len(INTERRUPTIONS)](host, archive)
            gaps.append((began, time.monotonic()))
    assert crowd.broken == []
    settle(host)

    unanswered = [turn for turn in crowd.turns if not answered(turn, gaps)]
    rows, meanwhile = recorded(host), during(crowd.turns, gaps)
    may_be_missing = cut(meanwhile, model.chat_requests, gaps)
    remembered = [turn for turn in meanwhile if turn.message_id in rows]
    growth = growth_since(before, host)
    told(crowd, gaps)
    tell("messages under way during a reload", f"{len(meanwhile)}, of which {len(remembered)} are recorded")
    tell("messages answered during a reload, which may be missing", len(may_be_missing))
    tell("messages unanswered", len(unanswered))
    tell("what was left over", dict(growth) or "nothing")

    assert unanswered == []
    assert amiss(rows, crowd.turns, may_be_missing) == {}
    assert len(remembered) >= LEAST * len(meanwhile)
    assert learnt_amiss(host) == {}
    assert Tables(host.database).faults() == []
    assert troubles(host.log()[log:]) == []
    assert growth == {}


def test_each_thing_that_a_plugin_could_leave_behind_is_counted_one_by_one(
    host: Host, tmp_path: Path, archive: Path
) -> None:
    host.plugin.install(leaky_plugin(tmp_path))
    try:
        settle(host)
        before = {**host.belongings()}
        before.pop("classes")  # what is left holds on to its classes, too
        for times in (1, 2):
            host.plugin.reload()
            settle(host)
            due = dict.fromkeys(leaks(host.database), times)
            assert growth_since(before, host, due) == due
    finally:
        host.plugin.install(archive)


def growth_since(before: Belongings, host: Host, due: Mapping[str, int] | None = None) -> Mapping[str, int]:
    """What there is more of, once it is what is due or stays what it is for long."""
    growth: Mapping[str, int] = {}

    def is_due() -> bool:
        nonlocal growth
        growth = grown(before, host.belongings())
        return growth == (due or {})

    with suppress(TimeoutError):
        wait_for(is_due, ENDED, every=0.5)
    return growth


def settle(host: Host) -> None:
    """Wait until nothing is left to do."""
    rows = Tables(host.database).rows
    wait_for(lambda: rows(PENDING) == rows(WITHOUT_VECTOR) == [(0,)], SETTLED)


def answered(turn: Held, gaps: list[tuple[float, float]]) -> bool:
    """Whether the bot said what it was to say; to a command that nobody knows at the moment, anything."""
    if turn.way == "command":
        return bool(turn.answer) and (turn.is_within(gaps) or not turn.answer.startswith("You said"))
    return turn.answer.endswith(f"You said: {turn.said}")


def recorded(host: Host) -> Rows:
    """All that is recorded, without what tools answered."""
    query = """
        select message_id, source_role, content ->> 'text' from ltm_events
        where source_role <> 'tool' order by source_role, content ->> 'text'
    """
    rows = defaultdict[str, list[tuple[str, str]]](list)
    for message_id, role, text in Tables(host.database).rows(query):
        rows[message_id].append((role, text))
    return dict(rows)


def learnt_amiss(host: Host) -> Mapping[str, int]:
    """The facts that were not learnt from what is recorded as they should, each once."""
    said = {text for held in recorded(host).values() for role, text in held if role == "user"}
    learnt = Counter(Tables(host.database).rows("select fact, status, evidence_count from ltm_items"))
    due = Counter(
        (f"User grows {PLANT.findall(text)[0]}", "active", 1) for text in said if POT.fullmatch(text)
    )
    return {str(fact): number for fact, number in ((due - learnt) + (learnt - due)).items()}


def troubles(log: str) -> list[str]:
    """What tells of something wrong: whoever says it, or an error of the plugin's or about it."""
    errors = (record for record in A_RECORD.split(log) if "[ERRO]" in record or "Traceback" in record)
    return [*TROUBLE.findall(log), *(record for record in errors if PLUGIN in record)]


def told(crowd: Crowd, gaps: list[tuple[float, float]]) -> None:
    within = sum(turn.is_within(gaps) for turn in crowd.turns)
    tell("reloads under traffic", len(gaps))
    tell("turns held meanwhile", f"{len(crowd.turns)}, of which {within} were under way during a reload")
    tell("the dashboard answered meanwhile", dict(crowd.statuses))
    tell("longest reload", f"{max(end - begin for begin, end in gaps):.1f} s")


def by_signal(number: signal.Signals) -> Callable[[Host], None]:
    return lambda host: host.kill(number)


ENDS: Mapping[str, Callable[[Host], None]] = {
    "SIGTERM": by_signal(signal.SIGTERM),
    "SIGINT": lambda host: host.stop(),
    "exit": lambda host: host.exit(),
}


@pytest.mark.parametrize("way", either(["SIGTERM"], [*ENDS]))
def test_a_host_that_ends_while_people_talk_loses_nothing_and_learns_nothing_twice(
    host: Host, model: ScriptedModel, newcomer: Callable[[str], Person], way: str
) -> None:
    answer_them(model)
    name = newcomer("bob").id
    crowd = Crowd(host, name)
    people = [Person(f"{name}x{number}") for number in range(12)]
    said = {
        host.send(person, f"There is a pot of plant{person.id} on my balcony"): person for person in people
    }
    wait_for(lambda: sum(sent.answers in said for sent in host.sent()) >= 4, SETTLED, every=0)
    heard = {
        f"There is a pot of plant{said[sent.answers].id} on my balcony"
        for sent in host.sent()
        if sent.answers in said
    }
    ENDS[way](host)
    assert Tables(host.database).faults() == []
    host.start()
    settle(host)

    assert Tables(host.database).faults() == []
    rows = Tables(host.database).rows("select content ->> 'text' from ltm_events where source_role = 'user'")
    kept = Counter(text for (text,) in rows if f"plant{name}x" in text)
    assert heard <= kept.keys()
    assert set(kept.values()) <= {1}
    assert learnt_amiss(host) == {}
    with crowd.talking(1):
        wait_for(lambda: crowd.broken or len(crowd.turns) >= 2, SETTLED)
    assert crowd.broken == []
