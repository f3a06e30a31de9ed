"""The words of a fact in one form, and the side it takes: denial, liking, dislike.

Words alone, no grammar: enough to tell "eats pork" from "doesnt eat pork", not to say what a denial is of.
Two facts whose sides differ are never the same.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from .numbers import with_digits
from .terms import A_DENSE, DENSE
from .word_forms import are_akin, chinese_in_one_form, normal_words, one_form, simplified, stem
from .word_tables import word_table

ATTITUDE = "♥"
"""What stands in `Polarity.rest` for a word of liking or disliking."""

_TOKEN = re.compile(rf"♥|\d+(?:[.:/-]\d+)*|[^\W_\d{DENSE}][^\W_{DENSE}]*[+#]*|[{DENSE}]")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_NUMBER = re.compile(r"\d+(?:[.:/-]\d+)*")
_NAME = re.compile(
    rf"(?:(?<=[^\s.!?。！？][ (\"“])|(?<=[{DENSE}]))(?!I\b|User)([A-Z][^\W_{DENSE}]*)"
    rf"|\b(?!User)([A-Z][^\W_{DENSE}]*)"
)
_OF_USER = re.compile(r"(?:the )?user|用户|(?:i|im|my|we|our)\b|我", re.IGNORECASE)
_ONE_WORD_ZH = ((re.compile("居住|定居"), "住"), (re.compile("上班|任职|就职"), "工作"))
_CONTRACTED = re.compile(r"n['’]t\b", re.IGNORECASE)
_CANNOT = re.compile(r"\bcan(?:t|not)\b")
_TABLE = word_table(__file__)
_LIKES, _DISLIKES, _DENIALS, _WITH_A_DENIAL, _FILLING = (
    _TABLE.compiled(key, re.NOFLAG) for key in ("likes", "dislikes", "denials", "with_a_denial", "filling")
)
_PAST, _AHEAD, _ENDED = map(_TABLE.compiled, ("past", "ahead", "ended"))
_AGREEMENT = _TABLE.table("agreement")
_YES = re.compile(rf"(?:(?:{'|'.join(_AGREEMENT.words('words'))})\b|{_AGREEMENT.pattern('phrases')})")
_BUT = frozenset(_AGREEMENT.words("but"))
_TAKEN_BACK = re.compile("但|不(?!错|錯)|别|別|没(?!错|问题)|等等|[?？]")
_MAX_YES_WORDS = 6
"""A longer message says more than yes and may take the yes back."""
_SUBJECT = re.compile("^((?:the )?user(?!['’])|用户(?!的))", re.IGNORECASE)
_SKIPPED, _TAKES = frozenset(_TABLE.words("skipped")), frozenset(_TABLE.words("takes"))
_ONE_WORD = {
    stem(variant): stem(word)
    for word, *variants in map(str.split, _TABLE.texts("one_word"))
    for variant in variants
}


@dataclass(frozen=True)
class Polarity:
    """The sides of a fact, and its text without the words that say so."""

    likes: tuple[bool, ...]
    """For each word of liking or disliking, in order, which it is."""
    is_denied: bool
    rest: str
    """In small letters, simplified, with `ATTITUDE` where those words stood."""

    @property
    def sides(self) -> tuple[bool, ...]:
        """Comparable among facts with as many `likes`: "does not like" is on the side of "hates"."""
        if len(self.likes) == 1:
            return (self.likes[0] is not self.is_denied,)
        return (*self.likes, not self.is_denied)


@lru_cache(maxsize=512)  # a fact is compared with many others
def polarity(text: str) -> Polarity:
    """Read the sides of a text."""
    plain = simplified(unicodedata.normalize("NFKC", _CONTRACTED.sub("nt", text)).casefold())
    liking = _LIKES.sub("♥+", _DISLIKES.sub("♥-", _CANNOT.sub("can not", plain)))
    likes = tuple(sign == "+" for sign in re.findall(r"♥([+-])", liking))
    bare = re.sub(r"♥[+-]", f" {ATTITUDE} ", liking)
    is_denied = any(not found["kept"] for found in _DENIALS.finditer(bare))
    rest = _DENIALS.sub(lambda found: found["kept"] or " ", bare)
    return Polarity(likes, is_denied, _WITH_A_DENIAL.sub(" ", rest))


@lru_cache(maxsize=4_096)  # a fact is compared with many others
def tokens(text: str) -> tuple[str, ...]:
    """The words that carry content, in order, each in one form; characters of scripts without spaces."""
    plain = chinese_in_one_form(polarity(with_digits(_THOUSANDS.sub("", text))).rest)
    for variant, word in _ONE_WORD_ZH:
        plain = variant.sub(word, plain)
    found = _TOKEN.findall(_FILLING.sub(" ", plain))
    skipped = _SKIPPED | _TAKES if ATTITUDE in found else _SKIPPED  # "likes to drink tea" is "likes tea"
    return tuple(form for word in found if word not in skipped and (form := _form(word)) not in skipped)


def apart(words: Sequence[str], others: Sequence[str]) -> list[str]:
    """The words of one fact that another one has in no form."""
    new = (word for word in words if word not in others)
    return [w for w in new if len(w) < 4 or not any(w[:4] == o[:4] and are_akin(w, o) for o in others)]


def share(words: Sequence[str], others: Sequence[str]) -> float:
    """The share (0..1) of words of one fact that another one's have in any form; 0 where there are none."""
    return 1 - len(apart(words, others)) / len(words) if words else 0.0


