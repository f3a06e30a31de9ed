import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import pytest
import yaml
from astrbot_plugin_ltm.long_term_memory.messages import SUBCOMMANDS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SCHEMA: dict[str, Any] = json.loads((ROOT / "_conf_schema.json").read_text(encoding="utf-8"))
LOCALES = ("en-US", "zh-CN")
I18N: dict[str, dict[str, Any]] = {
    locale: json.loads((ROOT / ".astrbot-plugin" / "i18n" / f"{locale}.json").read_text(encoding="utf-8"))
    for locale in LOCALES
}
WORDS = {"description", "hint", "labels"}
HOST_TYPES = {"string", "int", "float", "bool", "list", "object"}
"""The types of the oldest host this plugin promises; `dict` makes it fail there."""


def entries(schema: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    for key, entry in schema.items():
        yield f"{prefix}{key}", entry
        yield from entries(entry.get("items", {}), f"{prefix}{key}.")


ENTRIES = dict(entries(SCHEMA))
LEAVES = {path: entry for path, entry in ENTRIES.items() if entry["type"] != "object"}


def translation(locale: str, path: str) -> dict[str, Any]:
    place: dict[str, Any] = I18N[locale]["config"]
    for key in path.split("."):
        place = place[key]
    return place


def keys(tree: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    for key, value in tree.items():
        yield f"{prefix}{key}"
        if isinstance(value, dict):
            yield from keys(cast("dict[str, Any]", value), f"{prefix}{key}.")


def leaves(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from leaves(cast("dict[str, Any]", value), f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading of the README."""
    section = README.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def shown(entry: Mapping[str, Any]) -> str:
    """How the README writes a default."""
    default: object = entry["default"]
    if default in ("", []):
        return "none" if default == [] else "empty"
    return "all five kinds" if default == entry.get("options") else f"`{json.dumps(default).strip('"')}`"


@pytest.mark.parametrize("path", ENTRIES)
def test_every_setting_says_what_it_is_and_what_it_takes(path: str) -> None:
    entry = ENTRIES[path]
    assert entry["type"] in HOST_TYPES
    assert entry["description"]
    assert entry["hint"]
    assert ("default" in entry) == (entry["type"] != "object")


@pytest.mark.parametrize("path", [path for path, entry in LEAVES.items() if "options" in entry])
def test_every_option_has_a_label_and_the_default_is_among_them(path: str) -> None:
    entry = LEAVES[path]
    assert len(entry["options"]) == len(entry["labels"]) == len(translation("zh-CN", path)["labels"])
    chosen = entry["default"] if entry["type"] == "list" else [entry["default"]]
    assert set(chosen) <= set(entry["options"])


def test_there_are_fewer_settings_than_anybody_would_give_up_on() -> None:
    assert len(LEAVES) < 50


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("path", ENTRIES)
def test_every_setting_is_explained_in_each_language(locale: str, path: str) -> None:
    words = translation(locale, path)
    assert words["description"]
    assert words["hint"]


def test_the_form_reads_the_same_with_and_without_the_english_translation() -> None:
    for path, entry in ENTRIES.items():
        words = translation("en-US", path)
        assert [words.get(name) for name in ("description", "hint", "labels")] == [
            entry.get(name) for name in ("description", "hint", "labels")
        ]


def test_both_languages_have_the_same_keys_and_none_without_a_setting() -> None:
    assert list(keys(I18N["en-US"])) == list(keys(I18N["zh-CN"]))
    named = {path for path in keys(I18N["en-US"]["config"]) if path.rpartition(".")[2] not in WORDS}
    assert named == set(ENTRIES)


def test_the_chinese_texts_are_chinese() -> None:
    texts = [value for path, value in leaves(I18N["zh-CN"]) if not path.endswith("labels")]
    assert [text for text in texts if not re.search(r"[\u4e00-\u9fff]|^\d", text)] == []


def test_the_plugin_is_called_by_its_metadata_in_english() -> None:
    metadata = yaml.safe_load((ROOT / "metadata.yaml").read_text(encoding="utf-8"))
    assert I18N["en-US"]["metadata"] == {key: metadata[key] for key in ("display_name", "short_desc", "desc")}


def test_the_readme_lists_every_setting_with_its_default_and_hint() -> None:
    listed = {name.strip("`"): (default, meaning) for name, default, meaning in rows("Settings")}
    assert list(listed) == list(LEAVES)
    for path, entry in LEAVES.items():
        assert listed[path] == (shown(entry), f"{entry['description']}. {entry['hint']}")


def test_the_readme_lists_every_command_with_its_chinese_name() -> None:
    listed = {row[0].split()[1].strip("`"): row[1].strip("`") for row in rows("Commands")[1:]}
    assert listed == SUBCOMMANDS


def test_the_readme_lists_every_route() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "dashboard_routes").glob("*.py")]
    routes = re.findall(r'Route\(\s*path="([^"]+)",\s*method="([A-Z]+)"', "\n".join(sources))
    assert {f"`{method} {path}`" for path, method in routes} == {row[0] for row in rows("For operators")}


def test_every_target_the_docs_name_is_in_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    docs = README + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for target in set(re.findall(r"\bmake ([a-z-]+)`", docs)) | {"test"}:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_every_link_of_the_readme_leads_somewhere() -> None:
    headings = {
        re.sub(r"[^\w\- ]", "", text).lower().replace(" ", "-")
        for text in re.findall(r"^## (.+)$", README, re.MULTILINE)
    }
    for target in re.findall(r"\]\(([^)]+)\)", README):
        if target.startswith("#"):
            assert target[1:] in headings
        elif not target.startswith("https://"):
            assert (ROOT / target).is_file(), target


def test_the_house_in_the_guide_is_the_house_that_stands() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    house = guide.partition("```\n")[2].partition("```")[0]
    columns = re.findall(r"^  (\S.*?)  ", house, re.MULTILINE)
    listed = {Path(name).stem for column in columns for name in column.split(", ")}
    real = {path.stem for path in (ROOT / "long_term_memory").iterdir()}
    assert listed == {name for name in real if not name.startswith("__")}
