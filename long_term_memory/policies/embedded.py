"""Texts to embed of facts and messages, and the model tags of their vectors.

Recall embeds a fact with its quote and the message that the quote answers: "Blue, of course" alone says
little. The merge compares facts alone, because facts from one message would look alike by common words.
"""

MAX_FACT = 600
MAX_QUOTE = 600
MAX_ANSWERED = 300
"""Characters of each part; of the answered message the end counts, where a question is."""
MAX_MESSAGE = 1_500
"""Characters of a message of the transcript."""


def bare(model_id: str) -> str:
    """The model tag of the vectors of facts alone; facts in context have the model id itself."""
    return f"{model_id}#fact"


def in_context(fact: str, answered: str, quote: str) -> str:
    """The text of a fact for recall: without a quote the fact alone."""
    return "\n".join(filter(None, (alone(fact), quote and answered, quote)))


def alone(fact: str) -> str:
    """The text of a fact for comparison."""
    return fact[:MAX_FACT]


def spoken(name: str, text: str) -> str:
    """Words behind the name of their speaker, if there is one."""
    return f"{name}: {text}" if name else text
