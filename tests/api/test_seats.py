"""Tests taking seats, leaving, invites and nonces."""

from hashlib import sha256

import pytest

from api.terminal.source import invite_in, split
from events.store.tables import invite_rows
from tests.api.client import Client, code


def seat_of(client, table, n):
    return client.sees(table)["seats"][n]


# --- Open seats ---------------------------------------------------------------------------------------------


def test_open_seat_can_be_taken_and_repeating_changes_nothing(ada, ben):
    table = ada.creates(open_table=True)
    taken = ben.put(f"{table.path}/seats/2").json
    assert (taken["your_seat"], taken["seats"][2]["player"]) == (2, {"id": ben.id, "name": "Ben", "handle": ben.handle})
    assert ben.put(f"{table.path}/seats/2", {}).json == taken


def test_taken_seat_is_refused(ada, ben, stranger):
    table = ada.creates(open_table=True)
    assert code(ben.put(f"{table.path}/seats/0")) == (409, "seat_taken")
    assert code(stranger.put(f"{table.path}/seats/1")) == (401, "unauthenticated")
    assert code(ben.put(f"{table.path}/seats/4")) == (404, "not_found")


def test_seat_of_a_bot_is_refused(ada, ben):
    table = ada.creates(invited=True)
    assert code(ben.put(f"{table.path}/seats/3")) == (409, "seat_taken")


def test_match_starts_automatically_when_every_seat_is_taken(full_table):
    table, players = full_table()
    assert players[0].sees(table)["status"] == "playing"
    assert code(players[0].put(f"{table.path}/seats/1")) == (409, "already_started")


def test_leaving_before_the_start_frees_the_seat(ada, ben):
    table = ada.creates(open_table=True)
    ben.put(f"{table.path}/seats/1")
    assert code(ada.delete(f"{table.path}/seats/1")) == (403, "not_seated")
    assert ben.delete(f"{table.path}/seats/1").status_code == 204
    assert seat_of(ada, table, 1)["kind"] == "open"


def test_player_cannot_leave_after_the_start(ada):
    table = ada.creates()
    assert code(ada.delete(f"{table.path}/seats/0")) == (409, "already_started")


def test_seat_is_refused_if_the_match_is_at_another_version(ada, ben):
    table = ada.creates(open_table=True)
    tag = {"If-Match": ada.get(table.path).headers["ETag"]}
    assert ben.put(f"{table.path}/seats/1", headers=tag).status_code == 200
    assert code(ben.put(f"{table.path}/seats/2", headers=tag)) == (412, "version_mismatch")
    assert code(ada.delete(table.path, headers=tag)) == (412, "version_mismatch")
    assert code(ben.delete(f"{table.path}/seats/1", headers=tag)) == (412, "version_mismatch")


def test_version_is_checked_only_for_callers_with_permission(ada, ben):
    table, stale = ada.creates(invited=True), {"If-Match": '"1"'}
    assert code(ben.delete(f"{table.path}/seats/0", headers=stale)) == (403, "not_seated")
    assert code(ben.delete(table.path, headers=stale)) == (403, "forbidden")
    assert code(ben.post(f"{table.path}/seats/1/invite", headers=stale)) == (403, "forbidden")
    assert code(ben.put(f"{table.path}/seats/1", headers=stale)) == (403, "bad_invite")
    assert code(ada.post(f"{table.path}/seats/1/invite", headers=stale)) == (412, "version_mismatch")
    assert code(ada.post(f"{table.path}/seats/2/invite", headers=stale)) == (412, "version_mismatch")


def test_answer_without_a_body_has_the_version(ada, ben):
    table = ada.creates(open_table=True)
    ben.put(f"{table.path}/seats/1")
    left = ben.delete(f"{table.path}/seats/1")
    assert (left.status_code, left.headers["ETag"]) == (204, f'"{ada.sees(table)["version"]}"')
    cancelled = ada.delete(table.path)
    assert (cancelled.status_code, cancelled.headers["ETag"]) == (204, f'"{ada.sees(table)["version"]}"')
    for response in (left, cancelled, ben.delete("/v1/players/me")):
        assert response.headers["Cache-Control"] == "private, no-store"
        assert response.headers["Vary"] == "Authorization, Accept"
        assert "Content-Type" not in response.headers


@pytest.mark.parametrize("seat", ["٣", "²", "-1", "1.0", "9" * 3000])
def test_invalid_seat_number_is_refused(ada, seat):
    path = f"{ada.creates(open_table=True).path}/seats/{seat}"
    for asked in (ada.put(path), ada.delete(path), ada.post(f"{path}/invite")):
        assert code(asked) == (404, "not_found")


