"""A browser in which the page stands in the real dashboard."""

import shutil
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import (
    BrowserContext,
    ConsoleMessage,
    FrameLocator,
    Page,
    Request,
    Route,
    expect,
    sync_playwright,
)

from tests.host.harness.dashboard import Dashboard
from tests.host.harness.plugin_files import PLUGIN
from tests.page.fake_api import FakeApi, RealApi

THEMES = {"light": "PurpleTheme", "dark": "PurpleThemeDark"}
"""What the dashboard calls its two themes."""
ARGUMENTS = (
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    # One process draws all frames, at three quarters of the CPU time; the sandbox attribute holds as before.
    "--in-process-gpu",
    "--renderer-process-limit=1",
    "--disable-site-isolation-trials",
    "--disable-features=IsolateSandboxedIframes,IsolateOrigins,site-per-process,PaintHolding,MediaRouter",
)


class NoBrowserError(RuntimeError):
    """There is no Chromium on this machine."""


@contextmanager
def chromium() -> Generator[BrowserContext]:
    """Run the system's Chromium, which no package of the tests brings; what it has loaded once it keeps.

    Raises:
        NoBrowserError: it is not installed.
    """
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        message = "The tests of the page need Chromium: apt-get install chromium fonts-noto-cjk"
        raise NoBrowserError(message)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        try:
            yield browser.new_context()
        finally:
            browser.close()


@dataclass(kw_only=True)
class Opened:
    """The page in the dashboard, with what the browser noticed meanwhile."""

    tab: Page
    home: str
    """Where it comes from."""
    complaints: list[str] = field(default_factory=list[str])
    """Errors and refusals of the browser that come from the page's frame, the policy's included."""
    requests: list[str] = field(default_factory=list[str])
    """Every address that anything asked for, if the page is watched."""

    @property
    def frame(self) -> FrameLocator:
        """The page itself, within its sandbox."""
        return self.tab.frame_locator("iframe.plugin-view-frame")

    def go(self, place: str) -> None:
        """Go to a view of the page by its address, such as `memories?status=active`."""
        frame = next(each for each in self.tab.frames if "/views/memory/" in each.url)
        frame.evaluate("(place) => { location.hash = place; }", place)

    def settle(self) -> None:
        """Wait until the view loads nothing any more, of all that began within a moment from now."""
        self.tab.wait_for_timeout(100)
        expect(self.frame.locator(".state .spinner, .loaded-busy")).to_have_count(0)

    def hold(self, addresses: str) -> list[Route]:
        """Keep back what is asked of these addresses from now on; each goes on by its `fallback`."""
        held: list[Route] = []

        def keep(route: Route) -> None:
            held.append(route)

        self.tab.route(addresses, keep)
        return held

    def hold_toast(self) -> None:
        """Point at the message at the foot of the page, which stays for as long."""
        self.frame.locator(".toast").last.hover()

    def wait_until(self, holds: Callable[[], bool], seconds: float = 30) -> None:
        """Let the browser go on until this holds.

        Raises:
            TimeoutError: it does not in that time.
        """
        for _ in range(int(seconds * 20)):
            if holds():
                return
            self.tab.wait_for_timeout(50)
        raise TimeoutError

    def picture(self, path: Path) -> None:
        """Keep what is seen, for who looks into a failure."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.tab.screenshot(path=path)

    def heard(self, message: ConsoleMessage) -> None:
        """Keep an error that the browser reports of the page's own files."""
        # What the policy stops comes without an address.
        of_the_page = "/views/memory/" in message.location.get("url", "")
        if message.type == "error" and (of_the_page or "Content Security Policy" in message.text):
            self.complaints.append(message.text)

    def sent(self, request: Request) -> None:
        """Keep the address of a request."""
        self.requests.append(request.url)


@contextmanager
def opened(
    browser: BrowserContext,
    around: Dashboard | str,
    *,
    place: str = "overview",
    language: str = "en-US",
    theme: str = "light",
    width: int = 1280,
    height: int = 900,
    api: FakeApi | RealApi | None = None,
    watch: str = "",
) -> Generator[Opened]:
    """Open the page in the dashboard as its user sees it, or on the stage at this address.

    `api` answers in place of the plugin. `watch` is a script that runs in every frame before anything else;
    requests are kept with it alone, as to be told of each takes a tenth of what an opened page costs.
    """
    tab = browser.new_page()
    tab.set_viewport_size({"width": width, "height": height})
    tab.set_default_timeout(30_000)
    if isinstance(around, str):
        home, address = around, f"{around}/?locale={language}&theme={theme}#{place}"
    else:
        home, address = around.url, f"{around.url}/#/plugin-view/{PLUGIN}/memory"
        tab.add_init_script(_remembered(around, language, theme))
    if api is not None:
        api.serve(tab)
    shown = Opened(tab=tab, home=home)
    tab.on("console", shown.heard)
    if watch:
        tab.add_init_script(watch)
        tab.on("request", shown.sent)
    tab.on("pageerror", lambda error: shown.complaints.append(str(error)))
    try:
        tab.goto(address)
        shown.frame.locator("nav.nav").wait_for()
        if around != home and place != "overview":
            shown.go(place)
        yield shown
    finally:
        tab.close()


def _remembered(dashboard: Dashboard, language: str, theme: str) -> str:
    """What the dashboard keeps in the browser of who is logged in."""
    remembered = {
        "token": dashboard.token,
        "user": "astrbot",
        "astrbot-locale": language,
        "uiTheme": THEMES[theme],
    }
    return (
        "try { localStorage.clear(); "
        + "".join(f"localStorage.setItem({key!r}, {value!r});" for key, value in remembered.items())
        + " } catch { /* the page itself, which has no storage */ }"
    )
