"""Tests that card files are parsed into values, and that invalid files are refused with the place of the fault."""

from fractions import Fraction
from typing import get_args

import pytest

from domain.card_sets.cards import abilities, effects
from domain.card_sets.cards.card_kinds import CardType, Controller, Keyword, Mana, Rarity, TargetKind, Trigger
from domain.card_sets.cards.costs import Cost, ManaCost, read_cost
from domain.card_sets.cards.filters import (
    ChosenX,
    Count,
    Each,
    Filter,
    Itself,
    LifeAtMost,
    Party,
    Targeted,
    TargetedPlayer,
    TargetRule,
)
from domain.card_sets.cards.library import BASIC_LANDS, CARDS, SETS, TOKENS
from domain.card_sets.cards.read import ABILITIES, EFFECTS, BadCards, read_card, read_set
from domain.core.values import is_same

BEAR = {
    "id": "tt1-001",
    "name": "Test Bear",
    "set": "tt1",
    "number": 1,
    "rarity": "common",
    "types": ["creature"],
    "colors": ["R"],
    "cost": "1R",
    "power": 2,
    "toughness": 2,
    "text": "",
}
HEAD = {"code": "tt1", "name": "Tests", "kind": "expansion", "released": 9, "size": 1}
SET = {
    "format": "fivewells-cards/1",
    "set": HEAD,
    "booster": {"size": 1, "slots": [{"rarity": "common", "count": 1}]},
    "cards": [BEAR],
}


def ability(row):
    return read_card(BEAR | {"abilities": [row]}, "card").abilities[0]


def effect(row):
    return ability({"spell": {"effects": [row]}}).effects[0]


def test_the_two_sets_have_120_cards():
    assert {code: len(one.cards) for code, one in SETS.items()} == {"fw1": 80, "bt1": 40}
    assert len(CARDS) == len({card.name for card in CARDS.values()}) == 120
    assert [card.name for card in BASIC_LANDS] == ["Sunfield", "Tidepool", "Rootwood", "Forgehill", "Gloomfen"]
    assert sorted(TOKENS) == ["beast", "construct", "militia", "spirit", "wolf"]


def test_each_rarity_has_its_number_of_cards_without_basic_lands():
    found = {
        code: [sum(card.rarity is rarity and not card.basic for card in one.cards) for rarity in Rarity]
        for code, one in SETS.items()
    }
    assert found == {"fw1": [34, 23, 12, 6], "bt1": [17, 12, 6, 5]}


def test_token_in_two_sets_is_the_same_in_both():
    for one in SETS.values():
        assert all(is_same(TOKENS[token.id], token) for token in one.tokens)


def test_reader_knows_every_effect_and_ability():
    assert set(EFFECTS.values()) == set(get_args(effects.Effect))
    assert set(ABILITIES.values()) == set(get_args(abilities.Ability))


@pytest.mark.parametrize(
    ("text", "cost", "mana_value"),
    [
        ("0", ManaCost(), 0),
        ("2SS", ManaCost((2, 0, 0, 0, 0), 2), 4),
        ("X2TG", ManaCost((0, 1, 0, 0, 1), 2, x=True), 4),
        ("10", ManaCost((0, 0, 0, 0, 0), 10), 10),
        ("X", ManaCost(x=True), 0),
    ],
)
def test_cost_is_read_and_written_back_unchanged(text, cost, mana_value):
    assert read_cost(text) == cost
    assert str(cost) == text
    assert cost.mana_value == mana_value


@pytest.mark.parametrize("text", ["", "SX", "2 S", "TS", "01", "-1", "100", "N", "s"])
def test_invalid_cost_is_refused(text):
    with pytest.raises(ValueError, match="is not a cost"):
        read_cost(text)


