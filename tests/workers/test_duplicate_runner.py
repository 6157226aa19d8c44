"""Tests duplicates on a store: tables of a round get the same deals, and no entrant sees another table before the
end."""

import pytest

from domain import match as life
from domain.core.values import with_fields
from domain.match.draws import AcceptDraw, OfferDraw
from domain.match.resignations import Resign
from domain.tournament.entrants import CloseEntries, Enter, Withdraw
from domain.tournament.formats.duplicate import bot_plays_for, scores_of
from domain.tournament.formats.format_catalogue import ground_of
from domain.tournament.organiser import CancelTournament
from domain.tournament.round_tables import RuleTable, TableFinished
from domain.tournament.tournament_plan import TournamentPlan
from events.errors import NotFound
from events.operations.erasure import erase_player
from events.service import tournaments
from events.service.access import Caller
from events.service.table_endings import end_unbegun_matches
from tests.service.test_groups import work
from tests.tournament.evenings import ORGANISER
from tests.tournament.lives import Hands, Life
from tests.workers.test_arena_runner import events, holds
from tests.workers.test_tournament_runner import looks_dying

PLAN = TournamentPlan("duplicate", 2, 2, fill="bots", better_score="low")
STRANGERS = (Caller(), Caller("eve", "token"))


class Round(Life):
    """A duplicate with its workers; seated entrants play only when the test says so."""

    def works(self):
        """Run the runner and the workers until nothing is left to do."""
        for _ in range(3):
            self.looks()
            work(self.matches, self.now)

    def sits_all(self, *absent):
        """Seat all expected players except these."""
        t = self.state
        for table in self.open():
            for seat, one in enumerate(t.tables[table]):
                if one is not None and one not in absent and not bot_plays_for(t, one):
                    self.matches.sit(self.match(table), Caller(t.players[one], "token"), seat)
        self.works()

    def resigns(self, table, *losers):
        """Resign a table for a player who is present: by default the one with the greatest number."""
        t = self.state
        there = [one for one in t.tables[table] if one is not None and not bot_plays_for(t, one)]
        match = self.match(table)
        for one in losers or sorted(there)[-1:]:
            m = self.matches.loaded(match).state
            if not m.over and not life.waits_for_group(m):
                self.matches.move(match, Caller(t.players[one], "token"), None, Resign(whole_match=True))

    def plays(self):
        self.works()
        self.sits_all()
        for table in self.open():
            self.resigns(table)
        self.works()


@pytest.fixture
def now():
    return Hands()


def by_bot(one, who):
    """Return whether a bot has the seat of an entrant, according to the match itself."""
    table = next(at for at, seats in enumerate(one.state.tables) if who in seats)
    return one.matches.loaded(one.match(table)).state.by_bot[one.state.tables[table].index(who)]


def dealt(one, match):
    """Return the inputs of a match's deals."""
    m = one.matches.loaded(match).state
    return m.created.deal_group.id, m.group.shared, one.matches.loaded(match).dealer.roots


@pytest.mark.long
@pytest.mark.both_databases
def test_duplicate_runs_despite_absent_leaving_tied_and_erased_players(store, now):
    one = Round(store, now, 5, PLAN)
    one.works()
    absent = one.state.tables[0][0] if one.state.tables[0][0] is not None else one.state.tables[0][1]
    one.sits_all(absent)
    assert [one.matches.loaded(one.match(at)).state.status for at in (0, 1, 2)] == ["lobby"] * 3
    now.passes(900_000)
    one.works()
    assert one.state.attempts == (1, 1, 1)
    assert by_bot(one, absent)
    one.sits_all()
    assert len({dealt(one, one.match(at)) for at in (0, 1, 2)}) == 1
    drawn = next(at for at in one.open() if all(who not in (None, absent) for who in one.state.tables[at]))
    first, other = (Caller(one.state.players[who], "token") for who in one.state.tables[drawn])
    one.matches.move(one.match(drawn), first, None, OfferDraw())
    one.matches.move(one.match(drawn), other, None, AcceptDraw())
    one.works()
    assert one.state.results == (None, None, None)  # the others are not over, and nothing is said about it
    for table in one.open():
        one.resigns(table)
    one.works()
    assert one.state.round == 2
    leaves = next(who for who in range(5) if who != absent)
    one.tell(Withdraw(f"player {leaves}"))
    stays = next(who for who in range(5) if who not in (absent, leaves))
    one.plays()
    erase_player(one.store, f"player {stays}", now.at)
    assert one.state.status == "over"
    assert sorted(one.state.ranked) == list(range(5))
    assert scores_of(ground_of(one.state))[absent] <= 0
    holds(one)


