"""Tests ratings over HTTP: visibility, leaderboard pages, and the effect of erasure."""

import pytest
from sqlalchemy import select, update

from domain.core.game import Refused
from events.service import player_ratings, rulings
from events.store.schema.tournament_schema import ratings as stored
from events.store.tables import rating_rows
from tests.api.client import Table, code
from tests.ratings.following import follow
from tests.ratings.rate_at_once import GAME, ME, OPEN, RATED, all_are_proven, beats, handle
from workers.rater import Rater

pytestmark = pytest.mark.both_databases

__all__ = ["all_are_proven", "beats"]

DECISIONS = {"CardPlayed", "CardDrawn", "TurnPassed"}
BOARD = f"/v1/leaderboards/{GAME}"


@pytest.fixture(autouse=True)
def all_are_certain(monkeypatch):
    """Make leaderboards list all rated players."""
    monkeypatch.setattr(player_ratings, "SETTLED", 501.0)


def ratings(reader, of):
    return reader.get(f"/v1/players/{of}/ratings").json


def changes(reader, of, **asked):
    said = "".join(f"&{name}={value}" for name, value in asked.items())
    return reader.get(f"/v1/players/{of}/rating-changes?game={GAME}{said}")


def test_ratings_of_a_player_are_public(ada, ben, stranger, beats):
    beats(ada, ben)
    seen = ratings(stranger, handle(ada))
    (rating,) = seen["items"]
    assert (rating["game"], rating["of"], rating["pace"]) == (GAME, "usual", "live")
    assert (rating["matches"], rating["wins"], rating["provisional"]) == (1, 1, True)
    assert rating["mean"] > 1500
    assert rating["rating"] == pytest.approx(rating["mean"] - 2 * rating["deviation"], abs=1)
    assert seen["listed"] is True
    assert ratings(stranger, handle(ben))["items"][0]["mean"] < 1500


def test_new_player_has_no_rating_and_unknown_player_is_not_found(ada, stranger):
    assert ratings(stranger, handle(ada))["items"] == []
    assert code(stranger.get("/v1/players/nobody-at-all/ratings")) == (404, "not_found")
    assert code(changes(stranger, "nobody-at-all")) == (404, "not_found")
    assert code(stranger.get("/v1/leaderboards/no_game")) == (404, "not_found")


@pytest.mark.parametrize("path", [BOARD, "/v1/players/{}/rating-changes"])
def test_unknown_class_of_options_is_refused(path, ada, stranger):
    refused = stranger.get(f"{path.format(handle(ada))}?{'' if path == BOARD else f'game={GAME}&'}of=x")
    assert code(refused) == (422, "bad_arguments")
    assert refused.json["errors"] == {"of": ["Crazy Eights has these classes of options: usual."]}


def test_leaderboard_without_a_class_shows_the_most_played_class(stranger):
    of = {game: stranger.get(f"/v1/leaderboards/{game}").json["of"] for game in (GAME, "holdem")}
    assert of == {GAME: "usual", "holdem": "cash"}
    shown = stranger.get("/v1/leaderboards/holdem?of=sng").json
    assert (shown["of"], shown["title"]) == ("sng", "sit-and-go")
    assert shown["classes"] == [{"of": "cash", "title": "cash games"}, {"of": "sng", "title": "sit-and-go"}]
    assert code(stranger.get("/v1/leaderboards/holdem?of=usual")) == (422, "bad_arguments")


def test_rating_history_is_paged_latest_first(ada, ben, stranger, beats):
    played = [table["id"] for table in (beats(ada, ben), beats(ben, ada), beats(ada, ben))]
    first = changes(stranger, handle(ada), limit=2).json
    rest = changes(stranger, handle(ada), limit=2, cursor=first["next"]).json
    assert [one["match"] for one in first["items"] + rest["items"]] == played[::-1]
    assert rest["next"] is None
    assert first["items"][0]["mean"] == ratings(stranger, handle(ada))["items"][0]["mean"]
    assert changes(stranger, handle(ada), pace="mail").json["items"] == []


@pytest.mark.parametrize("visibility", ["unlisted", "private"])
def test_a_match_that_is_not_public_cannot_be_rated(visibility, ada):
    body = {"game": GAME, "seats": [ME, OPEN], "visibility": visibility, **RATED}
    refused = ada.post("/v1/matches", body)
    assert code(refused) == (422, "bad_options")
    assert refused.json["errors"] == {
        "options.rated": ["A rated match must be public, so that anyone can recompute the ratings."]
    }


