"""What an English statement may name: a name, a place, a thing, and what only looks like it (design 5.2)."""

import re

from ..policies.written_dates import MONTH

_TAIL = re.compile(
    r"[\s,]{0,3}\b(?:by the way|btw|though|too|as well|you know|please|lol|haha|now|thanks|thank you)$",
    re.IGNORECASE,
)
_TRAILS = " \t:;,)(-~"
_VAGUE_WORDS = """
    it this that these those you your yours him her his hers them their there here me my mine i i'm i've we us
    our he she they how what when where why who which if not never nothing none nobody anything everything
    something everyone one ones both either neither option answer idea version choice reply response today
    tomorrow now so is are was were am be will would can could should do does did until till while because
    than but please
"""
_NOT_A_NAME = """
    not a an the in on at so too very my your his her their our its it this that none nothing nobody unknown
    secret private important irrelevant hard easy long short weird what who back later tomorrow today maybe
    when if crazy sometime soon again anytime whatever anything also just all old common unique up out asap
"""
_NO_NAME_ALONE = frozenset(
    """
    taken misspelled misspelt mispronounced different fine cool above below blank correct incorrect wrong
    gone mud hidden visible missing public available shown registered banned cursed trending listed attached
    included french irish greek chinese japanese korean german english spanish italian russian arabic hebrew
    indian polish dutch swedish turkish jewish hindu latin skeptical cynical old-fashioned pessimistic
    optimistic paranoid
    """.split()  # noqa: SIM905 - a list of quoted words is harder to read
)
"""What is said of a name, or of somebody; "Dawn French" is a name."""
_NO_NICKNAME = frozenset(
    """
    asap eod tonight noon midnight morning evening weekdays weekends daily immediately instantly
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat
    january february march july september october november december
    uber lyft taxi cab ambulance collect
    """.split()  # noqa: SIM905 - as above
)
"""When one is to be called, and what is called for somebody."""
_NO_ALLERGEN = frozenset(
    """
    mondays bullshit work stupidity people love fun drama commitment school food severe bad mild slight
    seasonal skin serious terrible strange weird new many some several multiple any other lots things
    morning mornings meeting meetings talk exercise homework idiots liars java math maths code cardio
    adulting responsibility vibes life
    """.split()  # noqa: SIM905 - as above
)
"""What one is allergic to in jest, or only in part."""
_NO_ALLERGEN_ALONE = frozenset(
    """
    zero no few little less more most enough two three four five six seven eight nine ten tons ton plenty
    bunch of all every each both known unknown common usual typical different various certain similar same
    own annual mysterious undiagnosed spring
    summer autumn fall winter year environmental respiratory nasal dietary had got gotten developed
    inherited outgrown suspected possible potential
    """.split()  # noqa: SIM905 - as above
)
"""How many allergies there are, and of what kind."""
_SEVERE = frozenset(
    """
    horrible horrid awful nasty crazy insane extreme intense major minor moderate chronic constant
    lifelong childhood annoying stupid dumb damn darn freaking deadly
    """.split()  # noqa: SIM905 - as above
)
"""What they are like: said before the allergen, and none by itself."""
_COUNTED = re.compile(
    r"(?:nut|egg|cat|dog|horse|bee|almond|cashew|apple|banana|feather|mite|acid)$", re.IGNORECASE
)
_NO_PLACE = frozenset(
    """
    a an the two fear hope hopes peace constant denial harmony poverty sin exile luxury misery solitude
    isolation darkness chaos terror comfort squalor filth style pain shame dreams perpetual total complete
    interesting modern troubled strange sweatpants pajamas pyjamas leggings hoodies jeans boxes excel
    outlook slack vim emacs discord spreadsheets minecraft
    """.split()  # noqa: SIM905 - as above
)
_FOR_A_WHILE = re.compile(
    r"\b(?:until|till|during|while|all day|half (?:of|the|my)|part of|most of|sometimes|next (?!to\b|door)"
    r"|soon|anymore|(?-i:or)|rent[- ]free|only|in (?:summer|winter|spring|autumn)|for now"
    r"|for (?:the (?!last|past)|(?:\w+ ){1,2}(?:nights?|days?|weeks?|months?)(?! now)))\b",
    re.IGNORECASE,
)
_NOT_OF_PLACE = re.compile(
    r"\s(?:with|near|since|for|by|as|alone|again|together|these days|at the moment)\b", re.IGNORECASE
)
_NO_ORIGIN = frozenset(
    """
    support customer sales hr marketing it earth mars work home school tomorrow now here planet team future
    past yesterday monday accounting heaven hell scratch experience there outer space money love nothing
    behind finance legal engineering ops venus monday's meeting
    """.split()  # noqa: SIM905 - as above
)
_NO_HABIT = re.compile(
    r"(?:being|waiting|when)\b|to (?:ask|admit|break|bother|say|think|believe|interrupt|disagree|inform)\b"
    r"|(?:up|there|on|in|by|next|near|for|at|around)(?![\w-])"
    r"|(?:straight|still|alone|tall) (?:for|in|anymore|without)\b"
    r"|(?:straight|still|alone|tall|more|less|large|small|medium|later|better|going|coming)$",
    re.IGNORECASE,
)
"""What "I can't stand", "I hate" or "I prefer" go on with that is no liking."""
_VAGUE = frozenset(_VAGUE_WORDS.split())
_NOT_NAMES = frozenset(_NOT_A_NAME.split())
_PARTICLES = frozenset({"de", "da", "di", "van", "von", "der", "den", "la", "le", "el", "bin", "al", "ibn"})
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_DATE = re.compile(
    rf"(?P<date>{MONTH}\s(?:the\s)?(?:{_DAY}|\d{{4}})(?:st|nd|rd|th)?(?:,?\s\d{{4}})?|{MONTH},\s\d{{4}}"
    rf"|(?:the\s)?{_DAY}(?:st|nd|rd|th)?\s(?:of\s)?{MONTH}(?:,?\s\d{{4}})?"
    r"|\d{1,4}[./-]\d{1,2}(?:[./-]\d{1,4})?)(?:\s(?:in|at)\s.+|,.*|\stoo)?",
    re.IGNORECASE,
)


