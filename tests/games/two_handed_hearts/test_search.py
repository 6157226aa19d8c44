"""Tests the fast hands of the strong bot: they follow the rules, in worlds consistent with the seat's view."""

from random import Random

import pytest

from domain.core.cards import PACK, SUIT_OF
from domain.core.game import CHANCE
from domain.games.two_handed_hearts import bot
from domain.games.two_handed_hearts.events import HandScored, PlayCard
from tests.draws import draws
from tests.games.two_handed_hearts.law import ENTRIES
from tests.laws.play import steps

CASES = [(entry, options) for entry in ENTRIES for block in entry.blocks.values() for options in block]


def cards_played(seed):
    """Play a hand by the rules with random options; yield the states in which a card is played."""
    rng = Random(seed)
    entry, options = rng.choice(CASES)
    game = (step for step in steps(entry, options, rng, 1) if step.seat != CHANCE)
    return [step for step in game if isinstance(step.move, PlayCard)]


@pytest.mark.parametrize("seed", range(draws(16)))
def test_playout_of_the_last_cards_gives_the_points_of_the_hand(seed):
    """With one card each and all cards known, there is only one continuation: that of the rules."""
    *_, last = cards_played(seed)
    scored = next((event for event in last.events if isinstance(event, HandScored)), None)
    if scored is None or scored.revokes:
        return
    world = bot.World(tuple(map(list, last.state.hands)), [])
    taken = bot.play_out(last.state, world, last.move.card, Random(seed))
    for seat in (0, 1):
        found = bot.hand_value(last.state.rules, taken, seat)
        assert found == scored.points[1 - seat] - scored.points[seat]


@pytest.mark.parametrize("seed", range(draws(12)))
def test_playout_takes_every_card_of_the_hands_and_the_stock(seed):
    for step in cards_played(seed):
        s = step.state
        world = bot.World(tuple(map(list, s.hands)), list(s.stock)[::-1])
        taken = bot.play_out(s, world, step.move.card, Random(seed))
        before = [c for trick in s.tricks for c in trick.cards]
        assert sorted(c for cards in taken for c in cards) == sorted(
            [*before, *s.trick, *(c for h in s.hands for c in h), *s.stock]
        )


@pytest.mark.parametrize("seed", range(draws(12)))
def test_sampled_worlds_fit_the_seats_view(seed):
    for step in cards_played(seed):
        own, seat = step.own[step.seat], step.seat
        known = bot.Knowledge(own, seat)
        world = known.world(Random(seed))
        theirs = world.hands[1 - seat]
        assert world.hands[seat] == list(own.hands[seat])
        assert len(theirs) == len(step.state.hands[1 - seat])
        seen = {*own.hands[seat], *own.waste[seat], *own.trick, *(c for trick in own.tricks for c in trick.cards)}
        assert {*theirs} <= {*PACK} - seen
        assert not known.void & {SUIT_OF[c] for c in step.state.hands[1 - seat]}
        assert len(world.stock) == (0 if own.rules.draws else len(own.stock))
