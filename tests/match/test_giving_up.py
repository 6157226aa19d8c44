"""Tests resigning: the winner, the last place, and the reason for the end of the match (rules 1.9, 1.10)."""

import pytest

from domain import match as life
from domain.core.clock import Clock
from domain.core.game import rank_lowest_first
from domain.games.hearts.events import GameEnded
from domain.match.clocks import TimeOut
from domain.match.match_results import GameWon, MatchEnded
from domain.match.resignations import Resign, SeatResigned
from domain.match.status import rank_with_resigned
from domain.poker.betting_events import GameEnded as PokerEnded
from tests.match.table import Table, last_state


def four(game="hearts", best_of=1, **chosen):
    return Table(game, ("me",) * 4, chosen, best_of=best_of)


def ended(*scores):
    """Return the end of a game of Hearts with these scores."""
    low = min(scores)
    return GameEnded(scores, rank_lowest_first(scores), tuple(s for s in range(4) if scores[s] == low), "target_score")


TEAMS = {"trio": {"teams": True}, "gin_rummy": {}}


@pytest.mark.parametrize("game", TEAMS)
def test_resigned_players_side_loses_with_end(game):
    table = four(game, on_resign="end", **TEAMS[game])
    assert table.does(0, Resign())[-1] == "MatchEnded"
    result = table.match.result
    assert set(result.winners) == {1, 3}
    assert result.places[0] == max(result.places)
    assert min(result.places[0], result.places[2]) > max(result.places[1], result.places[3])
    assert next(e.winner for e in table.events if isinstance(e, GameWon)) == 1


@pytest.mark.parametrize("game", TEAMS)
def test_bot_replaces_a_resigned_partner(game):
    table = four(game, on_resign="bot", **TEAMS[game])
    assert table.does(0, Resign())[:2] == ["SeatResigned", "SeatHandedToBot"]
    assert not table.match.over


@pytest.mark.parametrize(("on_resign", "places"), [("end", (4, 1, 3, 1)), ("bot", (4, 2, 1, 2))])
def test_between_games_a_side_loses_with_end_and_plays_on_with_bot(on_resign, places):
    """The side of seats 0 and 2 is ahead; seat 0 resigns."""
    table = four("gin_rummy", best_of=3, on_resign=on_resign)
    table.match.resigned = (0,)
    assert rank_with_resigned(table.match, (1, 3, 1, 3)) == places


def test_first_to_resign_is_last_whatever_the_scores():
    table = four(best_of=3)
    table.does(2, Resign())
    table.does(0, Resign())
    table.happens(ended(1, 20, 0, 100))
    table.happens(ended(1, 20, 0, 100))
    assert table.match.result is None or table.match.result.places == (3, 1, 4, 2)


def test_resigned_seat_is_never_the_single_winner():
    """Seat 2 has resigned and its bot has the best score: the next best wins the game."""
    table = four()
    table.does(2, Resign())
    assert table.happens(ended(30, 20, 0, 100))[-1] == "MatchEnded"
    assert table.match.series.winners == (1,)
    assert (table.match.result.winners, table.match.result.places) == ((1,), (2, 1, 4, 3))


@pytest.mark.parametrize("winner", [0, 1])
def test_resigning_one_game_of_two_players_continues_the_series(winner):
    table = Table("gin_rummy", ("me", "me"), best_of=3)
    happened = table.does(1 - winner, Resign())
    assert happened[:3] == ["SeatResigned", "GameEnded", "GameWon"]
    assert (table.match.series.winners, table.match.resigned) == ((winner,), ())
    assert "GameStarted" in happened
    assert table.does(1 - winner, Resign())[-1] == "MatchEnded"
    assert table.match.result.wins[winner] == 2
    assert table.events[-1].reason == "resignation"


def test_resigning_the_match_of_two_players_gives_it_to_the_other():
    table = Table("gin_rummy", ("me", "me"), best_of=5)
    for _ in range(2):
        table.does(1, Resign())
    assert table.does(0, Resign(whole_match=True))[-1] == "MatchEnded"
    result = table.match.result
    assert (result.winners, result.places, result.wins) == ((1,), (2, 1), (2, 1))
    assert table.events[-1].reason == "resignation"


def test_match_ended_by_resignation_has_that_reason():
    table = Table("two_handed_hearts", ("me", "bot"))
    table.does(0, Resign())
    assert table.events[-1] == MatchEnded(table.match.result, "resignation")
    assert table.match.result.winners == (1,)


