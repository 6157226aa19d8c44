"""Says which players of a finished match decided anything, and how they kept the deadlines of their decisions."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from domain.core.cards import Seat
from domain.core.game import AnyGame
from domain.core.values import value
from domain.match import Match
from domain.match.clocks import DecisionRequested
from domain.match.pauses import HandContinued
from domain.match.time_outs import DecisionTimedOut


@value
class DeadlinesKept:
    """Counts a player's decisions with a deadline: those on time, and those that ran out."""

    in_time: int
    late: int


def deciders(game: AnyGame, happened: Iterable[tuple[Any, str]]) -> frozenset[Seat]:
    """Return the seats whose players made a move of the game, from its events with their causes.

    A move by a standing order counts as the player's. Moves by the clock or a bot do not, nor does resigning.
    """
    answers = game.answers.by
    return frozenset(
        getattr(event, answers[type(event)]) for event, cause in happened if cause == "move" and type(event) in answers
    )


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
