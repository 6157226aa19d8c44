"""Follows a match through its commits, and records when it began and ended, and when each player's part in it ended.

Counts the decisions that players made in time.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from domain.core.cards import Seat
from domain.core.clock import Time
from domain.core.game import AnyGame
from domain.core.values import value
from domain.match import Match, evolve, initial_match
from domain.match.clocks import DecisionRequested, DecisionTimedOut, HandContinued
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
    """Return a match and its course from its commits, each its time and its events; the first event creates it."""
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
            elif m.over and before != m.status:
                ended = at
                # With two players, resigning the last game of a match resigns the match.
                if event.reason == "resignation" and last is not None:
                    ended_it = frozenset([last])
        assert m is not None
        gone = {seat: gone.get(seat, at) for seat in _seats_without_player(m)} if not m.over else gone
    assert m is not None
    return m, Course(started, ended, gone, ended_it | set(m.resigned))


def _seats_without_player(m: Match) -> set[Seat]:
    """Return the seats that no longer take part, and those in which a bot replaces a player."""
    out = () if m.table is None else m.game.leaving.out(m.table)
    return {*m.resigned, *out, *(seat for seat in m.seats if m.players[seat] is not None and m.by_bot[seat])}


@value
class DeadlinesKept:
    """Counts a player's decisions with a deadline: those on time, and those that ran out."""

    in_time: int
    late: int


def deciders(game: AnyGame, happened: Iterable[tuple[Any, str]]) -> frozenset[Seat]:
    """Return the seats whose players made their first decision in the game, from its events with their causes.

    A move by a standing order counts as the player's. Moves by the clock or a bot do not, nor does resigning. A player
    who lets the clock or a bot decide first does not become a decider later: otherwise an absent player could come
    back to finish only those matches that the bot is winning.
    """
    answers = game.answers.by
    first: dict[Seat, str] = {}
    for event, cause in happened:
        if type(event) in answers:
            first.setdefault(getattr(event, answers[type(event)]), cause)
    return frozenset(seat for seat, cause in first.items() if cause == "move")


def deadlines_kept(m: Match, events: Iterable[Any]) -> dict[str, DeadlinesKept]:
    """Return how each player of a finished match kept the clock's deadlines, from its events.

    A decision that was never made, because the game ended first, does not count. Nor does a decision whose limit was
    the game's own.
    """
    if not m.clock.ticks:
        return {}
    answers: Mapping[type, str] = {**m.game.answers.by, HandContinued: "seat"}
    waits: set[Seat] = set()
    in_time, late = Counter[Seat](), Counter[Seat]()
    for event in events:
        kind = type(event)
        if kind is DecisionRequested:
            waits.add(event.seat)
        elif kind is DecisionTimedOut:
            waits.discard(event.seat)
            late[event.seat] += event.defaults > 0
        elif kind in answers and (seat := getattr(event, answers[kind])) in waits:
            waits.discard(seat)
            in_time[seat] += 1
    return {
        player: DeadlinesKept(in_time[seat], late[seat])
        for seat, player in enumerate(m.players)
        if player is not None and (in_time[seat] or late[seat])
    }
