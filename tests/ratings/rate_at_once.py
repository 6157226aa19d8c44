"""Plays rated matches over HTTP, which are rated at once."""

import pytest

from tests.ratings.following import follow
from workers.rater import Rater

GAME = "crazy_eights"
ME, OPEN = {"kind": "me"}, {"kind": "open"}
RATED = {"options": {"rated": True}, "clock": {"per_decision_seconds": 60}}


@pytest.fixture
def beats(app):
    """Let one player beat another in a rated match, which is rated at once; gives the match."""
    store = app.extensions["dealt"].context.store
    rater = Rater(store)

    def play(winner, loser, before=lambda table: None, **asked):
        table = winner.creates(game=GAME, seats=[ME, OPEN], **RATED, **asked)
        assert loser.put(f"{table.path}/seats/1").status_code == 200
        before(table)
        loser.plays(table, {"name": "resign", "args": {}})
        follow(store, rater.look)
        while rater.look() == 0:
            pass
        return table

    return play


def handle(player):
    return player.get("/v1/players/me").json["handle"]
