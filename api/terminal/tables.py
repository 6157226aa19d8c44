"""The table of each game as a picture: the seats around it, and in the middle what lies there.

What views call alike is drawn alike (`PLAIN` needs no more); what is a game's own stands in `DRAWINGS`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from api.terminal.canvas import Canvas, clipped, line, stacked
from api.terminal.cards import (
    SIGNS,
    Look,
    Order,
    Shown,
    by_rank,
    face,
    fan,
    groups,
    held,
    in_order,
    named,
    place,
    single,
    suit_style,
)
from domain.core.cards import Seat

Table = Mapping[str, Any]

PLACES: Final = (("dealer", "D"), ("small_blind", "SB"), ("big_blind", "BB"))
"""How seats are marked that a view names."""


@dataclass(frozen=True)
class Scene:
    """What is to be drawn: a view, who sits around it, and how."""

    view: Table
    names: Sequence[str]
    look: Look
    seat: Seat | None = None  # whose view it is
    to_act: Sequence[Seat] = ()

    @property
    def seats(self) -> int:
        return len(self.names)

    def side(self, seat: Seat) -> str:
        """Say where a seat is: the one who looks sits below, the others around him in their order."""
        ahead = (seat - (self.seat or 0)) % self.seats
        each = (self.seats - 1) // 2
        if ahead == 0:
            return "below"
        if ahead <= each:
            return "left"
        return "above" if ahead == each + 1 and self.seats % 2 == 0 else "right"


@dataclass(frozen=True)
class Drawing:
    """How a game is drawn: the middle of its table, what is to be said of it, and of each seat."""

    middle: Callable[[Scene, int, int], Canvas]
    notes: Callable[[Scene], list[str]] = lambda scene: []
    beside: Callable[[Scene, Seat], str] = lambda scene, seat: ""
    order: Order = in_order  # of a hand
    column: int = 16  # the width of a seat to the left or to the right


def picture(scene: Scene, game: str, width: int, height: int) -> Canvas:
    """Draw a table of this size."""
    drawing, whole = DRAWINGS.get(game, PLAIN), Canvas(width, height)
    sides = {seat: scene.side(seat) for seat in range(scene.seats)}
    each = max((scene.seats - 1) // 2, 0)
    most = max(scene.view.get("hand_counts") or [0])
    column = 27 if scene.look.big else 17 if most > 12 else drawing.column
    aside = min(column, max(width - 14, 0) // 2) if each else 0
    tall = 4 if scene.look.big else 3
    said = 2 if any(drawing.beside(scene, seat) for seat in sides) else 1
    mine = height - tall - said
    top = 0
    for seat in (s for s, side in sides.items() if side == "above"):
        across = width if each < 2 else width - 2 * aside
        whole.paste(0, 0, _centred(_seat(scene, drawing, seat, across, tall + said), width))
        top = tall + said
    _aside(whole, scene, drawing, sides, aside, top if each < 2 else 0, mine - 1)
    me = next(seat for seat, side in sides.items() if side == "below")
    whole.paste(0, mine, _centred(_seat(scene, drawing, me, width, tall + said), width))
    within = Canvas(width - 2 * aside, max(mine - 1 - top, 0))
    drawn = drawing.middle(scene, within.width, within.height)
    within.paste(
        max((within.width - drawn.width) // 2, 0), max((within.height - drawn.height) // 2, 0), drawn
    )
    whole.paste(aside, top, within)
    return whole.middle(mine - 1, clipped(" · ".join(drawing.notes(scene)), width), "italic")


def _centred(drawn: Canvas, width: int) -> Canvas:
    return Canvas(width, drawn.height).paste(max((width - drawn.width) // 2, 0), 0, drawn)


def _aside(
    whole: Canvas, scene: Scene, drawing: Drawing, sides: Mapping[Seat, str], width: int, top: int, end: int
) -> None:
    """Draw the seats to the left and to the right, in their order around the table."""
    me = scene.seat or 0
    around = sorted(sides, key=lambda seat: (seat - me) % scene.seats)
    left = [seat for seat in around if sides[seat] == "left"][::-1]
    right = [seat for seat in around if sides[seat] == "right"]
    for x, column in ((0, left), (whole.width - width, right)):
        room = (end - top) // max(len(column), 1)
        for i, seat in enumerate(column):
            whole_seat = _seat(scene, drawing, seat, width - 1, room)
            drawn = Canvas(whole_seat.width, min(whole_seat.height, room)).paste(0, 0, whole_seat)
            shift = width - drawn.width if x else 0
            free = max(room - drawn.height, 0) // 2
            whole.paste(x + shift, top + i * room + free, drawn)


def _seat(scene: Scene, drawing: Drawing, seat: Seat, width: int, height: int) -> Canvas:
    """Draw a seat: its name, what is to be said of it, and its hand."""
    look, said = scene.look, drawing.beside(scene, seat)
    turn = ("▶ " if look.signs else "> ") if seat in scene.to_act else ""
    marks = ", ".join(mark for key, mark in PLACES if scene.view.get(key) == seat)
    marks = f" ({marks})" if marks else ""
    name = clipped(scene.names[seat], width - len(turn) - len(marks)) + marks
    label = line(turn + name, "bold reverse" if turn else "bold")
    above = [label] + ([line(clipped(said, width))] if said else [])
    hand = held(hand_of(scene, seat), width, height - len(above), look, drawing.order)
    return stacked([*above, hand])


def hand_of(scene: Scene, seat: Seat) -> list[Shown]:
    """Give the cards of a seat, None for each that is not seen."""
    view = scene.view
    rows, counts = view.get("hands") or [], view.get("hand_counts") or []
    known = list(rows[seat] or []) if seat < len(rows) else []
    if seat == scene.seat and not known:
        known = list(view.get("hand") or [])
    count = counts[seat] if seat < len(counts) else len(known)
    return known + [None] * (count - len(known))


# --- What games have in common ------------------------------------------------------------------------------


def in_the_middle(scene: Scene, width: int, height: int) -> Canvas:
    """Draw the trick, else the one before it, else the stock and the discard pile."""
    trick, before = scene.view.get("trick"), scene.view.get("last_trick")
    if trick:
        return laid(scene, trick)
    if before:
        return laid(scene, before["cards"], before["winner"])
    return piles(scene, scene.view.get("stock_count"), scene.view.get("discard_top"))


def laid(scene: Scene, cards: Sequence[Mapping[str, Any]], winner: Seat | None = None) -> Canvas:
    """Draw the cards of a trick before those who played them; one that is over stands back, but for who took it."""
    step = single(None, scene.look)
    w, h = step.width, step.height
    half = h // 2 + 1
    at = {"above": (w + 1, 0), "left": (0, half), "right": (2 * w + 2, half), "below": (w + 1, 2 * half)}
    if scene.seats == 2:
        at = {"above": (w + 1, 0), "below": (w + 1, h)}
    drawn = Canvas(3 * w + 2, max(y for _, y in at.values()) + h)
    for played in cards:
        style = "" if winner is None else "bold" if played["seat"] == winner else "dim"
        drawn.paste(*at[scene.side(played["seat"])], single(played["card"], scene.look, style))
    return drawn


def piles(scene: Scene, stock: int | None, top: Shown | None) -> Canvas:
    """Draw the stock from behind, with the number of its cards, and the discard pile."""
    if stock is None and top is None:
        return Canvas(0, 0)
    look, gap = scene.look, 2
    card = single(None, look) if stock else place(look)
    other = single(top, look) if top is not None else place(look)
    drawn = Canvas(card.width + gap + other.width, card.height + 1)
    drawn.paste(0, 0, card).put(1, card.height, str(stock if stock is not None else ""), "dim")
    return drawn.paste(card.width + gap, 0, other)


def trick_notes(scene: Scene) -> list[str]:
    """Say which trick is on, or who took the last."""
    view = scene.view
    if not view.get("trick") and view.get("last_trick"):
        return [f"the last trick, to {scene.names[view['last_trick']['winner']]}"]
    return []


# --- Hearts, Two-Handed Hearts ------------------------------------------------------------------------------


def _hearts_notes(scene: Scene) -> list[str]:
    view = scene.view
    passing = view["pass"] if view["phase"] in ("passing", "returning") else None
    return [
        *trick_notes(scene),
        *([f"passing: {passing}"] if passing else []),
        *(["hearts may be led"] if view["hearts_open"] and view["phase"] == "playing" else []),
    ]


def _two_handed_middle(scene: Scene, width: int, height: int) -> Canvas:
    view, look = scene.view, scene.look
    trick = in_the_middle(scene, width, height)
    if not view["stock_count"] and view["drawn"] is None:
        return trick
    stock = piles(scene, view["stock_count"], view["drawn"])
    if not (view["trick"] or view["last_trick"]):
        return stock
    return (
        Canvas(stock.width + 3 + trick.width, max(trick.height, stock.height))
        .paste(0, (trick.height - stock.height) // 2, stock)
        .paste(stock.width + 3 - look.big, 0, trick)
    )


def _two_handed_notes(scene: Scene) -> list[str]:
    view = scene.view
    return [*trick_notes(scene), *([f"{view['waste_count']} laid aside"] if view["waste_count"] else [])]


# --- Crazy Eights -------------------------------------------------------------------------------------------


def _eights_middle(scene: Scene, width: int, height: int) -> Canvas:
    view, look = scene.view, scene.look
    drawn = piles(scene, view["stock_count"], view["discard_top"])
    suit, top = view["suit"], view["discard_top"]
    if suit is None or top is None or top[1] == suit:
        return drawn
    sign = SIGNS[suit] if look.signs else suit
    return drawn.put(
        drawn.width - 4 - look.big, drawn.height - 1, f" {sign} ", f"{suit_style(suit)} bold reverse"
    )


def _eights_notes(scene: Scene) -> list[str]:
    view = scene.view
    suit = view["suit"]
    sign = SIGNS.get(suit, "") if scene.look.signs else suit
    return [f"suit {sign}"] if suit and view["discard_top"] and view["discard_top"][1] != suit else []


# --- Gin Rummy ----------------------------------------------------------------------------------------------


def _gin_middle(scene: Scene, width: int, height: int) -> Canvas:
    drawn = stacked([_gin_table(scene, table, width) for table in scene.view["tables"]])
    if drawn.height <= height:
        return drawn
    return stacked([_gin_table(scene, table, width, short=True) for table in scene.view["tables"]])


def _gin_table(scene: Scene, table: Table, width: int, *, short: bool = False) -> Canvas:
    pair = f"{scene.names[table['non_dealer']]} and {scene.names[table['dealer']]}"
    above = [line(clipped(pair, width), "dim")] if len(scene.view["tables"]) > 1 else []
    if table["knock"] is None and short:
        stock = line(f"{face(None, scene.look)[0]} {table['stock_count']}", "dim")
        return stacked([*above, Canvas(width, 1).paste(0, 0, stock).put(8, 0, *_top(table, scene.look))])
    if table["knock"] is None:
        return stacked([*above, piles(scene, table["stock_count"], table["discard_top"])])
    laid_down = [lay for lay in (table["knock"], table["answer"]) if lay is not None]
    return stacked([*above, *(part for lay in laid_down for part in _down(scene, lay, width))])


def _top(table: Table, look: Look) -> tuple[str, str]:
    return ("", "") if table["discard_top"] is None else face(table["discard_top"], look)


def _down(scene: Scene, lay: Table, width: int) -> list[Canvas]:
    said = "gin" if lay.get("gin") else f"deadwood {lay['value']}"
    added = [laid_off["card"] for laid_off in lay.get("layoffs", ())]
    rows = [*lay["melds"], *([lay["deadwood"]] if lay["deadwood"] else [])]
    drawn = [line(clipped(f"{scene.names[lay['seat']]}: {said}", width)), groups(rows, width, scene.look)]
    if added:
        text = Canvas(width, 1).put(0, 0, "laid off")
        for i, card in enumerate(added):
            text.put(9 + 3 * i, 0, *face(card, scene.look))
        drawn.append(text)
    return drawn


def _gin_notes(scene: Scene) -> list[str]:
    view = scene.view
    kinds = [t["result"]["kind"].replace("_", " ") for t in view["tables"] if t["result"]]
    out = [scene.names[seat] for seat in view["sits_out"]]
    own = view["deadwood_value"]
    return [
        *kinds,
        *([f"knock limit {view['knock_limit']}"] if not kinds else []),
        *([f"own deadwood {own}"] if own is not None else []),
        *([f"{', '.join(out)} sits out"] if out else []),
    ]


# --- Trio ---------------------------------------------------------------------------------------------------


def _trio_middle(scene: Scene, width: int, height: int) -> Canvas:
    look = scene.look
    places = [_lying(spot, look) for spot in scene.view["middle"]]
    if places and places[0].height * -(-len(places) // max(width // places[0].width, 1)) > height - 1:
        look = Look(look.signs)
        places = [_lying(spot, look) for spot in scene.view["middle"]]
    up = [shown for shown in scene.view["face_up"] if shown["source"]["kind"] == "hand"]
    grid = _grid(places, width)
    if not up:
        return grid
    turned = _grid([single(shown["number"], Look(look.signs), "bold") for shown in up], width)
    return stacked(
        [_centred(grid, max(grid.width, turned.width)), _centred(turned, max(grid.width, turned.width))]
    )


def _lying(spot: Table, look: Look) -> Canvas:
    if spot["state"] == "taken":
        return place(look)
    return single(spot["number"], look, "bold" if spot["state"] == "face_up" else "")


def _grid(cards: Sequence[Canvas], width: int) -> Canvas:
    if not cards:
        return Canvas(0, 0)
    w, h = cards[0].width, cards[0].height
    n = len(cards)
    across = max(width // w, 1)
    across = min(across, 3 if n == 9 else 4 if n == 8 else 3 if n == 6 else n)
    drawn = Canvas(across * w, -(-n // across) * h)
    for i, card in enumerate(cards):
        drawn.paste(i % across * w, i // across * h, card)
    return drawn


def _trio_notes(scene: Scene) -> list[str]:
    def where(shown: Table) -> str:
        source = shown["source"]
        if source["kind"] == "middle":
            return f"middle {source['position']}"
        return f"{source['end']} of {scene.names[source['seat']]}"

    up = [f"{shown['number'] or '?'}: {where(shown)}" for shown in scene.view["face_up"]]
    swap = scene.view.get("swap")
    return [*up, *(["swapping"] if swap and swap["open"] else [])]


def _trio_beside(scene: Scene, seat: Seat) -> str:
    taken = [str(trio["number"]) for trio in scene.view["trios"] if trio["seat"] == seat]
    mark = "★" if scene.look.signs else "*"
    return " ".join(mark + number for number in taken)


# --- Poker --------------------------------------------------------------------------------------------------

BOARD: Final = 5
"""So many cards lie on the board of hold'em in the end."""


