"""Plays Hearts: a bot gets the knowledge of its seat, and returns a move.

The steady player weighs every legal card: the cost of the trick, how likely the card takes it, and the trouble of
keeping the card. All of it follows from the compiled rules, so one player serves all variants. The strong player
searches for the card, pass or return with the best result in many worlds. Worlds fit the knowledge of its seat: the
cards that it passed, the voids of the others, and the cards that they would rather have played.
"""

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import combinations
from random import Random
from typing import Final

from domain.core.bot_levels import any_of, player
from domain.core.cards import DIAMONDS, OF_SUIT, PACK, RANK_OF, SPADES, SUIT_OF, Card, Cards, Seat, card, keep_cards
from domain.core.monte_carlo import HiddenCards, SearchBudget, SearchPace, best_option
from domain.core.values import value
from domain.games.hearts import kernel
from domain.games.hearts.beginner import easy
from domain.games.hearts.events import Move, PassCards, PlayCard, ReturnCard
from domain.games.hearts.options import ALL_HEARTS, C2, JD, QS, SEATS, STEPS, TRICKS, TWOS, Scoring, from_left_of
from domain.games.hearts.rules import State, legal, phase, playable, taken_by

QUEEN_CATCHERS = frozenset((card("KS"), card("AS")))
JACK_CATCHERS = frozenset((card("QD"), card("KD"), card("AD")))


def steady(s: State, seat: Seat, rng: Random) -> Move:
    """Play soundly: pass dangerous cards, stay low, discard the most expensive cards, break up a moon."""
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
    """Pass, give back and play the cards with the best results in many worlds."""
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


choose = player(steady, any_of(legal), strong, easy)


@cache
def costs(scoring: Scoring) -> tuple[int, ...]:
    """Return the cost of each card for a seat with all the others, such as 2 for a heart beyond the free ones."""
    everything = scoring.points(PACK)
    return tuple(everything - scoring.points(PACK[:c] + PACK[c + 1 :]) for c in PACK)


def nuisance(s: State, hand: Cards, c: Card) -> float:
    """Estimate the points gained by passing on the card from a hand of thirteen."""
    cost, suit = costs(s.rules.scoring), keep_cards(hand, OF_SUIT[SUIT_OF[c]])
    trouble = RANK_OF[c] / 4 + max(0, 4 - len(suit)) * RANK_OF[c] / 12
    # A long suit protects the queen and the higher spades.
    if SUIT_OF[c] == SPADES and cost[QS]:
        shelter = len(suit) - len(keep_cards(hand, QUEEN_CATCHERS | {QS}))
        trouble = max(0, 4 - shelter) * 3 + 2 if c >= QS else -2
    if SUIT_OF[c] == DIAMONDS and cost[JD] and c >= JD:
        trouble -= 3
    return trouble + max(0, cost[c]) * RANK_OF[c] / 24


class Outlook:
    """Estimates a seat's prospects in the current trick, from all that it has seen."""

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
        """Return another seat that has taken all harmful cards so far, and enough of them to threaten a moon."""
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
        """Estimate the points that the later seats of the trick would add."""
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
        if c in QUEEN_CATCHERS and QS in self.unseen and self.cost[QS]:
            trouble += 5 / (1 + mates)
        if c in JACK_CATCHERS and JD in self.unseen and self.cost[JD]:
            trouble -= 2
        if c == JD and self.cost[JD]:
            trouble -= 3
        return trouble


# --- Worlds ---------------------------------------------------------------------------------------


UNLIKELY: Final = 0.06
"""The weight of a card in the hand of a seat that would have discarded it earlier."""
DOUBTFUL: Final = 0.35
"""The weight of a card in the hand of a seat that would rather have played it."""


