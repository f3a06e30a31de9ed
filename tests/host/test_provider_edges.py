"""Runs the cases of `provider_edges.py` in a process of their own, for they import the host."""

import subprocess
import sys
from pathlib import Path

CASES = Path(__file__).with_name("provider_edges.py")
CONFIG = Path(__file__).parents[2] / "pyproject.toml"


def test_whatever_a_provider_does_one_kind_of_error_comes_out(tmp_path: Path) -> None:
    pytest = [sys.executable, "-m", "pytest", "-q", "-c", str(CONFIG), "-o", "filterwarnings=ignore"]
    run = subprocess.run([*pytest, str(CASES)], cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    assert run.returncode == 0, run.stdout
    assert " passed" in run.stdout
