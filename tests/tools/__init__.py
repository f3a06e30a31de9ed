"""The tools for the model."""

from astrbot_plugin_ltm.long_term_memory.model_tools import MEMORY_TOOLS, SESSION_SEARCH_TOOLS

TOOLS = {tool.name: tool for tool in (*MEMORY_TOOLS, *SESSION_SEARCH_TOOLS)}
"""All there are, by name."""
