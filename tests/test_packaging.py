import ast
import posixpath
import re
import sys
import zipfile
from pathlib import Path

import pytest
import yaml
from astrbot_plugin_ltm.packaging.build_zip import (
    FILES,
    MAX_BYTES,
    build_zip,
    repo_of,
    shipped_files,
    standing_alone,
)
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from tests.children import output, run

ROOT = Path(__file__).parent.parent
NAME = "astrbot_plugin_ltm"


@pytest.fixture(scope="module")
def plugin_zip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("dist") / f"{NAME}.zip"
    build_zip(ROOT, target)
    return target


def a_plugin(root: Path) -> Path:
    for name in FILES:
        (root / name).write_text(name, encoding="utf-8")
    return root


def test_the_zip_holds_what_a_running_plugin_needs(plugin_zip: Path) -> None:
    names = set(zipfile.ZipFile(plugin_zip).namelist())
    code = {
        path.relative_to(ROOT).as_posix()
        for tree in ("long_term_memory", "dashboard_routes", "migrations")
        for path in (ROOT / tree).rglob("*.py")
    }
    texts = {f"long_term_memory/texts/{locale}.json" for locale in ("en-US", "zh-CN")}
    words = {path.relative_to(ROOT).as_posix() for path in (ROOT / "long_term_memory").rglob("*.toml")}
    i18n = {f".astrbot-plugin/i18n/{locale}.json" for locale in ("en-US", "zh-CN")}
    page = {path.relative_to(ROOT).as_posix() for path in (ROOT / "pages").rglob("*") if path.is_file()}
    docs = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md")}
    assert names >= set(FILES) | code | texts | words | i18n | page | docs


def test_the_zip_holds_nothing_else(plugin_zip: Path) -> None:
    names = zipfile.ZipFile(plugin_zip).namelist()
    assert names == [path.as_posix() for path in shipped_files(ROOT)]
    trees = {".astrbot-plugin", "dashboard_routes", "docs", "long_term_memory", "migrations", "pages"}
    assert {name.partition("/")[0] for name in names} <= set(FILES) | trees
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pyc")]


def test_the_zip_is_small_enough_for_the_market(plugin_zip: Path) -> None:
    assert plugin_zip.stat().st_size < MAX_BYTES


