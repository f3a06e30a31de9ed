"""Puts a block into a request so that it reaches the model, is not saved, and keeps the prompt cache."""

from collections.abc import Mapping
from typing import cast

from astrbot.api.provider import ProviderRequest
from astrbot.core.agent.message import Message, TextPart

from ..settings import Injection

OWN = "local"
"""What the host calls its own agent."""

_WITHOUT_SYSTEM_PROMPT = frozenset({"dashscope"})
_BY_PROMPT_ALONE = _WITHOUT_SYSTEM_PROMPT | {"coze"}
"""Coze is given a system prompt with the first message of a conversation only, Dashscope never."""


def inject(messages: list[Message], block: str, caution: str, injection: Injection) -> bool:
    """Add the block to the request about to be sent; False when there is no message to carry it.

    `user`: a temporary part before the user's own text, and the constant caution at the end of the system
    prompt. `system`: block and caution at the head of the system prompt. The host saves neither
    its first system message nor parts marked temporary.
    """
    system = messages[0] if messages and messages[0].role == "system" else None
    user = messages[-1] if messages and messages[-1].role == "user" else None
    if injection == "system" and system is not None and isinstance(system.content, str):
        system.content = f"{block}\n{caution}\n\n{system.content}"
        return True
    if user is None:
        return False
    if system is not None and isinstance(system.content, str):
        system.content = f"{system.content}\n\n{caution}"
        _put_before(user, block)
    else:
        # Without a system prompt a new system message would be saved and sent again each turn.
        _put_before(user, f"{caution}\n{block}")
    return True


def inject_elsewhere(
    request: ProviderRequest, block: str, caution: str, injection: Injection, *, runner: str
) -> bool:
    """Add the block to what an agent of a third party is about to be sent; False where it would not reach it.

    It goes to the head of the system prompt. To an agent that takes none each time it goes before the user's
    words, which the third party saves; with `system` it never does.
    """
    if runner in _WITHOUT_SYSTEM_PROMPT and injection == "system":
        return False
    if runner in _BY_PROMPT_ALONE and injection == "user":
        request.prompt = f"{caution}\n{block}\n\n{request.prompt or ''}"
    else:
        request.system_prompt = f"{block}\n{caution}\n\n{request.system_prompt or ''}"
    return True


def carries(messages: list[Message], block: str) -> bool:
    """Whether a request has this block already."""
    return any(block in text for message in messages[:1] + messages[-1:] for text in _texts(message))


def _texts(message: Message) -> list[str]:
    if isinstance(message.content, str):
        return [message.content]
    return [part.text for part in message.content or () if isinstance(part, TextPart)]


def _put_before(user: Message, text: str) -> None:
    part = TextPart(text=f"{text}\n").mark_as_temp()
    if isinstance(user.content, list):
        user.content = [part, *user.content]
    else:
        user.content = [part, TextPart(text=user.content if isinstance(user.content, str) else "")]


def runner_of(config: Mapping[str, object]) -> str:
    """The kind of agent that a chat with this configuration of the host is answered by, such as `coze`."""
    runner = _section(config, "agent_runner").get("runner_type")
    # Hosts before 4.29 keep it among the settings of the providers.
    return str(runner or _section(config, "provider_settings").get("agent_runner_type") or OWN)


def _section(config: Mapping[str, object], name: str) -> Mapping[str, object]:
    found = config.get(name)
    return cast("Mapping[str, object]", found) if isinstance(found, Mapping) else {}
