"""Stops and passes say who is asked, and never change what happens (fivewells 3.4)."""

from itertools import product
from random import Random

import pytest

from domain.core.game import CHANCE
from domain.games.fivewells.defaults import default
from domain.games.fivewells.events import CombatDamageDealt
from domain.games.fivewells.moves import DeclareAttackers, DeclareBlockers, OrderBlockers, PassPriority, SetStops
from domain.games.fivewells.records import Blocks
from domain.games.fivewells.waiting import ALL_STOPS, ask, to_act
from tests.draws import draws
from tests.games.fivewells.table import IDS, Duel

STEPS = ("main1", "attack", "block", "first_damage", "damage", "main2", "dusk")
EACH = [tuple(f"own {step}" for step in row if step) for row in product(*[("", step) for step in STEPS])]
"""Every choice of stops in one's own turn."""

ATTACKING = [
    "Brannoc, Archforger",
    "Stairguard Captain",
    "Nerith, Mind of the Trench",
    "Hollowlog Bear",
    "Plague Matron",
    "Ballista Crew",
]
RESTING = ["Heartforge Engine", "Orrery of the Five Wells", "Barrow King", "Hymnfed Zealot"]
"""They trigger at dawn, when a creature dies, and when life is gained."""
BLOCKING = [
    ("Bark Bulwark", "Hollowlog Bear"),
    ("Thaw Ghoul", "Hollowlog Bear"),
    ("Clockwork Mule", "Stairguard Captain"),
    ("Plague Matron", "Ballista Crew"),
]


def at_war(**fields):
    """A board whose abilities trigger in every step, before the attack of seat 0."""
    libraries = (["Sunfield"] * 30, ["Fen Biter"] * 30)
    return Duel(board=(ATTACKING + RESTING, [name for name, _ in BLOCKING]), libraries=libraries, **fields)


def play_turns(duel, passes=lambda: None):
    """Attack and block as the lists say in the first turn, pass else, and end in the third turn."""
    dealt, first = [], duel.state.turn
    while duel.state.turn < first + 2 and (actors := to_act(duel.state)):
        seat, s = actors[0], duel.state
        if seat == CHANCE:
            move = ask(s).sample(Random(0))
        elif s.asked or s.unordered:
            move = default(s, seat)
        elif s.step == "attack" and not s.declared:
            move = DeclareAttackers(tuple(map(duel.of, ATTACKING)) if s.turn == first else ())
        elif s.step == "block" and not s.declared:
            move = DeclareBlockers(tuple(Blocks(blocker(duel, name), duel.of(at)) for name, at in BLOCKING))
        else:
            move = PassPriority(passes())
        duel.play(seat, move)
        dealt += duel.told(CombatDamageDealt)
    return dealt


def blocker(duel, name):
    """The creature of seat 1 of this name."""
    return next(
        p.object for p in duel.state.permanents if p.controller == 1 and duel.state.cards[p.object] == IDS[name]
    )


def end_of(duel):
    """All that has come of the turns but who was asked."""
    s = duel.state
    return s.turn, s.life, s.permanents, s.hands, s.libraries, s.graveyards, s.ended


@pytest.fixture(scope="module")
def expected():
    duel = at_war(stops=(ALL_STOPS, ALL_STOPS))
    dealt = play_turns(duel)
    assert [one.step for one in dealt] == ["first_damage", "damage"]
    return end_of(duel)


def test_stops_never_change_what_happens(expected):
    """The active seat stops in any of its windows, and the other seat in none."""
    for stops in EACH:
        duel = at_war(stops=(stops, ()))
        assert [one.step for one in play_turns(duel)] == ["first_damage", "damage"], stops
        assert end_of(duel) == expected, stops


@pytest.mark.parametrize("seed", range(draws(12)))
def test_stops_and_passes_of_both_seats_never_change_what_happens(expected, seed):
    rng = Random(seed)
    stops = [tuple(one for one in ALL_STOPS if rng.random() < 0.3) for _ in (0, 1)]
    duel = at_war(stops=tuple(stops))
    play_turns(duel, lambda: rng.choice((None, None, "next_turn", "something_on_stack")))
    assert end_of(duel) == expected


# --- Ordering blockers --------------------------------------------------------------------------------------


def to_be_ordered(until=None, **fields):
    """Seat 0 attacks, passes its window until something, and two creatures block: it is to put them in order."""
    stops = (("own main1", "own attack"), ("opponent attack",))
    duel = Duel(board=(["Old Grovehorn"], ["Fen Biter", "Tidewall Crab"]), **{"stops": stops} | fields).passes(0)
    horn, biter, crab = map(duel.of, ("Old Grovehorn", "Fen Biter", "Tidewall Crab"))
    duel.play(0, DeclareAttackers((horn,))).play(0, PassPriority(until)).passes(1)
    duel.play(1, DeclareBlockers((Blocks(biter, horn), Blocks(crab, horn))))
    assert duel.state.unordered == (horn,)
    return duel, OrderBlockers(horn, (crab, biter))


@pytest.mark.parametrize("until", ["next_turn", "something_on_stack"])
def test_a_pass_ends_when_its_player_has_to_order_blockers(until):
    stops = (("own main1", "own attack", "own block"), ("opponent attack",))
    duel, order = to_be_ordered(until, stops=stops)
    duel.play(0, order)
    assert (duel.state.step, to_act(duel.state)) == ("block", (0,))


@pytest.mark.parametrize("seat", [0, 1])
def test_stops_set_while_blockers_are_ordered_hold_for_that_window(seat):
    duel, order = to_be_ordered()
    whose = "own block" if seat == 0 else "opponent block"
    duel.play(seat, SetStops((), (whose,))).play(0, order)
    assert (duel.state.step, to_act(duel.state)) == ("block", (seat,))


def test_a_stop_taken_back_while_blockers_are_ordered_is_none_in_that_window():
    stops = (("own main1", "own attack", "own block"), ("opponent attack",))
    duel, order = to_be_ordered(stops=stops)
    duel.play(0, SetStops(("own main2",))).play(0, order)
    assert duel.state.step == "main2"


def test_the_window_after_an_order_is_there_for_what_blocking_triggered():
    """The trigger of the other seat is on the stack, so that the active seat is asked."""
    duel = Duel(board=(["Old Grovehorn"], ["Bark Bulwark", "Tidewall Crab"]), stops=(("own main1",), ())).passes(0)
    horn, wall, crab = map(duel.of, ("Old Grovehorn", "Bark Bulwark", "Tidewall Crab"))
    duel.play(0, DeclareAttackers((horn,))).play(1, DeclareBlockers((Blocks(wall, horn), Blocks(crab, horn))))
    duel.play(0, SetStops(("own main1",))).play(0, OrderBlockers(horn, (wall, crab)))
    assert (len(duel.state.stack), to_act(duel.state)) == (1, (0,))
    duel.passes(0)
    assert duel.state.life[1] == 21
