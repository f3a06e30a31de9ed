"""Three hundred sentences with a made-up secret each, and ordinary chat, as the files in `chat/` list them.

A line of `secrets_*.txt` is the kind, a tab and the sentence with its secret between « and ». What stands
there in braces is made from a fixed seed, so no file holds anything that looks like somebody's real key:
`{hex:32}` are random characters, `{card}` a number whose check digit holds.
"""

import random
import re
import string
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "chat"
LANGUAGES = ("en", "zh")

_MARKED = re.compile(r"«(.*?)»")
_MADE = re.compile(r"\{(\w+-?)(?::([^}]*))?\}")
_REMNANT = 4
"""So many characters of a secret left standing are a leak."""


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """A sentence, the secret in it, and how it reads when it is masked as it should be."""

    language: str
    kind: str
    text: str
    secret: str
    masked: str

    def leaks(self, result: str) -> bool:
        """Whether any of the secret can still be read in what became of the sentence."""
        size = min(_REMNANT, len(self.secret))
        pieces = {self.secret[at : at + size] for at in range(len(self.secret) - size + 1)}
        return any(piece in result and piece not in self.masked for piece in pieces)


def secrets(language: str) -> list[Sentence]:
    """The sentences with a secret, always the same."""
    source = random.Random(f"made up {language}")  # noqa: S311 - made-up values, nothing is protected by them
    return [_sentence(language, line, source) for line in _lines(f"secrets_{language}.txt")]


def ordinary(language: str) -> list[str]:
    """Sentences of ordinary chat with nothing to mask in them."""
    return _lines(f"ordinary_{language}.txt")


def _lines(name: str) -> list[str]:
    return (FOLDER / name).read_text(encoding="utf-8").splitlines()


def _sentence(language: str, line: str, source: random.Random) -> Sentence:
    kind, marked = line.replace("\\n", "\n").split("\t")
    (inner,) = _MARKED.findall(marked)
    secret = _MADE.sub(lambda found: _MAKERS[found[1]](source, found[2] or ""), inner)
    return Sentence(
        language=language,
        kind=kind,
        text=_MARKED.sub(lambda _: secret, marked),
        secret=secret,
        masked=_MARKED.sub(f"[secret:{kind}]", marked),
    )


def _of(characters: str) -> Callable[[random.Random, str], str]:
    return lambda source, size: "".join(source.choices(characters, k=int(size)))


def luhn_digit(digits: str) -> str:
    """The digit that makes a card number of these."""
    doubled = (int(digit) * (2 if at % 2 == 0 else 1) for at, digit in enumerate(reversed(digits)))
    return str(-sum(n - 9 if n > 9 else n for n in doubled) % 10)


def _card(source: random.Random, prefix: str, size: int = 16) -> str:
    digits = prefix + _of(string.digits)(source, str(size - 1 - len(prefix)))
    return digits + luhn_digit(digits)


def _in_fours(number: str, between: str = " ") -> str:
    return between.join(re.findall(".{1,4}", number))


def _resident(source: random.Random, last: str = "") -> str:
    while True:
        born = f"{source.randint(1950, 2005)}{source.randint(1, 12):02}{source.randint(1, 28):02}"
        digits = f"110101{born}{source.randint(0, 999):03}"
        weights = (2**at % 11 for at in range(17, 0, -1))
        check = "10X98765432"[sum(int(d) * w for d, w in zip(digits, weights, strict=True)) % 11]
        if last in ("", check):
            return digits + check


def _iban(source: random.Random, country: str) -> str:
    bank = {"DE": "", "GB": "WEST", "FR": "", "NL": "ABNA"}[country]
    account = bank + _of(string.digits)(source, str({"DE": 18, "GB": 14, "FR": 23, "NL": 10}[country]))
    number = int("".join(str(int(c, 36)) for c in f"{account}{country}00"))
    return f"{country}{98 - number % 97:02}{account}"


def _jwt(source: random.Random, _: str) -> str:
    url = _of(_URL)
    return f"eyJhbGciOiJIUzI1NiJ9.eyJ{url(source, '60')}.{url(source, '43')}"


def _pem(source: random.Random, prefix: str) -> str:
    body = "\n".join(_of(_B64)(source, "64") for _ in range(12))
    name = f"{prefix.strip()} PRIVATE KEY"
    return f"-----BEGIN {name}-----\n{body}\n-----END {name}-----"


