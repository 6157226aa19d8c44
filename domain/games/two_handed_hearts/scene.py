"""Describes the table of Two-Handed Hearts as data."""

from collections.abc import Iterator

from domain.core.cards import Seat
from domain.core.scene import Scene, SeatShown, Zone, badges, by_suit, counted, laid, numbers, zone
from domain.core.where import MOVE, Where, at
from domain.games.two_handed_hearts.moves import KeepCard, PlayCard, RejectCard
from domain.games.two_handed_hearts.options import SEATS, taken
from domain.games.two_handed_hearts.play import phase, taken_by, to_act
from domain.games.two_handed_hearts.table import State


def scene(s: State, seat: Seat | None) -> Scene:
    """Give the table as this seat knows it, as data."""
    return Scene(
        phase(s),
        seat,
        tuple(seated(s, i) for i in SEATS),
        (*hands(s), *drawing(s), *tricks(s)),
        numbers(hand=s.hand_no, trick=len(s.tricks) + 1 if s.phase == "playing" else None),
        tuple(f"Seat {found.seat} revoked in trick {found.trick_no}." for found in s.revokes),
    )


def seated(s: State, seat: Seat) -> SeatShown:
    """Describe a seat."""
    points = taken(s.rules, taken_by(s, seat)).card_points
    won = sum(trick.winner == seat for trick in s.tricks)
    false = s.false_claims[seat] or None
    held = badges(turn=seat in to_act(s), dealer=seat == s.dealer)
    return SeatShown(seat, held, numbers(score=s.scores[seat], points=points, tricks=won, false_claims=false))


def hands(s: State) -> Iterator[Zone]:
    """Give the hands, and what each seat has set aside."""
    for i in SEATS:
        yield zone("hand", "fan", by_suit(s.hands[i]), i)
        if s.waste[i]:
            yield zone("set_aside", "pile", s.waste[i], i)


def drawing(s: State) -> Iterator[Zone]:
    """Give the stock, and the card drawn from it that is neither kept nor rejected."""
    yield counted("stock", len(s.stock))
    if s.drawn is not None:
        yield zone("drawn", "row", (s.drawn,), s.turn)


def tricks(s: State) -> Iterator[Zone]:
    """Give the trick, the last one, which may be of the hand before, and what was taken before it."""
    yield laid("trick", s.leader, s.trick, 2)
    for last in s.tricks[-1:] or s.before:
        yield laid("last_trick", last.leader, last.cards, 2, last.winner)
    for i in SEATS:
        if count := sum(len(trick.cards) for trick in s.tricks[:-1] if trick.winner == i):
            yield counted("taken", count, i)


def where(s: State, seat: Seat) -> Where:
    """Say that cards to play, and to lay away for the one that was drawn, lie in the hand."""
    hand = at("hand", seat)
    drawn: Where = {RejectCard: {MOVE: at("drawn", seat)}} if s.drawn is not None else {}
    return {KeepCard: {"discard": hand}, PlayCard: {"card": hand}, **drawn}
