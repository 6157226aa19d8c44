"""Tests clocks over HTTP: the four kinds, invalid ones, and those shown in a match."""

import pytest

from events.service import absence_credit
from tests.api.client import code

HOUR, DAY = 3600, 24 * 3600


def create(ada, clock):
    return ada.post("/v1/matches", {"game": "hearts", "clock": clock})


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        ({"per_decision_seconds": 60}, 0),
        ({"per_decision_seconds": 60, "bank_seconds": 300}, 300),
        ({"kind": "fischer", "bank_seconds": 300, "increment_seconds": 10, "cap_seconds": 600}, 300),
        ({"kind": "byo_yomi", "bank_seconds": 300, "period_seconds": 30, "periods": 3}, 390),
        ({"kind": "canadian", "bank_seconds": 300, "period_seconds": 120, "period_moves": 10}, 300),
    ],
)
def test_each_kind_of_clock_is_available_and_shows_its_banks(asked, left, ada):
    made = create(ada, asked).json
    assert made["clock"].items() >= asked.items()
    assert [seat["bank"] for seat in made["seats"]] == [
        {"left_ms": 1000 * left, "moves": 0},
        None,
        None,
        None,
    ]
    assert made["seats"][0]["deadline"] == made["deadline"]


def test_fischer_clock_without_times_is_the_slow_default(ada):
    clock = create(ada, {"kind": "fischer"}).json["clock"]
    assert (clock["bank_seconds"], clock["increment_seconds"], clock["cap_seconds"]) == (
        3 * DAY,
        DAY,
        7 * DAY,
    )
    assert clock["vacation"]


def test_grace_and_days_off_are_shown(ada):
    clock = {
        "per_decision_seconds": DAY,
        "grace_seconds": 60,
        "days_off": [7, 6],
        "time_zone": "Europe/Berlin",
    }
    assert create(ada, clock).json["clock"].items() >= (clock | {"days_off": [6, 7]}).items()


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"kind": "hourglass"}, "kind"),
        ({"increment_seconds": 10}, "increment_seconds"),
        ({"kind": "fischer", "increment_seconds": 10}, "bank_seconds"),
        ({"kind": "fischer", "bank_seconds": 20, "cap_seconds": 10}, "cap_seconds"),
        ({"kind": "fischer", "bank_seconds": 20, "per_decision_seconds": 10}, "per_decision_seconds"),
        ({"kind": "byo_yomi", "bank_seconds": 20, "periods": 3}, "period_seconds"),
        ({"kind": "canadian", "bank_seconds": 20, "period_seconds": 3}, "period_moves"),
        ({"per_decision_seconds": 60, "vacation": True}, "vacation"),
        ({"per_decision_seconds": DAY, "days_off": [1, 2, 3, 4, 5, 6, 7]}, "days_off"),
        ({"per_decision_seconds": DAY, "days_off": [8]}, "days_off"),
        ({"per_decision_seconds": DAY, "time_zone": "Mars/Olympus"}, "time_zone"),
        ({"per_decision_seconds": -1}, "per_decision_seconds"),
        ({"grace_seconds": 10**9}, "grace_seconds"),
        ({"grace_seconds": 5}, "grace_seconds"),
        ({"minor_seconds": 5}, "minor_seconds"),
        ({"days_off": [6]}, "days_off"),
        ({"per_decision_seconds": 60, "minor_seconds": 60}, "minor_seconds"),
        ({"kind": "fischer", "days_off": [1, 2, 3, 4, 5, 6, 7]}, "days_off"),
        ({"kind": "fischer", "days_off": [6], "time_zone": "Atlantis"}, "time_zone"),
        ({"kind": "byo_yomi", "period_seconds": 366 * DAY, "periods": 11}, "periods"),
    ],
)
def test_invalid_clock_is_refused_with_its_field(asked, field, ada):
    refused = create(ada, asked)
    assert code(refused) == (422, "bad_arguments")
    assert any(name.startswith(f"clock.{field}") for name in refused.json["errors"]), refused.json


