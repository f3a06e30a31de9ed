"""The program that the host's process runs: `astrbot`, with coverage measured from the plugin under test on.

With `--template` it only imports the libraries that take most of the host's start, says that it is ready, and
forks a host for each order: one JSON object a line on its input, answered with the pid; a pid is answered
with the exit code, once it has ended. It runs in a process of its own, so it imports nothing of the harness.
"""

import email
import gc
import importlib
import importlib.abc
import importlib.metadata
import json
import os
import re
import signal
import sys
from contextlib import suppress
from functools import cache
from typing import Any

_VARIABLE = "COVERAGE_PROCESS_CONFIG"
_PLUGIN = "data.plugins.astrbot_plugin_ltm"
_LIBRARIES = (
    "openai",
    "anthropic",
    "mcp",
    "google.genai",
    "fastapi",
    "sqlmodel",
    "sqlalchemy.ext.asyncio",
    "sqlalchemy.dialects.sqlite.aiosqlite",
    "alembic.command",
    "dashscope",
    "quart",
    "aiohttp.web",
    "httpx",
    "hypercorn.asyncio",
    "apscheduler.schedulers.asyncio",
    "pydantic_settings",
    "PIL.Image",
    "pypdf",
    "cryptography",
    "jwt",
    "pyotp",
    "yaml",
    "rich",
    "jieba",
    "psutil",
    "tenacity",
    "docstring_parser",
    "jsonschema",
    "numpy",
)


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


def _run() -> None:
    from astrbot.cli.__main__ import cli  # noqa: PLC0415 - it reads the environment of the one host

    # A process started from a background job inherits SIGINT as ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if "HARNESS_COVERAGE" in os.environ:
        sys.meta_path.insert(0, _CoverageStarter(os.environ.pop("HARNESS_COVERAGE")))
    cli()


def _serve() -> None:
    # What costs most of a reload: the patterns, and whether all requirements are installed.
    re._MAXCACHE = 100_000  # pyright: ignore[reportAttributeAccessIssue] - private
    email.message_from_string = cache(email.message_from_string)
    for installed in importlib.metadata.distributions():
        _ = installed.metadata
    for name in _LIBRARIES:
        with suppress(ImportError):  # the host brings it no more
            importlib.import_module(name)
    gc.freeze()
    _answer("ready")
    for line in sys.stdin:
        order = json.loads(line)
        if isinstance(order, int):
            answer = os.waitstatus_to_exitcode(os.waitpid(order, 0)[1])
        elif (answer := os.fork()) == 0:
            _become(order)
            _run()
            return
        _answer(answer)


def _answer(what: object) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


def _become(order: dict[str, Any]) -> None:
    """What `subprocess.Popen` would have made different."""
    os.setsid()
    os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["environment"])
    log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    for file, number in ((os.open(os.devnull, os.O_RDONLY), 0), (log, 1), (log, 2)):
        os.dup2(file, number)
    sys.argv[1:] = order["arguments"]


if __name__ == "__main__":
    if sys.argv[1:] == ["--template"]:
        _serve()
    else:
        _run()
