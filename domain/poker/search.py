"""Chooses a poker move by playing hands on in many worlds, for the level `strong`.

A world deals the rivals hands that fit their bets: a seat that bet or raised has a good hand more often, one that
called a fair hand, and one that checked seldom a very good one. Folding, calling and bets of several sizes are then
played on in the same worlds. So the price, the position and the chance that the rivals fold all count, and a weak hand
bluffs if that pays.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import accumulate, combinations, pairwise
from math import exp, sqrt
from random import Random
from typing import Final

from domain.core.cards import NOBODY, PACK, Cards, Seat, drop_cards, remove_cards
from domain.core.choices import OneNumber
from domain.core.monte_carlo import SearchBudget, SearchPace, best_option
from domain.core.values import value
from domain.poker.betting import NOT_YET, choices, seats_in_hand
from domain.poker.betting_moves import AllIn, Call, Check, Fold, Move
from domain.poker.betting_table import State
from domain.poker.playouts import CALL, FOLD, OPENING, SHORT, BettingRound, Playout, PlayoutSpot, PokerWorld
from domain.poker.ranking import strength, strengths
from domain.poker.standings import (
    dealt_hands,
    exchange,
    share_above,
    standing_before_draw,
    starting,
)

DOUBT: Final = 1.0
"""The standard errors by which another action must be better than the rule-based one."""


def pace_of(rounds: int, rivals: int) -> SearchPace:
    """Return the measured speed with this many rounds of betting left, against this many rivals."""
    crowd = (1 + rivals) / 2
    return SearchPace(1000 / (6 + 10 * rounds) / crowd, (1 + 1.4 * rounds) / crowd, DOUBT)


SAMPLE: Final = 40
"""The number of random hands with which a hand is compared on a later board."""

SIZES: Final = (0.4, 0.67, 1.0)
"""The tried bets and raises, in pots."""

LUCK: Final = {"preflop": 0.6, "bet1": 0.4, "flop": 0.25, "turn": 0.12}
"""The weight of an even chance in the playouts, while cards are to come, by phase."""

PHASES: Final = {"preflop": ("preflop", "flop", "turn", "river"), "bet1": ("bet1", "bet2")}
FIRST: Final = ("preflop", "bet1")


def searched_move(s: State, seat: Seat, first: Move, depth: float, rng: Random, budget: SearchBudget) -> Move:
    """Return the best move; `first` is the rule-based choice, `depth` the big blinds that the seat can lose."""
    options = actions(s, seat, first)
    if len(options) == 1:
        return first
    at = spot(s, seat, depth)
    known = DrawKnowledge(s, seat) if not s.rules.blinds else BoardKnowledge(s, seat)

    def play_on(world: PokerWorld, option: tuple[Move, int], rng: Random) -> float:
        return Playout(at, world).gain(option[1])

    return best_option(options, known.world, play_on, budget, pace_of(len(at.rounds), len(known.rivals)), rng)[0]


def actions(s: State, seat: Seat, first: Move) -> list[tuple[Move, int]]:
    """Return the moves to try with their playout actions; the rule-based choice comes first."""
    r, pot = s.round, sum(s.paid) + s.dead
    everything = r.committed[seat] + r.stacks[seat]
    tried: dict[Move, int] = {}
    for choice in choices(r, seat):
        if isinstance(choice, OneNumber):
            owed = r.current - r.committed[seat]
            wanted = [r.current + int(size * (pot + owed)) for size in SIZES]
            for to in {min(choice.high, max(choice.low, to)) for to in wanted}:
                tried[choice.make(to)] = to
            if everything <= r.current + 2 * (pot + owed):
                tried[choice.make(choice.high)] = choice.high
        elif choice.make in (Call, Check):
            tried[choice.make()] = CALL
        elif choice.make is Fold and r.current > r.committed[seat]:
            tried[Fold()] = FOLD
    own = tried.pop(first, None)
    if own is None:
        own = everything if isinstance(first, AllIn) else getattr(first, "to", CALL)
    return [(first, own), *tried.items()]


def spot(s: State, seat: Seat, depth: float) -> PlayoutSpot:
    """Describe the seat's moment for playouts."""
    r = s.round
    phases = later_phases(s.phase)
    forced = [0] * s.rules.seats
    if s.phase == "preflop":
        for place, blind in ((s.at.small, s.stakes.small), (s.at.big, s.stakes.big)):
            if place is not None and place != NOBODY:
                forced[place] = min(blind, r.committed[place])
    acted = [met != NOT_YET and met >= r.current for met in r.met]
    rounds = [betting_round(s, phase) for phase in phases]
    blinds = (s.stakes.small, s.stakes.big) if s.rules.blinds else (0, 0)
    return PlayoutSpot(
        seat,
        rounds,
        s.at.button,
        r.stacks,
        r.committed,
        s.paid,
        r.live,
        acted,
        r.current,
        r.last_raise,
        r.bets,
        r.aggressor != NOBODY,
        s.dead,
        blinds,
        forced,
        sum(map(bool, s.hands)),
        depth <= SHORT,
    )


