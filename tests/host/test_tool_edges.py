"""Runs the cases of `tool_edges.py` in a process of their own, for they import the host."""

import subprocess
import sys
from pathlib import Path

CASES = Path(__file__).with_name("tool_edges.py")
CONFIG = Path(__file__).parents[2] / "pyproject.toml"


def test_the_tools_hold_where_host_or_memory_does_not(tmp_path: Path) -> None:
    pytest = [sys.executable, "-m", "pytest", "-q", "-c", str(CONFIG), "-o", "filterwarnings=ignore"]
    run = subprocess.run([*pytest, str(CASES)], cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    assert run.returncode == 0, run.stdout
    assert " passed" in run.stdout
