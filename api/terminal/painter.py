"""Paints a scene: the seats around the table, and its middle. It knows no game."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import Final

from rich.align import Align, AlignMethod
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.layout import Layout
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from api.safe_text import name_seats
from api.terminal.card_art import backs, face, fan, hand_layouts, lines, names, side_by_side, single
from api.terminal.fit import BLANK, WIDE, choose_fitting, line, size, stack_centred
from domain.core.cards import Seat
from domain.core.scene import CHIPS, HAND, PROGRESS, SHORT_BADGES, STOCK, TURN, Scene, SeatShown, Spot, Zone


@dataclass(frozen=True)
class Painted:
    """A scene to paint, with the names of the players; `big` if there is room for large cards."""

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


class Density(Enum):
    """How closely the middle is drawn; the first density takes the most room."""

    LARGE = "large cards"
    SMALL = "small cards"
    CLOSE = "cards over one another"
    NAMED = "names"


@dataclass(frozen=True)
class Middle:
    """The middle of the table is drawn as large as the room allows."""

    painted: Painted

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        ways = [self.drawn(density) for density in Density if density is not Density.LARGE or self.painted.big]
        fits = choose_fitting(ways, options.max_width, options.height or options.size.height)
        yield from console.render(Align.center(stack_centred(fits), vertical="middle"), options)

    def drawn(self, density: Density) -> list[RenderableType]:
        """Draw everything there in one way, block by block."""
        zones = self.painted.scene.zones
        common = [zone for zone in zones if zone.seat is None]
        return [
            *self.trick([zone for zone in common if zone.layout == "around"], big=density is Density.LARGE),
            *(self.row(zone, density) for zone in common if zone.layout in ("row", "grid") and zone.spots),
            *self.heaps(common, density),
            *self.down([zone for zone in zones if zone.seat is not None and zone.layout == "row"], density),
            *(self.worth(zone) for zone in common if zone.numbers),
        ]

    def trick(self, tricks: list[Zone], *, big: bool) -> Iterable[RenderableType]:
        """Draw the first trick with cards, each next to its player; a finished trick is dimmed."""
        zone = next((zone for zone in tricks if zone.spots), None)
        if zone is None:
            return
        over = any(spot.marks for spot in zone.spots)
        drawn: dict[str, list[RenderableType]] = {"above": [], "left": [], "right": [], "below": []}
        for spot in zone.spots:
            style = "bold" if spot.marks else "dim" if over else ""
            drawn[self.painted.side(spot.seat or 0)].append(single(spot, style, big=big))
        left, right = (Group(*drawn[side]) if drawn[side] else _blank(big=big) for side in ("left", "right"))
        middle = Group(*(drawn["above"] or [_blank(big=big)]), *(drawn["below"] or [_blank(big=big)]))
        yield side_by_side(left, middle, right) if len(self.painted.scene.seats) > 2 else middle
        if over:
            yield Text(zone.kind.replace("_", " "), "dim")

    def row(self, zone: Zone, density: Density) -> RenderableType:
        """Draw cards side by side, or in the rows of a grid."""
        columns = zone.columns or len(zone.spots)
        rows = [zone.spots[i : i + columns] for i in range(0, len(zone.spots), columns)]
        if density is Density.NAMED or (density is Density.CLOSE and zone.columns):
            return lines([names(row) for row in rows])
        if density is Density.CLOSE:
            return fan([spot for spot in zone.spots if not spot.empty])
        grid = Table.grid()
        for row in rows:
            grid.add_row(*(self.spot(spot, big=density is Density.LARGE) for spot in row))
        return grid

    def spot(self, spot: Spot, *, big: bool) -> RenderableType:
        """Draw a card, with the name of the seat that it came from."""
        card = single(spot, "bold" if spot.marks else "", big=big)
        if spot.seat is None:
            return card
        return stack_centred([card, line(self.painted.names[spot.seat], "dim")])

    def heaps(self, zones: list[Zone], density: Density) -> Iterable[RenderableType]:
        """Draw the stock and the discard pile, side by side for each table; a single stock is described in words.

        In a game without a stock, every face-down heap is drawn as a stock.
        """
        down = {zone.kind for zone in zones if zone.layout == "pile" and not zone.spots}
        stocks = {STOCK} & down or down
        heaps = [zone for zone in zones if zone.layout == "pile" and (zone.spots or zone.kind in stocks)]
        lie = any(zone.spots and zone not in heaps for zone in zones)
        for _, together in groupby(sorted(heaps, key=part), part):
            piles = list(together)
            shared = len(piles) > 1 and len({zone.note for zone in piles}) == 1
            if shared and piles[0].note:
                yield line(self.painted.named(piles[0].note), "dim")
            if density is Density.NAMED or (lie and len(piles) == 1):
                yield Text(" · ").join(brief(zone, note=not shared) for zone in piles if zone.count)
            else:
                yield side_by_side(*(heap(zone, big=density is Density.LARGE) for zone in piles))
                yield from (line(zone.note) for zone in piles if zone.note and not shared)

    def down(self, zones: list[Zone], density: Density) -> Iterable[RenderableType]:
        """Draw the cards that seats have laid down."""
        for seat, own in groupby(zones, lambda zone: zone.seat or 0):
            rows, name = list(own), self.painted.names[seat]
            if density is Density.NAMED:
                yield line(name)
                yield Text(" | ").join(names(zone.spots) for zone in rows if zone.spots)
            else:
                kinds = dict.fromkeys(" ".join([zone.kind, *(str(n) for _, n in zone.numbers)]) for zone in rows)
                yield line(f"{name}: {', '.join(kinds)}")
                yield side_by_side(*(draw_laid_cards(zone) for zone in rows))

    def worth(self, zone: Zone) -> RenderableType:
        """Describe a pot, and the seats that may win it."""
        said = " ".join(f"{label} {n}" for label, n in zone.numbers)
        note = self.painted.named(zone.note)
        return line(f"{said}: {note}" if note else said, "bold")


def _blank(*, big: bool) -> Text:
    """Draw the room of a card."""
    card = single(Spot(empty=True), big=big)
    return lines([Text(" " * row.cell_len) for row in card.split()])


def part(zone: Zone) -> str:
    """Return the id of the part of the table that a zone belongs to, if there are several."""
    return zone.id.removeprefix(zone.kind)


def heap(zone: Zone, *, big: bool) -> RenderableType:
    """Draw a heap by its top card, or from behind with the number of its cards."""
    seen = zone.spots and len(zone.spots) == zone.count
    top = zone.spots[-1] if seen else Spot(empty=not zone.count)
    return stack_centred([single(top, big=big), Text("" if seen else str(zone.count), "dim")])


def brief(zone: Zone, *, note: bool) -> Text:
    """Describe a heap in few words."""
    if not zone.spots or len(zone.spots) < zone.count:
        return line(f"{zone.kind} {zone.count}", "dim")
    said = f" {zone.note}" if note and zone.note else ""
    return Text(f"{zone.kind} ") + face(zone.spots[-1]) + Text(said)


def draw_laid_cards(zone: Zone) -> RenderableType:
    """Draw cards that lie open, or are seen from behind."""
    return fan(zone.spots) if zone.spots else backs(zone.count)


ASIDE: Final = 17
"""A seat to the left or right takes this many columns with a gap; fewer if the table is narrow."""

ASIDES: Final[Sequence[AlignMethod]] = ("left", "right")
"""The sides of the table, with the alignment of the seats there."""

AMPLE: Final = 5 * ASIDE
"""From this width of a table on, the seats at the sides are half as wide again."""

FEW: Final = 4
"""Maximum seats of a table that is drawn without two seats side by side."""


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
        hand = choose_fitting([[hand] for hand in self.hands()], options.max_width, height - len(head))
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
