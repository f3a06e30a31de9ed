"""What operators switch counts at once, and they are told when it does not last."""

from pathlib import Path

import pytest
from astrbot_plugin_ltm.dashboard_routes.policy import set_mode, set_read_only
from astrbot_plugin_ltm.long_term_memory.domain.enums import Mode
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import PoliciesJson

from tests.dashboard_routes.at_work import sent, serving
from tests.running import World


class FullDisk(World):
    """The settings file cannot be written."""

    async def _keep_policies(self, policies: PoliciesJson) -> None:
        raise OSError(f"no space left for {policies}")

    async def _save_read_only(self, on: bool) -> None:
        raise OSError(f"no space left for {on}")


async def test_a_switch_that_cannot_be_kept_is_set_and_said_to_end(tmp_path: Path) -> None:
    async with serving(FullDisk(tmp_path / "host.db")) as service:
        with pytest.raises(UnavailableError, match="lost at the next restart"):
            await set_mode(service, sent({"mode": "manual"}))
        assert service.manager().mode is Mode.MANUAL
        with pytest.raises(UnavailableError, match="lost at the next restart"):
            await set_read_only(service, sent({"on": True}))
        assert service.manager().switches.read_only
