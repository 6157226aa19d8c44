"""Searches the moves of Hearts: which card, pass or return does best in many worlds that fit what a seat was shown.

Worlds are drawn by the cards that the seat passed, by the voids of the others, and by the cards that each of them
would rather have played.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations
from random import Random
from typing import Final

from domain.core.cards import PACK, Card, Cards, Seat
from domain.core.monte_carlo import HiddenCards, SearchBudget, SearchPace, best_option
from domain.core.values import value
from domain.games.hearts.kernel import (
    COVERS,
    HEART_CARDS,
    JACK,
    NO_SHOOTER,
    QUEEN,
    SUIT_MASK,
    SUITS,
    Kernel,
    Position,
    cards_in,
    compile_kernel,
    hand_points,
    mask,
    play_out,
    points_of,
    position,
)
from domain.games.hearts.options import ALL_HEARTS, C2, QS, STEPS, TRICKS, TWOS, from_left_of
from domain.games.hearts.play import phase, playable
from domain.games.hearts.table import State

# --- Worlds ---------------------------------------------------------------------------------------


UNLIKELY: Final = 0.06
"""The weight of a card that a seat would have thrown off."""
DOUBTFUL: Final = 0.35
"""The weight of a card that a seat would rather have played."""


class Knowledge:
    """Collects from the events of a hand where the cards may be that a seat does not see, and how likely."""

    def __init__(self, k: Kernel, s: State, seat: Seat) -> None:
        self.k, self.seat = k, seat
        self.mine = mask(s.hands[seat])
        played = mask(c for trick in s.tricks for c in trick.cards) | mask(s.trick)
        self.outside = mask(PACK) & ~played & ~self.mine
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
        """Note that the seat has the card, unless it was played."""
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
        """Note what the first lead says, by the rule that chose its seat."""
        if n or not trick:
            return
        match s.rules.leading.slug:
            case "lead-left-lowest" if seat != self.seat and trick[0] not in ALL_HEARTS:
                lower = sum(SUITS[i] & ~(SUITS[i] << trick[0] % 13) for i in (0, 1, 3))
                self.scale(seat, lower, 0.0)
            case "lead-nearest-two":
                for i in from_left_of(s.dealer):
                    if i == seat:
                        break
                    self.scale(i, mask(TWOS), 0.0)
            case _:
                pass

    def note_card(self, seat: Seat, trick: Cards, c: Card, n: int) -> None:
        """Note what a seat shows that follows or does not follow to a trick."""
        if seat == self.seat:
            return
        k, bit, suit = self.k, 1 << c, SUIT_MASK[trick[0]]
        best = 1 << max(t for t in trick if SUIT_MASK[t] == suit)
        if not bit & suit:
            self.scale(seat, suit, 0.0)
            if not n:
                if bit & k.harmful:
                    self.scale(seat, mask(PACK) & ~k.harmful, 0.0)
                return
            if k.queen and bit != QUEEN:
                self.scale(seat, QUEEN, UNLIKELY)
            if not bit & (HEART_CARDS | QUEEN | COVERS):
                self.scale(seat, HEART_CARDS, 0.5)
            return
        if k.queen and bit != QUEEN and suit & QUEEN and best > QUEEN and n:
            self.scale(seat, QUEEN, UNLIKELY)
        last = len(trick) == 3
        harm = mask(trick) & k.harmful
        if bit < best and not (last and not harm):
            self.scale(seat, suit & (best - 1) & ~((bit << 1) - 1) & ~JACK, DOUBTFUL)
        elif last and not harm:
            self.scale(seat, suit & ~((bit << 1) - 1) & ~QUEEN & ~JACK, DOUBTFUL)
        elif bit > best and (harm or not last):
            self.scale(seat, suit & (best - 1) & ~QUEEN & ~JACK, DOUBTFUL)

    @cached_property
    def likely(self) -> HiddenCards[Card]:
        """Return the cards outside, as they probably are."""
        return HiddenCards(cards_in(self.outside), self.room, self.weights.__getitem__)

    def world(self, rng: Random) -> list[int] | None:
        """Draw the hands of all seats; None if none that fits is found."""
        dealt = self.likely.deal(rng)
        if dealt is None:
            # Unlikely cards were in the way.
            dealt = HiddenCards(cards_in(self.outside), self.room, self.weights_of_sight).deal(rng, 200)
        if dealt is None:
            return None
        hands = [mask(held) for held in dealt]
        hands[self.seat] = self.mine
        return hands

    def weights_of_sight(self, c: Card) -> list[float]:
        """Return 1 for each seat that may have the card at all."""
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
"""The worth of an average point of the others, in points of the seat."""
RATE: Final = 22.0
"""So many playouts of a whole hand are made in a millisecond."""
DRAWING: Final = 2.0
"""Drawing a world takes as long as so many playouts."""


def value_of(k: Kernel, taken: list[int], seat: Seat) -> float:
    """Value the end of a hand for a seat."""
    points = hand_points(k, taken)
    return ENVY * (sum(points) - points[seat]) / 3 - points[seat]


def best_card(s: State, seat: Seat, first: Card, rng: Random, budget: SearchBudget) -> Card:
    """Return the card that does best in the worlds that may be; `first` is the rule-based choice."""
    k = compile_kernel(s.rules)
    known = Knowledge(k, s, seat)
    at = position(s)
    plans = [(c, False) for c in distinct(k, s, seat, known.outside, first)]
    if len(plans) == 1:
        return first
    if may_shoot(k, at, s.hands[seat], seat):
        plans += [(c, True) for c, _ in plans]

    def draw(rng: Random) -> World | None:
        hands = known.world(rng)
        return World(hands, feared_shooter(k, at, seat, rng)) if hands else None

    def play_on(world: World, plan: Plan, rng: Random) -> float:
        return value_of(k, play_out(k, at, world.hands, plan[0], seat if plan[1] else world.shooter, rng), seat)

    pace = SearchPace(RATE * TRICKS / (TRICKS - at.tricks), DRAWING)
    return best_option(plans, draw, play_on, budget, pace, rng)[0]


def distinct(k: Kernel, s: State, seat: Seat, outside: int, first: Card) -> list[Card]:
    """Return the legal cards without those that are as good as another; the rule-based choice comes first."""
    cards = playable(s, s.hands[seat])
    kept = [first]
    for c in cards:
        if c != first and not any(alike(k, c, other, outside) for other in kept):
            kept.append(c)
    return kept


def alike(k: Kernel, c: Card, other: Card, outside: int) -> bool:
    """Return whether two cards of a hand are neighbours and cost the same."""
    low, high = min(c, other), max(c, other)
    between = (1 << high) - (1 << low) & ~(1 << low)
    same = SUIT_MASK[low] == SUIT_MASK[high] and not outside & between
    return same and points_of(k, 1 << c | 0x1F << 26) == points_of(k, 1 << other | 0x1F << 26)


def may_shoot(k: Kernel, at: Position, hand: Cards, seat: Seat) -> bool:
    """Return whether a seat may think of the moon: no other seat has taken harm, and its cards are high."""
    if any(t & k.harmful for i, t in enumerate(at.taken) if i != seat):
        return False
    return 10 * sum(c % 13 >= 9 for c in hand) >= 4 * len(hand)


def feared_shooter(k: Kernel, at: Position, seat: Seat, rng: Random) -> Seat:
    """Draw who else may be shooting the moon: the seat that has all the harm so far, the likelier the more it is."""
    harm = [(t & k.harmful).bit_count() + 3 * bool(t & k.harmful & QUEEN) for t in at.taken]
    total = sum(harm)
    if not total:
        return rng.choice([i for i in range(4) if i != seat]) if rng.random() < 0.06 else NO_SHOOTER
    most = max(range(4), key=harm.__getitem__)
    if most == seat or harm[most] < total:
        return NO_SHOOTER
    return most if rng.random() < min(0.9, 0.1 + 0.12 * total) else NO_SHOOTER


# --- Choosing cards to pass -----------------------------------------------------------------------

MOST_PASSED: Final = 7
"""So many cards of a hand are candidates for a pass."""

DANGER: Final = tuple(c % 13 + 20 * (c == QS) + 6 * (c > QS) for c in PACK)
"""How gladly a seat gives a card back."""


def best_pass(s: State, seat: Seat, ranked: Sequence[Card], rng: Random, budget: SearchBudget) -> Cards:
    """Return the cards whose pass does best; `ranked` is the hand, what is best passed on first."""
    k, count = compile_kernel(s.rules), s.rules.passing.count
    options = list(combinations(ranked[:MOST_PASSED], count))
    others = [c for c in PACK if c not in s.hands[seat]]

    def draw(rng: Random) -> tuple[list[Cards], list[int]]:
        rng.shuffle(others)
        hands = [tuple(others[13 * i : 13 * i + 13]) for i in range(3)]
        return [*hands[:seat], s.hands[seat], *hands[seat:]], rng.sample(range(4 * count), 4 * count)

    def play_on(world: tuple[list[Cards], list[int]], option: Cards, rng: Random) -> float:
        hands, order = world
        passed = [option if i == seat else most_dangerous(hands[i], count) for i in range(4)]
        held = after_exchange(s, [mask(hand) for hand in hands], passed, order)
        return value_of(k, play_out(k, before_play(s, held), held, None, NO_SHOOTER, rng), seat)

    return best_option(options, draw, play_on, budget, SearchPace(RATE, 10 * DRAWING), rng)


def most_dangerous(hand: Cards, count: int) -> Cards:
    """Return the cards that most would pass on."""
    return tuple(sorted(hand, key=DANGER.__getitem__)[-count:])


def after_exchange(s: State, hands: list[int], passed: Sequence[Cards], order: Sequence[int]) -> list[int]:
    """Return the hands after these passes."""
    count = s.rules.passing.count
    given = [mask(cards) for cards in passed]
    if s.direction == "dealer":
        pool = [c for cards in passed for c in cards]
        got = [mask(pool[i] for i in order[count * seat : count * seat + count]) for seat in range(4)]
    else:
        got = [given[(seat - STEPS[s.direction]) % 4] for seat in range(4)]
    hands = [hand & ~given[i] | got[i] for i, hand in enumerate(hands)]
    if s.rules.passing.then == "returning":
        step = STEPS[s.direction]
        back = [1 << max(passed[(i - step) % 4], key=DANGER.__getitem__) for i in range(4)]
        hands = [hand & ~back[i] | back[(i + step) % 4] for i, hand in enumerate(hands)]
    return hands


def before_play(s: State, hands: Sequence[int]) -> Position:
    """Return the moment before the first trick."""
    return Position(first_leader(s, hands), (), [0] * 4, 0, is_open=False, led=[0] * 4)


def first_leader(s: State, hands: Sequence[int]) -> Seat:
    """Return the seat that leads first with these hands."""
    match s.rules.leading.slug:
        case "lead-left-lowest":
            return (s.dealer + 1) % 4
        case "lead-nearest-two":
            twos = mask(TWOS)
            return next(i for i in from_left_of(s.dealer) if hands[i] & twos)
        case _:
            return next(i for i in range(4) if hands[i] >> C2 & 1)


def best_return(s: State, seat: Seat, first: Card, rng: Random, budget: SearchBudget) -> Card:
    """Return the received card that is best given back; `first` is the rule-based choice."""
    k, step = compile_kernel(s.rules), STEPS[s.direction]
    options = [first, *(c for c in s.exchange.received[seat] or () if c != first)]
    known = Knowledge(k, s, seat)
    known.room = [0 if i == seat else 13 for i in range(4)]

    def draw(rng: Random) -> tuple[list[int], list[int]] | None:
        hands = known.world(rng)
        if hands is None:
            return None
        back = [1 << max(rng.sample(cards_in(hand), 4), key=DANGER.__getitem__) for hand in hands]
        back[(seat + step) % 4] = 1 << max(s.exchange.passed[seat] or (), key=DANGER.__getitem__)
        return hands, back

    def play_on(world: tuple[list[int], list[int]], option: Card, rng: Random) -> float:
        hands, back = world
        gone = [1 << option if i == seat else back[i] for i in range(4)]
        hands = [hand & ~gone[i] | gone[(i + step) % 4] for i, hand in enumerate(hands)]
        return value_of(k, play_out(k, before_play(s, hands), hands, None, NO_SHOOTER, rng), seat)

    return best_option(options, draw, play_on, budget, SearchPace(RATE, DRAWING), rng)
