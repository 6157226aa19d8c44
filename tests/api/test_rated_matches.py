"""Tests that the order in which matches are rated is public, and that ratings can be recomputed from it."""

import pytest
from click.testing import CliRunner

from api.cli.ratings_command import recompute as recompute_command
from api.cli.ratings_recompute import OtherFormula, differences, recompute
from api.terminal import remote
from events.service import player_ratings, rulings
from tests.api.client import code
from tests.ratings.following import follow
from tests.ratings.rate_at_once import GAME, all_are_proven, beats, handle
from workers.rater import Rater

__all__ = ["all_are_proven", "beats"]

LIST = "/v1/rated-matches"


@pytest.fixture(autouse=True)
def all_are_certain(monkeypatch):
    """Make leaderboards list all rated players."""
    monkeypatch.setattr(player_ratings, "SETTLED", 501.0)


@pytest.fixture
def get(stranger):
    def read(path):
        response = stranger.get(f"/v1{path}")
        assert response.status_code == 200, response.json
        return response.json

    return read


def ids(reader, query=""):
    return [one["match"] for one in reader.get(f"{LIST}{query}").json["items"]]


def test_rated_matches_are_listed_in_rating_order(ada, ben, stranger, beats):
    before = ids(stranger)
    played = [beats(ada, ben)["id"], beats(ben, ada)["id"], beats(ada, ben, at_once=True)["id"]]
    assert ids(stranger) == before + played
    first = stranger.get(f"{LIST}?limit=2").json
    rest = stranger.get(f"{LIST}?limit=100&cursor={first['next']}").json
    assert [one["match"] for one in first["items"] + rest["items"]] == before + played
    assert rest["next"] is None
    last = rest["items"][-1]
    assert (last["game"], last["of"], last["pace"]) == (GAME, "usual", "live")
    assert [(seat["player"], seat["place"], seat["decided"]) for seat in last["seats"]] == [
        (ada.id, 1, False), (ben.id, 2, False),
    ]  # fmt: skip
    assert code(stranger.get(f"{LIST}?cursor=x")) == (422, "bad_arguments")


def test_matches_that_are_not_rated_are_not_listed(ada, ben, stranger):
    for visibility in ("public", "unlisted", "private"):
        table = ada.creates(game=GAME, seats=[{"kind": "me"}, {"kind": "open"}], visibility=visibility)
        ben.put(f"{table.path}/seats/1")
        ben.plays(table, {"name": "resign", "args": {}})
        assert table["id"] not in stranger.get(LIST).text


def test_ratings_are_recomputed_exactly_from_public_data(app, ada, ben, player, get, beats):
    cem = player(name="Cem")
    tables = [beats(*pair) for pair in ((ada, ben), (ben, cem), (ada, cem), (cem, ada), (ada, ben))]
    rulings.annul_match(app.extensions["dealt"].context, tables[1]["id"], "It was arranged.")
    beats(cem, ben)
    rater = Rater(app.extensions["dealt"].context.store)
    follow(app.extensions["dealt"].context.store, rater.look)
    fold = recompute(get)
    for one in (ada, ben, cem):
        (shown,) = get(f"/players/{handle(one)}/ratings")["items"]
        ours = fold.standings[f"{GAME}:usual:live", one.id]
        assert (round(ours.rating.mu, 1), ours.matches, ours.wins) == (shown["mean"], shown["matches"], shown["wins"])
    assert list(differences(get, fold)) == []


def test_recompute_command_names_a_player_with_a_wrong_rating(app, ada, ben, stranger, get, beats, monkeypatch):
    beats(ada, ben)

    def asked(server, token, query, most_bytes=0):
        response = stranger.get(query.path)
        return response.status_code, response.data

    monkeypatch.setattr(remote, "request_server", asked)
    held = CliRunner().invoke(recompute_command, [])
    assert (held.exit_code, held.stderr) == (0, "")
    assert f"{ada.id}  {GAME}:usual:live" in held.stdout

    def one_less(server, token, query, most_bytes=0):
        status, text = asked(server, token, query)
        return status, text.replace(b'"wins":1', b'"wins":2') if "leaderboards" in query.path else text

    monkeypatch.setattr(remote, "request_server", one_less)
    lied = CliRunner().invoke(recompute_command, [])
    assert lied.exit_code == 1
    assert ada.id in lied.stderr


def test_ratings_of_another_formula_are_not_recomputed():
    with pytest.raises(OtherFormula):
        recompute(lambda path: {"formula": "another", "items": [], "next": None})
