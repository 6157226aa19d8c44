"""Tests tournaments with sealed or drafted decks over HTTP: announced, prepared, played and verified."""

from typing import Any

import pytest

from domain.core.collectible import Deck
from events.proof.cited_matches import OTHER
from events.service import entry_backing
from events.service.tournament_pods import prepared_gains
from tests.api.client import Table, code
from tests.api.test_tournament_records import checks, verified
from tests.api.test_tournaments import RESIGN, asked, evening, olga
from tests.proof.test_second_verifier import node, reports

__all__ = ["evening", "node", "olga"]

SEALED: dict[str, Any] = {
    "game": "fivewells",
    "options": {"format": "sealed", "pool": "tournament"},
    "rounds": 1,
    "preparation": {"game": "fivewells_draft", "preset": "sealed", "seats": 4, "clock": {"per_decision_seconds": 600}},
}


def prepares(one):
    """Seat all entrants in their pods and submit the proposed deck."""
    for player in one.players.values():
        takes_seat(one, player)
    for player in one.players.values():
        table = Table({"id": one.seen(player)["your_table"]})
        assert player.plays(table, built(player, table)).status_code in (200, 201)
    return one.looks()


def takes_seat(one, player):
    match = one.seen(player)["your_table"]
    seat = next(i for i, kept in enumerate(player.get(f"/v1/matches/{match}").json["seats"]) if mine(kept, player))
    assert player.put(f"/v1/matches/{match}/seats/{seat}").status_code == 200


def mine(seat, player):
    kept = seat.get("invited") or seat.get("player") or {}
    return kept.get("id") == player.id


def built(player, table):
    """Return the default deck that is proposed."""
    (move,) = [move for move in player.offers(table)["moves"] if move["name"] == "submit_deck"]
    return move["example"]


@pytest.mark.long
def test_tournament_with_sealed_decks_can_be_played_and_verified(evening, stranger, node):
    one = evening(2, **SEALED).begun()
    seen = one.seen()
    assert seen["preparation"]["options"]["passing"] is False
    assert [(sorted(pod["entrants"]), pod["over"]) for pod in seen["preparation"]["pods"]] == [([0, 1], False)]
    assert (seen["status"], seen["round"]) == ("playing", 0)
    prepares(one)
    assert (one.seen()["round"], one.seen()["preparation"]["pods"][0]["over"]) == (1, True)
    early = one.olga.get(f"{one.path}/record?tables=true").data
    assert checks(verified(stranger, early).json)["rules"] == (True, False, None)
    one.plays().looks()
    assert one.seen()["status"] == "over"
    lines = one.olga.get(f"{one.path}/record?tables=true").data
    report = verified(stranger, lines).json
    assert (report["verdict"], checks(report)["tables"]) == ("unverifiable", (True, False, None))
    both_find(node, stranger, early, lines)


def both_find(node, stranger, *records):
    """Check that both verifiers agree on these records; return their findings on the tables."""
    mine = [checks(verified(stranger, lines).json) for lines in records]
    theirs = [checks(report) for report in reports(node, [(lines, []) for lines in records])]
    assert mine == theirs
    return [found["tables"] for found in mine]


def test_pod_with_a_no_show_and_a_resignation_verifies(evening, clock, stranger, node):
    one = evening(3, **SEALED).begun()
    gone, quits, other = one.players.values()
    for player in (quits, other):
        takes_seat(one, player)
    clock.passes(901)
    one.looks()
    for player in (quits, other):
        takes_seat(one, player)
    table = Table({"id": one.seen(quits)["your_table"]})
    assert quits.plays(table, RESIGN).status_code in (200, 201)
    assert other.plays(table, built(other, table)).status_code in (200, 201)
    one.looks().plays().looks()
    assert one.seen()["status"] == "over"
    events = one.olga.get(f"{one.path}/events?limit=500").json["items"]
    repeated = next(event["data"] for event in events if event["type"] == "PodRepeated")
    assert [[*one.players][entrant] for entrant in repeated["absent"]] == [gone.id]
    record = one.olga.get(f"{one.path}/record?tables=true").data
    assert both_find(node, stranger, record) == [(True, False, None)]


@pytest.mark.long
def test_verification_finds_a_deck_that_was_not_built_in_the_pod(evening, stranger, monkeypatch, node):
    one = evening(2, **SEALED).begun()
    prepares(one)

    def another(*asked):
        built = prepared_gains(*asked)
        return Deck((*built.main[1:], built.sideboard[0]), (built.main[0], *built.sideboard[1:]))

    monkeypatch.setattr(entry_backing, "prepared_gains", another)
    one.plays().looks()
    assert one.seen()["status"] == "over"
    lines = one.olga.get(f"{one.path}/record?tables=true").data
    report = verified(stranger, lines).json
    both_find(node, stranger, lines)
    assert {name: found[0] for name, found in checks(report).items() if name != "tables"} == {
        "chain": True,
        "rules": True,
        "signatures": True,
    }
    (tables,) = [check for check in report["checks"] if check["name"] == "tables"]
    assert (tables["ok"], tables["detail"]) == (False, OTHER)


@pytest.mark.long
def test_pod_of_another_tournament_is_refused_in_a_record(evening, stranger, node):
    one = evening(2, **SEALED).begun()
    prepares(one).plays().looks()
    one.looks()
    other = evening(2, **SEALED).begun()
    prepares(other).plays().looks()
    lines = one.olga.get(f"{one.path}/record?tables=true").data.splitlines()
    swapped = other.olga.get(f"{other.path}/record?tables=true").data.splitlines()
    pods = [line for line in lines if b'"PackKept"' in line]
    assert len(pods) == 1
    foreign = next(line for line in swapped if b'"PackKept"' in line)
    forged = b"\n".join([foreign if line in pods else line for line in lines]) + b"\n"
    assert both_find(node, stranger, forged)[0][0] is False


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"preparation": None}, "bad_options"),
        ({"options": {}}, "bad_options"),
        ({"options": {"format": "constructed", "pool": "tournament"}}, "bad_options"),
        ({"preparation": SEALED["preparation"] | {"clock": {}}}, "bad_arguments"),
        ({"preparation": SEALED["preparation"] | {"seats": 9}}, "bad_arguments"),
        ({"preparation": SEALED["preparation"] | {"game": "gin_rummy", "preset": None}}, "bad_arguments"),
        ({"late": 1}, "bad_options"),
        ({"format": "round_robin", "rounds": None}, "bad_options"),
    ],
)
def test_impossible_preparation_is_refused(olga, more, expected):
    assert code(olga.post("/v1/tournaments", asked(**SEALED | more))) == (422, expected)


def test_decks_of_a_tournament_work_only_at_its_tables(olga):
    options = SEALED["options"]
    body = {"game": "fivewells", "options": options, "seats": [{"kind": "me"}, {"kind": "open"}]}
    assert code(olga.post("/v1/matches", body)) == (409, "nothing_gained")
