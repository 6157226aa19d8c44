"""The scene of a duel tells the steps of the turn, the reader's stops, and what cards target and block."""

from domain.core.scene import as_json
from domain.games.fivewells.moves import DeclareBlockers
from domain.games.fivewells.records import Blocks, name
from domain.games.fivewells.shown import scene
from domain.games.fivewells.waiting import ALL_STOPS
from tests.games.fivewells.examples import PLAIN, attacked
from tests.games.fivewells.table import Duel


def shown(duel, seat=0):
    return as_json(scene(duel.state, seat))


def test_steps_of_the_turn_name_the_current_one():
    steps = shown(Duel())["steps"]
    assert [step["name"] for step in steps][:3] == ["dawn", "first main phase", "attack"]
    assert [step["name"] for step in steps if step["now"]] == ["first main phase"]


def test_stops_are_those_of_the_reader_in_the_turn_of_the_active_seat():
    duel = Duel(stops=(("own attack", "opponent dusk"), ("opponent block",)), once=((), ("own dusk",)))
    stops = [[step["name"] for step in shown(duel, reader)["steps"] if step["stop"]] for reader in (0, 1, None)]
    assert stops == [["attack"], ["block"], []]


def test_spell_on_the_stack_aims_at_its_targets():
    duel = Duel(hands=(["Wither in Place"], ()), lands=("GGG", ""), board=((), [PLAIN]))
    target = duel.of(PLAIN)
    duel.cast(0, "Wither in Place", a=target)
    (spell,) = shown(duel)["zones"]["stack"]["spots"]
    assert spell["aims"] == [name(target)]


def test_blocker_aims_at_the_attacker():
    duel = attacked(PLAIN, [PLAIN])
    attacker, blocker = duel.of(PLAIN, 0), duel.of(PLAIN, 1)
    duel.state.stops = (ALL_STOPS, ALL_STOPS)
    duel.play(1, DeclareBlockers((Blocks(blocker, attacker),)))
    aims = [[spot["aims"] for spot in shown(duel)["zones"][f"battlefield-{seat}"]["spots"]] for seat in (0, 1)]
    assert aims == [[[]], [[name(attacker)]]]
