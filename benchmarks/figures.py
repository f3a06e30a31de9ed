"""Output of figures as a table and as JSON."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast


def report(figures: Mapping[str, object], file: Path | None) -> None:
    """Print every number, and write all of it as JSON when there is a file to write it to."""
    for name, value in flat(figures):
        print(f"{name:<56}{value:>12.3f}")
    if file:
        file.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", "utf-8")


def flat(figures: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, float]]:
    """Every number under a name that says where it stands."""
    for name, value in figures.items():
        if isinstance(value, dict):
            yield from flat(cast("dict[str, object]", value), f"{prefix}{name} ")
        elif isinstance(value, int | float):
            yield f"{prefix}{name}", value
