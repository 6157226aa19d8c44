"""Tests seats whose players sign their moves: the requirements for signatures, and their effects (docs/proof.md)."""

import json
import re
from contextlib import closing
from pathlib import Path
from random import Random
from textwrap import dedent

import pytest
import rfc8785
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.operations import imports
from events.operations.audit import audit
from events.service import commands
from events.store.opening import open_store
from tests.api.client import Table, code
from tests.bound import Matches
from tests.draws import first_of
from tests.laws.games import SETUPS
from tests.proof.test_second_verifier import node, reports  # noqa: F401 -- a fixture
from tests.tampered import failing

BOT = {"kind": "bot"}
KEY, OTHER = (Ed25519PrivateKey.from_private_bytes(bytes([n]) * 32) for n in (1, 2))


def public(key):
    return key.public_key().public_bytes_raw().hex()


def held(key, client, table=None, seat=None):
    """Return the body that names a key and proves it for a seat, or for the seats of a new match."""
    text = f"dealt-seat/1|new|{client.id}" if table is None else f"dealt-seat/1|{table['id']}|{seat}|{client.id}"
    return {"player_key": public(key), "key_proof": key.sign(text.encode()).hex()}


def signed(key, table, seat, offer, move):
    """Sign a move as docs/proof.md specifies, for the match in the state of `offer`."""
    said = rfc8785.dumps({"name": move["name"], "args": move["args"]})
    text = f"dealt-move/1|{table['id']}|{seat}|{offer['version']}|{offer['head']}|".encode("ascii") + said
    return {**move, "signature": key.sign(text).hex()}


def signs(player, table, seat, key=KEY, move=None):
    """Make the given move, or the first one offered, with a signature."""
    offer = player.offers(table)
    return player.plays(table, signed(key, table, seat, offer, move or offer["moves"][0]["example"]))


@pytest.fixture
def table(ada, ben, bots):
    """Return a table of Crazy Eights whose two players both sign: the match, and the players by seat."""
    seats = [{"kind": "me", **held(KEY, ada)}, {"kind": "open"}]
    made = ada.creates(game="crazy_eights", seats=seats, options={"target_score": 1})
    assert ben.put(f"{made.path}/seats/1", held(OTHER, ben, made, 1)).status_code == 200
    return made


def turn(player, table):
    """Return the seat to act."""
    return player.sees(table)["to_act"][0]


def at_move(table, *players):
    """Return the seat to act, with its player and key."""
    seat = turn(players[0], table)
    return seat, players[seat], (KEY, OTHER)[seat]


# --- Taking a seat ------------------------------------------------------------------------------------------


def test_the_key_of_a_seat_is_public(table, stranger):
    assert [seat["player_key"] for seat in stranger.sees(table)["seats"]] == [public(KEY), public(OTHER)]
    taken = [e["data"]["player_key"] for e in stranger.events(table) if e["type"] == "SeatTaken"]
    assert taken == [public(KEY), public(OTHER)]


NO_KEYS = {
    "too short": "ab",
    "capitals": public(KEY).upper(),
    "no point": "02" + "00" * 31,
    "beyond the field": "ff" * 32,
    "the identity": "01" + "00" * 31,
    "of order four": "00" * 32,
    "of order eight": "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "null": None,
}


@pytest.mark.parametrize("key", NO_KEYS.values(), ids=NO_KEYS)
def test_invalid_player_key_is_refused(ada, ben, key):
    refused = ada.post("/v1/matches", {"game": "hearts", "seats": [{"kind": "me", "player_key": key}] * 4})
    assert code(refused) == (422, "bad_arguments")
    assert list(refused.json["errors"]) == [f"seats.{seat}.player_key" for seat in range(4)]
    table = ada.creates(open_table=True)
    refused = ben.put(f"{table.path}/seats/1", {"player_key": key})
    assert code(refused) == (422, "bad_arguments")
    assert ben.sees(table)["seats"][1]["kind"] == "open"


