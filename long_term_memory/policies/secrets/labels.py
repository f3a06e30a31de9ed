"""Secrets that the words around them betray: a label, what links it to the value, and the value.

"The password for the NAS is blue-Horse-77": the label says what kind it is, the link how likely the value
follows, and `values` and `passwords` what the kind may look like after such a link.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .found import Found, Kind
from .passwords import PASSPHRASES, PASSWORDS, PINS, looks_like_password
from .values import ACCOUNTS, CARDS, CODES, COMBINATIONS, IDENTITIES, KEYS, PHRASES, Form, Link, value_at

LABEL = re.compile(
    r"""
    # Most characters begin no label; these do.
    (?=[2abcdefgiklmnoprstuvw令信储全军助动取口安密居帐开恢护提授暗校激社私秘背账身通银锁门童验驾卡短])
    (?:(?P<code>
        (?:verification|log[ -]?in|sign[ -]?in|one[ -]time|auth(?:entication|enticator)?|[2m]fa|sms|recovery
            |backup|security|confirmation|access)[ -]?(?:pass)?codes?|[2m]fa\ backup|digits\ on\ the\ back
        |(?:four|six)[ -]digit\ code|(?:sent|texted)\ you\ an?\ code|短信[^\n]{0,4}数字
        |(?<![a-z])code\ (?:we|i)\ (?:just\ |have\ )?(?:sent|texted)
        |(?<![a-z])(?<!error\ )(?<!status\ )(?<!zip\ )code(?=\ [0-9]{6}(?![0-9]))
        |(?<![a-z0-9])(?:otp|cv[vc]2?)(?![a-z])
        |验证码|校验码|动态(?:码|口令|密码)|安全码|恢复码|背面三位数?
    )
    |(?P<phrase>(?:seed|recovery|mnemonic|backup)[ -](?:phrase|words)|mnemonic|助记词|恢复短语|恢复词)
    |(?P<card>
        (?<![a-z])(?:card|acc(?:oun)?t(?!\ n(?:umber|o\b))|iban|visa|mastercard
            |am(?:erican\ )?ex(?:press)?(?![a-z]))
        |银行卡|信用卡|储蓄卡|卡号|[账帐][号户]|全号
    )
    |(?P<account>(?<![a-z])acc(?:oun)?t(?=\ n(?:umber|o\b)))
    |(?P<id>
        (?<![a-z])(?:ssn|nino|itin|ni\ number)|social\ security|passport|driv(?:er|ing)['’]?s?\ licen[cs]e
        |national\ insurance|(?<![a-z])id(?:entity)?(?:\ card)?(?=\ n(?:umber|o))|tax\ id
        |身份证|护照|驾驶证|驾照|社保卡?|通行证|军官证|居住证
    )
    |(?P<combination>
        (?:door|gate|alarm|entry|garage|safe|lock|lock\ ?box|locker|vault|building)(?:\ door)?
            \ (?:code|pin|combination|combo)
        |keypad|(?<![a-z])combination(?=\ (?:to|for|of)\ (?:my|the|our)\b)
        |(?<![a-z])code(?=\ (?:for|to)\ (?:the|my|our)
            \ (?:\w{1,20}\ )?(?:door|gate|alarm|garage|safe|building|house)\b)
    )
    |(?P<entry>门禁码|开门码|[门童]锁码)
    |(?P<pickup>取件码)
    |(?P<unlock>
        (?<![a-z])unlock(?:ed)?(?:\ (?:it|(?:the|my|our)\ [a-z]{2,16}))?\ with(?:\ (?:(?:the|my|our)\ )?code)?
            (?!\ [0-9]+\ (?:coins|gold|gems|points|credits|stars|diamonds|keys|tokens)\b)
    )
    |(?P<passphrase>passphrase|security\ (?:question|answer)|密保答案|暗号|口令)
    |(?P<password>
        password|passwd|passcode|(?<![a-z])(?:pwd|pw)(?![a-z])|pin码|(?<![a-z])pin[ -]?code(?![a-z])
        |(?<![a-z])(?:wi-?fi|wlan|router|log[ -]?in|admin|root|user|vpn|e-?mail|account)\ pass(?![a-z])
        |(?:wpa2?|wi-?fi|network)\ key|(?<![a-z])unlocks\ with
        |密[码碼](?![锁箱本学器管朋框])|提取码|授权码|锁屏(?=是)
    )
    |(?P<pin>(?<![a-z])(?:pass|pin)(?![a-z]))
    |(?P<key>key|token|secret|credential|sessdata|session_?id|appid|密钥|秘钥|令牌|私钥|激活码))
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)


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
