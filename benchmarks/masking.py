"""`python -m benchmarks.masking`: share of secrets that are masked, and false alarms in ordinary chat.

The secrets come from the tests: 300 sentences, half of them Chinese, each with an invented secret. A secret
is masked when no four characters of it are left, and exact when its kind is right and the rest of the
sentence is unchanged. A false alarm is a mark in ordinary chat. JSON files named as arguments add ordinary
chat. Times are CPU milliseconds of one call.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

from astrbot_plugin_ltm.long_term_memory.policies.secrets import mask

from tests.policies.secrets_list import LANGUAGES, ordinary, secrets


def main() -> int:
    """Measure, print a table, and write JSON where `--json` says."""
    parser = argparse.ArgumentParser(prog="benchmarks.masking", description=__doc__)
    parser.add_argument("texts", type=Path, nargs="*", help="JSON files whose texts are ordinary chat")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    parser.add_argument(
        "--show", action="store_true", help="print what was missed and what was a false alarm"
    )
    options = parser.parse_args()
    figures: dict[str, float] = {}
    for language in LANGUAGES:
        figures |= _recall(language, show=options.show)
        figures |= _alarms(language, ordinary(language), show=options.show)
    for path in options.texts:
        texts = sorted(set(_texts(json.loads(path.read_text("utf-8")))))
        figures |= _alarms(path.stem, texts, show=options.show)
    figures |= _times()
    for name, value in figures.items():
        print(f"{name:<32} {value:10.4g}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")
    return 0


def _recall(language: str, *, show: bool) -> Mapping[str, float]:
    wanted = secrets(language)
    missed = [sentence for sentence in wanted if sentence.leaks(mask(sentence.text))]
    if show:
        _show("missed", [sentence.text for sentence in missed])
    exact = sum(mask(sentence.text) == sentence.masked for sentence in wanted)
    return {
        f"{language}_secrets": float(len(wanted)),
        f"{language}_masked": 1 - len(missed) / len(wanted),
        f"{language}_exact": exact / len(wanted),
    }


def _alarms(name: str, texts: Sequence[str], *, show: bool) -> Mapping[str, float]:
    alarms = [text for text in texts if mask(text) != text]
    if show:
        _show("false alarm", [mask(text) for text in alarms])
    return {f"{name}_ordinary": float(len(texts)), f"{name}_false_alarms": len(alarms) / len(texts)}


def _show(what: str, texts: Sequence[str]) -> None:
    for text in texts:
        print(f"{what}: {text}")


def _times() -> Mapping[str, float]:
    chat = [text for language in LANGUAGES for text in ordinary(language)]
    longest = " ".join(chat)[:8_000]
    hostile = ("密码1234-" * 8_000)[:8_000]
    return {
        "median_ms": statistics.median(_milliseconds(text) for text in chat),
        "ms_of_8000_characters": min(_milliseconds(longest) for _ in range(5)),
        "ms_of_8000_hostile_characters": min(_milliseconds(hostile) for _ in range(5)),
    }


def _milliseconds(text: str) -> float:
    began = time.process_time()
    mask(text)
    return (time.process_time() - began) * 1000


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in cast("dict[str, object]", value).values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in cast("list[object]", value):
            yield from _texts(inner)


if __name__ == "__main__":
    sys.exit(main())