def is_over(text: str) -> bool:
    """Whether it tells in the past tense what was, and nothing of now or later."""
    return bool(_PAST.search(text)) and not _AHEAD.search(text)


def tells_end(text: str) -> bool:
    """Whether its own words tell that something ended: "split up", "has cancelled", 分了."""
    return bool(_ENDED.search(text)) or is_over(text)


def is_plain_yes(text: str) -> bool:
    """Whether a short message begins with a word of agreement and retracts nothing."""
    words = normal_words(re.sub("[，。！、]", " ", text)).split()
    short = 0 < len(words) <= _MAX_YES_WORDS and _BUT.isdisjoint(words)
    return short and bool(_YES.match(" ".join(words))) and not _TAKEN_BACK.search(text)


def no_longer(fact: str) -> str:
    """The fact as one that holds no longer; one that says so already as it is."""
    if re.search("no longer|不再", fact):
        return fact
    is_chinese = A_DENSE.search(fact)
    told, found = _SUBJECT.subn(r"\1不再" if is_chinese else r"\1 no longer", fact)
    return told if found else f"{fact}（不再）" if is_chinese else f"{fact} (no longer)"


def unsupported(fact: str, text: str) -> str:
    """The first number or capitalised name of a fact that a text does not have in any form, else empty.

    A capitalised word that opens a fact is a name unless it serves or looks like a verb ("Is", "Prefers").
    """
    said, numbers = frozenset(tokens(text)), _numbers(text)
    missing = [number for number in _numbers(fact) if number not in numbers]
    missing += [name for name in _names(fact) if not said.issuperset(tokens(name))]
    return missing[0] if missing else ""


def named_first(fact: str) -> str:
    """Who a fact names first: "user" for the speaker, or a name in small letters; empty for nobody."""
    return "user" if _OF_USER.match(fact) else next(iter(_names(fact)), "").casefold()


def _form(word: str) -> str:
    form = stem(one_form(word))
    return _ONE_WORD.get(form, form)


def _numbers(text: str) -> list[str]:
    plain = with_digits(_THOUSANDS.sub("", unicodedata.normalize("NFKC", text)))
    return [number for number in _NUMBER.findall(plain) if number != "1"]


def _names(fact: str) -> list[str]:
    return [
        name[1] or name[2]
        for name in _NAME.finditer(fact)
        if name[1] or not (name[2].casefold() in _SKIPPED or name[2].endswith(("s", "ed", "ing")))
    ]
