"""Tests expected results and rating bounds for joining over HTTP. Hidden ratings stay hidden."""

import pytest

from domain.core.clock import DAY
from domain.games.catalogue import GAMES
from events.service import player_ratings
from tests.api.client import code
from tests.api.test_tournaments import Evening
from tests.ratings.rate_at_once import GAME, ME, OPEN, RATED, all_are_proven, beats, handle

__all__ = ["all_are_proven", "beats"]

TABLE = {"game": GAME, **RATED}


def expected(reader, table):
    return reader.get(f"{table.path}/expected").json


def test_stronger_player_is_expected_to_win(ada, ben, stranger, beats):
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


def test_unlisted_players_rating_has_no_visible_effect(ada, ben, player, stranger, beats):
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


def test_expected_result_uses_the_ratings_of_the_profiles(ada, ben, stranger, beats):
    beats(ada, ben)
    table = ada.creates(seats=[ME, OPEN, {"kind": "bot", "level": "easy"}], **TABLE)
    ben.put(f"{table.path}/seats/1")
    profiles = [stranger.get(f"/v1/players/{handle(one)}/ratings").json["items"][0] for one in (ada, ben)]
    shown = [{name: one[name] for name in ("rating", "provisional")} for one in profiles]
    assert expected(stranger, table)["ratings"] == [*shown, None]
    ben.patch("/v1/players/me", {"listed": False})
    assert expected(stranger, table)["ratings"] == [shown[0], None, None]
    assert expected(ben, table)["ratings"] == [*shown, None]


def test_expected_results_use_the_rating_of_an_invited_player_before_they_join(app, ada, ben, beats):
    beats(ada, ben)
    one = Evening(app, ada, [ada, ben], clock=RATED["clock"]).begun()
    (table,) = one.round()["tables"]
    seen = ada.get(f"/v1/matches/{table['match']}/expected").json
    assert seen["new"] == []
    first = seen["sides"][next(seat["seat"] for seat in table["seats"] if seat["player"]["id"] == ada.id)]
    assert first["first"] > 0.5


def test_expected_result_needs_a_readable_unfinished_match(ada, ben, stranger, beats):
    assert code(stranger.get(f"{beats(ada, ben).path}/expected")) == (409, "match_over")
    private = ada.creates(seats=[ME, OPEN], visibility="private", game=GAME)
    assert code(stranger.get(f"{private.path}/expected")) == (404, "not_found")
    assert ada.get(f"{private.path}/expected").status_code == 200


def test_game_without_a_winner_has_no_expected_result(ada):
    game = next(name for name, game in GAMES.items() if not game.setup.winnable)
    table = ada.creates(game=game, seats=[ME, OPEN])
    assert code(ada.get(f"{table.path}/expected")) == (409, "wrong_phase")


# --- What lists say ---------------------------------------------------------------------------------------


def in_lobbies(reader, table):
    items = reader.get("/v1/matches?status=lobby").json["items"]
    return next(one for one in items if one["id"] == table["id"])


def test_new_match_shows_its_rating_class_before_players_join(ada, ben, stranger):
    live = ada.creates(seats=[ME, OPEN], **TABLE)
    by_mail = ada.creates(seats=[ME, OPEN], **TABLE | {"clock": {"per_decision_seconds": 3_600}})
    unrated = ada.creates(game=GAME, seats=[ME, OPEN], clock=RATED["clock"])
    said = [*({"of": "usual", "title": "", "pace": pace} for pace in ("live", "mail")), None]
    for reader in (ben, stranger):
        assert [in_lobbies(reader, table)["rated"] for table in (live, by_mail, unrated)] == said
        assert [reader.get(table.path).json["rated"] for table in (live, by_mail, unrated)] == said


def test_open_tables_are_listed_with_the_ratings_of_waiting_players(ada, ben, stranger, beats):
    beats(ada, ben)
    table = ada.creates(seats=[ME, OPEN, OPEN], **TABLE)
    ben.put(f"{table.path}/seats/1")
    unrated = ada.creates(game=GAME, seats=[ME, OPEN], clock=RATED["clock"])
    shown = expected(stranger, table)["ratings"]
    assert None not in shown[:2]
    assert [seat["rating"] for seat in in_lobbies(stranger, table)["seats"]] == shown
    assert [seat["rating"] for seat in in_lobbies(stranger, unrated)["seats"]] == [None, None]
    ben.patch("/v1/players/me", {"listed": False})
    assert [seat["rating"] for seat in in_lobbies(stranger, table)["seats"]] == [shown[0], None, None]
    assert [seat["rating"] for seat in in_lobbies(ben, table)["seats"]] == shown


