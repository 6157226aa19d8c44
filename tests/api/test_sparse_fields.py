"""Tests answers with only the requested fields."""

import json

from api.http.sparse_fields import PART
from tests.api.client import code
from tests.factories import MatchBody


def test_match_can_be_created_and_read_with_selected_fields(ada):
    made = ada.post("/v1/matches?fields=id", MatchBody())
    assert (made.status_code, [*made.json], made.headers["Content-Type"]) == (201, ["id"], PART)
    whole = ada.get(f"/v1/matches/{made.json['id']}")
    part = ada.get(f"/v1/matches/{made.json['id']}?fields=status,seats")
    assert part.json == {"status": whole.json["status"], "seats": whole.json["seats"]}
    assert (part.headers["Content-Type"], part.headers["ETag"]) == (PART, whole.headers["ETag"])
    assert whole.headers["Content-Type"] == "application/json"


def test_seat_can_be_taken_with_selected_fields(ada, ben):
    match = ada.post(
        "/v1/matches?fields=id", MatchBody(game="gin_rummy", seats=[{"kind": "me"}, {"kind": "open"}])
    ).json["id"]
    assert code(ben.put(f"/v1/matches/{match}/seats/1?fields=none", {})) == (422, "bad_arguments")
    assert ben.put(f"/v1/matches/{match}/seats/1?fields=status,your_seats", {}).json == {
        "status": "playing",
        "your_seats": [1],
    }


def test_nested_fields_can_be_selected(ada):
    match = ada.post("/v1/matches?fields=id", MatchBody()).json["id"]
    whole = ada.get(f"/v1/matches/{match}").json
    part = ada.get(f"/v1/matches/{match}?fields=seats.seat,status,seats.kind,result.places").json
    assert part == {
        "seats": [{"seat": one["seat"], "kind": one["kind"]} for one in whole["seats"]],
        "status": whole["status"],
        "result": None,
    }
    assert ada.get(f"/v1/matches/{match}?fields=seats,seats.kind").json == {"seats": whole["seats"]}
    assert code(ada.get(f"/v1/matches/{match}?fields=seats.")) == (422, "bad_arguments")


def test_moves_and_matches_can_be_listed_with_selected_fields(ada):
    table = ada.creates()
    made, whole = ada.sees(table), ada.offers(table)
    part = ada.get(f"{table.path}/moves?fields=seat,moves.args.title,also.name").json
    assert part == {
        "seat": whole["seat"],
        "moves": [{"args": {"title": one["args"]["title"]}} for one in whole["moves"]],
        "also": [{"name": one["name"]} for one in whole["also"]],
    }
    assert ada.get("/v1/matches?player=me&fields=id,seats.kind").json["items"] == [
        {"id": made["id"], "seats": [{"kind": one["kind"]} for one in made["seats"]]}
    ]


def test_match_includes_legal_moves_only_on_request(ada, ben):
    table = ada.creates(seats=[{"kind": "me"}, {"kind": "open"}, {"kind": "bot"}, {"kind": "bot"}])
    assert ben.put(f"{table.path}/seats/1", {}).status_code == 200
    assert not {"offer", "bare_scene"} & {*ada.sees(table)}
    for reader, query in ((ada, ""), (ben, ""), (ben, "&seat=1")):
        part = reader.get(f"{table.path}?fields=version,offer{query}").json
        assert part == {"version": part["offer"]["version"], "offer": reader.offers(table)}
    assert ada.get(f"{table.path}?fields=offer.also.name").json == {
        "offer": {"also": [{"name": one["name"]} for one in ada.offers(table)["also"]]}
    }
    assert code(ben.get(f"{table.path}?fields=offer&seat=0")) == (403, "not_seated")


def test_caller_without_a_seat_gets_no_moves(ada, stranger):
    offer = stranger.get(f"{ada.creates().path}?fields=offer").json["offer"]
    assert (offer["seat"], offer["moves"], offer["also"]) == (None, [], [])


def filled(bare, whole):
    """Add the omitted fields of a value, which are null or empty in the full one."""
    if isinstance(whole, list):
        return [filled(*both) for both in zip(bare or [], whole, strict=True)]
    if not isinstance(whole, dict):
        return whole if bare is None and whole in (None, "") else bare
    return {name: filled((bare or {}).get(name), value) for name, value in whole.items()}


def test_bare_scene_omits_null_and_empty_fields(ada, stranger):
    table = ada.creates()
    for reader in (ada, stranger):
        part = reader.get(f"{table.path}?fields=scene,bare_scene").json
        assert filled(part["bare_scene"], part["scene"]) == part["scene"]
        text = json.dumps(part["bare_scene"])
        assert not any(empty in text for empty in ("null", "[]", "{}", '""'))
        assert len(text) < len(json.dumps(part["scene"])) * 0.8
    waits = ada.creates(seats=[{"kind": "me"}, *[{"kind": "open"}] * 3])
    assert ada.get(f"{waits.path}?fields=bare_scene").json == {"bare_scene": None}


def test_games_can_be_listed_with_selected_fields(stranger):
    whole, part = stranger.get("/v1/games"), stranger.get("/v1/games?fields=game,title")
    assert part.json["items"] == [{"game": one["game"], "title": one["title"]} for one in whole.json["items"]]
    assert part.json["release"] == whole.json["release"]
    assert part.headers["ETag"] != whole.headers["ETag"]


def test_events_can_be_read_with_selected_fields_in_every_json_form(ada):
    match = ada.post("/v1/matches", MatchBody()).json["id"]
    page = ada.get(f"/v1/matches/{match}/events?fields=seq,text").json
    assert [*page] == ["game", "items", "next"]
    assert {(*one,) for one in page["items"]} == {("seq", "text")}
    lines = ada.get(f"/v1/matches/{match}/events?fields=seq,text", headers={"Accept": "application/x-ndjson"})
    assert [json.loads(line) for line in lines.text.splitlines()] == page["items"]


def test_unknown_field_is_refused(ada, stranger):
    assert code(stranger.get("/v1/games?fields=game,secret")) == (422, "bad_arguments")
    assert code(stranger.get("/v1/games?fields=")) == (422, "bad_arguments")
    assert code(ada.post("/v1/matches?fields=token", MatchBody())) == (422, "bad_arguments")
    assert ada.get("/v1/matches?player=me").json["items"] == []
