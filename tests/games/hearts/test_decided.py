"""At the end of a hand or game, the scene says in a sentence what decided it."""

from domain.core.tricks import Trick
from domain.games.hearts import GAME
from domain.games.hearts.events import GameEnded, HandScored
from domain.games.hearts.options import Options
from tests.games.hearts.test_prompts import cards


def scored(*moons, totals=(0, 0, 0, 0), piles=((), (), (), ()), hand_no=3, variant="2-2-2-3"):
    """Return a table at which this many hands were scored, each with the seat that shot the moon or None."""
    s = GAME.start(Options(**GAME.setup.resolve({"variant": variant}, 4)), 4, None)
    s.hand_no, s.phase = hand_no, "playing"
    s.tricks = tuple(Trick(seat, cards(pile), seat) for seat, pile in enumerate(piles) if pile)
    for moon in moons:
        GAME.evolve(s, HandScored((), moon, (0,) * 4, totals))
    return s


def over(*moons, totals, winners, reason="target_score", hand_no=3):
    """Return the notes of a game that is over."""
    s = scored(*moons, totals=totals, hand_no=hand_no)
    GAME.evolve(s, GameEnded(totals, (1, 2, 3, 4), winners, reason))
    return GAME.scene(s, 0).notes


def test_hand_names_the_seat_that_shot_the_moon():
    assert GAME.scene(scored(None, 2), 0).notes == ("Seat 2 shot the moon.",)


def test_hand_names_the_seat_that_took_the_queen_with_all_its_points():
    with_queen = scored(None, piles=("2C", "QS 3H 4H", "5H", "6C"), variant="2-2-2-3")
    points = with_queen.rules.scoring.points(cards("QS 3H 4H"))
    assert GAME.scene(with_queen, 0).notes == (f"Seat 1 took the queen of spades, {points} points in all.",)


def test_hand_without_a_queen_that_counts_names_the_most_points():
    only_hearts = scored(None, piles=("2C", "QS 3H", "5H 6H", "6C"), variant="2-2-2-1")
    assert only_hearts.rules.scoring.points(cards("QS")) == 0
    assert GAME.scene(only_hearts, 0).notes == ("Seat 2 took the most points: 2.",)


def test_game_says_by_how_much_it_was_won_and_names_the_moon_of_the_winner():
    assert over(None, 2, None, totals=(50, 104, 7, 19), winners=(2,)) == (
        "Seat 2 shot the moon in hand 2 and won by 12.",
    )
    assert over(1, None, totals=(50, 104, 7, 19), winners=(2,), hand_no=9) == ("Seat 2 won by 12.",)
    # The hands of an earlier game of the match are counted on.
    assert over(None, 2, totals=(50, 104, 7, 19), winners=(2,), hand_no=9)[0].startswith(
        "Seat 2 shot the moon in hand 9"
    )


def test_shared_win_names_all_winners():
    assert over(None, totals=(7, 104, 7, 19), winners=(0, 2)) == ("Seats 0 and 2 won by 12.",)


def test_game_that_was_not_played_to_its_end_has_no_such_sentence():
    assert over(None, totals=(50, 104, 7, 19), winners=(2,), reason="resignation") == ()
    assert over(None, totals=(50, 104, 7, 19), winners=(), reason="draw") == ()