def shorn(value: str) -> str:
    """The value without what merely trails after it, such as ", by the way :)"."""
    for _ in range(3):
        value = _TAIL.sub("", value.strip(_TRAILS))
    return value.strip(_TRAILS)


def thing(value: str) -> str:
    """A noun phrase or a list of them: few words, none of them vague."""
    value = _list_or_first(shorn(value))
    words = re.findall(r"[\w'-]+", value.lower())
    fits = 1 <= len(words) <= 8 and len(value) <= 80 and not _VAGUE & set(words)
    return value if fits and words[0] != "the" and re.fullmatch(r"[\w\s,'&+#./-]+", value) else ""


def allergen(value: str) -> str:
    """What one may be allergic to."""
    found = thing(value)
    return "" if _NO_ALLERGEN & set(found.lower().split()) else found


def allergen_alone(value: str) -> str:
    """The word before "allergy", as it is said after "allergic to"."""
    first, _, rest = value.partition(" ")
    value = rest if first.lower() in _SEVERE else value
    found = "" if _NO_ALLERGEN_ALONE & set(value.lower().split()) else allergen(value)
    return f"{found}s" if _COUNTED.search(found) else found


def habit(value: str) -> str:
    """What somebody likes or not; "being woken at 5am" and "waiting in line" are said in mockery."""
    value = shorn(value)
    return "" if _NO_HABIT.match(value) else thing(value)


def name(value: str) -> str:
    """The name of a person, in small letters only if it is a single word."""
    value = shorn(value)
    words = value.split()
    if not 1 <= len(words) <= 4 or not re.fullmatch(r"[^\W\d_][\w'.\- ]{0,60}(?<!')(?<!'s)", value):
        return ""
    if any(word.lower() in _NOT_NAMES or word.lower() in _VAGUE for word in words):
        return ""
    if len(words) == 1 and value.lower() in _NO_NAME_ALONE:
        return ""
    if all(word[0].isupper() or word in _PARTICLES for word in words) or not value[0].isascii():
        return value
    return value if len(words) == 1 and not value.endswith("ing") else ""


def proper(value: str) -> str:
    """A name with a capital letter."""
    value = shorn(value)
    return name(value) if value[:1].isupper() else ""


def nickname(value: str) -> str:
    """A name after "call me", which may as well be said by whoever waits for a call or a cab."""
    found = proper(value)
    return "" if found.split(" ", 1)[0].lower() in _NO_NICKNAME else found


def place(value: str) -> str:
    """Where somebody may live."""
    if _FOR_A_WHILE.search(value):
        return ""
    place = _NOT_OF_PLACE.split(shorn(value), maxsplit=1)[0]
    first = place.split(" ", 1)[0].lower()
    words = place.split()
    fits = 1 <= len(words) <= 4 and first not in _VAGUE | _NO_PLACE
    fits = fits and not _VAGUE & {word.lower() for word in words}
    return place.rstrip(",") if fits and re.fullmatch(r"[\w\s,'.-]+", place) else ""


def origin(value: str) -> str:
    """Where somebody may be from: a place with a capital letter, and no team or shop."""
    found = place(value)
    words = {word.lower() for word in found.split()}
    return found if found[:1].isupper() and not words & _NO_ORIGIN and len(words) <= 3 else ""


def age(value: str) -> str:
    """The years of a person."""
    return str(int(value)) if 3 <= int(value) <= 120 else ""


def date(value: str) -> str:
    """A day of the calendar; "2 days after Dec 25" and "Oslo in May 1990" are none."""
    found = _DATE.fullmatch(shorn(value))
    return found["date"] if found else ""


def lower(value: str) -> str:
    """The word in small letters."""
    return value.lower()


def _list_or_first(value: str) -> str:
    """A list as it is when it plainly is one ("nuts, eggs and milk"), else what precedes the first comma."""
    parts = [part.strip() for part in value.split(",")]
    is_list = re.match(r"(?:and|or)\b|\S+ (?:and|or) \S+$", parts[-1]) and all(
        len(p.split()) <= 3 for p in parts
    )
    kept = value if is_list else parts[0]
    return re.split(r"\s(?:and|but)\s(?=(?:love|like|hate|live|work|prefer|want|need|have|am)\b)", kept)[0]
