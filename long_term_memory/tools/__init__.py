"""The tools a model is given: pure functions of a manager, the message that is answered, and arguments."""

from .memory import MEMORY_TOOLS
from .session_search import SESSION_SEARCH_TOOLS
from .tool import Tool

TOOLS: dict[str, Tool] = {tool.name: tool for tool in (*MEMORY_TOOLS, *SESSION_SEARCH_TOOLS)}
"""All there are, by name."""

__all__ = ["MEMORY_TOOLS", "SESSION_SEARCH_TOOLS", "TOOLS", "Tool"]
