"""Tests duplicates over HTTP: named teams, no view of other tables before the end, and a verifiable record."""

import pytest

from events.service import tournament_tables
from tests.api.client import code
from tests.api.test_groups import work
from tests.api.test_tournaments import evening, olga
from tests.draws import first_of
from tests.proof.test_second_verifier import node, reports

__all__ = ["evening", "node", "olga", "work"]

LINES = "application/x-ndjson"


def plays(one, work):
    """Play a round: all players sit down, and the player at each table who sat down last resigns."""
    one.looks()
    work()
    tables = one.round()["tables"]
    for table in tables:
        one.sits(table)
    work()
    for table in tables:
        one.resigns(table)
        work()
    one.looks()


@pytest.mark.long
def test_duplicate_of_teams_runs_and_verifies_in_both_verifiers(evening, work, stranger, node):
    one = evening(4, format="duplicate", fill="bots", teams="tables", rounds=2)
    players = list(one.players.values())
    for n, player in enumerate(players):
        assert player.post(f"{one.path}/entries", {"club": f"team {n % 2}"}).status_code == 200
    assert code(stranger.get(f"{one.path}/entries/mine")) != 200
    assert one.olga.post(f"{one.path}/close", {}).status_code == 200
    assert (one.seen()["format"], one.seen()["teams"], one.seen()["rounds"]) == ("duplicate", "tables", 2)
    plays(one, work)
    seats = [seat for table in one.round(1)["tables"] for seat in table["seats"]]
    assert all(seat["score"] is not None for seat in seats)
    plays(one, work)
    assert one.seen()["status"] == "over"
    rows = stranger.get(f"{one.path}/standings").json["items"]
    assert [row["place"] for row in rows] in ([1, 1, 3, 3], [1, 1, 1, 1])
    assert sum(map(_number, (row["score"] for row in rows))) == 0
    taken = stranger.get(f"{one.path}/record?tables=true").data
    assert len(taken.splitlines()) == one.seen()["version"] + 1 + 4
    report = stranger.send("POST", "/v1/records/verify", {}, data=taken, content_type=LINES).json
    (theirs,) = reports(node, [(taken, ())])
    for found in (report, theirs):
        assert [check["name"] for check in found["checks"] if not check["ok"]] == []
        assert [check["name"] for check in found["checks"] if check["skipped"]] == ["signatures"]


@pytest.mark.long
def test_both_verifiers_find_tables_with_different_deals(evening, work, stranger, node, monkeypatch):
    monkeypatch.setattr(tournament_tables, "make_round", tournament_tables.make_table)
    one = evening(4, format="duplicate", fill="bots", rounds=1).begun()
    plays(one, work)
    assert one.seen()["status"] == "over"
    taken = stranger.get(f"{one.path}/record?tables=true").data
    report = stranger.send("POST", "/v1/records/verify", {}, data=taken, content_type=LINES).json
    (theirs,) = reports(node, [(taken, ())])
    for found in (report, theirs):
        assert [(check["name"], check["ok"]) for check in found["checks"] if not check["ok"]] == [("tables", False)]


def _number(exact):
    top, _, bottom = exact.partition("/")
    return int(top) / int(bottom or 1)


@pytest.mark.parametrize("visibility", first_of(["public", "private"]))
def test_no_player_sees_another_table_before_all_are_over(evening, work, stranger, visibility):
    """Nor does a player with access to a whole private group."""
    one = evening(4, format="duplicate", fill="bots", visibility=visibility)
    assert one.olga.post(f"{one.path}/invites", {"players": [of.handle for of in one.players.values()]}).json
    one.begun()
    work()
    here, there = one.round()["tables"]
    for table in (here, there):
        one.sits(table)
    work()
    one.resigns(here)
    work()
    one.looks()
    mine = {seat["player"]["id"] for seat in there["seats"]}
    for who in (one.olga, stranger, *(one.players[player] for player in mine)):
        for what in ("", "/events", "/record", "/replay"):
            assert who.get(f"/v1/matches/{here['match']}{what}").status_code == 404
    assert {table["how"] for table in one.round()["tables"]} == {"open"}
    assert all(seat["score"] is None for table in one.round()["tables"] for seat in table["seats"])
    assert all(row["score"] == "0" for row in one.olga.get(f"{one.path}/standings").json["items"])
    one.resigns(there)
    work()
    one.looks()
    assert {table["how"] for table in one.round(1)["tables"]} == {"finished"}
    for who in (one.olga, *(one.players[player] for player in mine)):
        assert who.get(f"/v1/matches/{here['match']}").status_code == 200
    assert stranger.get(f"/v1/matches/{here['match']}").status_code == (200 if visibility == "public" else 404)


def test_duplicate_fills_seats_only_with_bots(olga):
    found = olga.post("/v1/tournaments", {"name": "D", "game": "crazy_eights", "format": "duplicate"})
    assert (found.status_code, found.json["code"]) == (422, "bad_options")


def test_pairs_need_a_game_with_partners(olga):
    asked = {"name": "Pairs", "format": "duplicate", "seats": 4, "fill": "bots", "teams": "pairs"}
    alone = olga.post("/v1/tournaments", {**asked, "game": "hearts"})
    assert code(alone) == (422, "bad_options")
    partners = olga.post("/v1/tournaments", {**asked, "game": "gin_rummy"})
    assert (partners.status_code, partners.json["teams"]) == (201, "pairs")


def test_team_must_be_named_and_must_not_be_full(evening):
    one = evening(3, format="duplicate", fill="bots", teams="tables")
    first, second, third = one.players.values()
    assert first.post(f"{one.path}/entries", {}).status_code == 422
    for player in (first, second):
        assert player.post(f"{one.path}/entries", {"club": "reds"}).status_code == 200
    assert code(third.post(f"{one.path}/entries", {"club": "reds"})) == (403, "forbidden")
