"""Tests the check of card files: anything that breaks the rules of the language is refused with its place."""

import json
from importlib.resources import files

import pytest

from domain.card_sets.cards import library
from domain.card_sets.cards.library import SETS
from domain.card_sets.check.file import check_card_file
from tests.card_sets.test_reading import BEAR, HEAD, SET

SCOUT = {"scout": {"amount": 1}}


def faults(**change):
    """Return the faults of the sample creature after these changes."""
    row = {name: x for name, x in (BEAR | change).items() if x is not ...}
    report = check_card_file(SET | {"cards": [row]})
    return [(fault.path.removeprefix("cards.0."), fault.sentence) for fault in report.faults]


def of(ability, **change):
    """Return the faults of this ability on the sample creature, by place within the ability, ignoring faults of its
    text."""
    found = faults(abilities=[ability], text="?", **change)
    assert found, "a text was expected to differ"
    return [(path.removeprefix("abilities.0."), why) for path, why in found if path != "text"]


def spell(*effects, cost="1R", **targets):
    rules = [{"id": name, "controller": "any", "min": 1, "max": 1} | rule for name, rule in targets.items()]
    row = {"effects": list(effects)} | ({"targets": rules} if rules else {})
    return of({"spell": row}, types=["instant"], power=..., toughness=..., cost=cost)


def triggered(event="dawn", effects=(SCOUT,), **more):
    return of({"triggered": {"event": event, "effects": list(effects)} | more})


def test_printed_sets_have_neither_faults_nor_warnings():
    for file in (files(library.__package__) / "sets").iterdir():
        code = file.name.removesuffix(".json")
        report = check_card_file(json.loads(file.read_text()), [one for one in SETS.values() if one.code != code])
        assert (report.faults, report.warnings) == ((), ())


@pytest.mark.parametrize("name", ["Ox", "x" * 40])
def test_valid_creature_has_no_faults(name):
    assert faults(name=name) == []


def test_every_unreadable_card_is_named():
    report = check_card_file(SET | {"cards": [BEAR | {"power": "2"}, BEAR, BEAR | {"cost": "R1"}], "tokens": [1]})
    assert [fault.path for fault in report.faults] == ["cards.0.power", "cards.2.cost", "tokens.0"]


@pytest.mark.parametrize("file", [None, [], {}, {"cards": 1}, SET | {"format": "other"}])
def test_invalid_card_file_has_one_fault(file):
    assert len(check_card_file(file).faults) == 1


def test_too_deeply_nested_file_is_refused():
    effect = SCOUT
    for _ in range(100):
        effect = {"choose_one": [[effect], [SCOUT]]}
    (fault,) = check_card_file(SET | {"cards": [BEAR | {"abilities": [{"spell": {"effects": [effect]}}]}]}).faults
    assert fault.sentence == "This is nested too deeply."


# --- Cards --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"cost": ...}, "cost"),
        ({"power": ...}, "power"),
        ({"toughness": ...}, "toughness"),
        ({"toughness": 0}, "toughness"),
        ({"power": -1}, "power"),
        ({"colors": []}, "colors"),
        ({"colors": ["R", "S"]}, "colors"),
        ({"types": []}, "types"),
        ({"types": ["creature", "creature"]}, "types"),
        ({"types": ["creature", "instant"]}, "types"),
        ({"types": ["creature", "land"], "cost": ..., "colors": []}, "types"),
        ({"keywords": ["haste", "haste"], "text": "Haste, haste."}, "keywords"),
        ({"basic": True}, "basic"),
        ({"name": "B"}, "name"),
        ({"name": "x" * 41}, "name"),
        ({"name": "Two  Spaces"}, "name"),
        ({"number": 2, "id": "tt1-002"}, "number"),
        ({"id": "tt1-002"}, "id"),
        ({"set": "fw1"}, "set"),
        ({"text": "Flying."}, "text"),
        ({"keywords": ["flying"]}, "text"),
    ],
)
def test_card_fault_is_reported_with_its_path(change, path):
    found = faults(**change)
    assert path in [where for where, _ in found]
    assert len(found) <= 3


