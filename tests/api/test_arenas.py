"""Tests arenas over HTTP: announcing them with their end, entering late, resting and reading."""

import pytest

from events.times import write_time
from tests.api.client import code
from tests.api.test_tournaments import asked, evening, olga

__all__ = ["evening", "olga"]

HOUR = 3600


@pytest.fixture
def arena(evening, clock):
    def arena(count=4, **more):
        return evening(count, format="arena", ends_at=write_time(clock() + HOUR * 1000), **more)

    return arena


def test_arena_with_resting_absent_and_late_players_finishes(arena, player, clock):
    one = arena().begun()
    players = list(one.players.values())
    seen = one.seen(players[0])
    assert (seen["format"], seen["show_up_seconds"], seen["you_rest"]) == ("arena", 120, False)
    assert players[0].post(f"{one.path}/entries/mine/rest").json["you_rest"] is True
    assert code(players[0].post(f"{one.path}/entries/mine/rest")) == (409, "already_done")
    late = player(name="Late")
    one.players[late.id] = late
    assert late.post(f"{one.path}/entries", {}).status_code == 200
    first = next(table for table in one.round()["tables"] if table["how"] == "open")
    one.sits(first)
    one.resigns(first)
    one.looks()
    rows = one.olga.get(f"{one.path}/standings").json
    assert (rows["round"], rows["items"][0]["points"]) == (0, 3)
    never = next(table for table in one.round()["tables"] if table["how"] == "open")["seats"][0]["player"]["id"]
    clock.passes(120)
    one.looks()
    resting = {entry["player"]["id"] for entry in one.olga.get(f"{one.path}/entries").json["items"] if entry["rests"]}
    assert {players[0].id, never} <= resting
    assert players[0].post(f"{one.path}/entries/mine/return").json["you_rest"] is False
    one.plays()
    seen = one.round()
    assert len(seen["draws"]) > 1
    assert seen["draws"][-1]["first_table"] < len(seen["tables"])
    assert seen["why"].startswith("All free entrants were shuffled")
    clock.passes(HOUR)
    one.looks()
    one.plays()
    assert one.seen()["status"] == "over"
    assert sum(seat["points_before"] for table in one.round()["tables"] for seat in table["seats"]) > 0
    assert code(late.post(f"{one.path}/entries/mine/rest")) == (409, "match_over")


@pytest.mark.parametrize("ends", [None, "2001-01-01T00:00:00Z"])
def test_arena_end_must_be_in_the_future(olga, ends):
    assert olga.post("/v1/tournaments", asked(format="arena", ends_at=ends)).status_code == 422


def test_arena_end_must_be_after_entries_close(olga):
    times = {"closes_at": "2100-01-01T13:00:00Z", "ends_at": "2100-01-01T13:00:00Z"}
    found = olga.post("/v1/tournaments", asked(format="arena", **times))
    assert list(found.json["errors"]) == ["ends_at"]


def test_players_can_rest_only_in_arenas(evening):
    one = evening().begun()
    (first, *_) = one.players.values()
    for what in ("rest", "return"):
        assert code(first.post(f"{one.path}/entries/mine/{what}")) == (409, "wrong_phase")


def test_leaving_is_shown_only_to_players_who_left(arena, stranger, player):
    one = arena(4).entered()
    first, second, *_ = one.players.values()
    assert first.delete(f"{one.path}/entries/mine").status_code == 200
    assert (one.seen(first)["you_left"], one.seen(first)["your_entrant"]) == (True, None)
    assert first.post(f"{one.path}/entries", {}).status_code == 200
    assert one.olga.post(f"{one.path}/close", {}).status_code == 200
    one.looks()
    assert second.delete(f"{one.path}/entries/mine").status_code == 200
    assert [one.seen(who)["you_left"] for who in (first, second, player(), stranger)] == [False, True, False, False]
    assert code(second.post(f"{one.path}/entries", {})) == (409, "wrong_phase")
