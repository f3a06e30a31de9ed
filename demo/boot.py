"""The demo's host: the plugin on its own defaults, a stand-in or a real model."""

import os
from pathlib import Path

from tests.host.harness.host import Host
from tests.host.harness.scripted_model import Endpoint
from tests.host.harness.settings import HostSettings


def demo_host(root: Path, endpoint: Endpoint) -> Host:
    """Build the demo's host, not started yet; what the folder holds already is kept."""
    return Host(root, HostSettings(chat=endpoint), plugin_config={})


def real_endpoint() -> Endpoint | None:
    """Take the real model that the environment names, if it names one."""
    base_url, api_key = os.environ.get("OPENAI_BASE_URL"), os.environ.get("OPENAI_API_KEY")
    if not base_url and not api_key:
        return None
    return Endpoint(
        base_url=base_url or "https://api.openai.com/v1",
        model=os.environ.get("OPENAI_MODEL", "gpt-4o-mini"),
        api_key=api_key or "none",
    )
