"""Paints a scene: the seats around the table, and its middle. It knows no game."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.align import Align, AlignMethod
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.layout import Layout
from rich.padding import Padding
from rich.text import Text

from api.terminal.card_art import hand_layouts
from api.terminal.fit import BLANK, WIDE, fitting, line, size
from api.terminal.painted import Painted
from api.terminal.table_center import Middle
from domain.core.scene import CHIPS, HAND, PROGRESS, SHORT_BADGES, TURN, SeatShown, Zone

ASIDE: Final = 17
"""A seat to the left or right takes this many columns with a gap; less where the table is narrow."""

ASIDES: Final[Sequence[AlignMethod]] = ("left", "right")
"""These are the sides of the table, with the alignment of the seats there."""

AMPLE: Final = 5 * ASIDE
"""From this many columns of a table on, the seats aside have half as much again."""

FEW: Final = 4
"""A table of at most this many seats has no two of them next to each other."""


def table(painted: Painted, width: int, height: int) -> Layout:
    """Paint a table of this size: the seats around the middle, the reader below."""
    said, mine = notes(painted), Block(painted, painted.at("below")[0], "center")
    rest = [
        Layout(said, size=min(len(said.wrap(WIDE, max(width, 1))), 2)),
        Layout(mine, size=min(mine.tall(width), max(height - 2, 1))),
    ]
    whole = Layout()
    whole.split_column(*layouts_of_other_seats(painted, width), *rest)
    return whole


def layouts_of_other_seats(painted: Painted, width: int) -> list[Layout]:
    """Lay out the others around the middle: the seat across at the top, among many between the columns aside."""
    most = min(ASIDE * 3 // 2 if width > AMPLE else ASIDE, max(width - 14, 2) // 2)
    left, right = (column(painted, side, most) for side in ASIDES)
    few, middle, row = len(painted.scene.seats) <= FEW, Layout(Middle(painted)), Layout()
    room = width if few else width - (left.size or 0) - (right.size or 0)
    across = [Block(painted, seat, "center") for seat in painted.at("above")]
    top = [Layout(block, size=block.tall(room)) for block in across]
    if top and not few:
        middle.split_column(*top, Layout(Middle(painted)))
    row.split_row(left, middle, right)
    return [*top, row] if few else [row]


def column(painted: Painted, side: AlignMethod, most: int) -> Layout:
    """Lay out the seats on a side, in as many columns as they take."""
    gap = (0, 1, 0, 0) if side == "left" else (0, 0, 0, 1)
    blocks = [Block(painted, seat, side) for seat in painted.at(side)]
    whole = Layout(BLANK, size=max((block.wide(most - 1) + 1 for block in blocks), default=1))
    if blocks:
        whole.split_column(*(Layout(Padding(block, gap)) for block in blocks))
    return whole


def notes(painted: Painted) -> Text:
    """Write the table's numbers except those in `PROGRESS`, then its notes."""
    scene = painted.scene
    said = [f"{label} {n}" for label, n in scene.numbers if label not in PROGRESS]
    text = " · ".join([*said, *(painted.named(note).rstrip(".") for note in scene.notes)])
    return Text(text or " ", "italic", justify="center")


# --- Seats ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Block:
    """Draws a seat: its name, its badges and numbers, and its hand, as large as the room allows.

    Badges with an abbreviation stand next to the name, others below it.
    """

    painted: Painted
    seat: SeatShown
    align: AlignMethod

    def zones(self) -> list[Zone]:
        return [zone for zone in self.painted.scene.zones if zone.seat == self.seat.seat]

    def head(self) -> list[Text]:
        """Write the lines above the hand."""
        turn = "▶ " if TURN in self.seat.badges else ""
        short = [SHORT_BADGES[badge] for badge in self.seat.badges if badge in SHORT_BADGES]
        marks = f" ({', '.join(short)})" if short else ""
        style = "bold reverse" if turn else "bold"
        name = line(turn + self.painted.names[self.seat.seat] + marks, style)
        said = [badge for badge in self.seat.badges if badge not in SHORT_BADGES and badge != TURN]
        others = [zone for zone in self.zones() if zone is not self.hand]
        piles = [in_words(zone) for zone in others if zone.kind not in self.seat.badges]
        words = " · ".join([*filter(None, piles), *said])
        return [name, line(words)] if words else [name]

    @property
    def hand(self) -> Zone | None:
        """Return the zone of the hand; in a game with another name for it, the first fan of the seat."""
        zones = self.zones()
        fans = [zone for zone in zones if zone.layout == "fan"]
        return next((zone for zone in zones if zone.kind == HAND), fans[0] if fans else None)

    def hands(self) -> list[RenderableType]:
        """Return the ways to draw the hand."""
        zone = self.hand
        return [Text()] if zone is None else hand_layouts(zone, big=self.painted.big)

    def wide(self, most: int) -> int:
        """Return the number of columns that the seat takes."""
        hands = (size(hand)[0] for hand in self.hands())
        return max(next((w for w in hands if w <= most), most), *(min(row.cell_len, most) for row in self.head()))

    def tall(self, width: int) -> int:
        """Return the number of lines that the seat takes."""
        fits = (size(hand)[1] for hand in self.hands() if size(hand)[0] <= width)
        return len(self.head()) + next(fits, 3)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        head = self.head()
        height = options.height or options.size.height
        hand = fitting([[hand] for hand in self.hands()], options.max_width, height - len(head))
        yield from console.render(Align(Group(*head, *hand), self.align, vertical="middle"), options)


def in_words(zone: Zone) -> str:
    """Describe a seat's heap in few words: how many cards, their common kind, or their value."""
    kind = zone.kind.replace("_", " ")
    if not zone.count:
        return " ".join(str(n) if label == CHIPS else f"{label} {n}" for label, n in zone.numbers)
    texts = {spot.card for spot in zone.spots}
    same = len(texts) == 1 and zone.count == len(zone.spots) > 1
    if zone.layout in ("pile", "fan"):
        return f"{kind} {texts.pop() if same else zone.count}"
    return ""