def test_a_card_is_read_field_by_field():
    card = read_card(BEAR | {"keywords": ["venom", "ambush"], "subtypes": ["bear"]}, "card")
    assert (card.name, card.power, card.toughness) == ("Test Bear", 2, 2)
    assert card.cost == ManaCost((0, 0, 1, 0, 0), 1)
    assert card.colors == (Mana.R,)
    assert card.types == (CardType.CREATURE,)
    assert card.keywords == (Keyword.VENOM, Keyword.AMBUSH)
    assert card.abilities == ()


@pytest.mark.parametrize(
    ("row", "made"),
    [
        ({"damage": {"amount": "X", "to": "a"}}, effects.Damage(ChosenX(), Targeted("a"))),
        ({"draw": {"who": "each_player", "amount": 2}}, effects.Draw(Party.EACH_PLAYER, 2)),
        ({"mill": {"who": "target:b", "amount": 1}}, effects.Mill(TargetedPlayer("b"), 1)),
        (
            {"destroy": {"to": {"all": {"tapped": False, "without_keyword": "flying"}}}},
            effects.Destroy(Each(Filter(tapped=False, without_keyword=Keyword.FLYING))),
        ),
        (
            {"if": {"cond": {"life_at_most": {"who": "you", "n": 10}}, "then": [{"scout": {"amount": 1}}]}},
            effects.If(LifeAtMost(Party.YOU, 10), (effects.Scout(1),)),
        ),
        (
            {"choose_one": [[{"tap": {"to": "self"}}], [{"untap": {"to": "self"}}]]},
            effects.ChooseOne(((effects.Tap(Itself()),), (effects.Untap(Itself()),))),
        ),
        (
            {"gain_life": {"who": "you", "amount": {"count": {"controller": "you"}}}},
            effects.GainLife(Party.YOU, Count(Filter(controller=Controller.YOU))),
        ),
    ],
)
def test_effect_is_read_as_a_value(row, made):
    assert effect(row) == made


def test_triggered_ability_is_read_as_a_value():
    row = {
        "event": "dies",
        "of": {"types_any": ["creature"], "other": True},
        "targets": [{"id": "a", "what": "player", "controller": "any", "min": 0, "max": 2}],
        "effects": [{"fight": {"a": "self", "b": "a"}}],
        "if": {"life_at_most": {"who": "opponent", "n": 3}},
        "may": True,
    }
    assert ability({"triggered": row}) == abilities.TriggeredAbility(
        Trigger.DIES,
        (effects.Fight(Itself(), Targeted("a")),),
        Filter((CardType.CREATURE,), other=True),
        (TargetRule("a", TargetKind.PLAYER, Controller.ANY, 0, 2),),
        LifeAtMost(Party.OPPONENT, 3),
        may=True,
    )


def test_activated_ability_is_read_with_its_cost():
    row = {"cost": {"mana": "1", "tap": True, "sacrifice": "self"}, "effects": [{"scout": {"amount": 1}}]}
    assert ability({"activated": row}).cost == Cost(ManaCost(generic=1), tap=True, sacrifice=Itself())


@pytest.mark.parametrize(
    ("change", "path", "fault"),
    [
        ({"colour": ["R"]}, "card", "'colour' is not allowed here."),
        ({"power": True}, "card.power", "This must be a whole number."),
        ({"power": None}, "card.power", "This must be a whole number."),
        ({"cost": "R1"}, "card.cost", "'R1' is not a cost; write X, a number and colours in the order STRFG, as 2SS."),
        ({"types": ["planet"]}, "card.types.0", "This must be one of land, creature, artifact, instant, sorcery."),
        ({"types": "creature"}, "card.types", "This must be a list."),
        ({"abilities": [{}]}, "card.abilities.0", "This must be an object with one key."),
        ({"abilities": [{"enters_tapped": False}]}, "card.abilities.0.enters_tapped", "This must be true."),
        (
            {"abilities": [{"spell": {"effects": [{"draw": {"who": "you", "amount": -1}}]}}]},
            "card.abilities.0.spell.effects.0.draw.amount",
            "This must be a number from 0, X, a filter under count, or power_of.",
        ),
        (
            {"abilities": [{"spell": {"effects": [{"destroy": {}}]}}]},
            "card.abilities.0.spell.effects.0.destroy",
            "'to' is missing.",
        ),
    ],
)
def test_unreadable_card_is_refused_with_the_path_of_the_fault(change, path, fault):
    with pytest.raises(BadCards) as refused:
        read_card(BEAR | change, "card")
    assert (refused.value.path, refused.value.fault) == (path, fault)


