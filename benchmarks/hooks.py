"""`python -m benchmarks.hooks`: time that the plugin's hooks add to a turn, on two real hosts in one run.

One host runs without the plugin, the other with its defaults, tools included, and mode `auto`, so that recall
has something to inject. People with memories send the same messages to both in turn, A B A B; a scripted
model answers at once. The figure is the difference of the medians in milliseconds, from the message's arrival
at the platform to the end of its processing.

`--without-tools` switches the tools off.
"""

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.settings import OFFLINE, HostSettings, merged
from tests.host.harness.waiting import wait_for

FACTS = (
    "My name is {name}",
    "I live in Oslo",
    "I'm allergic to peanuts",
    "I like green tea",
    "I work as a carpenter",
    "Remember that my bike is blue",
)
QUESTION = "What should I cook for dinner tonight, number {number}?"
PLUGIN = {"write_policy": {"mode": "auto"}}
NO_TOOLS = {"tools": {"memory": False, "session_search": False}}


def main() -> int:
    """Measure, print a table, and write JSON where `--json` says."""
    parser = argparse.ArgumentParser(prog="benchmarks.hooks", description=__doc__)
    parser.add_argument("--turns", type=int, default=100, help="turns on each host (100)")
    parser.add_argument("--without-tools", action="store_true", help="with the tools switched off")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    options = parser.parse_args()
    with ScriptedModel() as model, tempfile.TemporaryDirectory() as folder:
        without = _host(Path(folder) / "without", model, None)
        with_plugin = _host(
            Path(folder) / "with", model, {**PLUGIN, **NO_TOOLS} if options.without_tools else PLUGIN
        )
        with without.running(), with_plugin.running():
            figures = measure(without, with_plugin, options.turns)
    for name, value in figures.items():
        print(f"{name:<28}{value:>10.2f}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")
    return 0


def measure(without: Host, with_plugin: Host, turns: int) -> Mapping[str, float]:
    """The medians and 95th percentiles of both hosts, in milliseconds, and what the plugin adds."""
    person = Person("bench", "Bench")
    _teach(with_plugin, person)
    _teach(without, person, remembers=False)
    seconds: dict[Host, list[float]] = {without: [], with_plugin: []}
    for number in range(turns + 10):
        for host, taken in seconds.items():
            if number % 10 == 0:
                host.new_conversation(person)
            taken.append(host.turn(person, QUESTION.format(number=number)).seconds)
    plain, remembering = (_milliseconds(taken[10:]) for taken in seconds.values())
    return {
        "turns": float(turns),
        "without_median_ms": statistics.median(plain),
        "with_median_ms": statistics.median(remembering),
        "added_median_ms": statistics.median(remembering) - statistics.median(plain),
        "without_p95_ms": _p95(plain),
        "with_p95_ms": _p95(remembering),
    }


def _host(root: Path, model: ScriptedModel, plugin: Mapping[str, Any] | None) -> Host:
    settings = HostSettings(chat=model.endpoint, platforms=("plat_a",), overrides=merged(OFFLINE, {}))
    return Host(root, settings, plugin_config=plugin)


def _teach(host: Host, person: Person, *, remembers: bool = True) -> None:
    for fact in FACTS:
        host.say(person, fact.format(name=person.name))
    if remembers:
        wait_for(lambda: host.plugin.get("items").json()["total"] >= len(FACTS), timeout=30)


def _milliseconds(seconds: Sequence[float]) -> list[float]:
    return [value * 1000 for value in seconds]


def _p95(values: Sequence[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


if __name__ == "__main__":
    sys.exit(main())