class Knowledge:
    """Collects from the events of a hand the possible places of the cards that a seat does not see."""

    def __init__(self, k: kernel.Kernel, s: State, seat: Seat) -> None:
        self.k, self.seat = k, seat
        self.mine = kernel.mask(s.hands[seat])
        played = kernel.mask(c for trick in s.tricks for c in trick.cards) | kernel.mask(s.trick)
        self.outside = kernel.mask(PACK) & ~played & ~self.mine
        self.weights = [[float(i != seat) for i in range(4)] for _ in PACK]
        self.room = [0 if i == seat else len(hand) for i, hand in enumerate(s.hands)]
        for i, c in sure_cards(s, seat):
            self.hold(i, c)
        for n, trick in enumerate((*(t.cards for t in s.tricks), s.trick)):
            first = s.tricks[n].leader if n < len(s.tricks) else s.leader
            self.note_lead(s, first, trick, n)
            for i in range(1, len(trick)):
                self.note_card((first + i) % 4, trick[:i], trick[i], n)

    def hold(self, seat: Seat, c: Card) -> None:
        """Record that the seat has the card, unless it was played."""
        self.weights[c] = [float(i == seat) for i in range(4)]

    def scale(self, seat: Seat, cards: int, factor: float) -> None:
        """Make these cards less likely for a seat."""
        cards &= self.outside
        while cards:
            low = cards & -cards
            row = self.weights[low.bit_length() - 1]
            if sum(map(bool, row)) > 1:
                row[seat] *= factor
            cards ^= low

    def note_lead(self, s: State, seat: Seat, trick: Cards, n: int) -> None:
        """Record the inference from the first lead, by the rule that chose its seat."""
        if n or not trick:
            return
        match s.rules.leading.slug:
            case "lead-left-lowest" if seat != self.seat and trick[0] not in ALL_HEARTS:
                lower = sum(kernel.SUITS[i] & ~(kernel.SUITS[i] << trick[0] % 13) for i in (0, 1, 3))
                self.scale(seat, lower, 0.0)
            case "lead-nearest-two":
                for i in from_left_of(s.dealer):
                    if i == seat:
                        break
                    self.scale(i, kernel.mask(TWOS), 0.0)
            case _:
                pass

    def note_card(self, seat: Seat, trick: Cards, c: Card, n: int) -> None:
        """Record what a seat reveals by following suit or not."""
        if seat == self.seat:
            return
        k, bit, suit = self.k, 1 << c, kernel.SUIT_MASK[trick[0]]
        best = 1 << max(t for t in trick if kernel.SUIT_MASK[t] == suit)
        if not bit & suit:
            self.scale(seat, suit, 0.0)
            if not n:
                if bit & k.harmful:
                    self.scale(seat, kernel.mask(PACK) & ~k.harmful, 0.0)
                return
            if k.queen and bit != kernel.QUEEN:
                self.scale(seat, kernel.QUEEN, UNLIKELY)
            if not bit & (kernel.HEART_CARDS | kernel.QUEEN | kernel.COVERS):
                self.scale(seat, kernel.HEART_CARDS, 0.5)
            return
        if k.queen and bit != kernel.QUEEN and suit & kernel.QUEEN and best > kernel.QUEEN and n:
            self.scale(seat, kernel.QUEEN, UNLIKELY)
        last = len(trick) == 3
        harm = kernel.mask(trick) & k.harmful
        if bit < best and not (last and not harm):
            self.scale(seat, suit & (best - 1) & ~((bit << 1) - 1) & ~kernel.JACK, DOUBTFUL)
        elif last and not harm:
            self.scale(seat, suit & ~((bit << 1) - 1) & ~kernel.QUEEN & ~kernel.JACK, DOUBTFUL)
        elif bit > best and (harm or not last):
            self.scale(seat, suit & (best - 1) & ~kernel.QUEEN & ~kernel.JACK, DOUBTFUL)

    @cached_property
    def likely(self) -> HiddenCards[Card]:
        """Return the unseen cards with their likely places."""
        return HiddenCards(kernel.cards_in(self.outside), self.room, self.weights.__getitem__)

    def world(self, rng: Random) -> list[int] | None:
        """Draw the hands of all seats; None if none that fits is found."""
        dealt = self.likely.deal(rng)
        if dealt is None:
            # Unlikely cards made a deal impossible.
            dealt = HiddenCards(kernel.cards_in(self.outside), self.room, self.weights_of_sight).deal(rng, 200)
        if dealt is None:
            return None
        hands = [kernel.mask(held) for held in dealt]
        hands[self.seat] = self.mine
        return hands

    def weights_of_sight(self, c: Card) -> list[float]:
        """Return 1 for each seat that may have the card."""
        return [float(weight > 0) for weight in self.weights[c]]


def sure_cards(s: State, seat: Seat) -> Iterator[tuple[Seat, Card]]:
    """Return the cards that the seat knows to be with others: those it passed or gave back, and the two shown."""
    step = STEPS.get(s.direction)
    if step is not None and phase(s) != "passing":
        back = s.exchange.regained[seat]
        yield from (((seat + step) % 4, c) for c in s.exchange.passed[seat] or () if c != back)
        if phase(s) != "returning" and (given := s.exchange.returned[seat]) is not None:
            yield (seat - step) % 4, given
    if s.shown is not None and s.shown != seat:
        yield s.shown, C2


