"""Tests the course of a match: its start and end, and how each seat's part in it ended."""

from dataclasses import replace
from random import Random

import pytest

from domain import match as life
from domain.core.clock import Clock, Time
from domain.games.catalogue import GAMES
from domain.match.clocks import TimeOut
from domain.match.resignations import Resign
from domain.match.seating import Sit
from domain.ratings.finished import read_finished_match
from domain.ratings.match_course import Course, course_of, deciders
from tests.match.table import Table

LIVE = Clock(per_decision_seconds=60)
DUELS = [game.name for game in GAMES.values() if game.setup.winnable and 2 in game.setup.seats]


class Watched:
    """A rated match of people with recorded commit times."""

    def __init__(self, game: str, seats: int, *, best_of: int = 1, clock: Clock = LIVE) -> None:
        self.table = Table(game, ("open",) * seats, {"rated": True}, clock, best_of)
        self.times = [(self.table.now, len(self.table.said))]
        for seat, player in enumerate("abcdefghij"[:seats]):
            self.does(seat, Sit(player))

    def does(self, seat: int, command: object, seconds: int = 0, cause: str = "move") -> None:
        self.table.now += 1000 * seconds
        self.table.does(seat, command, cause)
        self.times.append((self.table.now, len(self.table.said)))

    def course(self) -> Course:
        before, commits = 0, []
        for at, upto in self.times:
            commits.append((Time(at), self.table.events[before:upto]))
            before = upto
        m, course = course_of(self.table.match.game, self.table.match.id, commits)
        assert m == self.table.match
        return course

    def losses(self) -> list[str]:
        """Return how each player lost soon after the start, as noted for ratings."""
        one = read_finished_match(self.table.match, self.course(), self.table.match.seats)
        assert one is not None
        return [seat.quick for seat in one.seats]


@pytest.mark.parametrize(("absent", "deciding"), [((), {0, 1}), ((0,), {1}), ((0, 1), set())])
def test_player_whose_first_decision_ran_out_is_no_decider(absent: tuple[int, ...], deciding: set[int]):
    """A player who could come back to finish only won matches would gain by being away."""
    one = Watched("crazy_eights", 2)
    late = set(absent)
    for _ in range(6):
        (seat,) = life.to_act(one.table.match)
        if seat in late:
            late.remove(seat)
            one.does(seat, TimeOut(), 60, "timeout")
        else:
            one.does(seat, life.legal(one.table.match, seat)[0].sample(Random(1)))
    happened = [(told.event, told.cause) for told in one.table.said]
    assert deciders(one.table.match.game, happened) == deciding


@pytest.mark.parametrize("game", DUELS)
@pytest.mark.parametrize("whole", [False, True])
def test_resignation_with_two_players_counts_as_leaving_in_every_game(game: str, whole: bool):
    one = Watched(game, 2)
    began = one.table.now
    one.does(0, Resign(whole), 30)
    assert one.course() == Course(Time(began), Time(began + 30_000), {}, frozenset([0]))
    assert one.losses() == ["given_up", ""]


def test_only_resigning_the_last_game_counts_as_leaving_a_series():
    one = Watched("gin_rummy", 2, best_of=3)
    one.does(0, Resign(), 10)
    one.does(1, Resign(), 10)
    assert not one.table.match.over
    one.does(0, Resign(), 10)
    assert one.course().gave_up == frozenset([0])
    assert one.losses() == ["given_up", ""]


@pytest.mark.parametrize("game", ["holdem", "five_card_draw"])
def test_early_resigner_lost_early_while_others_play_on(game: str):
    one = Watched(game, 4)
    began = one.table.now
    one.does(2, Resign(), 20)
    for seat in (0, 3):
        one.does(seat, Resign(), 600)
    assert one.table.match.over
    course = one.course()
    assert course.gave_up == frozenset([0, 2, 3])
    assert course.gone[2] == began + 20_000
    assert one.losses() == ["", "", "given_up", ""]


def test_resigned_and_replaced_players_count_as_having_left():
    one = Watched("crazy_eights", 3)
    began = one.table.now
    one.does(1, Resign(), 15)
    assert one.table.match.by_bot == (False, True, False)
    one.does(0, Resign(), 200)
    course = one.course()
    assert course.gone == {1: Time(began + 15_000), 0: Time(began + 215_000)}
    assert course.gave_up == frozenset([0, 1])


def test_player_whose_time_forfeits_the_match_counts_as_resigned():
    one = Watched("gin_rummy", 2, clock=replace(LIVE, on_expiry="forfeit"))
    rng, m = Random(1), one.table.match
    while not m.over:
        (seat,) = life.to_act(m)
        if seat == 0:
            one.does(0, TimeOut(), 60, "timeout")
        else:
            one.does(1, life.legal(m, 1)[0].sample(rng), 1)
        m = one.table.match
    assert one.course().gave_up == frozenset([0])
