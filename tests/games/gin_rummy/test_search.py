"""Tests the fast hands of the strong bot: they score by the rules, in worlds consistent with the seat's view."""

from random import Random

import pytest

from domain.core.cards import BACK, PACK
from domain.core.game import CHANCE
from domain.games.gin_rummy import bot
from domain.games.gin_rummy.events import HandScored, Knock
from domain.games.gin_rummy.melds import deadwood
from tests.draws import draws
from tests.games.gin_rummy.law import ENTRIES
from tests.laws.play import steps

CASES = [(entry, options) for entry in ENTRIES for block in entry.blocks.values() for options in block]


def a_hand(seed):
    """Play a hand by the rules with random options; return its moves."""
    rng = Random(seed)
    entry, options = rng.choice(CASES)
    return [step for step in steps(entry, options, rng, 1) if step.seat != CHANCE]


def cards_of(held):
    return tuple(c for c in PACK if held & bot.BIT[c])


@pytest.mark.parametrize("seed", range(draws(24)))
def test_search_scores_a_knock_by_the_rules(seed):
    """With automatic melds against the best defence, the points of the hand are right, for either seat."""
    for step in a_hand(seed):
        scored = next((event for event in step.events if isinstance(event, HandScored)), None)
        knock = scored and step.state.tables[scored.table].knock
        if knock is None or knock.discard is None:
            continue
        state = step.state.copy()
        ten = tuple(c for meld in knock.melds for c in meld) + knock.deadwood
        state.hands = tuple(ten if i == knock.seat else hand for i, hand in enumerate(state.hands))
        hand = bot.HandSearch(state, knock.seat)
        hand.hand = (*ten, knock.discard)
        theirs = bot.mask(state.hands[scored.defender])
        found = hand.knocked(Knock(knock.discard), bot.World(theirs, []))
        least = scored.points[knock.seat] - scored.points[scored.defender]
        # A player may meld otherwise, or defend worse, than is best.
        if (scored.values[knock.seat], scored.values[scored.defender]) == (
            deadwood(ten),
            bot.points(bot.defend(cards_of(theirs), bot.arrange(ten).melds).deadwood),
        ):
            assert found == least


@pytest.mark.parametrize("seed", range(draws(12)))
def test_sampled_worlds_fit_the_seats_view(seed):
    for step in a_hand(seed):
        own, seat = step.own[step.seat], step.seat
        found = bot.HandSearch(own, seat)
        other = found.table.other(seat)
        if own.tables[own.places[seat]].phase not in ("draw", "discard"):
            continue
        world = found.world(Random(seed))
        theirs = cards_of(world.theirs)
        assert len(theirs) == len(own.hands[other])
        assert {c for c in own.hands[other] if c != BACK} <= set(theirs)
        assert not {*theirs} & {*own.hands[seat], *found.table.pile}
        everywhere = [*own.hands[seat], *theirs, *found.table.pile, *map(cards_of, world.stock)]
        assert len(everywhere) == 52
        assert len(world.stock) == len(step.state.tables[own.places[seat]].stock)


@pytest.mark.parametrize("seed", range(draws(24)))
def test_loose_card_is_one_without_neighbours(seed):
    held = tuple(sorted(Random(seed).sample(PACK, 11)))
    alone = {c for c in held if not any(bot.goes_with(c, other) for other in held if other != c)}
    assert {*cards_of(bot.loose(bot.mask(held)))} == alone