# --- Choosing a card ------------------------------------------------------------------------------


@value
class World:
    hands: list[int]
    shooter: Seat


Plan = tuple[Card, bool]
"""A card, and whether to go for the moon from here."""

ENVY: Final = 0.15
"""The value of an average point of the others, in points of the seat."""
RATE: Final = 22.0
"""The number of playouts of a whole hand in a millisecond."""
DRAWING: Final = 2.0
"""The number of playouts that take as long as drawing a world."""


def value_of(k: kernel.Kernel, taken: list[int], seat: Seat) -> float:
    """Value the end of a hand for a seat."""
    points = kernel.hand_points(k, taken)
    return ENVY * (sum(points) - points[seat]) / 3 - points[seat]


def best_card(s: State, seat: Seat, first: Card, rng: Random, budget: SearchBudget) -> Card:
    """Return the card with the best result in possible worlds; `first` is the rule-based choice."""
    k = kernel.compile_kernel(s.rules)
    known = Knowledge(k, s, seat)
    at = kernel.position(s)
    plans = [(c, False) for c in distinct(k, s, seat, known.outside, first)]
    if len(plans) == 1:
        return first
    if may_shoot(k, at, s.hands[seat], seat):
        plans += [(c, True) for c, _ in plans]

    def draw(rng: Random) -> World | None:
        hands = known.world(rng)
        return World(hands, feared_shooter(k, at, seat, rng)) if hands else None

    def play_on(world: World, plan: Plan, rng: Random) -> float:
        return value_of(k, kernel.play_out(k, at, world.hands, plan[0], seat if plan[1] else world.shooter, rng), seat)

    pace = SearchPace(RATE * TRICKS / (TRICKS - at.tricks), DRAWING)
    return best_option(plans, draw, play_on, budget, pace, rng)[0]


def distinct(k: kernel.Kernel, s: State, seat: Seat, outside: int, first: Card) -> list[Card]:
    """Return the legal cards without those that are as good as another; the rule-based choice comes first."""
    cards = playable(s, s.hands[seat])
    kept = [first]
    for c in cards:
        if c != first and not any(alike(k, c, other, outside) for other in kept):
            kept.append(c)
    return kept


def alike(k: kernel.Kernel, c: Card, other: Card, outside: int) -> bool:
    """Return whether two cards of a hand are neighbours and cost the same."""
    low, high = min(c, other), max(c, other)
    between = (1 << high) - (1 << low) & ~(1 << low)
    same = kernel.SUIT_MASK[low] == kernel.SUIT_MASK[high] and not outside & between
    return same and kernel.points_of(k, 1 << c | 0x1F << 26) == kernel.points_of(k, 1 << other | 0x1F << 26)


def may_shoot(k: kernel.Kernel, at: kernel.Position, hand: Cards, seat: Seat) -> bool:
    """Return whether a seat may try for the moon: no other seat has taken harmful cards, and its cards are high."""
    if any(t & k.harmful for i, t in enumerate(at.taken) if i != seat):
        return False
    return 10 * sum(c % 13 >= 9 for c in hand) >= 4 * len(hand)


def feared_shooter(k: kernel.Kernel, at: kernel.Position, seat: Seat, rng: Random) -> Seat:
    """Draw which other seat may be shooting the moon: the one with all harm so far, more likely the more it is."""
    harm = [(t & k.harmful).bit_count() + 3 * bool(t & k.harmful & kernel.QUEEN) for t in at.taken]
    total = sum(harm)
    if not total:
        return rng.choice([i for i in range(4) if i != seat]) if rng.random() < 0.06 else kernel.NO_SHOOTER
    most = max(range(4), key=harm.__getitem__)
    if most == seat or harm[most] < total:
        return kernel.NO_SHOOTER
    return most if rng.random() < min(0.9, 0.1 + 0.12 * total) else kernel.NO_SHOOTER


# --- Choosing cards to pass -----------------------------------------------------------------------

MOST_PASSED: Final = 7
"""The number of cards of a hand that are candidates for a pass."""

DANGER: Final = tuple(c % 13 + 20 * (c == QS) + 6 * (c > QS) for c in PACK)
"""The seat's preference for giving a card back."""


