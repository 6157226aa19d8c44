"""At the end of a hand or game, the scene says in a sentence what decided it."""

import pytest

from domain.core.cards import card
from domain.games.crazy_eights import GAME
from domain.games.crazy_eights.events import GameEnded, HandBlocked, HandScored, HandWon, Ledger
from domain.games.crazy_eights.options import Options


def scored(first, *left):
    """Return a table after a hand that ended with an event, with these cards left in the hands."""
    s = GAME.start(Options(**GAME.setup.resolve({}, 3)), 3, None)
    hands = tuple(tuple(card(name) for name in row.split()) for row in left)
    for event in (first, HandScored(hands, (), (0,) * 3, (0, 34, 11), Ledger((0,) * 3))):
        GAME.evolve(s, event)
    return s


WON = scored(HandWon(1), "8C", "", "2H 2D")
BLOCKED = scored(HandBlocked(), "3C", "4D", "2H")


def test_hand_says_who_went_out_and_with_how_much():
    assert GAME.scene(WON, 0).notes == ("Seat 1 went out and scored 54.",)


def test_hand_says_that_it_was_blocked():
    assert GAME.scene(BLOCKED, 0).notes == ("No one could play: the hand was blocked.",)


@pytest.mark.parametrize(
    ("table", "winners", "reason", "notes"),
    [
        (WON, (1,), "target_score", ("Seat 1 went out and won by 23.",)),
        (BLOCKED, (1,), "target_score", ("Seat 1 won by 23.",)),
        (WON, (1,), "resignation", ()),
        (BLOCKED, (), "hand_over", ()),
    ],
)
def test_game_says_by_how_much_it_was_won(table, winners, reason, notes):
    s = table.copy()
    GAME.evolve(s, GameEnded((0, 34, 11), (3, 1, 2), winners, Ledger((0,) * 3), reason))
    assert GAME.scene(s, 0).notes == notes
