"""Tests that on-time decisions are counted from finished matches, and shown for each player."""

from collections import Counter
from random import Random

import pytest

from domain import match as life
from domain.core.clock import Clock
from domain.match.clocks import TimeOut
from domain.match.resignations import Resign
from domain.match.seating import Sit
from domain.ratings.match_course import DeadlinesKept, deadlines_kept
from events.service import players
from events.store.player_records import DecisionRow
from events.store.tables import decision_rows
from tests.bound import Matches
from tests.match.table import Table
from tests.ratings.test_rating_fold import played, rate, rebuild
from tests.service.test_groups import ANN, BOB, CEM, Machine, matches, now

__all__ = ["matches", "now"]

MINUTE = Clock(per_decision_seconds=60)


def lived(late: dict[int, int], clock: Clock = MINUTE) -> tuple[Table, Counter[int]]:
    """Return how many decisions each player answered in a match that seat 0 resigns after 20, with some expired."""
    table, rng, answered = Table("crazy_eights", ("me", "open"), clock=clock), Random(1), Counter[int]()
    table.does(1, Sit("ben"))
    left = Counter(late)
    while sum(answered.values()) < 20 and not table.match.over:
        (seat,) = life.to_act(table.match)
        if left[seat]:
            left[seat] -= 1
            table.now += 60_000
            table.does(seat, TimeOut(), "timeout")
        else:
            answered[seat] += 1
            table.does(seat, life.legal(table.match, seat)[0].sample(rng))
    if not table.match.over:
        table.does(0, Resign(whole_match=True))
    return table, answered


def test_decision_counts_as_on_time_or_expired():
    table, answered = lived({1: 2})
    kept = deadlines_kept(table.match, table.events)
    assert kept == {"ann": DeadlinesKept(answered[0], 0), "ben": DeadlinesKept(answered[1], 2)}


def test_matches_without_a_clock_do_not_count_for_reliability():
    table, _ = lived({}, Clock())
    assert deadlines_kept(table.match, table.events) == {}


def test_seat_without_decisions_is_not_counted():
    table = Table("crazy_eights", ("me", "open"), clock=MINUTE)
    table.does(1, Sit("ben"))
    table.does(0, Resign(whole_match=True))
    assert deadlines_kept(table.match, table.events) == {}


@pytest.mark.both_databases
def test_reliability_follows_from_the_log_of_rated_and_unrated_matches(
    matches: Matches, now: Machine, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(
        "events.ratings.rated_handler.deadlines_kept", lambda m, events: dict.fromkeys(m.players, DeadlinesKept(3, 1))
    )
    played(matches, now, ANN, BOB)
    played(matches, now, ANN, CEM, rated=False)
    rate(matches.store)
    before = decision_rows.of_players(matches.store, ["ann", "bob", "cem", "eve"])
    assert before == {"ann": (6, 2), "bob": (3, 1), "cem": (3, 1)}
    assert players.reliability(matches, ["ann", "eve"]) == {"ann": (0, 0, 6, 2), "eve": (0, 0, 0, 0)}
    rebuild(matches.store)
    assert decision_rows.of_players(matches.store, ["ann", "bob", "cem"]) == before


def test_only_the_latest_matches_count(matches: Matches, now: Machine):
    rows = [
        DecisionRow(match_no, "ann", match_no, 1, int(match_no == 1))
        for match_no in range(1, decision_rows.MOST_MATCHES + 2)
    ]
    matches.store.write(lambda connection: decision_rows.add_decisions(connection, rows))
    assert decision_rows.of_players(matches.store, ["ann"]) == {"ann": (decision_rows.MOST_MATCHES, 0)}
