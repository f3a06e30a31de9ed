"""Runs the cases of `file_edges.py` in a process of their own, for they import the host."""

from pathlib import Path

from tests.host.cases import run_cases


def test_files_come_and_go_whole(tmp_path: Path) -> None:
    run_cases("file_edges.py", folder=tmp_path)
