"""Plays Gin Rummy: a bot gets the knowledge of its seat, and returns a move.

The steady player keeps the ten cards with the least deadwood, counting every unseen card that would meld more of it as
a small bonus. It does not feed the opponent's known collection, takes cards from the pile that it can meld, and knocks
while that is safe. The strong player plays each move on in worlds that fit the cards that its seat saw: the opponent
would have knocked if it could, and its cards fit together the better the longer it has drawn.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Final

from domain.core.bot_levels import any_of, player
from domain.core.cards import BACK, PACK, RANK_OF, SUIT_OF, Card, Cards, Seat, add_cards, drop_cards, remove_cards
from domain.core.monte_carlo import HiddenCards, SearchBudget, SearchPace, best_option
from domain.core.values import value
from domain.games.gin_rummy import events
from domain.games.gin_rummy.beginner import easy
from domain.games.gin_rummy.melds import BIT, NUMBER, POINTS, arrange, deadwood, defend, least_of, points
from domain.games.gin_rummy.options import Rules, knock_points
from domain.games.gin_rummy.play import discards, knock_discards, legal, pile_is_locked
from domain.games.gin_rummy.table import State, Table, table_number

HOPE = 3.0
"""A seat gives up this many points of deadwood for a point that it expects the next card to meld."""
FEAR = 1.0
"""Points of deadwood that a seat accepts to avoid feeding the opponent's collection."""


def steady(s: State, seat: Seat, rng: Random) -> events.Move:
    """Return the move of a sound player."""
    table, hand = s.tables[table_number(s, seat)], s.hands[seat]
    match table.phase:
        case "offer_nondealer" | "offer_dealer":
            return events.TakeUpcard() if wants_pile_card(s, table, hand) else events.PassUpcard()
        case "draw":
            takes = not pile_is_locked(s, table) and wants_pile_card(s, table, hand)
            return events.DrawFromDiscard() if takes else events.DrawFromStock()
        case "must_draw_stock":
            return events.DrawFromStock()
        case "discard":
            return turn_ended(s, table, seat)
        case _:
            return events.LayOff()


def strong(s: State, seat: Seat, rng: Random, budget: SearchBudget) -> events.Move:
    """Return the move with the best result in many worlds."""
    move, table, hand = steady(s, seat, rng), s.tables[table_number(s, seat)], s.hands[seat]
    if len(legal(s, seat)) == 1 and not isinstance(move, events.Discard):
        return move

    def ranked() -> list[Card]:
        return sorted(discards(s, table, hand), key=Outlook(s, table, seat).without)

    return best_move(s, seat, knocking_too(s, table, hand, move), ranked, rng, budget)


def knocking_too(s: State, table: Table, hand: Cards, move: events.Move) -> events.Move:
    """Return the best knock if there is one, to be weighed against discards, else the move."""
    knocking = knock_discards(s, table, hand) if isinstance(move, events.Discard) else ()
    if not knocking:
        return move
    return events.Knock(min(knocking, key=lambda c: (deadwood(remove_cards(hand, c)), -c)))


choose = player(steady, any_of(legal), strong, easy)


def wants_pile_card(s: State, table: Table, hand: Cards) -> bool:
    """Return whether the top of the pile is worth more than an unknown card: it melds, or it knocks."""
    top = table.pile[-1]
    before, eleven = deadwood(hand), add_cards(hand, (top,))
    after = min(deadwood(remove_cards(eleven, c)) for c in hand)
    melds = deadwood(eleven) < before + POINTS[top]
    return after < before and (melds or after <= safe_deadwood(s, table))


def turn_ended(s: State, table: Table, seat: Seat) -> events.Move:
    """Lay down big gin, knock if it is safe, or discard the least useful card."""
    hand = s.hands[seat]
    if s.rules.options.big_gin_bonus is not None and deadwood(hand) == 0:
        return events.BigGin()
    if knocking := knock_discards(s, table, hand):
        best = min(knocking, key=lambda c: (deadwood(remove_cards(hand, c)), -c))
        if deadwood(remove_cards(hand, best)) <= safe_deadwood(s, table):
            return events.Knock(best)
    may = discards(s, table, hand)
    outlook = Outlook(s, table, seat)
    return events.Discard(min(may, key=outlook.without))


def safe_deadwood(s: State, table: Table) -> int:
    """Return the deadwood with which to knock: late in a hand, the opponent has little left too."""
    turns = (len(table.stock) - s.rules.options.stock_floor) // 2
    return min(s.rules.options.knock_limit, 5 + turns)


