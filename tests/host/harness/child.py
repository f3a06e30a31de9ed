"""The program that the host's process runs: `astrbot`, with coverage measured from the plugin under test on.

It runs in a process of its own, so it imports nothing of the harness.
"""

import importlib.abc
import os
import signal
import sys

from astrbot.cli.__main__ import cli

_VARIABLE = "COVERAGE_PROCESS_CONFIG"
_PLUGIN = "data.plugins.astrbot_plugin_ltm"


class _CoverageStarter(importlib.abc.MetaPathFinder):
    """Finds no module, but starts coverage when the plugin under test is looked for.

    Measured from the start, the host's many imports would take ten times as long.
    """

    def __init__(self, config: str) -> None:
        self._config = config

    def find_spec(self, fullname: str, *_: object) -> None:
        """Start coverage if the module is the plugin."""
        if fullname == _PLUGIN:
            sys.meta_path.remove(self)
            os.environ[_VARIABLE] = self._config
            import coverage  # noqa: PLC0415 - only where something is measured

            coverage.process_startup()


if __name__ == "__main__":
    # A process started from a background job inherits SIGINT as ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if "HARNESS_COVERAGE" in os.environ:
        sys.meta_path.insert(0, _CoverageStarter(os.environ.pop("HARNESS_COVERAGE")))
    cli()
