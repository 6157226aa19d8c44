"""Tests that the text on a card follows from its abilities and distinguishes different ones."""

import json
from copy import deepcopy
from importlib.resources import files

import pytest

from domain.card_sets.cards import library
from domain.card_sets.cards.card_kinds import Keyword, Mana, Restriction, Trigger
from domain.card_sets.cards.card_text import card_text
from domain.card_sets.cards.library import CARDS, SETS, TOKENS
from domain.card_sets.cards.read import BadCards, read_card
from domain.core.values import with_fields
from tests.card_sets.test_reading import BEAR


@pytest.mark.parametrize("code", SETS)
def test_text_of_every_card_follows_from_its_abilities(code):
    tokens = {token.id: token for token in SETS[code].tokens}
    assert {card.id: card_text(card, tokens) for card in SETS[code].cards} == {
        card.id: card.text for card in SETS[code].cards
    }


def said(*abilities, **change):
    return card_text(read_card(BEAR | {"abilities": list(abilities)} | change, "card"), TOKENS)


def spell(*effects, what="creature", controller="any", least=1, most=1, **filter_):
    rule = {"id": "a", "what": what, "controller": controller, "min": least, "max": most, "filter": filter_}
    return said({"spell": {"targets": [rule], "effects": list(effects)}}, types=["instant"])


def trigger(event, of=None, **more):
    row = {"event": event, "effects": [{"scout": {"amount": 1}}]} | more
    return said({"triggered": row | ({"of": of} if of is not None else {})})


ATTACKERS = {"types_any": ["creature"], "controller": "opponent", "attacking": True}
SEARCHES = "searches their library for up to X basic lands, puts them onto the battlefield tapped, then shuffles."
DESTROY = {"destroy": {"to": "a"}}


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Destroy target creature.", {}),
        ("Destroy target untapped creature.", {"tapped": False}),
        ("Destroy target non-attacking creature.", {"attacking": False}),
        ("Destroy target creature outside combat you control.", {"in_combat": False, "controller": "you"}),
        ("Destroy target creature token without flying.", {"token": True, "without_keyword": "flying"}),
        ("Destroy target nontoken creature.", {"token": False}),
        ("Destroy another target creature.", {"other": True}),
        ("Destroy up to one other target creature.", {"other": True, "least": 0}),
        ("Destroy two target creatures.", {"least": 2, "most": 2}),
        ("Destroy one to three target creatures.", {"most": 3}),
        ("Destroy up to eleven target creatures.".replace("eleven", "11"), {"least": 0, "most": 11}),
        ("Destroy target artifact creature.", {"types_any": ["artifact"]}),
        ("Destroy target artifact your opponent controls.", {"what": "artifact", "controller": "opponent"}),
        (
            "Destroy target creature or player on your opponent's side.",
            {"what": "creature_or_player", "controller": "opponent"},
        ),
        ("Destroy target creature or player on your side.", {"what": "creature_or_player", "controller": "you"}),
    ],
)
def test_text_of_a_target_includes_all_its_conditions(text, rule):
    assert spell(DESTROY, **rule) == text


