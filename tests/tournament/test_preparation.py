"""Tests sealed and draft tournaments: entrants open boosters in pods, build decks, and play a Swiss with only these."""

import time
from contextlib import closing
from random import Random

import pytest

from domain.core.clock import Clock
from domain.core.collectible import Deck
from domain.core.game import Refused
from domain.games.catalogue import GAMES
from domain.match.resignations import Resign
from domain.tournament.entrants import Enter, Withdraw
from domain.tournament.organiser import CancelTournament, TournamentCancelled
from domain.tournament.pods import FinishPod, RepeatPod, make_pods
from domain.tournament.tournament_judge import find_tournament_fault
from domain.tournament.tournament_plan import MatchTerms, TournamentPlan
from events import times
from events.errors import NotFound
from events.ids import match_of
from events.log.commits import read_events
from events.operations.audit_streams import audit_stream
from events.service import tournaments
from events.service.access import Caller
from events.service.stream_kinds import TOURNAMENT
from events.service.tournament_lines import tournament_agrees
from events.service.tournament_pods import prepared_gains
from events.store.opening import open_store
from tests.draws import first_of
from tests.match.table import options
from tests.tournament.evenings import OF, ORGANISER, Evening
from tests.tournament.lives import Hands, Life
from tests.tournament.prepared import DRAFT, SWISS, preparation, prepared_evening
from tests.tournament.test_killed_runner import plays, running

DUEL = "fivewells"


def tables(kind="sealed", sideboarding=True):
    given = options(DUEL, 2, format=kind, pool="tournament", seats_per_player=1, sideboarding=sideboarding)
    return MatchTerms(DUEL, given, None, Clock(), 1)


class Weekend(Life):
    """A tournament whose entrants prepare first."""

    def __init__(self, store, now, count, kind="sealed", seats=4, **more):
        terms = {"terms": tables(kind), "preparation": preparation(kind, seats)}
        super().__init__(store, now, count, SWISS, **terms | more)

    def pods(self):
        """Return the open pods."""
        return [pod for pod, over in enumerate(self.state.pods_over) if not over]

    def pod_match(self, pod):
        return match_of(self.id, 0, pod, self.state.pod_attempts[pod])

    def comes(self, pod, *absent):
        """Seat all entrants of a pod except these."""
        for seat, entrant in enumerate(self.state.pods[pod]):
            if entrant not in absent:
                self.matches.sit(self.pod_match(pod), self.caller(entrant), seat)

    def moves(self, pod, *resigning):
        """Make the default move for each seat of a pod, until its decks are built."""
        match = self.pod_match(pod)
        while to_act := [s for s in self.table(match).to_act if not self.table(match).bot[s]]:
            seat = to_act[0]
            entrant = self.state.pods[pod][seat]
            move = Resign() if entrant in resigning else GAMES[DRAFT].timing.default(self.table(match).state, seat)
            self.matches.move(match, self.caller(entrant), seat, move)

    def table(self, match):
        m = self.matches.loaded(match).state
        return Seen(m)

    def follows(self, match):
        """Follow the end of the tournament, as soon as no earlier commit can arrive any more."""
        until = time.monotonic() + 30
        while not self.matches.loaded(match).state.over and time.monotonic() < until:
            self.looks()

    def prepares(self):
        """Let all entrants prepare."""
        self.looks()
        for pod in self.pods():
            self.comes(pod)
            self.moves(pod)
        self.looks()
        return self


class Seen:
    """Return the parts of a match that a test compares."""

    def __init__(self, m):
        acting = m.game.to_act(m.table) if m.table is not None and m.status == "playing" else ()
        self.to_act, self.bot, self.state = [s for s in acting if s >= 0 and s not in m.resigned], m.by_bot, m.table


def events(one):
    return read_events(tournaments.load_tournament(one.matches, one.id).rows, TOURNAMENT.shapes, 0)


def types(one):
    return [type(event).__name__ for event in events(one)]


