"""Runs the cases of `tool_edges.py` in a process of their own, for they import the host."""

from pathlib import Path

from tests.host.cases import run_cases


def test_the_tools_hold_where_host_or_memory_does_not(tmp_path: Path) -> None:
    run_cases("tool_edges.py", folder=tmp_path)
