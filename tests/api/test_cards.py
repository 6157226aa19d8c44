"""Tests sets and cards: search, exact odds, JSON and text, caching."""

from fractions import Fraction
from urllib.parse import urlencode

import pytest

from domain.games.catalogue import CARDS


def ids(stranger, **query):
    return [card["id"] for card in stranger.get(f"/v1/cards?{urlencode(query, doseq=True)}").json["items"]]


def test_the_sets_are_listed_in_the_order_of_their_release(stranger):
    listed = stranger.get("/v1/sets").json
    assert [(one["id"], one["name"], one["cards"], one["booster"]["size"]) for one in listed["items"]] == [
        ("fw1", "First Wells", 80, 15),
        ("bt1", "Bitter Thaw", 40, 15),
    ]
    assert listed["next"] is None


def test_set_lists_the_exact_chance_of_every_booster_card(stranger):
    shown = stranger.get("/v1/sets/fw1").json
    chances = {row["card"]: row for row in shown["odds"]}
    assert chances["fw1-006"]["chance"] == str(Fraction(1, 6) + Fraction(5, 6) * Fraction(6, 29))
    assert chances["fw1-006"]["about"] == 0.33908
    assert "fw1-001" not in chances, "basic lands are in no booster"
    assert sum(Fraction(row["chance"]) for row in shown["odds"]) == 15
    assert {row["rarity"]: row["mean"] for row in shown["rarities"]} == {
        "common": "11",
        "uncommon": "3",
        "rare": "7/8",
        "ultra_rare": "1/8",
    }
    assert stranger.get("/v1/sets/xx9").status_code == 404


@pytest.mark.parametrize(
    ("query", "there"),
    [
        ({"text": "crab"}, ["fw1-020"]),
        ({"color": "S", "rarity": "ultra_rare"}, ["fw1-018", "bt1-006"]),
        ({"color": "N", "type": "artifact", "cost_from": 5}, ["fw1-079", "fw1-080"]),
        ({"type": "land", "set": "bt1"}, ["bt1-039", "bt1-040"]),
        ({"keyword": ["sentinel", "ambush"], "set": "fw1"}, ["fw1-073"]),
        ({"cost_to": 0, "type": "creature"}, []),
    ],
)
def test_search_finds_cards_by_printed_values(stranger, query, there):
    assert ids(stranger, **query) == there


def test_card_and_set_describe_the_tokens_that_the_card_creates(stranger):
    spirit = {
        "id": "spirit",
        "name": "Spirit",
        "types": ["creature"],
        "subtypes": ["spirit"],
        "colors": ["T"],
        "frame": "T",
        "power": 2,
        "toughness": 2,
        "keywords": ["flying"],
        "text": "Flying.",
    }
    assert stranger.get("/v1/cards/bt1-012").json["tokens"] == [spirit]
    assert stranger.get("/v1/cards/fw1-006").json["tokens"] == []
    of_set = stranger.get("/v1/sets/bt1").json["tokens"]
    assert [one["id"] for one in of_set] == ["militia", "spirit", "beast"]
    assert spirit in of_set


def test_search_pages_contain_every_card_once(stranger):
    found, query = [], {"limit": 50}
    while query is not None:
        page = stranger.get(f"/v1/cards?{urlencode(query)}").json
        found += [card["id"] for card in page["items"]]
        query = page["next"] and {"limit": 50, "cursor": page["next"]}
    assert found == list(CARDS.cards)


@pytest.mark.parametrize(
    ("query", "field"),
    [("color=Q", "color"), ("set=xx9", "set"), ("cursor=xyz", "cursor"), ("cost_from=-1", "cost_from"), ("a=1", "a")],
)
def test_invalid_search_is_rejected_on_its_field(stranger, query, field):
    refused = stranger.get(f"/v1/cards?{query}")
    assert (refused.status_code, refused.json["code"]) == (422, "bad_arguments")
    assert any(at.startswith(field) for at in refused.json["errors"])


def test_a_card_is_shown_as_json_and_as_text(stranger):
    shown = stranger.get("/v1/cards/fw1-007").json
    assert (shown["name"], shown["cost"], shown["power"], shown["toughness"]) == ("Lantern Acolyte", "1S", 2, 2)
    assert shown["abilities"][0]["triggered"]["effects"] == [{"gain_life": {"who": "you", "amount": 1}}]
    told = stranger.get("/v1/cards/fw1-007", headers={"Accept": "text/plain"})
    assert told.mimetype == "text/plain"
    assert told.text.splitlines() == [
        "Lantern Acolyte  1S",
        "creature – human cleric  2/2",
        "Whenever another creature enters under your control: you gain 1 life.",
        "fw1 7, common",
    ]
    assert stranger.get("/v1/cards/fw1-999").json["code"] == "not_found"


@pytest.mark.parametrize("path", ["/v1/sets", "/v1/sets/fw1", "/v1/cards", "/v1/cards/fw1-007"])
def test_public_answers_can_be_cached(stranger, path):
    first = stranger.get(path)
    assert first.headers["Cache-Control"] == "public, max-age=3600"
    again = stranger.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]


def test_json_and_text_of_a_card_have_separate_etags(stranger):
    as_json = stranger.get("/v1/cards/fw1-007")
    told = stranger.get("/v1/cards/fw1-007", headers={"Accept": "text/plain", "If-None-Match": as_json.headers["ETag"]})
    assert told.status_code == 200