def test_list_of_matches_reads_ratings_in_a_fixed_number_of_queries(app, ada, ben, stranger, beats, monkeypatch):
    beats(ada, ben)
    reads, store = [], app.extensions["dealt"].context.store
    read = type(store).read
    monkeypatch.setattr(type(store), "read", lambda *one, **more: reads.append(1) or read(*one, **more))

    def asked():
        reads.clear()
        assert stranger.get("/v1/matches?status=lobby").status_code == 200
        return len(reads)

    ada.creates(seats=[ME, OPEN], **TABLE)
    one = asked()
    for _ in range(4):
        ben.creates(seats=[ME, OPEN], **TABLE)
    assert asked() == one


# --- Who may join -----------------------------------------------------------------------------------------


def joins(player, table):
    answer = player.put(f"{table.path}/seats/1")
    return (200, "") if answer.status_code == 200 else code(answer)


def for_ratings(creator, **bounds):
    return creator.creates(game=GAME, seats=[ME, OPEN], options=bounds, clock=RATED["clock"])


def rating(player):
    """Return the only rating shown for a player."""
    (one,) = player.get(f"/v1/players/{handle(player)}/ratings").json["items"]
    return one["rating"]


def test_open_seat_requires_a_rating_within_its_bounds(ada, ben, player, beats):
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


def test_rating_refusal_names_the_bounds_and_the_counted_rating(ada, ben):
    refused = ben.put(f"{for_ratings(ada, least_rating=600, most_rating=900).path}/seats/1").json
    assert "from 600 to 900" in refused["detail"]
    assert "500" in refused["detail"]


def test_recently_stronger_player_cannot_join_a_table_for_weaker_ones(app, ada, ben, player, beats, monkeypatch):
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
    # At the start of these weeks the rating was the one after the last match.
    assert player_ratings.entry_rating(context, ben.id, f"{GAME}:usual:live", None, 0) < best


def test_player_with_a_formerly_high_rating_cannot_join_a_table_for_stronger_ones(app, ada, ben, player, beats):
    cem = player(name="Cem")
    beats(ben, cem)
    best = rating(ben)
    assert joins(ben, for_ratings(ada, least_rating=best)) == (200, "")
    for _ in range(3):
        beats(cem, ben)
    assert joins(ben, for_ratings(ada, least_rating=best)) == (409, "rating_not_admitted")
    entry = player_ratings.entry_rating
    context, pool = app.extensions["dealt"].context, f"{GAME}:usual:live"
    asked = ((best, None), (None, 0), (best, 5000), (0, 5000))
    assert [entry(context, ben.id, pool, *bounds) for bounds in asked] == [rating(ben), best, rating(ben), best]


def test_new_player_who_loses_cannot_join_a_table_closed_to_new_players(app, ada, ben, player, beats, monkeypatch):
    """Until the first match is older than these weeks, the rating of a new player counts too."""
    cem = player(name="Cem")
    assert joins(ben, for_ratings(ada, most_rating=450)) == (409, "rating_not_admitted")
    beats(cem, ben)
    assert rating(ben) <= 450
    assert joins(ben, for_ratings(ada, most_rating=450)) == (409, "rating_not_admitted")
    context = app.extensions["dealt"].context
    later = context.now() + 29 * 1000 * DAY
    monkeypatch.setattr(context, "now", lambda: later)
    assert player_ratings.entry_rating(context, ben.id, f"{GAME}:usual:live", None, 0) <= 450


def test_creator_and_invited_players_may_have_any_rating(ada, ben):
    table = ada.creates(
        game=GAME, seats=[ME, {"kind": "invite"}, OPEN], options={"least_rating": 5000}, clock=RATED["clock"]
    )
    (invite,) = table["invites"]
    assert ben.put(f"{table.path}/seats/1", json={"invite": invite["invite"]}).status_code == 200
    ada.delete(f"{table.path}/seats/0")
    assert ada.put(f"{table.path}/seats/0").status_code == 200
    assert code(ben.put(f"{table.path}/seats/2")) == (409, "rating_not_admitted")


def test_impossible_rating_bounds_are_refused(ada):
    refused = ada.post(
        "/v1/matches", {"game": GAME, "seats": [ME, OPEN], "options": {"least_rating": 2, "most_rating": 1}}
    )
    assert code(refused) == (422, "bad_options")
    assert list(refused.json["errors"]) == ["options.least_rating"]


def test_tables_can_be_filtered_by_an_admitted_rating(ada, stranger):
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


def test_bounds_without_an_open_seat_admit_no_rating(ada, ben, stranger):
    """The list contains only tables with an open seat that a player can take."""
    waits, full, plays = (
        ada.creates(game=GAME, seats=seats, clock=RATED["clock"])["id"]
        for seats in ([ME, OPEN], [ME, OPEN, {"kind": "invite"}], [ME, {"kind": "bot", "level": "easy"}])
    )
    ben.put(f"/v1/matches/{full}/seats/1")
    assert stranger.get(f"/v1/matches/{plays}").json["status"] == "playing"

    def found(status=""):
        return {one["id"] for one in stranger.get(f"/v1/matches?rating=500{status}&player={ada.id}").json["items"]}

    assert found() == found("&status=lobby") == {waits}
    assert found("&status=playing") == set()