def test_only_creatures_have_power_toughness_and_keywords():
    assert [path for path, _ in faults(types=["artifact"], keywords=["haste"])] == ["power", "toughness", "keywords"]


def test_only_instants_and_sorceries_have_one_spell_ability():
    row = {"spell": {"effects": [SCOUT]}}
    why = "Instants and sorceries must have one ability, `spell`; other cards must not have it."
    assert faults(types=["instant"], power=..., toughness=...) == [("abilities", why)]
    assert ("abilities", why) in faults(types=["instant"], power=..., toughness=..., abilities=[row, row])
    assert ("abilities", why) in faults(abilities=[row])
    assert faults(types=["instant"], power=..., toughness=..., abilities=[row], text="Scout 1.") == []


def test_only_lands_have_no_cost():
    assert ("cost", "A land has no cost.") in faults(types=["land"], power=..., toughness=...)
    assert ("cost", "Every card except a land must have a cost.") in faults(cost=...)
    assert faults(types=["land"], power=..., toughness=..., cost=..., colors=[]) == []


def test_correct_card_text_is_suggested():
    assert faults(keywords=["haste"]) == [("text", "The abilities say: Haste.")]


# --- Targets and effects ------------------------------------------------------------------------------------

A = {"what": "creature"}


@pytest.mark.parametrize(
    ("effects", "targets", "path", "why"),
    [
        ([{"tap": {"to": "a"}}], {}, "effects.0.tap.to", "There is no target 'a' in `targets`."),
        ([SCOUT], {"a": A}, "targets.0.id", "No effect uses the target 'a'."),
        ([{"tap": {"to": "a"}}], {"a": A | {"min": 2}}, "targets.0.max",
         "`max` must be at least 1 and at least `min`."),
        ([{"tap": {"to": "a"}}], {"a": A | {"min": -1}}, "targets.0.max",
         "`max` must be at least 1 and at least `min`."),
        ([{"tap": {"to": "a"}}], {"a": A | {"filter": {"controller": "you"}}}, "targets.0.filter.controller",
         "Set the controller of a target next to its filter, not inside."),
        ([{"tap": {"to": "a"}}], {"a": A | {"filter": {"types_any": ["instant"]}}}, "targets.0.filter.types_any",
         "No permanent is of the type instant."),
        ([{"destroy": {"to": "a"}}], {"a": {"what": "player"}}, "effects.0.destroy.to",
         "This effect does nothing to a target that is player."),
        ([{"counter": {"to": "a"}}], {"a": A}, "effects.0.counter.to",
         "This effect does nothing to a target that is creature."),
        ([{"draw": {"who": "target:a", "amount": 1}}], {"a": A}, "effects.0.draw.who",
         "This effect does nothing to a target that is creature."),
        ([{"draw": {"who": "controller:b", "amount": 1}}], {}, "effects.0.draw.who",
         "There is no target 'b' in `targets`."),
        ([{"pump": {"to": "self", "power": 1, "toughness": 0}}], {}, "effects.0.pump.to",
         "This effect does nothing to its own source."),
        ([{"destroy": {"to": "opponent"}}], {}, "effects.0.destroy.to", "This effect does nothing to a player."),
        ([{"tap": {"to": "a"}}], {"ab": A}, "targets.0.id", "The id of a target is a small letter."),
        ([{"tap": {"to": "a"}}], {"A": A}, "targets.0.id", "The id of a target is a small letter."),
        ([{"counter": {"to": {"all": {}}}}], {}, "effects.0.counter.to", "This effect applies only to targets."),
        ([{"return_from_graveyard": {"to": {"all": {}}, "dest": "hand"}}], {}, "effects.0.return_from_graveyard.to",
         "This effect applies only to targets."),
        ([{"destroy": {"to": {"all": {"types_any": ["land"], "attacking": True}}}}], {}, "effects.0.destroy.to.all",
         "This filter matches nothing."),
        ([{"destroy": {"to": {"all": {"in_combat": False, "attacking": True}}}}], {}, "effects.0.destroy.to.all",
         "This filter matches nothing."),
        ([{"pump": {"to": {"all": {}}, "power": 0, "toughness": 0}}], {}, "effects.0.pump", "This does nothing."),
        ([{"scout": {"amount": 0}}], {}, "effects.0.scout.amount", "With 0, nothing happens."),
        ([{"scout": {"amount": "X"}}], {}, "effects.0.scout.amount",
         "No cost here contains X, so it cannot be chosen."),
        ([{"scout": {"amount": {"count": {"types_any": ["sorcery"]}}}}], {}, "effects.0.scout.amount.count.types_any",
         "No permanent is of the type sorcery."),
        ([{"create_token": {"token": "wolf", "amount": 1, "who": "you"}}], {}, "effects.0.create_token.token",
         "There is no token 'wolf' in this file."),
        ([{"choose_one": [[SCOUT]]}], {}, "effects.0.choose_one",
         "There must be at least two modes to choose from."),
        ([{"choose_one": [[SCOUT], [{"tap": {"to": "b"}}]]}, {"tap": {"to": "a"}}], {"a": A},
         "effects.0.choose_one.1.0.tap.to", "There is no target 'b' in `targets`."),
        ([{"tap": {"to": "trigger"}}], {}, "effects.0.tap.to", "No trigger here happens to an object."),
        ([{"draw": {"who": "controller:trigger", "amount": 1}}], {}, "effects.0.draw.who",
         "No trigger here happens to an object."),
        ([{"if": {"cond": {"life_at_most": {"who": "you", "n": 0}}, "then": [SCOUT]}}], {},
         "effects.0.if.cond.life_at_most.n", "This is never true: a player with less than 1 life has lost."),
        ([{"if": {"cond": {"life_at_most": {"who": "each_player", "n": 1}}, "then": []}}], {},
         "effects.0.if.cond.life_at_most.who", "This must be you or opponent."),
        ([], {}, "effects", "There must be an effect."),
    ],
)  # fmt: skip
def test_spell_fault_is_reported_with_its_path(effects, targets, path, why):
    assert (f"spell.{path}", why) in spell(*effects, **targets)


