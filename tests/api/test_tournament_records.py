"""Tests tournament records over HTTP: anyone who can see the tournament can verify it, with or without its matches."""

import json

import pytest

from events.formats.trf_reader import read_report
from tests.api.client import code
from tests.api.test_tournaments import RESIGN, evening, olga
from tests.proof.test_second_verifier import node, reports

__all__ = ["evening", "node", "olga"]

LINES = "application/x-ndjson"


def verified(client, text):
    return client.send("POST", "/v1/records/verify", {}, data=text, content_type=LINES)


def checks(report):
    return {check["name"]: (check["ok"], check["skipped"], check["seq"]) for check in report["checks"]}


GOOD, OPEN = (True, False, None), (True, True, None)


@pytest.mark.long
def test_tournament_can_be_verified_with_its_match_records(evening, clock, stranger, node):
    """One player does not show up, one leaves, and a result is ruled."""
    one = evening(5, rounds=3).begun()
    table, other = one.round()["tables"]
    one.sits(table, table["seats"][0]["player"]["id"])
    one.sits(other)
    clock.passes(900)
    one.looks()
    one.resigns(other)
    one.looks()
    one.players[other["seats"][0]["player"]["id"]].delete(f"{one.path}/entries/mine")
    ruled = one.round(2)["tables"][0]
    one.olga.post(f"{one.path}/rounds/2/tables/{ruled['table']}/ruling", {"places": [1, 2], "reason": "As agreed."})
    one.plays().plays()
    assert one.seen()["status"] == "over"

    taken = stranger.get(f"{one.path}/record?tables=true")
    assert (taken.status_code, taken.mimetype) == (200, LINES)
    found = verified(stranger, taken.data).json
    assert checks(found) == {"chain": GOOD, "rules": GOOD, "tables": GOOD, "signatures": OPEN}
    (theirs,) = reports(node, [(taken.data, ())])
    assert checks(theirs) == checks(found)
    assert taken.headers["ETag"].strip('"').startswith(str(found["version"]))

    alone = stranger.get(f"{one.path}/record").data
    assert taken.data.startswith(alone)
    assert checks(verified(stranger, alone).json) == {"chain": GOOD, "rules": GOOD, "tables": OPEN, "signatures": OPEN}

    lines = alone.splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if b'"TableRuled"' in line)
    lines[at] = lines[at].replace(b"As agreed.", b"As I like.")
    changed = checks(verified(stranger, b"".join(lines)).json)
    assert changed["chain"] == (False, False, at)

    kept = json.loads(lines[3])["digest"]
    assert verified_with(stranger, alone, f"3:{kept}")["verdict"] == "unverifiable"
    assert verified_with(stranger, alone, f"3:{'00' * 32}")["verdict"] == "failed"


def verified_with(client, text, head):
    return client.send("POST", f"/v1/records/verify?head={head}", {}, data=text, content_type=LINES).json


def test_report_file_contains_the_standings(evening, stranger):
    one = evening(4, rounds=2)
    assert code(one.entered().olga.get(f"{one.path}/trf")) == (409, "wrong_phase")
    one.olga.post(f"{one.path}/close", {})
    one.looks().plays().plays()
    taken = stranger.get(f"{one.path}/trf")
    assert (taken.status_code, taken.mimetype) == (200, "text/plain")
    read = read_report(taken.data)
    standings = stranger.get(f"{one.path}/standings").json["items"]
    assert [(read.players[row.entrant], row.points) for row in read.standings()] == [
        (row["player"]["name"], row["points"]) for row in standings
    ]
    had = {"If-None-Match": taken.headers["ETag"]}
    assert stranger.get(f"{one.path}/trf", headers=had).status_code == 304
    winner = one.players[standings[0]["player"]["id"]]
    assert winner.patch("/v1/players/me", {"name": "Augusta"}).status_code == 200
    assert "Augusta" in stranger.get(f"{one.path}/trf", headers=had).text


def test_an_elimination_has_no_report_file(evening, stranger):
    one = evening(2, format="single_elimination").begun()
    assert code(stranger.get(f"{one.path}/trf")) == (409, "wrong_phase")


def test_record_of_a_private_tournament_is_hidden_from_outsiders(olga, stranger, evening):
    one = evening(1, visibility="private", by_invite=True)
    for form in ("record", "record?tables=true", "trf"):
        assert code(stranger.get(f"{one.path}/{form}")) == (404, "not_found")
        assert code(next(iter(one.players.values())).get(f"{one.path}/{form}")) == (404, "not_found")
    assert verified(stranger, olga.get(f"{one.path}/record").data).json["verdict"] == "unverifiable"


# --- A private one ------------------------------------------------------------------------------------------

READS = ("", "/events", "/record", "/replay", "/moves", "/expected")
"""Paths at which a running match can be read."""


def invited_all(one, *others):
    handles = [who.handle for who in (*one.players.values(), *others)]
    assert one.olga.post(f"{one.path}/invites", {"players": handles}).status_code == 200
    return one


def test_members_of_a_private_tournament_can_watch_its_matches(evening, ada, ben, stranger, player):
    """Organisers, helpers, invited players and players at other tables see the public view."""
    one, other = invited_all(evening(4, visibility="private", helpers=[ada.handle]), ben).begun(), player()
    here, there = one.round()["tables"]
    for table in (here, there):
        one.sits(table)
    at_the_other = one.players[there["seats"][0]["player"]["id"]]
    path = f"/v1/matches/{here['match']}"
    shown = [who.get(path).json for who in (one.olga, ada, ben, at_the_other)]
    assert all(seen == shown[0] for seen in shown)
    assert shown[0]["your_seats"] == []
    own = one.players[here["seats"][0]["player"]["id"]].get(path).json
    assert list(map(bool, own["table"]["hands"])) == [True, False]
    assert shown[0]["table"]["hands"] == [None, None]
    for read in READS[1:]:
        assert one.olga.get(path + read).status_code == 200, read
    assert code(one.olga.post(f"{path}/moves", RESIGN)) == (403, "not_seated")
    for who in (other, stranger):
        for read in READS:
            refused, absent = who.get(path + read), who.get(f"/v1/matches/{'0' * 20}{read}")
            assert (refused.status_code, refused.data) == (absent.status_code, absent.data) == (404, absent.data), read
        assert here["match"] not in who.get("/v1/matches?limit=100").get_data(as_text=True)


@pytest.mark.long
def test_members_of_a_private_tournament_can_verify_it(evening, ada, player, node):
    one = invited_all(evening(4, visibility="private", helpers=[ada.handle], rounds=1)).begun().plays()
    assert one.seen()["status"] == "over"
    taken = [who.get(f"{one.path}/record?tables=true").data for who in (one.olga, ada, *one.players.values())]
    assert [text.count(b"dealt-record") for text in taken] == [2] * 6
    for text in taken[:3]:
        report = verified(ada, text).json
        assert checks(report) == {"chain": GOOD, "rules": GOOD, "tables": GOOD, "signatures": OPEN}
        (theirs,) = reports(node, [(text, ())])
        assert checks(theirs) == checks(report)
    (first, *_) = one.round(1)["tables"]
    assert code(player().get(f"/v1/matches/{first['match']}/record")) == (404, "not_found")
