"""Tests tournaments over HTTP: they can be created, entered, played and read by their audience."""

import csv
import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from io import BytesIO, StringIO
from typing import Any

import pytest

from events.operations.audit_streams import audit_stream
from events.proof.documents import verify_document
from events.service import tournament_rounds
from events.service.tournament_rounds import ranked_entrants
from events.settings import Settings
from events.store.player_records import DecisionRow
from events.store.tables import decision_rows, outage_rows, tournament_rows
from events.times import write_time
from tests.api.client import Client, Table, code, waits
from tests.api.test_events import parsed
from tests.proof.test_second_verifier import node, reports
from tests.proof.test_tournament_records import lines, linked
from workers.tournament_runner import TournamentRunner

__all__ = ["node"]

RESIGN = {"name": "resign", "args": {"whole_match": True}}
NOBODY = "0" * 20


def asked(**more):
    return {"name": "Friday", "game": "crazy_eights", "format": "swiss", "options": {"on_resign": "end"}, **more}


class Evening:
    """Return a tournament, with its organiser and its players."""

    def __init__(self, app, olga, players, **more):
        self.app, self.olga, self.players = app, olga, {one.id: one for one in players}
        made = olga.post("/v1/tournaments", asked(**more))
        assert made.status_code == 201, made.json
        self.path = made.headers["Location"]
        self.runner = TournamentRunner(app.extensions["dealt"].context)

    def seen(self, by=None):
        return (by or self.olga).get(self.path).json

    def entered(self):
        for one in self.players.values():
            found = one.post(f"{self.path}/entries", {})
            assert found.status_code == 200, found.json
        return self

    def begun(self):
        self.entered()
        assert self.olga.post(f"{self.path}/close", {}).status_code == 200
        return self.looks()

    def looks(self):
        while not self.runner.look():
            pass
        return self

    def round(self, n=None):
        return self.olga.get(f"{self.path}/rounds/{n or self.seen()['round']}").json

    def sits(self, table, *absent):
        """Let the players of a table take their seats, except these."""
        for seat in table["seats"]:
            if seat["player"] and seat["player"]["id"] not in absent:
                one = self.players[seat["player"]["id"]]
                found = one.put(f"/v1/matches/{table['match']}/seats/{seat['seat']}")
                assert found.status_code == 200, found.json

    def resigns(self, table, who=None):
        """Let a player resign, by default the last one present who joined."""
        there = [seat["player"]["id"] for seat in table["seats"] if seat["player"]]
        entrants = {seat["player"]["id"]: seat["entrant"] for seat in table["seats"] if seat["player"]}
        loser = self.players[who or max(there, key=entrants.__getitem__)]
        found = loser.plays(Table({"id": table["match"]}), RESIGN)
        assert found.status_code in (200, 201), found.json

    def plays(self):
        for table in self.round()["tables"]:
            if table["how"] == "open":
                self.sits(table)
                self.resigns(table)
        return self.looks()


@pytest.fixture
def olga(player):
    return player(name="Olga")


@pytest.fixture
def evening(app, olga, player):
    def evening(count=4, **more):
        return Evening(app, olga, [player(name=f"Player {n}") for n in range(count)], **more)

    return evening


# --- Who sits down ------------------------------------------------------------------------------------------


def test_round_shows_seated_players_once_its_matches_are_created(evening):
    one = evening(2, rounds=1).entered()
    assert one.olga.post(f"{one.path}/close", {}).status_code == 200
    ann, ben = one.players.values()

    def sit():
        return [seat["seated"] for seat in one.round(1)["tables"][0]["seats"]]

    before = one.olga.get(f"{one.path}/rounds/1").headers["ETag"]
    assert (sit(), one.seen(ann)["your_table_made"]) == ([None, None], False)
    one.looks()
    assert (sit(), one.seen(ann)["your_table_made"]) == ([False, False], True)
    (table,) = one.round(1)["tables"]
    one.sits(table, table["seats"][1]["player"]["id"])
    assert sit() == [True, False]
    again = one.olga.get(f"{one.path}/rounds/1", headers={"If-None-Match": before})
    assert again.status_code == 200
    one.sits(table, table["seats"][0]["player"]["id"])
    assert sit() == [True, True]
    one.resigns(table, ben.id)
    one.looks()
    assert (sit(), one.seen(ann)["your_table_made"]) == ([None, None], False)


def test_match_of_a_table_shows_the_deadline_for_taking_seats(evening, clock, monkeypatch):
    one = evening(2, rounds=1, show_up_seconds=600).begun()
    (table,) = one.round(1)["tables"]
    until = clock() + 600_000
    assert one.olga.sees(Table({"id": table["match"]}))["seats_until"] == write_time(until)
    clock.passes(10)
    monkeypatch.setattr(outage_rows, "outages_since", lambda _, since, now: [(since + 1_000, now - 4_000)])
    assert one.olga.sees(Table({"id": table["match"]}))["seats_until"] == write_time(until + 5_000)
    one.sits(table)
    assert one.olga.sees(Table({"id": table["match"]}))["seats_until"] is None


# --- A whole one --------------------------------------------------------------------------------------------


