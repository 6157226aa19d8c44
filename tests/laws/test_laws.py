"""Tests laws that apply at every moment of every game (rules 2)."""

import json
import re
from collections import Counter
from functools import cache
from math import ceil
from pathlib import Path
from random import Random

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.game_checks.secret_checks import check_secrets
from domain.core.choices import OneNumber, proposals
from domain.core.game import Refused, check_move, fold, is_admitted, play_move
from domain.core.json_form import as_object, as_text, compile_form
from domain.core.refusals import COMMON, MALFORMED
from domain.core.scene import as_json as as_json_scene
from domain.core.scene import from_json as scene_from_json
from domain.core.scene_pointers import SEATS, X_AT, add_titles, follow_pointer
from domain.core.types import parse_hint
from domain.core.visibility import view_event
from tests.draws import draws, is_thorough
from tests.laws.games import ENTRIES
from tests.laws.play import steps

CONTRACT = (Path(__file__).parents[2] / "docs" / "contract.md").read_text()
KEYWORDS = re.compile(r"`(\w+)`")

BLOCKS = {name: (entry, options) for entry in ENTRIES for name, options in entry.blocks.items()}


SOME = 1
"""The number of options of a block that an example of a short run tries."""


def law(examples=2, hands=2, of=None):
    """Check this for some options of every block, over games of this many hands, played in many ways.

    A short run tries half of the examples. `of` names the only game that the law concerns.
    """
    blocks = [name for name, (entry, _) in BLOCKS.items() if of in (None, entry.game.name)]

    def decorate(holds):
        def check_block(block, seed):
            entry, rows = BLOCKS[block]
            for options in Random(seed).sample(rows, min(draws(SOME), len(rows))):
                rng = Random(f"{seed} {options}")
                holds(entry, steps(entry, options, rng, hands), rng)

        check_block.__name__ = holds.__name__
        check_block = given(seed=st.integers(0, 2**32))(check_block)
        check_block = settings(max_examples=examples if is_thorough() else ceil(examples / 2))(check_block)
        check_block.holds = holds
        return pytest.mark.parametrize("block", blocks)(check_block)

    return decorate


@law()
def test_state_follows_from_the_log(entry, game, rng):
    """A replay gives the live state, also move by move, and the same moves give the same events."""
    state = first = None
    events = []
    for step in game:
        first = first or step.state
        state = state or first
        assert fold(entry.game, state, step.events) == step.after
        assert play_move(entry.game, step.state, step.seat, step.move)[1] == step.events
        state = step.after
        events += step.events
    assert fold(entry.game, first, events) == state


@law()
def test_every_card_is_in_one_place(entry, game, rng):
    for step in game:
        assert Counter(entry.whereabouts(step.after)) == Counter(entry.pack(step.after))


@law(examples=1, hands=1)
def test_offered_moves_are_exactly_the_accepted_ones(entry, game, rng):
    """The schema admits exactly the legal moves, if it can express them; all others are refused with a code."""
    for step in game:
        if rng.random() < 0.6:  # trying every card at every step would take long
            continue
        seat = rng.choice([*entry.game.to_act(step.state), *range(entry.seats)]) % entry.seats
        choices = entry.game.legal(step.state, seat)
        schemas = [(c.make, jsonschema.Draft202012Validator(c.schema())) for c in choices]
        for move in entry.probes(step.state, seat, rng):
            body = written(move)
            offered = any(isinstance(move, make) and schema.is_valid(body) for make, schema in schemas)
            accepted = is_admitted(choices, move)
            if all(choice.exact for choice in choices if choice.make is type(move)):
                assert offered == accepted
            assert offered >= accepted
            if accepted:
                play_move(entry.game, step.state, seat, move)
            else:
                with pytest.raises(Refused) as refused:
                    check_move(entry.game, step.state, seat, move)
                assert refused.value.code in {*COMMON, *MALFORMED, *entry.game.words.refusals}