def later_phases(phase: str) -> Sequence[str]:
    """Return the current betting round and those to come."""
    row = next(row for row in PHASES.values() if phase in row)
    return row[row.index(phase) :]


def betting_round(s: State, phase: str) -> BettingRound:
    """Describe a betting round for playouts."""
    limits = s.rules.limits(phase, s.stakes)
    cap = limits.cap if limits.structure == "fixed_limit" else 0
    return BettingRound(phase in FIRST, LUCK.get(phase, 0.0), limits.unit, cap)


# --- Hands that fit the bets -------------------------------------------------------------------------------

LEAK: Final = 0.08
"""The weight of a hand that does not fit the bets of its seat."""
SOFT: Final = 0.05
"""The softness of the bounds between hands."""
SLOW: Final = 0.4
"""The weight of a very good hand of a seat that checked."""
CLOSE: Final = 6
"""A seat that has paid more big blinds than this in earlier rounds has a better hand."""


STEPS: Final = 100
"""The number of steps into which standings are rounded for weights."""

Weights = Sequence[float]
"""The weight of a hand by its standing, in steps."""


@cache
def fitting(part: int) -> Weights:
    """Return how well hands fit a seat that plays this share of all hands, in steps."""
    return [LEAK + 1 / (1 + exp(min(60.0, (step - part) / STEPS / SOFT))) for step in range(STEPS + 1)]


def fits(part: float) -> Weights:
    """Return how well hands fit a seat that plays this share of all hands."""
    return fitting(round(part * STEPS))


ANY: Final[Weights] = [1.0] * (STEPS + 1)
CHECKED: Final[Weights] = [SLOW if step < STEPS / 3 else 1.0 for step in range(STEPS + 1)]


@cache
def starting_steps() -> Mapping[Cards, int]:
    """Return the standing of each two cards before there is a board, in steps."""
    return {pair: round(STEPS * starting(pair)) for pair in combinations(PACK, 2)}


def first_part(s: State, paid: int, *, dealt: int) -> float:
    """Return the share of all hands with which a seat pays this much in the first round."""
    unit = s.stakes.big if s.rules.blinds else s.round.limits.unit
    opening = OPENING[max(1, dealt - 1)]
    if not unit or paid <= unit:
        return 1.0 if s.rules.blinds else max(0.5, opening)
    raised = paid / unit
    return min(1.0, opening * 1.2) if raised <= 4 else max(0.12, opening * 4 / raised)


def fits_now(s: State, rival: Seat) -> Weights:
    """Return how well hands fit the rival's bets in the current round."""
    r = s.round
    if r.committed[rival] and r.aggressor == rival:
        return fits(0.35 if r.bets <= 1 and r.full == r.current else 0.2)
    if r.committed[rival]:
        return fits(0.5)
    return CHECKED if r.met[rival] != NOT_YET else ANY