def test_x_can_be_chosen_if_the_cost_has_it():
    assert spell({"scout": {"amount": "X"}}, cost="XR") == []
    ability = {"cost": {"mana": "X", "tap": True}, "effects": [{"scout": {"amount": "X"}}]}
    assert of({"activated": ability}) == []
    assert triggered(effects=[{"scout": {"amount": "X"}}]) == [
        ("triggered.effects.0.scout.amount", "No cost here contains X, so it cannot be chosen.")
    ]


def test_target_of_a_spell_is_limited_only_by_type():
    counter = {"counter": {"to": "a"}}
    assert spell(counter, a={"what": "spell", "filter": {"types_any": ["sorcery"]}}) == []
    assert spell(counter, a={"what": "spell", "filter": {"tapped": True}}) == [
        ("spell.targets.0.filter", "Filter spells only by type and controller.")
    ]


# --- Triggers, costs, statics ---------------------------------------------------------------------------------


def test_trigger_about_objects_needs_a_filter():
    assert triggered(event="dies") == [("triggered.of", "The trigger dies must say `of` what.")]
    assert triggered(event="dawn", of="self") == [("triggered.of", "The trigger dawn has no `of`.")]


def test_repeated_target_id_is_refused():
    rule = {"id": "a", "what": "creature", "controller": "any", "min": 1, "max": 1}
    assert triggered(targets=[rule, rule], effects=[{"tap": {"to": "a"}}]) == [
        ("triggered.targets.0.id", "The id 'a' is used twice."),
        ("triggered.targets.1.id", "The id 'a' is used twice."),
    ]


