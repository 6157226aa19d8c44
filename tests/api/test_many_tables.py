"""Tests tournaments of many tables over HTTP: players find their next table in the inbox, and anyone can verify it."""

import json

import pytest

from domain.core.values import with_fields
from domain.match.stakes import BringStacks
from events.service import tournament_tables
from tests.api.client import Table, code
from tests.api.test_tournaments import Evening
from tests.proof.test_second_verifier import node, reports

__all__ = ["node"]

POKER = {"game": "holdem", "format": "multi_table", "options": {"format": "sng", "starting_stack": 60}}
MANY = {**POKER, "seats": 3, "fill": "short"}


@pytest.fixture
def night(app, player):
    def night(count=5, **more):
        olga = player(name="Olga")
        return Evening(app, olga, [player(name=f"Player {n}") for n in range(count)], **MANY | more)

    return night


def acts(one):
    """Let all players who must act go all-in or call, at the tables in their inboxes; return their number."""
    moved = 0
    for who in one.players.values():
        for waits in who.get("/v1/inbox").json["items"]:
            if waits["kind"] != "turn":
                continue
            moves = who.get(f"/v1/matches/{waits['match']}/moves").json["moves"]
            names = [move["name"] for move in moves]
            name = next(name for name in ("all_in", "call", "check", "fold") if name in names)
            found = who.plays(Table({"id": waits["match"]}), {"name": name, "args": {}})
            assert found.status_code in (200, 201), found.json
            moved += 1
    return moved


def test_all_players_sit_at_their_first_table_immediately(night):
    one = night().begun()
    shown = one.seen()
    assert (shown["format"], shown["stack"]) == ("multi_table", 60)
    rows = one.olga.get(f"{one.path}/standings").json["items"]
    assert [(row["place"], row["chips"]) for row in rows] == [(1, 60)] * 5
    assert acts(one) >= 2


def hands(one):
    """Return each player's next table as the finished table shows it, and the actual next table."""
    before = {who: one.seen(who)["your_table"] for who in one.players.values()}
    while acts(one):
        pass

    def told():
        return {who: who.get(f"/v1/matches/{match}").json["tournament"]["your_next"] for who, match in before.items()}

    return told


def test_table_names_the_players_next_table(night):
    one = night().begun()
    told = hands(one)
    assert set(told().values()) == {None}
    one.looks()
    then = {who: one.seen(who)["your_table"] for who in one.players.values()}
    assert told() == then
    assert any(then.values())
    match = next(filter(None, then.values()))
    who = next(who for who, there in then.items() if there == match)
    shown = who.get(f"/v1/matches/{match}").json
    assert (shown["status"], shown["tournament"]["your_next"]) == ("playing", None)  # it is being played


@pytest.mark.long
def test_tournament_can_be_played_by_following_the_inbox_and_verified(night, stranger, node):
    one, seen = (
        night(options=POKER["options"] | {"minutes_per_level": 5}, closes_at="2100-01-01T19:00:00Z").begun(),
        set(),
    )
    while one.seen()["status"] == "playing":
        seen |= {one.seen(who)["your_table"] for who in one.players.values()}
        assert acts(one)
        one.looks()
    rows = one.olga.get(f"{one.path}/standings").json["items"]
    assert [row["chips"] for row in rows] == [300, 0, 0, 0, 0]
    assert len(seen - {None}) > 2
    lines = one.olga.get(f"{one.path}/record?tables=true").get_data().splitlines()

    def verified(changed):
        text = b"\n".join(changed)
        return stranger.post("/v1/records/verify", data=text, content_type="application/x-ndjson").json

    report = verified(lines)
    assert [check for check in report["checks"] if not check["ok"]] == []
    assert [check["name"] for check in report["checks"] if check["skipped"]] == ["signatures"]
    kinds = [json.loads(line).get("type") for line in lines]
    assert {"TableStaked", "StackMoved", "TableBroken", "PayoutMade"} <= set(kinds)
    at = kinds.index("StackMoved")
    moved = json.loads(lines[at])
    moved["data"]["stack"] += 1
    forged = [*lines[:at], json.dumps(moved).encode(), *lines[at + 1 :]]
    assert verified(forged)["verdict"] == "failed"
    theirs = reports(node, [(b"\n".join(text) + b"\n", ()) for text in (lines, forged)])
    assert [report["verdict"] for report in theirs] == ["unverifiable", "failed"]


@pytest.mark.long
def test_verification_finds_stacks_that_differ_from_the_tournament(night, stranger, node, monkeypatch):
    right = tournament_tables._stacks_and_players

    def wrong(t, row, seats):
        (seat, bring), *rest = right(t, row, seats)
        stacks = bring.stakes.stacks
        return [(seat, BringStacks(with_fields(bring.stakes, stacks=(*stacks[1:], stacks[0])))), *rest]

    monkeypatch.setattr(tournament_tables, "_stacks_and_players", wrong)
    one = night().begun()
    while one.seen()["status"] == "playing":
        assert acts(one)
        one.looks()
    record = one.olga.get(f"{one.path}/record?tables=true").get_data()
    found = stranger.post("/v1/records/verify", data=record, content_type="application/x-ndjson").json
    assert [check["name"] for check in found["checks"] if not check["ok"]] == ["tables"]
    (theirs,) = reports(node, [(record, ())])
    assert [check["name"] for check in theirs["checks"] if not check["ok"]] == ["tables"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": "crazy_eights", "options": {}},
        {"options": {"format": "cash"}},
        {"options": {"format": "sng", "minutes_per_level": 5}},  # and no time from which they are counted
        {"options": {"format": "sng", "rated": True}, "clock": {"per_decision_seconds": 60}},
        {"seats": 2},
        {"fill": "bots"},
        {"late": 2},
    ],
)
def test_unsupported_game_for_many_tables_is_refused(player, wrong):
    made = player(name="Olga").post("/v1/tournaments", {"name": "Night", **MANY, **wrong})
    assert code(made) == (422, "bad_options")


def test_number_of_hands_per_round_cannot_be_chosen(player):
    made = player(name="Olga").post("/v1/tournaments", {"name": "Night", **MANY, "hands": 5})
    assert made.status_code == 422
