"""Follows a match through its commits, and notes when it began and ended, and when each player's part in it did."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from domain.core.cards import Seat
from domain.core.clock import Time
from domain.core.game import AnyGame
from domain.core.values import value
from domain.match import Match, evolve, initial_match
from domain.match.match_results import MatchEnded
from domain.match.resignations import SeatResigned


@value
class Course:
    """The start and end of a match.

    `gone` has the seats that stopped taking part before the end, or that a bot played until then, with the time.
    `gave_up` are the seats that resigned permanently, or whose resignation ended the match.
    """

    started: Time
    ended: Time
    gone: Mapping[Seat, Time]
    gave_up: frozenset[Seat]


def course_of(game: AnyGame, match_id: str, commits: Iterable[tuple[Time, Sequence[Any]]]) -> tuple[Match, Course]:
    """Return a match and its course from its commits, each its time and its events; the first event has created it."""
    m: Match | None = None
    started = ended = Time(0)
    gone: dict[Seat, Time] = {}
    last: Seat | None = None
    ended_it: frozenset[Seat] = frozenset()
    for at, events in commits:
        for event in events:
            if m is None:
                m, started = initial_match(game, match_id, event), at
                continue
            before = m.status
            evolve(m, event)
            if before == "lobby" and m.status == "playing":
                started = at
            if type(event) is SeatResigned:
                last = event.seat
            elif type(event) is MatchEnded:
                ended = at
                # Of two players, who gives up the last game of a match has given up the match by that.
                if event.reason == "resignation" and last is not None:
                    ended_it = frozenset([last])
        assert m is not None
        gone = {seat: gone.get(seat, at) for seat in _gone(m)} if not m.over else gone
    assert m is not None
    return m, Course(started, ended, gone, ended_it | set(m.resigned))


def _gone(m: Match) -> set[Seat]:
    """Return the seats that take no more part, and the seats of players that a bot plays."""
    out = () if m.table is None else m.game.leaving.out(m.table)
    return {*m.resigned, *out, *(seat for seat in m.seats if m.players[seat] is not None and m.by_bot[seat])}
