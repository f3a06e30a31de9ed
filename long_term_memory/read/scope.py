"""Stage 1, scope: what this request may see and what it looks for, bounded (design 6.1)."""

from ..domain.chat import Access
from ..domain.reading import Query, Request
from ..policies.relevance import content_words

MAX_QUERY_CHARS = 2_000
"""A longer message keeps its two ends: what is asked stands before or after what was pasted."""


def scope(access: Access, query: Query) -> Request:
    """Bound the query and bind it to its access, which alone decides what any later stage may see."""
    text = _bounded(query.text.strip())
    return Request(access=access, at=query.at, text=text, words=" ".join(content_words(text)))


def _bounded(text: str) -> str:
    half = MAX_QUERY_CHARS // 2
    return text if len(text) <= MAX_QUERY_CHARS else f"{text[: half - 1]}\n{text[-half:]}"
