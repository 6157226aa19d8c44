"""Tests that equal actions are offered as one choice with all their sources."""

import pytest

from domain.card_sets.cards.abilities import ActivatedAbility
from domain.card_sets.cards.card_kinds import Controller, TargetKind
from domain.card_sets.cards.costs import Cost
from domain.card_sets.cards.effects import Tap
from domain.card_sets.cards.filters import Filter, Targeted, TargetRule
from domain.games.fivewells.moves import ActivateAbility, CastSpell
from domain.games.fivewells.records import name
from domain.games.fivewells.waiting import legal
from tests.games.fivewells.table import Duel, aim, with_abilities

BOAR = "Bramble Boar"
NO_CARDS = ((), ())


def choices(duel, make):
    """Return the choices of one kind of move, those with manual payment last."""
    found = [one for one in legal(duel.state, 0) if one.make is make]
    return sorted(found, key=lambda one: "pay" in one.schema()["properties"])


def test_equal_abilities_are_offered_as_one_choice_with_all_sources():
    duel = Duel(board=(["Powder Kobold", "Powder Kobold", "Bombard Crew"], [BOAR]))
    kobolds, crew = choices(duel, ActivateAbility)
    sources = [name(duel.of("Powder Kobold", nth)) for nth in (0, 1)]
    assert kobolds.schema()["properties"]["object"] == {"enum": sources}
    assert crew.schema()["properties"]["object"] == {"enum": [name(duel.of("Bombard Crew"))]}
    assert (kobolds.exact, crew.exact) == (True, True)


def test_copies_of_a_spell_are_offered_as_one_choice():
    duel = Duel(hands=(["Kindle Dart", "Kindle Dart", BOAR], []), lands=("FF", ""))
    plain, by_hand = choices(duel, CastSpell)
    assert plain.schema()["properties"]["card"] == by_hand.schema()["properties"]["card"]
    assert len(plain.schema()["properties"]["card"]["enum"]) == 2


def test_tapped_source_is_not_offered():
    duel = Duel(board=([("Bombard Crew", {"tapped": True}), "Bombard Crew"], []))
    (crews,) = choices(duel, ActivateAbility)
    assert crews.schema()["properties"]["object"] == {"enum": [name(duel.of("Bombard Crew", 1))]}


def test_creature_with_a_sacrifice_cost_can_sacrifice_all_but_itself():
    duel = Duel(board=(["Marrow Broker", "Marrow Broker", BOAR], []), lands=("G", ""), libraries=NO_CARDS)
    plain, by_hand = choices(duel, ActivateAbility)
    for one in (plain, by_hand):
        listed = one.schema()["properties"]["sacrifice"]
        assert (listed["x-other"], listed["items"]["enum"]) == ("object", ["o1", "o2", "o3"])
        assert not one.exact
    first, second = duel.of("Marrow Broker"), duel.of("Marrow Broker", 1)
    assert plain.admits(ActivateAbility(first, 0, sacrifice=(second,)))
    assert not plain.admits(ActivateAbility(first, 0, sacrifice=(first,)))


def test_target_that_must_be_another_excludes_its_source():
    rule = TargetRule("a", TargetKind.CREATURE, Controller.ANY, 1, 1, Filter(other=True))
    ability = ActivatedAbility(Cost(), (Tap(Targeted("a")),), (rule,))
    with with_abilities(BOAR, ability):
        duel = Duel(board=([BOAR, BOAR], ["Fen Biter"]), libraries=NO_CARDS)
        (boars,) = choices(duel, ActivateAbility)
        listed = boars.schema()["properties"]["targets"]["properties"]["a"]
        assert (listed["x-other"], listed["items"]["enum"]) == ("object", ["o1", "o2", "o3"])
        admitted = {
            (source, target)
            for source in (1, 2)
            for target in (1, 2, 3)
            if boars.admits(ActivateAbility(source, 0, aim({"a": target})))
        }
        assert admitted == {(1, 2), (1, 3), (2, 1), (2, 3)}


@pytest.mark.parametrize(("card", "hand"), [("Bombard Crew", 0), ("Whirlpool Sage", 1)])
def test_only_actions_with_a_mana_cost_can_be_paid_by_hand(card, hand):
    duel = Duel(board=([card], []), lands=("TT", ""))
    assert sum("pay" in one.schema()["properties"] for one in choices(duel, ActivateAbility)) == hand


def test_payment_for_an_action_without_a_cost_is_refused():
    duel = Duel(board=(["Bombard Crew"], []))
    target = aim({"a": duel.of("Bombard Crew")})
    assert duel.refusal(0, ActivateAbility(duel.of("Bombard Crew"), 0, target, pay=())) == "bad_choice"
    assert duel.refusal(0, ActivateAbility(duel.of("Bombard Crew"), 0, target)) is None


def test_payments_are_listed_as_pairs_of_source_and_colours():
    duel = Duel(hands=(["Kindle Dart"], []), board=(["Mothertree Seedling"], []), lands=("FFS", ""), libraries=NO_CARDS)
    _, by_hand = choices(duel, CastSpell)
    rows = [row["properties"] for row in by_hand.schema()["properties"]["pay"]["items"]["anyOf"]]
    forges, sun, seedling = ["o3", "o4"], ["o5"], ["o2"]
    assert [(row["id"]["enum"], row["color"]["enum"]) for row in rows] == [
        (forges, ["F"]),
        (sun, ["S"]),
        (seedling, ["S", "T", "R", "F", "G"]),
    ]