def test_proof_made_without_the_key_is_refused(ada, ben):
    table = ada.creates(open_table=True)
    seat, proof = f"{table.path}/seats/1", {"key_proof": held(KEY, ben, table, 1)["key_proof"]}
    alone = [
        ben.put(seat, proof),
        ada.put(f"{table.path}/seats/0", proof),
        ada.post("/v1/matches", {"game": "hearts", "seats": [{"kind": "me", **proof}, *[{"kind": "open"}] * 3]}),
    ]
    for refused in alone:
        assert code(refused) == (422, "bad_arguments")
        assert "Send `key_proof` and `player_key` together" in refused.json["detail"]
    assert ben.sees(table)["seats"][1]["kind"] == "open"


def test_player_key_without_proof_is_refused(ada, ben):
    table = ada.creates(open_table=True)
    seat, right = f"{table.path}/seats/1", held(KEY, ben, table, 1)
    others = [
        {"player_key": right["player_key"]},
        {**right, "player_key": public(OTHER)},
        held(KEY, ada, table, 1),
        held(KEY, ben, table, 2),
        held(KEY, ben),
    ]
    for wrong in others:
        refused = ben.put(seat, wrong)
        assert code(refused) == (422, "bad_arguments")
        assert f"dealt-seat/1|{table['id']}|1|{ben.id}" in refused.json["detail"]
    assert ben.sees(table)["seats"][1]["player"] is None
    assert ben.put(seat, right).status_code == 200
    asked = {"game": "hearts", "seats": [{"kind": "me", **held(KEY, ben)}, *[{"kind": "bot"}] * 3]}
    assert code(ada.post("/v1/matches", asked)) == (422, "bad_arguments")


def test_a_bot_has_no_key(ada):
    seats = [{"kind": "me"}, *[{"kind": "bot", "player_key": public(KEY)}] * 3]
    refused = ada.post("/v1/matches", {"game": "hearts", "seats": seats})
    assert (code(refused), list(refused.json["errors"])) == (
        (422, "bad_arguments"), [f"seats.{seat}.player_key" for seat in (1, 2, 3)]
    )  # fmt: skip


def test_player_key_is_set_with_the_seat_and_cannot_change(ada, ben):
    table = ada.creates(open_table=True)
    seat = f"{table.path}/seats/1"
    for key, again in ((None, KEY), (KEY, OTHER)):
        given = {} if key is None else held(key, ben, table, 1)
        assert ben.put(seat, given).status_code == 200
        assert code(ben.put(seat, {"player_key": public(again)})) == (409, "key_is_fixed")
        assert ben.put(seat, given).status_code == 200
        assert ben.sees(table)["seats"][1]["player_key"] == given.get("player_key")
        assert ben.delete(seat).status_code == 204
        assert ben.sees(table)["seats"][1]["player_key"] is None


# --- Moving -------------------------------------------------------------------------------------------------


def test_signed_move_is_recorded_before_its_events(table, ada, ben):
    seat, mover, key = at_move(table, ada, ben)
    offer = mover.offers(table)
    move = signed(key, table, seat, offer, offer["moves"][0]["example"])
    made = mover.plays(table, move)
    assert made.status_code == 200, made.json
    first = made.json["events"][0]
    assert (first["type"], first["cause"], first["commit"]) == ("MoveSigned", "move", first["seq"])
    assert first["data"] == {
        "seat": seat, "move": {"name": move["name"], "args": move["args"]}, "signature": move["signature"],
    }  # fmt: skip


def test_signed_move_and_signature_are_hidden_from_others(table, ada, ben, stranger):
    seat, mover, key = at_move(table, ada, ben)
    assert signs(mover, table, seat, key).status_code == 200
    for reader in ((ben, ada)[seat], stranger):
        event = next(e for e in reader.events(table) if e["type"] == "MoveSigned")
        assert (event["data"], event["seals"].keys()) == ({"seat": seat}, {"move", "signature"})
        assert {"unseal", "disclosed"}.isdisjoint(event)


def test_unsigned_move_is_refused_with_the_text_to_sign(table, ada, ben):
    seat, mover, _ = at_move(table, ada, ben)
    offer = mover.offers(table)
    move = offer["moves"][0]["example"]
    refused = mover.plays(table, move)
    assert code(refused) == (409, "signature_needed")
    said = rfc8785.dumps({"name": move["name"], "args": move["args"]}).decode()
    text = f"dealt-move/1|{table['id']}|{seat}|{offer['version']}|{offer['head']}|{said}"
    assert refused.json["detail"].endswith(text)
    assert mover.sees(table)["version"] == offer["version"]


