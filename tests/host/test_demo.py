"""What `make demo` starts can be talked to, keeps what it was told, and says what keeps it from starting."""

import sys
from pathlib import Path

import pytest

import demo.__main__
from demo.boot import demo_host
from demo.self_check import self_check
from tests.host.harness.dashboard import data
from tests.host.harness.process import free_port
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.settings import PASSWORD, USERNAME


def test_its_conversation_held_by_itself_shows_the_memory_that_reached_the_model(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert self_check()
    block = capsys.readouterr().out.partition("The request that reached the model carried:")[2]
    assert "allergic to peanuts" in block


def test_it_asks_for_no_other_password_and_says_so_when_it_was_given_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with ScriptedModel() as model, demo_host(tmp_path, model.endpoint).running() as host:
        assert data(host.dashboard.get("/api/auth/setup-status"))["setup_required"] is False
        changed = {"password": PASSWORD, "new_username": USERNAME}
        new = dict.fromkeys(("new_password", "confirm_password"), "AnotherOne2")
        data(host.dashboard.post("/api/auth/account/edit", json={**changed, **new}))
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(demo.__main__, "ROOT", tmp_path)
    monkeypatch.setattr(demo.__main__.signal, "signal", print)
    monkeypatch.setattr(sys, "argv", ["demo", "--port", str(free_port())])
    assert demo.__main__.main() == 1
    assert "--fresh begins anew" in capsys.readouterr().out
