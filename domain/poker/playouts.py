"""Plays a hand of poker on to its end in one possible world, for the search of the strong bot.

All seats then play by a fast version of the steady bot's rules. A world gives the standing of each hand in each betting
round, and its strength at the showdown. So the same code serves games with a board and draw poker.
"""

from collections.abc import Sequence
from math import log2, sqrt
from typing import Final

from domain.core.cards import Seat
from domain.core.values import value

OPENING: Final = (1.0, 0.6, 0.4, 0.28, 0.22, 0.18, 0.15, 0.13, 0.11, 0.1)
"""A seat opens with this share of all hands, by the number of rivals."""

BLUFF: Final = 0.2
"""The probability that a bet says nothing about the hand."""

NARROWEST: Final = 0.2
"""A bet means at least this share of all hands."""

CHEAP: Final = 5
"""The number of bets in earlier rounds that may have been paid with any hand."""

SHORT: Final = 10
"""With at most this many big blinds, a player bets all or nothing."""

CLEAR, CLEARER = 1.25, 1.5
"""A player bets, or raises, if its share of the pot is at least this many equal shares."""

FOLD, CALL = -1, 0
"""Actions of a playout; every other action is the amount to bet or raise to. A call of nothing is a check."""


@value
class BettingRound:
    """The rules of a betting round, current or later.

    `luck` is the weight of an even chance while cards are to come. A `first` round is played by the hands dealt.
    """

    first: bool
    luck: float
    unit: int
    cap: int
    """The maximum number of bets, or 0 for no limit."""


@value
class PlayoutSpot:
    """A moment at which a seat must act: the chips and bets of all seats."""

    seat: Seat
    rounds: Sequence[BettingRound]
    """The current round, and those to come."""
    opener: Seat
    """Later rounds begin with the next seat in the hand."""
    stacks: Sequence[int]
    committed: Sequence[int]
    paid: Sequence[int]
    live: Sequence[bool]
    acted: Sequence[bool]
    """The seats that have acted since the last full bet or raise."""
    current: int
    last_raise: int
    bets: int
    raised: bool
    """Whether a seat has bet or raised in this round, blinds aside."""
    dead: int
    blinds: tuple[int, int]
    forced: Sequence[int]
    """The blinds among the bets of this round."""
    dealt: int
    """The number of seats dealt in."""
    shove: bool
    """Whether the seats have so few chips that they bet all or nothing at first."""


@value
class PokerWorld:
    """The standing of each hand in each round from the current one on, and its strength at the showdown."""

    standings: Sequence[Sequence[float]]
    strengths: Sequence[int]


