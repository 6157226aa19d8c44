"""Plays Hearts: a bot gets what its seat knows, and gives a move.

The steady player weighs every legal card: what the trick would cost if it takes it, how likely it takes
it, and what trouble the card makes if it stays in the hand. All of it follows from the compiled rules, so
one player serves all variants.
"""

from functools import cache
from random import Random

from domain.core.bot_levels import any_of, player
from domain.core.cards import (
    DIAMONDS,
    OF_SUIT,
    PACK,
    RANK_OF,
    SPADES,
    SUIT_OF,
    Card,
    Cards,
    Seat,
    card,
    keep_cards,
)
from domain.core.monte_carlo import SearchBudget
from domain.games.hearts.events import Move, PassCards, PlayCard, ReturnCard
from domain.games.hearts.options import JD, QS, SEATS, Scoring
from domain.games.hearts.play import legal, phase, playable, taken_by
from domain.games.hearts.search import best_card, best_pass, best_return
from domain.games.hearts.table import State

COVERS = frozenset((card("KS"), card("AS")))  # catch the queen of spades
CATCHERS = frozenset((card("QD"), card("KD"), card("AD")))  # catch the jack of diamonds
EVERYTHING: Cards = PACK


def steady(s: State, seat: Seat, rng: Random) -> Move:
    """Play soundly: pass trouble on, stay low, throw off what costs most, break up a moon."""
    match phase(s):
        case "passing":
            worst = sorted(s.hands[seat], key=lambda c: nuisance(s, s.hands[seat], c))
            return PassCards(tuple(worst[-s.rules.passing.count :]))
        case "returning":
            received = s.exchange.received[seat] or ()
            return ReturnCard(max(received, key=lambda c: nuisance(s, s.hands[seat], c)))
        case _:
            return PlayCard(min(playable(s, s.hands[seat]), key=Outlook(s, seat).of))


def strong(s: State, seat: Seat, rng: Random, budget: SearchBudget) -> Move:
    """Pass, give back and play what does best in many worlds."""
    move, hand = steady(s, seat, rng), s.hands[seat]
    match move:
        case PlayCard():
            return PlayCard(best_card(s, seat, move.card, rng, budget))
        case PassCards() if move.cards:
            ranked = sorted(hand, key=lambda c: -nuisance(s, hand, c))
            return PassCards(tuple(sorted(best_pass(s, seat, ranked, rng, budget))))
        case ReturnCard():
            return ReturnCard(best_return(s, seat, move.card, rng, budget))
        case _:
            return move


choose = player(steady, any_of(legal), strong)


@cache
def costs(scoring: Scoring) -> tuple[int, ...]:
    """Return the cost of each card for the seat that has all the others: a heart beyond the free ones, say, 2."""
    everything = scoring.points(PACK)
    return tuple(everything - scoring.points(PACK[:c] + PACK[c + 1 :]) for c in PACK)


def nuisance(s: State, hand: Cards, c: Card) -> float:
    """Say how glad a hand of thirteen is to be rid of the card, in points."""
    cost, suit = costs(s.rules.scoring), keep_cards(hand, OF_SUIT[SUIT_OF[c]])
    trouble = RANK_OF[c] / 4 + max(0, 4 - len(suit)) * RANK_OF[c] / 12
    # A long suit shelters the queen and those above her.
    if SUIT_OF[c] == SPADES and cost[QS]:
        shelter = len(suit) - len(keep_cards(hand, COVERS | {QS}))
        trouble = max(0, 4 - shelter) * 3 + 2 if c >= QS else -2
    if SUIT_OF[c] == DIAMONDS and cost[JD] and c >= JD:
        trouble -= 3
    return trouble + max(0, cost[c]) * RANK_OF[c] / 24


class Outlook:
    """Estimates what a seat can expect of the current trick, from all that it has seen."""

    def __init__(self, s: State, seat: Seat) -> None:
        self.s, self.hand = s, s.hands[seat]
        self.cost = costs(s.rules.scoring)
        seen = {*self.hand, *s.trick, *(c for t in s.tricks for c in t.cards)}
        self.unseen = tuple(c for c in PACK if c not in seen)
        self.led = SUIT_OF[s.trick[0]] if s.trick else None
        # This many seats play after this one.
        self.after = 3 - len(s.trick)
        self.stop = self.moon_shooter(seat) is not None
        self.lying = sum(self.cost[c] for c in s.trick)

    def moon_shooter(self, seat: Seat) -> Seat | None:
        """Return another seat that has taken all that was taken, and enough to be feared."""
        harmful = self.s.rules.scoring.harmful
        taken = [len(keep_cards(taken_by(self.s.tricks, i), harmful)) for i in SEATS]
        feared = max(SEATS, key=lambda i: taken[i])
        return feared if feared != seat and taken[feared] == sum(taken) >= 6 else None

    def of(self, c: Card) -> float:
        """Estimate what playing the card costs in the end, in points."""
        takes = self.takes(c)
        trick = self.lying + self.cost[c] + self.coming(c)
        if self.stop and trick > 0 and trick < 10:
            # A few points are cheaper than a moon.
            trick = -6
        # A jack that others take is a loss.
        lost = -self.cost[c] if c == JD else 0
        return takes * trick + (1 - takes) * lost - self.trouble(c)

    def takes(self, c: Card) -> float:
        """Estimate how likely the card takes the trick."""
        suit = SUIT_OF[c]
        if self.led is not None and (suit != self.led or c < max(keep_cards(self.s.trick, OF_SUIT[suit]))):
            return 0.0
        unseen = keep_cards(self.unseen, OF_SUIT[suit])
        higher = sum(u > c for u in unseen)
        return float((1 - 0.7 * higher / len(unseen)) ** self.after) if higher else 1.0

    def coming(self, c: Card) -> float:
        """Estimate the points that the seats after this one would add."""
        suit = SUIT_OF[c] if self.led is None else self.led
        unseen = keep_cards(self.unseen, OF_SUIT[suit])
        void = (2 / 3) ** len(unseen)
        gifts = [self.cost[u] for u in self.unseen if u in self.s.rules.scoring.harmful and SUIT_OF[u] != suit]
        gift = max(gifts, default=0) if self.s.tricks else 0
        own = sum(self.cost[u] for u in unseen) / 3 if self.s.tricks or suit != SPADES else 0
        return self.after * (void * gift + (1 - void) * own / max(1, len(unseen)) * 4)

    def trouble(self, c: Card) -> float:
        """Estimate what keeping the card for later would cost."""
        unseen = keep_cards(self.unseen, OF_SUIT[SUIT_OF[c]])
        lower = sum(u < c for u in unseen)
        exposed = lower / len(unseen) if unseen else 0.0
        mates = len(keep_cards(self.hand, OF_SUIT[SUIT_OF[c]])) - 1
        trouble = 3 * exposed / (1 + mates / 2) + max(0, self.cost[c]) * 0.5
        if c in COVERS and QS in self.unseen and self.cost[QS]:
            trouble += 5 / (1 + mates)
        if c in CATCHERS and JD in self.unseen and self.cost[JD]:
            trouble -= 2
        if c == JD and self.cost[JD]:
            trouble -= 3
        return trouble
