"""The table as it was."""

import pytest

from tests.api.client import code


def at(client, table, query=""):
    return client.get(f"{table.path}/replay{query}")


def test_the_last_version_is_the_table_now(playing):
    table, players, _ = playing()
    now = players[1].sees(table)
    shown = at(players[1], table).json
    assert {key: now[key] for key in ("table", "to_act", "head", "status", "version")} == {
        key: shown[key] for key in ("table", "to_act", "head", "status", "version")
    }
    assert shown["seat"] == 1


def test_every_version_is_the_table_as_it_was_then(full_table):
    table, players = full_table()
    then = {}
    for player in players:
        then[players[0].sees(table)["version"]] = players[0].sees(table)
        player.plays(table)
    for version, seen in then.items():
        shown = at(players[0], table, f"?version={version}").json
        assert (shown["table"], shown["head"], shown["to_act"]) == (
            seen["table"],
            seen["head"],
            seen["to_act"],
        )


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
    "query", ["?version=0", "?version=9999", "?version=x", "?seat=4", "?seat=me", "?seat=99", "?at=1"]
)
def test_what_there_is_not_is_refused(ada, query):
    assert code(at(ada, ada.creates(), query)) == (422, "bad_arguments")
