"""What a full board costs: the answer with all legal moves, the time that it takes, and the memory of a state."""

import gc
import json
import sys
from random import Random
from time import process_time
from types import FunctionType, ModuleType

import pytest

from domain.core.where import titled
from domain.games.fivewells import GAME
from domain.games.fivewells.evolve.zones import change
from domain.games.fivewells.moves import DeclareBlockers
from domain.games.fivewells.records import Blocks
from domain.match.move_texts import in_text
from tests.games.fivewells.table import IDS, Duel
from tests.games.fivewells.test_random_duels import moments

MOST_OF_MOVES = 34 * 1024
MOST_OF_A_STATE = 200 * 1000

BOARD = (
    ["Bellows Duelist", "Bombard Crew", "Marrow Broker", "Whirlpool Sage", "Mothertree Seedling", "Powder Kobold"] * 2,
    ["Barrow King", "Tin Lookout", "Ballista Crew", "Thaw Ghoul", "Hollow Squire", "Clockwork Mule"] * 2,
)
HAND = [
    "Twinned Sparks",
    "Test of Tusks",
    "Kindle Dart",
    "Undertow Grasp",
    "Ice the Rigging",
    "Final Toll",
    "Rise Unburied",
]
LANDS = "SSTTRRFFGGSS"


def full(**fields):
    """Twelve creatures a side, seven cards in hand, and twelve mana."""
    piles = (["Bramble Boar"] * 8, ["Fen Biter"] * 8)
    return Duel(hands=(HAND, HAND), board=BOARD, lands=(LANDS, LANDS), graveyards=piles, **fields)


def answer(state, seat):
    """The legal moves as the API sends them."""
    rng = Random(0)
    rows = []
    for choice in GAME.legal(state, seat):
        example = in_text(GAME, choice.sample(rng))
        schema = titled(example["name"], choice.make, choice.schema(), GAME.answers.where(state, seat).get(choice.make))
        rows.append({"name": example["name"], "schema": schema, "example": example, "legal_by_schema": choice.exact})
    return json.dumps(rows, separators=(",", ":"))


def attacked():
    """All creatures of seat 0 attack, and seat 1 is to block."""
    duel = full(step="block", priority=-1)
    change(duel.state, duel.state.ids[:12], attacking=True)
    return duel


MOMENTS = {
    "priority": full,
    "attack": lambda: full(step="attack", priority=-1),
    "block": attacked,
    "mana afloat": lambda: full(pools=((2, 2, 2, 2, 2, 2), (0,) * 6)),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_the_moves_of_a_full_board_are_a_short_answer(moment):
    state = MOMENTS[moment]().state
    (seat,) = GAME.to_act(state)
    said = answer(state, seat)
    assert len(GAME.legal(state, seat)) > 1
    assert len(said) <= MOST_OF_MOVES, f"{len(said)} bytes"


# --- Large combats ------------------------------------------------------------------------------------------

FIGHTERS = ["Stormglass Drake", "Iron Galloper", "Canopy Netweaver", "Bramble Boar", "Tidewall Crab"]
"""They fly, are daunting, can block what flies, and are plain."""


def war(size):
    """So many creatures attack as many, and seat 1 is to block."""
    rows = [(FIGHTERS * size)[:size]] * 2
    duel = Duel(board=rows, step="block", priority=-1)
    change(duel.state, duel.state.ids[:size], attacking=True)
    return duel


def to_order(size):
    """Two creatures block each attacker without flying and daunting, and seat 0 is to put them in order."""
    duel = war(size)
    plain = [p for p in duel.state.permanents if p.card in (IDS["Bramble Boar"], IDS["Tidewall Crab"])]
    attacked = [p.object for p in plain if p.attacking]
    free = [p.object for p in duel.state.permanents if p.controller == 1]
    pairs = [Blocks(one, attacked[i // 2]) for i, one in enumerate(free[: 2 * len(attacked)])]
    return duel.play(1, DeclareBlockers(tuple(pairs)))


@pytest.mark.parametrize("asked", [war, to_order])
@pytest.mark.parametrize(("size", "most"), [(30, 32_000), (60, 64_000), (240, 200_000)])
def test_moves_of_a_combat_grow_with_its_creatures_and_not_with_its_pairs(asked, size, most):
    state = asked(size).state
    (seat,) = GAME.to_act(state)
    said = answer(state, seat)
    assert size * 5 < len(said) <= most, f"{len(said)} bytes"


def rich(size):
    """So many creatures give mana, and may be targets of spells that they could pay for."""
    hand = ["Twinned Sparks", "Twofold Surge", "Open the Crucible", "Test of Tusks"]
    return Duel(hands=(hand, []), board=(["Sprigling"] * size, FIGHTERS), lands=("FRS", ""))


@pytest.mark.parametrize("asked", [war, to_order, rich])
def test_moves_of_a_large_board_are_answered_within_100_ms_of_work(asked):
    state = asked(240).state
    (seat,) = GAME.to_act(state)

    def work():
        before = process_time()
        answer(state, seat)
        return process_time() - before

    assert min(work() for _ in range(5)) <= 0.1


@pytest.mark.parametrize("seed", range(2))
def test_a_state_is_small(seed):
    """What is printed on the cards and the options are shared by all states."""
    largest = max(size_of(moment.after) for i, moment in enumerate(moments(Random(seed))) if i % 20 == 0)
    assert 5_000 < largest <= MOST_OF_A_STATE
    assert size_of(full().state) <= MOST_OF_A_STATE


def size_of(state):
    """The bytes of a state with all that it holds, each thing once."""
    seen, waiting, total = {id(state.rules)}, [state], 0
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, type | FunctionType | ModuleType):
            continue
        seen.add(id(one))
        total += sys.getsizeof(one)
        waiting += gc.get_referents(one)
    return total
