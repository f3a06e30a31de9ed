"""What one message puts before the model."""

from typing import Any

from .host import Host
from .people import Person
from .recorded import RecordedRequest
from .scripted_model import ScriptedModel


def request_of(host: Host, model: ScriptedModel, person: Person, text: str, **how: Any) -> RecordedRequest:
    """Let a person say something that the model answers at once, and return its only request."""
    before = len(model.chat_requests)
    host.turn(person, text, **how)
    [request] = model.chat_requests[before:]
    return request


def block_given(host: Host, model: ScriptedModel, person: Person, text: str, **how: Any) -> str:
    """Let a person say something, and return the memory block the model got with it; empty without one."""
    return request_of(host, model, person, text, **how).memory_block or ""
