"""Describes the table of Gin Rummy as data; in the partnership form there are two."""

from collections.abc import Iterator

from domain.core import text as words
from domain.core.cards import BACK, NAMES, Cards, Seat
from domain.core.scene import Scene, SeatShown, Spot, Zone, badges, by_suit, counted, face_up, numbers, zone
from domain.core.values import changed
from domain.core.where import MOVE, Where, at
from domain.games.gin_rummy.events import SCORED, HandScored, HandShown, Knocked, LaidOff
from domain.games.gin_rummy.melds import arrange
from domain.games.gin_rummy.moves import (
    BigGin,
    Discard,
    DrawFromDiscard,
    DrawFromStock,
    Knock,
    LayOff,
    TakeUpcard,
)
from domain.games.gin_rummy.play import to_act
from domain.games.gin_rummy.table import State, Table
from domain.games.gin_rummy.view import phase

Laid = Knocked | LaidOff | HandShown


def scene(s: State, seat: Seat | None) -> Scene:
    """Give the table as this seat knows it, as data."""
    down = {laid.seat: laid for table in s.tables for laid in (table.knock, table.answer) if laid is not None}
    return Scene(
        phase(s),
        seat,
        tuple(seated(s, i, down.get(i), reader=i == seat) for i in range(s.rules.seats)),
        tuple(zones(s, seat, down)),
        numbers(hand=s.hand_no, knock_limit=s.rules.options.knock_limit),
        tuple(ending(table) for table in s.tables if table.phase in ("scored", "void")),
    )


def seated(s: State, seat: Seat, laid: Laid | None, *, reader: bool) -> SeatShown:
    """Describe a seat; its deadwood is told once it is laid down, and to the reader its own."""
    plays = not s.tables or any(seat in table.pair for table in s.tables)
    held = badges(turn=seat in to_act(s), dealer=seat == s.dealer, sits_out=not plays)
    deadwood = own_deadwood(s.hands[seat]) if reader and laid is None else laid.value if laid else None
    return SeatShown(seat, held, numbers(score=s.scores[seat], deadwood=deadwood, boxes=s.boxes[seat]))


def own_deadwood(hand: Cards) -> int | None:
    """Give the deadwood of a hand that is known."""
    return arrange(hand).value if hand and BACK not in hand else None


def zones(s: State, reader: Seat | None, down: dict[Seat, Laid]) -> Iterator[Zone]:
    """Give the hands, those that are laid down as melds and deadwood, and the stock and the pile of each table."""
    for seat, hand in enumerate(s.hands):
        if seat not in down:
            yield held(hand, seat, reader=seat == reader)
    for i, table in enumerate(s.tables):
        note = words.seats(table.pair) if len(s.tables) > 1 else ""
        yield changed(counted("stock", len(table.stock), part=i), note=note)
        yield changed(zone("discard", "pile", table.pile, part=i), note=note)
        yield from laid_down(table)


def held(hand: Cards, seat: Seat, *, reader: bool) -> Zone:
    """Give a hand; the reader's own with its melds first, as they leave the least deadwood."""
    if not reader or not hand or BACK in hand:
        return zone("hand", "fan", by_suit(hand, is_ace_low=True), seat)
    best = arrange(hand)
    melds = [face_up(c, (f"meld {n}",)) for n, meld in enumerate(best.melds, 1) for c in meld]
    deadwood = zone("hand", "fan", by_suit(best.deadwood, is_ace_low=True), seat)
    return changed(deadwood, spots=(*melds, *deadwood.spots), count=len(hand))


def laid_down(table: Table) -> Iterator[Zone]:
    """Give what knocker and defender have laid down, the cards laid off among the knocker's melds."""
    added = table.answer.layoffs if isinstance(table.answer, LaidOff) else ()
    for laid in (table.knock, table.answer):
        if laid is None:
            continue
        for n, cards in enumerate(laid.melds):
            off = [x.card for x in added if laid is table.knock and x.meld == n]
            meld = zone("meld", "row", cards, laid.seat, part=n)
            spots = [Spot(NAMES[c], seat=table.other(laid.seat), marks=("laid off",)) for c in off]
            yield changed(meld, spots=(*meld.spots, *spots), count=meld.count + len(spots))
        if laid.deadwood:
            deadwood = zone("deadwood", "row", by_suit(laid.deadwood), laid.seat)
            yield changed(deadwood, numbers=numbers(points=laid.value))


def ending(table: Table) -> str:
    """Say how the hand of a table has ended."""
    if not isinstance(table.result, HandScored):
        return "The hand is void."
    scored = SCORED[table.result.kind].format(knocker=table.result.knocker, defender=table.result.defender)
    return f"{scored[0].upper()}{scored[1:]}."


def where(s: State, seat: Seat) -> Where:
    """Say that cards of moves lie in the hand, and from which heap of the seat's table it draws."""
    if not s.tables:
        return {}
    n = s.places[seat]
    hand, stock, pile = at("hand", seat), at("stock", n), at("discard", n)
    return {
        TakeUpcard: {MOVE: pile},
        DrawFromStock: {MOVE: stock},
        DrawFromDiscard: {MOVE: pile},
        Discard: {"card": hand},
        Knock: {"discard": hand, "melds": hand},
        BigGin: {"melds": hand},
        LayOff: {"melds": hand, "layoffs.card": hand, "layoffs.meld": knocked(s.tables[n])},
    }


def knocked(table: Table) -> tuple[str, ...]:
    """Point to the melds of the knocker, by their numbers."""
    return tuple(at("meld", table.knock.seat, n) for n in range(len(table.knock.melds))) if table.knock else ()
