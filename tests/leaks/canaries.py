"""Words that nobody says by chance: what is looked for in replies, and what is asked for in questions."""

from dataclasses import dataclass, field
from random import Random

_CONSONANTS = "bdfgklmnprtvz"
_VOWELS = "aeiou"
_CHARACTERS = (
    "鲸鹭樟藤琥珀砚瓷篱榕鹤鲈葵茉檀柚枇杷橄榄蘑菇蜻蜓鹦鹉骆驼麒麟蝙蝠蟋蟀螃蟹琵琶葫芦玫瑰芙蓉鸳鸯凤凰"
)


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two words that stand side by side: one asks for a thing, the other tells that it was shown.

    A reply may repeat a question, so what is asked for must never be what is looked for.
    """

    hook: str
    canary: str
    chinese: bool

    @property
    def both(self) -> str:
        """As they are said."""
        return f"{self.hook}{self.canary}" if self.chinese else f"{self.hook} {self.canary}"


@dataclass
class Words:
    """Makes them; none twice, none within another."""

    random: Random
    _made: list[str] = field(default_factory=list[str])

    def pair(self, *, chinese: bool) -> Pair:
        """A new one."""
        return Pair(hook=self._word(chinese=chinese), canary=self._word(chinese=chinese), chinese=chinese)

    def _word(self, *, chinese: bool) -> str:
        while True:
            word = self._chinese() if chinese else self._english()
            if not any(word in other or other in word for other in self._made):
                self._made.append(word)
                return word

    def _english(self) -> str:
        return "".join(self.random.choice(_CONSONANTS) + self.random.choice(_VOWELS) for _ in range(5))

    def _chinese(self) -> str:
        return "".join(self.random.sample(_CHARACTERS, 4))