def test_swiss_finishes_despite_a_withdrawn_and_an_erased_player(evening, stranger):
    one = evening(5, rounds=3).begun()
    players = list(one.players.values())
    seen = one.seen(players[0])
    assert (seen["status"], seen["round"], seen["open"], seen["entrants"]) == ("playing", 1, True, 5)
    assert seen["your_entrant"] == 0
    first = one.round(1)
    assert len(first["tables"]) == 2
    assert len(first["byes"]) == 1
    assert all(table["met"] == [] and table["how"] == "open" for table in first["tables"])
    waiting = players[first["tables"][0]["seats"][0]["entrant"]]
    (kept,) = waiting.get("/v1/inbox").json["items"]
    assert (kept["kind"], kept["match"]) == ("invitation", first["tables"][0]["match"])
    assert one.seen(waiting)["your_table"] == kept["match"]
    played_at = waiting.get(f"/v1/matches/{kept['match']}").json["tournament"]
    assert played_at == {"id": one.seen()["id"], "round": 1, "table": 0, "your_next": None}
    one.plays()
    assert players[4].delete(f"{one.path}/entries/mine").status_code == 200
    name, handle = (players[1].get("/v1/players/me").json[part] for part in ("name", "handle"))
    assert any(name in answer for answer in everything_said(one))
    assert players[1].delete("/v1/players/me").status_code == 204
    del one.players[players[1].id]
    for _ in range(2):
        for table in one.round()["tables"]:
            here = [seat["player"]["id"] for seat in table["seats"]]
            if players[1].id in here:
                ruled = {"places": [1 + (who == players[1].id) for who in here], "reason": "Erased."}
                n = one.seen()["round"]
                address = f"{one.path}/rounds/{n}/tables/{table['table']}/ruling"
                assert one.olga.post(address, ruled).status_code == 200
            elif table["how"] == "open":
                one.sits(table)
                one.resigns(table)
        one.looks()
    done = one.seen()
    assert (done["status"], done["round"], done["open"]) == ("over", 3, False)
    rows = one.olga.get(f"{one.path}/standings").json["items"]
    assert next(row["points"] for row in rows if row["entrant"] == 0) == 9
    assert sorted(row["entrant"] for row in rows) == list(range(5))
    assert [row["player"]["name"] for row in rows if row["entrant"] == 1] == [None]
    assert [row["left"] for row in rows if row["entrant"] == 4] == [True]
    listed = stranger.get(f"{one.path}/rounds").json["items"]
    assert [(row["round"], row["closed"], row["open_tables"]) for row in listed] == [(n, True, 0) for n in (1, 2, 3)]
    first = one.round(1)
    assert {table["how"] for table in first["tables"]} == {"finished"}
    assert all(sorted(seat["place"] for seat in table["seats"]) == [1, 2] for table in first["tables"])
    assert stranger.get(f"/v1/matches/{first['tables'][0]['match']}").json["status"] == "finished"
    for answer in everything_said(one):
        assert name not in answer
        assert handle not in answer


def erased(one, player):
    assert player.delete("/v1/players/me").status_code == 204
    return one.players.pop(player.id)


def test_erased_player_is_not_paired_again(evening):
    one = evening(4, rounds=3).begun()
    gone = erased(one, one.players[one.round()["tables"][0]["seats"][1]["player"]["id"]])
    assert [event["data"]["entrant"] for event in happened(one, "PlayerWithdrew")] == [
        row["entrant"] for row in one.olga.get(f"{one.path}/entries").json["items"] if row["player"]["id"] == gone.id
    ]
    assert one.olga.post(f"{one.path}/rounds/1/tables/0/ruling", {"places": [1, 2], "reason": "Gone."}).is_json
    one.plays()
    assert one.seen()["round"] == 2
    there = [seat["player"]["id"] for table in one.round()["tables"] for seat in table["seats"] if seat["player"]]
    assert gone.id not in there


def test_erased_player_does_not_move_up_from_the_waiting_list(evening):
    one = evening(4, most=2, most_waiting=2).entered()
    first, _, third, fourth = one.players.values()
    erased(one, third)
    assert first.delete(f"{one.path}/entries/mine").status_code == 200
    listed = one.olga.get(f"{one.path}/entries").json
    assert [row["player"]["id"] for row in listed["items"] if row["left_after"] is None][-1] == fourth.id
    assert listed["waiting"] == []
    shown = [event["data"] for event in happened(one, "PlayerStoppedWaiting")]
    assert shown == [{"player": third.id, "waiting": [fourth.id]}]


def test_erased_player_leaves_no_trace_in_a_finished_tournament(evening):
    one = evening(2, rounds=1).begun().plays()
    before = one.seen()["version"]
    erased(one, next(iter(one.players.values())))
    assert one.seen()["version"] == before


def everything_said(one):
    """Return everything about a tournament that is sent to its organiser, including the list of tournaments."""
    rounds = ["/rounds", *(f"/rounds/{n}" for n in range(1, one.seen()["round"] + 1))]
    parts = ["", "/entries", "/standings", *rounds, "/events", "/record", "/trf"]
    asked = [(f"{one.path}{part}", "*/*") for part in parts]
    asked += [(f"{one.path}/standings", kind) for kind in ("text/csv", "application/x-ndjson")]
    asked += [("/v1/tournaments", "*/*"), ("/v1/inbox", "*/*")]
    for path, kind in asked:
        found = one.olga.get(path, headers={"Accept": kind})
        assert found.status_code == 200, (path, found.json)
        yield found.get_data(as_text=True)


def test_reason_must_not_name_a_player(evening):
    one = evening(2).begun()
    address = f"{one.path}/rounds/1/tables/0/ruling"
    handle = one.olga.get(f"{one.path}/entries").json["items"][1]["player"]["handle"]
    for reason in ("Then player 0 conceded.", f"({handle.upper()}) has cheated.", "Olga says so."):
        refused = one.olga.post(address, {"places": [1, 2], "reason": reason})
        assert (refused.status_code, [*refused.json["errors"]]) == (422, ["reason"])
        assert one.olga.post(f"{one.path}/pause", {"reason": reason}).status_code == 422
        assert one.olga.post(f"{one.path}/cancel", {"reason": reason}).status_code == 422
        assert one.olga.post(f"{one.path}/disqualifications", {"entrant": 0, "reason": reason}).status_code == 422
    assert one.seen(one.olga)["round"] == 1
    for reason in ("PLAYER-0 cheats", "Players 0", "Pláyer  0's", "(player_0)", "P l a y e r 0", f"@{handle}!"):
        refused = one.olga.post(address, {"places": [1, 2], "reason": reason})
        assert (refused.status_code, [*refused.json["errors"]]) == (422, ["reason"]), reason
    stranger = next(iter(one.players.values())).post(address, {"places": [1, 2], "reason": "Olga says so."})
    assert stranger.status_code == 403
    assert one.olga.post(address, {"places": [1, 2], "reason": "Entrant 0 conceded to player 01."}).status_code == 200


def test_tournament_and_club_names_cannot_contain_a_players_name(evening, olga, player):
    """Both names stay in the log permanently, and an erased player must not be identifiable by them."""
    ada = player(name="Ada Lund")
    for name in ("Olga Memorial", "The OLGA's cup", "Ada-Lund-Cup", "Für Ádas Lund"):
        refused = olga.post("/v1/tournaments", asked(name=name, helpers=[ada.handle]))
        assert (refused.status_code, [*refused.json["errors"]]) == (422, ["name"]), name
    one = evening(2, helpers=[ada.handle]).entered()
    cid = player(name="Cid")
    for club in ("Cid", "Player 1", "cid's club", "ada lund fans"):
        refused = cid.post(f"{one.path}/entries", {"club": club})
        assert (refused.status_code, [*refused.json["errors"]]) == (422, ["club"]), club
    assert cid.post(f"{one.path}/entries", {"club": "Placid Players"}).status_code == 200
    assert one.olga.get(f"{one.path}/entries").json["items"][2]["club"] == "Placid Players"
    assert cid.delete("/v1/players/me").status_code == 204
    assert one.olga.get(f"{one.path}/entries").json["items"][2]["club"] is None