@pytest.mark.parametrize(
    ("text", "effects", "rule"),
    [
        ("Tap target creature; untap it.", [{"tap": {"to": "a"}}, {"untap": {"to": "a"}}], {}),
        (
            "Tap one or two target creatures; untap them; each of their controllers draws a card.",
            [{"tap": {"to": "a"}}, {"untap": {"to": "a"}}, {"draw": {"who": "controller:a", "amount": 1}}],
            {"most": 2},
        ),
        (
            "The controller of target creature mills X cards; destroy it.",
            [{"mill": {"who": "controller:a", "amount": "X"}}, DESTROY],
            {},
        ),
        (
            "Target player gains 2 life; that player draws two cards.",
            [{"gain_life": {"who": "target:a", "amount": 2}}, {"draw": {"who": "target:a", "amount": 2}}],
            {"what": "player"},
        ),
        (
            "Counter target instant or sorcery spell unless its controller pays X.",
            [{"counter": {"to": "a", "unless_pays": "X"}}],
            {"what": "spell", "types_any": ["instant", "sorcery"]},
        ),
        (
            "Counter target spell unless its controller pays the number of attacking creatures your opponent controls.",
            [{"counter": {"to": "a", "unless_pays": {"count": ATTACKERS}}}],
            {"what": "spell"},
        ),
        (
            "Put two growth counters on each of up to two target creatures.",
            [{"add_counters": {"to": "a", "amount": 2}}],
            {"least": 0, "most": 2},
        ),
        (
            "Return two target creature cards in your opponent's graveyard to their owner's hand.",
            [{"return_from_graveyard": {"to": "a", "dest": "hand"}}],
            {"what": "creature_card_in_graveyard", "controller": "opponent", "least": 2, "most": 2},
        ),
        ("Target creature gains flying and leech until end of turn.",
         [{"pump": {"to": "a", "power": 0, "toughness": 0, "keywords": ["flying", "leech"]}}], {}),
    ],
)  # fmt: skip
def test_repeated_target_is_a_pronoun(text, effects, rule):
    assert spell(*effects, **rule) == text


@pytest.mark.parametrize(
    ("text", "event", "of", "more"),
    [
        ("When you cast this spell: scout 1.", "cast", "self", {}),
        ("Whenever a player casts a spell: scout 1.", "cast", {}, {}),
        ("Whenever your opponent casts an artifact: scout 1.", "cast",
         {"types_any": ["artifact"], "controller": "opponent"}, {}),
        ("Whenever an artifact enters under your opponent's control: scout 1.", "enters",
         {"types_any": ["artifact"], "controller": "opponent"}, {}),
        ("Whenever a permanent enters: scout 1.", "enters", {}, {}),
        ("Whenever an attacking creature dies: scout 1.", "dies", {"types_any": ["creature"], "attacking": True}, {}),
        ("At your dusk: if your opponent has 5 or less life, scout 1.", "dusk", None,
         {"if": {"life_at_most": {"who": "opponent", "n": 5}}}),
        ("At your dawn: you may scout 1.", "dawn", None, {"may": True}),
        ("At your dawn: you may have this creature get +1/-1 and gain haste until end of turn.", "dawn", None,
         {"may": True,
          "effects": [{"pump": {"to": "self", "power": 1, "toughness": -1, "keywords": ["haste"]}}]}),
        ("At your dawn: you may have this happen: scout 1; you lose X life.", "dawn", None,
         {"may": True, "effects": [{"scout": {"amount": 1}}, {"lose_life": {"who": "you", "amount": "X"}}]}),
        (f"At your dusk: each player {SEARCHES}", "dusk", None,
         {"effects": [{"search_land": {"who": "each_player", "amount": "X", "dest": "battlefield_tapped"}}]}),
        ("At your dawn: you draw as many cards as there are other creatures you control.", "dawn", None,
         {"effects": [{"draw": {"who": "you",
                                "amount": {"count": {"types_any": ["creature"], "controller": "you",
                                                     "other": True}}}}]}),
        ("At your dawn: you sacrifice three other permanents.", "dawn", None,
         {"effects": [{"sacrifice": {"who": "you", "amount": 3, "filter": {"other": True}}}]}),
        ("At your dawn: your opponent sacrifices two artifacts or lands.", "dawn", None,
         {"effects": [{"sacrifice": {"who": "opponent", "amount": 2,
                                     "filter": {"types_any": ["artifact", "land"]}}}]}),
        ("At your dawn: each player creates two 2/2 Spirit tokens with flying.", "dawn", None,
         {"effects": [{"create_token": {"token": "spirit", "amount": 2, "who": "each_player"}}]}),
    ],
)  # fmt: skip
def test_every_trigger_has_a_text(text, event, of, more):
    assert trigger(event, of, **more) == text


