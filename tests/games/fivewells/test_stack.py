"""Tests the stack, priority, windows and automatic passes."""

import pytest

from domain.card_sets.cards.abilities import TriggeredAbility
from domain.card_sets.cards.card_kinds import Controller, TargetKind, Trigger
from domain.card_sets.cards.effects import Destroy, Draw
from domain.card_sets.cards.filters import Itself, LifeAtMost, Party, Targeted, TargetRule
from domain.games.fivewells.events import (
    AbilityTriggered,
    SpellCountered,
    SpellFailed,
    SpellResolved,
    TriggerDropped,
    TriggersNoted,
)
from domain.games.fivewells.moves import Choose, DeclareAttackers, PassPriority, PlayLand, SetStops
from domain.games.fivewells.records import Targets
from domain.games.fivewells.turn_events import (
    BlockersDeclared,
    CombatDamageDealt,
    PriorityGiven,
    PriorityPassed,
    StepEntered,
    TurnStarted,
)
from tests.games.fivewells.table import PLAYER, Duel, refused, with_abilities


def standing(duel):
    return len(duel.state.stack), duel.state.priority, duel.state.passes


def test_casting_counts_as_a_pass_and_can_be_answered_by_a_counterspell():
    duel = Duel(hands=(["Elderbark Colossus"], ["Mirror Eddy"]), lands=("RRRRRR", "TTT"))
    assert standing(duel.cast(0, "Elderbark Colossus")) == (1, 1, 1)
    assert standing(duel.cast(1, "Mirror Eddy", a=duel.state.stack[0].item)) == (2, 0, 1)
    assert standing(duel.passes(0)) == (0, 0, 0)
    assert duel.told(SpellCountered)
    assert duel.told(SpellResolved)
    assert duel.in_graveyard(0) == ["Elderbark Colossus"]
    assert duel.in_graveyard(1) == ["Mirror Eddy"]


def test_spell_resolves_after_both_pass_and_returns_priority_to_the_active_player():
    duel = Duel(hands=(["Bramble Boar"], []), lands=("RR", "")).cast(0, "Bramble Boar").passes(1)
    assert duel.size("Bramble Boar") == (3, 2)
    assert standing(duel) == (0, 0, 0)


@pytest.mark.parametrize("card", ["Bramble Boar", "Five-Bead Charm", "Long Study"])
def test_non_instant_needs_the_main_step_and_an_empty_stack(card):
    duel = Duel(hands=([card, "Kindle Dart"], [card]), lands=("RRTTTF", "RRTTT"))
    assert refused(duel, 1, card) == "not_your_turn"
    duel.cast(0, "Kindle Dart", a=PLAYER[1])
    assert refused(duel, 1, card) == "wrong_timing"


def test_a_creature_with_ambush_is_cast_like_an_instant():
    duel = Duel(hands=(["Kindle Dart"], ["Squall Kite"]), lands=("F", "TTT")).cast(0, "Kindle Dart", a=PLAYER[1])
    assert standing(duel.cast(1, "Squall Kite")) == (2, 0, 1)


def test_one_land_can_be_played_per_turn_without_losing_priority():
    duel = Duel(hands=(["Sunfield", "Sunfield"], []))
    duel.play(0, PlayLand(duel.state.hands[0][0]))
    assert standing(duel) == (0, 0, 0)
    assert duel.refusal(0, PlayLand(duel.state.hands[0][0])) == "land_already_played"


def test_spell_does_nothing_if_its_only_target_has_left():
    duel = Duel(hands=(["Ice the Rigging"], ["Undertow Grasp"]), board=([], ["Bramble Boar"]), lands=("TTT", "T"))
    duel.cast(0, "Ice the Rigging", a=duel.of("Bramble Boar")).cast(1, "Undertow Grasp", a=duel.of("Bramble Boar"))
    hand = len(duel.state.hands[0])
    duel.passes(0, 0, 1)
    assert duel.told(SpellFailed)
    assert len(duel.state.hands[0]) == hand
    assert duel.in_graveyard(0) == ["Ice the Rigging"]


def test_spell_affects_its_remaining_legal_target():
    duel = Duel(
        hands=(["Twinned Sparks"], ["Undertow Grasp"]), board=([], ["Bramble Boar", "Fen Biter"]), lands=("FFF", "T")
    )
    duel.cast(0, "Twinned Sparks", a=(duel.of("Bramble Boar"), duel.of("Fen Biter")))
    duel.cast(1, "Undertow Grasp", a=duel.of("Bramble Boar")).passes(0, 0, 1)
    assert duel.in_graveyard(1) == ["Undertow Grasp", "Fen Biter"]


