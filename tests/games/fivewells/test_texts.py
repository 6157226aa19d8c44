"""Tests that event texts use the names of objects and never their handles."""

import re
from random import Random

import pytest

from domain.core.visibility import view_event
from domain.games.fivewells import GAME
from domain.games.fivewells.events import SpellCast
from domain.games.fivewells.evolve import evolve
from domain.games.fivewells.moves import DeclareAttackers, DeclareBlockers
from domain.games.fivewells.records import Blocks
from domain.games.fivewells.turn_events import AttackersDeclared, BlockersDeclared, CombatDamageDealt
from tests.draws import draws
from tests.games.fivewells.examples import PLAIN, before_combat
from tests.games.fivewells.table import Duel
from tests.games.fivewells.test_random_duels import moments

HANDLE = re.compile(r"\b[os][0-9]+\b|\?\?|[\x00-\x1f]")


def told(duel, kind):
    """Return the text of the last event of this type, for a reader who sees everything."""
    return GAME.words.text_at([event for event in duel.events if isinstance(event, kind)][-1], duel.state)


def test_two_cards_of_one_name_are_numbered_as_drawn():
    duel = before_combat([PLAIN, PLAIN], [PLAIN])
    first, second = duel.state.ids[:2]
    duel.play(0, DeclareAttackers((first, second)))
    assert told(duel, AttackersDeclared).startswith(f"Seat 0 attacked with {PLAIN} and {PLAIN} (2nd)")
    duel.play(1, DeclareBlockers((Blocks(duel.of(PLAIN, 2), second),)))
    assert told(duel, BlockersDeclared) == f"Seat 1 chose blocks: {PLAIN} blocked {PLAIN} (2nd)."
    hurt = told(duel, CombatDamageDealt)
    assert f"{PLAIN} (2nd) of seat 0 dealt" in hurt
    assert f"damage to {PLAIN} of seat 1" in hurt


def test_spell_names_its_targets_and_payment_even_after_they_are_gone():
    duel = Duel(hands=(["Kindle Dart"], []), board=([], [PLAIN]), lands=("FF", ""))
    duel.cast(0, "Kindle Dart", a=duel.of(PLAIN))
    cast = next(event for event in duel.events if isinstance(event, SpellCast))
    line = f"Seat 0 cast Kindle Dart at {PLAIN} of seat 1, tapping Forgehill."
    assert GAME.words.text_at(cast, duel.state) == line
    assert GAME.words.text_at(cast, duel.resolve().state) == line
    assert GAME.words.text(cast) == "Seat 0 cast Kindle Dart at a card, tapping a card."


@pytest.mark.parametrize("seed", range(3))
def test_texts_use_names_instead_of_handles(seed):
    unnamed = []
    for moment in moments(Random(seed)):
        for reader, own in moment.own.items():
            for event in moment.events:
                shown = view_event(event, reader)
                evolve(own, shown)
                line = GAME.words.text_at(shown, own)
                assert not HANDLE.search(line), line
                unnamed += [line] * ("an object on the stack" in line)
                assert not HANDLE.search(GAME.words.text(shown))
    assert unnamed == []


@pytest.mark.parametrize("seed", range(draws(4)))
def test_later_events_do_not_change_earlier_texts(seed):
    first, own = [], {}
    for moment in moments(Random(seed)):
        own = moment.own
        for event in moment.events:
            for reader, state in own.items():
                shown = view_event(event, reader)
                evolve(state, shown)
                first.append((reader, shown, GAME.words.text_at(shown, state)))
    last = [(reader, shown, GAME.words.text_at(shown, own[reader])) for reader, shown, _ in first]
    assert last == first