@pytest.mark.parametrize("id_", ["a", "z"])
def test_target_id_must_be_a_lower_case_letter(id_):
    assert effect({"destroy": {"to": id_}}) == effects.Destroy(Targeted(id_))


@pytest.mark.parametrize("id_", ["", "A", "ab", "`", "{", "é", 1, None])
def test_invalid_target_id_is_refused(id_):
    for row in {"destroy": {"to": id_}}, {"fight": {"a": id_, "b": "self"}}:
        with pytest.raises(BadCards):
            effect(row)


@pytest.mark.parametrize("who", ["", "a", "target", "target:", "target:A", "controller:ab", "owner:a", "target:a:b", 1])
def test_unknown_player_reference_is_refused(who):
    with pytest.raises(BadCards) as refused:
        effect({"draw": {"who": who, "amount": 1}})
    assert refused.value.path == "card.abilities.0.spell.effects.0.draw.who"


def test_an_amount_may_be_0():
    assert effect({"scout": {"amount": 0}}) == effects.Scout(0)


@pytest.mark.parametrize(
    ("odds", "chance"),
    [("0/8", 0), ("1/8", Fraction(1, 8)), ("8/8", 1), ("9/8", None), ("1", None), ("1/0", None), ("1e9/1", None),
     ("-1/8", None), ("1/8 ", None), ("1/10000", None), (1, None)],
)  # fmt: skip
def test_odds_must_be_between_0_and_1(odds, chance):
    slot = {"rarity": "rare_or_ultra_rare", "count": 1, "ultra_rare_odds": odds}
    file = SET | {"booster": {"size": 1, "slots": [slot]}}
    if chance is None:
        with pytest.raises(BadCards) as refused:
            read_set(file)
        assert refused.value.path == "booster.slots.0.ultra_rare_odds"
    else:
        assert read_set(file).booster[0].ultra_rare_odds == chance


@pytest.mark.parametrize("add", ["S", "T", "R", "F", "G", "N", "any"])
def test_mana_ability_adds_mana_of_one_or_any_colour(add):
    made = ability({"mana": {"cost": {"tap": True}, "add": add, "amount": 1}})
    assert made == abilities.ManaAbility(Cost(tap=True), "any" if add == "any" else Mana[add], 1)


def test_set_is_read_field_by_field():
    one = read_set(SET)
    assert (one.code, one.kind, one.released) == ("tt1", "expansion", 9)
    assert [card.name for card in one.cards] == ["Test Bear"]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"format": "fivewells-cards/2"}, "format"),
        ({"set": HEAD | {"size": 2}}, "set.size"),
        ({"booster": {"size": 2, "slots": [{"rarity": "common", "count": 1}]}}, "booster.size"),
        ({"booster": {"size": 1, "slots": [{"rarity": "rare", "count": 1}]}}, "booster.slots.0.rarity"),
        (
            {"booster": {"size": 1, "slots": [{"rarity": "common", "count": 1, "ultra_rare_odds": "1/0"}]}},
            "booster.slots.0.ultra_rare_odds",
        ),
        ({"cards": [BEAR, []]}, "cards.1"),
    ],
)
def test_unreadable_set_is_refused_with_the_path_of_the_fault(change, path):
    with pytest.raises(BadCards) as refused:
        read_set(SET | change)
    assert refused.value.path == path
