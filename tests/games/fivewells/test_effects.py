"""Tests effects, and objects that change zones."""

import pytest

from domain.card_sets.cards.card_kinds import Keyword
from domain.core.game import CHANCE
from domain.core.visibility import view_event
from domain.games.fivewells.events import (
    AbilityTriggered,
    CardsDiscarded,
    ChoiceRequested,
    DamageDealt,
    EffectDone,
    LibrarySearched,
    LifeChanged,
    PermanentsLeft,
    Scouted,
    SpellCountered,
)
from domain.games.fivewells.moves import (
    ActivateAbility,
    Arranged,
    Choose,
    DeclareAttackers,
    DiscardAtRandom,
    PassPriority,
    ShuffleLibrary,
)
from domain.games.fivewells.records import Targets
from domain.games.fivewells.waiting import ask, to_act
from tests.games.fivewells.table import PLAYER, Duel, refused


@pytest.mark.parametrize("value", [None, True, 0.0, (), Arranged((), ()), Targets()])
def test_answer_of_the_wrong_kind_is_malformed(value):
    duel = Duel(hands=(["Meadow Chaplain"], []), lands=("SR", "")).cast(0, "Meadow Chaplain").passes(1).resolve()
    assert duel.state.asked.choice == "mode"
    assert duel.refusal(0, Choose("mode", value)) == "bad_arguments"


def test_sorcery_applies_its_effects_in_order_and_goes_to_the_graveyard():
    duel = Duel(hands=(["Salt Tithe"], []), lands=("GGG", "")).cast(0, "Salt Tithe", a=PLAYER[1]).passes(1)
    assert duel.state.life == (23, 17)
    assert [event.seat for event in duel.told(LifeChanged)] == [1, 0]
    assert duel.in_graveyard(0) == ["Salt Tithe"]


# --- Static abilities -------------------------------------------------------------------------------


@pytest.mark.parametrize(("life", "size", "steadfast"), [(11, (2, 3), False), (10, (3, 4), True)])
def test_static_ability_can_depend_on_life(life, size, steadfast):
    duel = Duel(board=(["Gatehouse Veteran"], []), life=(life, 20))
    assert duel.size("Gatehouse Veteran") == size
    assert (Keyword.STEADFAST in duel.thing("Gatehouse Veteran").keywords) == steadfast


def test_static_abilities_add_up_and_exclude_their_source():
    duel = Duel(board=(["Bastion Unbroken", "Resonant Bell", "Bramble Boar", "militia"], ["Fen Biter"]))
    assert duel.size("Bastion Unbroken") == (3, 6)
    assert duel.size("Bramble Boar") == (5, 3)
    assert duel.size("militia") == (3, 2)
    assert duel.size("Fen Biter") == (1, 1)


def test_a_creature_dies_with_the_static_ability_that_kept_it_alive():
    board = (["Bastion Unbroken", ("Bramble Boar", {"damage": 2})], [])
    duel = Duel(hands=([], ["Final Toll"]), board=board, lands=("", "GGGG"), priority=1)
    duel.cast(1, "Final Toll", a=duel.of("Bastion Unbroken")).passes(0)
    assert set(duel.in_graveyard(0)) == {"Bastion Unbroken", "Bramble Boar"}


# --- Targets ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seat", "code"), [(0, None), (1, "illegal_target")])
def test_opponent_cannot_target_warded_creatures(seat, code):
    hands = (["Final Toll"], []) if seat == 0 else ([], ["Final Toll"])
    duel = Duel(hands=hands, board=(["Glasswork Golem"], []), lands=("GGGG", "GGGG"), priority=seat)
    assert refused(duel, seat, "Final Toll", a=duel.of("Glasswork Golem")) == code


def test_effects_on_all_affect_warded_permanents():
    """See (fivewells 9.19)."""
    duel = Duel(hands=(["Level Ground"], []), board=([], ["Glasswork Golem"]), lands=("SSSSS", ""))
    assert duel.cast(0, "Level Ground").passes(1).in_graveyard(1) == ["Glasswork Golem"]


