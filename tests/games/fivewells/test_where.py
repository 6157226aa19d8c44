"""Tests the pointers of arguments of moves, so that the cards of a duel can be the buttons."""

import pytest

from domain.core.scene import as_json
from domain.core.scene_pointers import SEATS, add_titles, follow_pointer
from domain.games.fivewells.moves import (
    ActivateManaAbility,
    CastSpell,
    Choose,
    DeclareAttackers,
    DeclareBlockers,
    PlayLand,
)
from domain.games.fivewells.records import name
from domain.games.fivewells.shown import argument_places, scene
from domain.games.fivewells.waiting import legal
from tests.games.fivewells.examples import PLAIN, attacked, before_combat
from tests.games.fivewells.table import Duel


def ids(duel, seat, move, argument):
    """Return the ids of the spots in the zones of an argument."""
    at = argument_places(duel.state, seat)[move][argument]
    table = as_json(scene(duel.state, seat))
    return [
        spot["id"]
        for zone in ([at] if isinstance(at, str) else at)
        if zone != SEATS
        for spot in follow_pointer(table, zone)["spots"]
    ]


@pytest.mark.parametrize(("move", "argument"), [(CastSpell, "card"), (PlayLand, "card")])
def test_a_card_in_hand_is_named_by_its_handle(move, argument):
    duel = Duel(hands=([PLAIN, PLAIN, "Sunfield"], [PLAIN]))
    assert ids(duel, 0, move, argument) == [name(one) for one in duel.state.hands[0]]


def test_attackers_and_blockers_point_to_the_battlefields():
    duel = before_combat([PLAIN, PLAIN], [PLAIN])
    assert ids(duel, 0, DeclareAttackers, "attackers") == [name(duel.of(PLAIN, i)) for i in (0, 1)]
    duel = attacked(PLAIN, [PLAIN])
    assert ids(duel, 1, DeclareBlockers, "blocks.blocker") == [name(duel.of(PLAIN, 1))]
    assert ids(duel, 1, DeclareBlockers, "blocks.attacker") == [name(duel.of(PLAIN, 0))]


def test_mana_points_to_the_lands_if_only_lands_produce_it():
    duel = Duel(lands=("SF", ""))
    assert ids(duel, 0, ActivateManaAbility, "object") == [name(one) for one in duel.state.ids]
    assert argument_places(Duel().state, 0)[ActivateManaAbility] == {}


def test_lands_are_in_the_order_in_which_they_entered():
    duel = Duel(lands=("FFF", ""))
    first, second, third = duel.state.arrivals
    duel.state.arrivals = (second, third, first)
    lands = follow_pointer(as_json(scene(duel.state, 0)), "/zones/lands-0/spots")
    assert [spot["id"] for spot in lands] == [name(one.object) for one in (second, third, first)]
    assert [spot["marks"] for spot in lands] == [[], ["2nd"], ["3rd"]]


def test_mana_sources_are_in_both_zones_if_a_creature_produces_mana_too():
    duel = Duel(board=(["Sprigling"], []), lands=("SF", ""))
    assert argument_places(duel.state, 0)[ActivateManaAbility]["object"] == ("/zones/lands-0", "/zones/battlefield-0")
    assert sorted(ids(duel, 0, ActivateManaAbility, "object")) == sorted(map(name, duel.state.ids))


def test_discarding_player_chooses_from_the_hand():
    duel = Duel(hands=([PLAIN] * 9, []), step="dusk", stops=((), ()), held=0).passes(0)
    assert ids(duel, 0, Choose, "value") == [name(one) for one in duel.state.hands[0]]
    assert argument_places(duel.state, 1)[Choose] == {}


def test_targets_and_mana_sources_point_to_their_positions():
    duel = Duel(hands=(["Kindle Dart"], []), board=(["Sprigling"], [PLAIN]), lands=("F", ""))
    at = argument_places(duel.state, 0)[CastSpell]
    assert {"/zones/battlefield-0", "/zones/battlefield-1", SEATS} <= {*at["targets.a"]}
    assert "/zones/stack" not in at["targets.a"]  # nothing lies there
    assert at["pay.id"] == ("/zones/lands-0", "/zones/battlefield-0")
    assert {*ids(duel, 0, CastSpell, "targets.a")} >= {name(duel.of(one)) for one in ("Sprigling", PLAIN)}
    assert {name(duel.of("Sprigling"))} < {*ids(duel, 0, CastSpell, "pay.id")}


def test_schema_points_to_targets_by_the_letters_of_the_card():
    duel = Duel(hands=(["Kindle Dart", PLAIN], []), board=([], [PLAIN]), lands=("FFFF", ""))
    at = argument_places(duel.state, 0)[CastSpell]
    said = [
        add_titles("cast_spell", CastSpell, one.schema(), at) for one in legal(duel.state, 0) if one.make is CastSpell
    ]
    letters = [one["properties"].get("targets", {}).get("properties", {}) for one in said]
    assert [[*one] for one in letters if one] == [["a"], ["a"]]  # the spell, and what pays for any
    assert all(one["a"]["x-at"] == [*at["targets.a"]] for one in letters if one)


def test_card_paid_by_hand_has_its_own_targets():
    duel = Duel(hands=(["Kindle Dart", PLAIN, "Final Toll"], []), board=([], [PLAIN]), lands=("FFFFGGGGSSSS", ""))
    schemas = [one.schema() for one in legal(duel.state, 0) if one.make is CastSpell]
    plain, by_hand = (
        {
            card: one["properties"].get("targets")
            for one in schemas
            if ("pay" in one["properties"]) is paid
            for card in one["properties"]["card"]["enum"]
        }
        for paid in (False, True)
    )
    assert by_hand == plain
    assert [bool(one) for one in by_hand.values()].count(True) == 2
    assert by_hand[name(duel.of(PLAIN))] is None
