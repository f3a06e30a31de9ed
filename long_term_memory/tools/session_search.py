"""`session_search`: what was said in earlier conversations, as far as this chat may show it (design 8)."""

from ..domain.chat import Turn
from ..domain.transcript import Said
from ..manager import LTMManager
from .tool import Arguments, Tool, count_of, reply, text_of


async def search(manager: LTMManager, turn: Turn, arguments: Arguments) -> str:
    """The messages that answer a text best, without the one that is being answered."""
    query = text_of("session_search", arguments, "query")
    found = await manager.search_transcript(
        turn.chat, query, max_results=count_of(arguments), asked_at=turn.at
    )
    return reply(results=[_shown(said) for said in found], query=query)


def _shown(said: Said) -> dict[str, object]:
    return {
        "role": said.role.value,
        "speaker": said.speaker,
        "said_at": said.said_at.isoformat(),
        "text": said.text,
    }


SESSION_SEARCH_TOOLS = (
    Tool(
        name="session_search",
        description=(
            "Search the messages of earlier conversations, for what remembered facts do not tell:"
            " exact words, numbers, dates, what was discussed or suggested."
        ),
        parameters={
            "type": "object",
            "properties": {"query": {"type": "string"}, "max_results": {"type": "integer"}},
            "required": ["query"],
        },
        run=search,
    ),
)
