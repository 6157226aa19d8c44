"""Runs the terminal: reads keys one by one, draws the screen after each, and restores the terminal at the end."""

import os
import select
import signal
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from types import FrameType
from typing import Final

from rich.console import Console, ConsoleDimensions, RenderableType
from rich.control import Control
from rich.screen import Screen

from api.terminal.replay_player import Tape
from api.terminal.screen import screen
from api.terminal.steps import TapePosition, advance_after_event, press

SEQUENCES: Final = {
    "[A": "up",
    "[B": "down",
    "[C": "right",
    "[D": "left",
    "OA": "up",
    "OB": "down",
    "OC": "right",
    "OD": "left",
    "[H": "home",
    "[F": "end",
    "OH": "home",
    "OF": "end",
    "[1~": "home",
    "[4~": "end",
    "[7~": "home",
    "[8~": "end",
    "[5~": "pgup",
    "[6~": "pgdn",
}
"""The codes that terminals send after an escape for keys without a letter."""

LETTERS: Final = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\x08": "backspace", "\x03": "ctrl-c"}

ENDS: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
"""Signals that end a program that owns the screen."""

A_WHILE: Final = 0.05
"""The rest of a sequence comes within this many seconds, or the key was Esc."""


def keys(text: str) -> Iterator[str]:
    """Return the pressed keys from the terminal's codes."""
    while text:
        if text[0] == "\x1b" and len(text) > 1 and text[1] in "[O":
            end = next((i for i, c in enumerate(text[2:], 2) if c.isalpha() or c == "~"), len(text) - 1)
            if name := SEQUENCES.get(text[1 : end + 1]):
                yield name
            text = text[end + 1 :]
        else:
            yield "esc" if text[0] == "\x1b" else LETTERS.get(text[0], text[0])
            text = text[1:]


def step_through(tape: Tape, position: TapePosition, console: Console, *, signs: bool) -> None:
    """Step through a match on the screen until the user quits."""
    with open_fullscreen(console) as keyboard:
        while not position.over:
            show(console, partial(screen, tape, position, signs=signs))
            pressed = keyboard.read(position.seconds)
            if pressed is None:
                position = advance_after_event(position, tape)
            for key in keys(pressed or ""):
                position = press(position, key, tape)


@dataclass(frozen=True)
class Keyboard:
    """A keyboard, read key by key.

    `read` returns the pressed key, an empty text if the window changed or `wake` was called, or None after the seconds.
    """

    read: Callable[[float | None], str | None]
    wake: Callable[[], None]


@contextmanager
def open_fullscreen(console: Console) -> Iterator[Keyboard]:
    """Take over the screen and the keyboard; restore them at the end, even after a signal."""
    with _keyboard() as keyboard, _ended(), console.screen(hide_cursor=True):
        yield keyboard


def show(console: Console, draw: Callable[[int, int], RenderableType]) -> None:
    """Redraw the screen at the terminal's current size, not that in COLUMNS."""
    width, height = os.get_terminal_size(sys.stdout.fileno())
    console.size = ConsoleDimensions(width, height)
    console.control(Control.home())
    console.print(Screen(draw(width, height)), end="")


@contextmanager
def _keyboard() -> Iterator[Keyboard]:
    fd = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
    before = termios.tcgetattr(fd)
    changed, wake = os.pipe()
    os.set_blocking(wake, False)
    # All signals are received here. An exception of a handler would be lost while Python removes an object.
    before_it = signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    old = signal.signal(signal.SIGWINCH, lambda *_: None)

    def read(seconds: float | None) -> str | None:
        ready = select.select([fd, changed], [], [], seconds)[0]
        if changed in ready:
            _leave_if_ended(os.read(changed, 1024))
        if fd not in ready:
            return "" if ready else None
        sent = os.read(fd, 1024)
        # The terminal is gone.
        if not sent:
            return "q"
        while sent[-1:] == b"\x1b" or sent[-2:] in (b"\x1b[", b"\x1bO"):
            if not select.select([fd], [], [], A_WHILE)[0]:
                break
            sent += os.read(fd, 1024)
        return sent.decode(errors="ignore")

    try:
        _one_by_one(fd, before)
        yield Keyboard(read, lambda: _notified(wake))
    finally:
        signal.signal(signal.SIGWINCH, old)
        signal.set_wakeup_fd(before_it)
        with suppress(termios.error):
            termios.tcsetattr(fd, termios.TCSAFLUSH, before)
        for each in (fd, changed, wake):
            os.close(each)


def _leave_if_ended(told: bytes) -> None:
    """Exit if one of the received signals requires it."""
    for number in told:
        if number in ENDS:
            sys.exit(128 + number)


def _notified(wake: int) -> None:
    # A signal is waiting there already.
    with suppress(BlockingIOError):
        os.write(wake, b"!")


def _one_by_one(fd: int, before: list[int | list[bytes | int]]) -> None:
    """Read keys one by one without echo, including Ctrl-C and Ctrl-Z."""
    mode = before.copy()
    assert isinstance(mode[3], int)
    mode[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG)
    termios.tcsetattr(fd, termios.TCSADRAIN, mode)


@contextmanager
def _ended() -> Iterator[None]:
    """Restore the terminal when the process is ended by a signal."""

    def leave(number: int, frame: FrameType | None) -> None:
        sys.exit(128 + number)

    old = [signal.signal(number, leave) for number in ENDS]
    try:
        yield
    finally:
        for number, handler in zip(ENDS, old, strict=True):
            signal.signal(number, handler)
