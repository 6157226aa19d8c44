"""Tests the catalogue of games."""

import gzip
import re
from itertools import product

import pytest
from jsonschema import Draft202012Validator

from api.http.openapi_operations import operation_of
from domain.games.catalogue import CARDS, GAMES
from tests.api.client import code
from tests.factories import MatchBody


def test_every_game_has_the_same_description_in_the_list_and_on_its_own(stranger):
    listed = stranger.get("/v1/games").json
    assert [game["game"] for game in listed["items"]] == list(GAMES)
    assert listed["next"] is None
    for game in listed["items"]:
        assert stranger.get(f"/v1/games/{game['game']}").json == game


def test_an_unknown_game_is_not_found(stranger):
    assert code(stranger.get("/v1/games/bridge")) == (404, "not_found")


def test_poker_games_offer_their_hands_as_phh(stranger):
    listed = stranger.get("/v1/games?fields=game,hand_history").json["items"]
    assert {game["game"] for game in listed if game["hand_history"]} == {"holdem", "five_card_draw"}


def test_game_and_each_preset_are_described_in_a_few_sentences(stranger):
    for game in stranger.get("/v1/games").json["items"]:
        assert game["about"] == game["about_presets"]["seed"]
        assert set(game["about_presets"]) == set(game["presets"])
    gin = stranger.get("/v1/games/gin_rummy").json
    assert "The first to reach 100 wins." in gin["about"]
    assert "big gin 31" in gin["about_presets"]["club"]


def test_game_is_described_in_two_sentences_with_its_duration(stranger):
    for game in stranger.get("/v1/games").json["items"]:
        assert len(re.findall(r"[^.]+[.](?: |$)", game["summary"])) == 2, game["summary"]
        assert 0 < game["minutes"]["least"] < game["minutes"]["most"]
        assert set(game["preset_titles"]) <= set(game["presets"])


def test_options_have_readable_titles(stranger):
    options = {one["game"]: one["options"]["properties"] for one in stranger.get("/v1/games").json["items"]}
    titles = {(game, name): schema.get("title", "") for game, of in options.items() for name, schema in of.items()}
    assert [at for at, title in titles.items() if not re.fullmatch("[A-Z][a-zA-Z -]+", title)] == []
    assert titles["crazy_eights", "target_score"] == "Target score"
    assert titles["hearts", "variant_index"] == "Number of the variant"
    assert titles["holdem", "on_resign"] == "When a player resigns"


def test_option_values_that_are_codes_have_readable_names(stranger):
    for game in stranger.get("/v1/games").json["items"]:
        for name, schema in game["options"]["properties"].items():
            chosen = schema.get("items", schema)
            codes = [
                one
                for one in chosen.get("enum", ())
                if one and not re.fullmatch("[a-z]{4,}|[a-z]+(_[a-z]+)+|cut|off|bot|end", one)
            ]
            assert set(codes) <= set(chosen.get("x-titles", {})), f"{game['game']}: {name}"
            assert set(chosen.get("x-titles", {})) <= set(chosen.get("enum", ()))


def test_hearts_has_presets_and_not_only_variant_codes(stranger):
    hearts = stranger.get("/v1/games/hearts").json
    assert len(hearts["presets"]) > 3
    assert len(set(hearts["about_presets"].values())) == len(hearts["presets"])


def test_default_preset_of_hearts_is_standard_and_of_other_games_seed(stranger):
    first = {game["game"]: game["presets"][game["usual_preset"]] for game in stranger.get("/v1/games").json["items"]}
    assert first.pop("hearts") == {"jack_of_diamonds": False}
    assert not any(first.values())


def test_option_schemas_are_valid_and_admit_their_defaults(stranger):
    for game in stranger.get("/v1/games").json["items"]:
        for schema in (game["options"], *game["moves"].values()):
            Draft202012Validator.check_schema(schema)
        defaults = {name: field["default"] for name, field in game["options"]["properties"].items()}
        Draft202012Validator(game["options"]).validate(defaults)
        for preset in game["presets"].values():
            Draft202012Validator(game["options"]).validate(preset)


