"""What may be wrong with a memory's providers, and what the log is to say of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tests.host.harness.failing import Misbehaviour

EXTRACTION = ("failed and will be tried again", " goes on.")
NOT_EMBEDDED = ("Memories are not embedded for now", "Memories are embedded again.")
RECALL = ("The embedding provider does not answer in time", "answers again: recall uses vectors")
COMPARING = ("The embedding provider does not answer (", "answers again: new facts are compared")
"""What the log says when a thing goes, and when it is back."""
NOWHERE = f"http://{'x' * 64}.invalid/v1"
"""No name of a host is that long, so nobody is asked for it."""
ELSEWHERE: Mapping[str, Callable[[str], str]] = {
    "TLS garbage": lambda url: url.replace("http:", "https:"),
    "unknown name": lambda _: NOWHERE,
}


@dataclass(frozen=True, kw_only=True)
class Trouble:
    """What is wrong with the providers for a while: each answers wrongly, or is not where it should be."""

    name: str
    chatting: Misbehaviour | None = None
    embedding: Misbehaviour | None = None
    moved: Callable[[str], str] | None = None
    """Where both are looked for instead of where they are."""
    shut: bool = False
    """Whether nobody listens there."""

    @property
    def chats_wrongly(self) -> bool:
        return bool(self.chatting or self.moved or self.shut)

    @property
    def embeds_wrongly(self) -> bool:
        return bool(self.embedding or self.moved or self.shut)


def unexpected(told: Sequence[str], trouble: Trouble) -> list[str]:
    """What the log says beside one line for each thing that goes and one when it is back."""
    faults, rest = list[str](), list(told)
    asked: dict[tuple[str, str], bool] = {EXTRACTION: trouble.chats_wrongly, RECALL: trouble.embeds_wrongly}
    asked[NOT_EMBEDDED] = trouble.embeds_wrongly and not trouble.chats_wrongly
    for pair in (EXTRACTION, NOT_EMBEDDED, RECALL, COMPARING):
        down, back = ([line for line in told if part in line] for part in pair)
        rest = [line for line in rest if line not in {*down, *back}]
        if len(down) != len(back) or len(down) > 1 or (asked.get(pair) and not down):
            faults.append(f"{len(down)} lines down and {len(back)} back: {pair[0]}")
    return faults + rest
