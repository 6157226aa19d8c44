"""Plays poker: a bot knows what its seat was shown, and returns a move.

The steady player estimates its share of the pot. It counts how many possible hands of each rival beat its own, assuming
fewer and better hands the more the rival has paid, and which cards to come help. It bets if its share is much larger
than an equal one, and stays while its share is worth the price. It opens with better hands the more rivals there are,
and goes all-in when its chips are few.
"""

from functools import cached_property
from math import log2, prod, sqrt
from random import Random
from typing import Final

from domain.core.bot_levels import any_of, player
from domain.core.cards import NOBODY, Seat
from domain.core.choices import OneNumber
from domain.core.monte_carlo import SearchBudget
from domain.poker.beginner import easy
from domain.poker.betting import amount_owed, choices, seats_in_hand
from domain.poker.betting_moves import Call, Check, Fold, Move, SwapCards
from domain.poker.betting_play import legal
from domain.poker.betting_table import State, middle
from domain.poker.playouts import BLUFF, CHEAP, CLEAR, CLEARER, NARROWEST, OPENING, SHORT
from domain.poker.search import searched_move
from domain.poker.standings import (
    exchange,
    hoping,
    on_board,
    outs,
    standing_after_draw,
    standing_before_draw,
    starting,
)

FIRST: Final = ("preflop", "bet1")
"""The rounds before any exchange or board card."""

LUCK: Final = {"preflop": 0.6, "bet1": 0.4, "flop": 0.25, "turn": 0.12}
"""The weight of an even chance in the estimate of a hand, while cards are to come, by phase."""

TO_COME: Final = {"flop": 1.5, "turn": 1.0}
"""The number of further cards that the seat sees for one bet, by phase."""


def steady(s: State, seat: Seat, rng: Random) -> Move:
    """Return the move of a sound player."""
    if not s.open:
        return SwapCards(exchange(s.hands[seat], s.rules.max_swap))
    outlook = Outlook(s, seat)
    if s.phase in FIRST and outlook.opens():
        return outlook.raised()
    share = outlook.share()
    if s.phase not in FIRST and share >= outlook.enough():
        return outlook.raised()
    if not outlook.price:
        return Check()
    return Call() if share * outlook.pot >= outlook.price else Fold()


def strong(s: State, seat: Seat, rng: Random, budget: SearchBudget) -> Move:
    """Exchange soundly; fold, call, bet or raise with the best result in many worlds."""
    first = steady(s, seat, rng)
    return searched_move(s, seat, first, Outlook(s, seat).depth(), rng, budget) if s.open else first


choose = player(steady, any_of(legal), strong, easy)


