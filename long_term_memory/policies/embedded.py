"""Texts to embed of facts and messages, and the model tags of their vectors.

Recall embeds a fact with its quote and the message that the quote answers: "Blue, of course" alone says
little. The merge compares facts alone, because facts from one message would look alike by common words.
"""

from dataclasses import dataclass

MAX_FACT = 600
MAX_QUOTE = 600
MAX_ANSWERED = 300
"""Characters of each part; of the answered message the end counts, where a question is."""
MAX_MESSAGE = 1_500
"""Characters of a message of the transcript."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """Words with their speaker, empty for none."""

    name: str
    text: str


def bare(model_id: str) -> str:
    """The model tag of the vectors of facts alone; facts in context have the model id itself."""
    return f"{model_id}#fact"


def in_context(fact: str, quote: Line | None, answered: Line | None) -> str:
    """The text of a fact for recall."""
    if quote is None:
        return alone(fact)
    lines = [alone(fact)]
    if answered is not None:
        lines.append(_said(answered.name, answered.text[-MAX_ANSWERED:]))
    return "\n".join((*lines, _said(quote.name, quote.text[:MAX_QUOTE])))


def alone(fact: str) -> str:
    """The text of a fact for comparison."""
    return fact[:MAX_FACT]


def of_message(line: Line) -> str:
    """The text of a message for the search of the transcript."""
    return _said(line.name, line.text[:MAX_MESSAGE])


def _said(name: str, text: str) -> str:
    return f"{name}: {text}" if name else text
