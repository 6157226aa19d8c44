"""Plays poker like a beginner, for the level `easy`.

A beginner looks only at its own cards and the board. It calls too much, at any price and in any position, and never
bluffs. It raises only the best hands, by the minimum, and in the draw it keeps an ace or a king with its pair.
"""

from random import Random
from typing import Final

from domain.core.cards import RANK_OF, Cards, Seat
from domain.core.choices import OneNumber
from domain.poker.betting import amount_owed, choices
from domain.poker.betting_moves import Call, Check, Fold, Move, SwapCards
from domain.poker.betting_table import State
from domain.poker.standings import exchange, on_board, outs, standing_after_draw, standing_before_draw, starting

STAYS: Final = 0.65
"""A beginner pays any price with this share of all hands."""
RAISES: Final = 0.08
"""A beginner bets and raises only with this share of all hands."""
HOPES: Final = 0.15
"""A beginner pays any price if this share of the unseen cards makes a straight or better."""
HIGH: Final = 11
"""A beginner never throws away a card of this rank or higher, a king or an ace."""


def easy(s: State, seat: Seat, rng: Random) -> Move:
    """Return the move of a beginner."""
    hand = s.hands[seat]
    if not s.open:
        return SwapCards(thrown(hand, s.rules.max_swap))
    standing = standing_of(s, hand)
    if standing <= RAISES:
        return minimum_raise(s, seat)
    if not amount_owed(s.round, seat):
        return Check()
    return Call() if standing <= STAYS or hopes(s, hand) else Fold()


def standing_of(s: State, hand: Cards) -> float:
    """Rate the hand without a look at the rivals' bets or exchanges."""
    match s.phase:
        case "preflop":
            return starting(hand)
        case "bet1":
            return standing_before_draw(hand)
        case "bet2":
            return standing_after_draw(hand, 3)
        case _:
            return on_board(hand, s.board)


def hopes(s: State, hand: Cards) -> bool:
    """Return whether many cards to come make a straight or better."""
    return s.phase in ("flop", "turn") and outs(hand, s.board) >= HOPES


def thrown(hand: Cards, most: int) -> Cards:
    """Choose the discards; kings and aces stay."""
    return tuple([c for c in exchange(hand, most) if RANK_OF[c] < HIGH])


def minimum_raise(s: State, seat: Seat) -> Move:
    """Bet or raise the minimum; if not allowed, stay in."""
    for choice in choices(s.round, seat):
        if isinstance(choice, OneNumber):
            move: Move = choice.make(choice.low)
            return move
    return Call() if amount_owed(s.round, seat) else Check()
