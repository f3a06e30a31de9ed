"""Runs the cases of `event_edges.py` in a process of their own, for they import the host."""

from pathlib import Path

from tests.host.cases import run_cases


def test_the_hosts_messages_are_read_as_what_they_are(tmp_path: Path) -> None:
    run_cases("event_edges.py", folder=tmp_path)
