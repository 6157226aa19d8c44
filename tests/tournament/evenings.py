"""Plays whole tournaments with only their commands; results are random."""

from functools import reduce
from random import Random

from domain.core.clock import Clock
from domain.core.fairness import Dealer, chain, next_root
from domain.tournament.announcement import TournamentAnnounced, announce_tournament
from domain.tournament.entrants import CloseEntries, Enter
from domain.tournament.formats.format_catalogue import links_of
from domain.tournament.round_tables import AdjudicateTable, FinishTable, ForfeitTable
from domain.tournament.table_deals import TableDeals, deals_commitment, first_root
from domain.tournament.tournament_decide import decide
from domain.tournament.tournament_events import evolve
from domain.tournament.tournament_plan import MatchTerms, TournamentPlan
from domain.tournament.tournament_state import Tournament

OF = "evening"
ROOT = bytes(range(32))
DEALS = bytes(range(32, 64))
"""The secret that the deals at the tables are derived from."""
DEALER = Dealer(OF, (ROOT,), bytes(32))
ORGANISER = "olga"
TERMS = MatchTerms("any", {"pace": "slow"}, None, Clock(), 3)


def commitment(plan):
    """Return the commitment to the seeds of a tournament with this plan."""
    return chain(ROOT, links_of(plan))[0].hex()


def roots_at(of, nonces):
    """Return the roots of a table's match, from the nonces of the entrants."""
    roots = [first_root(DEALS, OF, TableDeals(of.round, of.table, of.attempt), nonces)]
    while len(roots) < 8:
        roots.append(next_root(roots[-1]))
    return tuple(roots)


def announced(plan=None, **more):
    """Return the first event of a tournament."""
    fields = {"organiser": ORGANISER, "helpers": ("hal",), "prizes": (), "closes": None, "terms": TERMS} | more
    return TournamentAnnounced("Evening", plan=plan or TournamentPlan("swiss", 2, 2), **fields)


class Evening:
    """A tournament that accepts commands, with all its events."""

    def __init__(self, plan=None, preparation=None, **more):
        first = announced(plan, **more)
        self.events = list(announce_tournament(first, commitment(first.plan), preparation, deals_commitment(DEALS)))
        self.state = reduce(evolve, self.events, Tournament())

    def told(self, command):
        """Send a command; return the resulting events."""
        happened = decide(self.state, command, DEALER)
        self.events += happened
        self.state = reduce(evolve, happened, self.state)
        return happened

    def entered(self, count, nonce=""):
        for n in range(count):
            self.told(Enter(f"player {n}", nonce=nonce and f"{n:016x}"))
        return self

    def begun(self, count):
        self.entered(count)
        self.told(CloseEntries(ORGANISER))
        return self

    def finish(self, table, places, games=1):
        """End a table."""
        t, alone = self.state, places.count(1) == 1
        wins = tuple(int(alone and place == 1) for place in places)
        match = f"match {t.round}.{table}.{t.attempts[table]}"
        head = f"{t.round:032x}{table:032x}"
        return self.told(
            FinishTable(t.round, table, t.attempts[table], match, head, places, wins, games, int(not alone))
        )

    def forfeit(self, table, *absent):
        """Report that the match of a table has not begun, as these entrants did not show up."""
        t = self.state
        return self.told(ForfeitTable(t.round, table, t.attempts[table], "match", "00" * 32, absent))

    def late(self, table, *late):
        """Report that a table is overdue, and who is to move."""
        t = self.state
        return self.told(AdjudicateTable(t.round, table, t.attempts[table], "match", "00" * 32, late))

    def waiting(self):
        """Return the open tables."""
        return [i for i, result in enumerate(self.state.results) if result is None] if self.state.open else []

    def play(self, rng=None, draws=0.2):
        """Play to the end."""
        rng = rng or Random(1)
        while self.state.status == "playing":
            table = rng.choice(self.waiting())
            seats = len(self.state.tables[table])
            ranks = [1] * seats if rng.random() < draws else rng.sample(range(1, seats + 1), seats)
            self.finish(table, tuple(ranks))
        return self
