"""Tests that stops and passes decide who is asked, and never the outcome (fivewells 3.4)."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from domain.card_sets.cards.library import CARDS
from domain.core.game import CHANCE
from domain.games.fivewells.characteristics import PRINTED
from domain.games.fivewells.combat import possible_attackers
from domain.games.fivewells.moves import DeclareAttackers, DeclareBlockers, OrderBlockers, PassPriority, SetStops
from domain.games.fivewells.records import Blocks
from domain.games.fivewells.turn_events import CombatDamageDealt, TurnStarted
from domain.games.fivewells.waiting import ALL_STOPS, ask, default, legal, to_act
from tests.draws import draws
from tests.games.fivewells.table import Duel

STEPS = ("main1", "attack", "block", "first_damage", "damage", "main2", "dusk")
EACH = [tuple(f"own {step}" for step in row if step) for row in product(*[("", step) for step in STEPS])]
"""All sets of stops in a player's own turn."""

NOTED = (
    ["Brannoc, Archforger", "Stairguard Captain", "Ballista Crew", "Plague Matron", "Heartforge Engine", "Barrow King"],
    ["Bark Bulwark", "Thaw Ghoul", "Clockwork Mule", "Plague Matron", "Hymnfed Zealot"],
)
"""Return a board whose abilities trigger in every step."""
PERMANENTS = [card.name for card in CARDS.values() if PRINTED[card.id].permanent and not PRINTED[card.id].land]


def outcome(seed, stops, passes=None, *, idle=False, **given):
    """Play four turns in which seats attack and block by the seed and otherwise pass; return the final state.

    With `idle`, a seat without options passes automatically.
    """
    duel = Duel(stops=stops, **given)
    duel.state.rules = replace(duel.state.rules, max_turns=duel.state.turn + 3, passes_without_action=idle)
    dealt = []
    while actors := to_act(duel.state):
        duel.play(actors[0], decision(duel.state, actors[0], seed, passes))
        for event in duel.told((TurnStarted, CombatDamageDealt)):
            dealt = [*dealt, event.step] if isinstance(event, CombatDamageDealt) else []
            assert len(dealt) == len(set(dealt)), "damage is dealt twice in a step"
    s = duel.state
    return s.life, s.permanents, s.hands, s.libraries, s.graveyards, s.ended


def decision(s, seat, seed, passes):
    """Choose the move of a seat or of chance, by only the turn and the question."""
    if seat == CHANCE:
        return ask(s).sample(Random(f"{seed}/{ask(s).purpose}/{ask(s).n}"))
    if s.asked or s.unordered:
        return default(s, seat)
    rng = Random(f"{seed}/{s.turn}/{s.step}")
    if s.step == "attack" and not s.declared:
        return DeclareAttackers(tuple(one for one in possible_attackers(s, seat) if rng.random() < 0.7))
    if s.step == "block" and not s.declared:
        return legal(s, seat)[0].sample(rng)
    return PassPriority(passes and passes.choice((None, None, None, "next_turn", "something_on_stack")))


@pytest.mark.parametrize("seed", range(2))
def test_stops_never_change_the_outcome(seed):
    """The active seat stops in any of its windows, and the other seat in none."""
    given = {"board": NOTED, "libraries": (["Sunfield"] * 9, ["Fen Biter"] * 9)}
    expected = outcome(seed, (ALL_STOPS, ALL_STOPS), **given)
    for stops in EACH:
        assert outcome(seed, (stops, ()), **given) == expected, stops


@pytest.mark.parametrize("seed", range(draws(30)))
def test_stops_and_passes_of_both_seats_never_change_the_outcome(seed):
    rng = Random(seed)
    board = [[rng.choice(PERMANENTS) for _ in range(rng.randint(1, 7))] for _ in (0, 1)]
    libraries = [[rng.choice(PERMANENTS) for _ in range(rng.randint(1, 12))] for _ in (0, 1)]
    given = {"board": board, "libraries": libraries, "life": (rng.choice((5, 11, 20)), rng.choice((5, 11, 20)))}
    expected = outcome(seed, (ALL_STOPS, ALL_STOPS), **given)
    for often, idle in ((0, False), (0.1, False), (0.4, False), (0.4, True)):
        stops = tuple([tuple(one for one in ALL_STOPS if rng.random() < often) for _ in (0, 1)])
        assert outcome(seed, stops, rng, idle=idle, **given) == expected, stops


# --- Ordering blockers --------------------------------------------------------------------------------------


def to_be_ordered(until=None, **fields):
    """Seat 0 attacks and passes its window until something happens, two creatures block, and seat 0 is to order
    them."""
    stops = (("own main1", "own attack"), ("opponent attack",))
    duel = Duel(board=(["Old Grovehorn"], ["Fen Biter", "Tidewall Crab"]), **{"stops": stops} | fields).passes(0)
    horn, biter, crab = map(duel.of, ("Old Grovehorn", "Fen Biter", "Tidewall Crab"))
    duel.play(0, DeclareAttackers((horn,))).play(0, PassPriority(until)).passes(1)
    duel.play(1, DeclareBlockers((Blocks(biter, horn), Blocks(crab, horn))))
    assert duel.state.unordered == (horn,)
    return duel, OrderBlockers(horn, (crab, biter))


@pytest.mark.parametrize("until", ["next_turn", "something_on_stack"])
def test_lasting_pass_ends_when_its_player_must_order_blockers(until):
    stops = (("own main1", "own attack", "own block"), ("opponent attack",))
    duel, order = to_be_ordered(until, stops=stops)
    duel.play(0, order)
    assert (duel.state.step, to_act(duel.state)) == ("block", (0,))


@pytest.mark.parametrize("seat", [0, 1])
def test_stop_set_while_blockers_are_ordered_applies_to_that_window(seat):
    duel, order = to_be_ordered()
    whose = "own block" if seat == 0 else "opponent block"
    duel.play(seat, SetStops((), (whose,))).play(0, order)
    assert (duel.state.step, to_act(duel.state)) == ("block", (seat,))


def test_stop_removed_while_blockers_are_ordered_has_no_effect_in_that_window():
    stops = (("own main1", "own attack", "own block"), ("opponent attack",))
    duel, order = to_be_ordered(stops=stops)
    duel.play(0, SetStops(("own main2",))).play(0, order)
    assert duel.state.step == "main2"


def test_window_opens_after_the_blockers_are_ordered_if_blocking_triggered_abilities():
    """The trigger of the other seat is on the stack, so the active seat is asked."""
    duel = Duel(board=(["Old Grovehorn"], ["Bark Bulwark", "Tidewall Crab"]), stops=(("own main1",), ())).passes(0)
    horn, wall, crab = map(duel.of, ("Old Grovehorn", "Bark Bulwark", "Tidewall Crab"))
    duel.play(0, DeclareAttackers((horn,))).play(1, DeclareBlockers((Blocks(wall, horn), Blocks(crab, horn))))
    duel.play(0, SetStops(("own main1",))).play(0, OrderBlockers(horn, (wall, crab)))
    assert (len(duel.state.stack), to_act(duel.state)) == (1, (0,))
    duel.passes(0)
    assert duel.state.life[1] == 21
