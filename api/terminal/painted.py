"""Places the seats of a scene around the table, with the names of the players."""

from collections.abc import Sequence
from dataclasses import dataclass

from api.safe_text import name_seats
from domain.core.cards import Seat
from domain.core.scene import Scene, SeatShown


@dataclass(frozen=True)
class Painted:
    """Holds a scene, with the names of the players; `big` where there is room for large cards."""

    scene: Scene
    names: Sequence[str]
    big: bool = False

    def side(self, seat: Seat) -> str:
        """Return the position of a seat: the reader at the bottom, the others around in order."""
        n = len(self.scene.seats)
        ahead = (seat - (self.scene.seat or 0)) % n
        each = (n - 1) // 2
        if ahead == 0:
            return "below"
        if ahead <= each:
            return "left"
        return "above" if ahead == each + 1 and n % 2 == 0 else "right"

    def at(self, side: str) -> list[SeatShown]:
        """Return the seats on a side from top to bottom; the next to act after the reader is at the bottom left."""
        first = self.scene.seat or 0
        around = sorted(self.scene.seats, key=lambda s: (s.seat - first) % len(self.scene.seats))
        there = [s for s in around if self.side(s.seat) == side]
        return there[::-1] if side == "left" else there

    def named(self, text: str) -> str:
        """Replace seats with names."""
        return name_seats(text, self.names)
