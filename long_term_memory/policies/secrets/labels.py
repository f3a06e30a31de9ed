"""Secrets that the words around them betray: a label, what links it to the value, and the value.

"The password for the NAS is blue-Horse-77": the label says what kind it is, the link how likely the value
follows, and `values` and `passwords` what the kind may look like after such a link.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...text_analysis.word_tables import word_table
from .found import Found, Kind
from .passwords import PASSPHRASES, PASSWORDS, PINS, looks_like_password
from .values import ACCOUNTS, CARDS, CODES, COMBINATIONS, IDENTITIES, KEYS, PHRASES, Form, Link, value_at

_TABLE = word_table(__file__)
_LABELS = "|".join(f"(?P<{name}>{_TABLE.table('labels').pattern(name)})" for name in _TABLE.table("labels"))
LABEL = _TABLE.compile(f"(?=[{_TABLE.text('begins')}])(?:{_LABELS})", "labels", re.IGNORECASE | re.ASCII)
OTHER = _TABLE.compile(
    f"(?<![a-z])(?:{_TABLE.table('other').pattern('english')})|{_TABLE.table('other').pattern('chinese')}",
    "other",
)
"""What else people are asked for."""


@dataclass(frozen=True, kw_only=True)
class _Announced:
    """What a label announces."""

    kind: Kind
    forms: Sequence[Form]
    begins: re.Pattern[str] | None = None
    """How a value may begin that stands only near its label; None when it must stand right beside it."""


_NEAR = 40
"""So many characters on is still near."""
_MIXED = re.compile(r"(?<![!#-+\--:<-~])(?=[!#-+\--:<-~]{0,24}[0-9!@#$%^&*+=_])[!#-+\--:<-~]{4}")
_DIGITS = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{0,2}-?[0-9]{3}|(?<![A-Za-z0-9])[0-9]{1,2}[ \-]")
_LONG = re.compile(r"(?<![A-Za-z0-9_.+/~%*\-])[A-Za-z0-9][A-Za-z0-9_.+/~%*\-]{11}")
ANNOUNCED = {
    "code": _Announced(kind=Kind.CODE, forms=CODES, begins=_DIGITS),
    "phrase": _Announced(kind=Kind.PHRASE, forms=PHRASES),
    "card": _Announced(kind=Kind.CARD, forms=CARDS, begins=_DIGITS),
    "account": _Announced(kind=Kind.CARD, forms=ACCOUNTS, begins=_DIGITS),
    "id": _Announced(kind=Kind.ID, forms=IDENTITIES),
    "combination": _Announced(kind=Kind.PASSWORD, forms=COMBINATIONS, begins=_DIGITS),
    "entry": _Announced(kind=Kind.PASSWORD, forms=COMBINATIONS),
    "pickup": _Announced(kind=Kind.CODE, forms=CODES),
    "unlock": _Announced(kind=Kind.PASSWORD, forms=PASSWORDS),
    "passphrase": _Announced(kind=Kind.PASSWORD, forms=PASSPHRASES, begins=_MIXED),
    "password": _Announced(kind=Kind.PASSWORD, forms=PASSWORDS, begins=_MIXED),
    "pin": _Announced(kind=Kind.PASSWORD, forms=PINS, begins=_MIXED),
    "key": _Announced(kind=Kind.KEY, forms=KEYS, begins=_LONG),
}
"""By the name of the group in `LABEL`."""
if _unknown := LABEL.groupindex.keys() - ANNOUNCED.keys():
    raise _TABLE.error("labels", f"has names that announce nothing: {', '.join(_unknown)}")
_SUFFIX = r"(?:s|号码?|码|id)?(?:\ (?:number|no\.?|code))?"
_FOR = r"(?:\ (?:for|to|of|on|at|in)(?:\ [^\s:=,.;\0]{1,20}){1,4}?)?"
_STILL = r"(?:\ (?:still|now|just|currently|probably|always|set\ to)){0,2}"
_CHINESE = (
    r"(?:[我就都也还先]|现在|目前|已经?|暂时|统一|应该){0,3}(?:设置?|改|换|用)?[的了]?(?:还?是|[为成到作])了?"
)
_SIGN = re.compile(
    rf"{_SUFFIX}{_FOR}[\"'`”’)）\]]{{0,2}}\s{{0,2}}(?:(?:is|是|为)\s{{0,2}})?(?:[:=]|[=-]>)(?![=>])\s{{0,2}}",
    re.VERBOSE | re.IGNORECASE,
)
_IS = re.compile(
    rf"{_SUFFIX}(?:{_FOR}(?:['’]s|\ (?:is|was|will\ be)){_STILL}\s{{1,2}}|\s{{0,2}}{_CHINESE}\s{{0,2}})",
    re.VERBOSE | re.IGNORECASE,
)
_NEXT = re.compile(rf"{_SUFFIX}(?:\ [-–]\ |[\s,，]{{0,2}})", re.VERBOSE | re.IGNORECASE)
_LINKS = ((Link.SIGN, _SIGN), (Link.IS, _IS), (Link.NEXT, _NEXT))
SENTENCE_ENDS = re.compile(r"[\n\0。？！]|[.?!](?=\s)")

_BEFORE = r"(?<![!-~])(?P<value>[!-~]{3,64}+)"
_PASSWORD_AFTER_VALUE = re.compile(
    rf"""{_BEFORE}
    (?:\ (?:is\ (?:(?:now\ )?(?:set\ )?as\ your|my|our|the|his|her)
            |as(?:\ (?:my|our|the|his|her|a))?)(?:\ [\w'’\-]{{1,20}}){{0,3}}?
            \ (?:password|passcode|pin)\b(?!\ manager)
        |\s?(?:就?是(?:我|我们|他|她|咱)?(?:家)?的?|当作?|作为?|做)(?:我的?)?[\u4e00-\u9fffA-Za-z]{{0,6}}?密码)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CODE_AFTER_VALUE = re.compile(
    r"""
    (?<![A-Za-z0-9])(?P<value>[0-9]{4,8})
    (?:\ (?:is|as)\ (?:your|my|the)(?:\ [\w\-]{1,20}){0,4}?\ code\b
        |\s?[（(]?[是为]?(?:[你您我]的?)?[\u4e00-\u9fff]{0,4}?(?:验证|校验)码)
    """,
    re.VERBOSE | re.IGNORECASE,
)


def labelled(text: str) -> Iterator[Found]:
    """The secrets of a text that stand beside their label; they may overlap."""
    next_alike: dict[str, int] = {}
    for label in reversed(list(LABEL.finditer(text))):
        name = label.lastgroup or ""
        announced = ANNOUNCED[name]
        until = min(label.end() + _NEAR, next_alike.get(name, len(text)))
        next_alike[name] = label.start()
        if until == label.end():
            continue
        span = _linked(announced, text, label.end()) or _near(announced, text, label.end(), until)
        if span:
            yield Found(*span, announced.kind)
    for found in _PASSWORD_AFTER_VALUE.finditer(text):
        if not found["value"].isalpha() and looks_like_password(found["value"], Link.IS, ""):
            yield Found(*found.span("value"), Kind.PASSWORD)
    for found in _CODE_AFTER_VALUE.finditer(text):
        yield Found(*found.span("value"), Kind.CODE)


def _linked(announced: _Announced, text: str, at: int) -> tuple[int, int] | None:
    for link, pattern in _LINKS:
        linked = pattern.match(text, at)
        if linked and (link is not Link.NEXT or _is_apart(text, linked.end())):
            span = value_at(announced.forms, link, text, linked.end())
            if span:
                return span
    return None


def _is_apart(text: str, at: int) -> bool:
    """Whether what begins here does not go on with a word of the label, as in "keyboard"."""
    return not (text[at - 1].isascii() and text[at - 1].isalnum())


def _near(announced: _Announced, text: str, at: int, until: int) -> tuple[int, int] | None:
    """A value in the rest of the sentence, up to the next label that announces the same."""
    if not announced.begins:
        return None
    ends = SENTENCE_ENDS.search(text, at, until)
    for begin in announced.begins.finditer(text, at, ends.start() if ends else until):
        span = value_at(announced.forms, Link.NEAR, text, begin.start())
        if span:
            return span
    return None
