"""Describes the table of Crazy Eights as data."""

from collections.abc import Iterator

from domain.core.cards import SUIT_OF, Seat
from domain.core.scene import Scene, SeatShown, Zone, badges, by_suit, counted, numbers, zone
from domain.core.values import changed
from domain.core.where import MOVE, Where, at
from domain.games.crazy_eights.moves import SUITS_IN_WORDS, DrawCard, PlayCard
from domain.games.crazy_eights.play import to_act
from domain.games.crazy_eights.table import State


def scene(s: State, seat: Seat | None) -> Scene:
    """Give the table as this seat knows it, as data."""
    seats = range(s.rules.seats)
    return Scene(
        s.phase,
        seat,
        tuple(seated(s, i) for i in seats),
        tuple(zones(s)),
        numbers(hand=s.hand_no, drawn=s.drawn or None),
    )


def seated(s: State, seat: Seat) -> SeatShown:
    """Describe a seat; what it is owed is told where hands are paid for."""
    net = s.ledger.net[seat] if any(s.ledger.net) else None
    held = badges(turn=seat in to_act(s), dealer=seat == s.dealer)
    return SeatShown(seat, held, numbers(score=s.scores[seat], net=net))


def zones(s: State) -> Iterator[Zone]:
    """Give the hands, the stock, and the pile with the suit that is in force where its top card has another."""
    for i, hand in enumerate(s.hands):
        yield zone("hand", "fan", by_suit(hand), i)
    yield counted("stock", len(s.stock))
    named = s.pile and s.suit is not None and s.suit != SUIT_OF[s.pile[-1]]
    yield changed(zone("discard", "pile", s.pile), note=f"suit: {SUITS_IN_WORDS[s.suit or 0]}" if named else "")


def where(s: State, seat: Seat) -> Where:
    """Say that cards to play lie in the hand, and that cards are drawn from the stock."""
    return {PlayCard: {"card": at("hand", seat)}, DrawCard: {MOVE: at("stock")}}
