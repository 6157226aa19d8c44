"""The task that settles what has run out of time."""

import pytest

from domain.clock import Clock
from events.outbox import CLOCK, EXPIRE, LOBBY_MS
from tests.workers.conftest import ANN
from workers.bot_turns import play
from workers.deadlines import settle


def test_plays_for_a_person_who_is_late(begin, matches, at_work, store, now):
    seen = begin("me", "bot", "bot", "bot", clock=Clock(per_decision_seconds=10))
    play(at_work, seen.match_id)
    assert settle(at_work, seen.match_id) == 0
    now.passes(10_000)
    assert [due.kind for due in store.claim(now(), 10)] == [CLOCK]
    assert settle(at_work, seen.match_id) == 1
    assert settle(at_work, seen.match_id) == 0


def test_hands_over_the_seat_of_one_who_stays_away(begin, matches, at_work, store, now):
    seen = begin("me", "bot", "bot", "bot", clock=Clock(per_decision_seconds=10, max_defaults=2))
    for _ in range(2):
        play(at_work, seen.match_id)
        now.passes(10_000)
        assert settle(at_work, seen.match_id) == 1
    while play(at_work, seen.match_id):
        pass
    assert matches.see(seen.match_id, ANN).match.status == "finished"
    assert store.due_rows(seen.match_no) == []


@pytest.mark.parametrize(("late", "status"), [(-1, "lobby"), (0, "expired")])
def test_a_lobby_stands_thirty_days(late, status, begin, matches, at_work, store, now):
    seen = begin("me", "open", "open", "open")
    now.passes(LOBBY_MS + late)
    assert [due.kind for due in store.claim(now(), 10)] == ([EXPIRE] if late == 0 else [])
    settle(at_work, seen.match_id)
    assert matches.see(seen.match_id, ANN).match.status == status
