"""Tests drawn games and matches: by agreement, by equal scores, by equal games (rules 1.9.3, 1.10)."""

import pytest

from domain import match as life
from domain.match.draws import AcceptDraw, DeclineDraw, OfferDraw
from domain.match.resignations import Resign
from tests.match.table import Table
from tests.match.test_giving_up import ended


def two(best_of=1, game="gin_rummy", **chosen):
    return Table(game, ("me", "me"), chosen, best_of=best_of)


def agrees(table):
    table.does(0, OfferDraw())
    return table.does(1, AcceptDraw())


@pytest.mark.parametrize("game", ["gin_rummy", "two_handed_hearts", "crazy_eights", "holdem"])
def test_agreed_draw_ends_a_match_of_one_game(game):
    table = two(game=game)
    assert agrees(table)[-1] == "MatchEnded"
    assert table.events[-1].reason == "draw"
    assert (table.match.result.winners, table.match.result.places) == ((), (1, 1))
    assert table.match.status == "finished"


def test_agreed_draw_in_a_series_is_a_game_without_a_winner():
    table = two(best_of=3)
    assert "GameStarted" in agrees(table)
    assert table.match.series.winners == (None,)
    table.does(0, Resign())
    table.does(0, Resign())
    assert (table.match.result.winners, table.events[-1].reason) == ((1,), "resignation")


def test_series_of_draws_ends_without_a_winner_after_three_times_its_length():
    table = two(best_of=3)
    for game in range(1, 10):
        assert ("MatchEnded" in agrees(table)) == (game == 9)
    assert (table.match.result.winners, table.match.result.places) == ((), (1, 1))
    assert table.events[-1].reason == "draw"


def test_only_the_other_player_answers_a_draw_offer():
    table = two()
    table.does(0, OfferDraw())
    for command in (AcceptDraw(), DeclineDraw(), OfferDraw()):
        assert table.refuses(0, command) == "wrong_phase"
    assert table.refuses(1, OfferDraw()) == "wrong_phase"
    assert life.open_requests(table.match) == ((1, "answer_draw"),)


def test_declined_seat_cannot_offer_again_in_that_game_but_the_other_can():
    table = two(best_of=3)
    table.does(0, OfferDraw())
    assert table.does(1, DeclineDraw()) == ["DrawDeclined"]
    assert table.refuses(0, OfferDraw()) == "wrong_phase"
    assert table.refuses(1, AcceptDraw()) == "wrong_phase"
    assert table.does(1, OfferDraw()) == ["DrawOffered"]


def test_declined_seat_cannot_offer_again_after_the_other_was_declined_too():
    table = two(best_of=3)
    for seat in (0, 1):
        table.does(seat, OfferDraw())
        table.does(1 - seat, DeclineDraw())
    assert [table.refuses(seat, OfferDraw()) for seat in (0, 1)] == ["wrong_phase"] * 2
    table.does(0, Resign())
    assert table.does(0, OfferDraw()) == ["DrawOffered"]


def test_draw_offer_and_refusal_end_with_their_game():
    table = two(best_of=5)
    table.does(0, OfferDraw())
    table.does(1, Resign())
    assert life.open_requests(table.match) == ()
    assert table.refuses(1, AcceptDraw()) == "wrong_phase"
    table.does(0, OfferDraw())
    table.does(1, DeclineDraw())
    table.does(1, Resign())
    assert table.does(0, OfferDraw()) == ["DrawOffered"]


def test_no_draw_is_offered_between_two_games():
    table = two(best_of=3, game="crazy_eights", pause_between_hands=True)
    table.plays_on(until=lambda m: m.series.winners and life.is_paused(m))
    assert table.refuses(0, OfferDraw()) == "wrong_phase"


# --- A series that no seat takes --------------------------------------------------------------------------


def series(*games, best_of=1):
    """Return the result of Hearts played with these scores, game by game."""
    table = Table("hearts", ("me",) * 4, best_of=best_of)
    for scores in games:
        assert not table.match.over
        table.happens(ended(*scores))
    return table.match.result


def test_series_of_shared_games_is_drawn():
    result = series(*[(5, 5, 50, 100)] * 3)
    assert (result.winners, result.places, result.wins) == ((), (1,) * 4, (0,) * 4)


def test_tie_for_most_games_is_a_draw_and_others_rank_by_games_and_scores():
    shared = [(9, 9, 50, 100)] * 5
    result = series((0, 10, 30, 40), (10, 0, 40, 90), (20, 30, 0, 60), *shared, (0, 80, 7, 8), best_of=3)
    assert result.winners == (0,)
    drawn = series((0, 10, 30, 40), (10, 0, 40, 90), *[(9, 9, 120, 100)] * 7, best_of=3)
    assert (drawn.winners, drawn.places, drawn.wins) == ((), (1, 1, 4, 3), (1, 1, 0, 0))


def test_losers_of_a_series_are_ranked_by_games_then_by_scores():
    """The lower total is better in Hearts; seat 1 has won one game more than seats 2 and 3."""
    result = series((0, 90, 30, 40), (99, 0, 10, 20), (0, 90, 30, 10), best_of=3)
    assert (result.winners, result.places, result.scores) == ((0,), (1, 2, 3, 3), (0, 90, 30, 10))
    result = series((0, 90, 30, 40), (99, 0, 10, 20), (0, 90, 30, 9), best_of=3)
    assert result.places == (1, 2, 4, 3)


def test_higher_total_is_placed_above_if_high_scores_win():
    from domain.games.crazy_eights.events import GameEnded

    table = Table("crazy_eights", ("me",) * 3, best_of=3)
    for scores in ((100, 5, 40), (100, 5, 40)):
        table.happens(GameEnded(scores, (1, 3, 2), (0,), (0, 0, 0), "target_score"))
    assert table.match.result.places == (1, 3, 2)


def test_match_of_one_game_has_the_places_of_the_game():
    result = series((30, 5, 50, 30))
    assert (result.winners, result.places) == ((1,), (2, 1, 4, 2))
