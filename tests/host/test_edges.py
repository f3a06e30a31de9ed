"""Runs every `*_edges.py` in one process of its own, for their cases import the host."""

from pathlib import Path

from tests.host.cases import run_cases

EDGES = sorted(
    path.name for path in Path(__file__).parent.glob("*_edges.py") if path.name != Path(__file__).name
)


def test_the_plugin_takes_the_host_for_what_it_is(tmp_path: Path) -> None:
    run_cases(*EDGES, folder=tmp_path)
