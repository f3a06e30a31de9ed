"""Several people who talk at once, in every way there is, and an operator with the dashboard open."""

import itertools
import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.host.harness.answers import Answerable, CallTool, Hang, Say
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.recorded import RecordedRequest
from tests.host.harness.scripted_model import ScriptedModel

PLANT = re.compile(r"plant\w+")
POT = re.compile(r"There is a(?:nother)? pot of plant\w+ on my balcony")
PATIENCE = 90.0
"""Seconds after which a turn will never end."""
PAGES = (
    "health",
    "items?page_size=50",
    "recalls",
    "jobs",
    "stats/overview",
    "policy",
    "review",
    "export",
    "events",
    "audit",
)


@dataclass(frozen=True, kw_only=True)
class Held:
    """One turn."""

    message_id: str
    person: Person
    said: str
    answer: str
    began: float
    ended: float
    way: str

    def is_within(self, spans: Sequence[tuple[float, float]]) -> bool:
        """Whether any of these spans has a part of it."""
        return any(self.began < end and begin < self.ended for begin, end in spans)


@dataclass
class Crowd:
    """Everything they said and heard."""

    host: Host
    name: str
    turns: list[Held] = field(default_factory=list[Held])
    statuses: Counter[int] = field(default_factory=Counter[int])
    """What the dashboard answered."""
    broken: list[str] = field(default_factory=list[str])
    """What nobody should meet."""
    _over: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def talking(self, people: int) -> Generator[None]:
        """So many people talk, and one operator looks around, until the block ends."""
        who = [Person(f"{self.name}{number}", f"Person {number}") for number in range(people)]
        threads = [threading.Thread(target=self._guarded, args=(self._talk, person)) for person in who]
        threads.append(threading.Thread(target=self._guarded, args=(self._look_around,)))
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._over.set()
            for thread in threads:
                thread.join(2 * PATIENCE)

    def _guarded(self, work: Callable[..., None], *arguments: object) -> None:
        try:
            work(*arguments)
        except Exception as error:  # noqa: BLE001  it must be seen in the test, not in a thread
            self.broken.append(f"{work.__name__}: {type(error).__name__}: {error}")

    def _talk(self, person: Person) -> None:
        for number, way in enumerate(itertools.cycle(WAYS)):
            if self._over.is_set():
                return
            text, streaming = WAYS[way](f"plant{person.id}x{number}")
            began = time.monotonic()
            turn = self.host.turn(person, text, streaming=streaming, timeout=PATIENCE)
            held = Held(
                message_id=turn.message_id,
                person=person,
                said=text,
                answer=turn.text,
                began=began,
                ended=time.monotonic(),
                way=way,
            )
            self.turns.append(held)

    def _look_around(self) -> None:
        for page in itertools.cycle(PAGES):
            if self._over.is_set():
                return
            response = self.host.plugin.get(page)
            self.statuses[response.status_code] += 1
            if response.status_code not in {200, 503}:
                self.broken.append(f"{page}: {response.status_code} {response.text[:200]}")
            self._over.wait(0.02)


WAYS: Mapping[str, Callable[[str], tuple[str, bool]]] = {
    "plain": lambda plant: (f"There is a pot of {plant} on my balcony", False),
    "streamed": lambda plant: (f"There is another pot of {plant} on my balcony", True),
    "with a tool": lambda plant: (f"What is the weather for my {plant}?", False),
    "with memory": lambda plant: (f"Search your memory for {plant}", True),
    "command": lambda _: ("/ltm list", False),
}


def answer_them(model: ScriptedModel) -> None:
    """Have the model answer people, call tools, and take its time to find facts."""
    model.chat.always(_reply)
    model.extraction.always(lambda request: Hang(0.1, Say(json.dumps(facts(request)))))
    model.embeddings.always(Hang(0.05, Say("vectors")))


def facts(request: RecordedRequest) -> list[dict[str, object]]:
    """What a model would find in the conversation, each fact once, and nothing in the bot's echo of it.

    The messages before the conversation only tell what it is about.
    """
    conversation = request.prompt.partition("<<<conversation>>>")[2]
    quotes = set(re.findall(f"(?<!You said: ){POT.pattern}", conversation))
    return [
        {
            "type": "profile",
            "fact": f"User grows {PLANT.findall(quote)[0]}",
            "fact_key": f"balcony_{PLANT.findall(quote)[0]}",
            "confidence": 0.9,
            "importance": 0.7,
            "quote": quote,
        }
        for quote in sorted(quotes)
    ]


def _reply(request: RecordedRequest) -> Answerable:
    asked, done = request.user, request.messages[-1]["role"] == "tool"
    if not done and "the weather" in asked:
        return CallTool("test_weather", {"city": "Oslo"})
    if not done and "your memory" in asked and "memory_search" in request.tools:
        return CallTool("memory_search", {"query": "plants"})
    return Say(f"You said: {asked}")
