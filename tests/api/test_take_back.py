"""Tests takebacks over HTTP: on request, if all agree, and never after something hidden was revealed."""

from datetime import datetime

import pytest

from tests.api.client import code

SLOW = {"clock": {"per_decision_seconds": 3600}, "options": {"take_backs": True, "standing_orders": False}}


def command(player, table, name):
    return player.plays(table, {"name": name, "args": {}})


def also(player, table):
    return [offer["name"] for offer in player.offers(table)["also"]]


@pytest.fixture
def played(playing):
    """Return a match of four people after the first lead: the table, the players from the leader on, and the table
    before."""

    def made(**traits):
        table, players, turn = playing(**(SLOW | traits))
        players = players[turn:] + players[:turn]
        before = players[0].sees(table)
        assert players[0].plays(table).status_code == 200
        return table, players, before

    return made


def test_takeback_needs_all_others_and_restores_the_table(played):
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


def test_one_refusal_declines_the_takeback(played):
    table, players, _ = played()
    stands = players[0].sees(table)["table"]
    command(players[0], table, "request_take_back")
    command(players[1], table, "grant_take_back")
    assert command(players[2], table, "refuse_take_back").status_code == 200
    assert players[0].sees(table)["table"] == stands
    assert code(command(players[3], table, "grant_take_back")) == (409, "wrong_phase")
    assert code(command(players[0], table, "request_take_back")) == (409, "wrong_phase")


def test_playing_on_answers_a_takeback_request(played):
    table, players, _ = played()
    command(players[0], table, "request_take_back")
    assert players[1].plays(table).status_code == 200
    assert code(command(players[2], table, "grant_take_back")) == (409, "wrong_phase")
    assert players[0].get(f"{table.path}/audit").json["ok"]


@pytest.mark.parametrize("name", ["request_take_back", "grant_take_back", "refuse_take_back"])
def test_takeback_needs_the_last_mover_and_the_option(name, played):
    table, players, _ = played(options={"take_backs": False, "standing_orders": False})
    assert name not in also(players[0], table)
    assert code(command(players[0], table, name)) == (409, "wrong_phase")
    table, players, _ = played()
    asks = name == "request_take_back"
    assert code(command(players[1 if asks else 0], table, name)) == (409, "wrong_phase")


def test_replay_works_across_a_takeback(played):
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


def test_bots_do_not_block_a_takeback(ada, ben, bots):
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


def test_takeback_among_bots_needs_no_answer(ada, bots):
    table = ada.creates(**SLOW)
    before = ada.sees(table)["table"]
    ada.plays(table)
    assert command(ada, table, "request_take_back").status_code == 200
    assert ada.sees(table)["table"] == before


def test_takeback_is_refused_after_a_bot_has_answered(ada, bots):
    table = ada.creates(**SLOW)
    ada.plays(table)
    bots(table)
    assert code(command(ada, table, "request_take_back")) == (409, "wrong_phase")


# --- Only the player's own consent --------------------------------------------------------------------------


def types(player, table, last):
    return [event["type"] for event in player.get(f"{table.path}/events").json["items"]][-last:]


@pytest.fixture
def settles(app):
    """Settle a match after time has passed, as a scheduler does."""
    return lambda table: app.extensions["dealt"].context.settle(table["id"])


@pytest.mark.parametrize("on_expiry", ["bot", "default_action", "forfeit"])
def test_expired_decision_does_not_grant_a_takeback(on_expiry, ada, ben, clock, settles):
    """Neither a bot that replaces the asked player nor the clock grants a takeback."""
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot"}, {"kind": "bot"}]
    options = SLOW["options"] | {"variant": "1-1-1-1", "first_dealer": "pick", "first_dealer_seat": 3}
    timed = {"per_decision_seconds": 3600, "on_expiry": on_expiry, "max_defaults": 1}
    table = ada.creates(seats=seats, options=options, clock=timed)
    ben.put(f"{table.path}/seats/1")
    ada.plays(table)
    assert ada.sees(table)["to_act"] == [1]
    command(ada, table, "request_take_back")
    clock.passes(3600)
    settles(table)
    seen_types = types(ada, table, 20)
    assert "DecisionTimedOut" in seen_types
    assert "SeatHandedToBot" in seen_types
    assert "MoveTakenBack" not in seen_types
    assert code(command(ada, table, "request_take_back")) == (409, "wrong_phase")
    assert ada.get(f"{table.path}/audit").json["ok"]