def test_condition_may_require_1_life():
    assert triggered(**{"if": {"life_at_most": {"who": "you", "n": 1}}}) == []


@pytest.mark.parametrize(
    ("row", "path"),
    [
        ({"event": "dies"}, "of"),
        ({"event": "dawn", "of": "self"}, "of"),
        ({"event": "dies", "of": {"types_any": ["artifact"]}}, "of.types_any"),
        ({"event": "cast", "of": {"types_any": ["land"]}}, "of.types_any"),
        ({"event": "cast", "of": {"attacking": True}}, "of"),
        ({"event": "enters", "of": {"types_any": ["instant"]}}, "of.types_any"),
        ({"event": "dusk", "if": {"life_at_most": {"who": "you", "n": 0}}}, "if.life_at_most.n"),
    ],
)
def test_a_trigger_that_never_happens_is_refused(row, path):
    assert [where for where, _ in triggered(**row)] == [f"triggered.{path}"]


@pytest.mark.parametrize(
    ("row", "path"),
    [
        ({"activated": {"cost": {}, "effects": [SCOUT]}}, "activated.cost"),
        ({"activated": {"cost": {"mana": "X"}, "effects": [SCOUT]}}, "activated.cost"),
        (
            {"activated": {"cost": {"sacrifice": {"controller": "opponent"}}, "effects": [SCOUT]}},
            "activated.cost.sacrifice.controller",
        ),
        ({"mana": {"cost": {"mana": "1", "tap": True}, "add": "any", "amount": 1}}, "mana.cost"),
        ({"mana": {"cost": {}, "add": "any", "amount": 1}}, "mana.cost"),
        ({"mana": {"cost": {"tap": True}, "add": "any", "amount": 0}}, "mana.amount"),
        ({"static": {"affects": "self"}}, "static"),
        ({"static": {"affects": {"types_any": ["land"]}, "power": 1}}, "static.affects"),
        ({"static": {"affects": {"without_keyword": "haste"}, "grant": ["haste"]}}, "static.grant"),
    ],
)
def test_ability_fault_is_reported_with_its_path(row, path):
    assert [where for where, _ in of(row)] == [path]


# --- Sets -----------------------------------------------------------------------------------------------------


def test_new_set_is_checked_together_with_the_others():
    cards = [BEAR | {"name": "Sunfield"}, BEAR | {"id": "tt1-002", "number": 2}, BEAR | {"id": "tt1-003", "number": 3}]
    report = check_card_file(SET | {"set": HEAD | {"size": 3}, "cards": cards}, SETS.values())
    assert [fault.path for fault in report.faults] == ["cards.0.name", "cards.2.name"]
    (first, *_) = check_card_file(SET | {"set": HEAD | {"code": "fw1"}}, SETS.values()).faults
    assert first.path == "set.code"


@pytest.mark.parametrize("code", ["TT1", "t1", "test", "tt12"])
def test_set_code_must_be_two_letters_and_a_digit(code):
    row = BEAR | {"set": code, "id": f"{code}-001"}
    assert [fault.path for fault in check_card_file(SET | {"set": HEAD | {"code": code}, "cards": [row]}).faults] == [
        "set.code"
    ]


WOLF = {"id": "wolf", "name": "Wolf", "types": ["creature"], "colors": ["R"], "power": 3, "toughness": 2}


def test_tokens_with_the_same_id_must_be_equal_in_all_sets():
    assert [fault.path for fault in check_card_file(SET | {"tokens": [WOLF]}, SETS.values()).faults] == ["tokens.0.id"]


def test_a_token_may_have_no_power():
    assert check_card_file(SET | {"tokens": [WOLF | {"power": 0}]}).faults == ()


def test_token_ids_are_unique():
    assert [fault.path for fault in check_card_file(SET | {"tokens": [WOLF, WOLF]}).faults] == ["tokens"]


