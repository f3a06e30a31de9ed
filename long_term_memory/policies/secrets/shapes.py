"""Secrets that speak for themselves: whoever sees one needs no words around it to know what it is."""

import re
from collections.abc import Iterator

from .digits import checked_numbers
from .found import Found, Kind
from .values import PUBLIC, is_made

_BEGINNINGS = r"""
    sk-|sk_live_|sk_test_|rk_live_|rk_test_|whsec_|gh[pousr]_|github_pat_|gl(?:pat|dt|ft|rt|soat|cbt|ptt|imt)-
    |xox[abeprs]-|xapp-|ya29\.|1//0|GOCSPX-|hf_|npm_|pypi-|SG\.|gsk_|tvly-|xai-|nvapi-|r8_|pplx-|dapi|dop_v1_
    |shp(?:at|ca|pa|ss)_|glsa_|hv[sb]\.|sq0(?:atp|csp)-|EAA|AIza|LTAI|AKID|A[KBS]IA|ACCA|AGE-SECRET-KEY-
"""
"""What services begin their keys with, as far as people paste them into chats."""
_NO_WORDS = re.compile(r"[0-9A-Z]|[a-z]{20}")
_KEY = re.compile(
    rf"""(?<![A-Za-z0-9_])(?:
        (?P<known>(?:{_BEGINNINGS})[A-Za-z0-9_.\-]{{16,}}+)
        | eyJ[A-Za-z0-9_\-]{{8,}}+\.[A-Za-z0-9_\-]{{8,}}+(?:\.[A-Za-z0-9_\-]*+)?   # a JSON Web Token
        | [0-9]{{8,10}}:AA[A-Za-z0-9_\-]{{33}}                                     # a Telegram bot
        | [MNO][A-Za-z0-9_\-]{{23,27}}\.[A-Za-z0-9_\-]{{6}}\.[A-Za-z0-9_\-]{{27,38}}   # a Discord bot
    )(?![A-Za-z0-9_])""",
    re.VERBOSE,
)
_AROUND_KEY = re.compile(
    r"""
    \b(?:Bearer|Basic)\ +(?P<header>[A-Za-z0-9_.~+/=\-]{8,}+)
    | hooks\.slack\.com/services/(?P<slack>[A-Za-z0-9/]{20,}+)
    | /api/webhooks/(?P<discord>[0-9]{15,20}/[A-Za-z0-9_\-]{20,}+)
    | /bot/v2/hook/(?P<feishu>[0-9a-f\-]{20,}+)
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_AROUND_PASSWORD = re.compile(
    r"""
    ://[^\s/:@\0]{0,64}+:(?P<url>[^\s/\0]{3,128})@
    | (?<![\w.+\-])[\w.+\-]{1,64}+@(?:[\w\-]{1,32}+\.){1,4}[a-z]{2,10}(?:\s?[/|:]\s?|-{2,4}|\s)
        (?P<pair>(?=[^\s\0]{0,40}?[0-9])(?=[^\s\0]{0,40}?[A-Za-z])[!-~]{6,64}+)
    | (?:(?<![A-Za-z])[Uu]ser\ ?name|用户名|[账帐]号(?:密码)?)(?:\ is\ |\s?[:：=是]\s?|\ )[\w.@+\-]{1,64}+
        \ /\ (?P<login>(?=[^\s\0]{0,40}?[0-9])(?=[^\s\0]{0,40}?[A-Za-z])[!#-+\--:<-~]{6,64}+)
    | \s-u\ ?[\w.@\-]{1,64}+:(?P<curl>[!-~]{3,128}+)
    | \bmysql(?:dump)?\b[^\n]{0,80}?\ -p(?P<mysql>[!-~]{4,128}+)
    """,
    re.VERBOSE | re.ASCII,
)
_PEM = re.compile(
    r"-----BEGIN (?:[A-Z]{2,10} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:[A-Za-z0-9+/=\s\\:,]|-(?!----))*+(?:-----END[A-Z ]{0,40}-----)?"
)
_RUN = re.compile(r"(?P<address>[a-z]{2,12}://[!-~]*+)|(?<![A-Za-z0-9_\-/+=])[A-Za-z0-9_\-]{24,}+")
"""A web address, which may well hold a long name, or a run as long as a key outside of one."""
_WORDS = re.compile(r"(?<![A-Za-z])(?:[a-z]{3,8}(?![A-Za-z]) ?){12,}+")
_SPEECH = re.compile(
    r"\b(?:and|are|been|but|could|did|does|for|from|had|has|her|his|how|its|not|our|out|some|than|the|them|was|were"
    r"|who|with|would|your)\b"
)
"""Common words that no wallet's list of words has (BIP 39): twelve words without any are no sentence."""


def shaped(text: str) -> Iterator[Found]:
    """The secrets of a text that are known by their shape; they may overlap."""
    yield from _keys(text)
    yield from _named(_AROUND_KEY, text, Kind.KEY)
    yield from _named(_AROUND_PASSWORD, text, Kind.PASSWORD)
    yield from checked_numbers(text)
    yield from _phrases(text)


def _phrases(text: str) -> Iterator[Found]:
    for run in _WORDS.finditer(text):
        at = run.start()
        for spoken in (*_SPEECH.finditer(text, *run.span()), None):
            until = spoken.start() if spoken else run.end()
            words = text[at:until].strip()
            if words.count(" ") >= 11:
                start = text.index(words, at)
                yield Found(start, start + len(words), Kind.PHRASE)
            at = spoken.end() if spoken else until


def _keys(text: str) -> Iterator[Found]:
    for block in _PEM.finditer(text):
        yield Found(*block.span(), Kind.KEY)
    for key in _KEY.finditer(text):
        if not key["known"] or _NO_WORDS.search(key["known"], 5):
            yield Found(*key.span(), Kind.KEY)
    for run in _RUN.finditer(text):
        if not run["address"] and not PUBLIC.match(run.group()) and _is_random(run.group()):
            yield Found(*run.span(), Kind.KEY)


def _is_random(run: str) -> bool:
    return is_made(run) and not run.islower() and not run.isupper()


def _named(pattern: re.Pattern[str], text: str, kind: Kind) -> Iterator[Found]:
    for match in pattern.finditer(text):
        name = match.lastgroup or ""
        if name != "header" or any(char.isdigit() for char in match[name]):
            yield Found(*match.span(name), kind)
