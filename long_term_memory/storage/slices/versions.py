"""Which of several versions of a fact counts: the one of the highest level, then the one confirmed last."""

from collections.abc import Callable, Hashable

import numpy as np
from numpy.typing import NDArray

from .documents import Version
from .postings import Ints


def shadowed(identities: Ints, version: Callable[[int], Version]) -> NDArray[np.bool_]:
    """Which documents are an older or lower version of what another of them states.

    `identities` are hashes: whatever has one that occurs twice is asked for its version.
    """
    flags = np.zeros(len(identities), np.bool_)
    order = np.argsort(identities, kind="stable")
    same = np.flatnonzero(identities[order[1:]] == identities[order[:-1]])
    if not len(same):
        return flags
    standing: dict[Hashable, tuple[tuple[object, ...], int]] = {}
    for row in np.unique(order[np.concatenate([same, same + 1])]).tolist():
        found = version(row)
        place = (found.precedence, row)
        other = standing.setdefault(found.identity, place)
        if place > other:
            standing[found.identity] = place
            flags[other[1]] = True
        elif place < other:
            flags[row] = True
    return flags