@pytest.mark.parametrize(
    "change",
    [
        {"types": ["artifact"]},
        {"types": ["creature", "land"]},
        {"toughness": 0},
        {"power": -1},
        {"id": "fw1-001"},
        {"cost": "1R"},
        {"abilities": [{"static": {"affects": "self", "power": 1}}]},
    ],
)
def test_token_must_have_toughness(change):
    assert len(check_card_file(SET | {"tokens": [WOLF | change]}).faults) == 1


@pytest.mark.parametrize(
    ("slot", "path"),
    [
        ({"rarity": "common", "count": 2}, "booster.slots.0.count"),
        ({"rarity": "common", "count": 1, "one_of_each_color": True}, "booster.slots.0.count"),
        ({"rarity": "common", "count": 1, "ultra_rare_odds": "1/8"}, "booster.slots.0.ultra_rare_odds"),
        ({"rarity": "uncommon", "count": 1}, "booster.slots.0.count"),
        ({"rarity": "rare_or_ultra_rare", "count": 1}, "booster.slots.0"),
        ({"rarity": "rare_or_ultra_rare", "count": 2}, "booster.slots.0"),
        ({"rarity": "common", "count": 0}, "booster.slots.0.count"),
        ({"rarity": "rare_or_ultra_rare", "count": 1, "ultra_rare_odds": "1/1"}, "booster.slots.0"),
    ],
)
def test_a_booster_that_cannot_be_filled_is_refused(slot, path):
    booster = {"size": slot["count"], "slots": [slot]}
    assert path in [fault.path for fault in check_card_file(SET | {"booster": booster}).faults]


def test_rare_slot_has_one_card_of_any_colour():
    cards = [BEAR | {"rarity": "rare"}]
    for change, wrong in ({}, 0), ({"count": 2}, 1), ({"one_of_each_color": True}, 1):
        slot = {"rarity": "rare_or_ultra_rare", "count": 1} | change
        booster = {"size": slot["count"], "slots": [slot]}
        assert len(check_card_file(SET | {"cards": cards, "booster": booster}).faults) == wrong


def test_slot_of_only_ultra_rare_cards_needs_no_rare_card():
    slot = {"rarity": "rare_or_ultra_rare", "count": 1, "ultra_rare_odds": "1/1"}
    file = SET | {"cards": [BEAR | {"rarity": "ultra_rare"}], "booster": {"size": 1, "slots": [slot]}}
    assert check_card_file(file).faults == ()


def test_rarity_cannot_have_two_slots():
    slot = {"rarity": "common", "count": 1}
    assert [one.path for one in check_card_file(SET | {"booster": {"size": 2, "slots": [slot, slot]}}).faults] == [
        "booster.slots"
    ]


# --- Warnings -------------------------------------------------------------------------------------------------


def warned(*abilities, tokens=(), **change):
    """Return the warnings for the sample creature with these abilities and the correct text."""
    file = SET | {"cards": [BEAR | {"abilities": list(abilities)} | change], "tokens": list(tokens)}
    due = [fault.sentence.removeprefix("The abilities say: ") for fault in check_card_file(file).faults]
    report = check_card_file(file | {"cards": [{**file["cards"][0], "text": "".join(due)}]})
    assert report.faults == ()
    return [(warning.path, warning.sentence) for warning in report.warnings]


def trigger(event, effect, of=None, **more):
    return {"triggered": {"event": event, "effects": [effect]} | ({} if of is None else {"of": of}) | more}


CREATURE = {"types_any": ["creature"]}
MORE = {"create_token": {"token": "wolf", "amount": 1, "who": "you"}}
THEIRS = {"targets": [{"id": "a", "what": "creature", "controller": "opponent", "min": 1, "max": 1}]}
BLAST = {"damage": {"amount": 1, "to": {"all": CREATURE}}}
LAND = {"types_any": ["land"]}
BURIED = {
    "targets": [{"id": "a", "what": "creature_card_in_graveyard", "controller": "any", "min": 1, "max": 1}],
}