def test_tied_elimination_table_is_played_again(evening):
    one = evening(2, format="single_elimination").begun()
    (table,) = one.round()["tables"]
    one.sits(table)
    players = [one.players[seat["player"]["id"]] for seat in table["seats"]]
    match = Table({"id": table["match"]})
    assert players[0].plays(match, {"name": "offer_draw", "args": {}}).status_code == 200
    assert players[1].plays(match, {"name": "accept_draw", "args": {}}).status_code == 200
    one.looks()
    (again,) = one.round()["tables"]
    assert again["earlier_matches"] == [table["match"]]
    assert again["match"] != table["match"]
    one.plays()
    assert one.seen()["status"] == "over"


def test_eliminated_player_is_notified_while_others_still_play(evening, stranger):
    one = evening(4, format="single_elimination").begun()
    first, other = one.round()["tables"]
    one.sits(first)
    assert not any(one.seen(who)["you_are_out"] for who in one.players.values())
    one.resigns(first)
    one.looks()
    assert one.seen()["open"]
    there = [one.players[seat["player"]["id"]] for seat in first["seats"]]
    assert sorted(one.seen(who)["you_are_out"] for who in there) == [False, True]
    assert not any(one.seen(one.players[seat["player"]["id"]])["you_are_out"] for seat in other["seats"])
    assert (one.seen()["you_are_out"], one.seen(stranger)["you_are_out"]) == (False, False)
    loser = next(who for who in there if one.seen(who)["you_are_out"])
    assert (one.seen(loser)["your_table"], one.seen(loser)["your_entrant"]) == (None, list(one.players).index(loser.id))


def plays_as_offered(one, table):
    """Let the players of a table make offered moves until it is over; return its last state."""
    match, players = Table({"id": table["match"]}), [one.players[seat["player"]["id"]] for seat in table["seats"]]
    while (seen := one.olga.sees(match))["status"] == "playing":
        seat = seen["to_act"][0]
        assert players[seat].plays(match).status_code == 200
    return seen


@pytest.mark.long
def test_tie_at_a_table_of_four_is_decided_by_one_hand(evening, stranger, node, store):
    """One player resigns, so the others tie; a hand decides, and another one if it leaves a tie."""
    options = {"target_score": 100, "on_resign": "end", "rated": False}
    one = evening(4, format="single_elimination", seats=4, fill="bots", options=options).begun()
    seen = one.seen()
    assert seen["deciding_options"] == seen["options"] | {"target_score": None, "on_resign": "bot"}
    (table,) = one.round()["tables"]
    one.sits(table)
    assert one.olga.sees(Table({"id": table["match"]}))["options"] == seen["options"]
    one.resigns(table)
    one.looks()
    while one.seen()["status"] == "playing":
        (again,) = one.round()["tables"]
        one.sits(again)
        over = plays_as_offered(one, again)
        assert (over["options"], over["series"]["best_of"]) == (seen["deciding_options"], 1)
        one.looks()
    (decided,) = one.round()["tables"]
    assert decided["earlier_matches"][0] == table["match"]
    assert [seat["place"] for seat in decided["seats"] if seat["entrant"] == 3] == [4]
    record = stranger.get(f"{one.path}/record?tables=true").data
    _, ours = verify_document(BytesIO(record))
    (theirs,) = reports(node, [(record, ())])
    assert [check.name for check in ours.checks if check.ok and not check.skipped] == ["chain", "rules", "tables"]
    assert theirs["verdict"] == ours.verdict == "unverifiable"
    assert [check for check in audit_stream(store, one.path.rsplit("/", 1)[1]).checks if not check.ok] == []


@pytest.mark.parametrize("form", ["round_robin", "double_elimination"])
def test_every_other_format_finishes(evening, form):
    one = evening(3, format=form).begun()
    while one.seen()["status"] == "playing":
        one.plays()
    rows = one.olga.get(f"{one.path}/standings").json["items"]
    assert rows[0]["entrant"] == 0


SIT_AND_GO = {"game": "holdem", "options": {"format": "sng"}}


def ends_by_number(one, first=min):
    """End the tables of the open round; the first player to resign a sit-and-go is last. Return the losers by table."""
    out = []
    for table in one.round()["tables"]:
        one.sits(table)
        by_number = {seat["entrant"]: seat["player"]["id"] for seat in table["seats"] if seat["player"]}
        winner = first(by_number)
        losers = sorted((who for who in by_number if who != winner), reverse=True)
        for loser in losers:
            one.resigns(table, by_number[loser])
        out.append(losers)
    one.looks()
    return out


def test_shoot_out_of_sit_and_go_tables_is_ranked_by_round_and_place(evening):
    one = evening(5, **SIT_AND_GO, format="shoot_out", seats=3, fill="short", most=9).begun()
    out = []
    while one.seen()["status"] == "playing":
        out += ends_by_number(one)
    rows = one.olga.get(f"{one.path}/standings").json["items"]
    (three, two, final) = sorted(out[:2], key=len, reverse=True) + out[2:]
    assert {row["entrant"]: row["place"] for row in rows} == {0: 1, final[0]: 2, three[1]: 3, two[0]: 3, three[0]: 5}


@pytest.mark.long
def test_double_elimination_at_larger_tables_finishes(evening):
    """One of seven leaves. The unbeaten player loses the last table once, and wins the next."""
    plan = {"format": "double_elimination", "seats": 4, "fill": "short", "advance": 2}
    one = evening(7, **SIT_AND_GO, **plan).begun()
    ends_by_number(one)
    on = [sorted(seat["entrant"] for seat in table["seats"] if seat["advances"]) for table in one.round(1)["tables"]]
    assert [len(there) for there in on] == [2, 2]
    assert [len(table["seats"]) for table in one.round()["tables"]] == [4, 3]
    assert sorted(seat["entrant"] for seat in one.round()["tables"][0]["seats"]) == sorted(on[0] + on[1])
    assert {seat["advances"] for table in one.round()["tables"] for seat in table["seats"]} == {None}
    players = list(one.players.values())
    _, once = one.round()["tables"]
    gone = min(seat["entrant"] for seat in once["seats"])
    assert players[gone].delete(f"{one.path}/entries/mine").status_code == 200
    while len(one.round()["tables"]) > 1 or one.round()["byes"]:
        ends_by_number(one)
    ends_by_number(one, first=max)
    while one.seen()["status"] == "playing":
        ends_by_number(one)
    rows = one.olga.get(f"{one.path}/standings").json["items"]
    assert rows[0]["entrant"] == 0
    assert [row["place"] for row in rows if row["entrant"] == gone] == [6]  # behind those who leave in the round after
    _, report = verify_document(BytesIO(one.olga.get(f"{one.path}/record").data))
    assert [check.name for check in report.checks if check.ok and not check.skipped] == ["chain", "rules"]


