"""Tests that no text over HTTP refers to an object by its handle, in any hand of a match."""

import json
import re

import pytest

from tests.factories import MatchBody

HANDLE = re.compile(r"\b[os][0-9]+\b|\?\?")
DECKS = [[f"fw1-00{one}"] * 30 + [f"fw1-00{other}"] * 30 for one, other in ((1, 2), (3, 4))]
RESIGN = {"name": "resign", "args": {"whole_match": False}}


@pytest.fixture
def match(ada, ben):
    """Return a match whose first game is over; in the second, handles refer to other cards."""
    seats = [{"kind": "me", "deck": {"main": DECKS[0]}}, {"kind": "open"}]
    made = ada.creates(**MatchBody(game="fivewells", seats=seats))
    assert ben.put(f"{made.path}/seats/1", {"deck": {"main": DECKS[1]}}).json["status"] == "playing"
    for player in (ada, ben):
        player.plays(made, {"name": "keep_hand", "args": {"bottom": []}})
    plays_lands(made, ada, ben)
    ada.plays(made, RESIGN)
    for player in (ada, ben):
        player.plays(made, {"name": "keep_hand", "args": {"bottom": []}})
    plays_lands(made, ada, ben)
    return made


def plays_lands(match, *players):
    """Let both players play lands and tap them for mana, for some turns."""
    for _ in range(30):
        for player in players:
            offered = {one["name"]: one for one in player.offers(match)["moves"]}
            names = ("play_land", "activate_mana_ability", "pass_priority", "declare_attackers", "declare_blockers")
            if name := next((one for one in names if one in offered), None):
                player.plays(match, {"name": name, "args": offered[name]["example"]["args"]})


def texts(player, match):
    """Return the texts of a match that a player can read, by place; lines are keyed by number."""
    events = {one["seq"]: one["text"] for one in player.events(match)}
    replay = player.get(f"{match.path}/replay?from=1&to={len(events)}", headers={"Accept": "application/x-ndjson"})
    lines = [json.loads(line) for line in replay.text.splitlines()]
    return events, {one["version"]: one["text"] for one in lines if "version" in one}


def test_texts_contain_no_object_handles_and_are_equal_in_feed_and_replay(ada, ben, match):
    for player in (ada, ben):
        events, replay = texts(player, match)
        assert replay == {seq: text for seq, text in events.items() if seq in replay}
        assert len(replay) == len(events)
        assert [text for text in events.values() if HANDLE.search(text)] == []
        assert any(re.search(r"mana from (Sunfield|Tidepool)", text) for text in events.values())
        assert any("(2nd)" in text for text in events.values())
        assert not HANDLE.search(player.sees(match)["scene"]["last"])