def blast(which):
    return {"damage": {"amount": 1, "to": {"all": which}}}


def pump(toughness):
    return {"pump": {"to": {"all": CREATURE}, "power": 1, "toughness": toughness}}


def levy(which):
    return {"sacrifice": {"who": "opponent", "amount": 1, "filter": which}}


def rise(dest):
    return {"return_from_graveyard": {"to": "a", "dest": dest}}


def land(dest):
    return {"search_land": {"who": "you", "amount": 1, "dest": dest}}


@pytest.mark.parametrize(
    ("ability", "itself"),
    [
        (trigger("life_gained", {"gain_life": {"who": "you", "amount": 1}}), True),
        (trigger("life_gained", {"gain_life": {"who": "opponent", "amount": 1}}), False),
        (trigger("dawn", {"gain_life": {"who": "you", "amount": 1}}), False),
        (trigger("enters", MORE, CREATURE), True),
        (trigger("enters", MORE, {"types_any": ["artifact"]}), False),
        (trigger("enters", MORE, CREATURE | {"controller": "opponent"}), False),
        (trigger("enters", MORE, CREATURE | {"token": False}), False),
        (trigger("enters", MORE, "self"), False),
        (trigger("dies", BLAST, CREATURE), True),
        (trigger("dies", BLAST, "self"), False),
        (trigger("dies", {"destroy": {"to": "a"}}, CREATURE | {"controller": "you"}, **THEIRS), False),
        (trigger("dies", {"destroy": {"to": "a"}}, CREATURE, **THEIRS), True),
        (trigger("dies", {"choose_one": [[SCOUT], [BLAST]]}, CREATURE), True),
        (trigger("dies", blast(CREATURE | {"controller": "opponent"}), CREATURE | {"controller": "you"}), False),
        (trigger("dies", blast(CREATURE | {"controller": "you"}), CREATURE | {"controller": "you"}), True),
        (trigger("dies", blast(CREATURE), CREATURE | {"controller": "you"}), True),
        (trigger("dies", blast({"types_any": ["land"]}), CREATURE), False),
        (trigger("dies", pump(-1), CREATURE), True),
        (trigger("dies", pump(0), CREATURE), False),
        (trigger("enters", pump(-1), CREATURE), False),
        (trigger("dies", levy(CREATURE), CREATURE), True),
        (trigger("dies", levy(CREATURE), CREATURE | {"controller": "you"}), False),
        (trigger("dies", levy({"types_any": ["land"]}), CREATURE), False),
        (trigger("enters", levy(CREATURE), CREATURE), False),
        (trigger("dies", {"fight": {"a": "self", "b": "a"}}, CREATURE, **THEIRS), True),
        (trigger("enters", {"fight": {"a": "self", "b": "a"}}, CREATURE, **THEIRS), False),
        (trigger("enters", rise("battlefield"), CREATURE, **BURIED), True),
        (trigger("enters", rise("hand"), CREATURE, **BURIED), False),
        (trigger("dies", rise("battlefield"), CREATURE, **BURIED), False),
        (trigger("enters", rise("battlefield"), CREATURE | {"controller": "opponent"}, **BURIED), False),
        (trigger("enters", rise("battlefield"), {"types_any": ["land"]}, **BURIED), False),
        (trigger("enters", land("battlefield_tapped"), LAND), True),
        (trigger("enters", land("battlefield_tapped"), {}), True),
        (trigger("enters", land("hand"), LAND), False),
        (trigger("dies", land("battlefield_tapped"), {}), False),
        (trigger("enters", land("battlefield_tapped"), CREATURE), False),
        (trigger("enters", land("battlefield_tapped"), LAND | {"controller": "opponent"}), False),
    ],
)
def test_trigger_that_can_cause_itself_gets_a_warning(ability, itself):
    path = ("cards.0.abilities.0", "This trigger can cause itself.")
    assert (path in warned(ability, tokens=[WOLF])) is itself