def test_match_options_are_the_completed_options_of_the_catalogue(ada, stranger):
    schema = stranger.get("/v1/games/hearts").json["options"]
    options = ada.creates()["options"]
    Draft202012Validator(schema).validate(options)
    assert options["variant"] == schema["properties"]["variant"]["default"]
    assert options["fairness_reveal"] == schema["properties"]["fairness_reveal"]["default"] == "hand_end"


@pytest.mark.parametrize(
    "variant", ["2-2-2-3", 1, 87, 256, "87", "256", None, 0, 257, "0", "087", "257", "5-1-1-1", True]
)
def test_all_documented_forms_of_a_variant_are_accepted(ada, stranger, variant):
    described = stranger.get("/v1/games/hearts").json["options"]["properties"]["variant"]
    admitted = Draft202012Validator(described).is_valid(variant)
    asked = ada.post("/v1/matches", MatchBody(options={"variant": variant}))
    assert asked.status_code == (201 if admitted else 422)


def test_hearts_has_256_variants_with_code_and_index(stranger):
    variants = stranger.get("/v1/games/hearts/variants").json["items"]
    assert [v["index"] for v in variants] == list(range(1, 257))
    assert {v["code"]: v["index"] for v in variants} | {"2-2-2-3": 87, "3-4-4-4": 192} == {
        v["code"]: v["index"] for v in variants
    }
    assert variants[86]["slugs"] == [
        "pass-rotate-3",
        "lead-two-clubs",
        "hearts-after-played",
        "score-queen-jack",
    ]


# --- Asked for again ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/v1/games", "/v1/games/hearts", "/v1/games/hearts/variants", "/v1/games/hearts/orders"]
)
def test_catalogue_is_sent_once_and_compressed_on_request(stranger, path):
    plain, packed = stranger.get(path), stranger.app.test_client().get(path, headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < len(plain.data) / 2
    for first in (plain, packed):
        assert (first.headers["Cache-Control"], first.headers["Vary"]) == ("no-cache", "Accept, Accept-Encoding")
        again = stranger.get(path, headers={"If-None-Match": first.headers["ETag"], "Accept-Encoding": "gzip"})
        assert (again.status_code, again.data) == (304, b"")
    assert stranger.get(path, headers={"If-None-Match": '"0"'}).status_code == 200


NAMED = {"game": GAMES, "set_id": CARDS.sets, "card_id": list(CARDS.cards)[:1]}
SHORT = 1_000
"""Such a short answer needs no compression."""
OF_EVERYBODY = ("/openapi.json", "/openapi.yaml", "/docs", "/docs/problems", "/play")


def test_long_public_answers_are_compressed_and_not_sent_twice(stranger):
    """These are the pages and answers that need neither a token nor the database."""
    app, paths = stranger.app, list(OF_EVERYBODY)
    asks = app.test_client().get
    for rule in app.url_map.iter_rules():
        operation = operation_of(app, rule.endpoint)
        if operation and "GET" in rule.methods and operation.access == "public" and not operation.needs_database:
            names = sorted(rule.arguments)
            called = product(*(NAMED[name] for name in names))
            paths += [rule.build(dict(zip(names, one, strict=True)))[1] for one in called]
    assert {"/v1/games/hearts/variants", "/v1/games/hearts/orders", "/v1/sets", "/v1/cards"} < set(paths)
    for path in paths:
        plain = asks(path)
        assert plain.status_code == 200, path
        if len(plain.data) > SHORT:
            packed = asks(path, headers={"Accept-Encoding": "gzip"})
            assert (packed.headers.get("Content-Encoding"), path) == ("gzip", path)
            for first, form in ((plain, "identity"), (packed, "gzip")):
                known = {"If-None-Match": first.headers["ETag"], "Accept-Encoding": form}
                again = asks(path, headers=known)
                assert (again.status_code, again.data, path) == (304, b"", path)
