"""Cases that import the host, which warns and sets up logging: pytest runs them in a process of their own."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.children import PATIENCE, output

_HERE = Path(__file__).parent
_CONFIG = _HERE.parents[1] / "pyproject.toml"


def run_cases(
    *files: str,
    folder: Path,
    options: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
    within: float = PATIENCE,
) -> str:
    """Run the cases of these files beside this one, in that folder; returns what pytest said.

    Raises:
        EndedError: not all of them pass; what pytest said is in the message.
        StuckError: they take longer than `within` seconds.
    """
    pytest = [sys.executable, "-m", "pytest", "-q", "-c", str(_CONFIG), "-o", "filterwarnings=ignore"]
    cases = [str(_HERE / file) for file in files]
    said = output([*pytest, *options, *cases], cwd=folder, env=env, within=within)
    assert " passed" in said
    return said
