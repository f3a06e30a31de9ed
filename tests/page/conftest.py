"""Fixtures for tests of the page: a browser, and the real dashboard around the page."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.page.browser import Opened, chromium, opened

# A busy machine shows things late.
expect.set_options(timeout=30_000)

type Newcomer = Callable[[str], Person]
type OpenPage = Callable[..., AbstractContextManager[Opened]]


@pytest.fixture(scope="module")
def browser() -> Iterator[BrowserContext]:
    """One browser for a file; each test opens the page in a tab of its own.

    Not for the whole run: while it is there an event loop runs in this thread, and no asynchronous test can.
    """
    with chromium() as running:
        yield running


@pytest.fixture
def open_page(browser: BrowserContext, host: Host) -> OpenPage:
    """Open the page in the host's dashboard: `with open_page(place="review", theme="dark") as page`."""
    return partial(opened, browser, host.dashboard)
