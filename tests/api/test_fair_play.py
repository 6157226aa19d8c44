"""Tests fair play between players who do not know each other: nonces, seats per player, known deals, broken
promises."""

import json
from hashlib import sha256

import pytest

from tests.api.client import Table, code

BOT = {"kind": "bot", "level": "random"}
ME, OPEN = {"kind": "me"}, {"kind": "open"}
EIGHTS = "crazy_eights"
NONCE = "5d41402abc4b2a76b9719d911017c592"
HASH = sha256(NONCE.encode()).hexdigest()


def eights(player, *seats, **more):
    return player.creates(game="crazy_eights", seats=list(seats), **more)


# --- Nonces at creation -----------------------------------------------------------------------------------


def test_nonce_can_be_sent_when_creating_a_match_that_starts_immediately(ada):
    table = eights(ada, {**ME, "nonce": NONCE}, BOT)
    assert (table["status"], table["fairness"]["contributed"]) == ("playing", [0])
    submitted = next(e for e in ada.events(table) if e["type"] == "NonceSubmitted")
    assert (submitted["data"]["nonce"], submitted["commit"]) == (NONCE, 1)


def test_verification_reports_a_nonce_known_before_the_commitment(ada):
    table = eights(ada, {**ME, "nonce": NONCE}, BOT)
    assert ada.plays(table, {"name": "resign", "args": {}}).status_code == 200
    record = ada.get(f"{table.path}/record").json
    report = ada.post("/v1/records/verify", record).json
    shuffles = next(check for check in report["checks"] if check["name"] == "shuffles")
    assert [check["name"] for check in report["checks"] if check["skipped"] or not check["ok"]] == ["signatures"]
    assert "came with the creation" in shuffles["detail"]


def test_hash_at_creation_binds_both_sides_until_the_nonce_is_revealed(ada):
    table = eights(ada, {**ME, "nonce_hash": HASH}, BOT, options={"nonce_commit": True})
    assert (table["status"], table["fairness"]["awaits"]) == ("lobby", "nonces")
    assert table["fairness"]["awaits_until"] is not None
    opened = ada.put(f"{table.path}/seats/0", {"nonce": NONCE})
    assert (opened.status_code, opened.json["status"]) == (200, "playing")
    ada.plays(table, {"name": "resign", "args": {}})
    report = ada.post("/v1/records/verify", ada.get(f"{table.path}/record").json).json
    assert [check["name"] for check in report["checks"] if check["skipped"] or not check["ok"]] == ["signatures"]
    assert "creation" not in json.dumps(report)


@pytest.mark.parametrize(
    ("seats", "options", "field"),
    [
        ([{**ME, "nonce_hash": HASH}, BOT], {}, "seats.0.nonce_hash"),
        ([{**ME, "nonce": NONCE}, BOT], {"nonce_commit": True}, "seats.0.nonce"),
        ([ME, {**BOT, "nonce": NONCE}], {}, "seats.1.nonce"),
        ([ME, {**OPEN, "nonce_hash": HASH}], {"nonce_commit": True}, "seats.1.nonce_hash"),
        ([{**ME, "nonce": "short"}, BOT], {}, "seats.0.nonce"),
    ],
)
def test_nonce_that_cannot_be_given_is_refused(ada, seats, options, field):
    refused = ada.post("/v1/matches", {"game": "crazy_eights", "seats": seats, "options": options})
    assert refused.status_code == 422
    assert list(refused.json["errors"]) == [field]


# --- Seats per player -------------------------------------------------------------------------------------


def test_player_takes_one_seat_per_table_by_default(ada, ben):
    table = eights(ada, ME, OPEN, OPEN, OPEN)
    assert table["options"]["seats_per_player"] == 1
    assert ben.put(f"{table.path}/seats/1").status_code == 200
    before = ben.sees(table)["version"]
    assert code(ben.put(f"{table.path}/seats/2")) == (409, "too_many_seats")
    assert ben.put(f"{table.path}/seats/1").status_code == 200  # its own place again
    assert ben.sees(table)["version"] == before
    two = eights(ada, ME, OPEN, OPEN, OPEN, options={"seats_per_player": 2})
    for seat, status in ((1, 200), (2, 200), (3, 409)):
        assert ben.put(f"{two.path}/seats/{seat}").status_code == status


def test_player_may_hold_all_seats_of_a_side(ada):
    table = ada.creates(game="gin_rummy", seats=[ME, OPEN, OPEN, OPEN])
    assert table["options"]["seats_per_player"] == 2


def test_creator_takes_at_most_the_allowed_number_of_seats(ada):
    assert eights(ada, ME, ME, OPEN)["options"]["seats_per_player"] == 2
    refused = ada.post(
        "/v1/matches", {"game": "crazy_eights", "seats": [ME, ME, OPEN], "options": {"seats_per_player": 1}}
    )
    assert code(refused) == (422, "bad_options")
    assert list(refused.json["errors"]) == ["options.seats_per_player"]


# --- Rated matches ----------------------------------------------------------------------------------------


LIVE = {"per_decision_seconds": 60}


