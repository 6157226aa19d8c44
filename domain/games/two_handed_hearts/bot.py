"""Plays Two-Handed Hearts: a bot gets what its seat knows, and gives a move.

The steady player lays away what costs most while it draws, gives it to its opponent's tricks in play, takes
the jack, breaks up a moon, and leads what its opponent can hardly duck. It never revokes on purpose; a revoke
that can be proved is claimed.
"""

from collections.abc import Iterable
from random import Random

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
from domain.core.monte_carlo import SearchBudget
from domain.core.tricks import Trick
from domain.games.two_handed_hearts.events import ClaimRevoke, KeepCard, Move, PassClaim, PlayCard, RejectCard
from domain.games.two_handed_hearts.options import JD, QS, SEATS, count_taken, hearts_in, winner
from domain.games.two_handed_hearts.play import claims, default, following, taken_by
from domain.games.two_handed_hearts.search import best_card
from domain.games.two_handed_hearts.table import State

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
    """Play soundly."""
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
    """Play the card that does best in many worlds; draw and claim soundly."""
    move = steady(s, seat, rng)
    return PlayCard(best_card(s, seat, move.card, rng, budget)) if isinstance(move, PlayCard) else move


choose = player(steady, at_random, strong)


# --- Drawing --------------------------------------------------------------------------------------


def keep_or_swap(s: State, seat: Seat) -> Move:
    """Keep the drawn card if there is a worse one to lay away."""
    hand, new = s.hands[seat], s.drawn
    if new is None or new == BACK:
        return RejectCard()
    worst = max(hand, key=lambda c: unwelcome(s, hand, c))
    return KeepCard(worst) if unwelcome(s, hand, worst) > unwelcome(s, hand, new) else RejectCard()


def unwelcome(s: State, hand: Cards, c: Card) -> float:
    """Say how glad a hand is to lay the card away: what costs is best out of play, high cards take the jack."""
    if s.rules.jack and c in CATCHERS:
        return -6.0 if c == JD else -5.0
    cover = 4.0 if c in COVERS and QS not in hand else 0.0
    return 12.0 * (c == QS) + 8.0 * hearts_in((c,)) + cover - 0.2 * RANK_OF[c]


# --- Play -----------------------------------------------------------------------------------------


class Outlook:
    """Concludes from the tricks so far which cards a seat has not seen, and who may be shooting the moon."""

    def __init__(self, s: State, seat: Seat) -> None:
        self.s, self.seat, self.hand = s, seat, s.hands[seat]
        seen = {*self.hand, *s.waste[seat], *s.trick, *(c for t in s.tricks for c in t.cards)}
        self.unseen = tuple(c for c in PACK if c not in seen)
        # The opponent holds this share of them.
        self.share = len(s.hands[1 - seat]) / max(1, len(self.unseen))
        self.shooter = shooter(s)

    def price(self, cards: Cards, taker: Seat) -> float:
        """Estimate what it costs this seat that `taker` takes the cards; what one is spared the other pays."""
        points = hearts_in(cards) + 13 * (QS in cards)
        jack = self.s.rules.jack * (JD in cards)
        if points and self.shooter is not None:
            points = -3 if self.shooter == taker else -10 + points // 2
        cost: int = points + jack
        return cost if taker == self.seat else -cost

    def cost(self, c: Card) -> float:
        """Estimate what it costs to play the card, and to have it no more."""
        trick = self.second(c) if self.s.trick else self.leading(c)
        return trick - 0.4 * self.burden(c)

    def burden(self, c: Card) -> float:
        """Estimate what it would cost to keep the card."""
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


def card_per_price(cards: Cards) -> Iterable[Card]:
    """Return one of the cards for each price that they may have in a trick."""
    return {COSTS[c]: c for c in cards}.values()


def shooter(s: State) -> Seat | None:
    """Return the seat that may be shooting the moon: it has taken all that was taken, and enough of it."""
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
    """Return whether a seat that did not follow suit has shown more cards of it since than it has drawn since."""
    suit = OF_SUIT[SUIT_OF[trick.cards[0]]]
    if trick.cards[1] in suit:
        return False
    since = [t.cards[other != t.leader] for t in s.tricks[i + 1 :]] + [*s.trick[other != s.leader :][:1]]
    return len(keep_cards(tuple(since), suit)) > len(s.draws[other][i:])
