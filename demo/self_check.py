"""The demo's conversation, held by itself: what is remembered must reach the model."""

import tempfile
from pathlib import Path

from tests.host.harness.host import Host
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.waiting import wait_for

from .boot import demo_host
from .stand_in import take_the_part

_TOLD = "My name is Alice and I'm allergic to peanuts"
_ASKED = "What should I cook?"


def self_check() -> bool:
    """Tell, approve, ask anew; print what happened and say whether the memory came along."""
    with ScriptedModel() as model, tempfile.TemporaryDirectory() as folder:
        take_the_part(model)
        host = demo_host(Path(folder), model.endpoint)
        with host.running():
            return _converse(host, model)


def _converse(host: Host, model: ScriptedModel) -> bool:
    chat = host.new_chat("told")
    _show(host, chat, _TOLD)
    try:
        wait_for(lambda: "peanuts" in host.plugin.get("items").text, timeout=20)
    except TimeoutError:
        print("Nothing was remembered within 20 seconds.")
        return False
    _show(host, chat, "/ltm list")
    _show(host, chat, "/ltm approve all")
    _show(host, host.new_chat("asked"), _ASKED)
    block = model.chat_requests[-1].memory_block
    print(f"The request that reached the model carried:\n{block or 'no memory block'}")
    return block is not None and "Alice" in block and "peanuts" in block


def _show(host: Host, chat: str, text: str) -> None:
    print(f"> {text}\n{host.chat(text, chat).text}\n")