def test_rated_match_is_marked_and_gives_each_player_one_seat(ada, ben):
    table = eights(ada, ME, OPEN, OPEN, options={"rated": True}, clock=LIVE)
    assert table["options"]["rated"] is True
    assert ben.sees(table)["options"]["rated"] is True
    assert ben.put(f"{table.path}/seats/1").status_code == 200
    assert code(ben.put(f"{table.path}/seats/2")) == (409, "too_many_seats")
    assert eights(ada, ME, OPEN)["options"]["rated"] is False


@pytest.mark.parametrize(
    ("game", "seats", "limits", "options", "word"),
    [
        pytest.param(EIGHTS, [ME, OPEN], {}, {}, "clock", id="no clock"),
        pytest.param(EIGHTS, [ME, ME, OPEN], LIVE, {}, "one seat", id="two seats of one player"),
        pytest.param(EIGHTS, [ME, OPEN, OPEN], LIVE, {"seats_per_player": 2}, "one seat", id="two seats for all"),
        pytest.param(
            "fivewells", [ME, BOT], LIVE, {"format": "sealed"}, "fixed strength", id="a bot of no fixed strength"
        ),
        pytest.param(EIGHTS, [BOT, BOT], LIVE, {}, "between bots", id="only bots"),
    ],
)
def test_unratable_match_is_refused(ada, game, seats, limits, options, word):
    refused = ada.post(
        "/v1/matches",
        {"game": game, "seats": seats, "clock": limits, "options": {"rated": True, **options}},
    )
    assert code(refused) == (422, "bad_options")
    assert word in refused.json["errors"]["options.rated"][0]


# --- Known deals ------------------------------------------------------------------------------------------


@pytest.fixture
def practice(ada):
    """Return a practice match of Ada's with an open seat, with the deals of a match that she has finished."""
    played = eights(ada, ME, BOT)
    ada.plays(played, {"name": "resign", "args": {}})
    made = ada.post(f"{played.path}/practice", {"seats": [ME, OPEN], "visibility": "public"})
    assert made.status_code == 201, made.json
    return Table(made.json)


def test_practice_match_warns_of_known_deals(ada, stranger, practice):
    assert "a player may know" in stranger.sees(practice)["fairness"]["note"]
    listed = next(m for m in stranger.get("/v1/matches").json["items"] if m["id"] == practice["id"])
    assert "a player may know" in listed["note"]
    other = eights(ada, ME, OPEN)
    assert "know" not in (other["fairness"]["note"] or "")
    assert next(m for m in stranger.get("/v1/matches").json["items"] if m["id"] == other["id"])["note"] is None


def test_practice_seat_requires_accepting_known_deals(ada, ben, practice):
    before = ben.sees(practice)["version"]
    refused = ben.put(f"{practice.path}/seats/1")
    assert code(refused) == (409, "deals_known")
    assert "accept_known_deals" in refused.json["detail"]
    assert ben.put(f"{practice.path}/seats/1", {"accept_known_deals": False}).status_code == 409
    assert ben.put(f"{practice.path}/seats/1", {"accept_known_deals": "yes"}).status_code == 422
    assert ben.sees(practice)["version"] == before
    assert ben.put(f"{practice.path}/seats/1", {"accept_known_deals": True}).json["status"] == "playing"


def test_verification_reports_known_deals(ada, ben, practice):
    ben.put(f"{practice.path}/seats/1", {"accept_known_deals": True})
    ben.plays(practice, {"name": "resign", "args": {"whole_match": True}})
    report = ada.post("/v1/records/verify", ada.get(f"{practice.path}/record").json).json
    assert [check["name"] for check in report["checks"] if check["skipped"] or not check["ok"]] == ["signatures"]
    assert "players may have known" in next(c["detail"] for c in report["checks"] if c["name"] == "shuffles")


def test_only_open_tables_of_a_group_warn_of_known_deals(ada, stranger):
    def made(kind):
        tables = [[ME, BOT], [{"kind": kind}, BOT]]
        return ada.post("/v1/deal-groups", {"game": "crazy_eights", "tables": tables}).json

    warned, invited = made("open"), made("invite")
    assert "can reveal the deals" in warned["note"]
    assert invited["note"] is None
    table = warned["tables"][1]["match"]
    assert "can reveal the deals" in stranger.get(f"/v1/matches/{table}").json["fairness"]["note"]


# --- Promises ---------------------------------------------------------------------------------------------


def kept(aborted=0, unopened=0):
    return {
        "aborted_after_commitments": aborted,
        "unopened_commitments": unopened,
        "decisions_in_time": 0,
        "decisions_late": 0,
    }


