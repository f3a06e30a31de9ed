"""A tool for turns with tool calls."""

from typing import Any

from astrbot.core.agent.run_context import ContextWrapper
from astrbot.core.agent.tool import FunctionTool
from astrbot.core.astr_agent_context import AstrAgentContext
from pydantic import Field
from pydantic.dataclasses import dataclass

_PARAMETERS = {
    "type": "object",
    "properties": {"city": {"type": "string", "description": "the city"}},
    "required": ["city"],
}


@dataclass
class WeatherTool(FunctionTool[AstrAgentContext]):
    """Knows the weather everywhere but in Atlantis, where asking fails."""

    name: str = "test_weather"
    description: str = "The weather in a city."
    parameters: dict[str, Any] = Field(default_factory=lambda: _PARAMETERS)

    async def call(self, context: ContextWrapper[AstrAgentContext], **kwargs: Any) -> str:
        """Say what the weather is."""
        del context
        if kwargs["city"] == "Atlantis":
            message = "no such city: Atlantis"
            raise LookupError(message)
        return f"Sunny in {kwargs['city']}."
