"""Decides which hands are shown, and in which order (poker 3)."""

from collections.abc import Iterable, Mapping

from domain.core.cards import Seat
from domain.poker.betting import NOBODY, clockwise


def order(unfolded: list[Seat], aggressor: Seat, button: Seat, seats: int) -> list[Seat]:
    """Begin with the seat that bet or raised last in the last round, else left of the button; then clockwise."""
    first = aggressor - 1 if aggressor != NOBODY and aggressor in unfolded else button
    return clockwise(unfolded, first, seats)


def shows(
    sequence: Iterable[Seat], strengths: Mapping[Seat, int], pots: Iterable[tuple[Seat, ...]]
) -> dict[Seat, bool]:
    """Say of each seat in turn whether it shows: if it can still win, or split, one of the pots it is eligible for."""
    open_, shown = list(pots), dict[Seat, bool]()
    for seat in sequence:
        rivals = [max((strengths[i] for i in pot if shown.get(i)), default=-1) for pot in open_ if seat in pot]
        shown[seat] = any(strengths[seat] >= best for best in rivals)
    return shown