def wrongly(key, table, seat, offer, move):
    """Invalid signatures for this move at this version."""
    other = (OTHER, KEY)[key is OTHER]
    yield "another key", signed(other, table, seat, offer, move)
    yield "another seat", signed(key, table, 1 - seat, offer, move)
    yield "another version", signed(key, table, seat, {**offer, "version": offer["version"] - 1}, move)
    yield "a different head", signed(key, table, seat, {**offer, "head": "0" * 64}, move)
    yield "another match", signed(key, {"id": "m"}, seat, offer, move)
    yield "another move", {**signed(key, table, seat, offer, {**move, "name": "resign", "args": {}}), **move}


def test_signature_over_anything_else_is_refused_without_writing(table, ada, ben):
    seat, mover, key = at_move(table, ada, ben)
    offer = mover.offers(table)
    for why, move in wrongly(key, table, seat, offer, offer["moves"][0]["example"]):
        assert code(mover.plays(table, move)) == (409, "bad_signature"), why
    for malformed in ("", "00" * 63, "AB" * 64, 7):
        move = {**offer["moves"][0]["example"], "signature": malformed}
        assert code(mover.plays(table, move)) == (422, "bad_arguments")
    assert mover.sees(table)["version"] == offer["version"]


def test_signature_for_an_older_version_is_refused(table, ada, ben):
    offers = [player.offers(table) for player in (ada, ben)]
    resigns = {"name": "offer_draw", "args": {}}
    late = signed(OTHER, table, 1, offers[1], {"name": "resign", "args": {}})
    assert ada.plays(table, signed(KEY, table, 0, offers[0], resigns)).status_code == 200
    refused = ben.plays(table, late)
    assert code(refused) == (409, "bad_signature")
    now = ben.sees(table)
    assert f"|{now['version']}|{now['head']}|" in refused.json["detail"]
    assert code(ben.plays(table, late, headers={"If-Match": f'"{offers[1]["version"]}"'})) == (412, "version_mismatch")
    assert signs(ben, table, 1, OTHER, {"name": "resign", "args": {}}).status_code == 200


def test_commands_of_the_match_are_signed_too(table, ada):
    assert code(ada.plays(table, {"name": "resign", "args": {}})) == (409, "signature_needed")
    assert signs(ada, table, 0, KEY, {"name": "resign", "args": {}}).status_code == 200


def test_illegal_move_is_refused_even_if_signed(table, ada, ben):
    seat, _, _ = at_move(table, ada, ben)
    waits = (ben, ada)[seat]
    refused = signs(waits, table, 1 - seat, (OTHER, KEY)[seat], {"name": "draw_card", "args": {}})
    assert code(refused) == (409, "not_your_turn")


def test_signature_for_a_seat_without_a_key_is_refused(playing):
    table, players, turn = playing()
    assert code(signs(players[turn], table, turn)) == (409, "signature_unasked")


def test_repeated_signed_move_returns_the_same_answer(table, ada, ben):
    seat, mover, key = at_move(table, ada, ben)
    offer = mover.offers(table)
    move = signed(key, table, seat, offer, offer["moves"][0]["example"])
    made, again = (mover.plays(table, move, headers={"Idempotency-Key": "one"}) for _ in range(2))
    assert (made.status_code, again.headers["Idempotency-Replayed"]) == (200, "true")
    assert made.json == again.json
    other = {**move, "signature": "00" * 64}
    assert code(mover.plays(table, other, headers={"Idempotency-Key": "one"})) == (422, "idempotency_mismatch")


# --- Who else moves for the seat ----------------------------------------------------------------------------


def test_seat_with_a_key_accepts_no_standing_orders(ada, ben):
    seats = [{"kind": "me", **held(KEY, ada)}, {"kind": "open"}]
    slow = {"per_decision_seconds": 86_400}
    table = ada.creates(game="crazy_eights", seats=seats, clock=slow)
    assert ben.put(f"{table.path}/seats/1").status_code == 200
    orders = {"orders": [{"do": [{"move": "draw_card"}]}]}
    assert code(ada.put(f"{table.path}/orders", orders)) == (409, "orders_not_signed")
    assert code(ada.post(f"{table.path}/orders/dry-run", orders)) == (409, "orders_not_signed")
    assert ben.put(f"{table.path}/orders", orders).status_code == 200


