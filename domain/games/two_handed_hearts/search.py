"""Searches the cards of Two-Handed Hearts: each is played on to the end of the hand in many worlds.

Before play, every seat lays half of its cards away. It seldom keeps hearts and the queen of spades.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from domain.core.cards import BACK, HEARTS, PACK, SUIT_OF, Card, Cards, Seat, card
from domain.core.monte_carlo import HiddenCards, SearchBudget, SearchPace, best_option
from domain.core.values import value
from domain.games.two_handed_hearts.options import JD, QS, SEATS, Rules, count_taken, points_of, shot, winner
from domain.games.two_handed_hearts.play import following, taken_by
from domain.games.two_handed_hearts.table import State

RATE: Final = 9.0
"""So many hands of thirteen tricks are played on in a millisecond."""
PACE: Final = SearchPace(RATE, 1.0, doubt=0.3)
COVERS: Final = (card("KS"), card("AS"))
KEPT: Final = [0.3 if SUIT_OF[c] == HEARTS else 0.25 if c == QS else 0.6 if c in COVERS else 1.0 for c in PACK]
"""How likely a seat that laid cards away has kept a card, in comparison with others."""


@value
class World:
    hands: tuple[list[Card], list[Card]]
    stock: list[Card]
    """The cards that are drawn after tricks, the next one last."""


class Knowledge:
    """Collects from the events of a hand where the cards may be that a seat does not see."""

    def __init__(self, s: State, seat: Seat) -> None:
        self.s, self.seat, self.other = s, seat, 1 - seat
        seen = {*s.hands[seat], *s.waste[seat], *s.trick, *(c for trick in s.tricks for c in trick.cards)}
        self.unseen = [c for c in PACK if c not in seen]
        self.void = {SUIT_OF[trick.cards[0]] for trick in s.tricks if self.is_void(trick.leader, trick.cards)}
        theirs = len(s.hands[self.other])
        self.hidden = HiddenCards(self.unseen, (theirs, len(self.unseen) - theirs), self.weights)

    def is_void(self, leader: Seat, cards: Cards) -> bool:
        """Return whether the opponent showed in a trick that it has no card of the suit, and draws no more."""
        sure = self.s.rules.draws and not self.s.rules.honour
        return sure and leader == self.seat and SUIT_OF[cards[0]] != SUIT_OF[cards[1]]

    def weights(self, c: Card) -> tuple[float, float]:
        """Return how likely the opponent has the card, and how likely it is anywhere else."""
        if SUIT_OF[c] in self.void:
            return 0.0, 1.0
        return KEPT[c] if self.s.rules.draws else 1.0, 1.0

    def world(self, rng: Random) -> World | None:
        """Draw the opponent's hand and the stock."""
        dealt = self.hidden.deal(rng)
        if dealt is None:
            return None
        theirs, rest = dealt
        rng.shuffle(rest)
        mine = list(self.s.hands[self.seat])
        hands = (mine, theirs) if self.seat == 0 else (theirs, mine)
        return World(hands, [] if self.s.rules.draws else rest)


def play_out(s: State, world: World, first: Card | None, rng: Random) -> list[list[Card]]:
    """Play the hand on, and return what each seat has taken; `first` is the next card, if it is given."""
    hands, stock = (world.hands[0][:], world.hands[1][:]), world.stock[:]
    taken = [list(taken_by(s, seat)) for seat in SEATS]
    leader, jack = s.leader, s.rules.jack
    trick = s.trick
    while trick or hands[leader]:
        if trick:
            led = trick[0]
        else:
            led = Card(lead(hands[leader], hands[1 - leader], jack, rng) if first is None else first)
            hands[leader].remove(led)
            first = None
        trick, hand = (), hands[1 - leader]
        second = Card(follow(hand, led, jack) if first is None else first)
        hand.remove(second)
        first = None
        leader = winner(leader, (led, second))
        taken[leader] += (led, second)
        for seat in (leader, 1 - leader):
            if stock:
                hands[seat].append(stock.pop())
    return taken


def follow(hand: Sequence[int], led: int, jack: int) -> int:
    """Answer a lead: duck as high as can be, take the jack, and throw off what costs most."""
    suit = led // 13
    mine = [c for c in hand if c // 13 == suit]
    if not mine:
        return max(hand, key=lambda c: GIFT_WITH_JACK[c] if jack else GIFT[c])
    above = [c for c in mine if c > led]
    if jack and suit == JD // 13 and above and (led == JD or JD in above):
        return JD if JD in above else min(above)
    below = [c for c in mine if c < led and (c != JD or not jack)]
    if below:
        return QS if QS in below else max(below)
    if QS in above and len(above) > 1:
        above.remove(QS)
    return max(above) if above else mine[0]


def lead(hand: Sequence[int], theirs: Sequence[int], jack: int, rng: Random) -> int:
    """Lead the lowest card of the suit in which the other hand has the fewest lower cards, seen as if it were open."""
    found, least = hand[0], 99.0
    for suit in range(4):
        mine = [c for c in hand if c // 13 == suit]
        if not mine:
            continue
        low = min(mine)
        if (low == QS or (low == JD and jack)) and len(hand) > len(mine):
            continue
        others = [c for c in theirs if c // 13 == suit]
        lower = sum(c < low for c in others)
        risk = (lower + 0.5) / (len(others) + 0.5) + 0.6 * rng.random()
        if risk < least:
            found, least = low, risk
    return found


GIFT: Final = [
    40 if c == QS else 20 + c % 13 if SUIT_OF[c] == HEARTS else 18 + c % 13 if c in COVERS else c % 13 for c in PACK
]
"""The preference of a seat for cards to throw on a trick of the other."""
GIFT_WITH_JACK: Final = [-20 if c == JD else gift for c, gift in enumerate(GIFT)]


def hand_value(rules: Rules, taken: Sequence[Sequence[Card]], seat: Seat) -> float:
    """Value the end of a hand for a seat: the points of the other less its own."""
    took = tuple(count_taken(rules, tuple(cards)) for cards in taken)
    points = points_of(rules, took, shot(rules, took), ())
    return points[1 - seat] - points[seat]


def best_card(s: State, seat: Seat, first: Card, rng: Random, budget: SearchBudget) -> Card:
    """Return the card that does best; `first` is the steady player's."""
    options = [first, *(c for c in following(s, s.hands[seat]) if c not in (first, BACK))]
    known = Knowledge(s, seat)

    def play_on(world: World, option: Card, rng: Random) -> float:
        return hand_value(s.rules, play_out(s, world, option, rng), seat)

    left = max(1, s.rules.tricks - len(s.tricks))
    return best_option(options, known.world, play_on, budget, SearchPace(RATE * 13 / left, PACE.world, PACE.doubt), rng)
