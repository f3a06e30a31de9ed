"""Which side a fact takes: whether it denies something, and whether somebody likes or dislikes it.

Words alone, of ten languages, no grammar: enough to tell "eats pork" from "doesnt eat pork", not to say what
a denial is of. Two facts whose sides differ are never the same.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from .traditional import simplified

ATTITUDE = "♥"
"""What stands in `Polarity.rest` for a word of liking or disliking."""

_LIKES = re.compile(
    r"\b(?:can not live without|lik(?:es?|ed|ing)|lov(?:es?|ed|ing)|enjoy\w*|prefer\w*|ador(?:es?|ed|a)"
    r"|fond of|(?:(?:big|huge|great) )?fan of|keen on|mag|mögen|liebt?|lieben|aime(?:nt)?|gustan?|encantan?"
    r"|piac\w+|gosta(?:m)?(?: de)?|ama|люб\w+|нрав\w+)\b"
    r"|离不开|喜[欢爱]|[热偏钟最酷]爱|偏好|爱(?![人情尔丁好])|大?好き|좋아하?",
)
_DISLIKES = re.compile(
    r"\b(?:dislik\w*|hat(?:es?|ed|ing)|detest\w*|loath\w*|despis\w*|can not (?:stand|bear)|hass(?:t|en)"
    r"|déteste(?:nt)?|odi(?:a|an|ano)|odeia|ненавид\w+)\b|讨厌|厌恶|受不了|反感|恨|嫌い|싫어하?",
)
_DENIALS = re.compile(
    r"(?P<kept>\bno\W{1,2}(?=\d)|\b(?:do ?nt|do not) mind\b|\bnot only\b|\bno (?:doubt|problem)\b"
    r"|不[错仅但止同久少锈得]|不过(?!敏)|差不多|对不起|没问题|[特分区级性类个告]别|别[墅人的]|无[锡线]|非[常洲凡]|未来|戒指)"
    r"|\b(?:no|not|never|none|nobody|nothing|neither|nor|without|hardly|(?:do|does|did|is|are|was|were|has|have|had"
    r"|could|wo|would|should|ai)nt|(?:avoid|refus|quit)\w*|stop(?:s|ped|ping)?|g(?:ave|iven?|ives) up"
    r"|nicht|nie|niemals|kein\w*|ohne|ne|n|pas|jamais|sans|aucune?|nunca|jamás|tampoco|sin|ning[uú]n\w*|non|mai|senza"
    r"|nessun\w*|não|nao|sem|nenhum\w*|не|нет|никогда|без)\b"
    r"|[不没无别唔非未勿冇戒]|ない|ません|않|(?<!\w)안(?= )|못|없|아니",
)
_WITH_A_DENIAL = re.compile(r"\b(?:longer|any ?more|at all|mehr)\b|再也?|了(?=\W|$)")
_CONTRACTED = re.compile(r"n['’]t\b", re.IGNORECASE)
_CANNOT = re.compile(r"\bcan(?:t|not)\b")


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
