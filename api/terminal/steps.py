"""Computes the effect of a key on the position in a match, as a function of both."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from api.terminal.replay_player import Tape
from domain.core.visibility import SPECTATORS, Reader
from events.log.codec import EVERYBODY

SPEEDS: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
"""The speeds are numbers of events in a second."""

PAGE: Final = 20


@dataclass(frozen=True)
class TapePosition:
    """The position in a match, and the state of the screen."""

    version: int
    reader: Reader
    log: bool = True
    help: bool = False
    typed: str | None = None
    """The text typed so far, while the user is asked where to go."""
    running: bool = False
    speed: int = 2
    """The place in `SPEEDS`."""
    said: str = ""
    """The answer to the last key."""
    over: bool = False

    @property
    def seconds(self) -> float | None:
        """Return the seconds until the next event while the replay runs, else None."""
        return 1 / SPEEDS[self.speed] if self.running else None


def press(position: TapePosition, key: str, tape: Tape) -> TapePosition:
    """Return the position after a key."""
    position = replace(position, said="")
    if key in ("q", "ctrl-c") and position.typed is None:
        return replace(position, over=True)
    if position.typed is not None:
        return _typing(position, key, tape)
    if position.help:
        return replace(position, help=False)
    if key in STEPS:
        return replace(position, version=_clamp_version(tape, STEPS[key](tape, position.version)), running=False)
    if key in JUMPS:
        return _jumped(position, tape, *JUMPS[key])
    if key.isdecimal() and len(key) == 1:
        return _turned(position, key, tape)
    return COMMANDS[key](position, tape) if key in COMMANDS else position


def advance_after_event(position: TapePosition, tape: Tape) -> TapePosition:
    """Return the position after an event's display time, while the replay runs."""
    if position.version >= tape.last:
        return replace(position, running=False)
    return replace(position, version=position.version + 1)


def _clamp_version(tape: Tape, version: int) -> int:
    return min(max(version, 1), tape.last)


STEPS: Final[Mapping[str, Callable[[Tape, int], int]]] = {
    **dict.fromkeys(("right", " ", "n"), lambda tape, v: v + 1),
    **dict.fromkeys(("left", "p"), lambda tape, v: v - 1),
    "down": lambda tape, v: tape.move_after(v),
    "up": lambda tape, v: tape.move_before(v),
    "pgdn": lambda tape, v: v + PAGE,
    "pgup": lambda tape, v: v - PAGE,
    "home": lambda tape, v: 1,
    "end": lambda tape, v: tape.last,
}

JUMPS: Final = {"h": ("hand", 1), "H": ("hand", -1), "t": ("trick", 1), "T": ("trick", -1)}


def _jumped(position: TapePosition, tape: Tape, kind: str, way: int) -> TapePosition:
    """Jump to the hand or the trick after this position, or before it."""
    marks = tape.hands if kind == "hand" else tape.tricks
    if not marks:
        return replace(
            position,
            said="This game is not played in tricks." if kind == "trick" else "There is no hand yet.",
        )
    there = [m.version for m in marks if (m.version - position.version) * way > 0]
    if not there:
        return replace(position, said=f"There is no {kind} {'after' if way > 0 else 'before'} this one.")
    return replace(position, version=min(there) if way > 0 else max(there), running=False)


def _turned(position: TapePosition, reader: Reader, tape: Tape) -> TapePosition:
    if reader not in tape.readers:
        return replace(position, said=f"The seats are 0 to {tape.seats - 1}.")
    return replace(position, reader=reader)


def _typing(position: TapePosition, key: str, tape: Tape) -> TapePosition:
    """Take a letter of the destination, or go there."""
    typed = position.typed or ""
    match key:
        case "enter":
            try:
                version = tape.find(typed).version if typed else position.version
            except ValueError as error:
                return replace(position, typed=None, said=str(error))
            return replace(position, version=_clamp_version(tape, version), typed=None, running=False)
        case "esc" | "ctrl-c":
            return replace(position, typed=None)
        case "backspace":
            return replace(position, typed=typed[:-1])
        case _ if len(key) == 1 and key.isprintable() and len(typed) < 24:
            return replace(position, typed=typed + key)
    return position


def _faster(position: TapePosition, by: int) -> TapePosition:
    speed = min(max(position.speed + by, 0), len(SPEEDS) - 1)
    return replace(position, speed=speed, said=f"{SPEEDS[speed]:g} events a second")


def _run(position: TapePosition, tape: Tape) -> TapePosition:
    """Run on or stop; at the end, run again from the beginning."""
    again = not position.running and position.version >= tape.last
    return replace(position, running=not position.running, version=1 if again else position.version)


COMMANDS: Final[Mapping[str, Callable[[TapePosition, Tape], TapePosition]]] = {
    "g": lambda position, tape: replace(position, typed="", running=False),
    "s": lambda position, tape: replace(position, reader=SPECTATORS),
    "a": lambda position, tape: replace(position, reader=EVERYBODY),
    "l": lambda position, tape: replace(position, log=not position.log),
    "?": lambda position, tape: replace(position, help=True, running=False),
    "r": _run,
    "+": lambda position, tape: _faster(position, 1),
    "=": lambda position, tape: _faster(position, 1),
    "-": lambda position, tape: _faster(position, -1),
}

KEYS: Final = (
    ("→ n space", "the next event"),
    ("← p", "the event before"),
    ("↓ ↑", "the next move, the move before"),
    ("h H", "the next hand, the hand before"),
    ("t T", "the next trick, the trick before"),
    ("g", "go to an event, a hand or a trick: 57, hand:3, trick:2.7"),
    ("PgDn PgUp", f"{PAGE} events on, {PAGE} back"),
    ("Home End", "the first event, the last"),
    ("0 … 9", "view the table from this seat"),
    ("s a", "see it as a spectator; see all cards that the record shows"),
    ("r + -", "let it run or stop it; faster, slower"),
    ("l", "show the log or hide it"),
    ("? q", "this help; quit"),
)
