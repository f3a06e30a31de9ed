"""Runs the cases of `conversation_edges.py` in a process of their own, for they import the host."""

from pathlib import Path

from tests.host.cases import run_cases


def test_the_host_is_asked_which_conversation_it_is(tmp_path: Path) -> None:
    run_cases("conversation_edges.py", folder=tmp_path)