class BoardKnowledge:
    """Knows the hands that the rivals may hold next to a board, and draws the rest of the board."""

    def __init__(self, s: State, seat: Seat) -> None:
        self.s, self.seat = s, seat
        self.hand, self.board = s.hands[seat], s.board
        self.rivals = [i for i in seats_in_hand(s.round) if i != seat]
        self.unseen = drop_cards(PACK, (*self.hand, *self.board))
        self.pairs = list(combinations(self.unseen, 2))
        self.now = self.standings()
        self.steps = [int(STEPS * standing) for standing in self.now]
        starts = starting_steps()
        self.starts = [starts[pair] for pair in self.pairs]
        self.mine = (
            starting(self.hand) if not self.board else share_above(self.sorted, strength(self.hand + self.board))
        )
        self.rows = [list(accumulate(self.weights(i))) for i in self.rivals]
        self.place: dict[Cards, int] = {pair: i for i, pair in enumerate(self.pairs)}
        self.later = len(later_phases(s.phase)) - 1

    def standings(self) -> list[float]:
        """Return the current standing of every hand that a rival may have."""
        if not self.board:
            self.sorted: list[int] = []
            return [starting(pair) for pair in self.pairs]
        worths = strengths([pair + self.board for pair in self.pairs])
        self.sorted = sorted(worths)
        at = {worth: share_above(self.sorted, worth) for worth in {*worths}}
        return [at[worth] for worth in worths]

    def weights(self, rival: Seat) -> list[float]:
        """Return how likely the rival has each hand."""
        s, bet = self.s, self.s.round.committed[rival]
        dealt = sum(map(bool, s.hands))
        if s.phase == "preflop":
            part = first_part(s, bet, dealt=dealt)
            called = s.round.aggressor != rival and bet > s.stakes.big
            row = fits(min(1.0, part * 1.3) if called else part)
            return [row[step] for step in self.starts]
        paid = s.paid[rival] - bet
        first, now = fits(first_part(s, min(paid, 4 * s.stakes.big), dealt=dealt)), fits_now(s, rival)
        if paid > CLOSE * s.stakes.big:
            narrow = fits(max(0.25, sqrt(CLOSE * s.stakes.big / paid)))
            now = [a * b for a, b in zip(now, narrow, strict=True)]
        return [first[one] * now[two] for one, two in zip(self.starts, self.steps, strict=True)]

    def world(self, rng: Random) -> PokerWorld | None:
        """Draw the rivals' hands and the rest of the board."""
        hands: dict[Seat, Cards] = {self.seat: self.hand}
        used = set(self.hand)
        for rival, row in zip(self.rivals, self.rows, strict=True):
            for _ in range(20):
                (pair,) = rng.choices(self.pairs, cum_weights=row)
                if used.isdisjoint(pair):
                    break
            else:
                return None
            hands[rival] = pair
            used.update(pair)
        rest = [c for c in self.unseen if c not in used]
        rng.shuffle(rest)
        drawn = 5 - len(self.board)
        others = list(pairwise(rest[drawn : drawn + SAMPLE + 1]))
        return PokerWorld(*self.rated(hands, tuple(rest[:drawn]), others))

    def rated(
        self, hands: dict[Seat, Cards], coming: Cards, others: Sequence[Cards]
    ) -> tuple[list[list[float]], list[int]]:
        """Return the standings of the hands in each round, and their strengths at the end."""
        n = self.s.rules.seats
        first = [1.0] * n
        for i, held in hands.items():
            first[i] = self.mine if i == self.seat else self.now[self.place[held]]
        standings, board = [first], self.board
        for count in (3, 4, 5) if not board else range(len(board) + 1, 6):
            there = board + coming[: count - len(board)]
            row = sorted(strengths([pair + there for pair in others]))
            standing = [1.0] * n
            for i, held in hands.items():
                standing[i] = share_above(row, strength(held + there))
            standings.append(standing)
        final, ends = board + coming, [0] * n
        for i, held in hands.items():
            ends[i] = strength(held + final)
        return standings, ends


@value
class DrawnHand:
    """A hand before and after a sound exchange, with its standing before."""

    before: Cards
    after: Cards
    count: int
    standing: float


@cache
def drawn_hands() -> list[DrawnHand]:
    """Return a sample of hands with their exchanges, the same in every process."""
    rng = Random(1)
    hands = dealt_hands()[::4]
    row = sorted(strengths(hands))
    found = []
    for hand in hands:
        gone = exchange(hand)
        after = (*remove_cards(hand, *gone), *rng.sample(drop_cards(PACK, hand), len(gone)))
        found.append(DrawnHand(hand, after, len(gone), share_above(row, strength(hand))))
    return found


@cache
def drawn_after(count: int) -> list[DrawnHand]:
    """Return the hands of the sample that exchanged this many cards."""
    return [one for one in drawn_hands() if one.count == min(count, 4)]


