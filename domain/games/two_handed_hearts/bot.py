"""Plays Two-Handed Hearts: a bot gets the knowledge of its seat, and returns a move.

The steady player discards the most expensive cards while it draws, and throws them on its opponent's tricks in play. It
takes the jack, breaks up a moon, and leads cards that its opponent can hardly duck. It never revokes on purpose; a
revoke that can be proved is claimed. The strong player plays each card on to the end of the hand in many worlds: before
play, every seat discards half of its cards, and seldom keeps hearts and the queen of spades.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Final

from domain.core.bot_levels import player
from domain.core.cards import (
    BACK,
    HEARTS,
    OF_SUIT,
    PACK,
    RANK_OF,
    SUIT_OF,
    Card,
    Cards,
    Seat,
    card,
    drop_cards,
    keep_cards,
)
from domain.core.monte_carlo import HiddenCards, SearchBudget, SearchPace, best_option
from domain.core.tricks import Trick
from domain.core.values import value
from domain.games.two_handed_hearts.beginner import easy
from domain.games.two_handed_hearts.events import ClaimRevoke, KeepCard, Move, PassClaim, PlayCard, RejectCard
from domain.games.two_handed_hearts.options import JD, QS, SEATS, Rules, count_taken, hearts_in, points_of, shot, winner
from domain.games.two_handed_hearts.rules import State, claims, default, following, taken_by

COVERS = frozenset((card("KS"), card("AS")))  # catch the queen of spades
CATCHERS = frozenset(map(card, ("JD", "QD", "KD", "AD")))  # of the jack, itself among them
COSTS = {c: (c in OF_SUIT[HEARTS], c == QS, c == JD) for c in PACK}  # cards of one kind cost the same in a trick


def at_random(s: State, seat: Seat, rng: Random) -> Move:
    """Keep or play any card that follows suit."""
    match s.phase:
        case "drawing":
            return rng.choice((RejectCard(), KeepCard(rng.choice(s.hands[seat]))))
        case "playing":
            return PlayCard(rng.choice(following(s, s.hands[seat])))
        case _:
            return default(s, seat)


def steady(s: State, seat: Seat, rng: Random) -> Move:
    """Return the move of a sound player."""
    if claim := provable(s, seat):
        return claim
    match s.phase:
        case "drawing":
            return keep_or_swap(s, seat)
        case "playing":
            return PlayCard(min(following(s, s.hands[seat]), key=Outlook(s, seat).cost))
        case _:
            return PassClaim()


def strong(s: State, seat: Seat, rng: Random, budget: SearchBudget) -> Move:
    """Play the card with the best result in many worlds; draw and claim soundly."""
    move = steady(s, seat, rng)
    return PlayCard(best_card(s, seat, move.card, rng, budget)) if isinstance(move, PlayCard) else move


choose = player(steady, at_random, strong, easy)


# --- Drawing --------------------------------------------------------------------------------------


def keep_or_swap(s: State, seat: Seat) -> Move:
    """Keep the drawn card if there is a worse one to discard."""
    hand, new = s.hands[seat], s.drawn
    if new is None or new == BACK:
        return RejectCard()
    worst = max(hand, key=lambda c: unwelcome(s, hand, c))
    return KeepCard(worst) if unwelcome(s, hand, worst) > unwelcome(s, hand, new) else RejectCard()


def unwelcome(s: State, hand: Cards, c: Card) -> float:
    """Estimate the gain of discarding the card: expensive cards are best out of play, high ones take the jack."""
    if s.rules.jack and c in CATCHERS:
        return -6.0 if c == JD else -5.0
    cover = 4.0 if c in COVERS and QS not in hand else 0.0
    return 12.0 * (c == QS) + 8.0 * hearts_in((c,)) + cover - 0.2 * RANK_OF[c]


# --- Play -----------------------------------------------------------------------------------------


class Outlook:
    """Infers from the tricks so far which cards a seat has not seen, and which seat may be shooting the moon."""

    def __init__(self, s: State, seat: Seat) -> None:
        self.s, self.seat, self.hand = s, seat, s.hands[seat]
        self.unseen = unseen_by(s, seat)
        # The opponent holds this share of the unseen cards.
        self.share = len(s.hands[1 - seat]) / max(1, len(self.unseen))
        self.shooter = shooter(s)

    def price(self, cards: Cards, taker: Seat) -> float:
        """Estimate the cost to this seat if `taker` takes the cards; a cost to the other seat is a gain."""
        points = hearts_in(cards) + 13 * (QS in cards)
        jack = self.s.rules.jack * (JD in cards)
        if points and self.shooter is not None:
            points = -3 if self.shooter == taker else -10 + points // 2
        cost: int = points + jack
        return cost if taker == self.seat else -cost

    def cost(self, c: Card) -> float:
        """Estimate the cost of playing the card and no longer holding it."""
        trick = self.second(c) if self.s.trick else self.leading(c)
        return trick - 0.4 * self.burden(c)

    def burden(self, c: Card) -> float:
        """Estimate the cost of keeping the card."""
        if c in (JD, QS):
            return 6.0 if c == QS else self.s.rules.jack * 0.6
        cover = 4.0 if c in COVERS and QS not in self.hand else 0.0
        return 0.3 * RANK_OF[c] + 0.5 * hearts_in((c,)) + cover

    def second(self, c: Card) -> float:
        """Weigh a card played second: the winner of the trick is known."""
        cards = (*self.s.trick, c)
        taker = winner(self.s.leader, cards)
        return self.price(cards, taker) + 0.3 * (taker == self.seat)

    def leading(self, c: Card) -> float:
        """Weigh a lead by the answers there may be: a higher card, a lower one, or a gift."""
        suit = keep_cards(self.unseen, OF_SUIT[SUIT_OF[c]])
        lower, higher = tuple(u for u in suit if u < c), tuple(u for u in suit if u > c)
        void, beaten = self.none_of(suit), self.none_of(lower) * (1 - self.none_of(higher))
        ducked = max((self.price((c, u), self.seat) for u in card_per_price(lower)), default=0.0)
        gifts = card_per_price(drop_cards(self.unseen, suit))
        gift = max((self.price((c, u), self.seat) for u in gifts), default=0.0)
        own = self.price((c,), self.seat)
        taken = void * (own + self.share * (gift - own))
        taken += max(0.0, 1 - void - beaten) * (own + self.share * (ducked - own))
        return taken + beaten * self.price((c,), 1 - self.seat) + 4.0 * (c in COVERS and QS in suit)

    def none_of(self, cards: Cards) -> float:
        """Estimate how likely the opponent has none of these unseen cards."""
        return float((1 - min(1.0, self.share)) ** len(cards))


def unseen_by(s: State, seat: Seat) -> Cards:
    """Return the cards that the seat has not seen in this hand."""
    seen = {*s.hands[seat], *s.waste[seat], *s.trick, *(c for t in s.tricks for c in t.cards)}
    return tuple(c for c in PACK if c not in seen)


def card_per_price(cards: Cards) -> Iterable[Card]:
    """Return one of the cards for each price that they may have in a trick."""
    return {COSTS[c]: c for c in cards}.values()


def shooter(s: State) -> Seat | None:
    """Return the seat that may be shooting the moon: it has taken all penalty cards so far, and enough of them."""
    took = [count_taken(s.rules, taken_by(s, seat)) for seat in SEATS]
    weight = [t.hearts + 4 * t.queen for t in took]
    return next((seat for seat in SEATS if weight[seat] >= 4 and not weight[1 - seat]), None)


# --- Claims ---------------------------------------------------------------------------------------


def provable(s: State, seat: Seat) -> ClaimRevoke | None:
    """Claim the first revoke of the opponent that its later cards prove."""
    open_to = claims(s, seat)
    if not open_to:
        return None
    other = 1 - seat
    tricks = (i for i, trick in enumerate(s.tricks) if trick.leader == seat and proves_revoke(s, other, i, trick))
    return next((ClaimRevoke(i + 1, other) for i in tricks), None)


def proves_revoke(s: State, other: Seat, i: int, trick: Trick) -> bool:
    """Return whether a seat that did not follow suit has since shown more cards of the suit than it has drawn."""
    suit = OF_SUIT[SUIT_OF[trick.cards[0]]]
    if trick.cards[1] in suit:
        return False
    since = [t.cards[other != t.leader] for t in s.tricks[i + 1 :]] + [*s.trick[other != s.leader :][:1]]
    return len(keep_cards(tuple(since), suit)) > len(s.draws[other][i:])


# --- Playing cards on in many worlds --------------------------------------------------------------

RATE: Final = 9.0
"""The measured number of playouts of thirteen tricks in a millisecond."""
PACE: Final = SearchPace(RATE, 1.0, doubt=0.3)
KEPT: Final = [0.3 if SUIT_OF[c] == HEARTS else 0.25 if c == QS else 0.6 if c in COVERS else 1.0 for c in PACK]
"""How likely a seat that discarded cards has kept each card, in comparison with others."""


@value
class World:
    hands: tuple[list[Card], list[Card]]
    stock: list[Card]
    """The cards that are drawn after tricks, the next one last."""


class Knowledge:
    """Collects from the events of a hand the possible places of the cards that a seat does not see."""

    def __init__(self, s: State, seat: Seat) -> None:
        self.s, self.seat, self.other = s, seat, 1 - seat
        self.unseen = unseen_by(s, seat)
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
    """Play the hand on, and return the cards that each seat has taken; `first` is the next card, if it is given."""
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
    """Answer a lead: duck with the highest possible card, take the jack, and discard the most expensive cards."""
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
"""The preference of a seat for cards to throw on the other seat's trick."""
GIFT_WITH_JACK: Final = [-20 if c == JD else gift for c, gift in enumerate(GIFT)]


def hand_value(rules: Rules, taken: Sequence[Sequence[Card]], seat: Seat) -> float:
    """Value the end of a hand for a seat: the points of the other less its own."""
    took = tuple(count_taken(rules, tuple(cards)) for cards in taken)
    points = points_of(rules, took, shot(rules, took), ())
    return points[1 - seat] - points[seat]


def best_card(s: State, seat: Seat, first: Card, rng: Random, budget: SearchBudget) -> Card:
    """Return the card with the best result; `first` is the steady player's."""
    options = [first, *(c for c in following(s, s.hands[seat]) if c not in (first, BACK))]
    known = Knowledge(s, seat)

    def play_on(world: World, option: Card, rng: Random) -> float:
        return hand_value(s.rules, play_out(s, world, option, rng), seat)

    left = max(1, s.rules.tricks - len(s.tricks))
    return best_option(options, known.world, play_on, budget, SearchPace(RATE * 13 / left, PACE.world, PACE.doubt), rng)
