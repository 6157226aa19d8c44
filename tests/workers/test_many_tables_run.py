"""Plays a tournament of many tables: players are moved between hands, and chips are counted at every commit."""

import signal
import subprocess
import sys
from contextlib import closing
from random import Random

import pytest

from domain import match as life
from domain.core.clock import Clock
from domain.match.resignations import Resign
from domain.poker.betting_moves import AllIn, Fold
from domain.poker.betting_table import middle
from domain.tournament.entrants import Disqualify, Withdraw
from domain.tournament.formats.many_tables import StackMoved, TableBroken
from domain.tournament.tournament_judge import find_tournament_fault
from domain.tournament.tournament_plan import MatchTerms, TournamentPlan
from events import times
from events.log.commits import read_events
from events.operations.audit_streams import audit_stream
from events.service import tournaments
from events.service.stream_kinds import TOURNAMENT
from events.service.table_endings import end_unbegun_matches
from events.store.opening import open_store
from events.store.tables import inbox_rows
from tests.bound import Matches
from tests.match.table import options
from tests.tournament.evenings import ORGANISER
from tests.tournament.lives import Hands, Life
from workers.tournament_runner import TournamentRunner

STACK = 120


class Killed(BaseException):
    """Stands for the death of the process."""


class Counted:
    """A store that has the chips counted after each write, and whose process dies after each."""

    def __init__(self, store, count, dies=True):
        self._store, self._count, self._dies = store, count, dies

    def __getattr__(self, name):
        found = getattr(self._store, name)
        if name not in ("create", "create_all", "write", "append"):
            return found

        def then(*args, **named):
            done = found(*args, **named)
            self._count()
            if self._dies:
                raise Killed
            return done

        return then


class Night(Life):
    """A tournament of many tables with its players, who go all-in or fold."""

    def __init__(self, store, now, count, seats=6, seed=1, **chosen):
        plan = TournamentPlan("multi_table", seats, 2, fill="short", stack=STACK)
        rules = options("holdem", seats, format="sng", starting_stack=STACK, seats_per_player=1, **chosen)
        super().__init__(store, now, count, plan, terms=MatchTerms("holdem", rules, None, Clock(), 1))
        self.total, self.rng, self.counts, self.kills = count * STACK, Random(seed), 0, 0
        self.gone, self.daring = 0, 0.4

    def chips_at(self, table):
        """Return the chips at a table: those in its match, or those in transit to or from it."""
        t = self.state
        if t.results[table] is not None:
            return sum(row.stack for row in t.results[table].chips)
        loaded = self.matches.load(self.match(table))
        if loaded is None:
            return sum(t.stakes[table].stacks)
        m = loaded.state
        if m.over:
            return sum(row.stack for row in m.stakes.left)
        return sum(m.table.stacks) + middle(m.table)

    def count(self):
        """Count the chips of the whole tournament."""
        t = self.state
        if t.status == "playing":
            assert sum(self.chips_at(table) for table in range(len(t.tables))) == self.total - self.gone
            self.counts += 1

    def runs(self, dies=True):
        """Let runners do all due work, each of which dies after its first write."""
        for _ in range(99):
            runner = TournamentRunner(Matches(Counted(self.store, self.count, dies), now=self.now))
            try:
                self.looks(runner)
                return
            except Killed:
                self.kills += 1
        raise AssertionError("it does not end")

    def moves(self, table):
        """Move for the seat to act at a table; the number of chips at the table stays the same."""
        match = self.match(table)
        m = self.matches.loaded(match).state
        before = sum(m.stakes.arrived.stacks)
        (seat,) = life.to_act(m)
        open_ = {choice.make: choice for choice in m.game.legal(m.table, seat)}
        made = (
            AllIn
            if AllIn in open_ and self.rng.random() < self.daring
            else next(make for make in open_ if make is not Fold or self.rng.random() >= self.daring)
        )
        self.matches.move(match, self.caller(self.state.tables[table][seat]), None, open_[made].sample(self.rng))
        after = self.chips_at(table)
        assert after == before
        self.counts += 1

    def plays_round(self):
        self.runs()
        self.plays_tables()
        self.runs()

    def plays_tables(self):
        for table in self.open():
            while not self.over(table):
                self.moves(table)

    def over(self, table):
        return self.matches.loaded(self.match(table)).state.over

    def hand(self, table):
        """Return the number, in the tournament, of the hand played at a table."""
        return self.matches.loaded(self.match(table)).state.table.deal_no

    def arrived(self):
        """Return the open tables with an existing match."""
        return [table for table in self.open() if self.matches.load(self.match(table)) is not None]

    def to_its_end(self):
        while self.state.status == "playing":
            self.plays_round()
        return self


