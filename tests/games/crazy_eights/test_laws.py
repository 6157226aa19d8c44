"""Tests laws that apply only to Crazy Eights (rules 2)."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.crazy_eights.events import HandScored
from domain.games.crazy_eights.options import MOST_TURNS
from tests.draws import first_of
from tests.games.crazy_eights.law import ENTRIES
from tests.laws.play import steps


@pytest.mark.parametrize("entry", first_of(ENTRIES), ids=lambda entry: f"{entry.seats} seats")
@given(seed=st.integers(0, 2**32))
@settings(max_examples=8)
def test_every_hand_ends_and_payments_balance(entry, seed):
    (rows,) = entry.blocks.values()
    for i, options in enumerate(rows):
        for step in steps(entry, options, Random(f"{seed} {i}"), hands=2):
            most = MOST_TURNS if options.restock else 52 * options.packs * entry.seats
            assert step.after.turns <= most
            for event in step.events:
                if isinstance(event, HandScored):
                    judged(options, event, step.after.out)


def judged(options, scored, out):
    """The payments of a hand are consistent with its points."""
    collected = [sum(p.amount for p in scored.payments if p.to == i) for i in range(len(scored.hands))]
    assert sum(scored.ledger.net) == 0
    if out is not None or options.blocked_scoring == "difference":
        assert list(scored.points) == collected
    if out is not None:
        assert collected.count(0) == len(collected) - 1
        assert scored.hands[out] == ()
