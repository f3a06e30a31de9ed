"""What is embedded of a memory and of a message, and what the vectors are tagged with.

A fact is found by its vector together with the words it rests on and the message these answer: "Blue, of
course" alone says little. Facts are compared alone: two told in one breath would look alike by common words.
"""

from dataclasses import dataclass

MAX_FACT = 600
MAX_QUOTE = 600
MAX_ANSWERED = 300
"""Characters of each part; of what is answered the end counts, where a question stands."""
MAX_MESSAGE = 1_500
"""Characters of a message of the transcript."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """What somebody said."""

    name: str
    """Empty where nobody is named."""
    text: str


def bare(model_id: str) -> str:
    """What the vectors of facts alone are tagged with, those of facts in context being the model's own."""
    return f"{model_id}#fact"


def in_context(fact: str, quote: Line | None, answered: Line | None) -> str:
    """The text of a fact by which it is recalled; without a quote it is the fact alone."""
    if quote is None:
        return alone(fact)
    lines = [alone(fact)]
    if answered is not None:
        lines.append(_said(answered.name, answered.text[-MAX_ANSWERED:]))
    return "\n".join((*lines, _said(quote.name, quote.text[:MAX_QUOTE])))


def alone(fact: str) -> str:
    """The text of a fact by which it is compared with others."""
    return fact[:MAX_FACT]


def of_message(line: Line) -> str:
    """The text of a message by which the transcript is searched."""
    return _said(line.name, line.text[:MAX_MESSAGE])


def _said(name: str, text: str) -> str:
    return f"{name}: {text}" if name else text
