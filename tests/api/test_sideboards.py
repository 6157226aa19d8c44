"""Tests changing decks between the games of a match over HTTP: best of three, with a sideboard for each seat."""

import pytest

from tests.api.client import code
from tests.factories import MatchBody

pytestmark = pytest.mark.parametrize("store", ["sqlite"], indirect=True)

SUN, TIDE, RECRUIT, BOAR = "fw1-001", "fw1-002", "fw1-006", "fw1-033"
BESIDE = {"main": [SUN] * 56 + [RECRUIT] * 4, "sideboard": [BOAR, BOAR]}
SWAPPED = {"main": [SUN] * 56 + [RECRUIT] * 2 + [BOAR] * 2, "sideboard": [RECRUIT, RECRUIT]}
PLAIN = {"main": [TIDE] * 60}
RESIGN = {"name": "resign", "args": {"whole_match": False}}


@pytest.fixture
def match(ada, ben):
    """Return a match in which Ada has a sideboard and Ben does not."""
    seats = [{"kind": "me", "deck": BESIDE}, {"kind": "open"}]
    made = ada.creates(**MatchBody(game="fivewells", seats=seats))
    assert ben.put(f"{made.path}/seats/1", {"deck": PLAIN}).json["status"] == "playing"
    return made


def submits(player, match, deck):
    return player.plays(match, {"name": "submit_deck", "args": deck})


def decks(player, match):
    """Return the player's view of the played decks: game, seat, source, size and cards of each."""
    games, seen = 0, []
    for event in player.events(match):
        games += event["type"] == "GameStarted"
        if event["type"] == "DeckSubmitted":
            data = event["data"]
            size = (data["main"], data["sideboard"])
            seen.append((games, data["seat"], data["how"], size, (data.get("deck") or {}).get("main")))
    return seen


def test_deck_change_between_games_is_hidden_from_the_opponent(ada, ben, match):
    ada.plays(match, RESIGN)
    [asked] = [one for one in ada.offers(match)["moves"] if one["name"] == "submit_deck"]
    assert asked["example"]["args"]["main"] == sorted(BESIDE["main"])
    assert ada.sees(match)["to_act"] == [0], "Ben has nothing to change"
    assert submits(ada, match, SWAPPED).status_code == 200
    ada.plays(match, {"name": "keep_hand", "args": {"bottom": []}})
    ben.plays(match, {"name": "keep_hand", "args": {"bottom": []}})
    ben.plays(match, RESIGN)
    assert submits(ada, match, BESIDE).status_code == 200, "and back again"
    main, swapped = sorted(BESIDE["main"]), sorted(SWAPPED["main"])
    assert decks(ada, match)[::2] == [
        (1, 0, "brought", (60, 2), main),
        (2, 0, "built", (60, 2), swapped),
        (3, 0, "built", (60, 2), main),
    ]
    seen = decks(ben, match)
    assert [row[:4] for row in seen] == [row[:4] for row in decks(ada, match)]
    assert [row[4] for row in seen] == [None, sorted(PLAIN["main"])] * 3


def test_changed_deck_is_used_in_the_next_game(ada, ben, match):
    ada.plays(match, RESIGN)
    submits(ada, match, SWAPPED)
    ben.plays(match, {"name": "resign", "args": {"whole_match": True}})
    numbered = [e for e in ada.events(match) if e["type"] == "CardsNumbered" and e["data"]["seat"] == 0]
    played = [sorted(e["data"].get("cards") or e["disclosed"]["cards"]["table"]) for e in numbered]
    assert played == [sorted(BESIDE["main"]), sorted(SWAPPED["main"])]


def test_sideboarding_with_other_cards_is_refused(ada, ben, match):
    ada.plays(match, RESIGN)
    before = ada.sees(match)["version"]
    three = {"main": [SUN] * 56 + [RECRUIT] * 2 + [BOAR] * 3}
    refused = submits(ada, match, three)
    assert code(refused) == (409, "not_in_pool")
    assert refused.json["detail"] == "The deck has 3 copies of Bramble Boar, including the sideboard. You have 2."
    small = submits(ada, match, {"main": [SUN] * 56})
    assert (code(small), small.json["detail"]) == (
        (409, "deck_too_small"),
        "The deck has 56 cards. The minimum is 60.",
    )
    assert code(submits(ben, match, PLAIN)) == (409, "already_done")
    assert ada.sees(match)["version"] == before


@pytest.mark.long
def test_match_with_changed_decks_can_be_verified(ada, ben, stranger, match):
    ada.plays(match, RESIGN)
    submits(ada, match, SWAPPED)
    ada.plays(match, RESIGN)
    assert ada.sees(match)["result"]["winners"] == [1]
    checked = stranger.post("/v1/records/verify", ada.get(f"{match.path}/record").json)
    left = [check["name"] for check in checked.json["checks"] if check["skipped"] or not check["ok"]]
    assert left == ["signatures"], checked.json


def test_no_deck_is_requested_without_sideboarding(ada, ben):
    seats = [{"kind": "me", "deck": BESIDE}, {"kind": "open"}]
    made = ada.creates(**MatchBody(game="fivewells", options={"sideboarding": False}, seats=seats))
    ben.put(f"{made.path}/seats/1", {"deck": PLAIN})
    ada.plays(made, RESIGN)
    assert {one["name"] for one in ada.offers(made)["moves"]} == {"mulligan", "keep_hand"}
    assert code(submits(ada, made, SWAPPED)) == (409, "wrong_phase")
