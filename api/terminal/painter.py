"""A scene painted: the seats around the table, in the middle what lies there. It knows no game."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import Final

from rich.align import Align, AlignMethod
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.layout import Layout
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from api.terminal.cards import backs, beside, face, fan, held, lines, names, single
from api.terminal.text import with_names
from domain.core.cards import Seat
from domain.core.scene import DEALER, TURN, Scene, SeatShown, Spot, Zone

SHORT: Final = {DEALER: "D", "small blind": "SB", "big blind": "BB"}
"""Badges that stand beside a name; others are words below it."""

CHIPS: Final = "chips"
"""The label of what a seat has before it, which is told without it."""

BLANK: Final = Text(" ")
"""What fills a part of the screen in which nothing is to be seen; rich marks a part without any text."""

PROGRESS: Final = ("hand", "trick", "turn")
"""The labels of the numbers that say how far a game is."""

ASIDE: Final = 17
"""The columns of a seat to the left or to the right, with a gap; less where the table is narrow."""

AMPLE: Final = 5 * ASIDE
"""The columns of a table from which the seats aside have half as much again."""

FEW: Final = 4
"""The most seats of a table at which none has another beside it."""


@dataclass(frozen=True)
class Painted:
    """A scene, with the names of those who sit around it; `big` where there is room for large cards."""

    scene: Scene
    names: Sequence[str]
    big: bool = False

    def side(self, seat: Seat) -> str:
        """Say where a seat is: the reader sits below, the others around in their order."""
        n = len(self.scene.seats)
        ahead = (seat - (self.scene.seat or 0)) % n
        each = (n - 1) // 2
        if ahead == 0:
            return "below"
        if ahead <= each:
            return "left"
        return "above" if ahead == each + 1 and n % 2 == 0 else "right"

    def at(self, side: str) -> list[SeatShown]:
        """Give the seats on a side, from the top down; the first to act after the reader sits on the left, below."""
        first = self.scene.seat or 0
        around = sorted(self.scene.seats, key=lambda s: (s.seat - first) % len(self.scene.seats))
        there = [s for s in around if self.side(s.seat) == side]
        return there[::-1] if side == "left" else there

    def named(self, text: str) -> str:
        """Put names for seats."""
        return with_names(text, self.names)


def table(painted: Painted, width: int, height: int) -> Layout:
    """Paint a table of this size: the seat across at the top, or among many above the middle."""
    mine, said = Block(painted, painted.at("below")[0], "center"), Layout(notes(painted))
    said.size = min(len(notes(painted).wrap(WIDE, max(width, 1))), 2)
    few = len(painted.scene.seats) <= FEW
    most = min(ASIDE * 3 // 2 if width > AMPLE else ASIDE, max(width - 14, 2) // 2)
    columns = [column(painted, side, most) for side in ("left", "right")]
    across = [Block(painted, seat, "center") for seat in painted.at("above")]
    room = width if few else width - sum(each.size or 0 for each in columns)
    top = [Layout(block, size=block.tall(room)) for block in across]
    middle = Layout(Middle(painted))
    if top and not few:
        middle.split_column(*top, Layout(Middle(painted)))
    around = Layout()
    if len(painted.scene.seats) > len(top) + 1:
        around.split_row(columns[0], middle, columns[1])
    else:
        around = middle
    whole = Layout()
    below = Layout(mine, size=min(mine.tall(width), max(height - 2, 1)))
    whole.split_column(*(top if few else []), around, said, below)
    return whole


def column(painted: Painted, side: AlignMethod, most: int) -> Layout:
    """Lay out the seats on a side, in as many columns as they take."""
    gap = (0, 1, 0, 0) if side == "left" else (0, 0, 0, 1)
    blocks = [Block(painted, seat, side) for seat in painted.at(side)]
    whole = Layout(BLANK, size=max((block.wide(most - 1) + 1 for block in blocks), default=1))
    if blocks:
        whole.split_column(*(Layout(Padding(block, gap)) for block in blocks))
    return whole


def notes(painted: Painted) -> Text:
    """Write the numbers of the table, but for those that say how far it is, and what is to be said of it."""
    scene = painted.scene
    said = [f"{label} {n}" for label, n in scene.numbers if label not in PROGRESS]
    text = " · ".join([*said, *(painted.named(note).rstrip(".") for note in scene.notes)])
    return Text(text or " ", "italic", justify="center")


# --- Seats ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Block:
    """A seat: its name, what is to be said of it, and its hand, as well as the room allows."""

    painted: Painted
    seat: SeatShown
    align: AlignMethod

    def zones(self) -> list[Zone]:
        return [zone for zone in self.painted.scene.zones if zone.seat == self.seat.seat]

    def head(self) -> list[Text]:
        """Write the lines above the hand."""
        turn = "▶ " if TURN in self.seat.badges else ""
        short = [SHORT[badge] for badge in self.seat.badges if badge in SHORT]
        marks = f" ({', '.join(short)})" if short else ""
        style = "bold reverse" if turn else "bold"
        name = Text(
            turn + self.painted.names[self.seat.seat] + marks, style, no_wrap=True, overflow="ellipsis"
        )
        said = [badge for badge in self.seat.badges if badge not in SHORT and badge != TURN]
        told = [in_words(zone) for zone in self.zones() if zone.kind not in self.seat.badges]
        words = " · ".join([*filter(None, told), *said])
        return [name, Text(words, no_wrap=True, overflow="ellipsis")] if words else [name]

    def hands(self) -> list[RenderableType]:
        """Give the ways to draw the hand."""
        zone = next((zone for zone in self.zones() if zone.kind == "hand"), None)
        return [Text()] if zone is None else held(zone, big=self.painted.big)

    def wide(self, most: int) -> int:
        """Say how many columns the seat takes, of so many."""
        hands = (size(hand)[0] for hand in self.hands())
        return max(
            next((w for w in hands if w <= most), most), *(min(row.cell_len, most) for row in self.head())
        )

    def tall(self, width: int) -> int:
        """Say how many lines the seat takes."""
        fits = (size(hand)[1] for hand in self.hands() if size(hand)[0] <= width)
        return len(self.head()) + next(fits, 3)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        head = self.head()
        height = options.height or options.size.height
        hand = fitting([[hand] for hand in self.hands()], options.max_width, height - len(head))
        yield from console.render(Align(Group(*head, *hand), self.align, vertical="middle"), options)


def in_words(zone: Zone) -> str:
    """Tell a heap of a seat in few words: how many cards, what all of them are, or what they are worth."""
    kind = zone.kind.replace("_", " ")
    if not zone.count:
        return " ".join(str(n) if label == CHIPS else f"{label} {n}" for label, n in zone.numbers)
    texts = {spot.card for spot in zone.spots}
    same = len(texts) == 1 and zone.count == len(zone.spots) > 1
    if zone.layout in ("pile", "fan") and kind != "hand":
        return f"{kind} {texts.pop() if same else zone.count}"
    return ""


# --- The middle -----------------------------------------------------------------------------------------


class Way(Enum):
    """A way to draw the middle, the one that takes most room first."""

    LARGE = "large cards"
    SMALL = "small cards"
    CLOSE = "cards over one another"
    NAMED = "names"


@dataclass(frozen=True)
class Middle:
    """What lies in the middle of the table, as large as the room allows."""

    painted: Painted

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        ways = [self.drawn(way) for way in Way if way is not Way.LARGE or self.painted.big]
        fits = fitting(ways, options.max_width, options.height or options.size.height)
        yield from console.render(Align.center(centred(fits), vertical="middle"), options)

    def drawn(self, way: Way) -> list[RenderableType]:
        """Draw all that lies there in one way, block by block."""
        zones = self.painted.scene.zones
        common = [zone for zone in zones if zone.seat is None]
        return [
            *self.trick([zone for zone in common if zone.layout == "around"], big=way is Way.LARGE),
            *(self.row(zone, way) for zone in common if zone.layout in ("row", "grid") and zone.spots),
            *self.heaps(common, way),
            *self.down([zone for zone in zones if zone.seat is not None and zone.layout == "row"], way),
            *(self.worth(zone) for zone in common if zone.numbers),
        ]

    def trick(self, tricks: list[Zone], *, big: bool) -> Iterable[RenderableType]:
        """Draw the first trick that has cards, each before its player; one that is over stands back."""
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
        yield beside(left, middle, right) if len(self.painted.scene.seats) > 2 else middle
        if over:
            yield Text(zone.kind.replace("_", " "), "dim")

    def row(self, zone: Zone, way: Way) -> RenderableType:
        """Draw cards side by side, or in the rows of a grid."""
        columns = zone.columns or len(zone.spots)
        rows = [zone.spots[i : i + columns] for i in range(0, len(zone.spots), columns)]
        if way is Way.NAMED or (way is Way.CLOSE and zone.columns):
            return lines([names(row) for row in rows])
        if way is Way.CLOSE:
            return fan([spot for spot in zone.spots if not spot.empty])
        grid = Table.grid()
        for row in rows:
            grid.add_row(*(self.spot(spot, big=way is Way.LARGE) for spot in row))
        return grid

    def spot(self, spot: Spot, *, big: bool) -> RenderableType:
        """Draw a card, with the name of the seat that it came from."""
        card = single(spot, "bold" if spot.marks else "", big=big)
        if spot.seat is None:
            return card
        return centred([card, line(self.painted.names[spot.seat], "dim")])

    def heaps(self, zones: list[Zone], way: Way) -> Iterable[RenderableType]:
        """Draw the stock and the discard pile, those of each table beside one another; a stock alone is told of."""
        heaps = [zone for zone in zones if zone.layout == "pile" and (zone.spots or zone.kind == "stock")]
        lie = any(zone.spots and zone not in heaps for zone in zones)
        for _, together in groupby(sorted(heaps, key=part), part):
            piles = list(together)
            shared = len(piles) > 1 and len({zone.note for zone in piles}) == 1
            if shared and piles[0].note:
                yield line(self.painted.named(piles[0].note), "dim")
            if way is Way.NAMED or (lie and len(piles) == 1):
                yield Text(" · ").join(brief(zone, note=not shared) for zone in piles if zone.count)
            else:
                yield beside(*(heap(zone, big=way is Way.LARGE) for zone in piles))
                yield from (line(zone.note) for zone in piles if zone.note and not shared)

    def down(self, zones: list[Zone], way: Way) -> Iterable[RenderableType]:
        """Draw the cards that seats have laid down."""
        for seat, own in groupby(zones, lambda zone: zone.seat or 0):
            rows, name = list(own), self.painted.names[seat]
            if way is Way.NAMED:
                yield line(name)
                yield Text(" | ").join(names(zone.spots) for zone in rows if zone.spots)
            else:
                kinds = dict.fromkeys(
                    " ".join([zone.kind, *(str(n) for _, n in zone.numbers)]) for zone in rows
                )
                yield line(f"{name}: {', '.join(kinds)}")
                yield beside(*(laid(zone) for zone in rows))

    def worth(self, zone: Zone) -> RenderableType:
        """Tell what a pot holds, and who may win it."""
        said = " ".join(f"{label} {n}" for label, n in zone.numbers)
        note = self.painted.named(zone.note)
        return line(f"{said}: {note}" if note else said, "bold")


def _blank(*, big: bool) -> Text:
    """Draw the room of a card."""
    card = single(Spot(empty=True), big=big)
    return lines([Text(" " * row.cell_len) for row in card.split()])


def part(zone: Zone) -> str:
    """Give the part of the table that a zone belongs to, where there are several, by its id."""
    return zone.id.removeprefix(zone.kind)


def heap(zone: Zone, *, big: bool) -> RenderableType:
    """Draw a heap by its top card, or from behind with the number of its cards."""
    seen = zone.spots and len(zone.spots) == zone.count
    top = zone.spots[-1] if seen else Spot(empty=not zone.count)
    return centred([single(top, big=big), Text("" if seen else str(zone.count), "dim")])


def brief(zone: Zone, *, note: bool) -> Text:
    """Tell a heap in few words."""
    if not zone.spots or len(zone.spots) < zone.count:
        return line(f"{zone.kind} {zone.count}", "dim")
    said = f" {zone.note}" if note and zone.note else ""
    return Text(f"{zone.kind} ") + face(zone.spots[-1]) + Text(said)


def laid(zone: Zone) -> RenderableType:
    """Draw cards that lie open, or are seen from behind."""
    return fan(zone.spots) if zone.spots else backs(zone.count)


def line(text: str, style: str = "") -> Text:
    """Write a line, which is cut where room is short."""
    return Text(text, style, no_wrap=True, overflow="ellipsis")


def centred(blocks: Iterable[RenderableType]) -> RenderableType:
    """Put blocks below one another, each in the middle."""
    grid = Table.grid()
    grid.add_column(justify="center")
    for block in blocks:
        grid.add_row(Align.center(block))
    return grid


# --- Room -----------------------------------------------------------------------------------------------

WIDE = Console(width=1_000, color_system=None)
"""Where drawings are measured."""


def size(*blocks: RenderableType) -> tuple[int, int]:
    """Measure blocks below one another: their columns, but for lines that may be cut, and their lines."""
    drawn = [(block, WIDE.render_lines(block, pad=False)) for block in blocks]
    solid = [rows for block, rows in drawn if not (isinstance(block, Text) and block.overflow == "ellipsis")]
    wide = max((Segment.get_line_length(row) for rows in solid for row in rows), default=0)
    return wide, sum(len(rows) for _, rows in drawn)


def fitting(ways: Sequence[Sequence[RenderableType]], width: int, height: int) -> Sequence[RenderableType]:
    """Choose the first of the ways to draw something that fits, else the last."""
    for blocks in ways[:-1]:
        w, h = size(*blocks)
        if w <= width and h <= height:
            return blocks
    return ways[-1]