# --- Triggers ---------------------------------------------------------------------------------------


def test_cast_triggers_are_put_on_top_and_the_active_player_has_priority():
    """The trigger of the caster cancels that pass, and resolves before the spell (fivewells 9.10)."""
    duel = Duel(hands=(["Kindle Dart"], []), board=(["Spellwake Adept"], []), lands=("F", ""))
    duel.cast(0, "Kindle Dart", a=PLAYER[1])
    assert [one.spell for one in duel.state.stack] == [True, False]
    assert standing(duel) == (2, 0, 0)
    duel.passes(0, 1)
    assert duel.size("Spellwake Adept") == (3, 3)
    assert len(duel.state.stack) == 1


def test_the_active_players_triggers_go_first_and_each_players_by_handle():
    board = (["Hollow Squire", "Thaw Ghoul"], ["Clockwork Mule"])
    duel = Duel(hands=(["Level Ground"], []), board=board, lands=("SSSSS", "")).cast(0, "Level Ground").passes(1)
    put = [(event.seat, event.source) for event in duel.told(AbilityTriggered)]
    assert put == [(0, duel.of("Hollow Squire")), (0, duel.of("Thaw Ghoul")), (1, duel.of("Clockwork Mule"))]
    assert len(duel.state.stack) == 3


def test_active_players_triggers_go_first_regardless_of_handles():
    board = (["Hollow Squire"], ["Clockwork Mule"])
    duel = Duel(hands=([], ["Level Ground"]), board=board, lands=("", "SSSSS"), active=1, priority=1)
    duel.cast(1, "Level Ground").passes(0)
    assert [event.seat for event in duel.told(AbilityTriggered)] == [1, 0]


def test_trigger_with_several_possible_targets_prompts_its_controller():
    duel = Duel(board=(["Ballista Crew"], [])).passes(0)
    duel.play(0, DeclareAttackers((duel.of("Ballista Crew"),)))
    assert (duel.state.asked.seat, duel.state.asked.choice) == (0, "trigger_targets")
    duel.play(0, Choose("trigger_targets", Targets(a=(PLAYER[1],))))
    (put,) = duel.told(AbilityTriggered)
    assert put.targets.a == (PLAYER[1],)


def test_trigger_with_one_possible_target_needs_no_prompt():
    """There is no creature card in the graveyard, so there is nothing to choose (fivewells 9.21)."""
    duel = Duel(hands=(["Gravewater Piper"], []), lands=("GGGG", "")).cast(0, "Gravewater Piper").passes(1)
    assert duel.state.asked is None
    assert len(duel.told(AbilityTriggered)) == 1


def test_trigger_without_a_legal_target_is_dropped():
    rule = TargetRule("a", TargetKind.ARTIFACT, Controller.ANY, 1, 1)
    destroy = TriggeredAbility(Trigger.ENTERS, (Destroy(Targeted("a")),), Itself(), (rule,))
    duel = Duel(hands=(["Deepwater Reader"], []), lands=("TTT", ""))
    with with_abilities("Deepwater Reader", destroy):
        duel.cast(0, "Deepwater Reader").passes(1)
    assert duel.told(TriggerDropped)
    assert duel.state.stack == ()


def test_trigger_does_nothing_if_its_condition_no_longer_holds():
    """The condition is checked when the trigger happens, and again on resolution."""
    last = TriggeredAbility(Trigger.LIFE_GAINED, (Draw(Party.YOU, 1),), if_=LifeAtMost(Party.YOU, 10))
    duel = Duel(hands=(["Salt Tithe"], []), board=(["Hymnfed Zealot"], []), lands=("GGG", ""), life=(7, 20))
    with with_abilities("Hymnfed Zealot", last):
        duel.cast(0, "Salt Tithe", a=PLAYER[1]).passes(1)
        assert len(duel.told(AbilityTriggered)) == 1
        duel.state.life = (11, 17)
        hand = len(duel.state.hands[0])
        duel.passes(0, 1)
    assert len(duel.state.hands[0]) == hand


# --- Windows and stops ------------------------------------------------------------------------------


def test_windows_without_a_stop_are_passed_in_one_event():
    """No player stops at the second main step or at dusk, so the next turn begins, and its dawn is passed too."""
    duel = Duel(stops=((), ("own main1",)))
    duel.play(0, PassPriority())
    assert [type(event) for event in duel.events] == [PriorityPassed, TurnStarted]
    ended, begun = duel.begun()
    assert (ended.step, ended.passed) == ("cleanup", ("main2", "dusk"))
    assert (begun.step, begun.passed, begun.priority) == ("main1", ("dawn",), 1)


