"""Answers with those fields alone that were asked for."""

import json

from api.http.part import PART
from tests.api.client import code
from tests.factories import MatchBody


def test_a_match_is_made_and_shown_in_part(ada):
    made = ada.post("/v1/matches?fields=id", MatchBody())
    assert (made.status_code, [*made.json], made.headers["Content-Type"]) == (201, ["id"], PART)
    whole = ada.get(f"/v1/matches/{made.json['id']}")
    part = ada.get(f"/v1/matches/{made.json['id']}?fields=status,seats")
    assert part.json == {"status": whole.json["status"], "seats": whole.json["seats"]}
    assert (part.headers["Content-Type"], part.headers["ETag"]) == (PART, whole.headers["ETag"])
    assert whole.headers["Content-Type"] == "application/json"


def test_of_what_a_field_has_fields_may_be_asked_for_too(ada):
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


def test_games_are_listed_in_part(stranger):
    whole, part = stranger.get("/v1/games"), stranger.get("/v1/games?fields=game,title")
    assert part.json["items"] == [{"game": one["game"], "title": one["title"]} for one in whole.json["items"]]
    assert part.json["release"] == whole.json["release"]
    assert part.headers["ETag"] != whole.headers["ETag"]


def test_events_are_read_in_part_in_every_form_of_json(ada):
    match = ada.post("/v1/matches", MatchBody()).json["id"]
    page = ada.get(f"/v1/matches/{match}/events?fields=seq,text").json
    assert [*page] == ["game", "items", "next"]
    assert {(*one,) for one in page["items"]} == {("seq", "text")}
    lines = ada.get(f"/v1/matches/{match}/events?fields=seq,text", headers={"Accept": "application/x-ndjson"})
    assert [json.loads(line) for line in lines.text.splitlines()] == page["items"]


def test_a_field_that_there_is_not_is_refused(ada, stranger):
    assert code(stranger.get("/v1/games?fields=game,secret")) == (422, "bad_arguments")
    assert code(stranger.get("/v1/games?fields=")) == (422, "bad_arguments")
    assert code(ada.post("/v1/matches?fields=token", MatchBody())) == (422, "bad_arguments")
    assert ada.get("/v1/matches?player=me").json["items"] == []
