"""Writes the table of docs/settings.md anew, of _conf_schema.json: `make settings`."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "docs" / "settings.md"
HEAD = "| Setting | Default | Meaning |\n|---|---|---|\n"


def leaves(schema: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each setting by its path."""
    for name, entry in schema.items():
        if entry["type"] == "object":
            yield from leaves(entry["items"], f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", entry


def shown(entry: Mapping[str, Any]) -> str:
    """How the docs write a default."""
    default: object = entry["default"]
    if default in ("", []):
        return "none" if default == [] else "empty"
    return "all five types" if default == entry.get("options") else f"`{json.dumps(default).strip('"')}`"


def text() -> str:
    """The whole page, its table made anew."""
    before, _, table = FILE.read_text(encoding="utf-8").partition(HEAD)
    after = table[len(table.partition("\n\n")[0]) :] if "\n\n" in table else "\n"
    schema = json.loads((ROOT / "_conf_schema.json").read_text(encoding="utf-8"))
    rows = (
        f"| `{path}` | {shown(entry)} | {entry['description']}. {entry['hint']} |"
        for path, entry in leaves(schema)
    )
    return f"{before}{HEAD}{'\n'.join(rows)}{after}"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