def test_default_move_for_a_seat_with_a_key_is_recorded_as_such(ada, ben, clock, app):
    seats = [{"kind": "me", **held(KEY, ada)}, {"kind": "open"}]
    table = ada.creates(game="crazy_eights", seats=seats, clock={"per_decision_seconds": 60, "max_defaults": 1})
    assert ben.put(f"{table.path}/seats/1", held(OTHER, ben, table, 1)).status_code == 200
    seat, mover, key = at_move(table, ada, ben)
    clock.passes(61)
    commands.settle_due(app.extensions["dealt"].context, table["id"])
    shown = mover.events(table)
    late = next(e for e in shown if e["type"] == "DecisionTimedOut")
    causes = {e["cause"] for e in shown if e["commit"] == late["commit"]}
    assert {"timeout"} <= causes <= {"timeout", "auto"}  # by the cards, something may follow of itself
    assert mover.sees(table)["seats"][seat]["played_by_bot"]
    assert code(mover.plays(table, {"name": "take_seat_back", "args": {}})) == (409, "signature_needed")
    assert signs(mover, table, seat, key, {"name": "take_seat_back", "args": {}}).status_code == 200
    report = mover.get(f"{table.path}/audit").json
    assert (report["verdict"], [one["seat"] for one in report["signed_seats"]]) == ("verified", [0, 1]), report


