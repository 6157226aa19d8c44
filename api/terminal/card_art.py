"""Draws cards with characters: singly, as fans, face down, or as names where room is short."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from domain.core.scene import Spot, Zone

SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
RED: Final = frozenset("DH")
RANKS: Final = "23456789TJQKA"

WIDEST: Final = 12
"""Maximum columns of the text of a drawn card."""

LONGEST: Final = 30
"""Maximum columns of the text of a named card."""

SHADE: Final = "▒"
"""The character that draws the back of a card."""

LARGE: Final = 5
"""A large card has this many columns inside its edge, and 3 rows."""


def is_card(card: str) -> bool:
    """Return whether it is a card of the standard pack."""
    return len(card) == 2 and card[0] in RANKS and card[1] in SIGNS


def suit_style(suit: str) -> str:
    """Return the colour of a suit."""
    return "red" if suit in RED else ""


def face(spot: Spot, widest: int = WIDEST) -> Text:
    """Write the card of a spot in two columns, or in more if its text is longer."""
    if spot.empty:
        return Text("  ")
    if spot.card is None:
        return Text(SHADE * 2, "dim")
    if is_card(spot.card):
        return Text(spot.card[0] + SIGNS[spot.card[1]], suit_style(spot.card[1]))
    return Text(set_cell_size(spot.card, min(cell_len(spot.card), widest)).rjust(2))


def lines(rows: Sequence[Text]) -> Text:
    """Stack rows, cut to the available room, never wrapped."""
    whole = Text("\n").join(rows)
    whole.no_wrap, whole.overflow = True, "crop"
    return whole


def edge(rows: Sequence[Text], style: str = "") -> Text:
    """Draw the edge of a card around its rows."""
    flat = "─" * max(row.cell_len for row in rows)
    sides = [Text("│", style) + row + Text("│", style) for row in rows]
    return lines([Text(f"╭{flat}╮", style), *sides, Text(f"╰{flat}╯", style)])


def single(spot: Spot, style: str = "", *, big: bool = False) -> Text:
    """Draw a single card, in its own style if it is highlighted or dimmed."""
    style = "dim" if spot.empty else style
    text = face(spot)
    text.stylize(style)
    if not big:
        return edge([text], style)
    if spot.card is None:
        return edge([Text(SHADE * LARGE if not spot.empty else " " * LARGE, "dim")] * 3, style)
    if not is_card(spot.card):
        return edge([Text(" " * max(LARGE, text.cell_len)), _centred(text), Text(" " * LARGE)], style)
    rank, sign = text[0], text[1]
    return edge([rank + Text("    "), Text("  ") + sign + Text("  "), Text("    ") + rank], style)


def _centred(text: Text) -> Text:
    padded = text.copy()
    padded.align("center", max(LARGE, text.cell_len))
    return padded


def fan(spots: Sequence[Spot], *, big: bool = False) -> Text:
    """Draw cards that lie over one another, each run of the same marks with its last card whole."""
    runs = [list(run) for _, run in groupby(spots, lambda spot: spot.marks)]
    return _side_by_side([_run(run, big=big) for run in runs])


def _run(spots: Sequence[Spot], *, big: bool) -> list[Text]:
    top, bottom = Text(), Text()
    rows = [Text() for _ in range(2 if big else 1)]
    for i, spot in enumerate(spots):
        text = face(spot)
        inner = text.cell_len + big + (big and i == len(spots) - 1)
        blank = SHADE if spot.card is None and not spot.empty else " "
        top, bottom = top + Text("╭" + "─" * inner), bottom + Text("╰" + "─" * inner)
        for n, row in enumerate(rows):
            filled = text + Text(blank * (inner - text.cell_len)) if n == 0 else Text(blank * inner)
            row.append("│").append_text(filled)
    return [top + Text("╮"), *(row + Text("│") for row in rows), bottom + Text("╯")]


def _side_by_side(blocks: Sequence[Sequence[Text]]) -> Text:
    return lines([Text(" ").join(rows) for rows in zip(*blocks, strict=True)])


def backs(count: int) -> Text:
    """Draw this many cards from behind, held close."""
    rows = [
        Text("╭" * count + "──╮"),
        Text("│" * count) + Text(SHADE * 2, "dim") + Text("│"),
        Text("╰" * count + "──╯"),
    ]
    return lines(rows)


def hidden_cards_line(count: int) -> Text:
    """Return the number of unseen cards in one line."""
    return lines([Text(f"{SHADE * 2} ×{count}", "dim")])


def names(spots: Sequence[Spot]) -> Text:
    """Return the names of cards line by line; names of several words are separated by commas."""
    between = ", " if any(" " in (spot.card or "") for spot in spots) else " "
    return Text(between).join(face(spot, LONGEST) for spot in spots)


def suits(spots: Sequence[Spot]) -> Text:
    """Draw a hand as a line for each suit."""
    rows = []
    for suit in dict.fromkeys(spot.card[1] for spot in spots if spot.card):
        ranks = " ".join(spot.card[0] for spot in spots if spot.card and spot.card[1] == suit)
        rows.append(Text(f"{SIGNS[suit]} {ranks}", suit_style(suit)))
    return lines(rows)


def side_by_side(*blocks: RenderableType) -> RenderableType:
    """Join blocks side by side, vertically centred."""
    grid = Table.grid(padding=(0, 1), pad_edge=False)
    for _ in blocks:
        grid.add_column(vertical="middle")
    grid.add_row(*blocks)
    return grid


def hand_layouts(zone: Zone, *, big: bool) -> list[RenderableType]:
    """Draw a hand in all possible ways, the largest first."""
    unseen = zone.count - len(zone.spots)
    if not zone.spots:
        close = [backs(unseen), side_by_side(backs(1), f"×{unseen}"), hidden_cards_line(unseen)]
        return close if unseen else [Text()]
    if unseen:
        rest = hidden_cards_line(unseen)
        return [
            side_by_side(fan(zone.spots), backs(unseen)),
            Group(fan(zone.spots), rest),
            Group(names(zone.spots), rest),
        ]
    standard = all(spot.card and is_card(spot.card) for spot in zone.spots)
    by_suit = [suits(zone.spots)] if standard else []
    return [fan(zone.spots, big=big), fan(zone.spots), *by_suit, names(zone.spots)]
