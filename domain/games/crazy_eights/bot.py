"""Plays Crazy Eights: a bot gets the knowledge of its seat, and returns a move.

The steady player never draws while it can play, and plays the most expensive cards first. It keeps suits that it can
continue, and saves its eights until a seat is about to go out.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from domain.core.bot_levels import any_of, player
from domain.core.cards import BACK, OF_SUIT, RANK_OF, SUIT_OF, SUITS, Card, Cards, Seat, keep_cards, remove_cards
from domain.core.monte_carlo import HiddenCards, SearchBudget, SearchPace, best_option
from domain.core.values import value
from domain.games.crazy_eights.beginner import easy
from domain.games.crazy_eights.events import SUIT_NAMES, DrawCard, Move, PassTurn, PlayCard
from domain.games.crazy_eights.options import EIGHT, MOST_TURNS, Rules, blocked_payments, is_eight, lowest, worth
from domain.games.crazy_eights.rules import State, default, draws_used_up, favourite, legal, may_pass, playable, supply

PACE: Final = SearchPace(24.0, 1.0, doubt=0.7)
"""The measured number of playouts of two-seat hands in a millisecond, and the cost of drawing a world."""

KEPT: Final = 1.6
"""How much likelier an eight is in a hand than another card, because players keep eights."""

GOING_OUT: Final = 40.0
"""The additional value of going out, in points, if the game is one hand."""


@value
class HandInPlay:
    """A hand in progress: the cards of all seats, the stock with its next card last, and the pile."""

    hands: list[list[int]]
    stock: list[int]
    pile: list[int]
    suit: int
    turn: Seat
    drawn: int
    passes: int


def play_out(rules: Rules, at: HandInPlay, rng: Random) -> tuple[Seat | None, list[list[int]]]:
    """Play a hand to its end; return the seat that went out, if any, and the remaining cards.

    The hands and the stock are used up.
    """
    hands, stock, pile, suit = at.hands, at.stock, at.pile, at.suit
    turn, drawn, passes, turns = at.turn, at.drawn, at.passes, 0
    random, seats, limit = rng.random, rules.seats, rules.draw_limit
    rank = pile[-1] % 13
    while passes < seats and turns < MOST_TURNS:
        hand = hands[turn]
        plain = [c for c in hand if (c // 13 == suit or c % 13 == rank) and c % 13 != EIGHT]
        eights = [c for c in hand if c % 13 == EIGHT]
        if not plain and not eights:
            if not stock and rules.restock and len(pile) > 1:
                stock, pile = pile[:-1], pile[-1:]
                rng.shuffle(stock)
            if stock and drawn != limit:
                hand.append(stock.pop())
                drawn += 1
                continue
            passes = 0 if drawn else passes + 1
        else:
            passes = 0
            card = choose_card(hand, plain, random) if plain else eights[0]
            hand.remove(card)
            pile.append(card)
            if not hand:
                return turn, hands
            rank = card % 13
            suit = card // 13 if plain else longest(hand)
        turn, drawn, turns = (turn + 1) % seats, 0, turns + 1
    return None, hands


def choose_card(hand: Sequence[int], plain: Sequence[int], random: Callable[[], float]) -> int:
    """Choose a card whose suit is frequent in the hand, preferably an expensive one."""
    if len(plain) == 1:
        return plain[0]
    found, best = plain[0], -1.0
    for c in plain:
        following = 0
        for other in hand:
            following += other // 13 == c // 13
        merit = following + 0.15 * min(c % 13, 9) + 1.5 * random()
        if merit > best:
            found, best = c, merit
    return found


def longest(hand: Sequence[int]) -> int:
    """Return the most frequent suit in a hand."""
    counts = [0, 0, 0, 0]
    for c in hand:
        counts[c // 13] += c % 13 != EIGHT
    return counts.index(max(counts))


# --- Worlds, moves and their values ------------------------------------------------------------------------


class Knowledge:
    """Knows which cards a seat does not see, and how many of them are in each place."""

    def __init__(self, s: State, seat: Seat) -> None:
        self.s, self.seat = s, seat
        seen = Counter([*s.hands[seat], *s.pile, *(c for c in s.stock if c != BACK)])
        unseen = list((Counter(s.rules.pack) - seen).elements())
        self.backs = s.stock.count(BACK)
        room = [0 if i == seat else len(hand) for i, hand in enumerate(s.hands)]
        self.hidden = HiddenCards(unseen, (*room, self.backs), self.weights)

    def weights(self, c: Card) -> list[float]:
        """Return how likely each hand, and then the stock, has the card."""
        held = KEPT if is_eight(c) else 1.0
        return [*(held * (i != self.seat) for i in range(self.s.rules.seats)), 1.0]

    def world(self, rng: Random) -> HandInPlay | None:
        """Draw the hands and the order of the stock."""
        s, dealt = self.s, self.hidden.deal(rng)
        if dealt is None:
            return None
        *hands, hidden = [list(map(int, cards)) for cards in dealt]
        hands[self.seat] = list(s.hands[self.seat])
        rng.shuffle(hidden)
        stock = [hidden.pop() if c == BACK else int(c) for c in s.stock]
        assert s.suit is not None
        return HandInPlay(hands, stock[::-1], list(s.pile), s.suit, s.turn, s.drawn, s.passes)


def after_move(at: HandInPlay, move: Move, rules: Rules) -> HandInPlay:
    """Return a copy of the hand after a move of the seat to act, which is legal."""
    hands, stock, pile = [hand[:] for hand in at.hands], at.stock[:], at.pile[:]
    left = (at.turn + 1) % rules.seats
    match move:
        case PlayCard():
            hands[at.turn].remove(move.card)
            suit = SUIT_OF[move.card] if move.declared_suit is None else SUITS.index(move.declared_suit)
            return HandInPlay(hands, stock, [*pile, move.card], suit, left, 0, 0)
        case PassTurn():
            return HandInPlay(hands, stock, pile, at.suit, left, 0, 0 if at.drawn else at.passes + 1)
        case _:
            if stock:
                hands[at.turn].append(stock.pop())
            return HandInPlay(hands, stock, pile, at.suit, at.turn, at.drawn + 1, at.passes)


def hand_value(rules: Rules, seat: Seat, out: Seat | None, hands: Sequence[Sequence[int]]) -> float:
    """Value a finished hand for a seat: its points minus the others' average, or the win in a game of one hand."""
    values = [worth(tuple(map(Card, hand))) for hand in hands]
    if out is None:
        points: Sequence[int] = blocked_payments(values, rules.blocked)[1]
        won = seat in lowest(values) and rules.blocked != "none"
    else:
        points = [sum(values) if i == out else 0 for i in range(rules.seats)]
        won = seat == out
    if rules.target is None:
        return GOING_OUT * won + 0.01 * points[seat]
    return points[seat] - (sum(points) - points[seat]) / (rules.seats - 1)