class Outlook:
    """Estimates a seat's prospects in the current hand from everything it has seen."""

    def __init__(self, s: State, seat: Seat) -> None:
        self.s, self.seat, self.round = s, seat, s.round
        self.hand, self.stack = s.hands[seat], s.stacks[seat]
        self.rivals = [i for i in seats_in_hand(s.round) if i != seat]
        self.ranges = {i: self.range(i) for i in self.rivals}
        self.price = min(amount_owed(s.round, seat), self.stack)
        mine = s.paid[seat] + self.price
        self.pot = sum([min(paid, mine) for paid in s.paid]) + self.price + s.dead

    # --- Hands of the rivals -------------------------------------------------------------------------------

    def range(self, rival: Seat) -> float:
        """Return the share of all hands that a rival would play, estimated from the rival's bets in this round."""
        s, bet = self.s, self.round.committed[rival]
        before, forced = middle(s) - sum(self.round.committed), 0
        if s.phase == "preflop":
            before += s.stakes.small + s.stakes.big
            forced = {s.at.small: s.stakes.small, s.at.big: s.stakes.big}.get(rival, 0)
        pots = max(0, bet - forced) / max(1, before)
        if s.phase in FIRST and sum(map(bool, s.hands)) == 2:
            # Two players play more hands than many.
            pots /= 2
        part = 1 / (1 + pots)
        # A player with few chips goes all-in with more hands.
        if s.phase == "preflop" and not self.round.stacks[rival]:
            part = max(part, min(1, 3 * s.stakes.big / max(1, bet)))
        if s.phase not in FIRST:
            earlier = (s.paid[rival] - bet) / self.round.limits.unit
            part /= sqrt(max(1, earlier / CHEAP))
        return max(NARROWEST, part)

    @cached_property
    def on_board(self) -> float:
        return on_board(self.hand, self.s.board)

    def strength(self, rival: Seat) -> float:
        """Return the standing of the hand among those that this rival may have been dealt or drawn."""
        match self.s.phase:
            case "preflop":
                return starting(self.hand)
            case "bet1":
                return standing_before_draw(self.hand)
            case "bet2":  # After the stock is rebuilt, the table no longer shows which cards each seat exchanged.
                return standing_after_draw(self.hand, 3 if self.s.rebuilds else len(self.s.discards[rival]))
            case _:
                return self.on_board

    # --- The share of the pot ------------------------------------------------------------------------------

    def share(self) -> float:
        """Return the estimated share of the pot that the hand wins if it calls."""
        luck = LUCK.get(self.s.phase, 0)
        weights = [self.weight(i) for i in self.rivals]
        chances = [self.chance(i, luck) ** weight for i, weight in zip(self.rivals, weights, strict=True)]
        many = sum(weights)
        made: float = prod(chances) ** (1 - luck + luck * log2(1 + many) / many)
        return made + (1 - made) * self.hope()

    def weight(self, rival: Seat) -> float:
        """Return how much a rival counts: less while it has not matched the bet."""
        r = self.round
        return 1 if r.committed[rival] == r.current or not r.stacks[rival] else 0.3

    def chance(self, rival: Seat, luck: float) -> float:
        """Return the estimated probability that the hand beats this rival's."""
        strength, part = self.strength(rival), self.ranges[rival]
        beaten = BLUFF * (1 - strength) + (1 - BLUFF) * max(0, 1 - strength / part)
        return luck / 2 + (1 - luck) * beaten

    def hope(self) -> float:
        """Return the estimated probability that the next cards make a straight or better."""
        match self.s.phase:
            case "flop" | "turn":
                missed: float = (1 - outs(self.hand, self.s.board)) ** TO_COME[self.s.phase]
                return 1 - missed
            case "bet1" if standing_before_draw(self.hand) > 0.5:
                return outs(hoping(self.hand), ())
            case _:
                return 0

    # --- The decision --------------------------------------------------------------------------------------

    def opens(self) -> bool:
        """Return whether the hand is good enough to open, or after a bet to raise."""
        part = OPENING[len(self.rivals)] * min(self.ranges.values())
        if self.round.aggressor != NOBODY:
            part /= 2
        return self.strength(self.rivals[0]) <= part * sqrt(max(1, SHORT / self.depth()))

    def depth(self) -> float:
        """Return the big blinds, with antes, that the seat can lose to a rival; without blinds, a large number."""
        r = self.round
        if not self.s.rules.blinds:
            return 2 * SHORT
        each = [r.stacks[i] + r.committed[i] for i in self.rivals]
        lost = max(1, min(max(each), self.stack + r.committed[self.seat]))
        antes = middle(self.s) - sum(r.committed)
        return lost / (self.s.stakes.big + antes / 1.5)

    def enough(self) -> float:
        """Return the share of the pot from which the hand bets or raises."""
        return (CLEARER if self.round.current else CLEAR) / (1 + len(self.rivals))

    def raised(self) -> Move:
        """Bet or raise by two thirds of the pot, or all-in if little would be left; if not allowed, stay in."""
        for choice in choices(self.round, self.seat):
            if isinstance(choice, OneNumber):
                move: Move = choice.make(min(choice.high, max(choice.low, self.size())))
                return move
        return Call() if self.price else Check()

    def size(self) -> int:
        """Return the amount to bet or raise to, if that is allowed."""
        r = self.round
        everything = r.committed[self.seat] + self.stack
        to = r.current + 2 * (middle(self.s) + self.price) // 3
        short = self.s.phase == "preflop" and self.depth() <= SHORT
        return everything if short or 2 * to >= everything else to