WORDED = ["no", "a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "11", "12"]


@pytest.mark.parametrize("amount", range(13))
def test_numbers_of_cards_are_words_up_to_ten(amount):
    text = trigger("dawn", effects=[{"draw": {"who": "you", "amount": amount}}])
    assert text == f"At your dawn: you draw {WORDED[amount]} card{'s' * (amount != 1)}."


def test_text_of_a_static_ability_includes_all_its_effects():
    row = {"affects": {"types_any": ["creature"], "other": True}, "power": -1, "grant": ["haste", "venom"],
           "restrict": ["cannot_attack", "cannot_block"]}  # fmt: skip
    assert said({"static": row}) == ("Each other creature gets -1/+0, has haste and venom and cannot attack or block.")


def test_card_text_refers_to_its_card_by_type():
    row = {"triggered": {"event": "attacks", "of": "self", "effects": [{"scout": {"amount": 1}}]}}
    assert said(row, types=["artifact", "creature"]) == "Whenever this creature attacks: scout 1."
    assert said(row, types=["artifact"]) == "Whenever this artifact attacks: scout 1."
    assert said(row, types=["land"]) == "Whenever this land attacks: scout 1."


def test_keywords_triggers_and_restrictions_have_different_words():
    assert len({said(keywords=[one]) for one in Keyword}) == len(Keyword)
    assert len({trigger(one, "self") for one in Trigger}) == len(Trigger)
    assert len({said({"static": {"affects": "self", "restrict": [one]}}) for one in Restriction}) == len(Restriction)
    mana = [said({"mana": {"cost": {"tap": True}, "add": one.name, "amount": 1}}) for one in Mana]
    assert len(set(mana)) == len(Mana)


# --- Mutants ------------------------------------------------------------------------------------------------

WORDS = {
    "controller": ["you", "opponent", "any"],
    "who": ["you", "opponent", "each_player"],
    "to": ["self", "opponent"],
    "what": ["creature", "player", "creature_or_player", "artifact", "spell", "creature_card_in_graveyard"],
    "dest": ["hand", "battlefield", "battlefield_tapped"],
    "how": ["choose", "random"],
    "event": [*Trigger],
    "add": ["S", "T", "R", "F", "G", "N", "any"],
    "token": [*TOKENS],
    "without_keyword": [*Keyword],
    "mana": ["0", "1", "2", "3", "4", "T", "1F"],
}


def mutants(x, key=""):
    """Yield every value that differs from this one in one place."""
    if isinstance(x, dict):
        for name, inner in x.items():
            if (key, name) == ("sacrifice", "controller"):
                continue  # a player sacrifices permanents of its own
            yield from ({**x, name: other} for other in mutants(inner, name))
        if key in ("filter", "of", "all", "affects", "count") and not {"instant", "sorcery"} & {
            *x.get("types_any", [])
        }:
            yield from ({**x, name: True} for name in ("tapped", "attacking", "token") if name not in x)
    elif isinstance(x, list):
        for i, inner in enumerate(x):
            yield from ([*x[:i], other, *x[i + 1 :]] for other in mutants(inner, key))
    elif isinstance(x, bool):
        yield not x
    elif isinstance(x, int):
        yield x + 1
    elif isinstance(x, str):
        yield from (word for word in WORDS.get(key, [*Keyword] if x in [*Keyword] else []) if word != x)


def test_every_change_of_a_card_changes_its_text():
    """Every part of an ability is in its text: numbers, keywords, targets, players, filters."""
    sets = [json.loads(file.read_text()) for file in (files(library.__package__) / "sets").iterdir()]
    same, tried = [], 0
    for row in (row for one in sets for row in one["cards"]):
        for abilities in mutants(deepcopy(row.get("abilities", []))):
            try:
                mutant = read_card({**row, "abilities": abilities}, "card")
            except BadCards:
                continue
            if mutant == with_fields(CARDS[row["id"]], text=row["text"]):
                continue  # `false` where nothing was said
            tried += 1
            if card_text(mutant, TOKENS) == row["text"]:
                same.append((row["name"], abilities))
    assert tried > 1000
    assert same == []
