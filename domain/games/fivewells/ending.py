"""Ends a duel (fivewells 1)."""

from collections.abc import Collection

from domain.core.cards import Seat
from domain.core.game import Outcome
from domain.games.fivewells.events import GameEnded
from domain.games.fivewells.records import Ending
from domain.games.fivewells.state import State


def duel_over(s: State, winners: tuple[Seat, ...], reason: Ending) -> GameEnded:
    """End the duel; without a winner it is drawn."""
    ranking = tuple(1 if not winners or seat in winners else 2 for seat in (0, 1))
    return GameEnded(winners, ranking, s.life, reason)


def stop(s: State, gave_up: tuple[Seat, ...], reason: str) -> tuple[GameEnded, ...]:
    """End the duel now: who gave up loses; if nobody did, it is drawn."""
    why: Ending = "resignation" if reason == "resignation" else "draw" if reason == "draw" else "abandoned"
    return (duel_over(s, remaining(gave_up) if gave_up else (), why),)


def remaining(gave_up: Collection[Seat]) -> tuple[Seat, ...]:
    """Give the seats that did not give up."""
    return tuple(seat for seat in (0, 1) if seat not in gave_up)


def outcome(s: State) -> Outcome | None:
    """Give the result of a duel that is over: a point for its winner."""
    if s.ended is None:
        return None
    scores = tuple(int(seat in s.ended.winners) for seat in (0, 1))
    return Outcome(s.ended.winners, s.ended.ranking, scores, s.ended.reason)