@pytest.fixture
def now():
    return Hands()


def events(one):
    return list(read_events(tournaments.load_tournament(one.matches, one.id).rows, TOURNAMENT.shapes, 0))


def lived(one):
    """Assert the laws of every such tournament: one entrant has all chips, and the log and its matches are valid."""
    t = one.state
    assert t.status == "over"
    assert t.places[0] == 1
    assert find_tournament_fault(one.id, events(one)) is None
    report = audit_stream(one.store, one.id)
    assert [check for check in report.checks if not check.ok] == []
    return t


@pytest.mark.long
def test_nine_players_are_moved_between_tables_despite_killed_runners(store, now):
    one = Night(store, now, 9, seats=4).to_its_end()
    t = lived(one)
    kinds = {type(event) for event in events(one)}
    assert {StackMoved, TableBroken} <= kinds
    assert one.kills > t.round
    assert len(t.payouts) >= 3


@pytest.mark.long
def test_crash_while_stacks_move_conserves_chips(url):
    with closing(open_store(url)) as store:
        one = Night(store, times.now, 9, seats=3)
        one.daring = 1
        one.runs(dies=False)
        while not one.state.moved:
            one.runs(dies=False)
            one.plays_tables()
            # The tournament has said who moves with which stack, but no table of the round exists yet.
            killed(url, "before")
            one.count()
            assert one.arrived() == []
        due = {(move.entrant, move.stack) for move in one.state.moved}
        killed(url, "after")
        one.count()
        assert len(one.arrived()) == 1
        one.runs(dies=False)
        one.count()
        assert one.arrived() == one.open()
        brought = set()
        for table in one.open():
            stakes = one.matches.loaded(one.match(table)).state.stakes.arrived
            brought |= set(zip(one.state.tables[table], stakes.stacks, strict=True))
        assert due <= brought
        lived(one.to_its_end())


def killed(url, when):
    """Let the system kill a runner when it creates a match: before it is written, or after."""
    command = [sys.executable, "-m", "tests.tournament.running", url, when]
    assert subprocess.run(command, timeout=60, check=False).returncode == -signal.SIGKILL


@pytest.mark.long
def test_tournament_of_sixty_plays_down_to_one_and_conserves_chips(store, now):
    one = Night(store, now, 60).to_its_end()
    t = lived(one)
    assert t.round > 1
    assert sum(type(event) is StackMoved for event in events(one)) > 3
    assert one.counts > 100


def test_hand_for_hand_tables_wait_for_each_other(store, now):
    one = Night(store, now, 12)
    one.daring = 1
    hands = []
    while one.state.status == "playing":
        one.runs(dies=False)
        sizes = [len(table) for table in one.state.tables]
        hands.append((len(sizes), max(sizes) - min(sizes), {one.hand(table) for table in one.open()}))
        for table in one.open():
            while not one.over(table):
                one.moves(table)
                assert len(sizes) == 1 or one.hand(table) == len(hands)
        one.runs(dies=False)
    assert [begun for _, _, begun in hands] == [{n} for n in range(1, len(hands) + 1)]
    assert hands[0][0] == 2
    assert all(apart <= 1 for _, apart, _ in hands)
    lived(one)


def test_moved_player_finds_the_new_table_in_the_inbox(store, now):
    one = Night(store, now, 8, seats=4)
    while not one.state.moved:
        one.plays_round()
    one.runs()
    moved = one.state.moved[0]
    # A player who comes to a table posts the big blind there and is seated without having to sit down.
    m = one.matches.loaded(one.match(moved.table)).state
    assert m.players[0] == one.state.players[moved.entrant]
    assert m.status == "playing"
    waited = {row.match_id for seat in life.to_act(m) for row in inbox_rows.read_inbox(one.store, m.players[seat])}
    assert one.match(moved.table) in waited