def _holdem_middle(scene: Scene, width: int, height: int) -> Canvas:
    """Draw the board with the places of the cards to come, closer where that does not fit, and the pots."""
    board, look = scene.view["board"], scene.look
    drawn = _grid([*(single(card, look) for card in board), *[place(look)] * (BOARD - len(board))], width)
    if drawn.width < BOARD * place(look).width:
        drawn = fan(board, Look(look.signs))
    if drawn.height >= height:
        drawn = named(board, width, 1, look)
    return _above_pots(scene, drawn, width)


def _draw_middle(scene: Scene, width: int, height: int) -> Canvas:
    """Draw the stock, the pots, and how many cards each seat has drawn."""
    view = scene.view
    look, count = scene.look, view["stock_count"]
    stock = stacked([single(None, look), line(str(count).center(4), "dim")]) if count else place(look)
    drew = [f"{scene.names[int(seat)]} drew {drawn}" for seat, drawn in view["swapped"].items()]
    said = stacked([_centred(line(clipped(words, width), "dim"), width) for words in drew])
    whole = stacked([_above_pots(scene, stock, width), said])
    return whole if whole.height <= height else stacked([_above_pots(scene, Canvas(0, 0), width), said])


def _above_pots(scene: Scene, drawn: Canvas, width: int) -> Canvas:
    """Put what lies in the middle below some cards: all of it, and where there are side pots, each."""
    view = scene.view
    said = [line(f"pot {view['pot']}", "bold")] if view["pot"] else []
    if len(view["pots"]) > 1:
        for i, pot in enumerate(view["pots"]):
            may = ", ".join(scene.names[seat] for seat in pot["eligible"])
            said.append(line(clipped(f"{f'side {i}' if i else 'main'} {pot['amount']}: {may}", width)))
    return stacked([_centred(each, width) for each in (drawn, *said)])


