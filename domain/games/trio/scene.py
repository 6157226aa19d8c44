"""Describes the table of Trio as data."""

from collections.abc import Iterator
from typing import Final

from domain.core.cards import BACK, Seat
from domain.core.scene import Scene, SeatShown, Spot, Zone, badges, numbers, zone
from domain.core.where import Where, at, spots
from domain.games.trio.options import Number
from domain.games.trio.play import scores, to_act
from domain.games.trio.table import FaceUp, OfferSwap, RevealHighest, RevealLowest, RevealMiddle, State

COLUMNS: Final = {9: 3, 8: 4, 6: 3}
"""This many cards lie side by side in the middle, by their number at the deal."""


def scene(s: State, seat: Seat | None) -> Scene:
    """Give the table as this seat knows it, as data."""
    return Scene(
        s.phase,
        seat,
        tuple(seated(s, i) for i in range(s.rules.seats)),
        tuple(zones(s)),
        numbers(hand=s.hand_no, turn=s.turn_no),
        tuple(notes(s)),
    )


def seated(s: State, seat: Seat) -> SeatShown:
    """Describe a seat."""
    team = s.rules.team_of(seat)
    held = badges(turn=seat in to_act(s))
    own = () if team is None else (f"team {team + 1}",)
    return SeatShown(seat, held + own, numbers(score=scores(s)[seat]))


def zones(s: State) -> Iterator[Zone]:
    """Give the hands, the middle, what was turned up from hands in this turn, and the trios that were taken."""
    for i, hand in enumerate(s.hands):
        yield zone("hand", "fan", hand, i, face=card_up)
    if s.middle:
        spots = tuple(place(s, position) for position in range(len(s.middle)))
        columns = COLUMNS.get(len(spots), len(spots))
        lying = sum(not spot.empty for spot in spots)
        yield Zone("middle", "middle", "grid", None, spots, lying, columns=columns)
    up = tuple(turned_up(c) for c in s.face_up if c.source.position is None)
    yield Zone("revealed", "revealed", "row", None, up, len(up))
    for trio in s.trios:
        cards = (trio.number,) * 3
        yield zone("trio", "pile", cards, trio.seat, part=trio.number, face=card_up)


def card_up(card: Number) -> Spot:
    """Describe a card that lies face up."""
    return Spot(str(card))


def place(s: State, position: int) -> Spot:
    """Describe a position of the middle."""
    card = s.middle[position]
    if card is not None:
        return Spot() if card == BACK else Spot(str(card), marks=("face down",))
    up = next((c for c in s.face_up if c.source.position == position), None)
    return Spot(empty=True) if up is None else turned_up(up)


def turned_up(c: FaceUp) -> Spot:
    """Describe a card that was turned up in this turn; face down if its number is forgotten."""
    marks = ("turned up",) if c.source.end is None else ("turned up", c.source.end)
    return Spot(None if c.number is None else str(c.number), seat=c.source.seat, marks=marks)


def notes(s: State) -> Iterator[str]:
    """Say that partners may swap, and what the reader has offered."""
    if s.phase == "swap_window" and s.window is not None:
        yield "Partners may swap a card."
        for seat, offer in enumerate(s.window.offers):
            if offer is not None:
                yield f"Seat {seat} offers {offer}."


def where(s: State, seat: Seat) -> Where:
    """Say that seats are those of the hands, that positions are those of the middle, and what a seat may offer."""
    hands = tuple(at("hand", i) for i in range(s.rules.seats))
    middle: Where = {RevealMiddle: {"position": spots("middle")}} if s.middle else {}
    return {
        RevealLowest: {"seat": hands},
        RevealHighest: {"seat": hands},
        OfferSwap: {"card": at("hand", seat)},
        **middle,
    }
