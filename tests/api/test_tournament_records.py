"""The record of a tournament over HTTP: whoever may see it can verify it, with its matches or without."""

import json

from events.formats import trf
from tests.api.client import code
from tests.api.test_tournaments import evening, olga
from tests.proof.test_second_verifier import node, reports

__all__ = ["evening", "node", "olga"]

LINES = "application/x-ndjson"


def verified(client, text):
    return client.send("POST", "/v1/records/verify", {}, data=text, content_type=LINES)


def checks(report):
    return {check["name"]: (check["ok"], check["skipped"], check["seq"]) for check in report["checks"]}


GOOD, OPEN = (True, False, None), (True, True, None)


def test_anybody_can_verify_a_tournament_with_the_matches_at_its_tables(evening, clock, stranger, node):
    """One does not come, one leaves, and a result is ruled."""
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
    assert checks(found) == {"chain": GOOD, "rules": GOOD, "tables": GOOD}
    (theirs,) = reports(node, [(taken.data, ())])
    assert checks(theirs) == checks(found)
    assert taken.headers["ETag"].strip('"').startswith(str(found["version"]))

    alone = stranger.get(f"{one.path}/record").data
    assert taken.data.startswith(alone)
    assert checks(verified(stranger, alone).json) == {"chain": GOOD, "rules": GOOD, "tables": OPEN}

    lines = alone.splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if b'"TableRuled"' in line)
    lines[at] = lines[at].replace(b"As agreed.", b"As I like.")
    changed = checks(verified(stranger, b"".join(lines)).json)
    assert changed["chain"] == (False, False, at)

    kept = json.loads(lines[3])["digest"]
    assert verified_with(stranger, alone, f"3:{kept}")["verdict"] == "verified"
    assert verified_with(stranger, alone, f"3:{'00' * 32}")["verdict"] == "failed"


def verified_with(client, text, head):
    return client.send("POST", f"/v1/records/verify?head={head}", {}, data=text, content_type=LINES).json


def test_the_report_file_has_the_standings(evening, stranger):
    one = evening(4, rounds=2)
    assert code(one.entered().olga.get(f"{one.path}/trf")) == (409, "wrong_phase")
    one.olga.post(f"{one.path}/close", {})
    one.looks().plays().plays()
    taken = stranger.get(f"{one.path}/trf")
    assert (taken.status_code, taken.mimetype) == (200, "text/plain")
    read = trf.read(taken.data)
    standings = stranger.get(f"{one.path}/standings").json["items"]
    assert [(read.players[row.entrant], row.points) for row in read.standings()] == [
        (row["player"]["name"], row["points"]) for row in standings
    ]


def test_an_elimination_has_no_report_file(evening, stranger):
    one = evening(2, format="single_elimination").begun()
    assert code(stranger.get(f"{one.path}/trf")) == (409, "wrong_phase")


def test_the_record_of_a_private_tournament_is_not_for_strangers(olga, stranger, evening):
    one = evening(1, visibility="private", by_invite=True)
    for form in ("record", "record?tables=true", "trf"):
        assert code(stranger.get(f"{one.path}/{form}")) == (404, "not_found")
        assert code(next(iter(one.players.values())).get(f"{one.path}/{form}")) == (404, "not_found")
    assert verified(stranger, olga.get(f"{one.path}/record").data).json["verdict"] == "verified"
