"""Pages in Chromium that a test reads, types into and clicks on: Playwright, in the words of these tests.

Playwright runs in a thread of its own, as its loop would be in the way of tests that run loops. The protocol of the
browser's developer tools is spoken where Playwright has no word: for what came over the wire, the tree of readers of
screens, and devices that change under a page; and for what a script gives, which it takes three messages to ask for.
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
"""For how many seconds an answer of the browser, or what a test waits for, may take on a machine that stalls."""


SHOWN = """JSON.stringify([location.href, [...document.querySelectorAll('[role=alert]')].map((one) => one.innerText),
document.body?.innerText.slice(0, 1000)])"""
"""Where a page is, what it complains about to its reader, and what it says."""

WAITS = """(async () => {
  for (let looks = 0; looks < 100; looks += 1) {
    try { const found = (WANTED); if (found) return found; } catch { /* It is not there yet. */ }
    await scheduler.postTask(() => {}, {delay: 10});
  }
})()"""
"""Waits in the page, for a second or so, until a script gives something. Tests hold and count timers: it has none."""

MIDDLE = """(() => {
  const all = document.querySelectorAll(%s), one = all[%d %% all.length];
  one.scrollIntoView({block: "center", behavior: "instant"});
  const {x, y, width, height} = one.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
})()"""
"""Brings one of several things into sight, and gives where its middle is."""

T = TypeVar("T")


@dataclass
class Loaded:
    """This is what the page has asked for, and how much came."""

    method: str
    address: str
    bytes: int = 0
    is_kept: bool = False
    """Whether the browser had it already."""
    is_stream: bool = False
    """Whether more may come at any time: of that the browser says late how much was sent, and none is compressed."""
    asked_at: float = 0
    """When it was asked for, in seconds since 1970."""
    document: str = ""
    """The request of the document that asked for it."""


class Loop:
    """A loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def does(self, what: Coroutine[Any, Any, T]) -> T:
        """Do something there; gives what comes of it."""
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(PATIENCE)

    def ends(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Page:
    """One page of a browser; `errors` are what it complained about."""

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
        """Open another tab beside this one, which shares what the browser keeps."""
        return Page(self._loop, self._context, is_first=False)

    def stranger(self) -> "Page":
        """Open a page as another browser has it, which shares nothing with this one."""
        assert self._context.browser
        return first_page(self._loop, self._context.browser)

    def closes(self) -> None:
        """Close the page, and if it was a stranger's, what its browser keeps."""
        self._does(self._context.close() if self._is_first else self._page.close())

    async def _listens(self) -> None:
        """Hear of all that happens; who begins to listen tells the browser so, which is done in the loop's thread."""
        self._page.set_default_timeout(PATIENCE * 1000)
        self._page.on("console", self._complains)
        self._page.on("pageerror", lambda error: self.errors.append(error.stack or error.message))
        self._page.on("download", self._saves)
        for event in ("requestWillBeSent", "responseReceived", "dataReceived", "loadingFinished"):
            self._tools.on(f"Network.{event}", partial(self._counts, event))

    def _call(self, method: str, **params: Any) -> Any:
        return self._does(self._tools.send(method, params))

    def _complains(self, message: ConsoleMessage) -> None:
        address = message.location["url"]
        # It asks for a picture of the site when it likes, where none is named.
        if message.type == "error" and not address.endswith("/favicon.ico"):
            self.errors.append(f"{message.text} {address}")

    async def _saves(self, download: Download) -> None:
        if self._folder:
            half = self._folder / "half.download"
            await download.save_as(half)
            half.rename(self._folder / download.suggested_filename)

    def counts(self) -> None:
        """Count from now on what is asked for, and the bytes that come for it, with their headers, as they are sent."""
        self._call("Network.enable")
        self.loaded.clear()

    def _counts(self, event: str, params: Any) -> None:
        name = params["requestId"]
        if event == "requestWillBeSent":
            if "redirectResponse" in params:  # it goes on by the name of the request that was led elsewhere
                self.loaded[f"{name} {len(self.loaded)}"] = self.loaded[name]
            request, at = params["request"], params["wallTime"]
            self.loaded[name] = Loaded(request["method"], request["url"], asked_at=at, document=params["loaderId"])
        elif name in self.loaded:
            one = self.loaded[name]
            if event == "responseReceived":
                one.is_kept = params["response"].get("fromDiskCache", False)
                one.is_stream = params["response"]["mimeType"] == "text/event-stream"
                one.bytes += params["response"]["encodedDataLength"]
            elif event == "dataReceived":
                one.bytes += params["dataLength" if one.is_stream else "encodedDataLength"]
            elif not one.is_stream:
                one.bytes = params["encodedDataLength"]

    def opens(self, address: str) -> None:
        self._does(self._page.goto(address, wait_until="commit"))

    def begins_with(self, script: str) -> None:
        """Run a script in every page that is opened from now on, before its own."""
        self._does(self._page.add_init_script(script))

    def reloads(self) -> None:
        self._does(self._page.reload())

    def evaluates(self, script: str) -> Any:
        """Run a script in the page; gives its value."""
        done = self._call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, f"{script}: {done['exceptionDetails']}"
        return done["result"].get("value")

    def until(self, condition: str) -> None:
        """Wait until what a script gives is there, or true."""
        self.finds(f"Boolean({condition})")

    def finds(self, wanted: str) -> Any:
        """Wait until the value of a script counts as true in JavaScript; gives that value, read from JSON."""
        waits, ends = WAITS.replace("WANTED", wanted), time.monotonic() + PATIENCE
        while not (found := self._does(self._waits(waits))):
            if time.monotonic() > ends:
                shown = self.evaluates(SHOWN)
                raise AssertionError(f"never so: {wanted}; it shows {shown}; the page complains: {self.errors}")
        return found

    async def _waits(self, script: str) -> Any:
        """Let the page wait for a second; gives None if that was in vain, or if the page has been left meanwhile."""
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
        """Choose an option of a select by its place."""
        self._does(self._page.select_option(selector, index=number, force=True))

    def types(self, text: str) -> None:
        """Type into what has the focus."""
        self._does(self._page.keyboard.insert_text(text))

    def presses(self, key: str, *, is_kept: bool = False) -> None:
        """Press a key by its name, and let it go, if it is not kept down: the next press then comes by itself."""
        keys = self._page.keyboard
        self._does(keys.down(key) if is_kept else keys.press(key))

    def tabs(self, times: int) -> None:
        """Press the tabulator so many times, the next without waiting for what the last has done."""
        key = {"key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9}
        self._calls("Input.dispatchKeyEvent", [{"type": kind, **key} for kind in ("rawKeyDown", "keyUp") * times])

    def _calls(self, method: str, all_params: list[dict[str, Any]]) -> None:
        """Call a method several times, one call right after the other."""

        async def sends() -> None:
            await asyncio.gather(*(self._tools.send(method, params) for params in all_params))

        self._does(sends())

    def _middle(self, selector: str, number: int) -> tuple[float, float]:
        """Bring one of several things into sight, counted around; gives where its middle is once it is there."""
        x, y = self.finds(MIDDLE % (json.dumps(selector), number))
        return x, y

    def taps(self, selector: str, number: int = 0) -> None:
        """Touch one of several things with a finger; after the last the first is counted again."""
        x, y = self._middle(selector, number)
        touches: list[dict[str, Any]] = [
            {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]},
            {"type": "touchEnd", "touchPoints": []},
        ]
        self._calls("Input.dispatchTouchEvent", touches)

    def points(self, selector: str, number: int = 0, *, nth: int = 1) -> None:
        """Press one of several things with the mouse, counted as by `taps`; the nth press there in a short time."""
        x, y = self._middle(selector, number)
        both = [pressed(kind, x, y, nth) for kind in ("mousePressed", "mouseReleased")]
        self._calls("Input.dispatchMouseEvent", both)

    def mouse(self, kind: str, x: float, y: float) -> None:
        """Press the mouse somewhere, or let it go, at once: it is not led there first, which takes a frame."""
        self._calls("Input.dispatchMouseEvent", [pressed(kind, x, y)])

    def forgets(self) -> None:
        """Let the browser forget all files that it keeps."""
        self._call("Network.clearBrowserCache")

    def saves_into(self, folder: Path) -> None:
        """Let what is downloaded be written into a folder."""
        self._folder = folder

    def has_touch(self, *, is_there: bool) -> None:
        """Give the page a screen that can be touched, or take it away."""
        self._call("Emulation.setTouchEmulationEnabled", enabled=is_there)

    def is_wide(self, width: int, height: int = 800, *, is_dark: bool = False, is_calm: bool = True) -> None:
        """Give the page so many pixels, as on a phone or a desk; a calm one is asked not to move things."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1}
        self._call("Emulation.setDeviceMetricsOverride", **size, mobile=width < 600)
        self._does(
            self._page.emulate_media(
                color_scheme="dark" if is_dark else "light", reduced_motion="reduce" if is_calm else "no-preference"
            )
        )

    def has_forced_colours(self, *, is_so: bool) -> None:
        """Let the device choose all colours, as where much contrast is wished, or no longer."""
        self._does(self._page.emulate_media(forced_colors="active" if is_so else "none"))

    def accessible(self) -> list[dict[str, Any]]:
        """Give the nodes of the tree that readers of screens are given."""
        nodes: list[dict[str, Any]] = self._call("Accessibility.getFullAXTree")["nodes"]
        return nodes

    def shows(self, path: Path, *, whole: bool = False) -> None:
        """Write a picture of the page, or of all that can be scrolled to, as the ending of the path says."""
        kind = {"format": "webp", "quality": 80} if path.suffix == ".webp" else {}
        path.write_bytes(b64decode(self._call("Page.captureScreenshot", captureBeyondViewport=whole, **kind)["data"]))


def pressed(kind: str, x: float, y: float, nth: int = 1) -> dict[str, Any]:
    """Give what the browser is told of the left button of the mouse, as the nth press there in a short time."""
    return {"type": kind, "x": x, "y": y, "button": "left", "clickCount": nth}


def first_page(loop: Loop, browser: Browser) -> Page:
    """Open a page as a browser has it that keeps nothing yet."""
    return Page(loop, loop.does(browser.new_context(no_viewport=True)), is_first=True)


@contextmanager
def browsing(folder: Path) -> Iterator[Page]:
    """Start Chromium with an empty page, and what it keeps in a folder; whoever has none skips the test."""
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
