"""Whose answer the bot is working on at the moment."""

MAX_RUNS = 1_000
"""Runs remembered: the host does not tell of all of them that they ended."""

type Speaker = tuple[str, str]
"""A chat and a person in it."""


class Runs:
    """The speakers for whom an agent runs, as far as is known.

    What such a speaker says meanwhile the host may hand to the running agent as a note: then no turn of its
    own ever ends with it.
    """

    def __init__(self) -> None:
        self._speakers: dict[Speaker, None] = {}

    def began(self, speaker: Speaker) -> None:
        """Note that the bot begins to answer."""
        self.ended(speaker)
        self._speakers[speaker] = None
        if len(self._speakers) > MAX_RUNS:
            self.ended(next(iter(self._speakers)))

    def ended(self, speaker: Speaker) -> None:
        """Note that it has answered."""
        self._speakers.pop(speaker, None)

    def __contains__(self, speaker: Speaker) -> bool:
        """Whether the bot is answering this speaker; perhaps it has given up."""
        return speaker in self._speakers
