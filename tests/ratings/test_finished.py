"""Tests which matches are rated, decided at their creation, and how leavers are rated."""

from dataclasses import replace
from typing import Any

import pytest

from domain.core.clock import Clock, Time
from domain.core.fairness import KnownDeals
from domain.core.strengths import Figures, Strengths
from domain.games.catalogue import GAMES
from domain.match.creation import DealGroup, DealKnown, MatchCreated, SeatPlan, Series
from domain.match.state import Match, Result, initial_match, rules_of
from domain.ratings.finished import read_finished_match, unrated_because
from domain.ratings.match_course import Course
from tests.match.table import options

GAME = GAMES["crazy_eights"]
UNMEASURED = replace(GAME, setup=replace(GAME.setup, strengths=Strengths()))
LIVE, MAIL = Clock(per_decision_seconds=60), Clock(per_decision_seconds=3600)
START, END = Time(1_750_000_000_000), Time(1_750_000_600_000)
SLOW = Course(START, END, {}, frozenset())
ALL = range(10)
KNOWN = DealKnown("m-0", 1, KnownDeals("m-0", 1, 1, 1, ()))


def over(players: tuple[str | None, ...], places: tuple[int, ...], **but: Any) -> Match:
    """Return a finished match, with bots in the seats without a player."""
    seats = tuple(SeatPlan("open" if player else "bot", None if player else "steady") for player in players)
    chosen = options(GAME.name, len(players), rated=but.pop("rated", True))
    created = MatchCreated(
        GAME.name, rules_of(GAME), chosen, None, seats, "public", but.pop("clock", LIVE), Series(), "ann",
        deal_known=but.pop("known", None), deal_group=but.pop("group", None),
    )  # fmt: skip
    m = initial_match(GAME, "m-1", created)
    m.players, m.status = players, "finished"
    m.result = Result((), places, (0,) * len(players), (0,) * len(players))
    for name, given in but.items():
        setattr(m, name, given)
    return m


def test_result_of_each_seat_is_rated_in_the_pool_of_game_and_pace():
    one = read_finished_match(over(("ann", "bob", "cem"), (2, 1, 3)), SLOW, ALL)
    assert one is not None
    assert (one.game, one.pool, one.at) == (GAME.name, f"{GAME.name}:usual:live", END)
    assert [(seat.player, seat.place, seat.left, seat.quick) for seat in one.seats] == [
        ("ann", 2, False, ""), ("bob", 1, False, ""), ("cem", 3, False, ""),
    ]  # fmt: skip
    by_mail = read_finished_match(over(("ann", "bob"), (2, 1), clock=MAIL), SLOW, ALL)
    assert by_mail is not None
    assert by_mail.pool == f"{GAME.name}:usual:mail"


@pytest.mark.parametrize(
    "match",
    [
        pytest.param(over(("ann", "bob"), (1, 2), rated=False), id="created as unrated"),
        pytest.param(over(("ann", "bob"), (1, 2), known=KNOWN), id="the deals were known"),
        pytest.param(over(("ann", "bob"), (1, 2), group=DealGroup("g-0", 0, 2)), id="another table had the deals"),
        pytest.param(over(("ann", "bob"), (1, 2), result=None), id="no result"),
        pytest.param(over(("ann", None), (1, 2), game=UNMEASURED), id="one player, and a bot of no fixed strength"),
        pytest.param(over((None, None), (1, 2)), id="only bots"),
        pytest.param(over(("ann", "ann", "bob"), (1, 2, 3)), id="one player in two seats"),
    ],
)
def test_unsuitable_match_is_not_rated(match: Match):
    assert read_finished_match(match, SLOW, ALL) is None


def test_resigned_and_replaced_players_count_as_left():
    three = ("ann", "bob", "cem")
    resigned = read_finished_match(over(three, (1, 2, 3)), replace(SLOW, gave_up=frozenset([0])), ALL)
    timed_out = read_finished_match(over(three, (1, 2, 3), by_bot=(True, False, False)), SLOW, ALL)
    back = read_finished_match(over(three, (1, 2, 3)), SLOW, ALL)
    assert resigned is not None
    assert timed_out is not None
    assert back is not None
    assert [[seat.left for seat in one.seats] for one in (resigned, timed_out, back)] == [
        [True, False, False], [True, False, False], [False] * 3,
    ]  # fmt: skip


def quick(course: Course, places: tuple[int, ...], **but: Any) -> list[str]:
    """Return how each player lost a match soon after its start."""
    one = read_finished_match(over(("ann", "bob", "cem", "dan")[: len(places)], places, **but), course, ALL)
    assert one is not None
    return [seat.quick for seat in one.seats]


AT_ONCE = Course(START, Time(START + 60_000), {}, frozenset())


def test_last_or_resigned_player_of_a_quick_match_lost_early():
    assert quick(AT_ONCE, (2, 1)) == ["lost", ""]
    assert quick(AT_ONCE, (1, 2, 3)) == ["", "", "lost"]
    assert quick(AT_ONCE, (1, 1)) == ["", ""]
    assert quick(replace(AT_ONCE, gave_up=frozenset([0])), (2, 1)) == ["given_up", ""]
    assert quick(AT_ONCE, (1, 2, 3), by_bot=(False, True, False)) == ["", "given_up", "lost"]
    assert quick(SLOW, (2, 1)) == ["", ""]


def test_early_eliminated_player_lost_early_in_a_long_match():
    soon, late = Time(START + 60_000), Time(END - 1)
    assert quick(replace(SLOW, gone={3: soon, 2: soon, 1: late}, gave_up=frozenset([1, 3])), (1, 2, 3, 4)) == [
        "", "", "lost", "given_up",
    ]  # fmt: skip


def test_early_loss_in_slow_matches_is_within_an_hour():
    minutes = replace(SLOW, ended=Time(START + 59 * 60_000))
    assert (quick(minutes, (2, 1), clock=MAIL), quick(minutes, (2, 1))) == (["lost", ""], ["", ""])


@pytest.mark.parametrize(
    ("clock", "levels", "most", "why"),
    [
        (LIVE, (None, None), 1, ""),
        (LIVE, (None, None, "easy"), 1, ""),
        (LIVE, (None, "steady"), 1, ""),
        (Clock(), (None, None), 1, "clock"),
        (LIVE, (None, None), 2, "one seat"),
        (LIVE, (None, "easy"), 1, "fixed strength"),
        (LIVE, ("steady", "steady"), 1, "between bots"),
    ],
)
def test_a_match_that_cannot_be_rated_is_not_created(clock: Clock, levels: tuple[str | None, ...], most: int, why: str):
    known = replace(GAME.setup, strengths=Strengths(Figures(bots={"steady": 1500})))
    rules = GAME.setup.options()
    said = unrated_because(replace(GAME, setup=known), rules, clock, levels, seats_per_player=most)
    assert why in said
    assert bool(why) == bool(said)


def test_game_without_a_winner_is_not_rated():
    game = replace(GAME, setup=replace(GAME.setup, winnable=False))
    assert "no winner" in unrated_because(game, GAME.setup.options(), LIVE, (None, None), seats_per_player=1)