@pytest.mark.parametrize(
    "body",
    [{"nonce": "XYZ"}, {"nonce": "0" * 15}, {"nonce": "0" * 65}, {"nonce": "A" * 16}, {"nonce_hash": "0" * 63},
     {"nonce": None}, {"eaten_at": None}, {"invite": 7}, {"name": "x"}],
)  # fmt: skip
def test_invalid_seat_request_is_refused(ada, body):
    table = ada.creates(open_table=True)
    assert code(ada.put(f"{table.path}/seats/0", body)) == (422, "bad_arguments")


# --- Invites ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["body", "header"])
def test_holder_of_an_invite_can_find_and_join_a_private_table(ada, ben, how):
    table = ada.creates(invited=True, private=True)
    (invite,) = table["invites"]
    assert invite["seat"] == 1
    assert ben.get(table.path, headers={"Dealt-Invite": invite["invite"]}).status_code == 200
    body, headers = ({"invite": invite["invite"]}, {}) if how == "body" else (None, {"Dealt-Invite": invite["invite"]})
    assert ben.put(f"{table.path}/seats/1", body, headers=headers).json["your_seat"] == 1
    assert ada.sees(table)["invites"] == []


def test_invite_link_has_the_code_in_its_fragment(ada):
    table = ada.creates(invited=True)
    (invite,) = table["invites"]
    assert invite["link"] == f"http://localhost{table.path}#invite={invite['invite']}"
    assert split(invite["link"]) == ("http://localhost", table["id"])
    assert invite_in(invite["link"]) == invite["invite"]
    issued = ada.post(f"{table.path}/seats/1/invite").json
    assert issued["link"].endswith(f"#invite={issued['invite']}")


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


def test_invite_link_leads_a_browser_to_the_table_and_a_program_to_the_match(ada, stranger):
    table = ada.creates(invited=True)
    for accept in (BROWSER, "text/html"):
        led = stranger.get(table.path, headers={"Accept": accept})
        assert (led.status_code, led.headers["Location"]) == (303, f"/play?m={table['id']}")
    for accept in ("*/*", "application/json", "application/json, text/html;q=0.9"):
        seen = stranger.get(table.path, headers={"Accept": accept})
        assert (seen.status_code, seen.json["id"]) == (200, table["id"])
        assert "Accept" in seen.vary
    assert "Accept" in led.vary
    # A client that sends a token is a program.
    assert ada.get(table.path, headers={"Accept": BROWSER}).status_code == 200
    assert code(ada.get(table.path, headers={"Accept": "text/html"})) == (406, "not_acceptable")


def test_used_invite_code_is_refused(ada, ben, player):
    table = ada.creates(invited=True, private=True)
    invite = table["invites"][0]["invite"]
    ben.put(f"{table.path}/seats/1", {"invite": invite})
    assert ben.delete(f"{table.path}/seats/1").status_code == 204
    assert code(player().put(f"{table.path}/seats/1", {"invite": invite})) == (404, "not_found")


@pytest.mark.parametrize("invite", [None, "", "wrong", "ü"])
def test_wrong_invite_code_is_refused(ada, ben, invite):
    table = ada.creates(invited=True)
    assert code(ben.put(f"{table.path}/seats/1", {"invite": invite} if invite else {})) == (403, "bad_invite")


def test_invite_codes_are_shown_only_to_the_creator(ada, ben):
    table = ada.creates(invited=True)
    assert ada.sees(table)["invites"] == table["invites"]
    assert "invites" not in ben.sees(table)


def test_only_the_hash_of_an_invite_is_stored(app, ada):
    table = ada.creates(invited=True)
    here = app.extensions["dealt"]
    stored = invite_rows.code(here.store, here.context.open(table["id"], _as(ada)).match_no, 1)
    assert stored == sha256(table["invites"][0]["invite"].encode()).digest()


def _as(client):
    from events.service.access import Caller

    return Caller(client.id, client.token)


def test_new_invite_code_replaces_the_old_one(ada, ben):
    table = ada.creates(invited=True)
    old, path = table["invites"][0]["invite"], f"{table.path}/seats/1"
    assert code(ben.post(f"{path}/invite")) == (403, "forbidden")
    new = ada.post(f"{path}/invite").json["invite"]
    assert ada.sees(table)["invites"] == [{"seat": 1, "invite": None, "link": None}]
    assert code(ben.put(path, {"invite": old})) == (403, "bad_invite")
    assert ben.put(path, {"invite": new}).status_code == 200
    assert code(ada.post(f"{path}/invite")) == (409, "seat_taken")