class Playout:
    """Plays one hand on, from a spot in a world."""

    def __init__(self, at: PlayoutSpot, world: PokerWorld) -> None:
        self.at, self.world = at, world
        self.stacks, self.committed, self.paid = list(at.stacks), list(at.committed), list(at.paid)
        self.live, self.acted = list(at.live), list(at.acted)
        self.current, self.last_raise, self.bets, self.raised = at.current, at.last_raise, at.bets, at.raised
        self.round, self.standing = at.rounds[0], world.standings[0]
        self.forced: Sequence[int] = at.forced
        self.pot = sum(at.paid) + at.dead

    def gain(self, first: int) -> float:
        """Return the chips that the seat wins from here on with this first action, less those that it puts in."""
        at, n = self.at, len(self.stacks)
        if first == FOLD:
            return 0.0
        self.act(at.seat, first)
        turn = (at.seat + 1) % n
        for i, standing in enumerate(self.world.standings):
            if i:
                self.open_round(i, standing)
                turn = (at.opener + 1) % n
            self.bet_on(turn)
            if sum(self.live) == 1:
                break
        return self.won(at.seat) + self.stacks[at.seat] - at.stacks[at.seat]

    def open_round(self, number: int, standing: Sequence[float]) -> None:
        """Begin the next round of betting."""
        n = len(self.stacks)
        self.round, self.standing = self.at.rounds[number], standing
        self.committed, self.acted, self.forced = [0] * n, [False] * n, (0,) * n
        self.current, self.last_raise, self.bets, self.raised = 0, self.round.unit, 0, False

    def bet_on(self, turn: Seat) -> None:
        """Let the seats act until the round is over."""
        stacks, live, acted, n = self.stacks, self.live, self.acted, len(self.stacks)
        idle = 0
        while idle < n:
            if live[turn] and stacks[turn] and (not acted[turn] or self.committed[turn] < self.current):
                if sum(live) == 1:
                    return
                able = any(live[i] and stacks[i] for i in range(n) if i != turn)
                if able or self.committed[turn] < self.current:
                    self.act(turn, self.choice(turn, able=able))
                    idle = -1
            turn, idle = (turn + 1) % n, idle + 1

    def act(self, seat: Seat, action: int) -> None:
        """Fold, call, or bet to an amount."""
        if action == FOLD:
            self.live[seat] = False
            return
        to = max(self.current, action)
        amount = min(to - self.committed[seat], self.stacks[seat])
        self.stacks[seat] -= amount
        self.committed[seat] += amount
        self.paid[seat] += amount
        self.pot += amount
        if action > self.current:
            self.last_raise = max(self.last_raise, action - self.current)
            self.current, self.raised = self.committed[seat], True
            self.bets += 1
            self.acted[:] = [False] * len(self.acted)
        self.acted[seat] = True

    # --- The rules of a sound player -----------------------------------------------------------------------

    def choice(self, seat: Seat, *, able: bool) -> int:
        """Return the action of a seat."""
        standing = self.standing[seat]
        rivals = [i for i, live in enumerate(self.live) if live and i != seat]
        owed = min(max(0, self.current - self.committed[seat]), self.stacks[seat])
        ranges = [self.range(i) for i in rivals]
        may_raise = able and self.stacks[seat] > owed and not (self.round.cap and self.bets >= self.round.cap)
        if self.round.first:
            part = OPENING[min(9, len(rivals))] * min(ranges) / (2 if self.raised else 1)
            if standing <= part * (1.5 if self.at.shove else 1.0) and (may_raise or owed):
                return self.size(seat, owed) if may_raise else CALL
        share = self.share(standing, rivals, ranges)
        enough = (CLEARER if self.current else CLEAR) / (1 + len(rivals))
        if may_raise and not self.round.first and share >= enough:
            return self.size(seat, owed)
        if not owed:
            return CALL
        mine = self.paid[seat] + owed
        pot = self.pot if len(rivals) == 1 and self.stacks[seat] > owed else sum([min(p, mine) for p in self.paid])
        return CALL if share * (pot + owed) >= owed else FOLD

    def range(self, rival: Seat) -> float:
        """Return the share of all hands that a rival would play, estimated from its bets."""
        bet, big = self.committed[rival], self.at.blinds[1]
        before = self.pot - sum(self.committed)
        if self.round.first:
            before += sum(self.at.blinds)
        pots = max(0, bet - self.forced[rival]) / max(1, before)
        if not self.round.first:
            part = 1 / (1 + pots)
            earlier = (self.paid[rival] - bet) / self.round.unit
            return max(NARROWEST, part / sqrt(earlier / CHEAP) if earlier > CHEAP else part)
        if self.at.dealt == 2:
            pots /= 2
        part = 1 / (1 + pots)
        if big and not self.stacks[rival]:
            part = max(part, min(1, 3 * big / max(1, bet)))
        return max(NARROWEST, part)

    def share(self, standing: float, rivals: Sequence[Seat], ranges: Sequence[float]) -> float:
        """Return the estimated share of the pot that the hand wins if it calls."""
        luck, made, many = self.round.luck, 1.0, 0.0
        for rival, part in zip(rivals, ranges, strict=True):
            beaten = BLUFF * (1 - standing) + (1 - BLUFF) * max(0.0, 1 - standing / part)
            weight = 1.0 if self.committed[rival] == self.current or not self.stacks[rival] else 0.3
            made *= (luck / 2 + (1 - luck) * beaten) ** weight
            many += weight
        return made if many == 1.0 else made ** float(1 - luck + luck * log2(1 + many) / many)

    def size(self, seat: Seat, owed: int) -> int:
        """Return the amount to bet or raise to: two thirds of the pot, or all if little would be left."""
        everything = self.committed[seat] + self.stacks[seat]
        if self.round.cap:
            return min(everything, self.current + self.round.unit)
        to = self.current + 2 * (self.pot + owed) // 3
        if (self.at.shove and self.round.first) or 2 * to >= everything:
            return everything
        return max(to, min(everything, self.current + self.last_raise))

    # --- The end ---------------------------------------------------------------------------------------------

    def won(self, seat: Seat) -> float:
        """Return the chips that a seat wins from the pots."""
        if not self.live[seat]:
            return 0.0
        still = [i for i, live in enumerate(self.live) if live]
        if len(still) == 1:
            return self.pot
        found, below = 0.0, 0
        top = max(self.paid[i] for i in still)
        for level in sorted({self.paid[i] for i in still if self.paid[i] <= self.paid[seat]}):
            highest = level if level < top else max(self.paid)
            pot = sum([min(p, highest) - min(p, below) for p in self.paid]) + (0 if below else self.at.dead)
            among = [i for i in still if self.paid[i] >= level]
            best = max([self.world.strengths[i] for i in among])
            if self.world.strengths[seat] == best:
                found += pot / sum([self.world.strengths[i] == best for i in among])
            below = level
        return found
