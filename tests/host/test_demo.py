"""What `make demo` starts can be talked to, keeps what it was told, and says what keeps it from starting."""

import sys
from typing import NoReturn

import pytest

import demo.__main__
from demo.self_check import self_check
from tests.host.harness.dashboard import DashboardError
from tests.host.harness.process import free_port

pytestmark = pytest.mark.host


def test_its_conversation_held_by_itself_shows_the_memory_that_reached_the_model(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert self_check()
    block = capsys.readouterr().out.partition("The request that reached the model carried:")[2]
    assert "allergic to peanuts" in block


def test_where_its_data_lies_is_told_and_that_a_dashboard_has_another_password_by_now(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(*_: object) -> NoReturn:
        raise DashboardError("wrong password")

    monkeypatch.setattr(demo.__main__, "demo_host", refused)
    monkeypatch.setattr(demo.__main__.signal, "signal", print)
    monkeypatch.setattr(sys, "argv", ["demo", "--port", str(free_port())])
    assert demo.__main__.main() == 1
    said = capsys.readouterr().out
    assert "--fresh begins anew" in said
    assert f"stores lies in {demo.__main__.ROOT};" in said
