"""What a command comes to: a text, and for some a file."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class File:
    """What is handed over beside the text."""

    name: str
    """As the person is to see it."""
    content: bytes


@dataclass(frozen=True, kw_only=True)
class Reply:
    """The answer to one message."""

    text: str
    file: File | None = None
