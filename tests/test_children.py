"""A child that hangs is killed with its own children, and the test is told what it was."""

import re
import signal
import sys
from pathlib import Path

import pytest

from tests.children import EndedError, StuckError, child, output, run

pytestmark = pytest.mark.torture

NEVER_ENDS = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'print(1, flush=True); input()'])"
"""Nor does its own child, which holds the same pipe."""
HANGS = [sys.executable, "-c", "import time; time.sleep(1_000)"]
ECHOES = [sys.executable, "-c", "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"]


def test_what_it_says_and_how_it_ends_are_told(tmp_path: Path) -> None:
    script = "import os, sys; print('茶', os.getcwd()); print('oh', file=sys.stderr); sys.exit(3)"
    ended = run([sys.executable, "-c", script], cwd=tmp_path)
    assert (ended.returncode, ended.stdout, ended.stderr) == (3, f"茶 {tmp_path}\n", "oh\n")


def test_one_that_does_not_end_in_time_is_killed_and_named() -> None:
    with pytest.raises(StuckError, match=r"time\.sleep\(1_000\)\nwas not done within 0 s"):
        run(HANGS, within=0)


def test_a_failure_comes_with_what_it_complained_of() -> None:
    assert output([sys.executable, "-c", "print('well')"]) == "well\n"
    with pytest.raises(EndedError, match=r"has ended with 1:\nno tea"):
        output([sys.executable, "-c", "raise SystemExit('no tea')"])


def test_a_long_program_is_cut_off() -> None:
    with pytest.raises(EndedError) as told:
        output([sys.executable, "-c", f"raise SystemExit(1)\n{'# a comment' * 1_000}"])
    assert len(str(told.value)) < 1_000


def test_one_that_is_spoken_to_answers_until_it_is_to_end() -> None:
    with child(ECHOES) as echo:
        assert [echo.ask("one"), echo.ask("二")] == ["one", "二"]
        assert echo.end() == 0


def test_one_that_does_not_answer_in_time_is_killed() -> None:
    with child(HANGS) as hanging:
        with pytest.raises(StuckError, match=r"time\.sleep\(1_000\)\nwas not done within 0 s"):
            hanging.ask("Are you there?", within=0)
        assert hanging.end() == -signal.SIGKILL


def test_one_that_does_not_end_though_nothing_more_is_said_is_killed() -> None:
    with child(HANGS) as hanging:
        with pytest.raises(StuckError, match="not done within 0 s"):
            hanging.end(within=0)
        assert hanging.end() == -signal.SIGKILL


def test_its_children_are_killed_with_it() -> None:
    with child([sys.executable, "-c", NEVER_ENDS]) as parent:
        assert parent.line() == "1"
        parent.kill()
        with pytest.raises(EndedError, match="has ended with -9"):  # nobody holds the pipe any more
            parent.line()


def test_one_that_has_ended_is_told_when_it_is_asked() -> None:
    with child([sys.executable, "-c", "raise SystemExit(4)"]) as gone:
        with pytest.raises(EndedError, match="has ended with 4"):
            gone.line()
        with pytest.raises(EndedError, match="has ended with 4"):
            gone.tell("Are you there?")


def test_nobody_else_starts_a_process_but_the_host() -> None:
    """Whoever did might wait for ever; what forks does so inside such a child."""
    here = Path(__file__).parent
    starts = re.compile(r"^(import|from) (subprocess|multiprocessing)\b|create_subprocess_", re.MULTILINE)
    found = {
        file.relative_to(here).as_posix() for file in here.rglob("*.py") if starts.search(file.read_text())
    }
    assert found - {Path(__file__).name} == {"children.py", "host/harness/process.py"}
