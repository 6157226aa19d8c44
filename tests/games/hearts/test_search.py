"""Tests the fast hands of the strong bot: they follow the rules, in worlds consistent with the seat's view."""

from random import Random

import pytest

from domain.core.game import CHANCE
from domain.core.monte_carlo import SearchBudget
from domain.games.hearts import bot, kernel
from domain.games.hearts.bot import choose
from domain.games.hearts.events import HandScored, HeartsOpened
from domain.games.hearts.rules import phase, playable
from tests.draws import draws
from tests.games.hearts.law import ENTRY
from tests.games.hearts.table import in_play
from tests.laws.play import steps

ROWS = [options for block in ENTRY.blocks.values() for options in block]


class Chosen(Exception):
    """A playout chooses among the cards of this mask."""


def choose_among(_, cards, *__):
    raise Chosen(cards)


def first_choice(k, s):
    """Return the cards among which a playout chooses its first card."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("lead", "follow", "discard"):
            patch.setattr(kernel, name, choose_among)
        with pytest.raises(Chosen) as found:
            kernel.play_out(
                k, kernel.position(s), [kernel.mask(h) for h in s.hands], None, kernel.NO_SHOOTER, Random(0)
            )
    return found.value.args[0]


@pytest.mark.parametrize("seed", range(draws(24)))
def test_search_kernel_plays_by_the_rules(seed):
    """The legal cards are the same at every turn, hearts are broken after the same trick, and the points are equal."""
    rng = Random(seed)
    options = rng.choice(ROWS)
    for step in steps(ENTRY, options, rng, 2):
        s, k = step.state, kernel.compile_kernel(step.state.rules)
        if step.seat != CHANCE and phase(s) == "playing":
            legal = playable(s, s.hands[step.seat])
            if len(legal) > 1:
                assert kernel.cards_in(first_choice(k, s)) == legal
        ends = len(step.after.tricks) - len(s.tricks) == 1
        if ends and not s.hearts_open and len(step.after.tricks) < 13:
            pile = kernel.mask(step.after.tricks[-1].cards)
            led = kernel.position(step.after).led
            opened = any(isinstance(event, HeartsOpened) for event in step.events)
            assert kernel.opens(k, pile, len(step.after.tricks), led) == opened
        for event in step.events:
            if isinstance(event, HandScored):
                taken = kernel.position(step.after).taken
                assert tuple(kernel.hand_points(k, taken)) == event.points


@pytest.mark.parametrize("seed", range(draws(12)))
def test_playout_ends_with_all_cards_taken(seed):
    rng = Random(seed)
    for step in steps(ENTRY, rng.choice(ROWS), rng, 1):
        if step.seat == CHANCE or phase(step.state) != "playing":
            continue
        k = kernel.compile_kernel(step.state.rules)
        hands = [kernel.mask(cards) for cards in step.state.hands]
        at = kernel.position(step.state)
        taken = kernel.play_out(k, at, hands, step.move.card, rng.randrange(-1, 4), rng)
        assert sum(taken) == (1 << 52) - 1
        assert all(t & before == before for t, before in zip(taken, at.taken, strict=True))


@pytest.mark.parametrize("seed", range(draws(12)))
def test_sampled_worlds_fit_the_seats_view(seed):
    """Every seat has the right number of cards, none of a suit that it showed out of; the true world is possible."""
    rng = Random(seed)
    for step in steps(ENTRY, rng.choice(ROWS), rng, 1):
        if step.seat == CHANCE or phase(step.state) != "playing":
            continue
        own, true = step.own[step.seat], step.state
        known = bot.Knowledge(kernel.compile_kernel(own.rules), own, step.seat)
        world = known.world(rng)
        assert [held.bit_count() for held in world] == [len(cards) for cards in true.hands]
        assert sum(world) == kernel.mask(c for cards in true.hands for c in cards)
        assert world[step.seat] == kernel.mask(true.hands[step.seat])
        assert all(known.weights[c][i] for i, cards in enumerate(true.hands) if i != step.seat for c in cards)


FULL = "3C 4C 6C 8C TC QC 2D 9D AD 3H KS QS"


def test_seat_void_in_a_suit_is_dealt_no_card_of_it():
    state = in_play({"options": {}, "hand": FULL.split(), "past": [["2C", "5C", "4D", "7C"]], "trick": []}, 0)
    void = (state.tricks[0].leader + 2) % 4
    known = bot.Knowledge(kernel.compile_kernel(state.rules), state, 0)
    assert all(known.world(Random(seed))[void] & kernel.SUITS[0] == 0 for seed in range(20))


def test_strong_bot_chooses_the_same_card_with_the_same_seed():
    state = in_play({"options": {}, "hand": FULL.split(), "past": [["2C", "5C", "AC", "7C"]], "trick": []}, 0)
    moves = [choose("strong", state, 0, (), Random(3), SearchBudget(0, playouts=200)) for _ in range(2)]
    assert moves[0] == moves[1]
