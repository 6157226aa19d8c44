"""Pages in Chromium that a test reads, types into and clicks on: a layer over Playwright.

Playwright runs in a separate thread, as its loop would disturb tests that run loops. The protocol of the browser's
developer tools is used directly where Playwright has no call: for network data, the accessibility tree, and devices
that change under a page. It also gets the value of a script in one message, for which Playwright needs three.
"""

import asyncio
import json
import os
import shutil
import time
from base64 import b64decode
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar
from unittest.mock import patch

import pytest
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Download, Error, async_playwright

FLAGS = ["--no-sandbox", "--disable-gpu"]
PATIENCE = 60
EVENTS = ("requestWillBeSent", "requestServedFromCache", "responseReceived", "dataReceived", "loadingFinished")
"""The seconds that an answer of the browser, or a condition in a test, may take on a slow machine."""


SHOWN = """JSON.stringify([location.href, [...document.querySelectorAll('[role=alert]')].map((one) => one.innerText),
document.body?.innerText.slice(0, 1000)])"""
"""A page's address, the errors it shows, and its text."""

WAITS = """(async () => {
  for (let looks = 0; looks < 100; looks += 1) {
    try { const found = (WANTED); if (found) return found; } catch { /* It is not there yet. */ }
    await scheduler.postTask(() => {}, {delay: 10});
  }
})()"""
"""Waits in the page, for about a second, until a script returns a value. It uses no timer, as tests hold and count
them.
"""

MIDDLE = """(() => {
  const all = [...document.querySelectorAll(%s)].filter((one) => one.checkVisibility() && !one.disabled);
  const one = all[%d %% all.length];
  if (!one) return null;
  one.scrollIntoView({block: "center", behavior: "instant"});
  const {x, y, width, height} = one.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
})()"""
"""Scroll to one of several visible and enabled elements; return its middle, or null while there is none."""

T = TypeVar("T")


@dataclass
class Loaded:
    """A request of the page, and the bytes received."""

    method: str
    address: str
    bytes: int = 0
    is_kept: bool = False
    """Whether the browser took it from its cache."""
    is_stream: bool = False
    """Whether more data may come at any time: the browser reports their size late, and none are compressed."""
    asked_at: float = 0
    """The time of the request, in seconds since 1970."""
    document: str = ""
    """The document request that caused it."""