def test_no_show_loses_the_table(evening, clock):
    one = evening(2, rounds=1).begun()
    (table,) = one.round()["tables"]
    absent = table["seats"][0]["player"]["id"]
    one.sits(table, absent)
    clock.passes(900)
    one.looks()
    (table,) = one.round(1)["tables"]
    assert table["how"] == "forfeited"
    assert [(seat["place"], seat["absent"]) for seat in table["seats"]] == [(2, True), (1, False)]


@pytest.mark.long
def test_present_player_has_a_match_whose_record_shows_the_absent_one(evening, clock, node):
    one = evening(2, rounds=1, clock={"per_decision_seconds": 60}).begun()
    (table,) = one.round()["tables"]
    absent, there = (seat["player"]["id"] for seat in table["seats"])
    one.sits(table, absent)
    clock.passes(900)
    one.looks()
    assert one.olga.get(f"/v1/matches/{table['match']}").json["status"] == "playing"
    one.resigns(table, there)
    one.looks()
    (table,) = one.round(1)["tables"]
    assert table["how"] == "finished"
    assert [(seat["place"], seat["absent"]) for seat in table["seats"]] == [(1, True), (2, False)]
    about, *rest = map(json.loads, one.olga.get(f"{one.path}/record?tables=true").data.splitlines())
    made = {"about": about, "events": rest[: about["version"]], "tables": rest[about["version"] :]}
    finished = next(event["data"] for event in made["events"] if event["type"] == "TableFinished")
    assert finished["absent"] == [finished["result"]["seats"][0]]
    sound = lines(made)
    finished["absent"] = []
    forged = lines(linked(made))
    for text, tables in ((sound, True), (forged, False)):
        mine = asdict(verify_document(BytesIO(text))[1])
        for report in (mine, *reports(node, [(text, ())])):
            found = {check["name"]: check["ok"] for check in report["checks"]}
            assert found == {"chain": True, "rules": True, "tables": tables, "signatures": True}, report


# --- Announcing ---------------------------------------------------------------------------------------------


def test_tournament_shows_its_announced_plan(olga, ada, stranger):
    made = olga.post(
        "/v1/tournaments",
        asked(seats=3, rounds=2, fill="short", helpers=[ada.handle], closes_at="2100-01-01T00:00:00Z", late=1),
    )
    shown = made.json
    assert (shown["seats"], shown["rounds"], shown["fill"], shown["late"]) == (3, 2, "short", 1)
    assert shown["options"]["seats_per_player"] == 1
    assert shown["closes_at"] == "2100-01-01T00:00:00.000Z"
    assert [one["handle"] for one in shown["helpers"]] == [ada.handle]
    assert (shown["you_run_it"], shown["status"], shown["entrants"]) == (True, "announced", 0)
    seen = stranger.get(made.headers["Location"])
    assert seen.headers["ETag"] == made.headers["ETag"]
    assert seen.json == shown | {"you_run_it": False}


@pytest.mark.parametrize(
    ("plan", "changes"),
    [
        ({"format": "swiss"}, None),
        ({"format": "round_robin", "most": 8}, None),
        ({"format": "swiss", "cut": 4}, {"target_score": 10}),
        ({"format": "single_elimination"}, {"target_score": 10}),
        ({"format": "double_elimination", "seats": 4, "fill": "bots"}, {"target_score": 10}),
        # At a table of three, one player sits out each hand.
        ({"format": "shoot_out", "seats": 4, "fill": "short"}, None),
    ],
)
def test_deciding_match_exists_only_in_eliminations_and_is_not_rated(olga, plan, changes):
    rated = {"options": {"rated": True}, "clock": {"per_decision_seconds": 60}}
    made = olga.post("/v1/tournaments", asked(game="gin_rummy", **rated, **plan))
    assert made.status_code == 201, made.json
    expected = None if changes is None else made.json["options"] | changes | {"rated": False}
    assert made.json["deciding_options"] == expected


@pytest.mark.parametrize(
    ("game", "seats", "fill", "by_whom"), [("trio", 4, "bots", "bot"), ("gin_rummy", 2, "bye", "end")]
)
def test_resigning_does_not_end_a_deciding_match_at_larger_tables(olga, game, seats, fill, by_whom):
    """Otherwise all the others would tie again, however often that player resigned."""
    ends = {"options": {"on_resign": "end"}, "format": "single_elimination", "seats": seats, "fill": fill}
    made = olga.post("/v1/tournaments", asked(game=game, **ends))
    assert made.status_code == 201, made.json
    assert made.json["deciding_options"]["on_resign"] == by_whom


@pytest.mark.parametrize(("by", "seconds"), [({}, 900), ({"per_decision_seconds": 86_400}, 3 * 86_400)])
def test_slow_matches_give_days_to_take_a_seat(olga, by, seconds):
    made = olga.post("/v1/tournaments", asked(clock=by))
    assert made.status_code == 201, made.json
    assert made.json["show_up_seconds"] == seconds
    assert olga.post("/v1/tournaments", asked(clock=by, show_up_seconds=60)).json["show_up_seconds"] == 60


def test_repeated_creation_makes_one_tournament(olga):
    sent = [olga.post("/v1/tournaments", asked(), headers={"Idempotency-Key": "evening"}) for _ in range(2)]
    assert sent[0].json == sent[1].json
    assert sent[1].headers["Idempotency-Replayed"] == "true"
    other = olga.post("/v1/tournaments", asked(name="Other"), headers={"Idempotency-Key": "evening"})
    assert code(other) == (422, "idempotency_mismatch")


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"game": "hearts", "seats": 2, "options": {}}, "bad_arguments"),
        ({"format": "round_robin", "seats": 4}, "bad_options"),
        ({"format": "swiss", "cut": 5}, "bad_arguments"),
        ({"format": "league", "rounds": 3}, "bad_options"),
        ({"helpers": ["no-such-handle-x"]}, "bad_arguments"),
        ({"closes_at": "2001-01-01T00:00:00Z"}, "bad_arguments"),
        ({"options": {"no_such": 1}}, "bad_options"),
        ({"options": {"rated": True}}, "bad_options"),
        ({"options": {"rated": True}, "clock": {"per_decision_seconds": 60}, "visibility": "private"}, "bad_options"),
        (
            {
                "format": "duplicate",
                "game": "hearts",
                "seats": 4,
                "fill": "bots",
                "options": {"rated": True},
                "clock": {"per_decision_seconds": 60},
            },
            "bad_options",
        ),
        ({"name": ""}, "bad_arguments"),
        ({"prizes": 1}, "bad_arguments"),
        ({"game": "fivewells_draft", "options": {}}, "bad_options"),
    ],
)
def test_impossible_tournament_is_refused(olga, more, expected):
    assert code(olga.post("/v1/tournaments", asked(**more))) == (422, expected)


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"least_rating": 900, "most_rating": 100}, "least_rating"),
        ({"seats": 4, "most": 3}, "most"),
        ({"format": "duplicate", "game": "hearts", "options": {}, "seats": 4, "fill": "bots", "most": 4}, "most"),
    ],
)
def test_impossible_entry_conditions_are_rejected_on_their_field(olga, more, field):
    refused = olga.post("/v1/tournaments", asked(**{"game": "hearts", "options": {}} | more))
    assert (refused.status_code, [*refused.json["errors"]]) == (422, [field])


