"""Tests that every card does what its specification in the files under `cards` requires."""

import pytest

from domain.card_sets.cards.library import TOKENS
from tests.games.fivewells.specified import CARD_SPECS, TOKEN_SPECS, holds, token_holds
from tests.games.fivewells.table import IDS


@pytest.mark.parametrize("name", CARD_SPECS)
def test_card_follows_its_specification(name):
    holds(name)


@pytest.mark.parametrize("name", TOKEN_SPECS)
def test_token_follows_its_specification(name):
    token_holds(name)


def test_every_card_and_token_is_specified():
    assert set(CARD_SPECS) == set(IDS)
    assert set(TOKEN_SPECS) == {token.name for token in TOKENS.values()}
    assert len(CARD_SPECS) == 120
