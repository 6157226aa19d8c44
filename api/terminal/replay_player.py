"""Prepares a record to be stepped through: the table at any version from any seat, its log, its bookmarks."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from itertools import groupby
from typing import Any, Final, NamedTuple

from api.safe_text import name_seats, remove_controls
from domain import match as life
from domain.core.game import Game
from domain.core.visibility import SPECTATORS, Reader
from domain.games.catalogue import GAMES
from domain.match import Match
from events.log.codec import EVERYBODY
from events.proof.findings import Report, Verdict
from events.proof.record import Item, Record, Unreadable, shown_events

EVERY: Final = 64
"""The number of events between kept states: the most that a step folds."""


class Bookmark(NamedTuple):
    """A bookmark names a position, with the version it stands for, and its first and last event."""

    at: str
    version: int
    first: int
    last: int = 0


class Tape:
    """A record prepared for replay. Raises `Unreadable` if not even its first event can be shown."""

    def __init__(self, record: Record, report: Report) -> None:
        self.record, self.report = record, report
        self._shown: dict[Reader, list[Any]] = {}
        self._faults: dict[Reader, tuple[int, str]] = {}
        self._states: dict[Reader, dict[int, Match]] = {}
        self._first = first = self.at(SPECTATORS, 1)
        self.game, self.options, self.seats = first.game, first.created.options, len(first.seats)
        self.names = seat_names(record, self.seats)
        self.readers: tuple[Reader, ...] = (*map(str, range(self.seats)), SPECTATORS, EVERYBODY)
        self.last = len(record.events)
        following = zip(record.events, [*record.events[1:], None], strict=True)
        self._ends = [a.seq for a, b in following if b is None or b.commit != a.commit]
        self.marks = marks(record, self.game)
        self.hands = [mark for mark in self.marks if mark.at.startswith("hand")]
        self.tricks = [mark for mark in self.marks if mark.at.startswith("trick")]

    # --- States ---------------------------------------------------------------------------------------------

    def events(self, reader: Reader) -> list[Any]:
        """Return the events as a reader was shown them, as far as they can be read."""
        if reader not in self._shown:
            read: list[Any] = []
            self._shown[reader] = read
            try:
                read.extend(shown_events(self.record, reader))
            except Unreadable as error:
                self._faults[reader] = (len(read), str(error))
        return self._shown[reader]

    def at(self, reader: Reader, version: int) -> Match:
        """Return the match as a reader knew it at a version from 1 on. Raises `Unreadable` if it is damaged."""
        events, kept = self.events(reader), self._states.setdefault(reader, {})
        upto, why = self._faults.get(reader, (len(self.record.events), ""))
        if version > upto:
            raise Unreadable(why)
        near = EVERY * (version // EVERY)
        while near and near not in kept:
            near -= EVERY
        done = max(near, 1)
        try:
            m = (
                kept[near].copy()
                if near
                else life.fold_from_start(GAMES[self.record.match.game], self.record.match.id, events[:1])
            )
            for event in events[done:version]:
                life.evolve(m, event)
                done += 1
                if done % EVERY == 0:
                    kept[done] = m.copy()
        except Exception as error:  # a forged event may make the rules raise anything
            why = f"Event {done + (version > 1)} does not follow from those before it.{self._of_other_rules()}"
            self._faults[reader] = (done, why)
            raise Unreadable(why) from error
        return m

    def _of_other_rules(self) -> str:
        """Return which version of the rules has written the record, if it is not this one."""
        theirs, ours = self.record.match.rules, life.rules_of(GAMES[self.record.match.game])
        said = f" It was played by version {theirs} of the rules, and this program has version {ours}."
        return "" if theirs == ours else said

    def text(self, reader: Reader, version: int) -> str:
        """Return the text of an event for a reader, with the names of the players."""
        events, item = self.events(reader), self.record.events[version - 1]
        if version > len(events):
            return remove_controls(f"{item.type} (cannot be read)")
        try:
            said = life.describe_event(self.game, events[version - 1], self._first, self._known(reader, version))
        except Exception:  # a forged event may contain values without words
            return remove_controls(f"{item.type} (cannot be described)")
        return name_seats(remove_controls(said), self.names)

    def _known(self, reader: Reader, version: int) -> Match | None:
        """Return the match that names objects in texts, if the game needs it, as far as it is not damaged."""
        if self.game.words.text_at is None:
            return None
        with suppress(Unreadable):
            return self.at(reader, version)
        return None

    # --- Places ---------------------------------------------------------------------------------------------

    def move_after(self, version: int) -> int:
        """Return the version after the next move."""
        i = bisect_right(self._ends, version)
        return self._ends[i] if i < len(self._ends) else self.last

    def move_before(self, version: int) -> int:
        """Return the version after the previous move."""
        i = bisect_left(self._ends, version)
        return self._ends[i - 1] if i else 1

    def find(self, at: str) -> Bookmark:
        """Find what a mark names: `57`, `hand:3`, `trick:2.7`, `turn:1.4`. Raises `ValueError`."""
        said = at.strip().lower()
        if said.isdecimal():
            if not 1 <= int(said[:9]) <= self.last:
                raise ValueError(f"There is no event {said[:9]}. Choose one from 1 to {self.last}.")
            return Bookmark(said, int(said), int(said), int(said))
        for mark in self.marks:
            if mark.at == said:
                return mark
        if not MARK.fullmatch(said):
            raise ValueError(f"{remove_controls(at)!r} is not a position. Write 57, hand:3 or trick:2.7.")
        there = [mark.at for mark in self.marks if mark.at.partition(":")[0] == said.partition(":")[0]]
        which = f"they are {there[0]} to {there[-1]}" if there else "this record has none"
        raise ValueError(f"There is no {said}; {which}.")

    # --- Words ----------------------------------------------------------------------------------------------

    def viewpoint(self, reader: Reader) -> str:
        """Return the seat from which the table is shown, in words."""
        special = {SPECTATORS: "seen by spectators", EVERYBODY: "all cards"}
        return special.get(reader) or f"seen by {self.names[int(reader)]}"

    def chosen(self) -> str:
        """Name the options that differ from the defaults."""
        try:
            usual = self.game.setup.resolve(asdict(self.game.setup.options()), self.seats)
        except Exception:  # options of a forged record
            usual = {}
        said = [
            f"{name.replace('_', ' ')} {_worded(x)}"
            for name, x in self.options.items()
            if name in usual and usual[name] != x and x is not None
        ]
        return remove_controls(", ".join(said))

    def verdict(self) -> tuple[Verdict, str]:
        """Return the verdict on the record, and the faults or skipped checks in words."""
        failed = [check for check in self.report.checks if not check.ok]
        if not failed:
            skipped = [check.name for check in self.report.checks if check.skipped]
            unsigned = ""
            if "signatures" in skipped:
                unsigned = ", unsigned" if self.report.signed is None else ", signed with a key that was not named"
            left = ", ".join(name for name in skipped if name not in ("signatures", "log"))
            said = self.report.verdict + unsigned + (f"; not checked: {left}" if left else "")
            return self.report.verdict, said
        first = min(failed, key=lambda check: check.seq or 0)
        where = f" at event {first.seq}" if first.seq else ""
        return "failed", remove_controls(f"NOT VERIFIED: {first.name}{where}: {first.detail}")


MARK: Final = re.compile(r"(game|hand):\d{1,9}|[a-z][a-z0-9_]{0,59}:\d{1,9}\.\d{1,9}")


def _worded(x: Any) -> str:
    return {True: "yes", False: "no"}[x] if isinstance(x, bool) else str(x)


def seat_names(record: Record, seats: int) -> list[str]:
    """Return the names of the seats; players with the same name are numbered by seat."""
    given = {seat.seat: seat for seat in record.match.seats}
    names = []
    for s in range(seats):
        sits = given.get(s)
        name = sits.player.name if sits and sits.player else None
        default = "Bot" if sits and sits.kind == "bot" else "Seat"
        names.append(remove_controls(name).strip()[:24] if name and name.strip() else f"{default} {s}")
    return [name if names.count(name) == 1 else f"{name} ({s})" for s, name in enumerate(names)]


def marks(record: Record, game: Game[Any, Any, Any, Any]) -> list[Bookmark]:
    """Find the versions of games, hands, tricks and other moments.

    A game or hand is at the version of its deal, a trick right before its lead, and another moment right after its
    commit.
    """
    found: list[Bookmark] = []
    hand, led, count, life = 0, 0, Counter[str](), game.lifecycle
    tricks = {kind.__name__: field for kind, field in life.tricks.items()}
    commits = [list(commit) for _, commit in groupby(enumerate(record.events, 1), lambda e: e[1].commit)]
    for commit in commits:
        for version, item in commit:
            numbers = {name: x for name, x in item.data.items() if type(x) is int}
            if item.type == life.game_starts.__name__ and life.game_no in numbers:
                found.append(Bookmark(f"game:{numbers[life.game_no]}", commit[-1][0], version))
            if item.type == life.hand_starts.__name__ and life.hand_no in numbers:
                hand, led, count = numbers[life.hand_no], 0, Counter()
                found.append(Bookmark(f"hand:{hand}", commit[-1][0], version))
            elif hand and numbers.get(tricks.get(item.type, ""), 0) > led:
                led = numbers[tricks[item.type]]
                found.append(Bookmark(f"trick:{hand}.{led}", max(commit[0][0] - 1, 1), commit[0][0]))
            for name in _moments(game, item) if hand else ():
                count[name] += 1
                found.append(Bookmark(f"{name}:{hand}.{count[name]}", commit[-1][0], version))
    return _with_ends(found, len(record.events))


def _moments(game: Game[Any, Any, Any, Any], item: Item) -> Iterator[str]:
    """Return the kinds of moments of an event; the game may be unable to describe a forged moment."""
    for name, told in game.lifecycle.moments.items():
        for kind, tell in told.items():
            with suppress(Exception):
                if item.type == kind.__name__ and tell(item.data):
                    yield name


def _with_ends(found: list[Bookmark], end: int) -> list[Bookmark]:
    """Add the last event of each bookmark: the one before the next of its kind, or of a larger kind."""
    above = {"game": ("game",), "hand": ("game", "hand")}
    begins: defaultdict[str, int] = defaultdict(lambda: end + 1)
    whole = []
    for mark in reversed(found):
        own = mark.at.partition(":")[0]
        whole.append(mark._replace(last=min(begins[kind] for kind in above.get(own, ("game", "hand", own))) - 1))
        begins[own] = mark.first
    return whole[::-1]


def first_reader(tape: Tape) -> Reader:
    """Choose where to sit: in the record's own seat; a spectator sees all cards once they are disclosed."""
    own = tape.record.match.reader
    if own in tape.readers[:-2]:
        return own
    return EVERYBODY if any(item.disclosed for item in tape.record.events) else SPECTATORS
