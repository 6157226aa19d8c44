"""The table as it was."""

import pytest

from tests.api.client import code


def at(client, table, query=""):
    return client.get(f"{table.path}/replay{query}")


def test_the_last_version_is_the_table_now(playing):
    table, players, _ = playing()
    now = players[1].sees(table)
    shown = at(players[1], table).json
    keys = ("table", "scene", "to_act", "head", "status", "version")
    assert {key: now[key] for key in keys} == {key: shown[key] for key in keys}
    assert shown["seat"] == 1


def test_every_version_is_the_table_as_it_was_then(full_table):
    table, players = full_table()
    then = {}
    for player in players:
        then[players[0].sees(table)["version"]] = players[0].sees(table)
        player.plays(table)
    for version, seen in then.items():
        shown = at(players[0], table, f"?version={version}").json
        keys = ("table", "scene", "head", "to_act")
        assert [shown[key] for key in keys] == [seen[key] for key in keys]


def test_other_seats_open_when_the_hand_is_disclosed_and_not_before(ada, ben, bots):
    table = ada.creates(bots_only=True, options={"target_score": 30})
    dealt = next(e["seq"] for e in ada.events(table) if e["type"] == "HandDealt")
    for seat in ("0", "all"):
        assert code(at(ben, table, f"?version={dealt}&seat={seat}")) == (403, "forbidden")
    assert at(ben, table, "?seat=spectators").status_code == 200
    bots(table)
    hands = at(ben, table, f"?version={dealt}&seat=all").json["table"]["hands"]
    assert sorted(len(set(hand)) for hand in hands) == [13] * 4
    assert at(ben, table, f"?version={dealt}&seat=02").json["seat"] == 2
    assert at(ben, table, f"?version={dealt}&seat=2").json["table"]["hand"] == hands[2]


def test_what_is_never_disclosed_stays_shut(ada, bots):
    table = ada.creates(bots_only=True, options={"target_score": 1, "fairness_reveal": "never"})
    bots(table)
    assert code(at(ada, table, "?seat=all")) == (403, "forbidden")


@pytest.mark.parametrize(
    "query",
    [
        "?version=0",
        "?version=9999",
        "?version=x",
        "?seat=4",
        "?seat=me",
        "?seat=99",
        "?at=1",
        "?at=hand:0",
        "?at=hand:2",
        "?at=trick:1",
        "?at=pot:1",
        "?version=1&at=hand:1",
        "?to=1",
    ],
)
def test_what_there_is_not_is_refused(ada, query):
    assert code(at(ada, ada.creates(), query)) == (422, "bad_arguments")


# --- Marks ------------------------------------------------------------------------------------------------


def marks(client, table):
    return {mark["at"]: mark["version"] for mark in client.get(f"{table.path}/replay/marks").json["items"]}


def test_marks_lead_to_games_hands_and_tricks(ada, bots):
    table = ada.creates(bots_only=True, options={"target_score": 45, "variant": "2-2-2-3"})
    bots(table)
    events, there = ada.events(table), marks(ada, table)
    started = [e for e in events if e["type"] == "HandStarted"]
    assert [f"hand:{e['data']['hand_no']}" for e in started] == [at for at in there if at.startswith("hand")]
    # A game whose first place is shared is played again.
    games = [e for e in events if e["type"] == "GameStarted"]
    assert len(there) == len(games) + len(started) * (1 + 13)
    for e in started:
        hand = e["data"]["hand_no"]
        version = there[f"hand:{hand}"]
        assert version == max(other["seq"] for other in events if other["commit"] == e["commit"])
        assert at(ada, table, f"?at=hand:{hand}").json == at(ada, table, f"?version={version}").json
    seventh = at(ada, table, "?at=trick:2.7").json
    lead = events[seventh["version"]]
    assert (lead["type"], lead["data"]["trick_no"], seventh["table"]["trick"]) == (
        "CardPlayed",
        7,
        [],
    )
    assert len(seventh["table"]["hand_counts"]) == 4
    assert set(seventh["table"]["hand_counts"]) == {7}
    assert at(ada, table, "?at=game:1").json["version"] == there["game:1"]


def test_a_mark_that_there_is_not_tells_those_that_there_are(ada, bots):
    table = ada.creates(bots_only=True, options={"target_score": 30})
    bots(table)
    for mark, said in {
        "hand:99": "There is no hand:99; choose from hand:1 to hand:",
        "trick:1.14": "There is no trick:1.14; choose from trick:1.1 to trick:1.13.",
        "trick:77.1": "There is no hand:77; choose from hand:1 to hand:",
        "game:9": "There is no game:9; ",
    }.items():
        refused = at(ada, table, f"?at={mark}")
        assert code(refused) == (422, "bad_arguments")
        assert refused.json["errors"]["at"][0].startswith(said)


def test_before_the_start_there_are_no_marks(ada):
    table = ada.creates(open_table=True)
    assert marks(ada, table) == {}
    assert at(ada, table, "?at=hand:1").json["errors"]["at"] == ["No hand has begun yet."]


def test_a_game_without_tricks_says_so(ada):
    table = ada.creates(game="gin_rummy", seats=[{"kind": "me"}, {"kind": "bot", "level": "random"}])
    assert list(marks(ada, table)) == ["game:1", "hand:1"]
    assert at(ada, table, "?at=trick:1.1").json["errors"]["at"] == [
        "Gin Rummy is not played in tricks; jump to a hand, like hand:1."
    ]


def test_the_past_of_a_private_match_is_for_its_own_people(ada, ben):
    table = ada.creates(private=True)
    for path in ("", "/marks"):
        assert ada.get(f"{table.path}/replay{path}").status_code == 200
        assert code(ben.get(f"{table.path}/replay{path}")) == (404, "not_found")
