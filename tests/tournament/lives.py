"""Plays tournaments on a store: players show up or do not, their matches are resigned, and a runner does the rest."""

from domain.core.clock import Clock, Time
from domain.match.draws import AcceptDraw, OfferDraw
from domain.match.resignations import Resign
from domain.tournament.entrants import CloseEntries, Enter
from domain.tournament.tournament_plan import MatchTerms, TournamentPlan
from events.ids import match_of
from events.service import tournaments
from events.service.access import Caller
from tests.bound import Matches
from tests.match.table import options
from tests.tournament.evenings import ORGANISER, announced
from workers.tournament_runner import TournamentRunner

GAME = "crazy_eights"
HOUR = 3_600_000
DAY = 24 * HOUR


class Hands:
    """A clock controlled by the test."""

    at = Time(1_800_000_000_000)

    def __call__(self):
        return self.at

    def passes(self, ms):
        self.at = Time(self.at + ms)


def terms(seats=2, best_of=1, clock=None, **chosen):
    """Return the terms of the matches: a game with this many seats that ends as soon as one seat resigns."""
    given = options(GAME, seats, **{"on_resign": "end", "seats_per_player": 1} | chosen)
    return MatchTerms(GAME, given, None, clock or Clock(), best_of)


class Life:
    """A tournament with its players on a store, and a runner."""

    def __init__(self, store, now, count, plan=None, closed=True, **more):
        self.store, self.now = store, now
        self.matches = Matches(store, now=now)
        self.runner = TournamentRunner(Matches(store, now=now))
        plan, preparation = plan or TournamentPlan("swiss", 2, 2), more.pop("preparation", None)
        first = announced(plan, **{"terms": terms(plan.seats)} | more)
        made = tournaments.announce_tournament(self.matches, first, preparation=preparation)
        self.id = made.head.match_id
        self.tell(*[Enter(f"player {n}") for n in range(count)])
        if closed:
            self.tell(CloseEntries(ORGANISER))

    @property
    def state(self):
        return tournaments.load_tournament(self.matches, self.id).state

    def tell(self, *commands):
        return tournaments.command_tournament(self.matches, self.id, commands)

    def looks(self, runner=None):
        """Run the runner until nothing is left to do."""
        while not (runner or self.runner).look():
            pass

    def match(self, table, attempt=None):
        t = self.state
        return match_of(self.id, t.round, table, t.attempts[table] if attempt is None else attempt)

    def open(self):
        """Return the tables that wait for the end of their match."""
        t = self.state
        return [table for table, result in enumerate(t.results) if result is None] if t.open else []

    def caller(self, entrant):
        return Caller(self.state.players[entrant], "token")

    def sit(self, table, *absent):
        """Seat all players of a table except these."""
        for seat, entrant in enumerate(self.state.tables[table]):
            if entrant is not None and entrant not in absent:
                self.matches.sit(self.match(table), self.caller(entrant), seat)

    def resigns(self, table, *losers):
        """Resign the match of a table for these entrants, in this order; by default for all but the lowest number."""
        seats = [one for one in self.state.tables[table] if one is not None]
        match = self.match(table)
        for entrant in losers or sorted(seats)[1:] or seats:
            if not self.matches.loaded(match).state.over:
                self.matches.move(match, self.caller(entrant), None, Resign(whole_match=True))

    def draws(self, table):
        one, other = map(self.caller, self.state.tables[table])
        self.matches.move(self.match(table), one, None, OfferDraw())
        self.matches.move(self.match(table), other, None, AcceptDraw())

    def plays(self):
        """Play a round: all show up, and the lowest number wins each table."""
        self.looks()
        for table in self.open():
            self.sit(table)
            self.resigns(table)
        self.looks()

    def to_the_end(self, most=30):
        for _ in range(most):
            if self.state.status != "playing":
                return self
            self.plays()
        raise AssertionError("it does not end")
