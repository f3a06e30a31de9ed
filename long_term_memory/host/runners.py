"""Which agent answers a chat: the host's own, or a third party's, whose messages no plugin sees."""

from collections.abc import Mapping
from typing import cast

OWN = "local"
"""What the host calls its own agent."""


def runner_of(config: Mapping[str, object]) -> str:
    """The kind of agent that a chat with this configuration of the host is answered by, such as `coze`."""
    runner = _section(config, "agent_runner").get("runner_type")
    # Hosts before 4.29 keep it among the settings of the providers.
    return str(runner or _section(config, "provider_settings").get("agent_runner_type") or OWN)


def _section(config: Mapping[str, object], name: str) -> Mapping[str, object]:
    found = config.get(name)
    return cast("Mapping[str, object]", found) if isinstance(found, Mapping) else {}
