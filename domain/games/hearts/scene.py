"""Describes the table of Hearts as data."""

from collections.abc import Iterator

from domain.core.cards import Seat
from domain.core.scene import (
    Scene,
    SeatShown,
    Zone,
    badges,
    by_suit,
    counted,
    laid,
    numbers,
    zone,
)
from domain.core.where import Where, at
from domain.games.hearts.events import PASSED
from domain.games.hearts.moves import PassCards, PlayCard, ReturnCard
from domain.games.hearts.options import SEATS
from domain.games.hearts.play import phase, taken_by, to_act
from domain.games.hearts.table import State


def scene(s: State, seat: Seat | None) -> Scene:
    """Give the table as this seat knows it, as data."""
    return Scene(
        phase(s),
        seat,
        tuple(seated(s, i) for i in SEATS),
        (*hands(s), *tricks(s), *underway(s)),
        numbers(hand=s.hand_no, trick=len(s.tricks) + 1 if phase(s) == "playing" else None),
        tuple(notes(s)),
    )


def seated(s: State, seat: Seat) -> SeatShown:
    """Describe a seat."""
    taken = s.rules.scoring.points(taken_by(s.tricks, seat))
    won = sum(trick.winner == seat for trick in s.tricks)
    held = badges(turn=seat in to_act(s), dealer=seat == s.dealer)
    return SeatShown(seat, held, numbers(score=s.scores[seat], points=taken, tricks=won))


def hands(s: State) -> Iterator[Zone]:
    """Give the hands."""
    for i in SEATS:
        yield zone("hand", "fan", by_suit(s.hands[i]), i)


def tricks(s: State) -> Iterator[Zone]:
    """Give the trick, the last one, which may be of the hand before, and what was taken before it."""
    yield laid("trick", s.leader, s.trick, 4)
    for last in s.tricks[-1:] or s.before:
        yield laid("last_trick", last.leader, last.cards, 4, last.winner)
    for i in SEATS:
        if taken := taken_by(s.tricks[:-1], i):
            yield counted("taken", len(taken), i)


def underway(s: State) -> Iterator[Zone]:
    """Give the cards that were passed or given back, and have not arrived."""
    for i in SEATS:
        if phase(s) == "passing" and (passed := s.exchange.passed[i]):
            yield zone("passed", "fan", by_suit(passed), i)
        if phase(s) == "returning" and (returned := s.exchange.returned[i]) is not None:
            yield zone("passed", "fan", (returned,), i)


def notes(s: State) -> Iterator[str]:
    """Say which way cards go, or that they come back, and whether hearts may be led."""
    if phase(s) == "passing" and s.direction != "none":
        yield f"Cards are passed {PASSED[s.direction]}."
    if phase(s) == "returning":
        yield "Each gives one card back to the seat that it came from."
    if phase(s) == "playing" and s.hearts_open:
        yield "Hearts may be led."


def where(s: State, seat: Seat) -> Where:
    """Say that all cards of moves lie in the hand; cards to give back too, for they have arrived there."""
    hand = at("hand", seat)
    return {PassCards: {"cards": hand}, ReturnCard: {"card": hand}, PlayCard: {"card": hand}}
