"""Tests that prizes reach the winners' collections exactly once, even if a process dies in between."""

import time
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import patch

import pytest

from api.app import create_app
from events.operations.audit_streams import audit_stream
from events.service import collections, tournaments
from events.service.context import Context
from events.service.tournament_ends import grant_prizes
from events.settings import Settings
from events.store.opening import open_store
from events.store.tables import checkpoint_rows, commit_rows
from tests.api.client import Client, code
from tests.api.test_tournaments import asked, evening, olga
from tests.killing import killed
from workers.tournament_runner import TournamentRunner

__all__ = ["evening", "olga"]

MINE = "/v1/collection"
STARTER = {"fw1": 6}
PRIZES = [{"place": 1, "boosters": {"fw1": 3, "bt1": 1}, "promo": "bt1-006"}, {"place": 2}]


@pytest.fixture
def settings():
    """Return settings by which any organiser may award prizes."""
    return Settings(dealt_rate_per_second=0, dealt_prize_organisers="*")


@pytest.fixture
def over(evening):
    """Return a finished tournament with awarded prizes; the runner has not run since."""

    def over(count=2, prizes=PRIZES, **more):
        one = evening(count, rounds=1, game="fivewells", options={}, prizes=prizes, **more).begun()
        with patch.object(one.runner._ends, "step", lambda: None):
            one.plays()
        assert one.seen()["status"] == "over"
        return one

    return over


def boosters(player):
    """Return the unopened boosters of a player, or None without a collection."""
    shown = player.get(MINE)
    return None if shown.status_code == 404 else {row["set"]: row["count"] for row in shown.json["boosters"]}


def granted(one, *players):
    """Run the runner until these players have collections."""
    until = time.monotonic() + 60
    while None in map(boosters, players):
        assert time.monotonic() < until
        one.runner.look()


def placed(one):
    """Return the players of a tournament, the winner first."""
    items = one.olga.get(f"{one.path}/standings").json["items"]
    return [one.players[row["player"]["id"]] for row in items]


def test_prizes_are_listed_and_added_to_collections(over):
    one = over()
    first, second = placed(one)
    seen = one.seen()
    assert seen["prizes"] == [
        {"place": 1, "boosters": {"fw1": 3, "bt1": 1}, "promo": "bt1-006"},
        {"place": 2, "boosters": {"fw1": 2}, "promo": None},
    ]
    numbers = [one.seen(player)["your_entrant"] for player in (first, second)]
    assert [row["entrant"] for row in seen["awarded"]] == numbers
    assert [row["prize"] for row in seen["awarded"]] == seen["prizes"]
    assert boosters(first) is None
    granted(one, first, second)
    assert (boosters(first), boosters(second)) == ({"fw1": 9, "bt1": 1}, {"fw1": 8})
    assert {row["card"]: row["promos"] for row in first.get(MINE).json["cards"]}["bt1-006"] == 1
    assert first.post(f"{MINE}/boosters", {"set": "bt1"}).status_code == 201
    reasons = [event["data"].get("reason") for event in first.get(f"{MINE}/record").json["events"]]
    assert reasons.count(f"tournament {seen['id']}, place 1") == 3


def runner_killed(store, now, name, calls):
    """Run a runner in another process, and kill it after a number of calls of a function."""
    url = store.engine.url.render_as_string(hide_password=False)

    def looks():
        runner = TournamentRunner(Context(open_store(url), now=now))
        until = time.monotonic() + 60
        while time.monotonic() < until:
            runner.look()
            time.sleep(0.05)

    killed(looks, {"append_all": commit_rows, "move_position": checkpoint_rows}[name], name, calls)


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("name", "calls"),
    [("append_all", 1), ("append_all", 2), ("move_position", 1)],
    ids=["between two grants", "after the grants", "as the checkpoint moves"],
)
def test_killed_runner_grants_every_prize_once(over, store, clock, name, calls):
    one = over()
    runner_killed(store, clock, name, calls)
    granted(one, *placed(one))
    assert [boosters(player) for player in placed(one)] == [{"fw1": 9, "bt1": 1}, {"fw1": 8}]
    for player in placed(one):
        assert audit_stream(store, collections.collection_id(player.id)).verdict == "verified"


