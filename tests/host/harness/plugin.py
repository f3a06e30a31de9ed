"""A plugin as the dashboard sees it: its routes, its configuration, its life."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from .dashboard import Dashboard, data
from .plugin_files import PLUGIN
from .settings import merged


class Plugin:
    """One plugin of a running host."""

    def __init__(self, dashboard: Dashboard, name: str = PLUGIN) -> None:
        self.name = name
        self._dashboard = dashboard

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Call a route of the plugin, such as `items`; the options are httpx's."""
        return self._dashboard.request(method, f"plugins/extensions/{self.name}/{path}", **options)

    def get(self, path: str, **options: Any) -> httpx.Response:
        """Send a GET to a route of the plugin."""
        return self.request("GET", path, **options)

    def post(self, path: str, **options: Any) -> httpx.Response:
        """Send a POST to a route of the plugin."""
        return self.request("POST", path, **options)

    def put(self, path: str, **options: Any) -> httpx.Response:
        """Send a PUT to a route of the plugin."""
        return self.request("PUT", path, **options)

    def patch(self, path: str, **options: Any) -> httpx.Response:
        """Send a PATCH to a route of the plugin."""
        return self.request("PATCH", path, **options)

    def delete(self, path: str, **options: Any) -> httpx.Response:
        """Send a DELETE to a route of the plugin."""
        return self.request("DELETE", path, **options)

    def install(self, archive: Path) -> None:
        """Install or upgrade from a zip."""
        files = {"file": (archive.name, archive.read_bytes(), "application/zip")}
        data(self._dashboard.post("plugins/install/upload", files=files))

    def uninstall(self, *, delete_config: bool = False, delete_data: bool = False) -> None:
        """Remove the plugin; by default its configuration and data stay."""
        body = {"delete_config": delete_config, "delete_data": delete_data}
        data(self._dashboard.delete(f"plugins/{self.name}", json=body))

    def reload(self) -> None:
        """Unload and load the plugin."""
        data(self._dashboard.post(f"plugins/{self.name}/reload"))

    def enable(self) -> None:
        """Switch the plugin on."""
        data(self._dashboard.patch(f"plugins/{self.name}/enabled", json={"enabled": True}))

    def disable(self) -> None:
        """Switch the plugin off."""
        data(self._dashboard.patch(f"plugins/{self.name}/enabled", json={"enabled": False}))

    def config(self) -> dict[str, Any]:
        """Read the stored configuration."""
        return data(self._dashboard.get(f"plugins/{self.name}/config"))["config"]

    def save_config(self, config: dict[str, Any]) -> None:
        """Save the configuration as the dashboard does, which reloads the plugin."""
        data(self._dashboard.put(f"plugins/{self.name}/config", json={"config": config}))

    @contextmanager
    def configured(self, changes: Mapping[str, Any]) -> Generator[None]:
        """Run with some settings changed, as saved in the dashboard; at the end they are as before."""
        before = self.config()
        if changes:
            self.save_config(merged(before, changes))
        try:
            yield
        finally:
            self.save_config(before)

    def info(self) -> dict[str, Any] | None:
        """Describe the plugin as the dashboard lists it, or None if the host does not have it."""
        plugins: list[dict[str, Any]] = data(self._dashboard.get("plugins"))
        return next((plugin for plugin in plugins if plugin["name"] == self.name), None)

    def failure(self) -> dict[str, Any] | None:
        """Say why the plugin could not be loaded, or None."""
        failed: dict[str, dict[str, Any]] = data(self._dashboard.get("plugins/failed"))
        return failed.get(self.name)
