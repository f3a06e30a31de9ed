"""Deterministic embeddings: texts that share words or pairs of characters lie near each other."""

import hashlib
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class VectorSpace:
    """A hashed bag of words and character pairs, in a fixed dimension.

    Not of unit length, a vector's norm grows with the text, as some real models' does.
    """

    dimension: int = 64
    unit: bool = True

    def vector(self, text: str) -> list[float]:
        """Embed one text; the empty text gets the zero vector."""
        counts = [0.0] * self.dimension
        for feature in _features(text.lower()):
            digest = hashlib.blake2b(feature.encode(), digest_size=8).digest()
            counts[int.from_bytes(digest[:4]) % self.dimension] += 1.0 if digest[4] & 1 else -1.0
        norm = math.sqrt(sum(count * count for count in counts))
        return [count / norm for count in counts] if self.unit and norm else counts


def _features(text: str) -> Iterator[str]:
    yield from re.findall(r"\w+", text)
    letters = re.sub(r"\W+", "", text)
    yield from (letters[at : at + 2] for at in range(len(letters) - 1))