def test_equal_rating_bounds_and_places_for_one_table_are_valid(olga):
    more = {"game": "hearts", "options": {}, "least_rating": 900, "most_rating": 900, "seats": 4, "most": 4}
    assert olga.post("/v1/tournaments", asked(**more)).status_code == 201


def test_anonymous_caller_cannot_create_or_enter(stranger, evening):
    assert stranger.post("/v1/tournaments", asked()).status_code == 401
    assert stranger.post(f"{evening(1).path}/entries", {}).status_code == 401


# --- Lists --------------------------------------------------------------------------------------------------


def test_all_or_only_your_own_tournaments_are_listed_in_pages(evening, olga, stranger, clock):
    made = []
    for _ in range(3):
        clock.passes(1)
        made.append(evening(1).entered())
    ids = [one.path.rpartition("/")[2] for one in made]
    mine = olga.get("/v1/tournaments?mine=true&limit=2").json
    assert [row["id"] for row in mine["items"]] == ids[:0:-1]
    rest = olga.get(f"/v1/tournaments?mine=true&limit=2&cursor={mine['next']}").json
    assert ([row["id"] for row in rest["items"]], rest["next"]) == (ids[:1], None)
    (player,) = made[1].players.values()
    assert [row["id"] for row in player.get("/v1/tournaments?mine=true").json["items"]] == [ids[1]]
    assert set(ids) <= {row["id"] for row in stranger.get("/v1/tournaments?limit=100").json["items"]}
    assert stranger.get("/v1/tournaments?mine=true").status_code == 401
    assert olga.get("/v1/tournaments?mine=true&status=over").json["items"] == []
    assert olga.get("/v1/tournaments?mine=true&game=hearts").json["items"] == []


# --- Who may see it, and who may do what --------------------------------------------------------------------

READS = ("", "/entries", "/standings", "/rounds", "/rounds/1", "/events")


def test_private_tournament_is_hidden_from_others(evening, olga, ada, stranger):
    one = evening(0, visibility="private")
    for who in (ada, stranger):
        for path in READS:
            there, not_there = who.get(one.path + path), who.get(f"/v1/tournaments/{NOBODY}{path}")
            assert (there.status_code, there.json) == (not_there.status_code, not_there.json) == (404, there.json)
    for method, path, sent in WRITES:
        assert ada.send(method, one.path + path, json=sent).status_code == 404
    assert one.path.rpartition("/")[2] not in ada.get("/v1/tournaments?limit=100").get_data(as_text=True)
    assert olga.post(f"{one.path}/invites", {"players": [ada.handle]}).status_code == 200
    assert ada.get(one.path).status_code == 200
    assert ada.post(f"{one.path}/entries", {}).json["your_entrant"] == 0


def test_private_tournament_tables_are_not_revealed_to_outsiders(evening, ada, monkeypatch):
    """The time an answer takes would reveal that there is something to read."""
    one, read = evening(2, visibility="private"), []
    monkeypatch.setattr(tournament_rows, "read_seat_text", lambda *_: read.append(1) or "")
    assert (ada.get(f"{one.path}/rounds/1").status_code, read) == (404, [])


def test_missing_tournament_is_not_reported_as_a_match(stranger):
    detail = stranger.get(f"/v1/tournaments/{NOBODY}").json["detail"]
    assert detail == "Check the address. Resources that you cannot read are not found either."


def test_reserved_tournament_seat_is_reported(evening, ada):
    """The match of the table does not exist yet, so no one can be asked for an invite."""
    table = evening(2).begun().round()["tables"][0]
    refused = ada.put(f"/v1/matches/{table['match']}/seats/0")
    assert code(refused) == (403, "bad_invite")
    assert refused.json["detail"] == "This seat is reserved for an entrant of the tournament, so it has no invite code."


RULING = {"places": [1, 2], "reason": "Both agreed."}
WRITES: tuple[tuple[str, str, Any], ...] = (
    ("POST", "/invites", {"players": ["nobody-here"]}),
    ("POST", "/close", {}),
    ("POST", "/rounds/1/tables/0/ruling", RULING),
    ("POST", "/disqualifications", {"entrant": 0, "reason": "Two accounts."}),
    ("POST", "/pause", {"reason": "Supper."}),
    ("POST", "/resume", {}),
    ("POST", "/cancel", {"reason": "Rain."}),
)


@pytest.mark.parametrize(("method", "path", "sent"), WRITES, ids=lambda of: of if isinstance(of, str) else "")
def test_players_cannot_use_organiser_routes(evening, method, path, sent):
    one = evening(2).begun()
    player = next(iter(one.players.values()))
    assert code(player.send(method, one.path + path, json=sent)) == (403, "forbidden")


def test_co_organiser_has_the_organisers_rights(evening, ada):
    one = evening(4, helpers=[ada.handle]).begun()
    assert ada.post(f"{one.path}/pause", {"reason": "Supper."}).json["paused"] is True
    assert code(ada.post(f"{one.path}/pause", {"reason": "Supper."})) == (409, "wrong_phase")
    assert ada.post(f"{one.path}/resume", {}).json["paused"] is False
    assert ada.post(f"{one.path}/rounds/1/tables/0/ruling", RULING).status_code == 200
    (table, *_) = one.round(1)["tables"]
    assert (table["how"], table["reason"], table["by"]["handle"]) == ("ruled", "Both agreed.", ada.handle)
    assert code(ada.post(f"{one.path}/rounds/2/tables/0/ruling", RULING)) == (409, "no_such_object")
    wrong = ada.post(f"{one.path}/rounds/1/tables/0/ruling", RULING | {"places": [2, 3]})
    assert code(wrong) == (422, "bad_arguments")
    assert ada.post(f"{one.path}/disqualifications", {"entrant": 0, "reason": "Two accounts."}).json["entrants"] == 3
    out = ada.get(f"{one.path}/entries").json["items"][0]
    assert (out["out"], out["left_after"]) == (True, 1)
    assert ada.post(f"{one.path}/cancel", {"reason": "Rain."}).json["status"] == "cancelled"
    assert code(ada.post(f"{one.path}/cancel", {"reason": "Rain."})) == (409, "match_over")


