"""Takes the pictures of the page anew, on the real host with a scripted memory: `make screenshots`."""

import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from PIL import Image

from demo.stand_in import take_the_part
from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.settings import OFFLINE, HostSettings
from tests.page.browser import Opened, chromium, opened

FOLDER = Path(__file__).resolve().parent.parent / "docs"
COLOURS = 160
"""Of each picture: few enough for a small file, enough for the charts."""
HEIGHT = 860
OVERVIEW = 1480
"""As high as shows its charts."""
_DAYS = 13

ALICE, BOB, LIN = Person("alice", "Alice"), Person("bob", "Bob"), Person("lin", "小林")
_CONFIG: Mapping[str, Any] = {
    "write_policy": {"mode": "auto"},
    "extraction": {"batch_turns": 1, "idle_seconds": 1},
}
_USED: tuple[tuple[Person, str, str | None], ...] = (
    (ALICE, "My name is Alice and I'm allergic to peanuts", None),
    (ALICE, "I live in Lyon", None),
    (ALICE, "I like green tea", None),
    (BOB, "My name is Bob", None),
    (BOB, "I live in Oslo", "cooks"),
    (LIN, "我叫小林", None),
    (LIN, "我对花生过敏", None),
    (LIN, "我喜欢爬山", None),
    (ALICE, "I moved. I live in Nice", None),
    (ALICE, "What should I cook tonight?", None),
    (BOB, "What is the weather like?", None),
    (LIN, "周末去哪里爬山好？", None),
)
_HELD: tuple[tuple[Person, str, str | None], ...] = (
    (ALICE, "I'm allergic to shellfish", None),
    (ALICE, "I love jazz", "cooks"),
    (BOB, "I'm allergic to cats", None),
    (LIN, "我喜欢听爵士乐", None),
)
_DATED = ("ltm_items", "ltm_events", "ltm_evidence", "ltm_recalls")


def main() -> None:
    """Make the memory, and take every picture."""
    FOLDER.mkdir(exist_ok=True)
    with ScriptedModel() as model, tempfile.TemporaryDirectory() as folder:
        take_the_part(model)
        settings = HostSettings(chat=model.endpoint, platforms=("plat_a",), overrides=OFFLINE)
        host = Host(Path(folder), settings, plugin_config=_CONFIG)
        with host.running():
            _say(host, _USED)
        _spread_over_days(host)
        with host.running():
            data(host.plugin.post("mode", json={"mode": "manual"}))
            _say(host, _HELD)
            _take_all(host)


def _say(host: Host, turns: tuple[tuple[Person, str, str | None], ...]) -> None:
    for person, text, group in turns:
        host.say(person, text, group=group)
        host.memories.wait_until_extracted()


def _spread_over_days(host: Host) -> None:
    """Let what was said in a minute have been said within two weeks, for the charts."""
    with closing(sqlite3.connect(host.database)) as connection, connection:
        span = "SELECT min(julianday(created_at)), max(julianday(created_at)) FROM ltm_events"
        first, last = connection.execute(span).fetchone()
        for table in _DATED:
            connection.execute(
                f"UPDATE {table} SET created_at ="  # noqa: S608  the names stand above
                " strftime('%Y-%m-%d %H:%M:%S', julianday(created_at) - ? * (? - julianday(created_at)) / ?)"
                " || '.000000'",
                (_DAYS, last, last - first),
            )


def _take_all(host: Host) -> None:
    used = host.memories.items(status="active")
    nice, climbing = (next(item for item in used if word in item["fact"]) for word in ("Nice", "爬山"))
    tried = "tryout?account=plat_a:alice&umo=plat_a:FriendMessage:alice&text=What should I cook tonight%3F"
    tried_zh = "tryout?account=plat_a:lin&umo=plat_a:FriendMessage:lin&text=周末去哪里爬山好？"
    with chromium() as browser:

        def take(
            name: str, place: str, *, language: str = "en-US", theme: str = "light", height: int = HEIGHT
        ) -> None:
            with opened(
                browser, host.dashboard, place=place, language=language, theme=theme, height=height
            ) as page:
                _picture(page, FOLDER / f"{name}.png")

        take("overview", "overview", height=OVERVIEW)
        take("memory", f"memories/{nice['memory_id']}")
        take("memory-zh", f"memories/{climbing['memory_id']}", language="zh-CN")
        take("try-out", tried)
        take("try-out-zh", tried_zh, language="zh-CN")
        take("memories-zh-dark", "memories", language="zh-CN", theme="dark")


def _picture(page: Opened, path: Path) -> None:
    page.settle()
    # The dashboard moves its parts into place when it has been drawn.
    page.tab.wait_for_timeout(1_000)
    page.tab.screenshot(path=path)
    with Image.open(path) as taken:
        small = taken.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    small.save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
