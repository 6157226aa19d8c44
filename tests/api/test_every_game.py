"""Tests every game over the API: whole matches with many settings, and random options."""

import random
from hashlib import sha256

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from api.http.game_request_schemas import options_schema
from api.http.problems import Problem
from api.http.record_reader import read_record
from api.resources.match_request import MatchRequestBody, new_match
from api.terminal.history_watch import HistoryWatch
from api.terminal.live import OwnHand
from domain.games.catalogue import GAMES
from tests.api.client import Table
from tests.draws import draws, is_thorough
from tests.laws.games import SETUPS, SHORT_SETUPS


def seats(n):
    """Return seats for the caller and for bots of every level."""
    levels = ["easy", "steady", "strong", "steady"]
    return [{"kind": "me"}, *({"kind": "bot", "level": levels[i % 4]} for i in range(n - 1))]


def plays_out(ada, table, bots, rng, watch):
    """Play offered moves, mostly the clock's default, until the match is over.

    Returns the tables and scenes seen. `watch` and the player's own hand check everything that the server sends.
    """
    seen, hand = {}, OwnHand(table["id"])
    for _ in range(5_000):
        bots(table)
        events, match = ada.get(f"{table.path}/events?after={watch.version}").json["items"], ada.sees(table)
        watch.take(events)
        watch.check_answer(match)
        hand.take(events, match["your_seat"])
        assert not hand.differs(match)
        seen[match["version"]] = (match["table"], match["scene"])
        offer = ada.offers(table)["moves"]
        if not offer:
            assert match["status"] == "finished", match
            return seen
        move = offer[0] if rng.random() < 0.7 else rng.choice(offer)
        answer = ada.plays(table, move["example"])
        assert answer.status_code == 200, answer.json
    pytest.fail("the match does not end")


@pytest.mark.parametrize(("game", "n", "options"), SETUPS if is_thorough() else SHORT_SETUPS)
def test_whole_match_can_be_played_replayed_and_verified(ada, stranger, bots, tmp_path, game, n, options):
    body = {"game": game, "options": options, "seats": seats(n), "series": {"best_of": 1}}
    created = ada.post("/v1/matches", body)
    assert created.status_code == 201, created.json
    table = Table(created.json)
    rng = random.Random(n)
    seen = plays_out(ada, table, bots, rng, HistoryWatch("http://localhost", table["id"], tmp_path))
    match = ada.sees(table)
    assert len(match["result"]["places"]) == n

    digest = "0" * 64
    for event in stranger.events(table):
        envelope = {k: event[k] for k in ("at", "cause", "commit", "seals", "seq", "type", "v")}
        public = {k: x for k, x in event["data"].items() if k not in event["seals"]}
        envelope |= {"data": public, "match": table["id"]}
        digest = sha256(digest.encode() + rfc8785.dumps(envelope)).hexdigest()
        assert event["digest"] == digest
    assert len(stranger.events(table)) >= 1_000 or digest == match["head"]

    for version in rng.sample(sorted(seen), min(5, len(seen))):
        replayed = ada.get(f"{table.path}/replay?version={version}").json
        assert (replayed["table"], replayed["scene"]) == seen[version]
    assert ada.get(f"{table.path}/replay?seat=all&version={match['version']}").status_code == 200


@pytest.mark.parametrize("game", GAMES)
def test_catalogue_has_all_data_that_a_client_needs(stranger, game):
    described = stranger.get(f"/v1/games/{game}").json
    rules = GAMES[game]
    assert (described["seats"]["min"], described["seats"]["max"]) == (rules.setup.seats[0], rules.setup.seats[-1])
    assert set(described["moves"]) == set(rules.moves)
    assert set(described["presets"]) == set(rules.setup.presets) >= {"seed"}
    for name in described["presets"]:
        new_match(read_record(MatchRequestBody, {"game": game, "preset": name}))


def drawn(schema):
    """Draw a value that the options schema admits for a property."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    some = {
        "boolean": st.booleans(),
        "integer": st.integers(schema.get("minimum", 0), schema.get("maximum", 100)),
        "null": st.none(),
        "string": st.from_regex(schema["pattern"], fullmatch=True) if "pattern" in schema else st.text(),
    }
    if "items" in schema:
        some["array"] = st.lists(drawn(schema["items"]), max_size=3)
    return st.one_of([some[kind] for kind in kinds])


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=draws(15))
@given(data=st.data())
def test_options_admitted_by_the_schema_create_a_match_or_are_refused_with_a_reason(game, data):
    properties = options_schema(GAMES[game])["properties"]
    names = data.draw(st.sets(st.sampled_from(sorted(properties))))
    options = {name: data.draw(drawn(properties[name])) for name in names}
    n = data.draw(st.sampled_from(list(GAMES[game].setup.seats)))
    body = {"game": game, "options": options, "seats": [{"kind": "bot"}] * n}
    made, problem = tried(body)
    if made:
        assert set(made.options) >= set(properties)
    else:
        assert problem.code == "bad_options"
        assert problem.errors
        assert all(path.startswith("options.") and said for path, said in problem.errors.items())


def tried(body):
    """Return the match that the body describes, or the problem with it."""
    try:
        return new_match(read_record(MatchRequestBody, body)), None
    except Problem as problem:
        return None, problem


@pytest.mark.parametrize("game", GAMES)
def test_too_many_and_too_few_seats_are_refused(ada, game):
    rules = GAMES[game]
    for n in (rules.setup.seats[0] - 1, rules.setup.seats[-1] + 1):
        refused = ada.post("/v1/matches", {"game": game, "seats": [{"kind": "bot"}] * n})
        assert refused.status_code == 422
        assert "seats" in refused.json["errors"]


def test_faded_fields_stay_hidden_in_repeated_answers_and_replays(ada, bots):
    body = {"game": "trio", "options": {"memory": "strict", "first_player": "pick", "first_player_seat": 0}}
    table = Table(ada.post("/v1/matches", body | {"seats": seats(3)}).json)
    bots(table)
    reveal = ada.offers(table)["moves"][0]["example"]
    first = ada.plays(table, reveal, headers={"Idempotency-Key": "reveal"}).json
    assert "number" in first["events"][0]["data"]
    while ada.sees(table)["table"]["turn_no"] == 1:
        ada.plays(table)
        bots(table)
    then = ada.get(f"{table.path}/replay?version={first['events'][0]['seq']}").json
    assert then["scene"]["last"].endswith("a number not remembered.")
    repeat = ada.plays(table, reveal, headers={"Idempotency-Key": "reveal"})
    assert repeat.headers["Idempotency-Replayed"] == "true"
    again = repeat.json["events"][0]
    assert "number" not in again["data"]
    assert "unseal" not in again
    assert again["digest"] == first["events"][0]["digest"]