@law(examples=1, hands=1)
def test_schema_of_a_move_is_flat(entry, game, rng):
    """It is one object with its properties on top, never an alternative of several."""
    for step in game:
        for seat in entry.game.to_act(step.state):
            for choice in entry.game.legal(step.state, seat):
                schema = choice.schema()
                assert {"type", "properties"} <= schema.keys()
                assert schema["additionalProperties"] is False
                assert not {"anyOf", "oneOf", "allOf"} & schema.keys()
                assert all(len(kinds) > 1 for kinds in alternatives(schema))


@law(examples=1, hands=1)
def test_the_schema_of_a_move_uses_only_the_keywords_of_the_contract(entry, game, rng):
    listed = KEYWORDS.findall(CONTRACT.split("**5.3**")[1].split("**5.4**")[0])
    for step in game:
        for seat in entry.game.to_act(step.state):
            for choice in entry.game.legal(step.state, seat):
                assert {key for key in keywords(choice.schema()) if not key.startswith("x-")} <= {*listed}


def keywords(schema):
    """Return all keywords of a schema, however deep, excluding names of properties and values of enums."""
    for key, said in schema.items():
        yield key
        if key == "properties":
            for one in said.values():
                yield from keywords(one)
        elif key in ("items", "if", "then", "else"):
            yield from keywords(said)
        elif key == "anyOf":
            for one in said:
                yield from keywords(one)


def alternatives(schema):
    """Yield all lists of alternatives in a schema, however deep."""
    if isinstance(schema, list):
        return [kinds for one in schema for kinds in alternatives(one)]
    if not isinstance(schema, dict):
        return []
    here = [schema[key] for key in ("anyOf", "oneOf", "allOf") if key in schema]
    return here + [kinds for inner in schema.values() for kinds in alternatives(inner)]


def written(move):
    """Return the arguments of a move as a client sends them."""
    return json.loads(json.dumps(form_of(type(move)).write(move)))


@cache
def form_of(cls):
    """Return the form of a kind of move. It is compiled only once: there are thousands of moves."""
    return compile_form(parse_hint(cls), as_text, as_object)


@law(examples=4, hands=2)
def test_answers_do_not_depend_on_hidden_cards(entry, game, rng):
    """In two worlds in which a seat was shown the same, it can see no difference.

    The second world is the first with two cards exchanged that the seat was not dealt, and continues as long as the
    same moves can be made in it.
    """
    check_secrets(entry, game, rng.choice([None, *range(entry.seats)]), rng)


# --- Scenes -----------------------------------------------------------------------------------------


@law(examples=1, hands=1)
def test_scene_contains_every_card_once(entry, game, rng):
    """All cards are in a zone, and of those that are visible, each is face up as often as there are such cards."""
    for own, reader in readings(entry, game, rng):
        zones = entry.game.scene(own, reader).zones
        assert sum(zone.count for zone in zones) == len(entry.pack(own))
        assert all(sum(not spot.empty for spot in zone.spots) <= zone.count for zone in zones)
        assert not face_up(zones) - Counter(map(entry.card_text, entry.pack(own)))

        it_can_be_pointed_into(entry, entry.game.scene(own, reader))


def it_can_be_pointed_into(entry, scene):
    """It is plain JSON, in which every seat and every zone has its place."""
    written = as_json_scene(scene)
    assert json.loads(json.dumps(written)) == written
    assert scene_from_json(written) == scene
    assert list(written["zones"]) == [zone.id for zone in scene.zones]
    assert [seat["seat"] for seat in written["seats"]] == list(range(entry.seats))
    for zone in scene.zones:
        assert re.fullmatch("[a-z_]+(-[0-9]+)*", zone.id)
        assert {zone.seat, *(spot.seat for spot in zone.spots)} <= {None, *range(entry.seats)}
        assert not [mark for spot in zone.spots for mark in spot.marks if "_" in mark]  # they are read by people


@law(examples=1, hands=1)
def test_scene_shows_the_same_as_the_view(entry, game, rng):
    """Return the cards as far as they are known."""
    for own, reader in readings(entry, game, rng):
        scene = entry.game.scene(own, reader)
        assert not Counter(entry.in_view(entry.game.view(own, reader))) - face_up(scene.zones)


