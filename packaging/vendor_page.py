"""Fetch the page's libraries and font from the npm registry and write them, ready for browsers, into vendor/.

Run it from anywhere, with npm on the PATH: `python packaging/vendor_page.py`. Two things differ from what was
published: the names of the modules they import are paths, because a browser without a build step knows no
package names, and the line that names a source map is gone, because the map does not ship.
"""

import hashlib
import re
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

VENDOR = Path(__file__).resolve().parent.parent / "pages" / "memory" / "vendor"


@dataclass(frozen=True, kw_only=True)
class Library:
    """A package at one version, the files taken from it and the names they get."""

    name: str
    version: str
    licence: str
    files: dict[str, str]


LIBRARIES = (
    Library(
        name="preact",
        version="11.2.0",
        licence="MIT",
        files={
            "dist/preact.mjs": "preact.js",
            "hooks/dist/hooks.mjs": "hooks.js",
            "LICENSE": "preact.LICENSE.txt",
        },
    ),
    Library(
        name="htm",
        version="3.1.1",
        licence="Apache-2.0",
        files={"dist/htm.module.js": "htm.js", "LICENSE": "htm.LICENSE.txt"},
    ),
    # The dashboard's own font: it gives its files to no page in a sandbox.
    Library(
        name="@fontsource-variable/outfit",
        version="5.3.0",
        licence="OFL-1.1",
        files={"files/outfit-latin-wght-normal.woff2": "outfit.woff2", "LICENSE": "outfit.LICENSE.txt"},
    ),
)

_HEAD = """# Libraries of the page

Written by `packaging/vendor_page.py`, which fetches them from the npm registry; nothing is edited by hand.

| File | Package | Version | Licence | SHA-256 |
|---|---|---|---|---|
"""


def for_a_browser(source: str) -> str:
    """Let a module import its neighbours by their paths; the map of its source is left out."""
    # Spaced as people write it: hosts before 4.29 give each import a token and know no other form.
    by_path = re.sub(r'\bimport\s*(\{[^}]*\})\s*from\s*"preact"', r'import \1 from "./preact.js"', source)
    return re.sub(r"\s*//# sourceMappingURL=\S*\s*$", "\n", by_path)


def fetch(library: Library, folder: Path) -> dict[str, bytes]:
    """Return the files of one package by the names they get here."""
    wanted = f"{library.name}@{library.version}"
    command = ["npm", "pack", "--silent", "--pack-destination", str(folder), wanted]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603  a fixed command
    found: dict[str, bytes] = {}
    packed = library.name.lstrip("@").replace("/", "-")
    with tarfile.open(folder / f"{packed}-{library.version}.tgz") as archive:
        for inside, name in library.files.items():
            member = archive.extractfile(f"package/{inside}")
            if member is None:
                raise FileNotFoundError(f"{wanted} has no {inside}")
            content = member.read()
            found[name] = for_a_browser(content.decode()).encode() if name.endswith(".js") else content
    return found


def main() -> None:
    """Write every file, and VENDORED.md with its hash."""
    lines: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for library in LIBRARIES:
            for name, content in fetch(library, Path(folder)).items():
                (VENDOR / name).write_bytes(content)
                digest = hashlib.sha256(content).hexdigest()
                lines.append(
                    f"| {name} | {library.name} | {library.version} | {library.licence} | {digest} |\n"
                )
    (VENDOR / "VENDORED.md").write_text(_HEAD + "".join(lines), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
