"""Writes anew what repeats the English of _conf_schema.json: `make settings`."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = json.loads((ROOT / "_conf_schema.json").read_text(encoding="utf-8"))
DOCS = ROOT / "docs" / "settings.md"
I18N = ROOT / ".astrbot-plugin" / "i18n" / "en-US.json"
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


def docs() -> str:
    """The manual's page of the settings, its table made anew."""
    before, _, table = DOCS.read_text(encoding="utf-8").partition(HEAD)
    after = table[len(table.partition("\n\n")[0]) :] if "\n\n" in table else "\n"
    rows = (
        f"| `{path}` | {shown(entry)} | {entry['description']}. {entry['hint']} |"
        for path, entry in leaves(SCHEMA)
    )
    return f"{before}{HEAD}{'\n'.join(rows)}{after}"


def texts(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The texts of the settings in the form that the page gets of the host."""
    return {
        name: {
            **{word: entry[word] for word in ("description", "hint", "labels") if word in entry},
            **texts(entry.get("items", {})),
        }
        for name, entry in schema.items()
    }


def i18n() -> str:
    """The English texts of the plugin, those of the settings made anew."""
    known = json.loads(I18N.read_text(encoding="utf-8"))
    return json.dumps({**known, "config": texts(SCHEMA)}, ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    DOCS.write_text(docs(), encoding="utf-8")
    I18N.write_text(i18n(), encoding="utf-8")
