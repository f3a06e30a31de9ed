import ast
import json
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import pytest
import yaml
from astrbot_plugin_ltm.long_term_memory.messages import SUBCOMMANDS
from astrbot_plugin_ltm.packaging import settings

ROOT = Path(__file__).parent.parent
README, README_ZH = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README_zh.md"))
GUIDES = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")}
MANUAL = {"README.md": README, "README_zh.md": README_ZH} | {f"docs/{name}": GUIDES[name] for name in GUIDES}
"""What people who use the plugin read, by its path."""
SECTIONS = {
    "中文快速开始": "快速开始",
    "Why this one": "为什么选它",
    "Install": "安装",
    "First five minutes": "最初五分钟",
    "What members and admins do": "成员和管理员能做什么",
    "Settings that matter": "常用设置",
    "Who sees what": "谁能看到什么",
    "How it works": "工作方式",
    "Cost and quality": "成本与质量",
    "Questions": "常见问题",
    "Limits": "限制",
    "Licence": "许可证",
}
"""The sections of both README files, in their order."""
README_QUICK_START = README.partition("\n## 中文快速开始\n")[2].partition("\n## ")[0]
NO_DEFAULT = {"none": "无", "empty": "空", "`shadow`": "试运行", "`true`": "开启", "`false`": "关闭"}
"""How the Chinese README writes a default that is no number."""
TEXTS: dict[str, dict[str, str]] = {
    locale: json.loads((ROOT / "long_term_memory" / "texts" / f"{locale}.json").read_text(encoding="utf-8"))
    for locale in ("en-US", "zh-CN")
}
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


def rows(document: str, heading: str) -> list[list[str]]:
    """The cells of the table under a heading."""
    section = document.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def headings(document: str) -> list[str]:
    return re.findall(r"^#{2,} (.+)$", document, re.MULTILINE)


def anchors(document: str) -> set[str]:
    """Where a `#` link may lead."""
    return {re.sub(r"[^\w\- ]", "", text).lower().replace(" ", "-") for text in headings(document)}


def links(document: str) -> list[str]:
    """The targets of its links and pictures."""
    return re.findall(r"\]\(([^)]+)\)", document)


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
    assert len(LEAVES) < 60


@pytest.mark.parametrize("path", ENTRIES)
def test_every_setting_is_explained_in_chinese(path: str) -> None:
    words = translation("zh-CN", path)
    assert words["description"]
    assert words["hint"]
    assert ("labels" in words) == ("labels" in ENTRIES[path])


def test_both_languages_have_the_same_keys_and_none_without_a_setting() -> None:
    assert sorted(keys(I18N["en-US"])) == sorted(keys(I18N["zh-CN"]))
    named = {path for path in keys(I18N["zh-CN"]["config"]) if path.rpartition(".")[2] not in WORDS}
    assert named == set(ENTRIES)


def test_the_english_of_the_settings_is_that_of_the_schema() -> None:
    english = (ROOT / ".astrbot-plugin" / "i18n" / "en-US.json").read_text(encoding="utf-8")
    assert english == settings.i18n(), "make settings"


def test_the_chinese_texts_are_chinese() -> None:
    texts = [value for path, value in leaves(I18N["zh-CN"]) if not path.endswith("labels")]
    assert [text for text in texts if not re.search(r"[\u4e00-\u9fff]|^\d", text)] == []


def test_the_plugin_is_called_by_its_metadata_in_english() -> None:
    metadata = yaml.safe_load((ROOT / "metadata.yaml").read_text(encoding="utf-8"))
    assert I18N["en-US"]["metadata"] == {key: metadata[key] for key in ("display_name", "short_desc", "desc")}


def test_the_docs_list_every_setting_with_its_default_and_hint() -> None:
    assert GUIDES["settings.md"] == settings.docs(), "make settings"


def test_both_readmes_name_the_same_dozen_settings_with_their_defaults() -> None:
    english, chinese = (
        {name.strip("`"): default for name, default, _ in rows(document, heading)}
        for document, heading in ((README, "Settings that matter"), (README_ZH, "常用设置"))
    )
    assert len(english) == 12
    assert english == {path: settings.shown(LEAVES[path]) for path in english}
    # The Chinese one calls them, and what they may be, as the dashboard does.
    assert chinese == {
        translation("zh-CN", path)["description"]: NO_DEFAULT.get(default, default)
        for path, default in english.items()
    }


def test_the_docs_list_every_command_with_its_chinese_name() -> None:
    listed = {
        row[0].split()[1].strip("`"): row[1].strip("`") for row in rows(GUIDES["commands.md"], "Commands")[1:]
    }
    assert listed == SUBCOMMANDS


CORRECT = {"correct", "更正"}
"""`add` behind a number or id, which is no subcommand of its own."""


@pytest.mark.parametrize(
    ("document", "names"), [(README, SUBCOMMANDS.keys()), (README_ZH, SUBCOMMANDS.values())]
)
def test_each_readme_names_every_command_in_its_language(document: str, names: Collection[str]) -> None:
    named = set(re.findall(r"`/(?:ltm|记忆) ([^\s`|]+)", document.replace(README_QUICK_START, "")))
    assert named - CORRECT == set(names)


@pytest.mark.parametrize("path", MANUAL)
def test_every_command_the_docs_name_is_there(path: str) -> None:
    named = set(re.findall(r"`/(?:ltm|记忆) ([^\s`]+)", MANUAL[path]))
    assert named - CORRECT <= set(SUBCOMMANDS) | set(SUBCOMMANDS.values())