def test_leaderboard_lists_the_best_first_and_your_place_on_every_page(ada, ben, player, stranger, beats):
    cem = player(name="Cem")
    beats(ada, ben)
    beats(ben, cem)
    whole = stranger.get(BOARD).json
    shown = [one["rating"] for one in whole["items"]]
    assert shown == sorted(shown, reverse=True)
    assert whole["me"] is None
    assert {one["player"]["handle"] for one in whole["items"]} >= {handle(ada), handle(ben), handle(cem)}
    paged, cursor = [], None
    while True:
        page = cem.get(f"{BOARD}?limit=1" + (f"&cursor={cursor}" if cursor else "")).json
        paged += page["items"]
        assert page["me"]["player"]["handle"] == handle(cem)
        cursor = page["next"]
        if cursor is None:
            break
    assert paged == whole["items"]
    assert [one["place"] for one in paged] == list(range(1, len(paged) + 1))
    assert page["me"] in paged


@pytest.mark.parametrize("path", [BOARD, "/v1/players/{}/rating-changes"])
@pytest.mark.parametrize("cursor", ["x", "%C3%A4", "MS4x", "LTF-"])
def test_invalid_cursor_is_refused(path, cursor, ada, stranger):
    refused = stranger.get(
        f"{path.format(handle(ada))}?game={GAME}&cursor={cursor}" if "{" in path else f"{path}?cursor={cursor}"
    )
    assert refused.status_code == 422
    assert list(refused.json["errors"]) == ["cursor"]


def test_unlisted_players_ratings_are_hidden(ada, ben, stranger, beats):
    beats(ada, ben)
    assert ada.get("/v1/players/me").json["listed"] is True
    assert ada.patch("/v1/players/me", {"listed": False}).json["listed"] is False
    for reader in (ben, stranger):
        assert (ratings(reader, handle(ada))["items"], ratings(reader, handle(ada))["listed"]) == ([], False)
        assert changes(reader, handle(ada)).json["items"] == []
        assert handle(ada) not in {one["player"]["handle"] for one in reader.get(BOARD).json["items"]}
    assert len(ratings(ada, handle(ada))["items"]) == len(changes(ada, handle(ada)).json["items"]) == 1
    assert ada.get(BOARD).json["me"] is None
    renamed = ada.patch("/v1/players/me", {"name": "Ada L."}).json
    assert (renamed["name"], renamed["listed"]) == ("Ada L.", False)


def test_erased_player_loses_the_name_but_results_stay(ada, ben, stranger, beats):
    beats(ada, ben)
    was, before = handle(ada), ratings(stranger, handle(ben))
    assert ada.delete("/v1/players/me").status_code == 204
    assert code(stranger.get(f"/v1/players/{was}/ratings")) == (404, "not_found")
    assert was not in stranger.get(BOARD).text
    assert ratings(stranger, handle(ben))["items"][0]["wins"] == before["items"][0]["wins"]


def test_profile_shows_the_players_reliability(ada, ben, stranger, beats):
    table = beats(ada, ben)
    moves = [event for event in stranger.events(table) if event["cause"] == "move" and event["type"] in DECISIONS]
    kept = [stranger.get(f"/v1/players/{handle(one)}").json["reliability"] for one in (ada, ben)]
    assert sum(one["decisions_in_time"] for one in kept) == len(moves) > 1
    assert [one["decisions_late"] for one in kept] == [0, 0]
    assert ada.get("/v1/players/me").json["reliability"] == kept[0]


def flags(app):
    """Return how many quick losses and gifts the flag of each player of this game shows."""
    found = rating_rows.read_flagged(app.extensions["dealt"].context.store)
    return {row.player_id: (row.hasty, row.gifts) for row, _ in found}


def test_repeated_early_resigner_and_their_opponent_are_flagged(app, ada, ben, beats):
    for n in range(5):
        assert flags(app).get(ada.id) is None, n
        beats(ben, ada)
    beats(ada, ben)
    assert (flags(app)[ada.id], flags(app)[ben.id]) == ((5, 0), (0, 5))


def test_later_resigner_is_not_flagged(app, ada, ben, clock, beats):
    for _ in range(6):
        beats(ben, ada, before=lambda table: clock.passes(50 * 60))
    assert flags(app).get(ada.id) is None


