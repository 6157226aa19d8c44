"""Writes the sentence that says what decided a hand or a game, for games that count points."""

from collections.abc import Sequence

from domain.core.cards import Seat
from domain.core.text import capitalise, seats


def lead_of(totals: Sequence[int], winners: Sequence[Seat]) -> int:
    """Return the distance between the winners of a game and the next seat; 0 if all seats won or none did."""
    others = [total for seat, total in enumerate(totals) if seat not in winners]
    return min((abs(totals[winners[0]] - total) for total in others), default=0) if winners else 0


def won_by(totals: Sequence[int], winners: Sequence[Seat], deed: str = "", unit: str = "") -> str:
    """Return by how much a game was won, such as `Seat 2 won by 12.`; empty without a lead.

    `deed` is something that the winners also did, such as `shot the moon in hand 3`.
    """
    lead = lead_of(totals, winners)
    if not lead:
        return ""
    return f"{capitalise(seats(winners))} {f'{deed} and ' if deed else ''}won by {lead}{unit}."
