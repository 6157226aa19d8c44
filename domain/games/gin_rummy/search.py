"""Searches the moves of Gin Rummy: hands are masks, and each move is played on in worlds that fit what a seat saw.

The opponent would have knocked if it could, and its cards fit together the better the longer it has drawn.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Final

from domain.core.cards import BACK, PACK, Card, Cards, Seat, drop_cards, remove_cards
from domain.core.monte_carlo import HiddenCards, SearchBudget, SearchPace, best_option
from domain.core.values import value
from domain.games.gin_rummy.melds import NUMBER, arrange, defend, least_of, points
from domain.games.gin_rummy.moves import Discard, DrawFromDiscard, DrawFromStock, Knock, Move, PassUpcard, TakeUpcard
from domain.games.gin_rummy.options import Rules, knock_points
from domain.games.gin_rummy.table import State, Table, table_number

PACE: Final = SearchPace(7.0, 1.0, doubt=1.0)
"""So many hands are played on in a millisecond, and so much a world costs."""

MOST_DISCARDS: Final = 6
"""So many discards are tried, those that the steady player likes best."""

BIT: Final = [1 << NUMBER[c] for c in PACK]
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
    """Return the card of eleven that a playout parts with: the dearest loose one, else the one missed least."""
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
        """Return how likely the opponent has the card: it keeps what goes with cards it took, not with discards."""
        likely = 1.0
        for other in self.known:
            if goes_together(c, other):
                likely *= 2.5
        own_turn = self.table.phase != "discard"
        for i, other in enumerate(reversed(self.table.pile[-8:])):
            if i % 2 == (0 if own_turn else 1) and goes_together(c, other):
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

    def play_on(self, world: World, move: Move, rng: Random) -> float:
        """Return the points of the seat less those of the opponent, after this move."""
        mine, stock = mask(self.hand), list(world.stock)
        match move:
            case Knock():
                return self.knocked(move, world)
            case Discard():
                return self.played(mine & ~BIT[move.card], world.theirs, BIT[move.card], stock, own_turn=False)
            case PassUpcard():
                return self.played(mine, world.theirs, BIT[self.table.pile[-1]], stock, own_turn=False)
            case DrawFromDiscard() | TakeUpcard():
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

    def knocked(self, knock: Knock, world: World) -> float:
        """Return what a knock brings, after the best defence."""
        laid = arrange(remove_cards(self.hand, knock.discard))
        theirs = tuple(c for c in PACK if world.theirs & BIT[c])
        if not laid.value:
            return self.score(0, deadwood_of(world.theirs))
        return self.score(laid.value, points(defend(theirs, laid.melds).deadwood))


def goes_together(a: Card, b: Card) -> bool:
    """Return whether two cards are of a rank, or neighbours in a suit."""
    x, y = NUMBER[a], NUMBER[b]
    return x % 13 == y % 13 or (x // 13 == y // 13 and abs(x - y) <= 2)


def best_move(
    s: State, seat: Seat, first: Move, discards: Callable[[], Sequence[Card]], rng: Random, budget: SearchBudget
) -> Move:
    """Return the move that does best; `first` is the steady player's, `discards` are all, its best ones first."""
    search = HandSearch(s, seat)
    match first:
        case Knock():
            ten = remove_cards(s.hands[seat], first.discard)
            others = [Discard(c) for c in discards()[:2]] if arrange(ten).value else []
            options: list[Move] = [first, *others]
        case Discard():
            options = [Discard(c) for c in discards()[:MOST_DISCARDS]]
        case DrawFromStock() | DrawFromDiscard():
            options = [first, DrawFromDiscard() if isinstance(first, DrawFromStock) else DrawFromStock()]
        case TakeUpcard() | PassUpcard():
            options = [first, PassUpcard() if isinstance(first, TakeUpcard) else TakeUpcard()]
        case _:
            return first
    return best_option(options, search.world, search.play_on, budget, PACE, rng)
