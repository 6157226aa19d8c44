"""Tests standing orders in a duel: the facts they can use, and the moves they name without arguments."""

import pytest

from domain.core.game import is_admitted
from domain.games.catalogue import GAMES
from domain.games.fivewells.characteristics import PRINTED
from domain.games.fivewells.moves import (
    CastSpell,
    Choose,
    DeclareAttackers,
    DeclareBlockers,
    OrderBlockers,
    PassPriority,
)
from domain.games.fivewells.records import Blocks, name
from domain.games.fivewells.waiting import legal
from domain.orders.carry import OrderedMove, carry_out_orders
from domain.orders.check import read_orders
from domain.orders.document import BadOrders
from tests.games.fivewells.examples import PLAIN, attacked, before_combat
from tests.games.fivewells.table import Duel

FIVEWELLS = GAMES["fivewells"]


def orders(*rows):
    return read_orders(FIVEWELLS, {"orders": list(rows)})


def made(duel, seat, *rows):
    return carry_out_orders(FIVEWELLS, duel.state, seat, orders(*rows))


PASS = [{"move": "pass_priority"}]


@pytest.mark.parametrize(
    ("asked", "holds"),
    [
        ({"phase": "main1"}, True),
        ({"phase": ["dawn", "main2"]}, False),
        ({"whose_turn": "own", "turn": {"min": 3}}, True),
        ({"whose_turn": "opponent"}, False),
        ({"life": {"max": 5}, "opponent_life": 20}, True),
        ({"creatures": 2, "opponent_creatures": 1}, True),
        ({"hand_count": 1, "opponent_hand_count": 0}, True),
        ({"library_count": 5, "opponent_library_count": {"max": 4}}, False),
        ({"stack_count": 0, "attackers": 0, "mulligans": 0}, True),
    ],
)
def test_orders_can_use_only_public_facts_of_the_duel(asked, holds):
    duel = Duel(hands=([PLAIN], []), board=([PLAIN, PLAIN], [PLAIN]), lands=("S", ""), life=(4, 20))
    assert made(duel, 0, {"if": asked, "do": PASS}) == (OrderedMove(PassPriority(), 0) if holds else None)


def test_defender_may_have_a_standing_order_to_block_with_no_creature():
    duel = attacked(PLAIN, [PLAIN])
    nobody = {"if": {"attackers": {"min": 1}, "life": {"min": 10}}, "do": [{"move": "declare_blockers"}]}
    assert made(duel, 1, nobody) == OrderedMove(DeclareBlockers(()), 0)


def test_order_without_arguments_moves_like_the_clock():
    duel = Duel(hands=([PLAIN] * 9, []), step="dusk", stops=((), ()), held=0).passes(0)
    discarding = made(duel, 0, {"if": {"phase": "cleanup_discard"}, "do": [{"move": "choose"}]})
    assert isinstance(discarding.move, Choose)
    assert is_admitted(legal(duel.state, 0), discarding.move)
    assert FIVEWELLS.facts.completed(duel.state, 0, DeclareAttackers) is None


def test_payments_and_targets_are_never_guessed():
    with pytest.raises(BadOrders) as bad:
        orders({"do": [{"move": "cast_spell"}]})
    assert bad.value.errors == {"orders.0.do.0": "cast_spell needs `args`."}
    assert CastSpell not in FIVEWELLS.facts.completes


@pytest.mark.parametrize("stops_set", [0, 20])
def test_attacking_is_never_a_forced_move(stops_set):
    duel = before_combat([PLAIN], [], stops_set=(stops_set, 0))
    assert next(one.make for one in legal(duel.state, 0)) is DeclareAttackers
    assert carry_out_orders(FIVEWELLS, duel.state, 0, read_orders(FIVEWELLS, {"auto_play_forced": True})) is None


def test_order_can_name_the_order_of_blockers():
    duel = attacked(PLAIN, [PLAIN, PLAIN])
    attacker, first, second = [p.object for p in duel.state.permanents if PRINTED[p.card].creature]
    duel.play(1, DeclareBlockers((Blocks(first, attacker), Blocks(second, attacker))))
    for order in ((first, second), (second, first)):
        args = {"attacker": name(attacker), "order": [*map(name, order)]}
        assert made(duel, 0, {"do": [{"move": "order_blockers", "args": args}]}).move == OrderBlockers(attacker, order)
