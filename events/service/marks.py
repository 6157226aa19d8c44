"""This module finds the moments of a match to jump to: its games, its hands, the leads to its tricks.

They are read from public data alone: the game's record names the events that begin games and hands, and those that
carry the number of a trick.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from domain.core.game import Game
from events.log import commits as log
from events.store import tables
from events.store.protocol import Store
from events.store.records import CommitRow, Head

AnyGame = Game[Any, Any, Any, Any]


class ReplayMark(NamedTuple):
    """A mark has a name like `hand:3` or `trick:2.7`, the version it stands for, and a title."""

    at: str
    version: int
    text: str


class NoSuchMark(Exception):
    """There is no such moment, or not yet; the message says which there are."""


def found(game: AnyGame, rows: Sequence[CommitRow]) -> Iterator[ReplayMark]:
    """Give the marks in these commits, in order.

    A game and a hand are where a seat may act in them: after the commit that begins them. A trick is the position
    before the commit that leads to it.
    """
    hand, led, life = 0, 0, game.lifecycle
    tricks = _in_tricks(game)
    for row, kind, data in log.public(rows, {_begins(game, "game"), _begins(game, "hand"), *tricks}):
        dealt = row.first + row.n - 1
        if kind == _begins(game, "game"):
            number = data[life.game_no]
            yield ReplayMark(f"game:{number}", dealt, f"Game {number}")
        elif kind == _begins(game, "hand"):
            hand, led = data[life.hand_no], 0
            yield ReplayMark(f"hand:{hand}", dealt, f"Hand {hand}")
        elif hand and data[tricks[kind]] > led:
            led = data[tricks[kind]]
            yield ReplayMark(f"trick:{hand}.{led}", row.first - 1, f"Hand {hand}, trick {led}")


def version_of(store: Store, head: Head, game: AnyGame, at: str) -> int:
    """Give the version that a mark stands for. Raises `NoSuchMark`."""
    kind, _, number = at.partition(":")
    if kind != "trick":
        there = [mark for mark in _beginnings(store, head, game, kind) if mark.at.startswith(kind)]
        return _the_one(there, at, f"No {kind} has begun yet.")
    if not _in_tricks(game):
        raise NoSuchMark(f"{game.words.title} is not played in tricks; jump to a hand, like hand:1.")
    hand = int(number.partition(".")[0])
    hands = [mark for mark in _beginnings(store, head, game, "hand") if mark.at.startswith("hand")]
    begins = _the_one(hands, f"hand:{hand}", "No hand has begun yet.")
    ends = min((mark.version for mark in hands if mark.version > begins), default=head.version)
    in_hand = found(game, tables.streams.rows(store, head.match_no, begins - 1, upto=ends))
    tricks = [mark for mark in in_hand if mark.at.startswith(f"trick:{hand}.")]
    return _the_one(tricks, at, f"No trick of hand {hand} has been led yet.")


def _beginnings(store: Store, head: Head, game: AnyGame, kind: str) -> Iterator[ReplayMark]:
    marks = found(game, tables.streams.rows_naming(store, head.match_no, _begins(game, kind)))
    return (mark for mark in marks if mark.version <= head.version)


def _the_one(marks: Sequence[ReplayMark], at: str, none: str) -> int:
    for mark in marks:
        if mark.at == at:
            return mark.version
    there = f"There is no {at}; choose from {marks[0].at} to {marks[-1].at}." if len(marks) > 1 else ""
    raise NoSuchMark(there or (f"There is no {at}; there is {marks[0].at}." if marks else none))


def _begins(game: AnyGame, kind: str) -> str:
    return {"game": game.lifecycle.game_starts, "hand": game.lifecycle.hand_starts}[kind].__name__


def _in_tricks(game: AnyGame) -> dict[str, str]:
    """Give the field that numbers the trick, by the type of the events that have one."""
    return {kind.__name__: field for kind, field in game.lifecycle.tricks.items()}
