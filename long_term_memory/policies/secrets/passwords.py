"""What a password beside its label may look like.

After a colon it may be any word; after "is" it must look like one or be all that is left of the clause; where
it merely stands near, it must mix letters with digits or signs, or be as long as a PIN. So "password:
sunshine" is masked, and "the password is wrong" and "the password of 2024" are not. A pass or a pin may be a
thing, so without a colon what follows must have a digit or a sign: "my pass is expensive" tells no password.
"""

import re

from ...text_analysis.relevance import content_words
from .values import Link, form

_CLAUSE_ENDS = re.compile(
    r"[!.?:)\]}>'’]{0,3}(?:\s*(?:$|[,;\n，。；！？、（(/])|\s?[\u4e00-\u9fff]"
    r"|\s+(?:and|but|if|so|or|please|thanks|btw|lol|haha|-)(?!\w))"
)
_LEFT_OPEN = re.compile(r"[*•xX.\-_?#…]*\Z|[<{\[(]|[$%@][{(]|your?[_ -]|\\")
"""How a form or an example leaves the place of a password open."""
_SOURCE = re.compile(
    r"[a-z_][\w.]*[\[(]|[\w.]*(?:passw|secret|environ|getenv|config|settings)\w*\Z", re.IGNORECASE
)
"""Source code that names a password instead of holding one."""
_YEAR = re.compile(r"(?:19|20)[0-9]{2}\Z")
_PIN = re.compile(rf"[#*]?(?!{_YEAR.pattern})[0-9]{{4,8}}[#*]?\Z")
_MIXED = re.compile(r"(?=[^0-9]*[0-9])(?=[^A-Za-z]*[A-Za-z]).{5}|[A-Za-z]+[!@#$%^&*+=_][!-~]{2}")
_OTHERWISE_MIXED = re.compile(
    r"[0-9]+[a-z]{1,3}\Z|v?[0-9]+(?:\.[0-9]+)+\Z|[^@]+@[\w\-]+(?:\.[\w\-]+)*\.[a-z]{2,}\Z|[a-z]+://|www\.|/"
    r"|.*\.[a-z]{2,5}\Z",
    re.IGNORECASE,
)
"""A quantity, a version, an address, a path, a file."""
_SIGNED = re.compile(
    r"(?!\$[0-9.]+\Z|\$[0-9]{1,3}(?:-\$?[0-9]{1,3}|\+|/(?:day|week|month|mo|year|yr|hour|person))\Z|[0-9]{1,3}(?:(?:-[0-9]{1,3})?%|-[A-Za-z]+)\Z)(?=[!-~]*?[0-9!@#$%^&*+=_])"
)
"""No word, no price, no "12-month"."""
_RANGE = re.compile(r"[0-9]{1,2}-[0-9]{1,2}\Z")
_UNIT = re.compile(
    r"\s(?:minutes?|mins?|hours?|days?|weeks?|months?|years?|mm|cm|km|miles?|euros?|dollars?)\b",
    re.IGNORECASE,
)
_NO_HAN = re.compile(
    r"[忘不没错无待见同未请如已就是随自暂保和跟的或及有要太必至长我你他她那这什多怎哪问收发]|身份|手机|生日"
)
"""How Chinese goes on about a password without saying it."""
_SAID_WORDS = """
wrong right correct incorrect invalid valid weak strong stronger safe unsafe secure insecure short long longer
shorter easy hard simple complex complicated old new gone lost back fine good bad great same different secret
private public empty blank null none nil unknown needed required optional missing expired changed saved stored
leaked hacked compromised encrypted hashed protected broken important enough case sensitive terrible awful
stupid crap random unique obvious nothing everything string str int bytes bool undefined false true reset
recovery manager ready written printed hidden visible shown available okay policy
ok md5 sha1 sha256 aes rsa wpa2 wpa3 base64 utf8 utf-8
"""
"""What is said about a password without saying it."""
_SAID = frozenset(_SAID_WORDS.split())
_TELLS_OF = re.compile(
    r"\b(?:since|until|yesterday|today|always|never|again|anymore|unless|without|because|than|words?|letters?"
    r"|characters?|phrase)\b|[的了吗呢吧么怎哪谁很太不没错对要让给被把和与会能在有过得来去]|[一两三四五六七八九十几][个首句种条次位]"
    r"|电影|台词|名字|拼音|生日|手机|数字|英文|单词|字母|秘密|意思|游戏",
    re.IGNORECASE,
)
"""What tells of a passphrase instead of saying it."""