def test_players_who_left_or_wait_can_be_disqualified_by_number_or_handle(evening, ada, player):
    one = evening(2, most=2).entered()
    first, second = one.players.values()
    invited, stranger = player(), player()
    assert ada.post(f"{one.path}/entries", {}).json["you_wait"] is True
    assert one.olga.post(f"{one.path}/invites", {"players": [invited.handle]}).status_code == 200
    assert first.delete(f"{one.path}/entries/mine").status_code == 200
    assert second.delete(f"{one.path}/entries/mine").status_code == 200
    path, reason = f"{one.path}/disqualifications", {"reason": "Two accounts."}
    assert one.olga.post(path, {"entrant": 0} | reason).status_code == 200
    assert one.olga.post(path, {"player": second.handle} | reason).status_code == 200
    assert one.olga.post(path, {"player": invited.handle} | reason).status_code == 200
    assert code(one.olga.post(path, {"player": invited.handle} | reason)) == (409, "already_done")
    assert code(one.olga.post(path, {"player": stranger.handle} | reason)) == (409, "no_such_object")
    assert code(first.post(path, {"player": second.handle} | reason)) == (403, "forbidden")
    for wrong in ({}, {"entrant": 0, "player": first.handle}, {"player": "nobody-here"}):
        assert code(one.olga.post(path, wrong | reason)) == (422, "bad_arguments")
    assert [row["out"] for row in one.olga.get(f"{one.path}/entries").json["items"]] == [True, True, False]
    for out in (first, second, invited):
        assert code(out.post(f"{one.path}/entries", {})) == (403, "forbidden")


def test_superseded_match_is_in_no_inbox(evening):
    one = evening(4).begun()
    ruled, left = one.round(1)["tables"]
    assert one.olga.post(f"{one.path}/rounds/1/tables/0/ruling", RULING).status_code == 200
    assert one.olga.get(f"/v1/matches/{ruled['match']}").json["status"] == "expired"
    one.sits(left)
    assert one.olga.post(f"{one.path}/cancel", {"reason": "Rain."}).status_code == 200
    assert one.olga.get(f"/v1/matches/{left['match']}").json["status"] == "playing"
    assert all(player.get("/v1/inbox").json["items"] == [] or player for player in one.players.values())


def test_double_entry_counts_once_and_late_entry_waits(evening, ada):
    one = evening(2, most=2).entered()
    first = next(iter(one.players.values()))
    assert code(first.post(f"{one.path}/entries", {})) == (409, "already_done")
    assert ada.post(f"{one.path}/entries", {"club": "Bonn"}).json["you_wait"] is True
    assert first.delete(f"{one.path}/entries/mine").json["your_entrant"] is None
    assert ada.get(one.path).json["your_entrant"] == 2
    assert code(first.delete(f"{one.path}/entries/mine")) == (409, "no_such_object")
    listed = one.olga.get(f"{one.path}/entries").json
    assert [(row["entrant"], row["club"], row["left_after"]) for row in listed["items"]] == [
        (0, None, 0),
        (1, None, None),
        (2, "Bonn", None),
    ]
    for _ in range(2):
        assert first.post(f"{one.path}/entries", {}).json["you_wait"] is True
        assert first.delete(f"{one.path}/entries/mine").status_code == 200
    assert code(first.post(f"{one.path}/entries", {})) == (403, "forbidden")


def test_rating_bounds_exclude_unrated_players(evening, ada):
    one = evening(0, least_rating=1200)
    assert code(ada.post(f"{one.path}/entries", {})) == (409, "rating_not_admitted")


NUMBERS = ("rating", "reliability")


@pytest.mark.parametrize(
    ("bounds", "said"),
    [
        ({"least_rating": 0}, "your rating for"),
        ({"most_rating": 5000}, "your rating for"),
        ({"least_reliability": 1}, "your reliability for"),
        ({"least_rating": 0, "least_reliability": 1}, "your rating and your reliability for"),
    ],
    ids=str,
)
@pytest.mark.parametrize("visibility", ["public", "private"])
def test_ratings_of_unlisted_players_are_not_recorded(evening, ada, ben, visibility, bounds, said):
    """Bounds are verified from the events, and everyone who can see the tournament can read these."""
    one = evening(0, visibility=visibility, most=2, **bounds)
    one.olga.post(f"{one.path}/invites", {"players": [ada.handle, ben.handle]})
    ada.patch("/v1/players/me", {"listed": False})
    refused = ada.post(f"{one.path}/entries", {})
    assert code(refused) == (409, "not_listed")
    assert said in refused.json["detail"]
    assert "/v1/players/me" in refused.json["detail"]
    assert ben.post(f"{one.path}/entries", {}).status_code == 200
    events = one.olga.get(f"{one.path}/events").json["items"]
    assert [event["data"]["player"] for event in events if event["type"] == "PlayerEntered"] == [ben.id]
    ada.patch("/v1/players/me", {"listed": True})
    assert ada.post(f"{one.path}/entries", {}).json["your_entrant"] == 1


def test_ratings_of_waiting_and_late_players_are_hidden(evening, ada, ben, player):
    one = evening(2, rounds=3, most=2, late=1, least_rating=0).entered()
    ada.patch("/v1/players/me", {"listed": False})
    assert code(ada.post(f"{one.path}/entries", {})) == (409, "not_listed"), "who comes now would wait"
    other = evening(2, rounds=3, late=1, least_rating=0).begun()
    assert code(ada.post(f"{other.path}/entries", {})) == (409, "not_listed"), "who comes now is late"


def test_unlisted_player_can_enter_a_tournament_without_rating_bounds(evening, ada):
    one = evening(0)
    ada.patch("/v1/players/me", {"listed": False})
    assert ada.post(f"{one.path}/entries", {}).status_code == 200
    (entered,) = (e for e in one.olga.get(f"{one.path}/events").json["items"] if e["type"] == "PlayerEntered")
    assert [entered["data"].get(name) for name in NUMBERS] == [None, None]


