"""Taking a move back over HTTP: on request, if all agree, and never once something hidden was shown."""

import pytest

from tests.api.client import code

SLOW = {"clock": {"per_decision_seconds": 3600}, "options": {"take_backs": True, "standing_orders": False}}


def command(player, table, name):
    return player.plays(table, {"name": name, "args": {}})


def also(player, table):
    return [offer["name"] for offer in player.offers(table)["also"]]


@pytest.fixture
def played(playing):
    """Four people, one of whom has led: the table, the players from the leader on, the table before the lead."""

    def made(**traits):
        table, players, turn = playing(**(SLOW | traits))
        players = players[turn:] + players[:turn]
        before = players[0].sees(table)
        assert players[0].plays(table).status_code == 200
        return table, players, before

    return made


def test_all_others_are_asked_and_the_table_is_as_it_was(played):
    table, players, before = played()
    assert "request_take_back" in also(players[0], table)
    assert command(players[0], table, "request_take_back").status_code == 200
    for other in players[1:]:
        assert {"grant_take_back", "refuse_take_back"} <= set(also(other, table))
        done = command(other, table, "grant_take_back").json
    assert [event["type"] for event in done["events"]][:2] == ["TakeBackGranted", "MoveTakenBack"]
    after = players[0].sees(table)
    assert after["table"] == before["table"]
    assert after["to_act"] == before["to_act"]
    assert players[0].get("/v1/inbox").json["items"][0]["match"] == table["id"]
    assert players[1].get("/v1/inbox").json["items"] == []
    assert players[0].get(f"{table.path}/audit").json["ok"]
    assert players[0].plays(table).status_code == 200


def test_one_refusal_lets_the_move_stand(played):
    table, players, _ = played()
    stands = players[0].sees(table)["table"]
    command(players[0], table, "request_take_back")
    command(players[1], table, "grant_take_back")
    assert command(players[2], table, "refuse_take_back").status_code == 200
    assert players[0].sees(table)["table"] == stands
    assert code(command(players[3], table, "grant_take_back")) == (409, "wrong_phase")
    assert code(command(players[0], table, "request_take_back")) == (409, "wrong_phase")


def test_whoever_plays_on_has_answered(played):
    table, players, _ = played()
    command(players[0], table, "request_take_back")
    assert players[1].plays(table).status_code == 200
    assert code(command(players[2], table, "grant_take_back")) == (409, "wrong_phase")
    assert players[0].get(f"{table.path}/audit").json["ok"]


@pytest.mark.parametrize("name", ["request_take_back", "grant_take_back", "refuse_take_back"])
def test_only_who_may_and_where_the_match_allows_it(name, played):
    table, players, _ = played(options={"take_backs": False, "standing_orders": False})
    assert name not in also(players[0], table)
    assert code(command(players[0], table, name)) == (409, "wrong_phase")
    table, players, _ = played()
    asks = name == "request_take_back"
    assert code(command(players[1 if asks else 0], table, name)) == (409, "wrong_phase")


def test_every_version_of_the_match_can_be_replayed_across_it(played):
    table, players, _ = played()
    seen = {}

    def look():
        match = players[1].sees(table)
        seen[match["version"]] = match["table"], match["head"]

    look()
    command(players[0], table, "request_take_back")
    look()
    for other in players[1:]:
        command(other, table, "grant_take_back")
        look()
    players[0].plays(table)
    look()
    for version, (shown, head) in seen.items():
        replayed = players[1].get(f"{table.path}/replay?version={version}").json
        assert (replayed["table"], replayed["head"]) == (shown, head)


def test_bots_at_the_table_do_not_stand_in_the_way(ada, ben, bots):
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot"}, {"kind": "bot"}]
    table = ada.creates(seats=seats, **SLOW)
    ben.put(f"{table.path}/seats/1")
    before = ada.sees(table)["table"]
    ada.plays(table)
    assert "request_take_back" in also(ada, table)
    command(ada, table, "request_take_back")
    command(ben, table, "grant_take_back")
    assert ada.sees(table)["table"] == before
    bots(table)
    for player in (ada, ben):
        assert player.plays(table).status_code == 200
    assert ada.get(f"{table.path}/audit").json["ok"]


def test_alone_with_bots_one_asks_nobody(ada, bots):
    table = ada.creates(**SLOW)
    before = ada.sees(table)["table"]
    ada.plays(table)
    assert command(ada, table, "request_take_back").status_code == 200
    assert ada.sees(table)["table"] == before


def test_once_a_bot_has_answered_it_is_too_late(ada, bots):
    table = ada.creates(**SLOW)
    ada.plays(table)
    bots(table)
    assert code(command(ada, table, "request_take_back")) == (409, "wrong_phase")