def best_move(s: State, seat: Seat, first: Move, rng: Random, budget: SearchBudget) -> Move:
    """Return the best move; `first` is the steady player's move."""
    options = [first, *(move for move in moves(s, seat) if move != first)]
    rules = s.rules

    def play_on(world: HandInPlay, move: Move, rng: Random) -> float:
        after = after_move(world, move, rules)
        if not after.hands[seat]:
            return hand_value(rules, seat, seat, after.hands)
        return hand_value(rules, seat, *play_out(rules, after, rng))

    pace = SearchPace(PACE.rate * 2 / rules.seats, PACE.world, PACE.doubt)
    return best_option(options, Knowledge(s, seat).world, play_on, budget, pace, rng)


def moves(s: State, seat: Seat) -> list[Move]:
    """Return the legal moves; an eight names any suit that its seat can continue with."""
    hand = s.hands[seat]
    cards = playable(s, hand)
    found: list[Move] = [PlayCard(c, None) for c in dict.fromkeys(cards) if not is_eight(c)]
    eight = next((c for c in cards if is_eight(c)), None)
    if eight is not None:
        held = {SUITS[SUIT_OF[c]] for c in remove_cards(hand, eight)} or {*SUIT_NAMES[:1]}
        found += [PlayCard(eight, name) for name in SUIT_NAMES if name in held]
    if supply(s) and not draws_used_up(s):
        found.append(DrawCard())
    if may_pass(s, cards):
        found.append(PassTurn())
    return found


CLOSE = 2  # the number of cards at which a seat is about to go out


def steady(s: State, seat: Seat, rng: Random) -> Move:
    """Play the best card; without a playable one, draw or pass as the clock would."""
    hand = s.hands[seat]
    cards = playable(s, hand)
    if not cards:
        return default(s, seat)
    close = any(len(other) <= CLOSE for i, other in enumerate(s.hands) if i != seat)
    best = max(cards, key=lambda c: merit(remove_cards(hand, c), c, close=close))
    return PlayCard(best, favourite(remove_cards(hand, best)) if is_eight(best) else None)


def strong(s: State, seat: Seat, rng: Random, budget: SearchBudget) -> Move:
    """Return the move with the best result in many worlds."""
    return best_move(s, seat, steady(s, seat, rng), rng, budget)


choose = player(steady, any_of(legal), strong, easy)


def merit(rest: Cards, c: Card, *, close: bool) -> float:
    """Estimate the value of playing the card, when a seat is close to going out or not."""
    if is_eight(c):
        return worth((c,)) if close and len(rest) > 1 else -1.0
    plain = tuple(other for other in rest if not is_eight(other))
    following = len(keep_cards(plain, OF_SUIT[SUIT_OF[c]]))
    pairs = sum(RANK_OF[other] == RANK_OF[c] for other in plain)
    return worth((c,)) * (2 if close else 0.5) + 3 * following + pairs
