"""Runs the cases of `provider_edges.py` in a process of their own, for they import the host."""

from pathlib import Path

from tests.host.cases import run_cases


def test_whatever_a_provider_does_one_kind_of_error_comes_out(tmp_path: Path) -> None:
    run_cases("provider_edges.py", folder=tmp_path)