def test_the_docs_list_every_error_a_command_is_answered_with() -> None:
    listed = [reply for reply, _ in rows(GUIDES["commands.md"], "Error replies")]
    assert sorted(listed) == sorted(text for key, text in TEXTS["en-US"].items() if key.startswith("error."))


def test_the_docs_list_every_reason_by_its_name() -> None:
    listed = [name.strip("`") for name, _ in rows(GUIDES["commands.md"], "Reasons")]
    told = {key.removeprefix("rule.") for key in TEXTS["en-US"] if key.startswith("rule.")}
    assert sorted(listed) == sorted(told - {"other"})


def test_the_docs_list_every_route() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "dashboard_routes").glob("*.py")]
    routes = re.findall(r"ROUTES\.add\(\s*\"([A-Z]+)\", \"([^\"]+)\"", "\n".join(sources))
    assert {f"`{method} {path}`" for method, path in routes} == {
        row[0] for row in rows(GUIDES["api.md"], "Routes")
    }


def test_the_docs_list_every_status_of_a_route_that_failed() -> None:
    description = json.loads((ROOT / "dashboard_routes" / "openapi.json").read_text(encoding="utf-8"))
    operations = (operation for path in description["paths"].values() for operation in path.values())
    statuses = {status for operation in operations for status in operation["responses"]}
    assert (statuses - {"200"}) | {"500"} == {status for status, _ in rows(GUIDES["api.md"], "Errors")}


def test_both_readmes_have_the_same_sections() -> None:
    assert headings(README) == list(SECTIONS)
    assert headings(README_ZH) == list(SECTIONS.values())


@pytest.mark.parametrize("name", ["README.md", "README_zh.md"])
def test_a_readme_is_short_enough_to_be_read(name: str) -> None:
    assert len(MANUAL[name].splitlines()) <= 200


def test_the_chinese_readme_calls_things_as_the_bot_does() -> None:
    types = {text for key, text in TEXTS["zh-CN"].items() if key.startswith("type.")}
    mode = translation("zh-CN", "write_policy.mode")["labels"][0].partition("（")[0]
    assert {word for word in (*types, f"{mode}模式") if word not in README_ZH} == set()
    assert f"{mode}模式" in README


def test_every_target_the_docs_name_is_in_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    docs = "".join(MANUAL.values()) + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for target in set(re.findall(r"\bmake ([a-z-]+)`", docs)) | {"test"}:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    assert {"make demo", "make test"} <= set(README.splitlines()) & set(README_ZH.splitlines())


@pytest.mark.parametrize("path", MANUAL)
def test_every_link_of_the_docs_leads_somewhere(path: str) -> None:
    for target in links(MANUAL[path]):
        name, _, anchor = target.partition("#")
        if not target.startswith("https://"):
            leads_to = (ROOT / path).parent / name if name else ROOT / path
            assert leads_to.is_file(), target
            assert not anchor or anchor in anchors(leads_to.read_text(encoding="utf-8")), target


def test_every_guide_is_linked_from_both_readmes() -> None:
    for readme in (README, README_ZH):
        assert {f"docs/{name}" for name in GUIDES} <= set(links(readme))


def test_the_house_in_the_guide_is_the_house_that_stands() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    house = guide.partition("```\n")[2].partition("```")[0]
    columns = re.findall(r"^  (\S.*?)  ", house, re.MULTILINE)
    listed = {Path(name).stem for column in columns for name in column.split(", ")}
    real = {path.stem for path in (ROOT / "long_term_memory").iterdir()}
    assert listed == {name for name in real if not name.startswith("__")}


def defined(path: Path) -> Iterator[str]:
    """What a module defines, also behind the name of its class or its own: `Conversation.recall`."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        for inner in [node, *(node.body if isinstance(node, ast.ClassDef) else [])]:
            match inner:
                case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    yield name
                case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                    yield name
                case _:
                    continue
            yield f"{node.name if isinstance(node, ast.ClassDef) else path.stem}.{name}"


def test_the_paths_of_the_guide_name_what_the_code_has() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    paths = guide.partition("\n## The path of a message")[2].partition("\n## ")[0]
    plugin = ROOT / "long_term_memory"
    files = {
        name: plugin / name.removeprefix("long_term_memory/") for name in re.findall(r"`([\w/]+\.py)`", paths)
    }
    files["main.py"] = ROOT / "main.py"
    assert [name for name, path in files.items() if not path.is_file()] == []
    pairs = re.findall(r"`([\w/]+\.py)`,\s+`([\w.]+)`", paths)
    assert [pair for pair in pairs if pair[1] not in set(defined(files[pair[0]]))] == []
    assert len(pairs) > 20
    everywhere = {name for path in (*plugin.rglob("*.py"), ROOT / "main.py") for name in defined(path)}
    named = set(re.findall(r"`([A-Za-z_]\w*(?:\.\w+)?)`", paths)) - set(files)
    assert named - everywhere == set()


def test_every_file_the_guide_names_is_there() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    folders = (
        "long_term_memory",
        "pages/memory",
        "tests",
        "dashboard_routes",
        "packaging",
        "docs",
        "migrations",
    )
    names = set(re.findall(r"`([\w./*-]+\.(?:py|toml|json|js|md|yaml))`", guide))
    assert len(names) > 50
    for name in names:
        found = (path for folder in folders for path in (ROOT / folder).rglob(name))
        assert any(ROOT.glob(name)) or any(found), name