def test_game_after_a_resigned_game_has_its_own_reason():
    table = Table("crazy_eights", ("me", "me"), best_of=3, seed=1)
    table.does(0, Resign())
    table.plays_on()
    last = [h for h in table.said if type(h.event).__name__ == "GameEnded"][-1].event
    assert table.events[-1].reason == ("resignation" if last.reason == "resignation" else "played")
    assert last.reason != "resignation"


def test_resigning_between_games_resigns_the_match_once():
    table = Table("crazy_eights", ("me", "me"), {"pause_between_hands": True}, best_of=3)
    table.plays_on(until=lambda m: m.series.winners and life.is_paused(m))
    assert table.does(0, Resign()) == ["SeatResigned", "MatchEnded"]
    assert next(e for e in table.events if isinstance(e, SeatResigned)).whole_match
    assert table.match.result.winners == (1,)
    assert table.events[-1].reason == "resignation"
    assert table.refuses(0, Resign()) == "match_over"


def test_resignation_among_more_than_two_is_always_for_the_match():
    table = four(best_of=3)
    table.does(3, Resign(whole_match=False))
    assert next(e for e in table.events if isinstance(e, SeatResigned)).whole_match
    assert (table.match.resigned, table.match.by_bot) == ((3,), (False, False, False, True))


def test_forfeit_by_the_clock_counts_as_a_resignation_and_its_side_loses():
    clock = Clock(per_decision_seconds=60, on_expiry="forfeit")
    table = Table("trio", ("me",) * 4, {"teams": True, "on_resign": "end", "memory": "open"}, clock)
    while len(life.to_act(table.match)) > 1:  # the exchange before play
        table.defaults(life.to_act(table.match)[0])
    seat = life.to_act(table.match)[0]
    table.now += 60_000
    table.does(seat, TimeOut(), "timeout")
    assert table.events[-1].reason == "resignation"
    assert set(table.match.result.winners) == {(seat + 1) % 4, (seat + 3) % 4}


def test_match_does_not_wait_for_a_resigned_seat_between_hands():
    table = Table("holdem", ("me", "me", "me"), {"pause_between_hands": True})
    table.does(0, Resign())
    table.plays_on(until=life.is_paused)
    assert 0 not in life.to_act(table.match)
    assert table.match == last_state(table)


def test_resigned_seat_does_not_win_even_if_its_game_ranks_it_first():
    table = Table("holdem", ("me", "me", "me"))
    assert "PlayerWithdrawn" in table.does(0, Resign())
    table.happens(PokerEnded((5, 0, -5), (1, 2, 3), (0,), (1, 1, 1), (0, 0, 0), (), "hands_played"))
    assert (table.match.result.winners, table.match.result.places) == ((1,), (3, 1, 2))


def test_ranking_of_resigned_players_by_the_game_is_kept():
    """Seat 2 was out before seat 0 resigned."""
    table = Table("holdem", ("me", "me", "me"))
    table.does(0, Resign())
    table.happens(PokerEnded((0, 30, 0), (2, 1, 3), (1,), (1, 1, 1), (0, 0, 0), (), "one_left"))
    assert (table.match.result.winners, table.match.result.places) == ((1,), (2, 1, 3))


def test_unplayed_match_continues_until_all_have_missed_the_allowed_decisions():
    """The first of two players has missed them, and a bot plays on; the second has missed none."""
    table = Table("hearts", ("me", "me", "bot", "bot"), clock=Clock(per_decision_seconds=60, max_defaults=1))
    table.now += 60_000
    assert "GameEnded" not in table.does(0, TimeOut(), "timeout")
    assert not table.match.over
    assert "GameEnded" in table.does(1, TimeOut(), "timeout")
    assert table.match.status == "abandoned"


def test_match_with_a_human_move_is_finished_by_bots():
    table = Table("hearts", ("me", "me", "bot", "bot"), clock=Clock(per_decision_seconds=60, max_defaults=1))
    table.defaults(0)
    table.now += 60_000
    table.does(1, TimeOut(), "timeout")
    while not table.match.by_bot[0]:
        seat = life.to_act(table.match)[0]
        table.now = table.match.clocks.asked[seat] or table.now
        table.does(seat, TimeOut(), "timeout") if seat == 0 else table.defaults(seat, "bot")
    assert not table.match.over