@pytest.mark.parametrize(("keywords", "itself"), [(["leech"], True), (["venom"], False)])
def test_leech_lets_a_life_gain_trigger_cause_itself(keywords, itself):
    ability = trigger("life_gained", {"damage": {"amount": 1, "to": "opponent"}})
    path = ("cards.0.abilities.0", "This trigger can cause itself.")
    assert (path in warned(ability, keywords=keywords)) is itself


def test_unobtainable_card_and_unused_token_get_a_warning():
    cards = [BEAR, BEAR | {"id": "tt1-002", "number": 2, "name": "Rare Bear", "rarity": "rare"}]
    report = check_card_file(SET | {"set": HEAD | {"size": 2}, "cards": cards, "tokens": [WOLF]})
    assert report.faults == ()
    assert [(warning.path, warning.sentence) for warning in report.warnings] == [
        ("cards.1", "No booster holds this card."),
        ("tokens.0", "No card creates this token."),
    ]


# --- What sets to come may say ------------------------------------------------------------------------------


def life(amount, **targets):
    return spell({"gain_life": {"who": "you", "amount": amount}}, **targets)


@pytest.mark.parametrize(
    ("amount", "path"),
    [
        ({"power_of": "self"}, "spell.effects.0.gain_life.amount.power_of"),
        ({"power_of": "a"}, "spell.effects.0.gain_life.amount.power_of"),
        (
            {"count": {"types_any": ["creature"]}, "zone": "hand", "who": "you"},
            "spell.effects.0.gain_life.amount.count",
        ),
        ({"count": {"tapped": True}, "zone": "graveyard", "who": "you"}, "spell.effects.0.gain_life.amount.count"),
    ],
)
def test_undeterminable_amount_is_refused(amount, path):
    assert [where for where, _ in life(amount)] == [path]


@pytest.mark.parametrize(("what", "most"), [("artifact", 1), ("creature", 2)])
def test_power_of_requires_a_single_creature(what, most):
    (fault,) = life({"power_of": "a"}, a={"what": what, "max": most})
    assert fault[0] == "spell.effects.0.gain_life.amount.power_of"


@pytest.mark.parametrize("what", ["land", "permanent"])
def test_damage_to_a_target_that_cannot_take_it_is_refused(what):
    (fault,) = spell({"damage": {"amount": 1, "to": "a"}}, a={"what": what})
    assert fault == ("spell.effects.0.damage.to", f"This effect does nothing to a target that is {what}.")


@pytest.mark.parametrize(
    ("event", "effect", "itself"),
    [
        ("draws", {"draw": {"who": "you", "amount": 1}}, True),
        ("draws", {"draw": {"who": "opponent", "amount": 1}}, False),
        ("draws", {"discard": {"who": "you", "amount": 1, "how": "choose"}}, False),
        ("discards", {"discard": {"who": "each_player", "amount": 1, "how": "random"}}, True),
    ],
)
def test_trigger_on_draws_or_discards_can_cause_itself(event, effect, itself):
    row = {"triggered": {"event": event, "effects": [effect]}}
    card = BEAR | {"abilities": [row]}
    (fault,) = check_card_file(SET | {"cards": [card]}).faults
    report = check_card_file(SET | {"cards": [card | {"text": fault.sentence.removeprefix("The abilities say: ")}]})
    assert [one.path for one in report.warnings] == ["cards.0.abilities.0"] * itself


def test_if_done_effect_must_follow_a_discard_or_sacrifice():
    done = {"if_done": [SCOUT]}
    why = "`if_done` must directly follow a discard or a sacrifice."
    assert spell(done) == [("spell.effects.0.if_done", why)]
    assert spell(SCOUT, done) == [("spell.effects.1.if_done", why)]
    assert spell({"discard": {"who": "you", "amount": 1, "how": "choose"}}, {"if_done": []}) == [
        ("spell.effects.1.if_done", "There must be an effect.")
    ]