def test_two_runners_grant_every_prize_once(over, app):
    one, context = over(), app.extensions["dealt"].context
    found = tournaments.load_tournament(context, one.seen()["id"])
    with ThreadPoolExecutor(2) as runners:
        assert list(runners.map(lambda _: grant_prizes(context, found), range(4))) == [None] * 4
    granted(one, *placed(one))
    assert [boosters(player) for player in placed(one)] == [{"fw1": 9, "bt1": 1}, {"fw1": 8}]


def test_erased_player_gets_no_prize_and_the_others_do(over, store):
    one = over()
    first, second = placed(one)
    assert first.delete("/v1/players/me").status_code == 204
    granted(one, second)
    assert boosters(second) == {"fw1": 8}
    assert audit_stream(store, collections.collection_id(first.id)) is None


@pytest.mark.parametrize(
    ("more", "where"),
    [
        ({"prizes": [{"place": 0}]}, "prizes.0.place"),
        ({"prizes": [{"place": 1, "boosters": {"nosuch": 1}}]}, "prizes.0.boosters"),
        ({"prizes": [{"place": 1, "boosters": {"fw1": 0}}]}, "prizes.0.boosters"),
        ({"prizes": [{"place": 1, "promo": "nosuch"}]}, "prizes.0.promo"),
        ({"prizes": [{"place": n, "boosters": {"fw1": 19}} for n in (1, 2)]}, "prizes"),
        ({"prizes": [{"place": 1}], "game": "crazy_eights"}, "prizes"),
    ],
)
def test_impossible_prizes_are_refused(olga, more, where):
    refused = olga.post("/v1/tournaments", asked(options={}, **{"game": "fivewells"} | more))
    assert code(refused) == (422, "bad_arguments")
    assert any(name.startswith(where) for name in refused.json["errors"])


def test_only_named_organisers_can_award_prizes(store, clock, player):
    """Otherwise two accounts of one person could create any number of cards."""
    olga = player(name="Olga")
    body = asked(game="fivewells", options={}, prizes=PRIZES)
    formats = "/v1/games/fivewells/tournament-formats"
    for named, allowed in (("", False), ("0" * 20, False), (f"{'0' * 20},{olga.id}", True)):
        of = Settings(dealt_rate_per_second=0, dealt_prize_organisers=named)
        one = Client(create_app(of, store=store, now=clock), olga.token)
        assert one.get(formats).json["prizes"] == allowed
        found = one.post("/v1/tournaments", body)
        assert (found.status_code == 201) == allowed, found.json
        if not allowed:
            assert code(found) == (403, "forbidden")
            assert "operator" in found.json["detail"]
            assert "DEALT_PRIZE_ORGANISERS" in found.json["detail"]
            assert olga.id in found.json["detail"]
        assert one.post("/v1/tournaments", {**body, "prizes": []}).status_code == 201


def test_players_who_share_a_place_share_its_prizes(evening):
    """Both players lose each semi-final, so the first two places stay empty and only the remaining prizes are given."""
    prizes = [{"place": 1, "boosters": {"fw1": 9}, "promo": "bt1-006"}, {"place": 3, "boosters": {"fw1": 6}}]
    one = evening(4, game="fivewells", options={}, format="single_elimination", prizes=prizes).begun()
    for table in (0, 1):
        ruled = {"places": [2, 2], "reason": "Both have left."}
        assert one.olga.post(f"{one.path}/rounds/1/tables/{table}/ruling", ruled).status_code == 200
    assert [row["place"] for row in one.olga.get(f"{one.path}/standings").json["items"]] == [3, 3, 3, 3]
    got = [row["prize"] for row in one.seen()["awarded"]]
    assert got == [{"place": 3, "boosters": {"fw1": n}, "promo": None} for n in (2, 2, 1, 1)]


def test_place_cannot_have_two_prizes(olga):
    refused = olga.post("/v1/tournaments", asked(game="fivewells", options={}, prizes=[{"place": 1}, {"place": 1}]))
    assert code(refused) == (422, "bad_options")