def test_code_in_the_signing_guide_makes_valid_signatures(ada, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # it keeps its key in a file
    page = Path(__file__).parents[2] / "docs" / "how-to" / "sign-your-moves.md"
    (program,) = re.findall(r"signing.py << 'END'\n(.*?)^ *END$", page.read_text(), re.DOTALL | re.MULTILINE)
    names = {}
    exec(dedent(program), names)
    mine = {"kind": "me", "player_key": names["player_key"], "key_proof": names["proof"](ada.id)}
    table = ada.creates(seats=[mine, *[{"kind": "bot"}] * 3])
    offer = ada.offers(table)
    assert ada.plays(table, names["signed"](table["id"], offer, offer["moves"][0]["example"])).status_code == 200
    assert ada.plays(table, names["signed"](table["id"], ada.offers(table), RESIGNS)).status_code == 200


RESIGNS = {"name": "resign", "args": {}}


# --- The record ---------------------------------------------------------------------------------------------


@pytest.mark.long
def test_match_with_signed_moves_passes_verification_and_audit(table, ada, ben, stranger):
    for _ in range(400):
        if stranger.sees(table)["status"] == "finished":
            break
        seat, mover, key = at_move(table, ada, ben)
        assert signs(mover, table, seat, key).status_code == 200
    record = stranger.get(f"{table.path}/record").json
    found = stranger.send(
        "POST", "/v1/records/verify", {}, data=json.dumps(record), content_type="application/vnd.dealt.record+json"
    )
    moves = [e for e in record["events"] if e["type"] == "MoveSigned"]
    assert moves
    for report in (found.json, stranger.get(f"{table.path}/audit").json):
        left = [check["name"] for check in report["checks"] if check["skipped"] or not check["ok"]]
        assert left in ([], ["signatures"]), report
        assert report["signed_seats"] == [{"seat": 0, "key": public(KEY)}, {"seat": 1, "key": public(OTHER)}]
        said = next(check["detail"] for check in report["checks"] if check["name"] == "moves")
        assert f"Of {len(moves)} signed moves, {len(moves)} are open and valid" in said


# --- Every game ---------------------------------------------------------------------------------------------

FIRST = {game: (n, options) for game, n, options in reversed(SETUPS)}


@pytest.fixture
def elsewhere(empty_sqlite, tmp_path):
    """Return another server's store."""
    with closing(open_store(empty_sqlite(tmp_path / "elsewhere.sqlite3"))) as store:
        yield store


@pytest.mark.parametrize("game", first_of(FIRST))
def test_signed_match_of_each_game_passes_all_verifiers(ada, ben, bots, elsewhere, node, game):  # noqa: F811
    """A match with all players signing is played over HTTP, exported, verified by both verifiers, imported and
    audited."""
    n, options = FIRST[game]
    seats = [{"kind": "me", **held(KEY, ada)}, {"kind": "open"}, *[{"kind": "bot"}] * (n - 2)]
    body = {"game": game, "options": {**options, "on_resign": "end"}, "seats": seats, "series": {"best_of": 1}}
    table = Table(ada.post("/v1/matches", body).json)
    assert ben.put(f"{table.path}/seats/1", held(OTHER, ben, table, 1)).status_code == 200
    players, rng = ((ada, KEY), (ben, OTHER)), Random(game)
    for _ in range(25):
        if due := to_decide(bots, ada, table):
            player, key = players[due[0]]
            example = rng.choice(player.offers(table)["moves"])["example"]
            assert signs(player, table, due[0], key, example).status_code == 200
    for seat, (player, key) in enumerate(players):
        if player.sees(table)["status"] == "playing":
            signs(player, table, seat, key, {"name": "resign", "args": {"whole_match": True}})
            bots(table)
    record = ben.get(f"{table.path}/record")
    assert record.json["match"]["status"] == "finished"
    (theirs,) = reports(node, [(record.json, ())])
    assert [check for check in theirs["checks"] if not check["ok"]] == []
    taken = imports.import_record(Matches(elsewhere), record.data)
    there = audit(elsewhere, taken.match_id)
    assert there is not None
    for report in (taken.report, there):
        assert (failing(report), [seat.seat for seat in report.signed_seats]) == ([], [0, 1]), report
    assert there.verdict == "verified"
    assert ada.get(f"{table.path}/audit").json["verdict"] == "verified"
    assert any(e["type"] == "MoveSigned" for e in record.json["events"])


def to_decide(bots, player, table):
    """Return the players who are to act, once the bots have moved."""
    bots(table)
    match = player.sees(table)
    return match["to_act"] if match["status"] == "playing" else []


def test_rematch_uses_the_key_of_its_request(ada, ben, bots):
    made = ada.creates(seats=[{"kind": "me"}, {"kind": "open"}, BOT, BOT], options={"on_resign": "end"})
    assert ben.put(f"{made.path}/seats/1", {}).status_code == 200
    ada.plays(made, {"name": "resign", "args": {}})
    assert code(ada.post(f"{made.path}/rematch", {"player_key": "ab"})) == (422, "bad_arguments")
    again = ada.post(f"{made.path}/rematch", held(KEY, ada))
    assert (again.status_code, [seat["player_key"] for seat in again.json["seats"]].count(public(KEY))) == (201, 1)
    assert ada.post(f"{made.path}/rematch", held(KEY, ada)).status_code == 200
    assert ada.post(f"{made.path}/rematch").status_code == 200
    assert code(ada.post(f"{made.path}/rematch", {"player_key": public(OTHER)})) == (409, "key_is_fixed")
    shown = ben.post(f"{made.path}/rematch", {"player_key": public(OTHER)})
    (kept,) = [seat["seat"] for seat in shown.json["seats"] if (seat["player"] or {}).get("id") == ben.id]
    assert (shown.status_code, shown.json["seats"][kept]["player_key"]) == (200, None)
    taken = ben.put(f"/v1/matches/{again.json['id']}/seats/{kept}", held(OTHER, ben, again.json, kept))
    assert taken.json["seats"][kept]["player_key"] == public(OTHER)


def test_seats_of_groups_and_practice_matches_can_have_keys(ada, bots):
    mine = {"kind": "me", **held(KEY, ada)}
    group = {"game": "hearts", "tables": [[mine, BOT, BOT, BOT], [{"kind": "open"}, BOT, BOT, BOT]]}
    tables = ada.post("/v1/deal-groups", group).json["tables"]
    assert ada.sees(Table(id=tables[0]["match"]))["seats"][0]["player_key"] == public(KEY)
    played = ada.creates(seats=[{"kind": "me"}, BOT, BOT, BOT], options={"on_resign": "end"})
    ada.plays(played, {"name": "resign", "args": {}})
    made = ada.post(f"{played.path}/practice", {"seats": [mine, BOT, BOT, BOT]})
    assert made.json["seats"][0]["player_key"] == public(KEY)
