"""Plays Gin Rummy: a bot gets what its seat knows, and gives a move.

The steady player keeps the ten cards with the least deadwood, a little less for every unseen card that would
meld more of it, and does not feed what the opponent was seen to collect. It takes from the pile what it can
meld, and knocks while that is safe.
"""

from random import Random

from domain.core.bot_levels import any_of, player
from domain.core.cards import BACK, PACK, RANK_OF, SUIT_OF, Card, Cards, Seat, add_cards, drop_cards, remove_cards
from domain.core.monte_carlo import SearchBudget
from domain.games.gin_rummy.melds import NUMBER, POINTS, deadwood
from domain.games.gin_rummy.moves import (
    BigGin,
    Discard,
    DrawFromDiscard,
    DrawFromStock,
    Knock,
    LayOff,
    Move,
    PassUpcard,
    TakeUpcard,
)
from domain.games.gin_rummy.play import discards, knock_discards, legal, pile_is_locked
from domain.games.gin_rummy.search import best_move
from domain.games.gin_rummy.table import State, Table, table_number

HOPE = 3.0
"""A seat gives up this many points of deadwood for a point that it expects the next card to meld."""
FEAR = 1.0
"""A seat gives up this many points of deadwood not to feed what the opponent was seen to collect."""


def steady(s: State, seat: Seat, rng: Random) -> Move:
    """Play soundly."""
    table, hand = s.tables[table_number(s, seat)], s.hands[seat]
    match table.phase:
        case "offer_nondealer" | "offer_dealer":
            return TakeUpcard() if wants_pile_card(s, table, hand) else PassUpcard()
        case "draw":
            takes = not pile_is_locked(s, table) and wants_pile_card(s, table, hand)
            return DrawFromDiscard() if takes else DrawFromStock()
        case "must_draw_stock":
            return DrawFromStock()
        case "discard":
            return turn_ended(s, table, seat)
        case _:
            return LayOff()


def strong(s: State, seat: Seat, rng: Random, budget: SearchBudget) -> Move:
    """Make the move that does best in many worlds."""
    move, table, hand = steady(s, seat, rng), s.tables[table_number(s, seat)], s.hands[seat]
    if len(legal(s, seat)) == 1 and not isinstance(move, Discard):
        return move

    def ranked() -> list[Card]:
        return sorted(discards(s, table, hand), key=Outlook(s, table, seat).without)

    return best_move(s, seat, knocking_too(s, table, hand, move), ranked, rng, budget)


def knocking_too(s: State, table: Table, hand: Cards, move: Move) -> Move:
    """Return the best knock if there is one, to be weighed against discards, else the move."""
    knocking = knock_discards(s, table, hand) if isinstance(move, Discard) else ()
    if not knocking:
        return move
    return Knock(min(knocking, key=lambda c: (deadwood(remove_cards(hand, c)), -c)))


choose = player(steady, any_of(legal), strong)


def wants_pile_card(s: State, table: Table, hand: Cards) -> bool:
    """Return whether the top of the pile is worth more than an unknown card: it melds, or it knocks."""
    top = table.pile[-1]
    before, eleven = deadwood(hand), add_cards(hand, (top,))
    after = min(deadwood(remove_cards(eleven, c)) for c in hand)
    melds = deadwood(eleven) < before + POINTS[top]
    return after < before and (melds or after <= safe(s, table))


def turn_ended(s: State, table: Table, seat: Seat) -> Move:
    """Go big, knock if it is safe, else discard what is missed least."""
    hand = s.hands[seat]
    if s.rules.options.big_gin_bonus is not None and deadwood(hand) == 0:
        return BigGin()
    if knocking := knock_discards(s, table, hand):
        best = min(knocking, key=lambda c: (deadwood(remove_cards(hand, c)), -c))
        if deadwood(remove_cards(hand, best)) <= safe(s, table):
            return Knock(best)
    may = discards(s, table, hand)
    outlook = Outlook(s, table, seat)
    return Discard(min(may, key=outlook.without))


def safe(s: State, table: Table) -> int:
    """Say with how much deadwood to knock: late in a hand the other has little left as well."""
    turns = (len(table.stock) - s.rules.options.stock_floor) // 2
    return min(s.rules.options.knock_limit, 5 + turns)


class Outlook:
    """Estimates the chances and the dangers of a seat, from all that it has seen."""

    def __init__(self, s: State, table: Table, seat: Seat) -> None:
        self.hand = s.hands[seat]
        self.theirs = drop_cards(s.hands[table.other(seat)], (BACK,))
        self.unseen = drop_cards(PACK, {*self.hand, *self.theirs, *table.pile})

    def without(self, c: Card) -> float:
        """Estimate what discarding the card leaves and gives away, in points."""
        ten = remove_cards(self.hand, c)
        left = deadwood(ten)
        return left - HOPE * self.hope(ten, left) + FEAR * self.fed(c) - POINTS[c] / 100

    def hope(self, ten: Cards, left: int) -> float:
        """Return the deadwood that the next unseen card melds, on average."""
        melded = [left + POINTS[u] - deadwood((*ten, u)) for u in self.unseen]
        return sum(melded) / max(1, len(melded))

    def fed(self, c: Card) -> int:
        """Count the cards in the other hand that are known to meld with this one."""
        return sum(goes_with(c, other) for other in self.theirs)


def goes_with(a: Card, b: Card) -> bool:
    """Return whether two cards are of a rank, or neighbours in a suit."""
    return RANK_OF[a] == RANK_OF[b] or (SUIT_OF[a] == SUIT_OF[b] and abs(NUMBER[a] - NUMBER[b]) <= 2)