@pytest.mark.parametrize(
    ("targets", "code"),
    [
        ((), "wrong_target_count"),
        ((PLAYER[0], PLAYER[1]), None),
        ((PLAYER[0], PLAYER[0]), "bad_arguments"),
        ((PLAYER[0], PLAYER[1], 99), "illegal_target"),
    ],
)
def test_targets_must_be_distinct_and_match_the_required_number(targets, code):
    duel = Duel(hands=(["Twinned Sparks"], []), lands=("FFF", ""))
    assert refused(duel, 0, "Twinned Sparks", a=targets) == code


def test_a_target_must_pass_the_filter_of_the_card():
    board = ([], ["Bramble Boar", ("Fen Biter", {"tapped": True})])
    duel = Duel(hands=(["Judged at Daybreak"], []), board=board, lands=("SSS", ""))
    assert refused(duel, 0, "Judged at Daybreak", a=duel.of("Bramble Boar")) == "illegal_target"
    assert refused(duel, 0, "Judged at Daybreak", a=duel.of("Fen Biter")) is None


# --- Damage, death and what triggers then -----------------------------------------------------------


def test_game_is_drawn_if_both_players_reach_zero_life_in_one_check():
    duel = Duel(hands=(["Twinned Sparks"], []), lands=("FFF", ""), life=(2, 2))
    duel.cast(0, "Twinned Sparks", a=(PLAYER[0], PLAYER[1])).passes(1)
    assert (duel.state.ended.winners, duel.state.ended.reason) == ((), "life")


def test_creatures_that_die_together_see_each_other_die():
    board = (["Barrow King", "Bramble Boar", "Fen Biter"], ["Bramble Boar"])
    duel = Duel(hands=(["Level Ground"], []), board=board, lands=("SSSSS", "")).cast(0, "Level Ground").passes(1)
    while duel.state.stack:
        duel.resolve()
    assert duel.state.life == (22, 18)


def test_check_ends_when_a_player_loses():
    """The squire dies in the same check, and its trigger does not happen (fivewells 9.8)."""
    duel = Duel(hands=(["Ballista Crew"], []), board=([("Hollow Squire", {"damage": 2})], []), life=(20, 0))
    duel.play(0, PassPriority())
    assert (duel.state.ended.winners, duel.told(PermanentsLeft)) == ((0,), [])


def test_token_triggers_death_abilities_and_ceases_to_exist():
    """See (fivewells 9.13)."""
    duel = Duel(hands=(["Kindle Dart"], []), board=(["Barrow King", "wolf"], []), lands=("F", ""))
    duel.cast(0, "Kindle Dart", a=duel.of("wolf")).passes(1)
    assert len(duel.told(AbilityTriggered)) == 1
    assert duel.in_graveyard(0) == ["Kindle Dart"]
    assert duel.thing("wolf") is None


def test_death_trigger_of_a_sacrifice_cost_goes_above_the_ability():
    """See (fivewells 9.13)."""
    duel = Duel(board=(["Marrow Broker", "Thaw Ghoul"], []), lands=("G", ""))
    duel.activate(0, "Marrow Broker", sacrifice=(duel.of("Thaw Ghoul"),))
    assert [one.source for one in duel.state.stack] == [duel.of("Marrow Broker"), duel.of("Thaw Ghoul")]
    assert (duel.state.priority, duel.state.passes) == (0, 0)


def test_ability_uses_the_last_state_of_a_removed_source():
    """The leech of a sacrificed source still gives life (fivewells 9.15)."""
    kobold = ("Powder Kobold", {"keywords": (Keyword.LEECH,)})
    duel = Duel(board=([kobold], []))
    duel.activate(0, "Powder Kobold", a=PLAYER[1]).passes(1)
    assert duel.state.life == (21, 19)


def test_token_belongs_to_its_creator():
    """See (fivewells 9.14)."""
    duel = Duel(hands=(["Call the Terraces"], []), lands=("SSSS", "")).cast(0, "Call the Terraces").passes(1)
    tokens = [p for p in duel.state.permanents if p.token]
    assert [(p.owner, p.controller, p.new) for p in tokens] == [(0, 0, True)] * 3
    assert len({p.object for p in tokens}) == 3


