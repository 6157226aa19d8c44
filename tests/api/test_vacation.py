"""Tests vacations over HTTP: remaining days, beginning and ending one, and what other players see."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest

from events.ids import hash_secret, new_id, new_token
from events.store.tables import player_rows
from events.times import write_time
from tests.api.client import Client, code

PATH = "/v1/players/me/vacation"
DAY = 24 * 3600
MAIL = {"kind": "fischer"}


@pytest.fixture
def eve(app, store, clock):
    """A player who has just joined."""
    player, token = new_id(), new_token()
    player_rows.add_player(store, player, "Eve", hash_secret(token), clock())
    return Client(app, token, player, "Eve")


def test_new_player_has_a_week_of_vacation(eve):
    assert eve.get(PATH).json == {
        "current": None, "pool_seconds": 7 * DAY, "most_seconds": 30 * DAY, "auto": True,
    }  # fmt: skip


def test_vacation_can_be_ended_early_and_the_rest_is_returned(eve, clock):
    begun = eve.post(PATH, {"days": 3})
    assert begun.status_code == 201
    assert begun.json["current"] == {"since": write_time(clock()), "until": write_time(clock() + 3000 * DAY)}
    assert begun.json["pool_seconds"] == 4 * DAY
    clock.passes(DAY)
    assert eve.delete(PATH).status_code == 204
    assert eve.get(PATH).json["current"] is None
    assert eve.get(PATH).json["pool_seconds"] == 6 * DAY + DAY // 12


def test_vacation_can_be_set_by_its_end(eve, clock):
    until = write_time(clock() + 3600_000)
    assert eve.post(PATH, {"until": until}).json["current"]["until"] == until


def test_vacation_lasts_at_least_an_hour(eve, clock):
    short = eve.post(PATH, {"until": write_time(clock() + 3600_000 - 1)})
    assert code(short) == (422, "bad_arguments")
    assert "until" in short.json["errors"]
    eve.post(PATH, {"days": 3})
    clock.passes(60)
    assert eve.delete(PATH).status_code == 204
    assert eve.get(PATH).json["current"]["until"] == write_time(clock() + 59 * 60_000)
    assert code(eve.post(PATH, {"days": 1})) == (409, "on_vacation")
    clock.passes(59 * 60)
    assert eve.get(PATH).json["current"] is None


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({}, "days"),
        ({"days": 0}, "days"),
        ({"days": 31}, "days"),
        ({"days": "3"}, "days"),
        ({"until": "soon"}, "until"),
        ({"until": "2020-01-01T00:00:00Z"}, "until"),
        ({"days": 1, "until": "2030-01-01T00:00:00Z"}, "days"),
        ({"weeks": 1}, "weeks"),
    ],
)
def test_invalid_vacation_names_the_field(sent, field, eve):
    refused = eve.post(PATH, sent)
    assert code(refused) == (422, "bad_arguments")
    assert field in refused.json["errors"]


def test_vacation_is_limited_by_the_pool_and_to_one_at_a_time(eve):
    assert code(eve.post(PATH, {"days": 8})) == (409, "too_few_days")
    assert code(eve.delete(PATH)) == (409, "not_on_vacation")
    eve.post(PATH, {"days": 1})
    assert code(eve.post(PATH, {"days": 1})) == (409, "on_vacation")
    assert eve.get(PATH).json["pool_seconds"] == 6 * DAY


def test_repeated_request_takes_one_vacation(eve):
    first, again = (eve.post(PATH, {"days": 2}, headers={"Idempotency-Key": "k"}) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert eve.get(PATH).json["pool_seconds"] == 5 * DAY
    other = eve.post(PATH, {"days": 3}, headers={"Idempotency-Key": "k"})
    assert code(other) == (422, "idempotency_mismatch")


def test_concurrent_requests_take_one_vacation(eve):
    def ask(_):
        return Client(eve.app, eve.token).post(PATH, {"days": 4}).status_code

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(ask, range(6))) == [201, *[409] * 5]
    assert eve.get(PATH).json["pool_seconds"] == 3 * DAY


def test_automatic_vacation_days_can_be_turned_off_and_on(eve):
    assert eve.put(PATH, {"auto": False}).json["auto"] is False
    assert eve.get(PATH).json["auto"] is False
    assert eve.put(PATH, {"auto": True}).json["auto"] is True
    assert code(eve.put(PATH, {})) == (422, "bad_arguments")


def test_vacation_requires_a_player(stranger):
    assert code(stranger.get(PATH)) == (401, "unauthenticated")


def test_table_shows_absent_players_and_their_return(full_table, clock):
    table, (ada, ben, *_) = full_table(clock=MAIL)
    until = ben.post(PATH, {"days": 2}).json["current"]["until"]
    assert [seat["away_until"] for seat in ada.sees(table)["seats"]] == [None, until, None, None]
    clock.passes(2 * DAY)
    assert [seat["away_until"] for seat in ada.sees(table)["seats"]] == [None] * 4


def test_match_without_vacations_hides_absences(full_table):
    table, (ada, ben, *_) = full_table(clock={"per_decision_seconds": DAY})
    ben.post(PATH, {"days": 2})
    assert [seat["away_until"] for seat in ada.sees(table)["seats"]] == [None] * 4


def test_vacation_updates_deadlines_feeds_and_inbox_immediately(full_table, clock):
    table, (ada, ben, *_) = full_table(clock=MAIL)
    before = ada.sees(table)["seats"][0]["deadline"]
    known = {"If-None-Match": ada.get("/v1/inbox").headers["ETag"]}
    until = datetime.fromisoformat(before) + timedelta(days=3)
    ada.post(PATH, {"days": 3})
    waiting = ada.get("/v1/inbox", headers=known)
    assert waiting.status_code == 200
    addresses = ada.post("/v1/players/me/feeds").json
    feed, calendar = (
        ada.get(addresses[name].removeprefix("http://localhost"), headers={"Accept": "*/*"}).text
        for name in ("atom", "calendar")
    )
    shown = {
        ada.sees(table)["seats"][0]["deadline"],
        ben.sees(table)["seats"][0]["deadline"],
        waiting.json["items"][0]["deadline"],
    }
    assert {datetime.fromisoformat(one) for one in shown} == {until}
    assert f"Your time ends at {until:%Y-%m-%dT%H:%M:%S}." in feed
    assert f"DTSTART:{until:%Y%m%dT%H%M%SZ}" in calendar
    assert ben.sees(table)["deadline"] == ben.sees(table)["seats"][1]["deadline"] == before


def test_vacation_moves_a_deadline_that_falls_into_it(full_table, app, clock):
    table, (ada, *_) = full_table(clock=MAIL)
    before = ada.sees(table)["deadline"]
    clock.passes(2 * DAY)
    ada.post(PATH, {"days": 4})
    clock.passes(2 * DAY)
    app.extensions["dealt"].context.settle(table["id"])
    seen = ada.sees(table)
    assert seen["seats"][0]["deadline"] > before
    assert seen["seats"][0]["deadline"] == ada.get("/v1/inbox").json["items"][0]["deadline"]
    moved = [e["data"] for e in ada.events(table) if e["type"] == "ClockCredited" and e["data"]["seat"] == 0]
    assert [credit["why"] for credit in moved] == ["vacation"]
    assert before < moved[0]["deadline"] < seen["seats"][0]["deadline"]  # the log moves day by day
