"""Tests saved decks: as JSON and text, checked against each format, changed once, visible only to their player."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from api.http.problems import Problem
from api.http.seat_entries import entry_of
from api.resources.seat_routes import SitDownBody
from domain.core.collectible import Deck
from domain.games.fivewells import GAME
from events.operations.erasure import erase_player
from events.store.tables import deck_rows
from tests.api.client import Client

pytestmark = pytest.mark.both_databases

DECKS = "/v1/decks"
LIST = "# My deck\n4 Lantern Acolyte\n4 skylark  courier\n20 Sunfield\n\nSideboard\n2 Hold the Terrace\n"
WRITTEN = "20 Sunfield\n4 Lantern Acolyte\n4 Skylark Courier\n\nSideboard\n2 Hold the Terrace\n"


def saves(player, **more):
    return player.post(DECKS, {"name": "Larks", "list": LIST, **more})


def faults(deck):
    return {row["format"]: [fault["code"] for fault in row["faults"]] for row in deck["formats"]}


def test_text_list_is_read_and_written_back(ada):
    made = saves(ada)
    assert made.status_code == 201
    deck = made.json
    assert deck["list"] == WRITTEN
    assert deck["main"][1] == {"card": "fw1-007", "name": "Lantern Acolyte", "count": 4}
    assert deck["sideboard"] == [{"card": "fw1-010", "name": "Hold the Terrace", "count": 2}]
    assert deck["size"] == {"main": 28, "sideboard": 2}
    path = made.headers["Location"]
    assert ada.get(path).json == deck
    told = ada.get(path, headers={"Accept": "text/plain"})
    assert (told.mimetype, told.text) == ("text/plain", WRITTEN)


def test_deck_of_card_ids_equals_the_deck_of_the_list(ada):
    by_ids = {
        "main": [{"card": "fw1-007", "count": 4}, {"card": "fw1-008", "count": 4}, {"card": "fw1-001", "count": 20}],
        "sideboard": [{"card": "fw1-010", "count": 2}],
    }
    made = ada.post(DECKS, {"name": "Larks", **by_ids})
    assert made.json["list"] == WRITTEN


def test_deck_that_fits_no_format_is_saved_with_all_faults(ada):
    deck = saves(ada, list="5 Lantern Acolyte\nSideboard\n16 Sunfield", sets=["bt1"]).json
    assert faults(deck) == {
        "constructed": ["deck_too_small", "too_many_copies", "set_not_allowed", "sideboard_too_large"],
        "sealed": ["deck_too_small", "set_not_allowed"],
        "draft": ["deck_too_small", "set_not_allowed"],
    }
    fits = saves(ada, list="60 Sunfield").json
    assert [row["fits"] for row in fits["formats"]] == [True, True, True]


def test_deck_legality_depends_on_owned_cards(ada):
    path = saves(ada, list="21 Sunfield\n40 Tidepool").headers["Location"]
    asked = f"{path}?collection=owned"
    assert faults(ada.get(asked).json)["constructed"] == ["not_in_pool", "not_in_pool"]
    ada.post("/v1/collection")
    shown = ada.get(asked)
    assert shown.json["formats"][0]["faults"][0] == {
        "code": "not_in_pool",
        "detail": "The deck has 21 copies of Sunfield, including the sideboard. You have 20.",
    }
    assert faults(ada.get(path).json)["constructed"] == []
    assert shown.headers["ETag"] == ada.get(path).headers["ETag"], "it is the same deck"


@pytest.mark.parametrize(
    ("body", "field", "sentence"),
    [
        ({"list": "4 Lantern Acolite"}, "list",
         "Line 1: There is no card 'Lantern Acolite'. Did you mean Lantern Acolyte?"),
        ({"list": "Sunfield"}, "list", "Line 1: Write a number and the name of a card, as 4 Bramble Boar."),
        ({"list": "1001 Sunfield"}, "list", "Line 1: A list names at most 1000 cards."),
        ({"main": [{"card": "fw1-999", "count": 1}]}, "main.0.card",
         "There is no such card. `GET /v1/cards` lists all cards."),
        ({"main": [{"card": "fw1-001", "count": 1}] * 2}, "main", "Use each card only once, with its count."),
        ({"main": [{"card": "fw1-001", "count": 600}, {"card": "fw1-002", "count": 600}]}, "main",
         "A deck has at most 1000 cards, including the sideboard."),
        ({"list": "", "main": []}, "list", "Send the cards as `list`, or as `main` and `sideboard`."),
        ({"sets": ["xx9"]}, "sets.0", 'Must be `fw1` or `bt1`, not "xx9".'),
    ],
)  # fmt: skip
def test_invalid_deck_is_rejected_on_its_field(ada, body, field, sentence):
    refused = ada.post(DECKS, {"name": "Larks", **body})
    assert (refused.status_code, refused.json["errors"]) == (422, {field: [sentence]})
    assert ada.get(DECKS).json["items"] == []


def test_deck_is_replaced_only_with_its_current_etag(ada):
    made = saves(ada)
    path, tag = made.headers["Location"], made.headers["ETag"]
    changed = ada.put(path, {"name": "Boars", "list": "60 Rootwood"}, headers={"If-Match": tag})
    assert (changed.status_code, changed.json["name"], changed.json["list"]) == (200, "Boars", "60 Rootwood\n")
    late = ada.put(path, {"name": "Late", "list": ""}, headers={"If-Match": tag})
    assert (late.status_code, late.json["code"]) == (412, "deck_changed")
    assert ada.delete(path, headers={"If-Match": tag}).status_code == 412
    assert ada.get(path, headers={"If-None-Match": changed.headers["ETag"]}).status_code == 304
    assert ada.put(path, {"name": "Bears", "list": ""}).json["created_at"] == made.json["created_at"]


def test_a_list_is_imported_as_text(ada):
    path = saves(ada).headers["Location"]
    text = {"headers": {"Content-Type": "text/plain; charset=utf-8"}}
    taken = ada.put(f"{path}/list", data=b"60 Gloomfen\n", **text)
    assert (taken.json["name"], taken.json["list"]) == ("Larks", "60 Gloomfen\n")
    refused = ada.put(f"{path}/list", data=b"60 Gloomfen\nnothing\n", **text)
    assert refused.json["errors"]["_schema"][0].startswith("Line 2: ")
    assert ada.put(f"{path}/list", data=b"\xff", **text).status_code == 422
    assert ada.put(f"{path}/list", {"list": ""}).status_code == 415
    assert ada.get(path).json["list"] == "60 Gloomfen\n"


def test_repeated_request_saves_one_deck(ada):
    again = {"headers": {"Idempotency-Key": "one-deck"}}
    first, second = (ada.post(DECKS, {"name": "Larks", "list": LIST}, **again) for _ in range(2))
    assert (second.status_code, second.json) == (201, first.json)
    assert second.headers["Idempotency-Replayed"] == "true"
    assert len(ada.get(DECKS).json["items"]) == 1
    assert ada.post(DECKS, {"name": "Others"}, **again).json["code"] == "idempotency_mismatch"
    ada.delete(first.headers["Location"])
    assert ada.post(DECKS, {"name": "Larks", "list": LIST}, **again).status_code == 404


def test_other_players_cannot_read_or_change_a_deck(ada, ben, stranger):
    path = saves(ada).headers["Location"]
    body = {"name": "Mine", "list": ""}
    tried = (ben.get(path), ben.get(path, headers={"Accept": "text/plain"}), ben.put(path, body), ben.delete(path))
    assert {one.status_code for one in tried} == {404}
    assert ben.get(DECKS).json["items"] == []
    assert stranger.get(path).status_code == 401
    assert ada.get(path).json["name"] == "Larks"


def test_read_token_reads_decks_but_cannot_save_one(ada):
    path = saves(ada).headers["Location"]
    token = ada.post("/v1/players/me/tokens", {"name": "reader", "scopes": ["read"]}).json["token"]
    reader = Client(ada.app, token, ada.id)
    assert reader.get(path).status_code == 200
    assert saves(reader).json["code"] == reader.delete(path).json["code"] == "scope_missing"


def test_number_of_decks_per_player_is_limited(ada, monkeypatch):
    monkeypatch.setattr(deck_rows, "MOST", 3)
    with ThreadPoolExecutor(5) as threads:
        codes = [made.status_code for made in threads.map(lambda _: saves(Client(ada.app, ada.token)), range(5))]
    assert sorted(codes) == [201] * 3 + [409] * 2
    assert saves(ada).json["code"] == "too_many_decks"


def test_erasing_a_player_deletes_their_decks(ada, store, clock):
    saves(ada)
    erase_player(store, ada.id, clock())
    assert deck_rows.read_decks(store, ada.id) == []


def test_saved_deck_can_be_used_in_a_match(ada, ben):
    path = saves(ada).headers["Location"]
    deck_id = path.rpartition("/")[2]

    def brings(player, **sent):
        with player.app.test_request_context("/", headers={"Authorization": f"Bearer {player.token}"}):
            return entry_of(GAME, SitDownBody(**sent))

    deck = brings(ada, deck_id=deck_id)
    assert deck == Deck(("fw1-001",) * 20 + ("fw1-007",) * 4 + ("fw1-008",) * 4, ("fw1-010",) * 2)
    assert brings(ada, deck=deck) == deck
    for sent, who in (({"deck_id": deck_id, "deck": deck}, ada), ({"deck_id": deck_id}, ben), ({"deck_id": "x"}, ada)):
        with pytest.raises(Problem) as refused:
            brings(who, **sent)
        assert list(refused.value.errors) == ["deck_id"]


def test_game_without_decks_refuses_a_deck(ada):
    deck_id = saves(ada).json["id"]
    seats = [{"kind": "me", "deck_id": deck_id}, *[{"kind": "bot"}] * 3]
    refused = ada.post("/v1/matches", {"game": "hearts", "seats": seats})
    assert (refused.status_code, refused.json["errors"]) == (422, {"deck_id": ["Hearts does not use decks."]})
