"""What is expected of a match over HTTP, and who may join it by their rating: nothing is told of hidden ratings."""

import pytest

from domain.core.clock import DAY
from domain.games.catalogue import GAMES
from events.service import player_ratings
from tests.api.client import code
from tests.ratings.rate_at_once import GAME, ME, OPEN, RATED, beats, handle

__all__ = ["beats"]

TABLE = {"game": GAME, **RATED}


def expected(reader, table):
    return reader.get(f"{table.path}/expected").json


def test_the_better_player_is_expected_in_front_of_the_other(ada, ben, stranger, beats):
    for _ in range(3):
        beats(ada, ben)
    table = ada.creates(seats=[ME, OPEN], **TABLE)
    alone = expected(stranger, table)
    assert (alone["game"], alone["of"], alone["pace"], alone["rated"], alone["new"]) == (
        GAME,
        "usual",
        "live",
        True,
        [1],
    )
    ben.put(f"{table.path}/seats/1")
    seen = expected(stranger, table)
    assert seen["new"] == []
    first, second = seen["sides"]
    assert (first["seats"], second["seats"]) == ([0], [1])
    assert first["first"] > alone["sides"][0]["first"] > 0.5 > second["first"]
    assert first["first"] + second["first"] == pytest.approx(1)
    assert first["place"] + second["place"] == pytest.approx(3)


def test_of_a_player_who_is_not_listed_nobody_else_learns_anything(ada, ben, player, stranger, beats):
    cem = player(name="Cem")
    table = ada.creates(seats=[ME, OPEN, OPEN], **TABLE)
    ben.put(f"{table.path}/seats/1")
    ben.patch("/v1/players/me", {"listed": False})
    before = [expected(reader, table) for reader in (ada, stranger)]
    beats(ben, cem)
    assert [expected(reader, table) for reader in (ada, stranger)] == before
    own = expected(ben, table)
    assert 1 not in own["new"]
    assert own["sides"][1]["first"] > before[0]["sides"][1]["first"]


def test_it_is_of_a_match_that_is_on_and_that_the_reader_may_read(ada, ben, stranger, beats):
    assert code(stranger.get(f"{beats(ada, ben).path}/expected")) == (409, "match_over")
    private = ada.creates(seats=[ME, OPEN], visibility="private", **TABLE)
    assert code(stranger.get(f"{private.path}/expected")) == (404, "not_found")
    assert ada.get(f"{private.path}/expected").status_code == 200


def test_of_a_game_that_nobody_wins_nothing_is_expected(ada):
    game = next(name for name, game in GAMES.items() if not game.setup.winnable)
    table = ada.creates(game=game, seats=[ME, OPEN])
    assert code(ada.get(f"{table.path}/expected")) == (409, "wrong_phase")


# --- Who may join -----------------------------------------------------------------------------------------


def joins(player, table):
    answer = player.put(f"{table.path}/seats/1")
    return (200, "") if answer.status_code == 200 else code(answer)


def for_ratings(creator, **bounds):
    return creator.creates(game=GAME, seats=[ME, OPEN], options=bounds, clock=RATED["clock"])


def rating(player):
    """What is shown of a player's one rating."""
    (one,) = player.get(f"/v1/players/{handle(player)}/ratings").json["items"]
    return one["rating"]


def test_an_open_seat_is_for_those_whose_rating_is_within_its_bounds(ada, ben, player, beats):
    cem = player(name="Cem")
    beats(ben, cem)
    for bounds, who in (
        ({"least_rating": rating(ben)}, [True, False]),
        ({"most_rating": rating(ben) - 1}, [False, True]),
        ({"least_rating": rating(ben) + 1}, [False, False]),
        ({"least_rating": rating(cem), "most_rating": rating(ben)}, [True, True]),
    ):
        for one, may in zip((ben, cem), who, strict=True):
            refused = joins(one, for_ratings(ada, **bounds))
            assert refused == ((200, "") if may else (409, "rating_not_admitted")), bounds


def test_the_refusal_says_for_whom_the_seat_is_and_what_counts(ada, ben):
    refused = ben.put(f"{for_ratings(ada, least_rating=600, most_rating=900).path}/seats/1").json
    assert "from 600 to 900" in refused["detail"]
    assert "500" in refused["detail"]


def test_who_was_better_some_days_ago_joins_no_table_of_weaker_players(app, ada, ben, player, beats, monkeypatch):
    cem = player(name="Cem")
    beats(ben, cem)
    best = rating(ben)
    for _ in range(3):
        beats(cem, ben)
    assert rating(ben) < best
    assert joins(ben, for_ratings(ada, most_rating=best - 1)) == (409, "rating_not_admitted")
    context = app.extensions["dealt"].context
    later = context.now() + 29 * 1000 * DAY
    monkeypatch.setattr(context, "now", lambda: later)
    # When these weeks began the rating was that after the last match.
    assert player_ratings.entry_rating(context, ben.id, f"{GAME}:usual:live") < best


def test_who_creates_the_table_or_is_invited_may_have_any_rating(ada, ben):
    table = ada.creates(
        game=GAME, seats=[ME, {"kind": "invite"}, OPEN], options={"least_rating": 5000}, clock=RATED["clock"]
    )
    (invite,) = table["invites"]
    assert ben.put(f"{table.path}/seats/1", json={"invite": invite["invite"]}).status_code == 200
    ada.delete(f"{table.path}/seats/0")
    assert ada.put(f"{table.path}/seats/0").status_code == 200
    assert code(ben.put(f"{table.path}/seats/2")) == (409, "rating_not_admitted")


def test_bounds_that_admit_nobody_are_no_bounds(ada):
    refused = ada.post(
        "/v1/matches", {"game": GAME, "seats": [ME, OPEN], "options": {"least_rating": 2, "most_rating": 1}}
    )
    assert code(refused) == (422, "bad_options")
    assert list(refused.json["errors"]) == ["options.least_rating"]


def test_lists_can_be_of_the_tables_that_admit_a_rating(ada, stranger):
    tables = {
        name: for_ratings(ada, **bounds)["id"]
        for name, bounds in {
            "any": {}, "from 800": {"least_rating": 800}, "to 700": {"most_rating": 700},
            "from 700 to 800": {"least_rating": 700, "most_rating": 800},
        }.items()
    }  # fmt: skip

    def found(rating):
        listed = {
            one["id"] for one in stranger.get(f"/v1/matches?status=lobby&rating={rating}&player={ada.id}").json["items"]
        }
        return {name for name, table in tables.items() if table in listed}

    assert found(500) == {"any", "to 700"}
    assert found(700) == {"any", "to 700", "from 700 to 800"}
    assert found(800) == {"any", "from 800", "from 700 to 800"}
    assert found(801) == {"any", "from 800"}
    assert stranger.get("/v1/matches?rating=many").status_code == 422
