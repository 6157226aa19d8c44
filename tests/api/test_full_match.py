"""Tests a whole match against bots over the API, read back event by event."""

import pytest

from tests.api.client import Table

pytestmark = pytest.mark.both_databases


def test_match_can_be_played_from_the_first_request_to_the_last_event(app, ada, stranger, bots):
    table = Table(ada.post("/v1/matches", {"game": "hearts", "options": {"target_score": 30}}).json)
    moves = 0
    while True:
        bots(table)
        offer = ada.offers(table)
        if not offer["moves"]:
            break
        assert ada.plays(table, offer["moves"][0]["example"]).status_code == 200
        moves += 1
        bots(table)
    match = ada.sees(table)
    assert (match["status"], match["to_act"]) == ("finished", [])
    assert moves > 13
    assert max(match["table"]["scores"]) >= 30

    feed = ada.events(table)
    assert [event["seq"] for event in feed] == list(range(1, match["version"] + 1))
    assert [e["type"] for e in feed[:3]] == ["MatchCreated", "FairnessCommitted", "SeatTaken"]
    assert [e["type"] for e in feed[-4:]] == ["SeedRevealed", "GameEnded", "GameWon", "MatchEnded"]
    assert feed[-1]["digest"] == match["head"]
    assert {e["cause"] for e in feed} == {"move", "bot", "auto"}
    hands = sum(e["type"] == "HandScored" for e in feed)
    assert sum(e["type"] == "TrickTaken" for e in feed) == 13 * hands
    assert match["fairness"]["revealed"] == hands
    for event in stranger.events(table):
        if event["type"] == "HandDealt":
            hands_dealt = [card for hand in event["disclosed"]["cards"].values() for card in hand]
            assert len(hands_dealt) == len(set(hands_dealt)) == 52
