"""Finds the marks of a match for replay: its games, its hands, and moments within hands.

They follow from public data. The game's definition names the events that begin games and hands, those that number
tricks, and other moments with their texts.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from domain.core.game import Game
from events.log import commits as log
from events.log.codec import shapes
from events.store.protocol import Store
from events.store.records import CommitRow, Head
from events.store.tables import stream_rows

AnyGame = Game[Any, Any, Any, Any]
Tell = Callable[[Mapping[str, Any]], str]


class ReplayMark(NamedTuple):
    """A mark has a name like `hand:3` or `trick:2.7`, the version it stands for, and a title."""

    at: str
    version: int
    text: str


class NoSuchMark(Exception):
    """The moment does not exist, or not yet; the message lists the valid ones."""


def find_marks(game: AnyGame, rows: Sequence[CommitRow]) -> Iterator[ReplayMark]:
    """Return the marks in these commits, in order.

    A game, a hand or another moment is marked after its commit, when a seat can act. A trick is marked before the
    commit that leads to it. Other moments are counted per hand.
    """
    hand, led, life = 0, 0, game.lifecycle
    tricks, moments, count = _in_tricks(game), _in_moments(game), Counter[str]()
    kinds = {_begins(game, "game"), _begins(game, "hand"), *tricks, *moments}
    known = {kind: shape for kind, shape in shapes(game.name).items() if kind in kinds}
    for row, kind, data in log.public_events(rows, known):
        after = row.first + row.n - 1
        if kind == _begins(game, "game"):
            number = data[life.game_no]
            yield ReplayMark(f"game:{number}", after, f"Game {number}")
        elif kind == _begins(game, "hand"):
            hand, led, count = data[life.hand_no], 0, Counter()
            yield ReplayMark(f"hand:{hand}", after, f"Hand {hand}")
        elif hand and kind in tricks and data[tricks[kind]] > led:
            led = data[tricks[kind]]
            yield ReplayMark(f"trick:{hand}.{led}", row.first - 1, f"Hand {hand}, trick {led}")
        for name, tell in moments.get(kind, ()):
            if hand and (said := tell(data)):
                count[name] += 1
                yield ReplayMark(f"{name}:{hand}.{count[name]}", after, f"Hand {hand}, {said}")


def version_of(store: Store, head: Head, game: AnyGame, at: str) -> int:
    """Return the version of a mark. Raises `NoSuchMark`."""
    kind, _, number = at.partition(":")
    if kind in ("game", "hand"):
        there = [mark for mark in _beginnings(store, head, game, kind) if mark.at.startswith(kind)]
        return _the_one(there, at, f"No {kind} has begun yet.")
    if kind == "trick" and not _in_tricks(game):
        raise NoSuchMark(f"{game.words.title} has no tricks. Jump to a hand, such as hand:1.")
    if kind != "trick" and kind not in game.lifecycle.moments:
        raise NoSuchMark(f"{game.words.title} has no marks of the kind {kind}. Jump to a hand, such as hand:1.")
    hand = int(number.partition(".")[0])
    hands = [mark for mark in _beginnings(store, head, game, "hand") if mark.at.startswith("hand")]
    begins = _the_one(hands, f"hand:{hand}", "No hand has begun yet.")
    ends = min((mark.version for mark in hands if mark.version > begins), default=head.version)
    in_hand = find_marks(game, stream_rows.rows(store, head.match_no, begins - 1, upto=ends))
    of_kind = [mark for mark in in_hand if mark.at.startswith(f"{kind}:{hand}.")]
    none = f"No trick of hand {hand} has been led yet." if kind == "trick" else f"Hand {hand} has no {kind} yet."
    return _the_one(of_kind, at, none)


def _beginnings(store: Store, head: Head, game: AnyGame, kind: str) -> Iterator[ReplayMark]:
    marks = find_marks(game, stream_rows.rows_naming(store, head.match_no, _begins(game, kind)))
    return (mark for mark in marks if mark.version <= head.version)


def _the_one(marks: Sequence[ReplayMark], at: str, none: str) -> int:
    for mark in marks:
        if mark.at == at:
            return mark.version
    there = f"There is no {at}. Choose from {marks[0].at} to {marks[-1].at}." if len(marks) > 1 else ""
    raise NoSuchMark(there or (f"There is no {at}. The only mark is {marks[0].at}." if marks else none))


def _begins(game: AnyGame, kind: str) -> str:
    return {"game": game.lifecycle.game_starts, "hand": game.lifecycle.hand_starts}[kind].__name__


def _in_tricks(game: AnyGame) -> dict[str, str]:
    """Return the field that numbers the trick, by type of event."""
    return {kind.__name__: field for kind, field in game.lifecycle.tricks.items()}


def _in_moments(game: AnyGame) -> dict[str, list[tuple[str, Tell]]]:
    """Return the kinds of moments by type of event, each with the function for its text."""
    moments: dict[str, list[tuple[str, Tell]]] = {}
    for name, told in game.lifecycle.moments.items():
        for kind, tell in told.items():
            moments.setdefault(kind.__name__, []).append((name, tell))
    return moments