@pytest.mark.parametrize("who", [0, 2])
def test_resignation_cancels_the_takeback_request(who, played):
    """Return whether the player has requested the takeback or was asked."""
    table, players, _ = played()
    command(players[0], table, "request_take_back")
    for granting in (1, 3):
        command(players[granting], table, "grant_take_back")
    command(players[who], table, "resign")
    assert types(players[1], table, 3) == ["SeatResigned", "SeatHandedToBot", "UndoLost"]
    assert code(command(players[2 - who], table, "grant_take_back")) == (409, "wrong_phase")
    refused = "wrong_phase" if who else "already_done"
    assert code(command(players[0], table, "request_take_back")) == (409, refused)
    assert players[1].get(f"{table.path}/audit").json["ok"]


def test_default_move_of_the_clock_cannot_be_taken_back(played, clock, settles):
    table, players, _ = played()
    clock.passes(3600)
    settles(table)
    assert "DecisionTimedOut" in types(players[1], table, 20)
    assert code(command(players[1], table, "request_take_back")) == (409, "wrong_phase")


# --- The clock ----------------------------------------------------------------------------------------------

CLOCKS = [
    {"per_decision_seconds": 3600},
    {"per_decision_seconds": 600, "bank_seconds": 3000},
    {"kind": "fischer", "bank_seconds": 3600, "increment_seconds": 1800, "cap_seconds": 3600},
    {"kind": "byo_yomi", "bank_seconds": 60, "period_seconds": 600, "periods": 6},
    {"kind": "canadian", "bank_seconds": 600, "period_seconds": 1200, "period_moves": 3},
]


def left(player, table, seat, clock):
    """Return the time in a seat's bank, and the seconds until its deadline or None."""
    shown = player.sees(table)["seats"][seat]
    due = datetime.fromisoformat(shown["deadline"]).timestamp() if shown["deadline"] else None
    return shown["bank"], None if due is None else due - clock.at / 1000


@pytest.mark.parametrize("timed", CLOCKS)
def test_takeback_restores_exactly_the_time_left(timed, ada, clock):
    options = SLOW["options"] | {"variant": "1-1-1-1"}
    table = ada.creates(seats=[{"kind": "me"}] * 4, options=options, clock=timed)
    (seat,) = ada.sees(table)["to_act"]
    bank, seconds = left(ada, table, seat, clock)
    for n in range(1, 4):
        clock.passes(100)
        move = ada.get(f"{table.path}/moves?seat={seat}").json["moves"][0]["example"]
        assert ada.plays(table, move).status_code == 200
        clock.passes(250)
        assert ada.plays(table, {"name": "request_take_back", "args": {}, "seat": seat}).status_code == 200
        for other in range(4):
            if other != seat:
                grant = {"name": "grant_take_back", "args": {}, "seat": other}
                assert ada.plays(table, grant).status_code == 200
        assert ada.sees(table)["to_act"] == [seat]
        assert left(ada, table, seat, clock) == (bank, seconds - 100 * n)
    clock.passes(seconds - 300)
    ada.get(f"{table.path}/moves")
    assert ada.get(f"{table.path}/audit").json["ok"]


def test_takeback_keeps_the_deadlines_of_others(full_table, clock):
    table, players = full_table(**SLOW)
    before = [left(players[0], table, s, clock)[1] for s in range(4)]
    clock.passes(1000)
    assert players[0].plays(table).status_code == 200
    clock.passes(500)
    command(players[0], table, "request_take_back")
    for other in players[1:]:
        command(other, table, "grant_take_back")
    assert players[0].sees(table)["to_act"] == [0, 1, 2, 3]
    after = [left(players[0], table, s, clock)[1] for s in range(4)]
    assert after == [before[0] - 1000, *(seconds - 1500 for seconds in before[1:])]


def test_answering_player_gets_the_full_time_again(played, clock):
    table, players, _ = played()
    seat = players[1].sees(table)["your_seat"]
    clock.passes(3000)
    command(players[0], table, "request_take_back")
    for other in players[1:]:
        command(other, table, "grant_take_back")
    assert left(players[1], table, seat, clock)[1] is None
    players[0].plays(table)
    assert left(players[1], table, seat, clock)[1] == 3600
