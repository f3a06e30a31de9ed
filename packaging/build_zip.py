"""Make the zip that the host's dashboard installs: what a running plugin needs, and its docs, laid out flat.

The same tree always gives the same bytes. Run it from anywhere: `python packaging/build_zip.py [target.zip]`.
"""

import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "dist" / "astrbot_plugin_ltm.zip"

FILES = (
    "main.py",
    "metadata.yaml",
    "plugin.yaml",
    "_conf_schema.json",
    "requirements.txt",
    "logo.png",
    "README.md",
    "README_zh.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "RELIABILITY.md",
    "LICENSE",
)
SHOWN_ALONE = frozenset({"README.md", "README_zh.md", "CHANGELOG.md"})
"""What the host's dashboard shows, and what is read like that: one file without those beside it."""
TREES = {
    ".astrbot-plugin/i18n": {".json"},
    "dashboard_routes": {".py"},
    "docs": {".md"},
    "long_term_memory": {".py", ".json", ".toml"},
    "migrations": {".py", ".mako"},
    "pages": {".html", ".css", ".js", ".txt", ".md", ".woff2"},
}
"""Folders, with the kinds of files that are shipped from them."""

MAX_BYTES = 16 * 1024 * 1024
"""What the plugin market accepts."""

_LONG_AGO = (1980, 1, 1, 0, 0, 0)
_REPO = re.compile(r"^repo:\s*[\"']?(https://[^\s\"']+?)(?:\.git)?/?[\"']?\s*$", re.MULTILINE)
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def shipped_files(root: Path) -> Iterator[Path]:
    """The files of the plugin, relative to its root, in a fixed order.

    Raises FileNotFoundError for a single file that is not there.
    """
    for name in FILES:
        if not (root / name).is_file():
            raise FileNotFoundError(f"{name} belongs into the plugin and is missing")
        yield Path(name)
    for tree, kinds in sorted(TREES.items()):
        for path in sorted((root / tree).rglob("*")):
            if path.is_file() and path.suffix in kinds and "__pycache__" not in path.parts:
                yield path.relative_to(root)


def repo_of(metadata: str) -> str | None:
    """The address that stands as `repo` in a text of `metadata.yaml`, read without a YAML parser."""
    found = _REPO.search(metadata)
    return found[1] if found else None


def standing_alone(text: str, repo: str | None) -> str:
    """A Markdown text for a reader who has this file alone, as in the host's dashboard.

    Links and pictures lead to `repo`. Without one, paragraphs that hold a picture are left out, and files are
    named as code: of a bare `settings.md` the dashboard makes a link.
    """
    if repo is None:
        text = "\n\n".join(part for part in text.split("\n\n") if "![" not in part)

    def absolute(link: re.Match[str]) -> str:
        picture, words, target = link.groups()
        if target.startswith("https://"):
            return link[0]
        if repo is None:
            return f"`{words}`" if words == target else f"{words} (`{target}`)"
        return f"{picture}[{words}]({repo}/{'raw' if picture else 'blob'}/HEAD/{target})"

    return _LINK.sub(absolute, text)


def build_zip(root: Path, target: Path, *, max_bytes: int = MAX_BYTES) -> None:
    """Write the zip. Raises ValueError when it is too large for the plugin market."""
    target.parent.mkdir(parents=True, exist_ok=True)
    repo = repo_of((root / "metadata.yaml").read_text(encoding="utf-8"))
    with zipfile.ZipFile(target, "w") as archive:
        for path in shipped_files(root):
            entry = zipfile.ZipInfo(path.as_posix(), date_time=_LONG_AGO)
            entry.external_attr = 0o644 << 16
            content = (root / path).read_bytes()
            if path.as_posix() in SHOWN_ALONE:
                content = standing_alone(content.decode(), repo).encode()
            archive.writestr(entry, content, compress_type=zipfile.ZIP_DEFLATED)
    if target.stat().st_size > max_bytes:
        raise ValueError(f"{target.name} is larger than {max_bytes} bytes")


if __name__ == "__main__":
    chosen = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    build_zip(ROOT, chosen)
    print(chosen)