def _words(source: random.Random, count: str) -> str:
    return " ".join(source.choices(_WORDS, k=int(count)))


_URL = string.ascii_letters + string.digits + "-_"
_B62 = string.ascii_letters + string.digits
_B64 = _B62 + "+/"
_B58 = "".join(sorted(set(_B62) - set("0OIl")))
_WORDS = [
    "abandon",
    "ability",
    "able",
    "about",
    "above",
    "absent",
    "absorb",
    "abstract",
    "absurd",
    "abuse",
    "access",
    "accident",
    "account",
    "accuse",
    "achieve",
    "acid",
    "acoustic",
    "acquire",
    "across",
    "act",
    "action",
    "actor",
    "actress",
    "actual",
    "adapt",
    "add",
    "addict",
    "address",
    "adjust",
    "admit",
    "adult",
    "advance",
    "advice",
    "aerobic",
    "affair",
    "afford",
    "afraid",
    "again",
    "age",
    "agent",
    "agree",
    "ahead",
    "aim",
    "air",
    "airport",
    "aisle",
    "alarm",
    "album",
    "alcohol",
    "alert",
    "alien",
    "all",
    "alley",
    "allow",
    "almost",
    "alone",
    "alpha",
    "already",
    "also",
    "alter",
    "always",
    "amateur",
    "amazing",
    "among",
]

_MAKERS: dict[str, Callable[[random.Random, str], str]] = {
    "digits": _of(string.digits),
    "hex": _of("0123456789abcdef"),
    "b62": _of(_B62),
    "b64": _of(_B64),
    "url": _of(_URL),
    "lower": _of(string.ascii_lowercase),
    "alpha": _of(string.ascii_letters),
    "upper": _of(string.ascii_uppercase + string.digits),
    "upper1": _of(string.ascii_uppercase),
    "base32": _of(string.ascii_uppercase + "234567"),
    "zhwords": lambda source, count: " ".join(
        source.sample("的一是在不了有和人这中大为上个国我以要他时来用们", int(count))
    ),
    "words": _words,
    "card": lambda source, prefix: _card(source, prefix or "4"),
    "card4": lambda source, prefix: _in_fours(_card(source, prefix or "4")),
    "card-": lambda source, prefix: _in_fours(_card(source, prefix or "4"), "-"),
    "amex": lambda source, _: _card(source, "37", 15),
    "union19": lambda source, _: _card(source, "6222", 19),
    "union16": lambda source, _: _card(source, "6225"),
    "union4": lambda source, _: _in_fours(_card(source, "6217", 19)),
    "idcard": lambda source, _: _resident(source),
    "idcardx": lambda source, _: _resident(source, "X"),
    "idspaced": lambda source, _: re.sub(r"^(.{6})(.{8})", r"\1 \2 ", _resident(source)),
    "oldid": lambda source, _: (
        f"110101{source.randint(50, 85)}0{source.randint(1, 9)}1{_of('0123456789')(source, '4')}"
    ),
    "ssn": lambda source, _: (
        f"{source.randint(100, 665)}-{source.randint(10, 99)}-{source.randint(1000, 9999)}"
    ),
    "nino": lambda source, _: f"AB{source.randint(100000, 999999)}C",
    "nino4": lambda source, _: "JK {} {} {} D".format(*(source.randint(10, 99) for _ in range(3))),
    "iban": _iban,
    "iban4": lambda source, country: _in_fours(_iban(source, country)),
    "jwt": _jwt,
    "pem": _pem,
    "wif": lambda source, _: "5" + source.choice("HJK") + _of(_B58)(source, "49"),
    "uuid": lambda source, _: "-".join(
        _of("0123456789abcdef")(source, size) for size in ("8", "4", "4", "4", "12")
    ),
}


def exchanges() -> list[tuple[str, str, str]]:
    """What was asked, the answer, and the answer with `«»` in the place of each secret."""
    pairs = (line.split("\t") for line in (FOLDER / "exchanges.txt").read_text("utf-8").splitlines())
    return [(asked, _MARKED.sub(r"\1", answer), _MARKED.sub("«»", answer)) for asked, answer in pairs]