def test_the_same_tree_gives_the_same_bytes(plugin_zip: Path, tmp_path: Path) -> None:
    build_zip(ROOT, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == plugin_zip.read_bytes()


def test_every_module_of_the_unpacked_zip_imports_under_the_hosts_name(
    plugin_zip: Path, tmp_path: Path
) -> None:
    place = tmp_path / "data" / "plugins" / NAME
    zipfile.ZipFile(plugin_zip).extractall(place)
    modules = [
        ".".join(path.relative_to(tmp_path).with_suffix("").parts)
        for tree in ("long_term_memory", "dashboard_routes")
        for path in sorted((place / tree).rglob("*.py"))
        if "host" not in path.parts and path.name != "__init__.py"
    ]
    lines = [f"import {module}" for module in modules]
    lines.append(f"from data.plugins.{NAME}.long_term_memory.messages import Messages")
    lines.append("print(Messages('zh-CN').text('approve.none'))")
    done = run(
        [sys.executable, "-W", "error", "-c", "\n".join(lines)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "PYTHONIOENCODING": "utf-8"},
    )
    assert done.stderr == ""
    assert done.stdout.strip() == "没有待审核的记忆。"


LINK = re.compile(r"(!?)\[[^\]]*\]\(([^)]+)\)")
REPO = "https://github.com/someone/astrbot_plugin_ltm"
READMES = ("README.md", "README_zh.md")


def links_in(text: str) -> list[tuple[bool, str]]:
    """Each link, and whether it is a picture."""
    return [(bool(mark), target) for mark, target in LINK.findall(text)]


@pytest.mark.parametrize("name", [*READMES, "CHANGELOG.md"])
def test_a_shipped_text_has_nothing_that_is_dead_where_it_stands_alone(plugin_zip: Path, name: str) -> None:
    shipped = zipfile.ZipFile(plugin_zip).read(name).decode()
    repo = repo_of((ROOT / "metadata.yaml").read_text(encoding="utf-8"))
    assert links_in(shipped)
    assert [target for _, target in links_in(shipped) if not target.startswith("https://")] == []
    assert repo or ".png" not in shipped
    assert not re.search(r"\(#|<(?:img|a)\b|^\[[^\]]+\]:", shipped, re.MULTILINE)
    # The dashboard makes a link of whatever looks like a host, and .md is a country.
    assert re.findall(r"[\w/]+\.md\b", re.sub(r"`[^`\n]*`", "", LINK.sub("", shipped))) == []


def test_the_links_of_the_shipped_docs_lead_to_shipped_files(plugin_zip: Path) -> None:
    archive = zipfile.ZipFile(plugin_zip)
    for name in archive.namelist():
        if name.startswith("docs/"):
            for _, target in links_in(archive.read(name).decode()):
                file = posixpath.normpath(posixpath.join("docs", target.partition("#")[0] or Path(name).name))
                assert target.startswith("https://") or file in archive.namelist(), (name, target)


@pytest.mark.parametrize("name", READMES)
def test_without_an_address_a_readme_names_the_files_and_loses_its_pictures_alone(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    shipped = standing_alone(text, None)
    named = {target for picture, target in links_in(text) if not picture and "://" not in target}
    assert [target for target in named if target not in shipped] == []
    lost = set(text.splitlines()) - set(shipped.splitlines())
    assert {line for line in lost if not LINK.search(line)} <= {"|---|---|---|", lines_above_pictures(text)}


def lines_above_pictures(text: str) -> str:
    """The heading of the table of pictures."""
    (table,) = (part for part in text.split("\n\n") if "![" in part)
    return table.splitlines()[0]


@pytest.mark.parametrize("name", READMES)
def test_with_an_address_every_link_of_a_readme_leads_to_a_file_there(name: str) -> None:
    shipped = links_in(standing_alone((ROOT / name).read_text(encoding="utf-8"), REPO))
    files = [(picture, target.removeprefix(REPO)) for picture, target in shipped if target.startswith(REPO)]
    assert {picture for picture, _ in files} == {True, False}
    for picture, target in files:
        within = target.removeprefix("/raw/HEAD/" if picture else "/blob/HEAD/")
        assert (ROOT / within).is_file(), target


@pytest.mark.parametrize(
    ("line", "repo"),
    [
        (f"repo: {REPO}", REPO),
        (f"repo: {REPO}/", REPO),
        (f"repo: '{REPO}.git'", REPO),
        (f'desc: x\nrepo: "{REPO}"\nversion: v1', REPO),
        ("name: x", None),
        ("repo:", None),
        ("repo: ''", None),
    ],
)
def test_the_address_is_read_from_the_metadata(line: str, repo: str | None) -> None:
    assert repo_of(line) == repo
    assert (yaml.safe_load(line).get("repo") or "").removesuffix("/").removesuffix(".git") == (repo or "")


def test_the_script_writes_where_it_is_told_and_says_so(tmp_path: Path) -> None:
    target = tmp_path / "new" / "plugin.zip"
    script = ROOT / "packaging" / "build_zip.py"
    assert output([sys.executable, str(script), str(target)]).strip() == str(target)
    assert zipfile.is_zipfile(target)


def test_what_lies_about_in_a_shipped_folder_stays_at_home(tmp_path: Path) -> None:
    root = a_plugin(tmp_path)
    for name in ("a.py", "a.pyc", "notes.md", ".env", "__pycache__/b.py", "deep/c.py"):
        path = root / "long_term_memory" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (root / "secret.txt").touch()
    shipped = {path.as_posix() for path in shipped_files(root)}
    assert shipped - set(FILES) == {"long_term_memory/a.py", "long_term_memory/deep/c.py"}


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    root = a_plugin(tmp_path)
    (root / "logo.png").unlink()
    with pytest.raises(FileNotFoundError, match=r"logo\.png"):
        build_zip(root, tmp_path / "dist" / "plugin.zip")


def test_a_zip_that_the_market_would_refuse_is_refused(tmp_path: Path) -> None:
    root = a_plugin(tmp_path)
    with pytest.raises(ValueError, match="larger"):
        build_zip(root, tmp_path / "plugin.zip", max_bytes=100)


def test_the_designs_manifest_says_what_the_host_reads() -> None:
    metadata, plugin = (
        yaml.safe_load((ROOT / name).read_text(encoding="utf-8")) for name in ("metadata.yaml", "plugin.yaml")
    )
    assert metadata == plugin


def test_the_metadata_is_what_the_host_accepts() -> None:
    metadata = yaml.safe_load((ROOT / "metadata.yaml").read_text(encoding="utf-8"))
    assert metadata["name"] == NAME
    assert NAME.isidentifier()
    for key in ("name", "desc", "version", "author", "display_name", "short_desc", "astrbot_version"):
        assert isinstance(metadata[key], str)
        assert metadata[key].strip()
    hosts = SpecifierSet(metadata["astrbot_version"])
    assert [v for v in ("4.25.6", "4.26.0", "4.29.1", "5.0.0") if v in hosts] == ["4.26.0", "4.29.1"]


def test_one_version_is_told_everywhere() -> None:
    metadata = yaml.safe_load((ROOT / "metadata.yaml").read_text(encoding="utf-8"))
    version = metadata["version"].removeprefix("v")
    assert f'version = "{version}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## \[{re.escape(version)}\]", changelog, re.MULTILINE)


def test_the_plugin_asks_for_one_package_beyond_the_hosts_own_as_a_range() -> None:
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    wanted = [Requirement(line) for line in lines if line and not line.startswith("#")]
    assert [each.name for each in wanted] == ["alembic"]
    assert {each.operator for each in wanted[0].specifier} == {">=", "<"}


def test_the_logo_is_a_square_picture() -> None:
    header = (ROOT / "logo.png").read_bytes()[:24]
    assert header.startswith(b"\x89PNG")
    assert int.from_bytes(header[16:20]) == int.from_bytes(header[20:24]) == 256


def test_the_domain_imports_the_standard_library_alone() -> None:
    for path in (ROOT / "long_term_memory" / "domain").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names, path.name
            assert not (isinstance(node, ast.ImportFrom) and node.level > 1), path.name
