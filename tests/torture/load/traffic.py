"""Ordinary use of a host: talk, tools, commands, the dashboard, and files that come and go."""

import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person

from .crowd import GROUPS, PEOPLE, PLATFORM, Words
from .trend import Point

ADMIN = Person("admin", "Admin")
_LISTS = ("items", "events", "stats", "people", "review", "audit", "recalls", "jobs", "health", "imports")
_COMMANDS = ("/ltm list", "/ltm search {}", "/ltm status", "/ltm add my {} is lost", "/ltm help")
_SHARES: Mapping[str, int] = {
    "private": 40,
    "group": 20,
    "overheard": 10,
    "tool": 10,
    "command": 6,
    "page": 6,
    "recall": 6,
    "new": 2,
}


@dataclass
class Traffic:
    """What goes to one host. Used by several threads at once."""

    host: Host
    chance: random.Random
    remembers: bool
    """Whether the plugin is there; without it as much is said, and the host's own pages are looked at."""
    began: float = field(default_factory=time.monotonic)
    taken: dict[str, list[Point]] = field(default_factory=dict[str, list[Point]])
    """By kind, how many milliseconds each took."""
    wrong: Counter[str] = field(default_factory=Counter[str])

    def act(self) -> None:
        """Do one thing, chosen by chance."""
        [kind] = self.chance.choices(list(_SHARES), list(_SHARES.values()))
        self.do(kind)

    def do(self, kind: str) -> None:
        """Do a thing of this kind; what goes wrong is counted."""
        began = time.perf_counter()
        try:
            milliseconds = self._kinds[kind]()
        except Exception as error:  # noqa: BLE001  whatever it was, it is told at the end
            self.wrong[f"{kind}: {type(error).__name__}: {error}"[:300]] += 1
            return
        if milliseconds is None:
            milliseconds = (time.perf_counter() - began) * 1000
        self.taken.setdefault(kind, []).append(Point(time.monotonic() - self.began, milliseconds))

    def later(self, kind: str, seconds: float) -> list[Point]:
        """How long things of this kind took that were done after so many seconds, in order."""
        return sorted(
            (each for each in self.taken.get(kind, ()) if each.at >= seconds), key=lambda each: each.at
        )

    def median(self, kind: str, seconds: float) -> float:
        """The median of these."""
        return statistics.median(each.value for each in self.later(kind, seconds))

    def first_round(self) -> None:
        """Everybody searches what was said once."""
        for person in PEOPLE:
            self._turn(person, "Search our talk for supper")
        for group in GROUPS:
            self._turn(PEOPLE[0], "Search our talk for supper", group)

    @property
    def _kinds(self) -> Mapping[str, Callable[[], float | None]]:
        return {
            "private": lambda: self._turn(self._person, self._words),
            "group": lambda: self._turn(self._person, self._words, self._group),
            "overheard": self._overheard,
            "tool": lambda: self._turn(self._person, self._talk.for_a_tool()),
            "command": self._command,
            "page": self._page,
            "recall": self._recall,
            "new": lambda: self._turn(self._person, "/new"),
            "export": self._export,
            "snapshot": self._snapshot,
        }

    def _turn(self, person: Person, text: str, group: str | None = None) -> float:
        return self.host.turn(person, text, group=group, platform=PLATFORM, timeout=60).seconds * 1000

    def _overheard(self) -> float:
        id_ = self.host.send(
            self._person, self._talk.telling(), group=self._group, platform=PLATFORM, addressed=False
        )
        return self.host.wait_for_turn(id_, 60).seconds * 1000

    def _command(self) -> float:
        command = self.chance.choice(_COMMANDS) if self.remembers else "/dice"
        person = ADMIN if "status" in command else self._person
        return self._turn(person, command.format(self._talk.some(1)))

    def _page(self) -> None:
        if self.remembers:
            sizes = {"page_size": 50, "page": self.chance.choice((1, 2))}
            route = self.chance.choice(_LISTS)
            self._good("GET", route, params=None if route == "health" else sizes)
        else:
            data(self.host.dashboard.get("plugins"))

    def _recall(self) -> None:
        if self.remembers:
            person = self._person
            asked = {
                "account": f"{PLATFORM}:{person.id}",
                "umo": self.host.session_of(person, platform=PLATFORM),
                "text": self._talk.question(),
            }
            self._good("POST", "recall/try", json=asked)

    def _export(self) -> None:
        """Take one person's memories out, and bring them in again, which changes nothing."""
        if self.remembers:
            scope = {"scope": "user", "scope_id": f"{PLATFORM}:{self._person.id}"}
            content = self._good("GET", "export", params=scope)
            for route in ("import/check", "import"):
                files = {"file": ("export.json", content, "application/json")}
                self._good("POST", route, files=files)

    def _snapshot(self) -> None:
        if self.remembers:
            self._good("POST", "snapshots/create", json={})

    def _good(self, method: str, path: str, **options: object) -> bytes:
        answer = self.host.plugin.request(method, path, **options)
        if answer.status_code != 200:
            raise RuntimeError(f"{method} {path} gave {answer.status_code}: {answer.text[:200]}")
        return answer.content

    @property
    def _person(self) -> Person:
        return self.chance.choice(PEOPLE)

    @property
    def _group(self) -> str:
        return self.chance.choice(GROUPS)

    @property
    def _talk(self) -> Words:
        return Words(self.chance)

    @property
    def _words(self) -> str:
        return self.chance.choice((self._talk.telling, self._talk.chatter, self._talk.question))()