def gained(one, pod):
    return GAMES[DRAFT].lifecycle.gains(one.matches.loaded(one.state.pod_matches[pod]).state.table)


# --- A whole one ------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.both_databases
@pytest.mark.parametrize("kind", first_of(["sealed", "draft"]))
def test_draft_tournament_runs_with_a_no_show_and_a_leaver(store, kind):
    now = Hands()
    one = Weekend(store, now, 5, kind, seats=3)
    assert sorted(map(len, one.state.pods)) == [2, 3]
    one.looks()
    first, second = one.state.pods
    one.comes(0, first[0])
    one.comes(1)
    one.tell(Withdraw(one.state.players[second[0]]))
    one.moves(1)
    one.looks()
    assert one.state.pods_over == (False, True)
    now.passes(901_000)
    one.looks()
    assert (one.state.pods[0], one.state.left) == (first[1:], {second[0]: 0, first[0]: 0})
    one.prepares()
    assert one.state.round == 1
    assert {who for seats in one.state.tables for who in seats} | {*one.state.byes} == {*first[1:], second[1]}
    one.to_the_end()
    assert one.state.status == "over"
    told = types(one)
    assert told.index("PodRepeated") < told.index("RoundPaired")
    assert told.count("PodFinished") == 2
    assert [check for check in audit_stream(store, one.id).checks if not check.ok] == []


def test_tables_use_only_the_decks_built_in_pods(store):
    one = Weekend(store, Hands(), 2).prepares()
    built = {}
    for seat, entrant in enumerate(one.state.tables[0]):
        deck = gained(one, 0)[one.state.pods[0].index(entrant)]
        other = Deck((*deck.main[1:], deck.sideboard[0]), (deck.main[0], *deck.sideboard[1:]))
        with pytest.raises(Refused, match="not_in_pool"):
            one.matches.sit(one.match(0), one.caller(entrant), seat, entry=other)
        one.matches.sit(one.match(0), one.caller(entrant), seat)
        built[seat] = deck
    assert one.table(one.match(0)).state.decks == (built[0], built[1])


def test_unprepared_entrant_brings_no_deck(store):
    one = Weekend(store, Hands(), 2).prepares()
    with pytest.raises(Refused, match="nothing_gained"):
        prepared_gains(one.matches, one.matches.loaded(one.match(0)).state, "a stranger")


def test_pods_stay_secret_until_the_tournament_is_over(store):
    one = Weekend(store, Hands(), 2).prepares()
    pod = one.state.pod_matches[0]
    waiting = one.matches.loaded(pod).state
    assert waiting.status == "playing"
    assert not waiting.shuffles.disclosed
    with pytest.raises(NotFound):
        one.matches.see(pod, Caller("a stranger", "token"))
    one.to_the_end()
    one.follows(pod)
    ended = one.matches.loaded(pod).state
    assert ended.status == "finished"
    assert ended.shuffles.disclosed


def test_tournament_can_be_cancelled_with_pods_in_every_state(store):
    one = Weekend(store, Hands(), 6, seats=2)
    one.looks()
    for pod in (0, 1):
        one.comes(pod)
    one.moves(0)
    one.looks()
    assert one.state.pods_over == (True, False, False)
    matches = [one.state.pod_matches[0], one.pod_match(1), one.pod_match(2)]
    one.tell(CancelTournament(ORGANISER, "Rain."))
    one.follows(matches[2])
    over, played, empty = (one.matches.loaded(match).state for match in matches)
    assert (over.status, played.status, empty.status) == ("finished", "playing", "expired")
    with pytest.raises(NotFound):
        one.matches.see(matches[1], Caller("a stranger", "token"))
    one.moves(1)
    played = one.matches.loaded(matches[1]).state
    assert (bool(over.shuffles.disclosed), played.status, bool(played.shuffles.disclosed)) == (True, "finished", True)
    reports = [audit_stream(store, each) for each in (one.id, *matches)]
    assert [check for report in reports for check in report.checks if not check.ok] == []