def test_a_token_that_returns_to_a_hand_vanishes():
    duel = Duel(hands=(["Undertow Grasp"], []), board=([], ["wolf"]), lands=("T", ""))
    duel.cast(0, "Undertow Grasp", a=duel.of("wolf")).passes(1)
    (left,) = duel.told(PermanentsLeft)
    assert (left.reason, left.cards, duel.state.hands[1]) == ("vanished", (), ())


def test_permanent_goes_to_its_owners_zones():
    """See (fivewells 9.16)."""
    duel = Duel(
        hands=(["Rise Unburied", "Undertow Grasp"], []), graveyards=([], ["Bramble Boar"]), lands=("GGGGGT", "")
    )
    duel.cast(0, "Rise Unburied", a=duel.of("Bramble Boar")).passes(1)
    assert duel.thing("Bramble Boar").controller == 0
    duel.cast(0, "Undertow Grasp", a=duel.of("Bramble Boar")).passes(1)
    assert duel.state.hands[1] == (duel.of("Bramble Boar"),)


def test_fight_needs_both_creatures_and_damage_is_simultaneous():
    duel = Duel(hands=(["Test of Tusks"], []), board=(["Bramble Boar"], ["Tidewall Crab"]), lands=("RR", ""))
    duel.cast(0, "Test of Tusks", a=duel.of("Bramble Boar"), b=duel.of("Tidewall Crab")).passes(1)
    assert [[row.amount for row in dealt.rows] for dealt in duel.told(DamageDealt)] == [[3], [2]]
    assert duel.in_graveyard(0) == ["Test of Tusks", "Bramble Boar"]


def test_fight_with_a_removed_creature_does_nothing():
    duel = Duel(
        hands=(["Test of Tusks"], ["Undertow Grasp"]), board=(["Bramble Boar"], ["Tidewall Crab"]), lands=("RR", "T")
    )
    duel.cast(0, "Test of Tusks", a=duel.of("Bramble Boar"), b=duel.of("Tidewall Crab"))
    duel.cast(1, "Undertow Grasp", a=duel.of("Tidewall Crab")).passes(0, 0, 1)
    assert not duel.told(DamageDealt)


def test_effects_of_zero_do_nothing():
    """A fight of creatures without power deals no damage, and neither does a count of zero (fivewells 9.18)."""
    duel = Duel(hands=(["Test of Tusks"], []), board=(["Bark Bulwark"], ["Mothertree Seedling"]), lands=("RR", ""))
    duel.cast(0, "Test of Tusks", a=duel.of("Bark Bulwark"), b=duel.of("Mothertree Seedling")).passes(1)
    assert not duel.told(DamageDealt)


# --- Taps, freezes, pumps and counters --------------------------------------------------------------


def test_a_frozen_creature_stays_tapped_through_one_untap_step():
    frozen = ("Bramble Boar", {"tapped": True, "frozen": True})
    duel = Duel(board=([], [frozen]), stops=(("own main1",), ("own main1",)))
    after = duel.passes(0).thing("Bramble Boar").permanent
    assert (after.tapped, after.frozen) == (True, False)
    assert not duel.passes(1, 0).thing("Bramble Boar").permanent.tapped


def test_an_untapped_frozen_creature_loses_the_mark_too():
    """See (fivewells 9.17)."""
    duel = Duel(board=([], [("Bramble Boar", {"frozen": True})]), stops=(("own main1",), ("own main1",))).passes(0)
    assert not duel.thing("Bramble Boar").permanent.frozen


def test_pumps_and_damage_end_with_the_turn_but_counters_stay():
    boar = ("Bramble Boar", {"power": 3, "toughness": 3, "damage": 4, "counters": 1, "keywords": (Keyword.FLYING,)})
    duel = Duel(board=([], [boar]), stops=(("own main1",), ("own main1",)))
    assert duel.size("Bramble Boar") == (7, 6)
    duel.passes(0)
    assert duel.size("Bramble Boar") == (4, 3)
    assert duel.thing("Bramble Boar").permanent.damage == 0


def test_damage_and_pumps_end_together_before_one_check():
    """A creature kept alive by a pump does not die from the damage of that turn (fivewells 9.8)."""
    boar = ("Bramble Boar", {"toughness": 3, "damage": 4})
    duel = Duel(board=([], [boar]), stops=(("own main1",), ("own main1",))).passes(0)
    assert duel.size("Bramble Boar") == (3, 2)


