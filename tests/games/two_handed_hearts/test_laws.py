"""What is true of Two-Handed Hearts alone (rules 2)."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.two_handed_hearts import play as two
from domain.games.two_handed_hearts.options import Options
from tests.games.two_handed_hearts.law import ENTRY
from tests.laws.play import steps


@pytest.mark.parametrize("mode", ["draw", "replenish"])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=15)
def test_a_hand_is_counted_right(mode, seed):
    rng, draws = Random(seed), 0
    jack = rng.random() < 0.5
    for step in steps(ENTRY, Options(mode=mode, jack_of_diamonds=jack), rng, hands=4):
        for event in step.events:
            match event:
                case two.HandDealt():
                    draws = 0
                case two.StockDrawn() | two.HandReplenished():
                    draws += 1
                case two.DrawingCompleted():
                    assert draws == 26
                    assert [len(h) for h in step.after.hands] == [13, 13]
                    assert sum(map(len, step.after.waste)) == 26
                case two.HandScored():
                    assert draws == 26
                    assert len(step.after.tricks) == {"draw": 13, "replenish": 26}[mode]
                    if mode == "replenish":
                        assert sum(event.points) == 26 - 10 * jack


@pytest.mark.parametrize("honour", [{}, {"revoke_detection": "claim"}])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=15)
def test_a_revoke_that_is_found_was_one(honour, seed):
    """The hands are followed card by card beside the game."""
    options = Options(mode="replenish", revoke_mode="honour", **honour)
    held, revokes, trick = {}, set(), []
    for step in steps(ENTRY, options, Random(seed), hands=3):
        found = set()
        for event in step.events:
            match event:
                case two.HandDealt():
                    held, revokes, trick = {i: set(h) for i, h in enumerate(event.cards)}, set(), []
                case two.StockDrawn() | two.HandReplenished():
                    held[event.seat].add(event.card)
                case two.CardPlayed():
                    suits = {c // 13 for c in held[event.seat]}
                    if trick and event.card // 13 != trick[0] // 13 and trick[0] // 13 in suits:
                        revokes.add((event.seat, event.trick_no))
                    held[event.seat].remove(event.card)
                    trick = [] if trick else [event.card]
                case two.ClaimRejected():
                    assert (event.accused, event.trick_no) not in revokes
                case two.RevokeFound():
                    found.add((event.seat, event.trick_no))
                    assert found <= revokes
                case two.HandScored():
                    assert found == revokes or options.revoke_detection == "claim"
                    assert event.revokes == tuple(sorted({seat for seat, _ in found}))
