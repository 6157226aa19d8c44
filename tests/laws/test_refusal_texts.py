"""Tests that refusals of moves are written for players: they are about the table, not the API."""

import pytest

from domain.core.refusals import COMMON, MALFORMED
from domain.games.catalogue import GAMES

OF_THE_API = ("`", "_", "legal move", "send ", "field", "request body")
SAID = {
    f"{of}, {code}": refusal
    for of, refusals in {
        "common": COMMON,
        "malformed": MALFORMED,
        **{name: game.words.refusals for name, game in GAMES.items()},
    }.items()
    for code, refusal in refusals.items()
}


@pytest.mark.parametrize("of", SAID)
def test_refusal_text_is_about_the_table(of):
    assert [word for word in OF_THE_API if word in SAID[of].advice.lower()] == []