def test_repeated_invite_request_returns_the_same_code(ada):
    path, key = f"{ada.creates(invited=True).path}/seats/1/invite", {"Idempotency-Key": "k"}
    first, again = ada.post(path, headers=key), ada.post(path, headers=key)
    assert first.json == again.json
    assert again.headers["Idempotency-Replayed"] == "true"


def test_replaced_code_is_not_shown_again(app, ada):
    path, key = f"{ada.creates(invited=True).path}/seats/1/invite", {"Idempotency-Key": "k"}
    assert ada.post(path, headers=key).json["invite"] is not None
    renewed = Client(app, ada.post("/v1/players/me/token").json["token"])
    again = renewed.post(path, headers=key)
    assert (again.status_code, again.json) == (201, {"seat": 1, "invite": None, "link": None})


# --- Nonces -----------------------------------------------------------------------------------------------


NONCES = [sha256(f"{seat}".encode()).hexdigest()[:16] for seat in range(4)]


@pytest.mark.parametrize("nonce", ["0" * 16, "0123456789abcdef", "deadbeefdeadbeef"])
def test_guessable_nonce_is_refused(ada, nonce):
    table = ada.creates(open_table=True)
    refused = ada.put(f"{table.path}/seats/0", {"nonce": nonce})
    assert code(refused) == (422, "bad_arguments")
    assert "openssl rand -hex 16" in refused.json["errors"]["nonce"][0]
    mine = [{"kind": "me", "nonce": nonce}, *[{"kind": "bot"}] * 3]
    assert code(ada.post("/v1/matches", {"game": "hearts", "seats": mine})) == (422, "bad_arguments")
    assert ada.sees(table)["fairness"]["contributed"] == []


def test_a_nonce_or_hash_that_another_seat_gave_is_refused(ada, ben):
    table = ada.creates(open_table=True)
    ada.put(f"{table.path}/seats/0", {"nonce": NONCES[0]})
    copied = ben.put(f"{table.path}/seats/1", {"nonce": NONCES[0]})
    assert code(copied) == (422, "bad_arguments")
    assert "used before" in copied.json["detail"]
    bound = ada.creates(open_table=True, options={"nonce_commit": True})
    digest = sha256(NONCES[0].encode()).hexdigest()
    ada.put(f"{bound.path}/seats/0", {"nonce_hash": digest})
    assert code(ben.put(f"{bound.path}/seats/1", {"nonce_hash": digest})) == (422, "bad_arguments")
    assert ben.put(f"{bound.path}/seats/1").status_code == 200


def test_nonce_given_with_the_seat_is_public(ada, ben):
    table = ada.creates(open_table=True)
    ben.put(f"{table.path}/seats/1", {"nonce": "5d41402abc4b2a76"})
    assert ada.sees(table)["fairness"]["contributed"] == [1]
    assert ada.events(table)[-1]["data"] == {"seat": 1, "epoch": 1, "nonce": "5d41402abc4b2a76"}


def test_a_nonce_is_given_once(ada):
    table = ada.creates(open_table=True)
    path = f"{table.path}/seats/0"
    assert ada.put(path, {"nonce": "5d41402abc4b2a76"}).json == ada.put(path, {"nonce": "5d41402abc4b2a76"}).json
    refused = ada.put(path, {"nonce": "9e107d9d372bb682"})
    assert code(refused) == (409, "wrong_phase")
    assert "nonce" in refused.json["detail"]


def test_start_waits_for_nonces_with_nonce_seconds(full_table):
    table, players = full_table(options={"nonce_seconds": 60})
    assert players[0].sees(table)["fairness"]["awaits"] == "nonces"
    for seat, player in enumerate(players):
        player.put(f"{table.path}/seats/{seat}", {"nonce": NONCES[seat]})
    seen = players[0].sees(table)
    assert (seen["status"], seen["fairness"]["contributed"]) == ("playing", [0, 1, 2, 3])


def test_hashes_come_before_nonces_with_nonce_commit(full_table):
    table, players = full_table(options={"nonce_commit": True})
    nonces = NONCES
    assert code(players[0].put(f"{table.path}/seats/0", {"nonce": nonces[0]})) == (409, "wrong_phase")
    for seat, player in enumerate(players):
        digest = sha256(nonces[seat].encode()).hexdigest()
        assert player.put(f"{table.path}/seats/{seat}", {"nonce_hash": digest}).status_code == 200
    assert code(players[0].put(f"{table.path}/seats/0", {"nonce": "9e107d9d372bb682"})) == (409, "wrong_phase")
    for seat, player in enumerate(players):
        assert player.put(f"{table.path}/seats/{seat}", {"nonce": nonces[seat]}).status_code == 200
    assert players[0].sees(table)["status"] == "playing"