def best_pass(s: State, seat: Seat, ranked: Sequence[Card], rng: Random, budget: SearchBudget) -> Cards:
    """Return the cards that are best to pass; `ranked` is the hand, the best candidates first."""
    k, count = kernel.compile_kernel(s.rules), s.rules.passing.count
    options = list(combinations(ranked[:MOST_PASSED], count))
    others = [c for c in PACK if c not in s.hands[seat]]

    def draw(rng: Random) -> tuple[list[Cards], list[int]]:
        rng.shuffle(others)
        hands = [tuple(others[13 * i : 13 * i + 13]) for i in range(3)]
        return [*hands[:seat], s.hands[seat], *hands[seat:]], rng.sample(range(4 * count), 4 * count)

    def play_on(world: tuple[list[Cards], list[int]], option: Cards, rng: Random) -> float:
        hands, order = world
        passed = [option if i == seat else most_dangerous(hands[i], count) for i in range(4)]
        held = after_exchange(s, [kernel.mask(hand) for hand in hands], passed, order)
        return value_of(k, kernel.play_out(k, before_play(s, held), held, None, kernel.NO_SHOOTER, rng), seat)

    return best_option(options, draw, play_on, budget, SearchPace(RATE, 10 * DRAWING), rng)


def most_dangerous(hand: Cards, count: int) -> Cards:
    """Return the cards that most players would pass."""
    return tuple(sorted(hand, key=DANGER.__getitem__)[-count:])


def after_exchange(s: State, hands: list[int], passed: Sequence[Cards], order: Sequence[int]) -> list[int]:
    """Return the hands after these passes."""
    count = s.rules.passing.count
    given = [kernel.mask(cards) for cards in passed]
    if s.direction == "dealer":
        pool = [c for cards in passed for c in cards]
        got = [kernel.mask(pool[i] for i in order[count * seat : count * seat + count]) for seat in range(4)]
    else:
        got = [given[(seat - STEPS[s.direction]) % 4] for seat in range(4)]
    hands = [hand & ~given[i] | got[i] for i, hand in enumerate(hands)]
    if s.rules.passing.then == "returning":
        step = STEPS[s.direction]
        back = [1 << max(passed[(i - step) % 4], key=DANGER.__getitem__) for i in range(4)]
        hands = [hand & ~back[i] | back[(i + step) % 4] for i, hand in enumerate(hands)]
    return hands


def before_play(s: State, hands: Sequence[int]) -> kernel.Position:
    """Return the position before the first trick."""
    return kernel.Position(first_leader(s, hands), (), [0] * 4, 0, is_open=False, led=[0] * 4)


def first_leader(s: State, hands: Sequence[int]) -> Seat:
    """Return the seat that leads first with these hands."""
    match s.rules.leading.slug:
        case "lead-left-lowest":
            return (s.dealer + 1) % 4
        case "lead-nearest-two":
            twos = kernel.mask(TWOS)
            return next(i for i in from_left_of(s.dealer) if hands[i] & twos)
        case _:
            return next(i for i in range(4) if hands[i] >> C2 & 1)


def best_return(s: State, seat: Seat, first: Card, rng: Random, budget: SearchBudget) -> Card:
    """Return the best received card to give back; `first` is the rule-based choice."""
    k, step = kernel.compile_kernel(s.rules), STEPS[s.direction]
    options = [first, *(c for c in s.exchange.received[seat] or () if c != first)]
    known = Knowledge(k, s, seat)
    known.room = [0 if i == seat else 13 for i in range(4)]

    def draw(rng: Random) -> tuple[list[int], list[int]] | None:
        hands = known.world(rng)
        if hands is None:
            return None
        back = [1 << max(rng.sample(kernel.cards_in(hand), 4), key=DANGER.__getitem__) for hand in hands]
        back[(seat + step) % 4] = 1 << max(s.exchange.passed[seat] or (), key=DANGER.__getitem__)
        return hands, back

    def play_on(world: tuple[list[int], list[int]], option: Card, rng: Random) -> float:
        hands, back = world
        gone = [1 << option if i == seat else back[i] for i in range(4)]
        hands = [hand & ~gone[i] | gone[(i + step) % 4] for i, hand in enumerate(hands)]
        return value_of(k, kernel.play_out(k, before_play(s, hands), hands, None, kernel.NO_SHOOTER, rng), seat)

    return best_option(options, draw, play_on, budget, SearchPace(RATE, DRAWING), rng)