def test_cancelling_after_a_commitment_is_visible(ada, ben, stranger):
    table = eights(ada, ME, OPEN, options={"nonce_commit": True})
    ben.put(f"{table.path}/seats/1", {"nonce_hash": HASH})
    assert ada.delete(table.path).status_code == 204
    shown = stranger.sees(table)
    assert (shown["status"], "aborted after commitments" in shown["fairness"]["note"]) == ("cancelled", True)
    assert [e["type"] for e in stranger.events(table)][-2:] == ["CommitmentsAborted", "MatchEnded"]
    assert ada.get("/v1/players/me").json["reliability"] == kept(aborted=1)
    assert ben.get("/v1/players/me").json["reliability"] == kept()
    assert eights(ben, ME, OPEN, options={"nonce_commit": True})["fairness"]["creator_aborted"] == 0
    assert eights(ben, ME, OPEN)["fairness"]["creator_aborted"] is None
    again = eights(ada, ME, OPEN, options={"nonce_commit": True})
    shown = stranger.sees(again)
    assert shown["fairness"]["creator_aborted"] == 1
    assert [seat["reliability"] for seat in shown["seats"]] == [kept(aborted=1), None]


def test_cancelling_before_any_commitment_is_not_counted(ada):
    table = eights(ada, ME, OPEN, options={"nonce_commit": True})
    ada.delete(table.path)
    assert ada.get("/v1/players/me").json["reliability"] == kept()
    assert ada.sees(table)["fairness"]["note"] is None


def test_unopened_nonces_are_counted_and_visible_to_joining_players(ada, ben, player, stranger, clock, app):
    """Of three players, Ada opens her nonce, Ben does not, and Cem has promised none."""
    cem, settle = player(), app.extensions["dealt"].context.settle
    table = eights(ada, {**ME, "nonce_hash": HASH}, OPEN, OPEN, options={"nonce_commit": True, "nonce_seconds": 60})
    ben.put(f"{table.path}/seats/1", {"nonce_hash": sha256(b"another").hexdigest()})
    cem.put(f"{table.path}/seats/2")
    for stage in ("hashes", "nonces"):
        assert stranger.sees(table)["fairness"]["awaits"] == stage
        if stage == "nonces":
            assert ada.put(f"{table.path}/seats/0", {"nonce": NONCE}).status_code == 200
        clock.passes(61)
        settle(table["id"])
    shown = stranger.sees(table)
    assert (shown["status"], shown["seats"][1]["reliability"]) == ("playing", None)
    counted = [who.get("/v1/players/me").json["reliability"] for who in (ada, ben, cem)]
    assert counted == [kept(), kept(unopened=1), kept()]
    again = eights(ben, ME, OPEN)
    assert [seat["reliability"] for seat in stranger.sees(again)["seats"]] == [kept(unopened=1), None]
    found = stranger.get(f"{table.path}/audit").json
    assert [check for check in found["checks"] if not check["ok"]] == []


# --- Who gave up ------------------------------------------------------------------------------------------


def test_resigned_player_has_the_spectator_view_and_no_chat(ada, ben, player, stranger):
    cem = player()
    table = ada.creates(game="hearts", seats=[ME, OPEN, OPEN, BOT])
    for seat, who in ((1, ben), (2, cem)):
        assert who.put(f"{table.path}/seats/{seat}").status_code == 200
    assert "hand" in ben.sees(table)["table"]
    assert ben.plays(table, {"name": "resign", "args": {}}).status_code == 200
    shown, watched = ben.sees(table), stranger.sees(table)
    assert (shown["your_seat"], shown["your_seats"]) == (None, [])
    assert shown["table"] == watched["table"]
    assert shown["scene"] == watched["scene"]
    assert [e.get("unseal") for e in ben.events(table)] == [e.get("unseal") for e in stranger.events(table)]
    assert ben.get(f"{table.path}/replay").json["table"] == watched["table"]
    assert ben.get(f"{table.path}/replay?seat=1").status_code == 403
    assert code(ben.post(f"{table.path}/chat", {"text": "seat 0 holds the queen"})) == (403, "not_seated")
    assert ben.get(f"{table.path}/chat").status_code == 403
    assert code(ben.plays(table, {"name": "resign", "args": {}})) == (409, "already_done")
    assert cem.sees(table)["your_seat"] == 2


def test_creator_who_resigned_the_match_cannot_read_the_chat(ada, ben):
    table = ada.creates(game="hearts", seats=[ME, OPEN, BOT, BOT])
    assert ben.put(f"{table.path}/seats/1").status_code == 200
    assert ada.get(f"{table.path}/chat").status_code == 200
    assert ada.plays(table, {"name": "resign", "args": {}}).status_code == 200
    assert code(ada.get(f"{table.path}/chat")) == (403, "not_seated")


def test_player_who_resigned_one_game_sees_the_next_from_their_seat(ada, ben):
    table = ada.creates(game="gin_rummy", seats=[ME, OPEN], series={"best_of": 3})
    ben.put(f"{table.path}/seats/1")
    ben.plays(table, {"name": "resign", "args": {}})
    assert ben.sees(table)["your_seat"] == 1


def test_players_see_a_finished_match_from_their_seats(ada, ben):
    table = ada.creates(game="hearts", seats=[ME, OPEN, BOT, BOT], options={"on_resign": "end"})
    ben.put(f"{table.path}/seats/1")
    ben.plays(table, {"name": "resign", "args": {}})
    assert ben.sees(table)["your_seat"] == 1