def kept(app, player, in_time, late):
    """Record numbers of on-time and late decisions of a player in a finished match."""
    row = DecisionRow(0, player.id, 1, in_time, late)
    app.extensions["dealt"].context.store.write(lambda connection: decision_rows.add_decisions(connection, [row]))


def test_reliability_bound_refuses_slow_players(evening, app, ada, ben):
    kept(app, ada, 179, 21)  # 89.5 in a hundred
    one, other = evening(0, least_reliability=90), evening(0, least_reliability=89)
    refused = ada.post(f"{one.path}/entries", {})
    assert code(refused) == (409, "reliability_not_admitted")
    assert "At least 90 %" in refused.json["detail"]
    assert ada.post(f"{other.path}/entries", {}).status_code == 200
    assert ben.post(f"{one.path}/entries", {}).status_code == 200, "who has taken no decision yet may enter"
    assert (one.seen()["least_reliability"], evening(0).seen()["least_reliability"]) == (90, None)
    events = ada.get(f"{other.path}/events").json["items"]
    assert [event["data"]["reliability"] for event in events if event["type"] == "PlayerEntered"] == [89]


def test_limit_of_the_waiting_list_is_enforced(evening, player):
    one = evening(2, most=2, most_waiting=1).entered()
    first, second = player(name="First"), player(name="Second")
    assert first.post(f"{one.path}/entries", {}).json["you_wait"] is True
    refused = second.post(f"{one.path}/entries", {})
    assert code(refused) == (403, "forbidden")
    assert "the waiting list is full" in refused.json["detail"]
    assert first.delete(f"{one.path}/entries/mine").status_code == 200
    assert second.post(f"{one.path}/entries", {}).json["you_wait"] is True
    assert one.seen()["most_waiting"] == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [("least_reliability", 0), ("least_reliability", 101), ("most_waiting", -1), ("most_waiting", 1025)],
)
def test_invalid_bound_is_refused_with_its_field(olga, name, value):
    refused = olga.post("/v1/tournaments", asked(**{name: value}))
    assert (refused.status_code, [*refused.json["errors"]]) == (422, [name])


# --- Standings and events -----------------------------------------------------------------------------------


def test_standings_are_available_in_three_media_types(evening):
    one = evening(2, rounds=1).begun().plays()
    path = f"{one.path}/standings"
    rows = one.olga.get(path).json["items"]
    lines = one.olga.get(path, headers={"Accept": "application/x-ndjson"}).get_data(as_text=True).splitlines()
    assert [json.loads(line) for line in lines] == rows
    read = list(csv.DictReader(StringIO(one.olga.get(path, headers={"Accept": "text/csv"}).get_data(as_text=True))))
    assert [(row["place"], row["name"], row["points"]) for row in read] == [
        ("1", "Player 0", "3"),
        ("2", "Player 1", "0"),
    ]
    assert one.olga.get(path, headers={"Accept": "image/png"}).status_code == 406


def test_csv_has_rates_as_decimals(evening):
    one = evening(4, rounds=1).begun().plays()
    path = f"{one.path}/standings"
    read = list(csv.DictReader(StringIO(one.olga.get(path, headers={"Accept": "text/csv"}).get_data(as_text=True))))
    rates = [[row[name] for name in ("opponents", "games", "opponents_games")] for row in read]
    assert rates == [["0.333333", "1.000000", "0.333333"]] * 2 + [["1.000000", "0.333333", "1.000000"]] * 2
    exact = one.olga.get(path).json["items"]
    assert [row["opponents"] for row in exact] == ["1/3", "1/3", "1", "1"]


def test_standings_are_computed_once_per_change(evening, monkeypatch):
    one, found = evening(4, rounds=2).begun(), []
    monkeypatch.setattr(tournament_rounds, "ranked_entrants", lambda t: found.append(t) or ranked_entrants(t))
    path = f"{one.path}/standings"
    assert [one.olga.get(path).status_code for _ in range(3)] == [200] * 3
    assert len(found) == 1
    before = one.olga.get(path).json
    one.plays()
    assert one.olga.get(path).json != before
    assert len(found) == 2


def test_csv_escapes_names_that_look_like_formulas(app, olga, player):
    one = Evening(app, olga, [player(name="=1+1"), player(name="Ann")]).begun()
    text = olga.get(f"{one.path}/standings", headers={"Accept": "text/csv"}).get_data(as_text=True)
    assert "'=1+1" in text


def test_events_are_read_page_by_page(evening, stranger):
    one = evening(3).begun()
    whole = stranger.get(f"{one.path}/events").json
    assert [event["seq"] for event in whole["items"]] == list(range(1, len(whole["items"]) + 1))
    assert [event["type"] for event in whole["items"]][:3] == ["TournamentAnnounced", "DrawsCommitted", "PlayerEntered"]
    page = stranger.get(f"{one.path}/events?after=2&limit=2").json
    assert page == {"items": whole["items"][2:4], "next": 4}
    last = stranger.get(f"{one.path}/events?after=4&limit=100").json
    assert (last["items"], last["next"]) == (whole["items"][4:], len(whole["items"]))
    assert "root" not in json.dumps(whole)


# --- News of a tournament -----------------------------------------------------------------------------------


def streamed(client, path, **headers):
    return client.get(f"{path}/events", headers={"Accept": "text/event-stream", **headers}, buffered=False)


def test_stream_sends_every_event_and_ends_with_the_tournament(evening, app):
    one = evening(2, rounds=1)
    stream = streamed(Client(app), one.path)
    assert stream.mimetype == "text/event-stream"
    with ThreadPoolExecutor(1) as pool:
        received = pool.submit(lambda: b"".join(stream.response).decode())
        one.begun().plays()
        events = parsed(received.result(timeout=60))
    feed = one.olga.get(f"{one.path}/events?limit=1000").json["items"]
    assert [event for _, _, event in events] == feed[: len(events)]
    assert [(seq, kind) for seq, kind, event in events] == [(event["seq"], event["type"]) for _, _, event in events]
    # Deals are disclosed later, and a stream does not wait for that.
    assert [event["type"] for event in feed[-2:]] == ["TournamentEnded", "DealsDisclosed"]
    assert len(events) >= len(feed) - 1


def test_tournament_stream_resumes_until_the_end(evening):
    one = evening(2, rounds=1).begun().plays()
    end = one.olga.get(f"{one.path}/events").json["next"]
    taken_up = streamed(one.olga, one.path, **{"Last-Event-ID": str(end - 2)})
    assert [seq for seq, _, _ in parsed(taken_up.text)] == [end - 1, end]
    assert streamed(one.olga, one.path, **{"Last-Event-ID": str(end)}).status_code == 204
    assert code(streamed(one.olga, one.path, **{"Last-Event-ID": "x"})) == (422, "bad_arguments")


