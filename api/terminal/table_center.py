"""Draws the middle of a table: tricks, piles, boards, what was laid down, and what can be won."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from itertools import groupby

from rich.align import Align
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from api.terminal.card_art import backs, face, fan, lines, names, side_by_side, single
from api.terminal.fit import fitting, line, stack_centred
from api.terminal.painted import Painted
from domain.core.scene import STOCK, Spot, Zone


class Density(Enum):
    """A density says how closely the middle is drawn; the first takes most room."""

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
        fits = fitting(ways, options.max_width, options.height or options.size.height)
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

        In a game without a stock, every face-down heap is one.
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