@pytest.mark.parametrize(("new", "code"), [(True, "new_creature"), (False, None)])
def test_new_creature_cannot_use_tap_abilities(new, code):
    duel = Duel(board=([("Bombard Crew", {"new": new})], []))
    move = ActivateAbility(duel.of("Bombard Crew"), 0, Targets(a=(PLAYER[1],)))
    assert duel.refusal(0, move) == code


def test_artifact_that_is_not_a_creature_is_never_new():
    duel = Duel(board=([("Trail Rations", {"new": True})], []), lands=("SS", ""))
    assert duel.activate(0, "Trail Rations").passes(1).state.life == (23, 20)


# --- Choices while something resolves ---------------------------------------------------------------


def test_resolution_continues_after_the_player_chose_discards():
    hands = (["Pry Loose"], ["Fen Biter", "Bramble Boar", "Sunfield"])
    duel = Duel(hands=hands, lands=("GGG", "")).cast(0, "Pry Loose", a=PLAYER[1]).passes(1)
    assert duel.told(EffectDone)
    assert (duel.state.asked.seat, duel.state.asked.most, to_act(duel.state)) == (1, 2, (1,))
    value = (duel.of("Fen Biter"), duel.of("Bramble Boar"))
    assert duel.refusal(1, Choose("discard", (duel.of("Fen Biter"),))) == "bad_choice"
    assert duel.refusal(1, Choose("discard", (duel.of("Fen Biter"), 99))) == "card_not_in_hand"
    duel.play(1, Choose("discard", value))
    assert duel.in_graveyard(1) == ["Fen Biter", "Bramble Boar"]
    assert duel.state.stack == ()


def test_player_with_too_few_cards_discards_all_without_a_choice():
    duel = Duel(hands=(["Pry Loose"], ["Fen Biter"]), lands=("GGG", "")).cast(0, "Pry Loose", a=PLAYER[1]).passes(1)
    (discarded,) = duel.told(CardsDiscarded)
    assert discarded.why == "all"
    assert duel.state.asked is None


def test_random_discard_is_answered_by_chance():
    hands = ([], ["Fen Biter", "Bramble Boar"])
    duel = Duel(hands=hands, board=(["Debt Collector"], []), stops=(("own main1", "own main2"), ())).passes(0)
    duel.play(0, DeclareAttackers((duel.of("Debt Collector"),)))
    duel.resolve()
    assert to_act(duel.state) == (CHANCE,)
    assert (ask(duel.state).purpose, ask(duel.state).bound, ask(duel.state).n) == ("random", 2, 0)
    duel.play(CHANCE, DiscardAtRandom(1))
    assert duel.in_graveyard(1) == ["Bramble Boar"]
    assert duel.state.lots == 1


def test_scouted_cards_are_shown_only_to_the_seat():
    libraries = (["Fen Biter", "Bramble Boar", "Sunfield"], ["Sunfield"])
    duel = Duel(hands=(["Brinewing Gull"], []), libraries=libraries, lands=("TT", ""))
    duel.cast(0, "Brinewing Gull").passes(1).resolve()
    (asked,) = duel.told(ChoiceRequested)
    assert [face.object for face in asked.cards] == [duel.of("Fen Biter")]
    assert view_event(asked, 1).cards is None
    duel.play(0, Choose("scout", Arranged((duel.of("Fen Biter"),), ())))
    (scouted,) = duel.told(Scouted)
    assert (scouted.count, scouted.to_bottom, view_event(scouted, 1).bottom) == (1, 1, None)
    assert duel.state.libraries[0] == (duel.of("Bramble Boar"), duel.of("Sunfield"), duel.of("Fen Biter"))


def test_search_asks_even_a_player_without_a_land_to_find():
    duel = Duel(hands=(["Seedcaller Druid"], []), libraries=(["Fen Biter"], []), lands=("RRR", ""))
    duel.cast(0, "Seedcaller Druid").passes(1).resolve()
    assert duel.state.asked.cards == ()
    duel.play(0, Choose("search", ()))
    assert duel.told(LibrarySearched)
    assert (ask(duel.state).purpose, ask(duel.state).n) == ("search.0", 0)