def test_flags_are_hidden_from_players(app, ada, ben, stranger, beats):
    beats(ada, ben)
    store = app.extensions["dealt"].context.store
    store.write(lambda connection: connection.execute(update(stored).values(hasty=4321)))
    for reader in (ada, ben, stranger):
        for path in (f"/v1/players/{handle(ben)}", f"/v1/players/{handle(ben)}/ratings", BOARD, "/v1/players/me"):
            assert "4321" not in reader.get(path).text


def test_voided_match_is_marked_for_all_readers_and_does_not_count(app, clock, ada, ben, stranger, beats):
    table, reason = beats(ada, ben), "One player sat in both seats."
    assert stranger.get(table.path).json["annulled"] is None
    assert stranger.get(f"/v1/matches?player={ada.id}").json["items"][0]["annulled"] is None
    clock.passes(60)
    rulings.annul_match(app.extensions["dealt"].context, table["id"], reason)
    rater = Rater(app.extensions["dealt"].context.store)
    follow(app.extensions["dealt"].context.store, rater.look)
    for reader in (ada, stranger):
        seen = reader.get(table.path).json
        assert (seen["status"], seen["annulled"]) == ("finished", reason)
        assert seen["result"] is not None
    (ended,) = [one["at"] for one in stranger.get(f"{table.path}/events").json["items"] if one["type"] == "MatchEnded"]
    for query in ("", "&status=finished"):
        (listed,) = stranger.get(f"/v1/matches?player={ada.id}{query}").json["items"]
        assert (listed["status"], listed["annulled"], listed["ended_at"]) == ("finished", reason, ended)
    assert stranger.get(f"/v1/matches?player={ada.id}&result=won").json["items"] == []
    last = stranger.get(f"{table.path}/events").json["items"][-1]
    assert (last["type"], last["cause"], last["data"]) == ("MatchAnnulled", "operator", {"reason": reason})
    assert ratings(stranger, handle(ada))["items"] == []
    verified = stranger.get(f"{table.path}/audit").json
    assert (verified["verdict"], [check for check in verified["checks"] if not check["ok"]]) == ("verified", [])


def test_reason_for_voiding_cannot_name_a_player_of_the_match(app, ada, ben, beats):
    table, context = beats(ada, ben), app.extensions["dealt"].context
    for reason in (f"{ada.name.upper()}'s second account.", f"@{ben.handle} again", f"{ben.name}s account"):
        with pytest.raises(Refused) as refused:
            rulings.annul_match(context, table["id"], reason)
        assert "Name the seat" in refused.value.sentence
    rulings.annul_match(context, table["id"], "Seat 0 has two accounts.")


def against(player, level, **options):
    """Create a rated match of one player against a bot."""
    seats = [ME, {"kind": "bot", "level": level}]
    return player.post("/v1/matches", {"game": GAME, "seats": seats, **RATED, "options": {"rated": True, **options}})


def test_match_against_a_bot_of_fixed_strength_rates_only_the_player(app, ada, bots, stranger):
    store = app.extensions["dealt"].context.store
    table = against(ada, "easy")
    assert table.status_code == 201
    table = Table(table.json)
    assert stranger.get(f"{table.path}/expected").json["new"] == [0]
    bots(table)
    assert ada.plays(table).status_code == 200
    assert ada.plays(table, {"name": "resign", "args": {}}).status_code == 200
    rater = Rater(store)
    follow(store, rater.look)
    while rater.look() == 0:
        pass
    (rating,) = ratings(stranger, handle(ada))["items"]
    assert rating["mean"] < 1500
    assert [row.player_id for row in store.read(select(stored)) if row.player_id == ada.id] == [ada.id]
    assert {row.player_id for row in store.read(select(stored))} & {"easy", "", None} == set()


def test_rated_match_with_a_bot_of_unknown_strength_is_refused(ada):
    seats = [ME, {"kind": "bot", "level": "steady"}]
    body = {"game": "fivewells", "seats": seats, **RATED, "options": {"rated": True, "format": "sealed"}}
    refused = ada.post("/v1/matches", body)
    assert code(refused) == (422, "bad_options")
    (why,) = refused.json["errors"]["options.rated"]
    assert "fixed strength" in why
    assert "the strength of steady is unknown" in why


def test_match_whose_loser_decided_nothing_is_not_rated(app, ada, player, stranger, beats):
    for _ in range(12):
        beats(ada, loser := player(name="Gift"), at_once=True)
        assert ratings(stranger, handle(loser))["items"] == []
    assert ratings(stranger, handle(ada))["items"] == changes(stranger, handle(ada)).json["items"] == []
    assert flags(app)[ada.id] == (0, 12)
