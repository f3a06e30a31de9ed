"""Whether somebody asks to remember something, plainly or not (design 5.2).

The rules keep at once what is plainly asked for. What is not so plain is for the model, and must not wait
until the chat has been idle for long. Here a wrong yes costs no more than an early question.
"""

import re

_LENGTH = 2_000
_CUE = re.compile(
    r"(?<!do you )(?<!did you )(?<!\bi )(?<!\bwe )(?<!can't )(?<!cannot )(?<!don't )\bremember\b"
    r"|\b(?:don't|do not|never) forget\b|\bkeep in mind\b|\b(?:make|take) a note\b|\bnote that\b"
    r"|(?:[请帮]|帮我|你要|要|一定|务必|给我|麻烦).{0,3}记[住得下着]|记住|记下|记一下|记好|(?:别|不要)忘",
    re.IGNORECASE,
)


def asks_to_remember(text: str) -> bool:
    """Whether the words look like a request to keep something in memory."""
    return bool(_CUE.search(text[:_LENGTH]))