def test_audit_compares_the_matches_of_pods_with_the_tournament(store):
    one = Weekend(store, Hands(), 2).prepares()
    found, match = tournaments.load_tournament(one.matches, one.id), one.state.pod_matches[0]
    m = one.matches.loaded(match).state

    def why(there, **other):
        t = found.state.copy()
        for name, value in other.items():
            setattr(t, name, value)
        return tournament_agrees(found.head, t, there)

    assert match in TOURNAMENT.matches(found.head, found.state)
    assert why({match: m}) is None
    assert why({}) == "The match of pod 0 does not exist."
    assert why({match: m}, pod_attempts=(1,)) == "The match of pod 0 was not created for this tournament."
    assert why({match: m}, players=found.state.players[::-1]) == "The match of pod 0 was played by other players."
    empty = m.copy()
    empty.table = None
    assert why({match: empty}) == "The match of pod 0 has another result."


@pytest.mark.long
def test_draft_tournament_survives_killed_runners(url):
    rng = Random(2)
    with closing(open_store(url)) as store:
        one = Weekend(store, times.now, 6)
        while one.state.status == "playing":
            with running(url), running(url):
                until = time.monotonic() + 0.6 * rng.random()
                while time.monotonic() < until:
                    acts(one)
                    time.sleep(0.01)
        told = types(one)
        assert (told.count("PodsMade"), told.count("PodFinished"), told.count("TournamentEnded")) == (1, 2, 1)
        assert [check for check in audit_stream(store, one.id).checks if not check.ok] == []


def acts(one):
    """Let everyone with a match, in a pod or at a table, take a seat and finish."""
    for pod in one.pods():
        loaded = one.matches.load(one.pod_match(pod))
        if loaded is not None and loaded.state.status == "lobby":
            one.comes(pod)
            one.moves(pod)
    plays(one)


# --- The rules --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "seats", "sizes"), [(8, 8, [8]), (9, 8, [5, 4]), (17, 8, [6, 6, 5]), (3, 2, [2, 1]), (2, 8, [2])]
)
def test_pods_are_as_few_as_possible_and_differ_by_at_most_one(count, seats, sizes):
    pods = make_pods(tuple(range(count)), seats)
    assert [len(pod) for pod in pods] == sizes
    assert [one for pod in pods for one in pod] == list(range(count))


def test_no_round_is_paired_before_all_pods_are_over():
    one = prepared_evening()
    assert one.state.pods == (one.state.order[:3], one.state.order[3:])
    one.told(FinishPod(0, 0, "pod 0", "00" * 32, ()))
    assert one.state.round == 0
    assert one.told(FinishPod(0, 0, "pod 0", "00" * 32, ())) == ()
    one.told(FinishPod(1, 0, "pod 1", "00" * 32, (one.state.order[4],)))
    assert one.state.round == 1
    assert one.state.left == {one.state.order[4]: 0}


def test_pod_without_players_ends():
    one = prepared_evening()
    told = one.told(RepeatPod(1, 0, "pod 1", "00" * 32, one.state.pods[1]))
    assert [type(event).__name__ for event in told] == ["PodFinished", "PlayerUnprepared", "PlayerUnprepared"]


@pytest.mark.parametrize("plan", [TournamentPlan("round_robin", 2, 2, most=8), TournamentPlan("swiss", 2, 2, late=1)])
def test_preparation_needs_a_swiss_without_late_entries(plan):
    with pytest.raises(Refused, match="bad_options"):
        Evening(plan, preparation=preparation())


def test_entries_close_during_preparation_and_cancelled_pods_end():
    one = prepared_evening()
    with pytest.raises(Refused, match="wrong_phase"):
        one.told(Enter("late"))
    assert one.told(CancelTournament(ORGANISER, "Rain.")) == (TournamentCancelled(ORGANISER, "Rain."),)
    assert one.told(FinishPod(0, 0, "pod 0", "00" * 32, ())) == ()
    assert find_tournament_fault(OF, one.events) is None
