"""At the end of a game of poker, the scene says who won how much, and who won the last pot."""

from domain.games.catalogue import GAMES
from domain.poker.betting_events import GameEnded, PotAwarded
from domain.poker.pots import Share

GAME = GAMES["holdem"]


def over(*pots, totals=(45, -45, 0), winners=(0,), reason="hands"):
    """Return the notes of a game that is over; pots are in the order in which they were won."""
    s = GAME.start(GAME.setup.options(**GAME.setup.resolve({}, 3)), 3, None)
    for s.hand_no, (amount, seats, category) in enumerate(pots, 1):
        GAME.evolve(s, PotAwarded(0, amount, tuple(Share(seat, 0) for seat in seats), category))
    GAME.evolve(s, GameEnded(totals, (1, 3, 2), winners, (1,) * 3, (0,) * 3, (), reason))
    return GAME.scene(s, None).notes


FULL = (124, (0,), "full_house")


def test_winner_of_the_last_pot_and_of_the_game_is_in_one_sentence():
    told = ("Seat 0 won the last pot of 124 (full house), and ended 45 ahead.",)
    assert over((8, (1,), None), FULL) == told


def test_last_pot_of_another_seat_has_its_own_sentence():
    assert over(FULL, (8, (1, 2), None)) == ("Seat 0 ended 45 ahead.", "Seats 1 and 2 split the last pot of 8.")


def test_shared_win_names_only_the_last_pot():
    assert over(FULL, winners=(0, 2)) == ("Seat 0 won the last pot of 124 (full house).",)


def test_game_that_was_not_played_to_its_end_has_no_such_sentence():
    assert over(FULL, reason="resignation") == ()