@law(hands=1)
def test_pointers_lead_to_the_playable_cards(entry, game, rng):
    """Every pointer leads into the seat's own scene, every offered card is there, and each has a pointer.

    The proposed moves are legal.
    """
    for step in game:
        for seat, own in enumerate(step.own):
            if choices := entry.game.legal(own, seat):
                scene, where = as_json_scene(entry.game.scene(own, seat)), entry.game.answers.where(own, seat)
                for choice in choices:
                    is_in_its_place(scene, add_titles("a_move", choice.make, choice.schema(), where.get(choice.make)))
                    what_it_proposes_is_legal(choice)


def what_it_proposes_is_legal(choice):
    """Complete moves that it proposes are admitted, and useful numbers are within its bounds, in rising order."""
    assert all(map(choice.admits, proposals(choice)))
    for said in choice.schema()["properties"].values():
        there = said.get("items", {})
        assert {*there.get("x-free", ())} <= {*there.get("x-names", ())}
        assert all(one in there.get("enum", ()) for one in there.get("x-names", ()))
    if isinstance(choice, OneNumber):
        titles, useful = [title for title, _ in choice.useful], [n for _, n in choice.useful]
        assert (useful, len({*titles})) == (sorted({*useful}), len(titles))
        assert all(choice.low <= n <= choice.high for n in useful)


def is_in_its_place(scene, schema):
    assert schema["title"]
    if X_AT in schema:
        assert set(follow_pointer(scene, schema[X_AT])) > {"kind", "spots"}
    for said, values in offered(schema):
        assert said["title"]
        lies(scene, said.get(X_AT), values)
    for said in schema["properties"].values():  # the first choice is pressed where it lies and has its name there
        assert X_AT in said or not {*said.get("enum", ())} & named_in(*scene["zones"].values())


def offered(schema):
    """Yield the arguments of a schema with all values that it admits for each."""
    for said in schema.get("properties", {}).values():
        yield said, list(values_of(said))
        rows = said.get("items", {})
        for inner, of in rows.get("properties", {}).items():
            yield of, [row[inner] for row in rows.get("enum", ())]
            yield of, [one for row in rows.get("anyOf", ()) for one in row["properties"][inner]["enum"]]
        yield from offered(said)


def values_of(said):
    yield from (one for one in said.get("enum", ()) if one is not None and not isinstance(one, dict))
    yield from values_of(said["items"]) if "items" in said else ()


def lies(scene, at, values):
    """Assert that the values are at their pointers."""
    if at is None:
        seen = {spot["card"] for zone in scene["zones"].values() for spot in zone["spots"]}
        assert not {value for value in values if isinstance(value, str)} & seen
    elif isinstance(at, list) and all(isinstance(value, str) for value in values):
        seats = {str(seat["seat"]) for seat in scene["seats"]} if SEATS in at else set()
        assert set(values) <= seats | named_in(*(follow_pointer(scene, pointer) for pointer in at if pointer != SEATS))
    elif isinstance(at, list):
        assert all(follow_pointer(scene, pointer) for pointer in at)
        assert set(values) <= set(range(len(at)))
    elif isinstance(there := follow_pointer(scene, at), list):
        assert set(values) <= set(range(len(there)))
    else:
        assert set(map(str, values)) <= named_in(there)


def named_in(*zones):
    """Return the names by which moves can refer to the cards that are face up there."""
    up = [spot for zone in zones for spot in zone["spots"] if spot["face"] == "up"]
    return {name for spot in up for name in (spot["card"], spot["id"])} - {None}


def readings(entry, game, rng):
    """Yield the tables of all readers of a game, now and then: a seat's own, and the spectators'."""
    spectators = None
    for step in game:
        spectators = fold(entry.game, spectators or step.state, (view_event(event, None) for event in step.events))
        if rng.random() < 0.2:
            yield spectators, None
            yield from ((own, seat) for seat, own in enumerate(step.own))


def face_up(zones):
    """Return the cards whose text is visible."""
    return Counter(spot.card for zone in zones for spot in zone.spots if spot.card is not None)
