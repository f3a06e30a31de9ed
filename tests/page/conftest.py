"""Fixtures for tests of the page: a browser, the real dashboard around the page, and a stage in its place."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.host.harness.host import Host
from tests.host.harness.people import Person
from tests.page.browser import Opened, chromium, opened
from tests.page.fake_api import RealApi
from tests.page.stage import staged

# A busy machine shows things late.
expect.set_options(timeout=30_000)

type Newcomer = Callable[[str], Person]
type OpenPage = Callable[..., AbstractContextManager[Opened]]


@pytest.fixture(scope="package")
def browser() -> Iterator[BrowserContext]:
    """One browser for all these tests; each opens the page in a tab of its own.

    Not for the whole run: while it is there an event loop runs in this thread, and no asynchronous test can.
    """
    with chromium() as running:
        yield running


@pytest.fixture(scope="package")
def stage(browser: BrowserContext) -> Iterator[str]:
    """Where the page stands without a host."""
    with staged() as address:
        # The process that draws ends with its last tab: this one stays, or each opening would start another.
        browser.new_page().goto(f"{address}/bridge.js")
        yield address


@pytest.fixture
def open_page(browser: BrowserContext, stage: str) -> OpenPage:
    """Open the page over a faked API: `with open_page(api=api, place="review", theme="dark") as page`."""
    return partial(opened, browser, stage)


@pytest.fixture
def open_live(browser: BrowserContext, stage: str, host: Host) -> OpenPage:
    """Open the page over the host's API: `with open_live(place="review") as page`."""
    return partial(opened, browser, stage, api=RealApi(host.dashboard))


@pytest.fixture
def open_dashboard(browser: BrowserContext, host: Host) -> OpenPage:
    """Open the page in the host's dashboard: `with open_dashboard(place="review") as page`."""
    return partial(opened, browser, host.dashboard)