def _poker_notes(scene: Scene) -> list[str]:
    """Say what is posted in this hand, and the level of a tournament."""
    stakes, level = scene.view["stakes"], scene.view["level"]
    blinds = f"blinds {stakes['small']}/{stakes['big']}" if stakes["big"] else ""
    ante = f"ante {stakes['ante']}" if stakes["ante"] else ""
    return [words for words in (f"level {level}" if level else "", blinds, ante) if words]


def _poker_beside(scene: Scene, seat: Seat) -> str:
    """Say what the seat has left, and whether it has bet, has folded or is out."""
    view = scene.view
    if place_ := view["places"][seat]:
        return f"out, place {place_}"
    bet = f"bet {view['committed'][seat]}" if view["committed"][seat] else ""
    gone = "folded" if seat in view["folded"] else "out" if seat in view["out"] else bet
    stack = "all in" if seat in view["all_in"] else str(view["stacks"][seat])
    return f"{stack} {gone}".rstrip()


# --- All games ----------------------------------------------------------------------------------------------

PLAIN: Final = Drawing(in_the_middle, trick_notes)

DRAWINGS: Final[Mapping[str, Drawing]] = {
    "hearts": Drawing(in_the_middle, _hearts_notes),
    "two_handed_hearts": Drawing(_two_handed_middle, _two_handed_notes),
    "crazy_eights": Drawing(_eights_middle, _eights_notes),
    "gin_rummy": Drawing(_gin_middle, _gin_notes),
    "trio": Drawing(_trio_middle, _trio_notes, _trio_beside),
    "five_card_draw": Drawing(_draw_middle, _poker_notes, _poker_beside, by_rank, 17),
    "holdem": Drawing(_holdem_middle, _poker_notes, _poker_beside, by_rank),
}


def scores(scene: Scene) -> list[tuple[str, list[str]]]:
    """Give the columns of the table of scores that the view has numbers for."""
    columns = []
    for title, key in (
        ("score", "scores"),
        ("points", "points"),
        ("boxes", "boxes"),
        ("cards", "hand_counts"),
    ):
        row = scene.view.get(key)
        if isinstance(row, (list, tuple)) and len(row) == scene.seats:
            columns.append((title, [str(x) for x in row]))
    return columns
