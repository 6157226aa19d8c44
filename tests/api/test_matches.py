"""Tests creating, reading, listing and cancelling matches."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from concurrent.futures import ThreadPoolExecutor

import pytest

from events.times import write_time
from tests.api.client import Client, code, waits
from tests.factories import MatchBody

pytestmark = pytest.mark.both_databases


def test_caller_plays_against_steady_bots_by_default(ada):
    created = ada.post("/v1/matches", {"game": "hearts"})
    match = created.json
    assert created.headers["Location"] == f"/v1/matches/{match['id']}"
    assert created.headers["ETag"] == f'"{match["version"]}"'
    assert [seat["kind"] for seat in match["seats"]] == ["player", "bot", "bot", "bot"]
    assert {seat["level"] for seat in match["seats"][1:]} == {"steady"}
    assert (match["status"], match["your_seat"], match["visibility"]) == ("playing", 0, "public")


def test_creating_a_match_requires_a_player(stranger):
    assert code(stranger.post("/v1/matches", MatchBody())) == (401, "unauthenticated")


@pytest.mark.parametrize(
    ("options", "variant"),
    [
        ({}, "2-2-2-3"),
        ({"variant": "4-1-3-2"}, "4-1-3-2"),
        ({"variant": 202}, "4-1-3-2"),
        ({"variant": "202"}, "4-1-3-2"),
        ({"variant_index": 1}, "1-1-1-1"),
    ],
)
def test_variant_is_named_by_code_or_index_and_shown_with_both(ada, options, variant):
    written = ada.creates(options=options)["options"]
    assert written["variant"] == variant
    assert isinstance(written["variant_index"], int)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"variant": "5-1-1-1"}, "options.variant"), ({"variant": 0}, "options.variant"),
        ({"variant": "1-1-1-1", "variant_index": 2}, "options.variant_index"),
        ({"target_score": 0}, "options.target_score"), ({"target_score": "100"}, "options.target_score"),
        ({"target_score": True}, "options.target_score"), ({"target_score": 1.5}, "options.target_score"),
        ({"nonce_commit": 1}, "options.nonce_commit"), ({"tie_break": None}, "options.tie_break"),
        ({"first_dealer": "pick"}, "options.first_dealer_seat"), ({"jokers": 2}, "options.jokers"),
        ({"fairness_reveal": "tomorrow"}, "options.fairness_reveal"),
    ],
)  # fmt: skip
def test_refusal_names_the_invalid_options(ada, options, field):
    refused = ada.post("/v1/matches", MatchBody(options=options))
    assert (code(refused), list(refused.json["errors"])) == ((422, "bad_options"), [field])


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "game"), ({"game": "bridge"}, "game"), ({"game": "hearts", "visibility": "secret"}, "visibility"),
        ({"game": "hearts", "seats": [{"kind": "me"}]}, "seats"),
        ({"game": "hearts", "seats": [{"kind": "me", "level": "easy"}, *[{"kind": "bot"}] * 3]}, "seats.0.level"),
        ({"game": "hearts", "seats": [{"kind": "me", "eaten_at": None}, *[{"kind": "bot"}] * 3]}, "seats.0.eaten_at"),
        ({"game": "hearts", "seats": [{"kind": "me"}, *[{"kind": "bot", "level": "god"}] * 3]}, "seats.1.level"),
        ({"game": "hearts", "series": {"best_of": 2}}, "series.best_of"),
        ({"game": "hearts", "clock": {"bank_seconds": -1}}, "clock.bank_seconds"),
        ({"game": "hearts", "clock": {"seconds": 1}}, "clock.seconds"),
        ({"game": "hearts", "colour": "red"}, "colour"),
    ],
)  # fmt: skip
def test_invalid_field_is_named_by_its_path(ada, body, field):
    refused = ada.post("/v1/matches", body)
    assert code(refused) == (422, "bad_arguments")
    assert field in refused.json["errors"]


def test_preset_sets_several_options(ada):
    assert ada.creates(preset="seed")["preset"] == "seed"
    assert code(ada.post("/v1/matches", MatchBody(preset="nope"))) == (422, "bad_options")


def test_match_of_only_bots_plays_to_its_end_while_its_creator_watches(ada, bots):
    table = ada.creates(bots_only=True, short=True)
    assert table["your_seat"] is None
    bots(table)
    assert ada.sees(table)["status"] == "finished"


def test_match_of_only_bots_with_an_endless_game_is_refused(ada):
    endless = {"game": "two_handed_hearts", "options": {"max_hands": 0}}
    alone = [{"kind": "bot"}, {"kind": "bot"}]
    before = ada.get("/v1/matches?game=two_handed_hearts").json
    for path, seats in (("/v1/matches", {"seats": alone}), ("/v1/deal-groups", {"tables": [alone, alone]})):
        refused = ada.post(path, {**endless, **seats})
        assert code(refused) == (422, "bad_options"), path
        assert refused.json["errors"].keys() == {"options.max_hands"}
        assert "take a seat yourself" in refused.json["errors"]["options.max_hands"][0]
    assert ada.get("/v1/matches?game=two_handed_hearts").json == before
    for somebody in ({"kind": "me"}, {"kind": "open"}, {"kind": "invite"}):
        ada.creates(**endless, seats=[somebody, {"kind": "bot"}])
    ada.creates(game="two_handed_hearts", options={"max_hands": 1}, seats=alone)


# --- Who sees what ---------------------------------------------------------------------------------------


def test_seat_sees_only_its_own_cards(full_table, stranger):
    table, players = full_table()
    for seat, player in enumerate(players):
        seen = player.sees(table)["table"]
        assert [hand is not None for hand in seen["hands"]] == [seat == other for other in range(4)]
        assert len(seen["hand"]) == 13
    assert stranger.sees(table)["table"]["hands"] == [None] * 4
    assert stranger.sees(table)["table"]["hand"] == []


def test_scene_shows_a_seat_only_its_own_cards(full_table, stranger):
    table, players = full_table()
    for seat, player in enumerate([*players, stranger]):
        seen = player.sees(table)
        hands = [seen["scene"]["zones"][f"hand-{other}"] for other in range(4)]
        shown = [sorted(spot["card"] for spot in hand["spots"]) for hand in hands]
        assert shown == [sorted(seen["table"]["hand"]) if seat == other else [] for other in range(4)]
        assert [hand["count"] for hand in hands] == [13] * 4
        assert seen["scene"]["last"].startswith("The cards were dealt")


def test_scene_is_null_before_the_start(ada):
    assert ada.creates(seats=[{"kind": "me"}, *[{"kind": "open"}] * 3])["scene"] is None


def unchanging(response):
    """Return the headers without the id, which is different for each request."""
    return sorted(pair for pair in response.headers if pair[0] != "X-Request-Id")


def test_private_match_is_listed_only_for_its_players_and_its_creator(ada, ben, stranger):
    table = ada.creates(private=True)
    for other in (ben, stranger):
        for path in ("", "/moves", "/events", "/replay"):
            refused, absent = other.get(table.path + path), other.get("/v1/matches/" + "0" * 20 + path)
            assert code(refused) == (404, "not_found")
            assert (refused.data, unchanging(refused)) == (absent.data, unchanging(absent))
    assert code(ben.post(f"{table.path}/moves", {"name": 7})) == (404, "not_found")
    assert ada.sees(table)["visibility"] == "private"


def test_unlisted_match_can_be_read_by_its_link_but_is_not_listed(ada, ben):
    table = ada.creates(unlisted=True)
    assert ben.sees(table)["id"] == table["id"]
    assert table["id"] not in listed(ben, f"player={ada.id}")
    assert table["id"] in listed(ada, "player=me")


@pytest.mark.parametrize("path", ["x", "%00", "0" * 21, "..", "%C3%A4" * 10])
def test_invalid_id_returns_404(stranger, path):
    assert code(stranger.get(f"/v1/matches/{path}/events")) == (404, "not_found")


def test_unchanged_match_is_not_sent_again(ada, bots):
    table, tags = ada.creates(), {}
    for path in ("", "?fields=version,offer", "/moves", "/replay", "/events"):
        tags[path] = ada.get(table.path + path).headers["ETag"]
        same = ada.get(table.path + path, headers={"If-None-Match": tags[path]})
        assert (same.status_code, same.headers["ETag"]) == (304, tags[path])
    bots(table)
    for path in ("", "/moves"):
        assert ada.get(table.path + path, headers={"If-None-Match": tags[path]}).status_code == 200


def test_match_is_sent_again_after_a_changed_name_or_invite(ada, ben):
    table = ada.creates(invited=True)
    ben.put(f"{table.path}/seats/2")
    first = ada.get(table.path).headers["ETag"]
    ada.post(f"{table.path}/seats/1/invite")
    shown = ada.get(table.path, headers={"If-None-Match": first})
    assert shown.json["invites"] == [{"seat": 1, "invite": None, "link": None}]
    ben.delete("/v1/players/me")
    shown = ada.get(table.path, headers={"If-None-Match": shown.headers["ETag"]})
    assert shown.json["seats"][2]["player"]["name"] is None
    assert ada.post(f"{table.path}/seats/1/invite", headers={"If-Match": first}).status_code == 201


def test_request_can_wait_for_a_change_of_a_match(full_table):
    table, players = full_table()
    known = {"If-None-Match": players[0].get(table.path).headers["ETag"]}
    watcher = Client(players[0].app, players[0].token)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(watcher.get, f"{table.path}?wait=20", headers=known)
        waits(watcher.app)
        made = players[1].plays(table).json
        assert waiting.result(timeout=60).json["version"] == made["version"]
    assert players[0].get(f"{table.path}?wait=20", headers=known).status_code == 200


def test_wait_for_a_match_ends_with_304_if_nothing_happened(ada):
    table = ada.creates(invited=True)
    known = {"If-None-Match": ada.get(table.path).headers["ETag"], "Prefer": "wait=1"}
    same = ada.get(table.path, headers=known)
    assert (same.status_code, same.headers["Preference-Applied"]) == (304, "wait=1")
    assert ada.get(table.path, headers={"Prefer": "wait=20"}).status_code == 200


def test_request_for_a_finished_match_does_not_wait(ada, bots):
    table = ada.creates(bots_only=True, short=True)
    bots(table)
    known = {"If-None-Match": ada.get(table.path).headers["ETag"]}
    assert ada.get(f"{table.path}?wait=20", headers=known).status_code == 304


@pytest.mark.parametrize("query", ["wait=31", "wait=-1", "wait=soon", "waits=1"])
def test_invalid_wait_for_a_match_is_refused(ada, query):
    assert code(ada.get(f"{ada.creates().path}?{query}")) == (422, "bad_arguments")


def test_match_answers_are_private_to_the_caller(ada):
    headers = ada.get(ada.creates().path).headers
    assert (headers["Cache-Control"], headers["Vary"]) == ("private, no-store", "Authorization, Accept")


def test_player_with_several_seats_can_choose_the_view(ada, ben):
    table = ada.creates(seats=[{"kind": "me"}, {"kind": "open"}, {"kind": "me"}, {"kind": "bot"}])
    ben.put(f"{table.path}/seats/1")
    for path in ("", "/events"):
        assert code(ada.get(f"{table.path}{path}?seat=1")) == (403, "not_seated")
        assert code(ben.get(f"{table.path}{path}?seat=x")) == (422, "bad_arguments")
    hands = []
    for seat in (0, 2):
        seen = ada.get(f"{table.path}?seat={seat}").json
        assert (seen["your_seat"], seen["your_seats"]) == (seat, [0, 2])
        dealt = next(e for e in ada.events(table, f"?seat={seat}") if e["type"] == "HandDealt")
        assert list(dealt["unseal"]["cards"]) == [str(seat)]
        assert sorted(dealt["data"]["cards"]) == sorted(seen["table"]["hand"])
        hands.append(seen["table"]["hand"])
    assert not set(hands[0]) & set(hands[1])
    assert ada.sees(table)["your_seat"] == 0


# --- Lists ------------------------------------------------------------------------------------------------


def listed(client, query):
    response = client.get(f"/v1/matches?{query}")
    assert response.status_code == 200, response.json
    return [match["id"] for match in response.json["items"]]


def test_matches_are_listed_newest_first_in_pages(ada, clock):
    ids = []
    for _ in range(5):
        ids.insert(0, ada.creates()["id"])
        clock.passes(1)
    first = ada.get("/v1/matches?player=me&limit=2").json
    second = ada.get(f"/v1/matches?player=me&limit=2&cursor={first['next']}").json
    third = ada.get(f"/v1/matches?player=me&limit=2&cursor={second['next']}").json
    assert [m["id"] for page in (first, second, third) for m in page["items"]] == ids
    assert third["next"] is None


def test_cursor_does_not_reveal_the_number_of_matches(app, ada):
    tables = [ada.creates() for _ in range(3)]
    page = ada.get("/v1/matches?player=me&limit=2").json
    cursor = page["next"]
    written = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    assert written.split(".")[1] == page["items"][1]["id"]
    rest = ada.get(f"/v1/matches?player=me&cursor={cursor}").json
    assert [m["id"] for m in page["items"] + rest["items"]] == [table["id"] for table in reversed(tables)]
    gone = urlsafe_b64encode(f"{written.split('.')[0]}.{'0' * 20}".encode()).decode().rstrip("=")
    assert ada.get(f"/v1/matches?player=me&cursor={gone}").status_code == 200


def test_matches_are_filtered_by_game_status_and_player(ada, ben, bots):
    playing, lobby, over = (
        ada.creates(),
        ada.creates(open_table=True),
        ada.creates(bots_only=True, short=True),
    )
    bots(over)
    assert set(listed(ben, f"player={ada.id}&game=hearts")) == {playing["id"], lobby["id"]}
    assert listed(ben, f"player={ada.id}&status=lobby") == [lobby["id"]]
    assert over["id"] in listed(ben, "status=finished")
    assert listed(ben, "player=me") == []


def test_finished_match_has_its_start_time_and_result(ada, bots):
    table = ada.creates(bots_only=True, short=True)
    bots(table)
    shown = next(m for m in ada.get("/v1/matches?status=finished").json["items"] if m["id"] == table["id"])
    assert shown["started_at"] is not None
    assert shown["ended_at"] is not None
    assert min(shown["result"]["places"]) == 1


@pytest.mark.parametrize(
    "query",
    [
        "limit=0", "limit=101", "limit=x", "limit=-1", "cursor=garbage", "cursor=", "cursor=%FF", "status=odd",
        "game=Bridge", "game=bridge%0a", "player=%00", "player=Ada", "sort=name", "limit=1&limit=2",
    ],
)  # fmt: skip
def test_invalid_match_query_is_refused(ada, query):
    assert code(ada.get(f"/v1/matches?{query}")) == (422, "bad_arguments")


def test_search_for_an_unknown_game_finds_no_match(ada):
    assert ada.get("/v1/matches?game=bridge").json == {"items": [], "next": None}


def test_me_requires_a_token(stranger):
    assert code(stranger.get("/v1/matches?player=me")) == (401, "unauthenticated")


# --- Cancelling -------------------------------------------------------------------------------------------


def test_the_creator_cancels_before_the_start(ada, ben):
    table = ada.creates(open_table=True)
    assert code(ben.delete(table.path)) == (403, "forbidden")
    assert ada.delete(table.path).status_code == 204
    assert ada.sees(table)["status"] == "cancelled"
    assert ada.events(table)[-1]["type"] == "MatchEnded"
    assert code(ada.delete(table.path)) == (409, "match_over")


def test_running_match_cannot_be_cancelled(ada):
    assert code(ada.delete(ada.creates().path)) == (409, "already_started")


def test_a_lobby_expires_after_thirty_days(app, ada, clock):
    table = ada.creates(open_table=True)
    assert ada.sees(table)["seats_until"] == write_time(clock() + 30 * 24 * 3600 * 1000)
    clock.passes(30 * 24 * 3600)
    app.extensions["dealt"].context.settle(table["id"])
    assert ada.sees(table)["status"] == "expired"


# --- Sending it again -------------------------------------------------------------------------------------


def test_repeated_creation_returns_the_original_answer(ada, bots):
    key, body = {"Idempotency-Key": "k1"}, MatchBody(invited=True, visibility="unlisted")
    first = ada.post("/v1/matches", body, headers=key)
    ada.put(f"/v1/matches/{first.json['id']}/seats/2")
    again = ada.post("/v1/matches", body, headers=key)
    assert (again.status_code, again.json, again.headers["ETag"]) == (201, first.json, first.headers["ETag"])
    assert again.headers["Location"] == first.headers["Location"]
    assert (first.headers.get("Idempotency-Replayed"), again.headers["Idempotency-Replayed"]) == (
        None,
        "true",
    )


def test_repeated_key_with_another_body_is_refused_before_the_body_is_parsed(ada):
    key = {"Idempotency-Key": "k1"}
    ada.post("/v1/matches", MatchBody(), headers=key)
    assert code(ada.post("/v1/matches", {"game": "?"}, headers=key)) == (422, "idempotency_mismatch")


def test_refused_request_can_be_retried_with_its_key(ada):
    key = {"Idempotency-Key": "k1"}
    assert ada.post("/v1/matches", {"game": "?"}, headers=key).status_code == 422
    assert ada.post("/v1/matches", MatchBody(), headers=key).status_code == 201


def test_idempotency_key_belongs_to_its_player(ada, ben):
    key, body = {"Idempotency-Key": "k1"}, MatchBody()
    assert (
        ada.post("/v1/matches", body, headers=key).json["id"] != ben.post("/v1/matches", body, headers=key).json["id"]
    )


@pytest.mark.parametrize("key", ["", "x" * 256, "a b"])
def test_invalid_idempotency_key_is_a_bad_request(ada, key):
    assert code(ada.post("/v1/matches", MatchBody(), headers={"Idempotency-Key": key})) == (
        400,
        "bad_request",
    )


def test_retry_after_a_crash_between_commit_and_answer_returns_the_match(app, ada, monkeypatch):
    key = {"Idempotency-Key": "k1"}
    with monkeypatch.context() as crash:
        crash.setattr("events.service.create.see_match", lambda *_: 1 / 0)
        assert code(ada.post("/v1/matches", MatchBody(), headers=key)) == (500, "internal_error")
    again = Client(app, ada.token).post("/v1/matches", MatchBody(), headers=key)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert listed(ada, "player=me") == [again.json["id"]]
