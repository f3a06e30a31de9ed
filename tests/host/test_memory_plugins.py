"""Other memory plugins on a running host."""

from pathlib import Path

from tests.host.conftest import EAGER, HostMaker
from tests.host.harness.dashboard import data
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


def _put(plugins: Path, folder: str, name: str, hook: str) -> None:
    (plugins / folder).mkdir(parents=True)
    (plugins / folder / "main.py").write_text(_CODE.format(hook=hook), encoding="utf-8")
    about = f'name: {name}\ndesc: It remembers.\nversion: "1.0.0"\nauthor: tests\n'
    (plugins / folder / "metadata.yaml").write_text(about, encoding="utf-8")


def test_one_that_is_enabled_and_adds_to_requests_is_named(make_host: HostMaker) -> None:
    host = make_host(plugin_config=EAGER)
    plugins = host.root / "data" / "plugins"
    _put(plugins, "lively", "livingmemory", _ADDS)
    _put(plugins, "memory_folder", "weather_report", _ADDS)
    _put(plugins, "tidy", "memory_tidier", _TIDIES)
    with host.running():
        assert data(host.plugin.get("health"))["memory_plugins"] == ["livingmemory"]
        Plugin(host.dashboard, "livingmemory").disable()
        assert data(host.plugin.get("health"))["memory_plugins"] == []
