"""Tests the listed tournament formats of each game: everything listed can be announced."""

from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

from domain.games.catalogue import GAMES
from domain.tournament.tournament_plan import FormatName
from tests.api.client import code
from tests.api.test_tournaments import olga
from tests.draws import first_of

__all__ = ["olga"]

CLOCK = {"per_decision_seconds": 60}
LATER = "2100-01-01T19:00:00Z"


def listed(api, game):
    return api.get(f"/v1/games/{game}/tournament-formats").json


def said(name: str, schema: dict[str, Any]) -> list[Any]:
    """Return the listed choices of a field, or the minimum and maximum of a number."""
    if name == "ends_at":
        return [LATER]
    return schema.get("enum") or [schema["minimum"], schema["maximum"]]


def announced(olga, game, one, said) -> bool:
    """Return whether a tournament of a listed format can be created with these values; cancel it immediately."""
    body = {"name": "Any", "game": game, "preset": one["presets"][0], "clock": CLOCK, "visibility": "private"}
    answer = olga.post("/v1/tournaments", body | {"format": one["format"], "seats": one["seats"], **said})
    if answer.status_code == 201:
        olga.post(f"/v1/tournaments/{answer.json['id']}/cancel", {"reason": "It was a trial."})
    return bool(answer.status_code == 201)


def usual(one) -> dict[str, Any]:
    """Return the values that a listed format requires."""
    fields = one["fields"]["properties"]
    return {name: said(name, of)[0] for name, of in fields.items() if name in ("fill", "ends_at")}


def alone(one) -> list[dict[str, Any]]:
    """Yield every choice of a field of a listed format, and its minimum and maximum; first none."""
    return [{}, *({name: value} for name, of in one["fields"]["properties"].items() for value in said(name, of))]


@pytest.mark.parametrize("game", first_of(["holdem", "gin_rummy"]))
def test_every_listed_field_value_can_be_announced(olga, game):
    """One number of seats is tried per format, with each choice of a field, and with its minimum and maximum."""
    of_formats = {one["format"]: one for one in listed(olga, game)["items"]}
    wanted = set(get_args(FormatName)) - (set() if game == "holdem" else {"multi_table"})
    assert set(of_formats) == wanted
    valid = {name: Draft202012Validator(one["fields"]).is_valid for name, one in of_formats.items()}
    refused = [
        (name, more)
        for name, one in of_formats.items()
        for more in alone(one)
        if valid[name](usual(one) | more) and not announced(olga, game, one, usual(one) | more)
    ]
    assert refused == []


def bounds_of_most(one) -> set[int]:
    """Return the listed bounds of the number of entrants of a format, and their neighbours."""
    parts = [one["fields"], *(part["then"] for part in one["fields"].get("allOf", []))]
    bounds = {part["properties"]["most"][bound] for part in parts for bound in ("minimum", "maximum")}
    return {bound + off for bound in bounds for off in (-1, 0, 1)}


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "seats", "formats"),
    [
        ("trio", 5, ["swiss", "shoot_out", "arena"]),
        ("gin_rummy", 4, ["swiss", "duplicate"]),
        ("gin_rummy", 2, ["round_robin", "league"]),
        ("holdem", 3, ["multi_table"]),
    ],
)
def test_listed_bounds_of_entrants_are_exact(olga, game, seats, formats):
    """The number depends on `fill`, `teams` and `legs`, so each of their choices is tried."""
    of_seats = {one["format"]: one for one in listed(olga, game)["items"] if one["seats"] == seats}
    wrong = []
    for one in map(of_seats.__getitem__, formats):
        valid = Draft202012Validator(one["fields"]).is_valid
        beside = [more for more in alone(one) if not {*more} - {"fill", "teams", "legs"}]
        for most in bounds_of_most(one):
            tried = [usual(one) | more | {"most": most} for more in beside]
            wrong += [(one["format"], more) for more in tried if valid(more) != announced(olga, game, one, more)]
    assert wrong == []


def test_formats_that_a_game_cannot_play_are_not_listed(stranger):
    of = {(one["format"], one["seats"]): one for one in listed(stranger, "holdem")["items"]}
    assert ("round_robin", 3) not in of
    many = of["multi_table", 6]
    assert (many["presets"], many["whole_matches"]) == (["sit_and_go"], False)
    assert "teams" not in many["fields"]["properties"]
    assert many["fields"]["properties"]["fill"]["enum"] == ["short"]
    assert of["league", 2]["fields"]["properties"]["most"]["maximum"] == 60
    assert "cut" not in of["swiss", 3]["fields"]["properties"]
    assert of["arena", 2]["fields"]["required"] == ["ends_at"]


def test_games_without_a_winner_are_not_listed_as_tournaments(stranger):
    assert listed(stranger, "fivewells_draft")["items"] == []
    assert code(stranger.get("/v1/games/bridge/tournament-formats")) == (404, "not_found")


def test_preparations_are_listed_with_the_options_of_their_tables(olga, stranger):
    assert all(listed(stranger, game)["preparations"] == [] for game in GAMES if game != "fivewells")
    of = listed(stranger, "fivewells")
    assert not of["prizes"]
    assert len(of["preparations"]) == 2
    for one in of["preparations"]:
        preparation = {"game": one["game"], "preset": one["preset"], "clock": CLOCK}
        body = {"name": "Decks", "game": "fivewells", "options": one["options"], "format": "swiss"}
        answer = olga.post("/v1/tournaments", body | {"preparation": preparation})
        assert answer.status_code == 201, answer.json


def test_format_many_tables_has_no_teams(olga):
    body = {"name": "Any", "game": "holdem", "preset": "sit_and_go", "format": "multi_table", "fill": "short"}
    assert code(olga.post("/v1/tournaments", body | {"teams": "tables"})) == (422, "bad_options")
