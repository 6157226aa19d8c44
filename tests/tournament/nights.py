"""Plays tournaments of many tables with only their commands: chips move at random."""

from random import Random

from domain.core.staking import LeavingStack
from domain.tournament.round_tables import FinishTable
from domain.tournament.tournament_plan import TournamentPlan
from tests.tournament.evenings import Evening

STACK = 1000


def many(seats=6, **more):
    """Return the plan of a tournament of many tables."""
    return TournamentPlan("multi_table", seats, 2, fill="short", **{"stack": STACK} | more)


def hands_played(stakes, rng, most=200):
    """Play a table's hands; in each, a random seat wins chips of the others, sometimes all they have."""
    stacks, exits, last = list(stakes.stacks), {}, len(stakes.stacks) - 1
    for hand in range(1, (stakes.hands or most) + 1):
        there = [seat for seat, stack in enumerate(stacks) if stack]
        if len(there) == 1:
            break
        last = min(there, key=lambda seat: (seat - last - 1) % len(stacks))
        before, winner = list(stacks), rng.choice(there)
        for seat in there:
            lost = 0 if seat == winner else rng.choice((0, 0, stacks[seat] // 2, min(stacks[seat], stacks[winner])))
            stacks[seat] -= lost
            stacks[winner] += lost
        exits |= {seat: (stakes.hands_before + hand, before[seat]) for seat in there if not stacks[seat]}
    order = [(last + 1 + i) % len(stacks) for i in range(len(stacks))]
    return tuple(LeavingStack(seat, stacks[seat], *exits.get(seat, (0, 0))) for seat in order)


class Night(Evening):
    """A tournament of many tables whose results the test sets."""

    def ends(self, table, chips):
        """End a table with these stacks."""
        t = self.state
        by_seat = sorted(chips, key=lambda row: row.seat)
        rank = [(bool(row.hand), -row.hand, -row.before, -row.stack) for row in by_seat]
        places = tuple(1 + sum(other < mine for other in rank) for mine in rank)
        match = f"match {t.round}.{table}"
        alone = places.count(1) == 1
        wins = tuple(int(alone and place == 1) for place in places)
        head = f"{t.round:032x}{table:032x}"
        return self.told(FinishTable(t.round, table, 0, match, head, places, wins, 1, int(not alone), chips))

    def plays(self, rng=None):
        """Play to the end."""
        rng = rng or Random(1)
        while self.state.status == "playing":
            table = rng.choice(self.waiting())
            self.ends(table, hands_played(self.state.stakes[table], rng))
        return self
