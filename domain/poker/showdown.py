"""Decides which hands are shown, and in which order (poker 3)."""

from collections.abc import Iterable, Mapping

from domain.core.cards import Seat
from domain.poker.betting import NOBODY, clockwise


def order(unfolded: list[Seat], aggressor: Seat, button: Seat, seats: int) -> list[Seat]:
    """Return the order of showing: from the last seat that bet or raised, or else left of the button, clockwise."""
    first = aggressor - 1 if aggressor != NOBODY and aggressor in unfolded else button
    return clockwise(unfolded, first, seats)


def shows(
    sequence: Iterable[Seat], strengths: Mapping[Seat, int], pots: Iterable[tuple[Seat, ...]]
) -> dict[Seat, bool]:
    """Return for each seat in turn whether it shows: if it can still win or split one of its pots."""
    open_, shown = list(pots), dict[Seat, bool]()
    for seat in sequence:
        rivals = [max((strengths[i] for i in pot if shown.get(i)), default=-1) for pot in open_ if seat in pot]
        shown[seat] = any(strengths[seat] >= best for best in rivals)
    return shown
