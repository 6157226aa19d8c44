"""Tests that seats without options pass automatically, if the table allows it (fivewells 3.4)."""

from dataclasses import replace
from random import Random

import pytest

from domain.core.game import CHANCE
from domain.games.fivewells.legal import has_action
from domain.games.fivewells.moves import DeclareAttackers, PlayLand
from domain.games.fivewells.options import Options
from domain.games.fivewells.turns import WINDOWS
from domain.games.fivewells.waiting import to_act
from tests.games.fivewells.examples import PLAIN
from tests.games.fivewells.law import ENTRIES
from tests.games.fivewells.table import Duel
from tests.laws import test_laws as laws
from tests.laws.play import steps

(ENTRY,) = ENTRIES
OPTIONS = Options(auto_pass_when_no_action=True, max_turns=6)
JAVELIN, DART = "Terrace Javelin", "Kindle Dart"
"""Two instants: one for two mana at a creature in combat, and one for a Forge mana at anything."""


def table(passing=True, **given):
    duel = Duel(**given)
    duel.state.rules = replace(duel.state.rules, passes_without_action=passing)
    return duel


def where(duel):
    return to_act(duel.state), duel.state.step, duel.state.turn


def test_player_without_further_options_passes_automatically():
    given = {"hands": (["Sunfield"], ["Sunfield"]), "board": ([PLAIN], [])}
    assert where(table(passing=False, **given).play(0, PlayLand(1))) == ((0,), "main1", 3)
    assert where(table(**given).play(0, PlayLand(1))) == ((0,), "attack", 3)


@pytest.mark.parametrize(("lands", "asked"), [("SS", ((1,), "attack", 3)), ("S", ((1,), "main1", 4))])
def test_player_who_can_answer_an_attack_is_asked(lands, asked):
    """The spell targets an attacking creature. A player who cannot pay for it is asked only after drawing a land."""
    duel = table(hands=([], [JAVELIN]), board=([PLAIN], []), lands=("", lands)).passes(0)
    assert where(duel.play(0, DeclareAttackers((duel.of(PLAIN),)))) == asked


def test_only_a_player_who_can_answer_a_spell_is_asked():
    for lands, asked in (("F", (1,)), ("S", (0,))):
        duel = table(hands=([PLAIN, PLAIN], [DART]), lands=("SSSS", lands))
        assert to_act(duel.cast(0, PLAIN).state) == asked


@pytest.mark.parametrize("seed", range(2))
def test_player_who_can_only_pass_is_not_asked(seed):
    windows = 0
    for step in steps(ENTRY, OPTIONS, Random(seed), 1):
        s = step.after
        asked = [seat for seat in to_act(s) if seat != CHANCE]
        declaring = s.unordered or (s.step in ("attack", "block") and not s.declared)
        if s.step in WINDOWS and asked == [s.priority] and not s.asked and not declaring:
            windows += 1
            assert has_action(s, s.priority)
    assert windows


@pytest.mark.parametrize(
    "law",
    [
        laws.test_state_follows_from_the_log,
        laws.test_offered_moves_are_exactly_the_accepted_ones,
    ],
    ids=lambda law: law.__name__,
)
def test_games_with_automatic_passes_obey_the_laws(law):
    law.holds(ENTRY, steps(ENTRY, OPTIONS, Random(3), 1), Random(4))
