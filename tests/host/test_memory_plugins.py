"""Other memory plugins on a running host."""

import zipfile
from pathlib import Path

from tests.host.harness.dashboard import data
from tests.host.harness.host import Host
from tests.host.harness.plugin import Plugin

_CODE = """
from astrbot.api.event import filter
from astrbot.api.star import Star


class Main(Star):
{hook}
    async def remember(self, event, request=None):
        pass
"""
_ADDS = "    @filter.on_llm_request()"
_TIDIES = '    @filter.command("tidy")'


def _installed(host: Host, folder: Path, name: str, hook: str) -> Plugin:
    about = f'name: {name}\ndesc: It remembers.\nversion: "1.0.0"\nauthor: tests\n'
    archive = folder / f"{name}.zip"
    with zipfile.ZipFile(archive, "w") as package:
        package.writestr(f"{name}/main.py", _CODE.format(hook=hook))
        package.writestr(f"{name}/metadata.yaml", about)
    plugin = Plugin(host.dashboard, name)
    plugin.install(archive)
    return plugin


def test_one_that_is_enabled_and_adds_to_requests_is_named(spare_host: Host, tmp_path: Path) -> None:
    named = ("livingmemory", _ADDS), ("weather_report", _ADDS), ("memory_tidier", _TIDIES)
    plugins = [_installed(spare_host, tmp_path, name, hook) for name, hook in named]
    assert data(spare_host.plugin.get("health"))["memory_plugins"] == ["livingmemory"]
    plugins[0].disable()
    assert data(spare_host.plugin.get("health"))["memory_plugins"] == []
    for plugin in plugins:
        plugin.uninstall()