@cache
def strengths_after(count: int) -> list[int]:
    """Return the sorted strengths of the hands of the sample that exchanged this many cards."""
    return sorted(strengths([one.after for one in drawn_after(count)]))


def drawn_standing(hand: Cards, count: int) -> float:
    """Return the standing of a hand against a rival who exchanged this many cards."""
    return share_above(strengths_after(count), strength(hand))


TRIES: Final = 8
"""The number of attempts to deal a rival cards that no other has."""


class DrawKnowledge:
    """Knows the hands that the rivals may hold in draw poker, and draws the cards of the exchange."""

    def __init__(self, s: State, seat: Seat) -> None:
        self.s, self.seat, self.hand = s, seat, s.hands[seat]
        self.rivals = [i for i in seats_in_hand(s.round) if i != seat]
        self.gone = {*self.hand, *(c for c in s.discards[seat] if c >= 0)}
        self.late = s.phase == "bet2"
        self.rows = [self.weighted(i) for i in self.rivals]
        self.count = len(s.discards[seat]) if self.late and not s.rebuilds else 3

    def weighted(self, rival: Seat) -> tuple[list[DrawnHand], list[float]]:
        """Return the hands of the sample that the rival may have had, with the sums of their weights."""
        s, bet = self.s, self.s.round.committed[rival]
        known = self.late and not s.rebuilds
        sample = drawn_after(len(s.discards[rival])) if known else drawn_hands()
        hands = [one for one in sample if self.gone.isdisjoint(one.after)]
        if not self.late and not bet:
            first = CHECKED if s.round.met[rival] != NOT_YET else ANY
        else:
            first = fits(self.part(rival, bet))
        last = fits_now(s, rival) if self.late else ANY
        weights = [first[int(STEPS * one.standing)] for one in hands]
        if last is not ANY:
            later = [last[int(STEPS * drawn_standing(one.after, 3))] for one in hands]
            weights = [a * b for a, b in zip(weights, later, strict=True)]
        return hands, list(accumulate(weights))

    def part(self, rival: Seat, bet: int) -> float:
        """Return the share of all hands with which the rival has paid so much before the draw."""
        s = self.s
        paid = s.paid[rival] - s.stakes.ante - (bet if self.late else 0)
        bets = paid / s.rules.limits("bet1", s.stakes).unit
        if bets < 0.5:
            return 1.0
        called = self.late or s.round.aggressor != rival
        opening = OPENING[sum(map(bool, s.hands)) - 1] * (1.5 if called else 1.1)
        return max(0.1, min(1.0, opening / max(1.0, bets)))

    def world(self, rng: Random) -> PokerWorld | None:
        """Draw the rivals' hands, and the cards that the seats exchange."""
        n = self.s.rules.seats
        used, chosen = set(self.gone), dict[Seat, DrawnHand]()
        for rival, (hands, row) in zip(self.rivals, self.rows, strict=True):
            # Among many rivals, a card may occur twice: that matters less than the hands' strengths.
            for _ in range(TRIES):
                (one,) = rng.choices(hands, cum_weights=row)
                if used.isdisjoint(one.after):
                    break
            chosen[rival] = one
            used.update(one.after)
        mine = self.hand
        if not self.late:
            gone = exchange(mine, self.s.rules.max_swap)
            fresh = rng.sample([c for c in PACK if c not in used], len(gone))
            mine, self.count = (*remove_cards(mine, *gone), *fresh), len(gone)
        return self.rated(n, mine, chosen)

    def rated(self, n: int, mine: Cards, chosen: dict[Seat, DrawnHand]) -> PokerWorld:
        """Return the standings before and after the draw, and the strengths at the end."""
        first, last, ends = [1.0] * n, [1.0] * n, [0] * n
        first[self.seat] = self.before
        ends[self.seat] = strength(mine)
        most = max([one.count for one in chosen.values()], key=lambda count: -count, default=3)
        last[self.seat] = drawn_standing(mine, most)
        for i, one in chosen.items():
            first[i], last[i] = one.standing, drawn_standing(one.after, self.count)
            ends[i] = strength(one.after)
        return PokerWorld([last] if self.late else [first, last], ends)

    @property
    def before(self) -> float:
        """Return the standing of the seat's own five cards before the draw."""
        return standing_before_draw(self.hand)
