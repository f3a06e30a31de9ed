"""Puts a block into a request so that it reaches the model, is not saved, and keeps the prompt cache."""

from typing import Literal

from astrbot.core.agent.message import Message, TextPart

type Injection = Literal["user", "system"]


def inject(messages: list[Message], block: str, rule: str, injection: Injection) -> bool:
    """Add the block to the request about to be sent; False when there is no message to carry it.

    `user`: a temporary part before the user's own text, and the constant rule at the end of the system
    prompt. `system`: block and rule at the head of the system prompt (seed 002 7.1). The host saves neither
    its first system message nor parts marked temporary.
    """
    system = messages[0] if messages and messages[0].role == "system" else None
    user = messages[-1] if messages and messages[-1].role == "user" else None
    if injection == "system" and system is not None and isinstance(system.content, str):
        system.content = f"{block}\n{rule}\n\n{system.content}"
        return True
    if user is None:
        return False
    if system is not None and isinstance(system.content, str):
        system.content = f"{system.content}\n\n{rule}"
        _put_before(user, block)
    else:
        # Without a system prompt a new system message would be saved and sent again each turn.
        _put_before(user, f"{rule}\n{block}")
    return True


def _put_before(user: Message, text: str) -> None:
    part = TextPart(text=f"{text}\n").mark_as_temp()
    if isinstance(user.content, list):
        user.content = [part, *user.content]
    else:
        user.content = [part, TextPart(text=user.content if isinstance(user.content, str) else "")]