def test_waiting_request_gets_the_next_event_and_ends_with_the_tournament(evening, app):
    one = evening(2, rounds=1)
    players = list(one.players.values())
    end = one.olga.get(f"{one.path}/events").json["next"]
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(Client(app).get, f"{one.path}/events?after={end}&wait=20")
        waits(app)
        assert not waiting.done()
        assert players[0].post(f"{one.path}/entries", {}).status_code == 200
        (entered,) = waiting.result(timeout=60).json["items"]
    assert (entered["type"], entered["seq"]) == ("PlayerEntered", end + 1)
    again = one.olga.get(f"{one.path}/events?after={end + 1}", headers={"If-None-Match": f'"{end + 1}"'})
    assert again.status_code == 304
    assert one.olga.post(f"{one.path}/cancel", {"reason": "Rain."}).status_code == 200
    began = time.monotonic()
    found = one.olga.get(f"{one.path}/events?after={end + 2}", headers={"Prefer": "wait=20"})
    beyond = one.olga.get(f"{one.path}/events?after={end + 3}", headers={"Prefer": "wait=20"})
    assert code(beyond) == (409, "another_history")
    assert code(streamed(one.olga, one.path, **{"Last-Event-ID": str(end + 3)})) == (409, "another_history")
    assert found.json["items"] == []
    assert found.headers["Preference-Applied"] == "wait=20"
    assert time.monotonic() - began < 15


def test_private_tournament_stream_ends_when_its_reader_loses_access(evening, app, player):
    one = evening(0, visibility="private", by_invite=True, most=2)
    players = [player(name=f"Guest {n}") for n in range(3)]
    handles = [guest.get("/v1/players/me").json["handle"] for guest in players]
    assert code(streamed(players[0], one.path)) == (404, "not_found")
    assert one.olga.post(f"{one.path}/invites", {"players": handles}).status_code == 200
    stream = streamed(players[0], one.path).response
    began = [next(stream) for _ in range(4)]
    assert b"PlayersInvited" in began[-1]
    with ThreadPoolExecutor(1) as pool:
        received = pool.submit(lambda: b"".join(stream).decode())
        waits(app)
        assert players[0].delete("/v1/players/me").status_code == 204
        assert players[1].post(f"{one.path}/entries", {}).status_code == 200
        assert "PlayerEntered" not in received.result(timeout=60)


class TestAPlaceForOne:
    @pytest.fixture
    def settings(self):
        return Settings(dealt_rate_per_second=0, dealt_max_waiters=1)

    def test_tournament_streams_count_towards_the_limit_of_waiting_requests(self, evening):
        one = evening(0)
        stream = streamed(one.olga, one.path)
        refused = one.olga.get(f"{one.path}/events?after=2&wait=5")
        assert code(refused) == (503, "too_many_waiters")
        second = streamed(one.olga, one.path)
        assert (second.status_code, "retry: " in second.text) == (200, True)
        stream.close()
        assert one.olga.get(f"{one.path}/events?after=2&wait=1").status_code == 200


# --- What is asked twice ------------------------------------------------------------------------------------------


def told(one, path, body, **headers):
    return one.olga.post(f"{one.path}/{path}", body, headers={name.replace("_", "-"): x for name, x in headers.items()})


def happened(one, kind):
    return [event for event in one.olga.get(f"{one.path}/events?limit=1000").json["items"] if event["type"] == kind]


def test_repeated_organiser_request_is_carried_out_once(evening):
    one = evening(4).begun()
    ruling, reason = {"places": [1, 2], "reason": "Conceded."}, {"reason": "Supper."}
    for path, body, kind in (
        ("rounds/1/tables/0/ruling", ruling, "TableRuled"),
        ("pause", reason, "TournamentPaused"),
        ("resume", {}, "TournamentResumed"),
        ("disqualifications", {"entrant": 3, "reason": "Two accounts."}, "PlayerDisqualified"),
        ("cancel", reason, "TournamentCancelled"),
    ):
        first = told(one, path, body, Idempotency_Key=f"key-of-{path}")
        again = [told(one, path, body, Idempotency_Key=f"key-of-{path}") for _ in range(2)]
        assert first.status_code == 200, first.json
        assert [(each.status_code, each.json) for each in again] == [(200, first.json)] * 2
        assert [each.headers.get("Idempotency-Replayed") for each in (first, *again)] == [None, "true", "true"]
        assert len(happened(one, kind)) == 1
    other = told(one, "cancel", {"reason": "Rain."}, Idempotency_Key="key-of-cancel")
    assert code(other) == (422, "idempotency_mismatch")


def test_request_that_changes_nothing_is_remembered_too(evening, player):
    one, ann = evening(2), player(name="Ann")
    for _ in range(2):
        first = told(one, "invites", {"players": [ann.handle]})
    kept = told(one, "invites", {"players": [ann.handle]}, Idempotency_Key="k")
    assert kept.json["version"] == first.json["version"]
    assert told(one, "close", {}).status_code == 409
    one.entered()
    again = told(one, "invites", {"players": [ann.handle]}, Idempotency_Key="k")
    assert again.json == kept.json


@pytest.mark.both_databases
def test_concurrent_identical_rulings_create_one_event(evening):
    one = evening(4).begun()
    with ThreadPoolExecutor(4) as at_once:
        sent = [
            at_once.submit(
                told, one, "rounds/1/tables/0/ruling", {"places": [1, 2], "reason": "Conceded."}, Idempotency_Key="k"
            )
            for _ in range(4)
        ]
        assert [each.result().status_code for each in sent] == [200] * 4
    assert len(happened(one, "TableRuled")) == 1


def test_ruling_cannot_replace_an_unseen_result(evening):
    one = evening(4).begun()
    seen = one.olga.get(one.path).headers["ETag"]
    table = one.round()["tables"][0]
    one.sits(table)
    one.resigns(table)
    one.looks()
    body = {"places": [1, 2], "reason": "Conceded."}
    late = told(one, "rounds/1/tables/0/ruling", body, If_Match=seen)
    assert code(late) == (412, "version_mismatch")
    assert late.headers["ETag"] == one.olga.get(one.path).headers["ETag"] != seen
    assert happened(one, "TableRuled") == []
    assert told(one, "rounds/1/tables/0/ruling", body, If_Match=late.headers["ETag"]).status_code == 200