def test_duplicate_tables_stay_private_until_all_are_over(store, now):
    one = Round(store, now, 4, PLAN)
    one.works()
    one.sits_all()
    here, there = one.match(0), one.match(1)
    for match, others in ((here, one.state.tables[1]), (there, one.state.tables[0])):
        for who in (*STRANGERS, Caller(ORGANISER, "token"), *(Caller(f"player {n}", "token") for n in others)):
            for look in (one.matches.see, one.matches.past):
                with pytest.raises(NotFound):
                    look(match, who)
    one.resigns(0)
    one.works()
    assert one.state.results == (None, None)
    assert one.matches.loaded(here).state.status == "playing"
    with pytest.raises(NotFound):
        one.matches.see(here, Caller(f"player {one.state.tables[1][0]}", "token"))
    one.resigns(1)
    one.works()
    for match in (here, there):
        assert one.matches.see(match, Caller()).match.status == "finished"


def test_leaving_before_the_deal_gives_the_seat_to_a_bot_with_the_lowest_score(store, now):
    one = Round(store, now, 4, with_fields(PLAN, rounds=3))
    one.plays()
    before, leaves = scores_of(ground_of(one.state)), one.state.tables[0][0]
    one.tell(Withdraw(f"player {leaves}"))
    one.works()
    one.sits_all(leaves)
    now.passes(900_000)
    one.works()
    assert by_bot(one, leaves)
    assert not any(by_bot(one, who) for who in range(4) if who != leaves)
    one.sits_all()
    for table in one.open():
        one.resigns(table)
    one.works()
    assert (one.state.round, one.state.attempts) == (3, (0, 0))
    assert by_bot(one, leaves)  # from the first, without anybody waiting
    one.sits_all()
    for table in one.open():
        one.resigns(table)
    one.works()
    assert one.state.status == "over"
    assert scores_of(ground_of(one.state))[leaves] <= before[leaves]
    holds(one)


def test_ruled_table_and_cancelled_tournament_delay_no_one(store, now):
    one = Round(store, now, 6, PLAN)
    one.works()
    one.sits_all(*one.state.tables[0])
    before = tournaments.load_tournament(one.matches, one.id)
    after = one.tell(RuleTable(ORGANISER, 0, (1, 2), "Agreed."))
    end_unbegun_matches(one.matches, before, after)
    one.works()
    assert one.state.attempts[1:] == (1, 1)
    one.sits_all()
    for table in one.open():
        one.resigns(table)
    one.works()
    assert one.state.round == 2
    before = tournaments.load_tournament(one.matches, one.id)
    end_unbegun_matches(one.matches, before, one.tell(CancelTournament(ORGANISER, "Rain.")))
    one.works()
    assert one.matches.loaded(one.match(0)).state.status == "expired"
    holds(one)


def test_duplicate_runner_killed_between_writes_does_everything_exactly_once(store, now):
    one, killed = Round(store, now, 4, PLAN), 0
    while one.state.status == "playing":
        killed += looks_dying(one, store, now)
        one.sits_all()
        for table in one.open():
            one.resigns(table)
        work(one.matches, now)
    finished = [event.match for event in events(one) if isinstance(event, TableFinished)]
    assert len(finished) == len(set(finished)) == 4
    assert killed >= 2
    holds(one)


def test_duplicate_of_teams_finishes(store, now):
    plan = TournamentPlan("duplicate", 2, 2, fill="bots", better_score="low", teams="tables")
    one = Round(store, now, 0, plan, closed=False)
    one.tell(*(Enter(f"player {n}", f"team {n % 2}") for n in range(4)))
    one.tell(CloseEntries(ORGANISER))
    while one.state.status == "playing":
        one.plays()
    places = dict(zip(one.state.ranked, one.state.places, strict=True))
    assert places[0] == places[2]
    assert places[1] == places[3]
    holds(one)
