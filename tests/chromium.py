"""A page in Chromium that a test reads, types into and clicks on, by the protocol of its developer tools."""

import fcntl
import json
import os
import shutil
import signal
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from select import select
from typing import Any

import pytest

FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions"),
    *("--disable-features=Translate,MediaRouter,OptimizationHints", "--disable-dev-shm-usage"),
]
PATIENCE = 60
"""For how many seconds an answer of the browser, or what a test waits for, may take on a machine that stalls."""


SHOWN = """JSON.stringify([location.href, [...document.querySelectorAll('[role=alert]')].map((one) => one.innerText),
document.body?.innerText.slice(0, 1000)])"""
"""Where a page is, what it complains about to its reader, and what it says."""


@dataclass
class Loaded:
    """This is what the page has asked for, and how much came."""

    method: str
    address: str
    bytes: int = 0
    is_kept: bool = False
    """Whether the browser had it already."""
    asked_at: float = 0
    """When it was asked for, in seconds since 1970."""
    document: str = ""
    """The request of the document that asked for it."""


class Pipe:
    """The way to one browser, which all its pages share: commands go in, answers and events come out."""

    def __init__(self, reads: int, writes: int) -> None:
        self._reads, self._writes = reads, writes
        self._rest = b""
        self._count = 0
        self.pages: dict[str, Page] = {}

    def call(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        """Give a command to the browser, or to one of its pages; gives the answer."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": params, **({"sessionId": session} if session else {})}
        os.write(self._writes, json.dumps(message).encode() + b"\0")
        while True:
            heard = self._next()
            if heard.get("id") == self._count:
                assert "error" not in heard, f"{method}: {heard['error']}"
                result: dict[str, Any] = heard["result"]
                return result

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            assert select([self._reads], [], [], PATIENCE)[0], "Chromium does not answer"
            part = os.read(self._reads, 1 << 16)
            assert part, "Chromium has ended"
            self._rest += part
        line, _, self._rest = self._rest.partition(b"\0")
        heard: dict[str, Any] = json.loads(line)
        if page := self.pages.get(heard.get("sessionId", "")):
            page.hears(heard.get("method", ""), heard.get("params", {}))
        return heard


class Page:
    """One page of a browser; `errors` are what it complained about."""

    def __init__(self, pipe: Pipe, context: str | None = None) -> None:
        self._pipe, self._context = pipe, context
        self.errors: list[str] = []
        self.loaded: dict[str, Loaded] = {}
        where = {"browserContextId": context} if context else {}
        target = pipe.call("Target.createTarget", url="about:blank", **where)["targetId"]
        self._session = pipe.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        pipe.pages[self._session] = self
        for domain in ("Page", "Runtime", "Log"):
            self._call(f"{domain}.enable")

    def tab(self) -> "Page":
        """Open another tab beside this one, which shares what the browser keeps."""
        return Page(self._pipe, self._context)

    def stranger(self) -> "Page":
        """Open a page as another browser has it, which shares nothing with this one."""
        return Page(self._pipe, self._pipe.call("Target.createBrowserContext")["browserContextId"])

    def _call(self, method: str, **params: Any) -> dict[str, Any]:
        return self._pipe.call(method, self._session, **params)

    def hears(self, method: str, params: Any) -> None:
        """Take notice of an event of the page."""
        if method.startswith("Network."):
            self._counts(method, params)
        if method == "Runtime.exceptionThrown":
            self.errors.append(str(params["exceptionDetails"]))
        if method == "Log.entryAdded" and params["entry"]["level"] == "error":
            entry = params["entry"]
            if not entry.get("url", "").endswith("/favicon.ico"):  # it asks for one when it likes, where none is named
                self.errors.append(f"{entry['text']} {entry.get('url', '')}")

    def closes(self) -> None:
        """Close the page."""
        del self._pipe.pages[self._session]
        self._call("Page.close")

    def counts(self) -> None:
        """Count from now on what is asked for, and the bytes that come for it, with their headers, as they are sent."""
        self._call("Network.enable")
        self.loaded.clear()

    def _counts(self, method: str, params: Any) -> None:
        name = params.get("requestId")
        if method == "Network.requestWillBeSent":
            if "redirectResponse" in params:  # it goes on by the name of the request that was led elsewhere
                self.loaded[f"{name} {len(self.loaded)}"] = self.loaded[name]
            self.loaded[name] = Loaded(
                params["request"]["method"],
                params["request"]["url"],
                asked_at=params["wallTime"],
                document=params["loaderId"],
            )
        elif name in self.loaded:
            one = self.loaded[name]
            if method == "Network.responseReceived":
                one.is_kept = params["response"].get("fromDiskCache", False)
                one.bytes += params["response"]["encodedDataLength"]
            elif method == "Network.dataReceived":
                one.bytes += params["encodedDataLength"]
            elif method == "Network.loadingFinished":
                one.bytes = params["encodedDataLength"]

    def opens(self, address: str) -> None:
        self._call("Page.navigate", url=address)

    def begins_with(self, script: str) -> None:
        """Run a script in every page that is opened from now on, before its own."""
        self._call("Page.addScriptToEvaluateOnNewDocument", source=script)

    def reloads(self) -> None:
        # What the page before the reload shows shall not pass for what the page after it shows.
        self.evaluates("window.isBeforeReload = true")
        self._call("Page.reload")
        self.until("!window.isBeforeReload && document.readyState === 'complete'")

    def evaluates(self, script: str) -> Any:
        """Run a script in the page; gives its value."""
        done = self._call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, f"{script}: {done['exceptionDetails']}"
        return done["result"].get("value")

    def until(self, condition: str) -> None:
        """Wait until what a script gives is there, or true."""
        ends = time.monotonic() + PATIENCE
        while not self._is(condition):
            if time.monotonic() > ends:
                shown = self.evaluates(SHOWN)
                raise AssertionError(f"never so: {condition}; it shows {shown}; the page complains: {self.errors}")
            time.sleep(0.02)

    def _is(self, condition: str) -> bool:
        done = self._call("Runtime.evaluate", expression=f"Boolean({condition})", returnByValue=True)
        return "exceptionDetails" not in done and done["result"]["value"]

    def clicks(self, selector: str) -> None:
        self.until(f"document.querySelector({json.dumps(selector)})")
        self.evaluates(f"document.querySelector({json.dumps(selector)}).click()")

    def chooses(self, selector: str, number: int) -> None:
        """Choose an option of a select by its place."""
        self.evaluates(
            f"(select => {{ select.selectedIndex = {number};"
            " for (const type of ['input', 'change']) select.dispatchEvent(new Event(type, {bubbles: true}))"
            f" }})(document.querySelector({json.dumps(selector)}))"
        )

    def types(self, text: str) -> None:
        """Type into what has the focus."""
        self._call("Input.insertText", text=text)

    def presses(self, key: str, code: int, *, shift: bool = False, is_held: bool = False) -> None:
        """Press a key: its name, and its number as Windows counts; one that is held is pressed once more by itself."""
        text = {"text": "\r"} if key == "Enter" else {}
        known = {"key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
        self._call("Input.dispatchKeyEvent", type="keyDown", autoRepeat=is_held, **known, **text)
        self._call("Input.dispatchKeyEvent", type="keyUp", **known)

    def _middle(self, selector: str, number: int) -> tuple[float, float]:
        """Bring one of several things into sight; gives where its middle is."""
        one = f"document.querySelectorAll({json.dumps(selector)})[{number}]"
        self.until(one)
        box = self.evaluates(
            f"(one => {{ one.scrollIntoView({{block: 'center', behavior: 'instant'}});"
            f" const {{x, y, width, height}} = one.getBoundingClientRect();"
            f" return [x + width / 2, y + height / 2] }})({one})"
        )
        return box[0], box[1]

    def taps(self, selector: str, number: int = 0) -> None:
        """Touch one of several things with a finger."""
        x, y = self._middle(selector, number)
        self._call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self._call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def points(self, selector: str, number: int = 0, *, nth: int = 1) -> None:
        """Press one of several things with the mouse; the nth press in one place in a short time."""
        x, y = self._middle(selector, number)
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, nth=nth)

    def mouse(self, kind: str, x: float, y: float, *, nth: int = 1) -> None:
        """Press the mouse somewhere, or let it go."""
        self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=nth)

    def forgets(self) -> None:
        """Let the browser forget all files that it keeps."""
        self._call("Network.clearBrowserCache")

    def saves_into(self, folder: Path) -> None:
        """Let what is downloaded be written into a folder."""
        self._call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def has_touch(self, *, is_there: bool) -> None:
        """Give the page a screen that can be touched, or take it away."""
        self._call("Emulation.setTouchEmulationEnabled", enabled=is_there)

    def is_wide(self, width: int, height: int = 800, *, is_dark: bool = False, is_calm: bool = True) -> None:
        """Give the page so many pixels, as on a phone or a desk; a calm one is asked not to move things."""
        self._call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}
        motion = {"name": "prefers-reduced-motion", "value": "reduce" if is_calm else "no-preference"}
        self._call("Emulation.setEmulatedMedia", features=[scheme, motion])

    def has_forced_colours(self, *, is_so: bool) -> None:
        """Let the device choose all colours, as where much contrast is wished, or no longer."""
        feature = {"name": "forced-colors", "value": "active" if is_so else "none"}
        self._call("Emulation.setEmulatedMedia", features=[feature])

    def accessible(self) -> list[dict[str, Any]]:
        """Give the nodes of the tree that readers of screens are given."""
        nodes: list[dict[str, Any]] = self._call("Accessibility.getFullAXTree")["nodes"]
        return nodes

    def shows(self, path: Path, *, whole: bool = False) -> None:
        """Write a picture of the page, or of all that can be scrolled to, as the ending of the path says."""
        kind = {"format": "webp", "quality": 80} if path.suffix == ".webp" else {}
        path.write_bytes(b64decode(self._call("Page.captureScreenshot", captureBeyondViewport=whole, **kind)["data"]))


@contextmanager
def browsing(folder: Path) -> Iterator[Page]:
    """Start Chromium with an empty page; whoever has none skips the test."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not program:
        pytest.skip("no Chromium: neither chromium, chromium-browser nor google-chrome is installed")
    # It reads commands from 3 and writes answers to 4; ours are moved out of their way.
    ends = [*os.pipe(), *os.pipe()]
    commands, writes, reads, answers = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends)
    for end in ends:
        os.close(end)
    silent = os.open(os.devnull, os.O_RDWR)
    ours = ((silent, 0), (silent, 1), (silent, 2), (commands, 3), (answers, 4))
    actions = [(os.POSIX_SPAWN_DUP2, end, number) for end, number in ours]
    argv = [program, *FLAGS, f"--user-data-dir={folder}", "about:blank"]
    browser = os.posix_spawn(program, argv, os.environ, file_actions=actions, setpgroup=0)
    for end in (commands, answers, silent):
        os.close(end)
    try:
        yield Page(Pipe(reads, writes))
    finally:
        os.killpg(browser, signal.SIGKILL)
        os.waitpid(browser, 0)
        os.close(reads)
        os.close(writes)