class Outlook:
    """Estimates the chances and the dangers of a seat, from all that it has seen."""

    def __init__(self, s: State, table: Table, seat: Seat) -> None:
        self.hand = s.hands[seat]
        self.theirs = drop_cards(s.hands[table.other(seat)], (BACK,))
        self.unseen = drop_cards(PACK, {*self.hand, *self.theirs, *table.pile})

    def without(self, c: Card) -> float:
        """Estimate the points that discarding the card leaves in the hand and gives away."""
        ten = remove_cards(self.hand, c)
        left = deadwood(ten)
        return left - HOPE * self.expect_melds(ten, left) + FEAR * self.count_helped_cards(c) - POINTS[c] / 100

    def expect_melds(self, ten: Cards, left: int) -> float:
        """Return the deadwood that the next unseen card melds, on average."""
        melded = [left + POINTS[u] - deadwood((*ten, u)) for u in self.unseen]
        return sum(melded) / max(1, len(melded))

    def count_helped_cards(self, c: Card) -> int:
        """Count the cards in the other hand that are known to meld with this one."""
        return sum(goes_with(c, other) for other in self.theirs)


def goes_with(a: Card, b: Card) -> bool:
    """Return whether two cards are of a rank, or neighbours in a suit."""
    return RANK_OF[a] == RANK_OF[b] or (SUIT_OF[a] == SUIT_OF[b] and abs(NUMBER[a] - NUMBER[b]) <= 2)


# --- Playing moves on in many worlds --------------------------------------------------------------

PACE: Final = SearchPace(7.0, 1.0, doubt=1.0)
"""The measured number of playouts in a millisecond, and the cost of drawing a world."""

MOST_DISCARDS: Final = 6
"""The number of tried discards, those that the steady player likes best."""

WORTH: Final = [min(number % 13 + 1, 10) for number in range(52)]
ACES: Final = sum(1 << 13 * suit for suit in range(4))
KINGS: Final = ACES << 12
RANKS: Final = [ACES << number % 13 for number in range(52)]


def mask(cards: Cards) -> int:
    """Return the cards as a mask, ace low."""
    return sum(BIT[c] for c in cards)


deadwood_of = lru_cache(maxsize=1 << 16)(least_of)


def loose(held: int) -> int:
    """Return the cards without a neighbour, at a distance of two at most, and without another of their rank."""
    up, down = held << 1 & ~ACES, held >> 1 & ~KINGS
    beside = up | down | (up << 1 & ~ACES) | (down >> 1 & ~KINGS)
    alone = held & ~beside
    found, rest = 0, alone
    while rest:
        low = rest & -rest
        rest ^= low
        if not held & RANKS[low.bit_length() - 1] & ~low:
            found |= low
    return found


def best_discard(held: int) -> int:
    """Return the card of eleven that a playout discards: the highest loose one, otherwise the least useful one."""
    free = loose(held)
    if free:
        return dearest(free)
    found, least = 0, 999
    rest = held
    while rest:
        bit = rest & -rest
        rest ^= bit
        left = 4 * deadwood_of(held ^ bit) - WORTH[bit.bit_length() - 1]
        if left < least:
            found, least = bit, left
    return found


def dearest(held: int) -> int:
    """Return the card that counts most as deadwood."""
    most = found = 0
    while held:
        bit = held & -held
        held ^= bit
        worth = WORTH[bit.bit_length() - 1]
        if worth >= most:
            found, most = bit, worth
    return found


@value
class World:
    theirs: int
    stock: Sequence[int]
    """The cards to draw, the next one last."""