def test_unstopped_window_is_reported_with_the_next_step():
    stops = (("own main1", "own main2"), ("opponent attack",))
    duel = Duel(board=(["Bramble Boar"], []), stops=stops).passes(0)
    duel.play(0, DeclareAttackers((duel.of("Bramble Boar"),))).passes(1)
    (dealt,) = duel.told(CombatDamageDealt)
    assert (dealt.step, dealt.then.passed, dealt.then.step, dealt.then.priority) == ("damage", ("damage",), "main2", 0)


def test_step_with_a_trigger_is_reported_before_it():
    duel = Duel(board=([], ["Orrery of the Five Wells"]), stops=((), ("own main1",))).play(0, PassPriority())
    assert [type(event) for event in duel.events[1:4]] == [TurnStarted, StepEntered, TriggersNoted]
    assert duel.events[1].then is None
    assert duel.events[2].step == "dawn"


def test_opponent_stops_at_dusk_by_default_and_gets_priority_with_the_step():
    duel = Duel().passes(0, 0)
    entered = duel.begun()[-1]
    assert entered.step == "dusk"
    assert (entered.priority, entered.passes) == (1, 1)


def test_player_without_stops_is_asked_when_the_opponent_uses_the_stack():
    duel = Duel(hands=(["Kindle Dart"], []), lands=("F", ""), stops=(("own main1",), ()))
    assert standing(duel.cast(0, "Kindle Dart", a=PLAYER[1])) == (1, 1, 1)


def test_one_time_stop_is_used_up():
    duel = Duel(stops=(("own main1",), ("own main1",)))
    duel.play(1, SetStops(("own main1",), ("opponent main1",))).play(0, PassPriority())
    assert (duel.state.priority, duel.state.step, duel.state.once[1]) == (1, "main1", ("opponent main1",))
    duel.passes(1)
    assert duel.state.once[1] == ()


def test_pass_until_next_turn_ends_when_the_opponent_acts():
    duel = Duel(hands=(["Kindle Dart"], []), lands=("F", ""), step="dusk", stops=(("own dusk",), ("opponent dusk",)))
    duel.state.until_turn = (False, True)
    duel.cast(0, "Kindle Dart", a=PLAYER[1])
    assert (duel.state.priority, duel.state.until_turn) == (1, (False, False))


def test_pass_until_something_happens_skips_the_opponents_windows():
    duel = Duel(stops=(("own main1", "own dusk"), ("opponent dusk",)), priority=1, active=0, step="dusk")
    duel.play(1, PassPriority("something_on_stack"))
    assert duel.state.until_stack == (False, True)
    duel.passes(0)
    assert duel.state.turn > 3


def test_stops_are_set_at_most_twenty_times_a_turn_and_change_nothing_else():
    """See (fivewells 9.11)."""
    duel = Duel()
    for _ in range(20):
        duel.play(1, SetStops(("own main1",)))
    assert standing(duel) == (0, 0, 0)
    assert duel.refusal(1, SetStops(())) == "wrong_timing"


def test_stops_are_stored_in_turn_order():
    """The order has no meaning, so a record with another order cannot be a valid one."""
    named, kept = ("opponent dusk", "own main2", "own main1"), ("own main1", "own main2", "opponent dusk")
    duel = Duel()
    duel.play(1, SetStops(named, named[:2]))
    assert (duel.state.stops[1], duel.state.once[1]) == (kept, ("own main2", "opponent dusk"))


def test_removed_stop_keeps_the_current_priority():
    duel = Duel()
    duel.play(0, SetStops(()))
    assert (duel.state.step, duel.state.priority) == ("main1", 0)
    duel.passes(0)
    assert duel.state.priority == 1


def test_forced_declaration_needs_no_prompt():
    """The opponent has no creature, so no player is asked for blocks (fivewells 9.7)."""
    duel = Duel(board=(["Bramble Boar"], [])).passes(0)
    duel.play(0, DeclareAttackers((duel.of("Bramble Boar"),))).passes(1)
    (declared,) = duel.told(BlockersDeclared)
    assert declared.forced
    assert duel.state.step == "block"


def test_without_possible_attackers_there_is_no_attack_step():
    assert Duel(board=(["Tin Lookout"], [])).passes(0).state.step == "main2"


def test_attack_without_creatures_leads_to_the_second_main_step():
    duel = Duel(board=(["Bramble Boar"], [])).passes(0).play(0, DeclareAttackers(()))
    assert (duel.state.step, duel.state.priority) == ("main2", 0)
    assert not duel.told(PriorityGiven)
