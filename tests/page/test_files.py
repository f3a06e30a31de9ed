"""The page's files as they ship: nothing runs but files of theirs, and every word is in both languages."""

import hashlib
import json
import re
from html.parser import HTMLParser

import pytest
from astrbot_plugin_ltm.packaging.vendor_page import LIBRARIES, for_a_browser

from tests.page.page_texts import LANGUAGES, PAGE, texts_of

VENDOR = PAGE / "vendor"
SOURCES = sorted(path for path in PAGE.rglob("*.js") if VENDOR not in path.parents)
CODE = [path for path in SOURCES if PAGE / "texts" not in path.parents]
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "connect-src 'none'; base-uri 'none'; form-action 'none'"
)
_PLACE = re.compile(r"\{(\w+)\}")
"""A value that is put in; a choice of two words by a number is a language's own affair."""


class Tags(HTMLParser):
    """Every tag of a document with its attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def tags() -> list[tuple[str, dict[str, str | None]]]:
    parser = Tags()
    parser.feed((PAGE / "index.html").read_text(encoding="utf-8"))
    return parser.found


@pytest.fixture(scope="module")
def texts() -> dict[str, dict[str, str]]:
    return {language: texts_of(language) for language in LANGUAGES}


def all_code() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in CODE)


def test_the_policy_lets_in_files_of_the_page_alone(tags: list[tuple[str, dict[str, str | None]]]) -> None:
    policies = [a["content"] for tag, a in tags if tag == "meta" and a.get("http-equiv")]
    assert policies == [POLICY]


def test_no_script_and_no_style_stands_in_the_document(tags: list[tuple[str, dict[str, str | None]]]) -> None:
    assert [tag for tag, a in tags if tag == "script" and "src" not in a] == []
    assert [tag for tag, a in tags if tag == "style" or "style" in a] == []
    assert [name for _, a in tags for name in a if name.startswith("on")] == []


def test_every_file_the_document_names_is_there(tags: list[tuple[str, dict[str, str | None]]]) -> None:
    named = [a.get("src") or a.get("href") for _, a in tags if "src" in a or "href" in a]
    assert named
    assert [name for name in named if not (PAGE / str(name)).is_file()] == []


@pytest.mark.parametrize(
    "forbidden",
    [
        r"innerHTML",
        r"outerHTML",
        r"insertAdjacentHTML",
        r"dangerouslySetInnerHTML",
        r"document\.write",
        r"\beval\b",
        r"\bnew Function\b",
        r"\bstyle=",
        r"\bimport\(",
        r"javascript:",
        r"\blocalStorage\b|\bsessionStorage\b|\bdocument\.cookie\b",
        r"\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon|EventSource",
        r"window\.open|\balert\(|\bprompt\(",
    ],
)
def test_no_text_becomes_markup_or_code_and_nothing_goes_past_the_bridge(forbidden: str) -> None:
    found = [p.relative_to(PAGE) for p in SOURCES if re.search(forbidden, p.read_text(encoding="utf-8"))]
    assert found == []


def test_every_import_is_a_file_of_the_page() -> None:
    named = [
        (path, name)
        for path in [*CODE, *PAGE.glob("texts/*/index.js"), *VENDOR.glob("*.js")]
        for name in re.findall(r"""from\s*['"]([^'"]+)['"]""", path.read_text(encoding="utf-8"))
    ]
    assert named
    assert [name for path, name in named if not (name[0] == "." and (path.parent / name).is_file())] == []


def test_the_vendored_files_are_those_that_are_listed() -> None:
    listed = dict(
        re.findall(r"^\| (\S+) \|.*\| ([0-9a-f]{64}) \|$", (VENDOR / "VENDORED.md").read_text(), re.MULTILINE)
    )
    there = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in VENDOR.iterdir()}
    del there["VENDORED.md"]
    assert listed == there


def test_each_library_is_listed_at_its_version_and_brings_its_licence() -> None:
    listed = (VENDOR / "VENDORED.md").read_text()
    for library in LIBRARIES:
        for name in library.files.values():
            assert f"| {name} | {library.name} | {library.version} | {library.licence} |" in listed
        assert f"{library.name.rpartition('/')[2]}.LICENSE.txt" in library.files.values()


def test_a_vendored_module_imports_its_neighbours_by_path() -> None:
    published = 'import{options as n}from"preact";export{n};\n//# sourceMappingURL=hooks.mjs.map\n'
    assert for_a_browser(published) == 'import {options as n} from "./preact.js";export{n};\n'


def test_every_import_is_written_in_the_form_that_older_hosts_add_their_token_to() -> None:
    """AstrBot before 4.29 rewrites the imports it finds by this expression, and refuses those it misses."""
    known = re.compile(r"""\b(?:import|export)\s+(?:[^;]*?\s+from\s+)(["'])(.*?)\1""", re.DOTALL)
    for path in [*SOURCES, *VENDOR.glob("*.js")]:
        source = path.read_text(encoding="utf-8")
        imported = re.findall(r"""^(?:import|export)\b[^'";]*\bfrom\s*["']([^'"]+)""", source, re.MULTILINE)
        assert [url for _, url in known.findall(source)] == imported, path.name


def test_both_languages_have_the_same_texts(texts: dict[str, dict[str, str]]) -> None:
    assert texts["en-US"].keys() == texts["zh-CN"].keys()
    empty = [key for language in LANGUAGES for key, text in texts[language].items() if not text.strip()]
    assert empty == []


def test_both_languages_put_the_same_values_into_a_text(texts: dict[str, dict[str, str]]) -> None:
    differ = [
        key
        for key, text in texts["en-US"].items()
        if set(_PLACE.findall(text)) != set(_PLACE.findall(texts["zh-CN"][key]))
    ]
    assert differ == []


def test_every_text_is_used(texts: dict[str, dict[str, str]]) -> None:
    code = all_code()
    heads = tuple(re.findall(r"`([a-z_]+\.(?:[a-z_]+\.)*)\$\{", code)) + tuple(
        f"{family}." for family in re.findall(r"choices\('([a-z_]+)'", code)
    )
    literal = set(re.findall(r"""['"]([a-z_]+(?:\.[\w-]+)+|reason_\w+)['"]""", code))
    unused = [key for key in texts["en-US"] if key not in literal and not key.startswith(heads)]
    assert unused == []


def test_every_reason_of_the_code_is_told_in_words(texts: dict[str, dict[str, str]]) -> None:
    rules = json.loads((PAGE.parents[1] / "long_term_memory/texts/en-US.json").read_text(encoding="utf-8"))
    # What only an answer to a request is, and what an error says by its own name.
    others = {"rule.other", "rule.taken", "rule.not_in_use", "rule.stale_version"}
    reasons = [
        f"reason.{key.removeprefix('rule.')}" for key in rules.keys() - others if key.startswith("rule.")
    ]
    assert [reason for reason in reasons if reason not in texts["en-US"]] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_what_a_setting_allows_as_the_chat_does(
    texts: dict[str, dict[str, str]], language: str
) -> None:
    path = PAGE.parents[1] / "long_term_memory" / "texts" / f"{language}.json"
    chat: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    quotes = str.maketrans("“”", '""') if language == "en-US" else {}
    of_page = {
        key.removeprefix("unfit."): text.translate(quotes)
        for key, text in texts[language].items()
        if key.startswith("unfit.")
    }
    of_chat = {key.removeprefix("problem."): text for key, text in chat.items() if key.startswith("problem.")}
    assert of_page == of_chat


def test_every_text_that_is_used_is_there(texts: dict[str, dict[str, str]]) -> None:
    used = re.findall(r"""\bt\(\s*'([^']+)'""", all_code())
    assert used
    assert [key for key in used if key not in texts["en-US"]] == []


def test_no_view_holds_words_of_its_own() -> None:
    """Chinese in the code would be seen by everybody; English is found where a tag holds letters."""
    code = all_code()
    assert re.findall(r"[\u4e00-\u9fff]+", code) == []
    assert re.findall(r"<(?:p|h2|h3|span|strong|button|label|td|th|dt)\b[^>$]*>[A-Za-z]{2,}", code) == []