class HandSearch:
    """Plays hands on from the point of view of a seat."""

    def __init__(self, s: State, seat: Seat) -> None:
        self.s, self.seat = s, seat
        self.table: Table = s.tables[table_number(s, seat)]
        self.rules: Rules = s.rules
        self.hand = s.hands[seat]
        self.known = drop_cards(s.hands[self.table.other(seat)], (BACK,))
        seen = {*self.hand, *self.known, *self.table.pile}
        self.unseen = drop_cards(PACK, seen)
        self.floor = s.rules.options.stock_floor
        self.limit = s.rules.options.knock_limit
        self.turns = (31 - len(self.table.stock)) // 2 + len(self.known)
        theirs = len(s.hands[self.table.other(seat)]) - len(self.known)
        self.hidden = HiddenCards(self.unseen, (theirs, len(self.unseen) - theirs), self.weights)

    def weights(self, c: Card) -> tuple[float, float]:
        """Return how likely the opponent has the card: more if it fits cards that it took, less if its discards."""
        likely = 1.0
        for other in self.known:
            if goes_with(c, other):
                likely *= 2.5
        own_turn = self.table.phase != "discard"
        for i, other in enumerate(reversed(self.table.pile[-8:])):
            if i % 2 == (0 if own_turn else 1) and goes_with(c, other):
                likely *= 0.7
        return likely, 1.0

    def world(self, rng: Random) -> World | None:
        """Draw a hand of the opponent that would not have knocked, and the rest of the stock."""
        best: tuple[int, World] | None = None
        for _ in range(1 + min(4, self.turns // 3)):
            dealt = self.hidden.deal(rng)
            if dealt is None:
                return None
            theirs = mask((*self.known, *dealt[0]))
            left = deadwood_of(theirs)
            if self.turns and left <= self.limit:
                left = 200 - left
            if best is None or left < best[0]:
                rng.shuffle(dealt[1])
                best = left, World(theirs, [BIT[c] for c in dealt[1]])
        return best[1] if best else None

    def play_on(self, world: World, move: events.Move, rng: Random) -> float:
        """Return the points of the seat less those of the opponent, after this move."""
        mine, stock = mask(self.hand), list(world.stock)
        match move:
            case events.Knock():
                return self.knocked(move, world)
            case events.Discard():
                return self.played(mine & ~BIT[move.card], world.theirs, BIT[move.card], stock, own_turn=False)
            case events.PassUpcard():
                return self.played(mine, world.theirs, BIT[self.table.pile[-1]], stock, own_turn=False)
            case events.DrawFromDiscard() | events.TakeUpcard():
                return self.turn_ended(mine | BIT[self.table.pile[-1]], world.theirs, stock)
            case _:
                return self.turn_ended(mine | stock.pop(), world.theirs, stock)

    def turn_ended(self, eleven: int, theirs: int, stock: list[int]) -> float:
        """End the seat's turn with these eleven cards, and play on."""
        gone = best_discard(eleven)
        ten = eleven & ~gone
        left = deadwood_of(ten)
        if left <= self.limit:
            return self.score(left, deadwood_of(theirs))
        return self.played(ten, theirs, gone, stock, own_turn=False)

    def played(self, mine: int, theirs: int, top: int, stock: list[int], *, own_turn: bool) -> float:
        """Play on until a seat knocks or the stock runs out; `top` is the top of the pile."""
        hands = [theirs, mine]
        turn = int(own_turn)
        while len(stock) > self.floor:
            held = hands[turn]
            before = deadwood_of(held)
            with_top = held | top
            if deadwood_of(with_top) < before + WORTH[top.bit_length() - 1]:
                held = with_top
            else:
                held |= stock.pop()
            top = best_discard(held)
            held &= ~top
            hands[turn] = held
            left = deadwood_of(held)
            if left <= self.limit:
                points = self.score(left, deadwood_of(hands[1 - turn]))
                return points if turn else -points
            turn = 1 - turn
        return 0.0

    def score(self, knocker: int, defender: int) -> float:
        """Return the points of a knocker less those of the defender."""
        if not knocker:
            return self.rules.options.gin_bonus + defender
        gained, lost = knock_points(self.rules, knocker, defender)
        return gained - lost

    def knocked(self, knock: events.Knock, world: World) -> float:
        """Return the points that a knock gains, after the best defence."""
        laid = arrange(remove_cards(self.hand, knock.discard))
        theirs = tuple(c for c in PACK if world.theirs & BIT[c])
        if not laid.value:
            return self.score(0, deadwood_of(world.theirs))
        return self.score(laid.value, points(defend(theirs, laid.melds).deadwood))


def best_move(
    s: State, seat: Seat, first: events.Move, discards: Callable[[], Sequence[Card]], rng: Random, budget: SearchBudget
) -> events.Move:
    """Return the best move; `first` is the steady player's, `discards` are all, its best ones first."""
    search = HandSearch(s, seat)
    match first:
        case events.Knock():
            ten = remove_cards(s.hands[seat], first.discard)
            others = [events.Discard(c) for c in discards()[:2]] if arrange(ten).value else []
            options: list[events.Move] = [first, *others]
        case events.Discard():
            options = [events.Discard(c) for c in discards()[:MOST_DISCARDS]]
        case events.DrawFromStock() | events.DrawFromDiscard():
            options = [
                first,
                events.DrawFromDiscard() if isinstance(first, events.DrawFromStock) else events.DrawFromStock(),
            ]
        case events.TakeUpcard() | events.PassUpcard():
            options = [first, events.PassUpcard() if isinstance(first, events.TakeUpcard) else events.TakeUpcard()]
        case _:
            return first
    return best_option(options, search.world, search.play_on, budget, PACE, rng)
