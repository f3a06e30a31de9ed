"""What the tests of the page need."""

import pytest

from tests.page.browser import NoBrowserError, chromium


def test_without_a_browser_they_say_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NoBrowserError, match="apt-get install chromium"), chromium():
        pass
