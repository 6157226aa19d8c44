"""Cards as they lie on a table, drawn with characters: singly, as fans, from behind, or as names where room is short."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from api.terminal.canvas import Canvas, line, stacked

SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
RED: Final = frozenset("DH")
RANKS: Final = "23456789TJQKA"

Shown = Any
"""A card as a view names it: `QS`, a number in Trio, None for one from behind."""


@dataclass(frozen=True)
class Look:
    """How to draw: with signs and lines or with letters alone, and how large."""

    signs: bool = True
    big: bool = False

    @property
    def frame(self) -> tuple[str, ...]:
        return tuple("╭╮╰╯─│" if self.signs else "++++-|")

    @property
    def shade(self) -> str:
        return "▒" if self.signs else "#"


def is_card(card: Shown) -> bool:
    """Say whether it is a card of the standard pack."""
    return isinstance(card, str) and len(card) == 2 and card[0] in RANKS and card[1] in SIGNS


def hidden(card: Shown) -> bool:
    """Say whether a card is seen from behind."""
    return card is None or card in ("??", -1)


def suit_style(suit: str) -> str:
    """Give the colour of a suit."""
    return "red" if suit in RED else ""


def face(card: Shown, look: Look) -> tuple[str, str]:
    """Give the two characters of a card, and their style."""
    if hidden(card):
        return look.shade * 2, "dim"
    if is_card(card):
        sign = SIGNS[card[1]] if look.signs else card[1]
        return card[0] + sign, suit_style(card[1])
    return str(card)[:2].rjust(2), ""


def in_order(cards: Sequence[Shown]) -> list[Shown]:
    """Sort a hand as it is held: by suit, colours in turn, the high cards first; numbers from the low end."""
    return sorted(cards, key=_place)


def by_rank(cards: Sequence[Shown]) -> list[Shown]:
    """Sort a hand as it is held in poker: the high cards first, equal ranks together."""
    return sorted(cards, key=lambda card: (_place(card)[1], _place(card)[0]))


def _place(card: Shown) -> tuple[int, int]:
    if is_card(card):
        return "SHCD".index(card[1]), -RANKS.index(card[0])
    return (4, card) if isinstance(card, int) and card >= 0 else (5, 0)


# --- Cards --------------------------------------------------------------------------------------------------


def single(card: Shown, look: Look, style: str = "") -> Canvas:
    """Draw one card, in a style of its own if it is to stand out or back."""
    return large(card, look, style) if look.big else fan([card], look, style)


def large(card: Shown, look: Look, style: str = "") -> Canvas:
    """Draw one card with room in it."""
    text, colour = face(card, look)
    drawn = box(7, 5, look, style)
    if hidden(card):
        for y in (1, 2, 3):
            drawn.put(1, y, look.shade * 5, "dim")
        return drawn
    mark = f"{colour} {style}".strip()
    if is_card(card):
        return drawn.put(1, 1, text[0], mark).put(3, 2, text[1], mark).put(5, 3, text[0], mark)
    return drawn.put(1, 1, text.strip(), mark).put(1, 2, text.strip().center(5), mark).put(4, 3, text, mark)


def box(width: int, height: int, look: Look, style: str = "") -> Canvas:
    """Draw the edge of a card, or of the place for one."""
    nw, ne, sw, se, flat, side = look.frame
    drawn = Canvas(width, height).put(0, 0, nw + flat * (width - 2) + ne, style)
    for y in range(1, height - 1):
        drawn.put(0, y, side, style).put(width - 1, y, side, style)
    return drawn.put(0, height - 1, sw + flat * (width - 2) + se, style)


def place(look: Look) -> Canvas:
    """Draw a place where no card lies."""
    return box(7, 5, look, "dim") if look.big else box(4, 3, look, "dim")


def fan(cards: Sequence[Shown], look: Look, style: str = "") -> Canvas:
    """Draw cards that lie over one another, the last one whole."""
    step, height = (4, 4) if look.big else (3, 3)
    nw, ne, sw, se, flat, side = look.frame
    last = step - 1 + look.big
    n = len(cards)
    width = step * (n - 1) + last + 2 if n else 0
    drawn = Canvas(width, height if n else 0)
    for i, card in enumerate(cards):
        x, inner = step * i, last if i == n - 1 else step - 1
        text, colour = face(card, look)
        drawn.put(x, 0, nw + flat * inner, style)
        for y in range(1, height - 1):
            drawn.put(x, y, side, style)
            if hidden(card):
                drawn.put(x + 1, y, look.shade * inner, "dim")
        drawn.put(x, height - 1, sw + flat * inner, style)
        if not hidden(card):
            drawn.put(x + 1, 1, text, f"{colour} {style}".strip())
    for y in range(height):
        drawn.put(width - 1, y, ne if y == 0 else se if y == height - 1 else side, style)
    return drawn


def backs(count: int, width: int, look: Look) -> Canvas:
    """Draw so many cards from behind, held close; where there is no room, one of them and the number."""
    if count < 1:
        return Canvas(0, 0)
    nw, ne, sw, se, flat, side = look.frame
    if count + 3 > width:
        times = f"×{count}" if look.signs else f"x{count}"
        return Canvas(width, 3).paste(0, 0, backs(1, 4, look)).put(5, 1, times)
    drawn = Canvas(count + 3, 3).put(0, 0, nw * count + flat * 2 + ne).put(0, 2, sw * count + flat * 2 + se)
    return drawn.put(0, 1, side * count).put(count, 1, look.shade * 2, "dim").put(count + 2, 1, side)


# --- Hands --------------------------------------------------------------------------------------------------


Order = Callable[[Sequence[Shown]], list[Shown]]


def held(cards: Sequence[Shown], width: int, height: int, look: Look, order: Order = in_order) -> Canvas:
    """Draw a hand, in its order, as well as the room allows: as a fan, by suits, or by name."""
    known = [card for card in cards if not hidden(card)]
    if not known:
        return backs(len(cards), width, look) if height >= 3 else short_backs(len(cards), look)
    if unseen := len(cards) - len(known):
        return _partly(order(known), unseen, width, height, look)
    for each in (look, Look(look.signs)):
        drawn = fan(order(cards), each)
        if drawn.width <= width and drawn.height <= height:
            return drawn
    if height >= 4 and width < 40 and all(map(is_card, cards)):
        by_suit = suits(cards, look)
        if by_suit.width <= width:
            return by_suit
    return named(order(cards), width, height, look)


def _partly(known: Sequence[Shown], unseen: int, width: int, height: int, look: Look) -> Canvas:
    """Draw a hand of which some cards are seen: these, and behind them the others."""
    small = Look(look.signs)
    front, behind = fan(known, small), backs(unseen, 9, look)
    if front.width + 1 + behind.width <= width and height >= 3:
        return Canvas(width, 3).paste(0, 0, front).paste(front.width + 1, 0, behind)
    return stacked([named(known, width, height - 1, look), short_backs(unseen, look)])


def short_backs(count: int, look: Look) -> Canvas:
    """Say in a line that so many cards are held, unseen."""
    return line(f"{look.shade * 2} {'×' if look.signs else 'x'}{count}" if count else "", "dim")


def suits(cards: Sequence[Shown], look: Look) -> Canvas:
    """Draw a hand as a line for each suit."""
    lines = []
    for suit in "SHCD":
        ranks = [card[0] for card in in_order(cards) if card[1] == suit]
        gap = " " if len(ranks) < 7 else ""
        lines.append(
            line(f"{SIGNS[suit] if look.signs else suit} {gap.join(ranks) or '-'}", suit_style(suit))
        )
    return stacked(lines)


def named(cards: Sequence[Shown], width: int, height: int, look: Look) -> Canvas:
    """Name the cards, line after line; what finds no room is counted."""
    each = max((width + 1) // 3, 1)
    rows = list(_chunks(cards, each))
    if len(rows) > height > 0:
        fits = max(height * each - 1, 1)
        drawn = named(cards[:fits], width, height, look)
        return drawn.put(3 * (fits - (height - 1) * each), height - 1, f"+{len(cards) - fits}", "dim")
    drawn = Canvas(width, len(rows))
    for y, row in enumerate(rows):
        for i, card in enumerate(row):
            drawn.put(3 * i, y, *face(card, look))
    return drawn


def _chunks(cards: Sequence[Shown], n: int) -> Iterator[Sequence[Shown]]:
    return (cards[i : i + n] for i in range(0, len(cards), n))


def groups(rows: Sequence[Sequence[Shown]], width: int, look: Look) -> Canvas:
    """Draw melds beside one another, as fans if they fit."""
    fans = [fan(row, Look(look.signs)) for row in rows if row]
    if fans and sum(f.width + 1 for f in fans) - 1 <= width:
        drawn, x = Canvas(width, 3), 0
        for each in fans:
            drawn.paste(x, 0, each)
            x += each.width + 1
        return drawn
    return stacked([named(row, width, 9, look) for row in rows if row])
