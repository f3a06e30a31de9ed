"""Runs the cases of `place_edges.py` in a process of their own, for they import the host."""

from pathlib import Path

from tests.host.cases import run_cases


def test_the_host_is_asked_where_a_message_is(tmp_path: Path) -> None:
    run_cases("place_edges.py", folder=tmp_path)