def looks_like_password(value: str, link: Link, after: str) -> bool:
    """Whether a run of characters without spaces can be a password after such a link."""
    if _LEFT_OPEN.match(value) or _SOURCE.match(value) or is_said(value):
        return False
    if link is Link.SIGN:
        return True
    if link is Link.IS:
        return not value.isalpha() or bool(_CLAUSE_ENDS.match(after))
    if link is Link.NEXT and len(value) >= 4 and not _YEAR.match(value) and any(map(str.isdigit, value)):
        return not _OTHERWISE_MIXED.match(value)
    return bool(_PIN.match(value) or _MIXED.match(value)) and not _OTHERWISE_MIXED.match(value)


def _looks_like_pin(value: str, link: Link, after: str) -> bool:
    is_range = _RANGE.match(value) and _UNIT.match(after)
    is_word = is_range or not _SIGNED.match(value.rstrip("!")) or _OTHERWISE_MIXED.match(value)
    return (link is Link.SIGN or not is_word) and looks_like_password(value, link, after)


def _is_quoted(value: str, link: Link, _after: str) -> bool:
    return link in (Link.SIGN, Link.IS) and not all(map(is_said, value.split()))


def _are_words(value: str, link: Link, _after: str) -> bool:
    return link in (Link.SIGN, Link.IS) and not any(map(is_said, value.split()))


def _are_words_of_phrase(value: str, link: Link, _after: str) -> bool:
    """As `_are_words`; of four words or more one may be said of a passphrase too: "correct horse ..."."""
    words = value.split()
    is_open = link in (Link.SIGN, Link.IS) and len(words) >= 4 and not _TELLS_OF.search(value)
    no_speech = all(map(content_words, words)) and sum(map(is_said, words)) <= 1
    return _are_words(value, link, _after) or (is_open and no_speech)


def _is_han_phrase(value: str, link: Link, _after: str) -> bool:
    """As `_is_han`; after 是 too where it is a saying of four characters or more, and tells nothing."""
    is_saying = link is Link.IS and len(value) >= 4 and not _TELLS_OF.search(value)
    return _is_han(value, link, _after) or (is_saying and not _NO_HAN.match(value))


def _is_han(value: str, link: Link, _after: str) -> bool:
    return link is Link.SIGN and not _NO_HAN.match(value)


def is_said(word: str) -> bool:
    """Whether a word says something about the password, or nothing at all."""
    return word.lower() in _SAID or (word.isalpha() and not content_words(word))


_QUOTED = form(r"(?<=[\"“「『'‘`])(?P<value>[^\"”」』'’`\n\0]{2,80})[\"”」』'’`]", _is_quoted)
_IN_FOURS = form(r"(?P<value>[a-z]{4}(?: [a-z]{4}){3})(?![a-z])", _are_words)
"""As mail services give them to programs."""
_PRINTABLE = r"(?P<value>[!#-+\--:<-~]{3,128}+)"
"""All but spaces, double quotes, commas and semicolons."""
_RUN = form(_PRINTABLE, looks_like_password)
_PIN_RUN = form(_PRINTABLE, _looks_like_pin)
_HAN_RUN = r"(?P<value>[\u4e00-\u9fff]{2,16})(?=\s*(?:\Z|[,.!?，。！？；、\n]))"
_HAN = form(_HAN_RUN, _is_han)
_HAN_PHRASE = form(_HAN_RUN, _is_han_phrase)
_SEVERAL = form(
    r"(?P<value>[a-z]{2,16}(?: [a-z]{2,16}){1,9})(?=\s*(?:\Z|[,.!;，。！\n]))", _are_words_of_phrase
)

PASSWORDS = (_QUOTED, _IN_FOURS, _RUN, _HAN)
PINS = (_QUOTED, _IN_FOURS, _PIN_RUN, _HAN)
PASSPHRASES = (_QUOTED, _SEVERAL, _RUN, _HAN_PHRASE)