@pytest.mark.parametrize("off", range(1, 8))
def test_days_off_do_not_change_the_pace_of_a_quick_match(off, ada):
    made = create(ada, {"per_decision_seconds": 60, "days_off": [off]}).json
    assert made["options"]["standing_orders"] is False


def test_slow_decision_uses_the_bank(ada, bots, clock):
    table = ada.creates(clock={"per_decision_seconds": 60, "bank_seconds": 300})
    clock.passes(100)
    assert ada.plays(table).status_code == 200
    assert ada.sees(table)["seats"][0]["bank"] == {"left_ms": 260_000, "moves": 0}


def test_late_decision_counts_within_the_grace_period_only(ada, app, clock):
    settle = app.extensions["dealt"].context.settle
    table = ada.creates(clock={"per_decision_seconds": 60, "grace_seconds": 5})
    clock.passes(64)
    assert settle(table["id"]) == 0
    assert ada.plays(table).status_code == 200
    late = ada.creates(clock={"per_decision_seconds": 60, "grace_seconds": 5})
    clock.passes(65)
    assert settle(late["id"]) == 1


def test_after_default_moves_a_bot_takes_over_until_the_player_returns(ada, app, bots, clock):
    matches = app.extensions["dealt"].context
    table = ada.creates(clock={"per_decision_seconds": 60, "max_defaults": 2})
    ada.plays(table)
    bots(table)
    for _ in range(2):
        assert not ada.sees(table)["seats"][0]["played_by_bot"]
        clock.passes(60)
        matches.settle(table["id"])
        bots(table) if not ada.sees(table)["seats"][0]["played_by_bot"] else None
    seen = ada.sees(table)
    assert seen["seats"][0]["played_by_bot"]
    assert seen["status"] == "playing"
    assert [c["name"] for c in ada.offers(table)["also"]] == ["resign", "take_seat_back"]
    assert ada.plays(table, {"name": "take_seat_back", "args": {}}).status_code == 200
    assert not ada.sees(table)["seats"][0]["played_by_bot"]
    kinds = [event["type"] for event in ada.events(table)]
    assert kinds.count("DecisionTimedOut") == 2
    assert kinds.count("SeatHandedToBot") == 1


@pytest.mark.parametrize(("on_expiry", "kind"), [("bot", "SeatHandedToBot"), ("forfeit", "SeatResigned")])
def test_action_at_expiry_can_be_chosen(on_expiry, kind, ada, app, clock):
    table = ada.creates(clock={"per_decision_seconds": 60, "on_expiry": on_expiry})
    clock.passes(60)
    app.extensions["dealt"].context.settle(table["id"])
    types = [event["type"] for event in ada.events(table)]
    assert types[types.index("DecisionTimedOut") + 1] == kind


def test_unplayed_match_is_abandoned_and_its_cards_are_disclosed(ada, app, bots, clock):
    table = ada.creates(clock={"per_decision_seconds": 60, "max_defaults": 1})
    clock.passes(60)
    app.extensions["dealt"].context.settle(table["id"])
    seen = ada.sees(table)
    assert (seen["status"], seen["result"]) == ("abandoned", None)
    last = ada.events(table)[-1]
    assert (last["type"], last["data"]) == ("MatchEnded", {"reason": "abandoned", "result": None})
    assert seen["fairness"]["revealed"] == 1
    assert any("disclosed" in event for event in ada.events(table))
    assert ada.get(f"{table.path}/replay?seat=all").status_code == 200
    assert ada.get(f"{table.path}/audit").json["ok"]
    assert ada.get("/v1/inbox").json["items"] == []
    listed = ada.get("/v1/matches?status=abandoned&player=me").json["items"]
    assert [row["id"] for row in listed] == [table["id"]]


def test_request_sends_a_heartbeat_first(app, ada, monkeypatch):
    """A deadline in an answer of a server that was frozen no longer moves."""
    made = create(ada, {"per_decision_seconds": 60}).json
    done = []
    monkeypatch.setattr(app.extensions["dealt"].context, "note_work", lambda: done.append("work noted"))
    monkeypatch.setattr(absence_credit, "first_deadline", lambda *_: done.append("deadline computed"))
    ada.get(f"/v1/matches/{made['id']}")
    assert done == ["work noted", "deadline computed"]
