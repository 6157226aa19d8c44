"""Tests laws that apply only to Two-Handed Hearts (rules 2)."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.two_handed_hearts.events import (
    CardPlayed,
    ClaimRejected,
    DrawingCompleted,
    HandDealt,
    HandReplenished,
    HandScored,
    RevokeFound,
    StockDrawn,
)
from domain.games.two_handed_hearts.options import Options
from tests.games.two_handed_hearts.law import ENTRY
from tests.laws.play import steps


@pytest.mark.parametrize("mode", ["draw", "replenish"])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=15)
def test_points_of_a_hand_add_up(mode, seed):
    rng, draws = Random(seed), 0
    jack = rng.random() < 0.5
    for step in steps(ENTRY, Options(mode=mode, jack_of_diamonds=jack), rng, hands=4):
        for event in step.events:
            match event:
                case HandDealt():
                    draws = 0
                case StockDrawn() | HandReplenished():
                    draws += 1
                case DrawingCompleted():
                    assert draws == 26
                    assert [len(h) for h in step.after.hands] == [13, 13]
                    assert sum(map(len, step.after.waste)) == 26
                case HandScored():
                    assert draws == 26
                    assert len(step.after.tricks) == {"draw": 13, "replenish": 26}[mode]
                    if mode == "replenish":
                        assert sum(event.points) == 26 - 10 * jack


@pytest.mark.parametrize("honour", [{}, {"revoke_detection": "claim"}])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=15)
def test_every_reported_revoke_is_real(honour, seed):
    """The test follows the hands card by card, independently of the game."""
    options = Options(mode="replenish", revoke_mode="honour", **honour)
    held, revokes, trick = {}, set(), []
    for step in steps(ENTRY, options, Random(seed), hands=3):
        found = set()
        for event in step.events:
            match event:
                case HandDealt():
                    held, revokes, trick = {i: set(h) for i, h in enumerate(event.cards)}, set(), []
                case StockDrawn() | HandReplenished():
                    held[event.seat].add(event.card)
                case CardPlayed():
                    suits = {c // 13 for c in held[event.seat]}
                    if trick and event.card // 13 != trick[0] // 13 and trick[0] // 13 in suits:
                        revokes.add((event.seat, event.trick_no))
                    held[event.seat].remove(event.card)
                    trick = [] if trick else [event.card]
                case ClaimRejected():
                    assert (event.accused, event.trick_no) not in revokes
                case RevokeFound():
                    found.add((event.seat, event.trick_no))
                    assert found <= revokes
                case HandScored():
                    assert found == revokes or options.revoke_detection == "claim"
                    assert event.revokes == tuple(sorted({seat for seat, _ in found}))
