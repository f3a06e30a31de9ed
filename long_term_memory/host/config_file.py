"""What commands change in the plugin's configuration, so that it is still so after a restart."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# AstrBot's own signatures are only partly typed.

import asyncio

from astrbot.api import AstrBotConfig

from ..domain.words import Mode


class ConfigFile:
    """The host's file of this plugin's settings."""

    def __init__(self, config: AstrBotConfig) -> None:
        self._config = config

    async def keep_mode(self, mode: Mode) -> None:
        """Write down what automatic writing may do."""
        policy = dict(self._config.get("write_policy") or {})
        self._config["write_policy"] = {**policy, "mode": mode.value}
        await asyncio.to_thread(self._config.save_config)

    async def keep_read_only(self, on: bool) -> None:  # noqa: FBT001  the value of the setting
        """Write down whether nothing may be written."""
        self._config["emergency_read_only"] = on
        await asyncio.to_thread(self._config.save_config)
