"""The words of the page, as its files hold them."""

import json
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "pages" / "memory"
LANGUAGES = ("en-US", "zh-CN")


def texts_of(language: str) -> dict[str, str]:
    """Every text by its key; the same key in two files is an error."""
    found: dict[str, str] = {}
    for path in sorted((PAGE / "texts" / language).glob("*.js")):
        if path.name == "index.js":
            continue
        source = path.read_text(encoding="utf-8").strip()
        part: dict[str, str] = json.loads(source.removeprefix("export default ").removesuffix(";"))
        twice = found.keys() & part.keys()
        assert not twice, f"{path.name} has again: {twice}"
        found |= part
    return found
