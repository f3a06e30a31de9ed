"""What commands and the page change in the plugin's configuration, so that it is still so after a restart."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# AstrBot's own signatures are only partly typed.

import asyncio

from astrbot.api import AstrBotConfig

from ..policies.memory_policies import PoliciesJson, Setting


class ConfigFile:
    """The host's file of this plugin's settings."""

    def __init__(self, config: AstrBotConfig) -> None:
        self._config = config

    async def keep_policies(self, policies: PoliciesJson) -> None:
        """Write down both policies; what else is in their sections stays."""
        for name, policy in policies.items():
            section = dict(self._config.get(f"{name}_policy") or {})
            section |= {key: value for key, value in policy.items() if not _same(section.get(key), value)}
            self._config[f"{name}_policy"] = section
        await asyncio.to_thread(self._config.save_config)

    async def keep_read_only(self, on: bool) -> None:  # noqa: FBT001  the value of the setting
        """Write down whether nothing may be written."""
        self._config["emergency_read_only"] = on
        await asyncio.to_thread(self._config.save_config)


def _same(kept: object, value: Setting) -> bool:
    """Whether it says so already: a list of names is in no order, and the operator's is left as it is."""
    if isinstance(kept, list) and isinstance(value, list):
        return set(kept) == set(value)
    return kept == value
