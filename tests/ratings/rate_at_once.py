"""Plays rated matches over HTTP, and rates them immediately."""

import pytest

from domain.ratings import trust
from tests.ratings.following import follow
from workers.rater import Rater

GAME = "crazy_eights"
ME, OPEN = {"kind": "me"}, {"kind": "open"}
RATED = {"options": {"rated": True}, "clock": {"per_decision_seconds": 60}}


@pytest.fixture
def all_are_proven(monkeypatch):
    """Make all results count in full from the first match on."""
    monkeypatch.setattr(trust, "UNPROVEN", 1.0)


@pytest.fixture
def beats(app, all_are_proven):
    """Let one player beat another, who resigns after a move or `at_once`, in a rated match; return the match."""
    store = app.extensions["dealt"].context.store
    rater = Rater(store)

    def play(winner, loser, before=lambda table: None, at_once=False, **asked):
        table = winner.creates(game=GAME, seats=[ME, OPEN], **RATED, **asked)
        assert loser.put(f"{table.path}/seats/1").status_code == 200
        waited_for = set() if at_once else {0, 1}
        while waited_for:
            (seat,) = winner.sees(table)["to_act"]
            assert (winner, loser)[seat].plays(table).status_code == 200
            waited_for.discard(seat)
        before(table)
        loser.plays(table, {"name": "resign", "args": {}})
        follow(store, rater.look)
        while rater.look() == 0:
            pass
        return table

    return play


def handle(player):
    return player.get("/v1/players/me").json["handle"]