class Loop:
    """An event loop in its own thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def does(self, what: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in that thread; return its result."""
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(PATIENCE)

    def ends(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Page:
    """One page of a browser; `errors` are the errors it reported."""

    def __init__(self, loop: Loop, context: BrowserContext, *, is_first: bool) -> None:
        self._does, self._loop = loop.does, loop
        self._context, self._is_first = context, is_first
        self._folder: Path | None = None
        self.errors: list[str] = []
        self.loaded: dict[str, Loaded] = {}
        self._page = self._does(context.new_page())
        self._tools = self._does(context.new_cdp_session(self._page))
        self._does(self._listens())

    def tab(self) -> "Page":
        """Open another tab that shares the browser's storage with this one."""
        return Page(self._loop, self._context, is_first=False)

    def stranger(self) -> "Page":
        """Open a page in a separate browser context that shares nothing with this one."""
        assert self._context.browser
        return first_page(self._loop, self._context.browser)

    def closes(self) -> None:
        """Close the page, and its browser context if it has a separate one."""
        self._does(self._context.close() if self._is_first else self._page.close())

    async def _listens(self) -> None:
        """Listen to all events. Each subscription notifies the browser, and this happens in the loop's thread."""
        self._page.set_default_timeout(PATIENCE * 1000)
        self._page.on("console", self._complains)
        self._page.on("pageerror", lambda error: self.errors.append(error.stack or error.message))
        self._page.on("download", self._saves)
        for event in EVENTS:
            self._tools.on(f"Network.{event}", partial(self._counts, event))

    def _call(self, method: str, **params: Any) -> Any:
        return self._does(self._tools.send(method, params))

    def _complains(self, message: ConsoleMessage) -> None:
        address = message.location["url"]
        # It asks for the site's icon whenever it likes if none is named.
        if message.type == "error" and not address.endswith("/favicon.ico"):
            self.errors.append(f"{message.text} {address}")

    async def _saves(self, download: Download) -> None:
        if self._folder:
            half = self._folder / "half.download"
            await download.save_as(half)
            half.rename(self._folder / download.suggested_filename)

    def counts(self) -> None:
        """Count all further requests and the bytes sent for them, including headers."""
        self._call("Network.enable")
        self.loaded.clear()

    def _counts(self, event: str, params: Any) -> None:
        name = params["requestId"]
        if event == "requestWillBeSent":
            if "redirectResponse" in params:  # it goes on under the name of the redirected request
                self.loaded[f"{name} {len(self.loaded)}"] = self.loaded[name]
            request, at = params["request"], params["wallTime"]
            self.loaded[name] = Loaded(request["method"], request["url"], asked_at=at, document=params["loaderId"])
        elif name in self.loaded:
            one = self.loaded[name]
            if event == "requestServedFromCache":  # the cache in memory, which a reload may use; nothing else names it
                one.is_kept = True
            elif event == "responseReceived":
                one.is_kept = one.is_kept or params["response"].get("fromDiskCache", False)
                one.is_stream = params["response"]["mimeType"] == "text/event-stream"
                one.bytes += params["response"]["encodedDataLength"]
            elif event == "dataReceived":
                one.bytes += params["dataLength" if one.is_stream else "encodedDataLength"]
            elif not one.is_stream:
                one.bytes = params["encodedDataLength"]

    def opens(self, address: str) -> None:
        self._does(self._page.goto(address, wait_until="commit"))

    def begins_with(self, script: str) -> None:
        """Run a script in every page that is opened from now on, before the page's own scripts."""
        self._does(self._page.add_init_script(script))

    def reloads(self) -> None:
        self._does(self._page.reload())

    def evaluates(self, script: str) -> Any:
        """Run a script in the page; return its value."""
        done = self._call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, f"{script}: {done['exceptionDetails']}"
        return done["result"].get("value")

    def until(self, condition: str) -> None:
        """Wait until a script returns something, or true."""
        self.finds(f"Boolean({condition})")

    def finds(self, wanted: str) -> Any:
        """Wait until a script returns a true value in JavaScript; return that value, read from JSON."""
        waits, ends = WAITS.replace("WANTED", wanted), time.monotonic() + PATIENCE
        while not (found := self._does(self._waits(waits))):
            if time.monotonic() > ends:
                shown = self.evaluates(SHOWN)
                raise AssertionError(f"the page shows {shown}, complains {self.errors}, and never: {wanted}")
        return found

    async def _waits(self, script: str) -> Any:
        """Let the page wait for a second; return None if nothing was found or the page has been left."""
        asked, done = {"expression": script, "returnByValue": True, "awaitPromise": True}, {}
        with suppress(TimeoutError, Error):  # a document that is left may never answer
            async with asyncio.timeout(2):
                done = await self._tools.send("Runtime.evaluate", asked)
        if "exceptionDetails" in done or not done:
            await asyncio.sleep(0.02)
            return None
        return done["result"].get("value")

    def clicks(self, selector: str) -> None:
        self.until(f"document.querySelector({json.dumps(selector)})")
        self.evaluates(f"document.querySelector({json.dumps(selector)}).click()")

    def chooses(self, selector: str, number: int) -> None:
        """Select an option of a select element by its position."""
        self._does(self._page.select_option(selector, index=number, force=True))

    def types(self, text: str) -> None:
        """Type into the focused element."""
        self._does(self._page.keyboard.insert_text(text))

    def presses(self, key: str, *, is_kept: bool = False) -> None:
        """Press and release a key by its name; with `is_kept`, the key stays down, and the next press repeats it."""
        keys = self._page.keyboard
        self._does(keys.down(key) if is_kept else keys.press(key))

    def tabs(self, times: int) -> None:
        """Press the Tab key this many times, without waiting for the effect of each press."""
        key = {"key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9}
        self._calls("Input.dispatchKeyEvent", [{"type": kind, **key} for kind in ("rawKeyDown", "keyUp") * times])

    def _calls(self, method: str, all_params: list[dict[str, Any]]) -> None:
        """Call a method several times, one call right after the other."""

        async def sends() -> None:
            await asyncio.gather(*(self._tools.send(method, params) for params in all_params))

        self._does(sends())

    def _middle(self, selector: str, number: int) -> tuple[float, float]:
        """Scroll to one of several pressable elements and return its middle; the index wraps around."""
        x, y = self.finds(MIDDLE % (json.dumps(selector), number))
        return x, y

    def taps(self, selector: str, number: int = 0) -> None:
        """Touch one of several elements with a finger; the index wraps around."""
        x, y = self._middle(selector, number)
        touches: list[dict[str, Any]] = [
            {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]},
            {"type": "touchEnd", "touchPoints": []},
        ]
        self._calls("Input.dispatchTouchEvent", touches)

    def points(self, selector: str, number: int = 0, *, nth: int = 1) -> None:
        """Click one of several elements with the mouse, chosen as by `taps`; it is the nth click there in quick
        succession."""
        x, y = self._middle(selector, number)
        both = [pressed(kind, x, y, nth) for kind in ("mousePressed", "mouseReleased")]
        self._calls("Input.dispatchMouseEvent", both)

    def mouse(self, kind: str, x: float, y: float) -> None:
        """Press or release the mouse at a position directly: moving it there first would take a frame."""
        self._calls("Input.dispatchMouseEvent", [pressed(kind, x, y)])

    def forgets(self) -> None:
        """Clear the browser's cache."""
        self._call("Network.clearBrowserCache")

    def saves_into(self, folder: Path) -> None:
        """Save downloads into a folder."""
        self._folder = folder

    def has_touch(self, *, is_there: bool) -> None:
        """Enable or disable a touch screen."""
        self._call("Emulation.setTouchEmulationEnabled", enabled=is_there)

    def is_wide(self, width: int, height: int = 800, *, is_dark: bool = False, is_calm: bool = True) -> None:
        """Set the size of the window in pixels, as on a phone or a desk; with `is_calm`, ask for reduced motion."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1}
        self._call("Emulation.setDeviceMetricsOverride", **size, mobile=width < 600)
        self._does(
            self._page.emulate_media(
                color_scheme="dark" if is_dark else "light", reduced_motion="reduce" if is_calm else "no-preference"
            )
        )

    def has_forced_colours(self, *, is_so: bool) -> None:
        """Turn forced colours, as in high-contrast mode, on or off."""
        self._does(self._page.emulate_media(forced_colors="active" if is_so else "none"))

    def accessible(self) -> list[dict[str, Any]]:
        """Return the nodes of the accessibility tree."""
        nodes: list[dict[str, Any]] = self._call("Accessibility.getFullAXTree")["nodes"]
        return nodes

    def shows(self, path: Path, *, whole: bool = False) -> None:
        """Save a picture of the page, or of its whole scrollable content, in the format of the path's ending."""
        kind = {"format": "webp", "quality": 80} if path.suffix == ".webp" else {}
        path.write_bytes(b64decode(self._call("Page.captureScreenshot", captureBeyondViewport=whole, **kind)["data"]))


def pressed(kind: str, x: float, y: float, nth: int = 1) -> dict[str, Any]:
    """Return the browser's event for the left mouse button, as the nth press there in quick succession."""
    return {"type": kind, "x": x, "y": y, "button": "left", "clickCount": nth}


def first_page(loop: Loop, browser: Browser) -> Page:
    """Open a page in a browser with no stored data."""
    return Page(loop, loop.does(browser.new_context(no_viewport=True)), is_first=True)


@contextmanager
def browsing(folder: Path) -> Iterator[Page]:
    """Start Chromium with an empty page and its profile in a folder; skip the test if it is not installed."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not program:
        pytest.skip("no Chromium: neither chromium, chromium-browser nor google-chrome is installed")
    loop = Loop()
    try:
        with patch.dict(os.environ, TMPDIR=str(folder)):
            playwright = loop.does(async_playwright().start())
        # Scroll bars take their room, as on a desk.
        starting = playwright.chromium.launch(
            executable_path=program, args=FLAGS, ignore_default_args=["--hide-scrollbars"]
        )
        browser = loop.does(starting)
        try:
            yield first_page(loop, browser)
        finally:
            loop.does(browser.close())
            loop.does(playwright.stop())
    finally:
        loop.ends()
