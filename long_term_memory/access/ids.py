"""Ids inside ids: a part without `:`, so that the `:` behind it ends it (design 6.1)."""

import re

_MARKED = re.compile(r"!([!.])")


def escaped(part: str) -> str:
    """Rid the part of `:`, one to one; the host keeps `!` out of platform ids, so those stay the same."""
    return part.replace("!", "!!").replace(":", "!.")


def unescaped(part: str) -> str:
    """The part as it was."""
    return _MARKED.sub(lambda found: "!" if found[1] == "!" else ":", part)
