"""English words brought to one form, so that "hiking", "hiked" and "hikes" find each other (design 6.2).

Light on purpose: plurals, -ed, -ing, -ly, -tion beside -ate, and the commonest irregular forms. Stripping
more, as Porter and Snowball do, found nothing more in questions about facts, and joins what is not the same.
"""

import unicodedata
from functools import lru_cache

_IRREGULAR_FORMS = """
begin began begun, break broke broken, bring brought, build built, buy bought, catch caught, choose chose
chosen, come came, draw drew drawn, drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen,
feel felt, fight fought, find found, fly flew flown, forget forgot forgotten, get got gotten, give gave
given, go went gone goes, grow grew grown, hang hung, hear heard, hide hid hidden, hold held, keep kept,
know knew known, lead led, learn learnt, leave left, lend lent, lose lost, make made, mean meant, meet met,
pay paid, ride rode ridden, ring rang rung, run ran, say said, see saw seen, sell sold, send sent, shoot
shot, sing sang sung, sit sat, sleep slept, speak spoke spoken, spend spent, stand stood, steal stole
stolen, swim swam swum, take took taken, teach taught, tell told, think thought, throw threw thrown,
understand understood, wake woke woken, wear wore worn, win won, write wrote written, child children, man
men, woman women, person people, foot feet, tooth teeth, mouse mice, wife wives, knife knives, half halves,
good better best, bad worse worst
"""
_IRREGULAR = {form: base for base, *forms in map(str.split, _IRREGULAR_FORMS.split(",")) for form in forms}
_VOWELS = frozenset("aeiouy")
_SHORTEST = 4
"""Shorter words stay as they are."""
_ENDINGS = frozenset(
    """
    able ability age al ally an ance ancy ant ants ate ce cy d e ed ence ency ent ents er ers ery es ese ety
    ful ial ian ians ible ic ical ing ings ion ions ious ise ish ism ist istry ists ity ive ize ly man men
    ment ments ness o or ors ous r re rs s sion tion tist tists ty woman women y
    """.split()  # noqa: SIM905
)
"""What words made from one word end in: "allergy" and "allergic", "piano" and "pianist"."""
_NEARLY_ALL, _LONG = 0.8, 7
"""The share of a long word that stays in its forms, in languages with other endings."""


@lru_cache(maxsize=32_768)
def stem(word: str) -> str:
    """The form a lower-case word is indexed by; accents go, words of other alphabets and numbers stay."""
    word = _without_accents(word)
    word = _IRREGULAR.get(word, word)
    if len(word) < _SHORTEST or not (word.isascii() and word.isalpha()):
        return word
    word = _singular(word)
    if word.endswith("ly") and len(word) > 5:
        word = word[:-2]
    word = _without_ending(word)
    if word.endswith(("tion", "sion")) and len(word) > 6:
        word = word[:-3]
    return _without_last_vowel(word)


@lru_cache(maxsize=32_768)
def are_akin(word: str, other: str) -> bool:
    """Whether two lower-case words of one beginning are made from one word: "teacher" and "teaching".

    That they begin alike is not enough: so do "chicken" and "chickpeas".
    """
    if not (word.isalpha() and other.isalpha()):
        return False
    word, other = (each.replace("our", "or").replace("z", "s") for each in (word, other))
    pairs = enumerate(zip(word, other, strict=False))
    shared = next((n for n, (one, two) in pairs if one != two), min(len(word), len(other)))
    longer = max(len(word), len(other))
    if shared >= _NEARLY_ALL * longer and (longer >= _LONG or not word.isascii()):
        return True
    cuts = range(_SHORTEST, shared + 1)
    return any(_is_ending(word, cut) and _is_ending(other, cut) for cut in cuts)


def _is_ending(word: str, cut: int) -> bool:
    """Whether nothing but an ending follows; "programmer" and "swimming" double a letter before it."""
    ending = word[cut:]
    return not ending or ending in _ENDINGS or (ending[0] == word[cut - 1] and ending[1:] in _ENDINGS)


def _without_last_vowel(word: str) -> str:
    """A last e goes and a last y is an i; what ends in -ate and -ation then ends alike."""
    if len(word) >= _SHORTEST and word.endswith("e"):
        word = word[:-1]
    elif len(word) >= _SHORTEST and word.endswith("y"):
        word = f"{word[:-1]}i"
    return word[:-2] if word.endswith("at") and len(word) > 5 else word


def _singular(word: str) -> str:
    if word.endswith(("ies", "ied")):
        return word[:-3] + ("y" if len(word) > _SHORTEST else "ie")
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word[-1] == "s" and word[-2] not in "sui" else word


def _without_ending(word: str) -> str:
    """The word without -ing or -ed, where a syllable is left before it: not that of "sing" or "need"."""
    ending = next((each for each in ("ing", "ed") if word.endswith(each)), "")
    bare = word.removesuffix(ending)
    if not ending or len(bare) < 2 or _VOWELS.isdisjoint(bare) or word.endswith("eed"):
        return word
    doubled = len(bare) > 2 and bare[-1] == bare[-2] and bare[-1] not in "lsz"
    return bare[:-1] if doubled else bare


def _without_accents(word: str) -> str:
    if word.isascii():
        return word
    return "".join(char for char in unicodedata.normalize("NFKD", word) if not unicodedata.combining(char))
