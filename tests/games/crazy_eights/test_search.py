"""Tests the fast hands of the strong bot: they follow the rules, in worlds consistent with the seat's view."""

from collections import Counter
from random import Random

import pytest

from domain.core.cards import card
from domain.core.choices import argument
from domain.core.game import CHANCE
from domain.core.monte_carlo import SearchBudget
from domain.games.crazy_eights import bot
from domain.games.crazy_eights.bot import choose
from domain.games.crazy_eights.events import DrawCard, HandScored, PassTurn, PlayCard
from tests.draws import draws
from tests.games.crazy_eights.examples import in_turn
from tests.games.crazy_eights.law import ENTRIES
from tests.laws.play import steps

CASES = [(entry, options) for entry in ENTRIES for block in entry.blocks.values() for options in block]


def a_hand(seed):
    """Play a hand by the rules with random options; return its moves."""
    rng = Random(seed)
    entry, options = rng.choice(CASES)
    return [step for step in steps(entry, options, rng, 1) if step.seat != CHANCE]


def truth(s):
    """Return the hand as the server knows it."""
    return bot.HandInPlay(
        [list(h) for h in s.hands], list(s.stock)[::-1], list(s.pile), s.suit, s.turn, s.drawn, s.passes
    )


@pytest.mark.parametrize("seed", range(draws(24)))
def test_search_moves_match_the_rules(seed):
    for step in a_hand(seed):
        if step.after.restocks > step.state.restocks or step.state.restocking or step.after.phase != "turn":
            continue
        if isinstance(step.move, PlayCard | PassTurn) or (isinstance(step.move, DrawCard) and step.state.stock):
            found, rules = bot.after_move(truth(step.state), step.move, step.state.rules), truth(step.after)
            assert list(map(Counter, found.hands)) == list(map(Counter, rules.hands))
            assert found.stock == rules.stock
            assert (found.suit, found.turn, found.drawn) == (rules.suit, rules.turn, rules.drawn)
            assert (found.pile[-1], found.passes) == (rules.pile[-1], rules.passes)


@pytest.mark.parametrize("seed", range(draws(24)))
def test_search_values_a_hand_by_its_points(seed):
    """In a game to a target score, the search values the points of the seat above the mean of the others."""
    last = a_hand(seed)[-1]
    scored = next((event for event in last.events if isinstance(event, HandScored)), None)
    if scored is None or last.state.rules.target is None:
        return
    for seat, mine in enumerate(scored.points):
        others = (sum(scored.points) - mine) / (len(scored.points) - 1)
        found = bot.hand_value(last.state.rules, seat, last.after.out, scored.hands)
        assert found == pytest.approx(mine - others)


@pytest.mark.parametrize("seed", range(draws(12)))
def test_playout_keeps_every_card(seed):
    for step in a_hand(seed):
        at, rng = truth(step.state), Random(seed)
        before = Counter([c for held in at.hands for c in held] + at.stock + at.pile)
        out, hands = bot.play_out(step.state.rules, at, rng)
        assert out is None or not hands[out]
        assert not Counter(c for held in hands for c in held) - before


@pytest.mark.parametrize("seed", range(draws(12)))
def test_sampled_worlds_fit_the_seats_view(seed):
    for step in a_hand(seed):
        world = bot.Knowledge(step.own[step.seat], step.seat).world(Random(seed))
        true = step.state
        assert [len(held) for held in world.hands] == [len(held) for held in true.hands]
        assert (len(world.stock), world.pile) == (len(true.stock), list(true.pile))
        assert Counter(world.hands[step.seat]) == Counter(true.hands[step.seat])
        everywhere = Counter([c for held in world.hands for c in held] + world.stock + world.pile)
        assert everywhere == Counter(true.rules.pack)


def test_strong_bot_goes_out_when_it_can():
    state = in_turn({"top": "QC", "hand": ["KC"], "options": {}})
    assert argument(choose("strong", state, 0, (), Random(0), SearchBudget(0, playouts=40))) == card("KC")