def test_found_land_is_revealed_and_the_library_is_shuffled():
    duel = Duel(hands=(["Seedcaller Druid"], []), libraries=(["Fen Biter", "Sunfield"], []), lands=("RRR", ""))
    duel.cast(0, "Seedcaller Druid").passes(1).resolve()
    duel.play(0, Choose("search", (duel.of("Sunfield"),)))
    assert duel.thing("Sunfield").permanent.tapped
    duel.play(CHANCE, ShuffleLibrary((duel.of("Fen Biter"),)))
    assert (duel.state.stack, duel.state.priority, duel.state.searches) == ((), 0, (1, 0))


def test_player_chooses_the_sacrifice():
    board = ([], ["Fen Biter", "Bramble Boar"])
    duel = Duel(hands=(["Night's Levy"], []), board=board, lands=("GG", "")).cast(0, "Night's Levy", a=PLAYER[1])
    duel.passes(1)
    assert duel.refusal(1, Choose("sacrifice", (99,))) == "bad_choice"
    duel.play(1, Choose("sacrifice", (duel.of("Bramble Boar"),)))
    (left,) = duel.told(PermanentsLeft)
    assert (left.reason, duel.in_graveyard(1)) == ("sacrificed", ["Bramble Boar"])


@pytest.mark.parametrize(("yes", "milled"), [(True, 2), (False, 0)])
def test_optional_effect_asks_on_resolution(yes, milled):
    libraries = (["Sunfield"] * 3, ["Sunfield"] * 3)
    duel = Duel(hands=(["Carrion Moth"], []), libraries=libraries, lands=("GGGG", ""))
    duel.cast(0, "Carrion Moth").passes(1).resolve()
    duel.play(0, Choose("may", yes))
    assert [len(pile) for pile in duel.state.graveyards] == [milled, milled]


@pytest.mark.parametrize(("number", "life", "size"), [(0, 23, (2, 2)), (1, 20, (3, 3))])
def test_mode_is_chosen_on_resolution(number, life, size):
    duel = Duel(hands=(["Meadow Chaplain"], []), lands=("SR", "")).cast(0, "Meadow Chaplain").passes(1).resolve()
    assert duel.refusal(0, Choose("mode", 2)) == "bad_choice"
    duel.play(0, Choose("mode", number))
    assert (duel.state.life[0], duel.size("Meadow Chaplain")) == (life, size)


@pytest.mark.parametrize(
    ("lands", "yes", "countered"), [("FFFF", True, False), ("FFFF", False, True), ("F", None, True)]
)
def test_a_spell_is_countered_unless_its_controller_pays(lands, yes, countered):
    duel = Duel(hands=(["Kindle Dart"], ["Gainsay the Wave"]), lands=(lands, "TT"))
    duel.cast(0, "Kindle Dart", a=PLAYER[1]).cast(1, "Gainsay the Wave", a=duel.state.stack[0].item)
    told = duel.passes(0).events
    if yes is not None:
        told = duel.play(0, Choose("pay_or_not", yes)).events
    assert any(isinstance(event, SpellCountered) for event in told) == countered
    assert sum(p.tapped for p in duel.state.permanents if p.controller == 0) == 1 + 3 * bool(yes)


def test_effect_applies_to_the_last_controller_of_a_target_that_left():
    duel = Duel(hands=(["Drag Under"], []), board=([], ["Bramble Boar"]), lands=("TTT", ""))
    duel.cast(0, "Drag Under", a=duel.of("Bramble Boar")).passes(1)
    assert duel.in_graveyard(1) == ["Sunfield", "Sunfield"]


def test_condition_is_checked_when_its_effect_is_reached():
    for life, drawn in ((9, 0), (8, 1)):
        duel = Duel(hands=(["Sudden Dawn"], []), board=(["Bramble Boar"], []), lands=("SS", ""), life=(life, 20))
        duel.cast(0, "Sudden Dawn", a=duel.of("Bramble Boar")).passes(1)
        assert (duel.state.life[0], len(duel.state.hands[0])) == (life + 2, drawn)