def test_resigning_and_leaving_players_take_their_chips_out_of_play(store, now):
    one = Night(store, now, 8, seats=4)
    one.runs()
    one.gone = STACK
    first = one.state.tables[0]
    one.matches.move(one.match(0), one.caller(first[0]), None, Resign(whole_match=True))
    one.gone = 0
    for table in one.open():
        while not one.matches.loaded(one.match(table)).state.over:
            m = one.matches.loaded(one.match(table)).state
            (seat,) = life.to_act(m)
            who = one.caller(one.state.tables[table][seat])
            one.matches.move(one.match(table), who, None, m.game.timing.default(m.table, seat))
    one.tell(Withdraw(one.state.players[first[1]]))
    TournamentRunner(Matches(store, now=now)).look()
    there = {who for table in one.state.tables for who in table}
    assert first[0] not in there
    assert first[1] not in there
    places = dict(zip(one.state.ranked, one.state.places, strict=True))
    assert (places[first[0]], places[first[1]]) == (8, 7)
    assert find_tournament_fault(one.id, events(one)) is None


def leaves(one, entrant, command=None):
    """Withdraw an entrant from the tournament as the API does, and as erasure does."""
    before = tournaments.load_tournament(one.matches, one.id)
    told = command or Withdraw(one.state.players[entrant])
    end_unbegun_matches(one.matches, before, tournaments.command_loaded(one.matches, before, [told]))


def plays_on(one, daring, until=lambda places: False):
    """Let these entrants go all-in at the first table, and the others fold, until it is over, or some are out."""
    while not one.over(0):
        m = one.matches.loaded(one.match(0)).state
        if until(m.table.places):
            return
        (seat,) = life.to_act(m)
        who = one.state.tables[0][seat]
        open_ = {choice.make: choice for choice in m.game.legal(m.table, seat)}
        move = (
            open_[AllIn].sample(one.rng) if who in daring and AllIn in open_ else m.game.timing.default(m.table, seat)
        )
        one.matches.move(one.match(0), one.caller(who), None, move)


def placed(one):
    t = one.state
    assert t.status == "over"
    assert find_tournament_fault(one.id, events(one)) is None
    report = audit_stream(one.store, one.id)
    assert [check for check in report.checks if not check.ok] == []
    return dict(zip(t.ranked, t.places, strict=True))


def test_leaving_the_last_table_ranks_between_active_and_eliminated(store, now):
    """The others go all-in against each other, so that the player who leaves would have outlasted some of them."""
    one = Night(store, now, 5, seats=5)
    one.looks()
    table = one.state.tables[0]
    plays_on(one, table[:2], until=any)
    at = one.matches.loaded(one.match(0)).state.table
    (out,) = [who for who, place in zip(table, at.places, strict=True) if place]
    gone = table[4]
    leaves(one, gone)
    plays_on(one, table[:4])
    one.looks()
    places = placed(one)
    assert (places[out], places[gone]) == (5, 4)
    assert all(places[who] < 4 for who in table if who not in (out, gone))


def test_leaving_before_the_last_table_ranks_last_there(store, now):
    one = Night(store, now, 4, seats=4)
    gone = one.state.tables[0][0]
    leaves(one, gone)
    one.looks()
    plays_on(one, one.state.tables[0])
    one.looks()
    assert placed(one)[gone] == 4


def test_last_remaining_player_wins_when_the_other_leaves(store, now):
    one = Night(store, now, 2, seats=4)
    one.looks()
    stays, goes = one.state.tables[0]
    leaves(one, goes)
    one.looks()
    assert placed(one) == {stays: 1, goes: 2}


def test_disqualified_player_at_the_last_table_ranks_behind_all(store, now):
    one = Night(store, now, 3, seats=4)
    one.looks()
    gone = one.state.tables[0][0]
    leaves(one, gone, Disqualify(ORGANISER, gone, "Two accounts."))
    assert not one.matches.loaded(one.match(0)).state.resigned
    plays_on(one, one.state.tables[0])
    one.looks()
    assert placed(one)[gone] == 3


def test_tables_do_not_wait_for_players_who_left(store, now):
    one = Night(store, now, 8, seats=4)
    one.looks()
    gone = one.state.tables[0][1]
    leaves(one, gone)
    for table in one.open():
        while not one.over(table):
            m = one.matches.loaded(one.match(table)).state
            (seat,) = life.to_act(m)
            assert one.state.tables[table][seat] != gone
            who = one.caller(one.state.tables[table][seat])
            one.matches.move(one.match(table), who, None, m.game.timing.default(m.table, seat))
    one.looks()
    assert dict(zip(one.state.ranked, one.state.places, strict=True))[gone] == 8
    assert find_tournament_fault(one.id, events(one)) is None
