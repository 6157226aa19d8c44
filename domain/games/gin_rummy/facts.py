"""Gives what standing orders may ask in Gin Rummy."""

from collections.abc import Mapping
from typing import Any

from domain.core.cards import Cards, Seat, fewest, names, remove
from domain.core.game import FactKind
from domain.games.gin_rummy.melds import deadwood
from domain.games.gin_rummy.play import discards
from domain.games.gin_rummy.table import State, Table, at
from domain.games.gin_rummy.view import phase, top

KINDS: Mapping[str, FactKind] = {
    "phase": FactKind.WORD,
    "hand_no": FactKind.NUMBER,
    "score": FactKind.NUMBER,
    "hand": FactKind.CARDS,
    "discard_top": FactKind.CARD,
    "stock_count": FactKind.NUMBER,
    "fewest_cards": FactKind.NUMBER,
    "deadwood": FactKind.NUMBER,
}


def known(s: State, seat: Seat) -> Mapping[str, Any]:
    """Give what the seat knows of its own table."""
    return {
        "phase": phase(s),
        "hand_no": s.hand_no,
        "score": s.scores[seat],
        "hand": names(s.hands[seat]),
        "fewest_cards": fewest(s.hands, seat),
        **(of_table(s, seat, s.tables[at(s, seat)]) if s.tables else {}),
    }


def of_table(s: State, seat: Seat, table: Table) -> Mapping[str, Any]:
    """Give what the seat knows of the table of a hand that is dealt."""
    return {
        "phase": table.phase if s.ended is None else phase(s),
        "discard_top": top(table.pile),
        "stock_count": len(table.stock),
        "deadwood": least_deadwood(s, seat, table, s.hands[seat]),
    }


def least_deadwood(s: State, seat: Seat, table: Table, hand: Cards) -> int:
    """Give the deadwood that a hand leaves at best, after a discard if one is due."""
    if table.phase != "discard" or table.turn != seat:
        return deadwood(hand)
    return min(deadwood(remove(hand, c)) for c in discards(s, table, hand))
