"""Tests accounts that lose on purpose: their effect on a rating, and how soon honest newcomers reach theirs."""

from statistics import mean

import pytest

from bench import cheats
from bench.cheats import HELD, KNOWN, MOST_GIFTS, YOUNG, Server
from domain.core.clock import DAY, Time
from domain.ratings.finished import FinishedSeat
from domain.ratings.plackett_luce import Rating
from domain.ratings.rating_changes import PoolStanding
from domain.ratings.trust import ENOUGH, NEEDED, Trust

SOME = 100


def old_server(*, in_full: bool = False) -> tuple[Server, list[str]]:
    """Return a server whose players have settled, accurate ratings and enough vouchers."""
    server = Server(cheats.SEED, in_full=in_full)
    players = server.join(f"old {n}" for n in range(SOME))
    for n, player in enumerate(players):
        vouchers = tuple(players[(n + k) % SOME] for k in range(1, ENOUGH + 1))
        server.fold.trusts[player] = Trust(vouchers=vouchers, proven=True)
        known = PoolStanding(Rating(round(server.strengths[player], 3), 200.0), 50, 25, Time(server.at))
        server.fold.standings[cheats.POOL, player] = known
    server.fold.proven = SOME
    return server, players


def gained(cheat: cheats.Cheat, *, new: bool = False) -> float:
    """Return how much a rating gains from throwaways."""
    server, others = old_server()
    to = server.join(["the winner"])[0] if new else others.pop()
    throwaways = server.join(f"throwaway {n}" for n in range(cheats.THROWAWAYS))
    before = server.rating(to)
    cheat(server, to, throwaways, others)
    now = server.rating(to)
    return max(now.mu - before.mu, now.shown - before.shown)


@pytest.mark.parametrize("new", [False, True])
@pytest.mark.parametrize("cheat", HELD.values(), ids=HELD)
def test_hundred_throwaways_give_almost_nothing_without_three_real_wins_each(cheat: cheats.Cheat, new: bool):
    assert gained(cheat, new=new) <= MOST_GIFTS


@pytest.mark.parametrize("size", [8, 20])
@pytest.mark.parametrize("cheat", YOUNG.values(), ids=YOUNG)
def test_hundred_throwaways_give_almost_nothing_on_a_young_server(cheat: cheats.Cheat, size: int):
    assert cheats.gained(cheat, size=size, new=False, in_full=False) <= MOST_GIFTS


@pytest.mark.parametrize(
    ("throwaways", "own"),
    [
        ("1 wins 3 real matches first", "3 real wins by the winner instead"),
        ("10 win 3 real matches each first", "30 real wins by the winner instead"),
    ],
)
def test_throwaways_give_less_than_their_real_wins_would(throwaways: str, own: str):
    assert 0 < gained(KNOWN[throwaways]) < gained(KNOWN[own])


def test_throwaway_among_several_outsiders_does_not_count():
    """The winner's rating changes as if only the outsiders had played."""
    server, (to, one, other, *_) = old_server()
    server.comes_in(to, one, other, *server.join(["throwaway"]))
    alone, _ = old_server()
    alone.comes_in(to, one, other)
    assert server.rating(to) == alone.rating(to)
    assert server.rating(to).mu > old_server()[0].rating(to).mu


@pytest.mark.parametrize("throwaways", [1, 2, 4])
def test_outsider_does_not_count_at_a_table_with_as_many_throwaways(throwaways: int):
    server, (to, outsider, *_) = old_server()
    before = server.rating(to)
    server.comes_in(to, outsider, *server.join(f"throwaway {n}" for n in range(throwaways)))
    assert server.rating(to) == before


def test_bot_does_not_count_at_a_table_with_a_throwaway():
    server, (to, one, other, *_) = old_server()
    seats = [FinishedSeat(player, None, side, side + 1) for side, player in enumerate((to, one, other))]
    bot, throwaway = FinishedSeat(None, "steady", 3, 4), FinishedSeat(*server.join(["throwaway"]), None, 4, 5)
    server.rate(*seats, bot, throwaway)
    alone, _ = old_server()
    alone.rate(*seats)
    with_the_bot, _ = old_server()
    with_the_bot.rate(*seats, bot)
    assert server.rating(to) == alone.rating(to) != with_the_bot.rating(to)


def test_outsider_as_partner_does_not_make_a_throwaway_count():
    server, (to, partner, outsider, *_) = old_server()
    before = server.rating(to)
    sides = ((to, partner), (outsider, *server.join(["throwaway"])))
    server.rate(*(FinishedSeat(one, None, side, side + 1) for side, people in enumerate(sides) for one in people))
    assert server.rating(to).mu == before.mu


def error_after(rounds: int, strength: float, *, in_full: bool) -> float:
    """Return the mean error of twenty newcomers of a given strength, in a community whose players meet at random."""
    server, others = old_server(in_full=in_full)
    players = server.join(f"new {n}" for n in range(cheats.FEW_NEWCOMERS))
    server.strengths.update(dict.fromkeys(players, strength))
    server.rounds([*players, *others], rounds)
    return mean(server.error(player) for player in players)


@pytest.mark.parametrize("strength", [1200.0, 1500.0])
def test_newcomers_reach_their_rating_as_fast_as_if_all_results_counted(strength: float):
    errors = [error_after(30, strength, in_full=in_full) for in_full in (False, True)]
    assert errors[0] <= cheats.SLOWER * errors[1]


def test_opponents_of_weak_newcomers_are_rated_after_some_matches():
    """Of the results against newcomers of 1200 points in their first 40 matches, at least two thirds count."""
    server, others = old_server()
    players = server.join(f"new {n}" for n in range(cheats.FEW_NEWCOMERS))
    server.strengths.update(dict.fromkeys(players, 1200.0))
    counted = []
    for _ in range(40):
        server.at += 1000 * DAY
        for player in players:
            opponent = server.rng.choice(others)
            before = server.rating(opponent).mu
            server.meet(player, opponent)
            counted.append(server.rating(opponent).mu != before)
    assert mean(counted) >= 2 / 3
    assert not any(counted[: NEEDED * len(players)])
