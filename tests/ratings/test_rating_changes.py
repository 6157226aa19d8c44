"""Tests rating changes after a match: leavers, bots, repeated pairs, inactivity."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from domain.core.clock import DAY, Time
from domain.core.strengths import Figures
from domain.ratings.finished import FinishedMatch, FinishedSeat, Quick
from domain.ratings.plackett_luce import MU, Rating, rate_sides
from domain.ratings.rating_changes import LATELY, PoolStanding, opponents, rate_match
from domain.ratings.repeats import DAYS, FREE, Repeats

NO_BOTS = Figures()
BOTS = Figures(bots={"steady": 1500, "random": 900})
NOON = Time(20_000 * 1000 * DAY)


def fully(player: str, other: str) -> float:
    return 1.0


def by_pair(repeats: Repeats) -> Callable[[str, str], float]:
    return lambda player, other: repeats.weight((min(player, other), max(player, other)))


def seat(player: str, place: int, side: int | None = None, *, left: bool = False, quick: Quick = "") -> FinishedSeat:
    return FinishedSeat(player, None, ord(player[0]) if side is None else side, place, left, quick)


def bot(level: str, place: int, side: int = 99) -> FinishedSeat:
    return FinishedSeat(None, level, side, place)


def match(*seats: FinishedSeat, at: Time = NOON) -> FinishedMatch:
    return FinishedMatch("a_game", "a_game:usual:live", at, seats)


def standings_after(*args) -> dict[str, PoolStanding]:
    """Return the standings of the players of a match after it."""
    return rate_match(*args)[1]


def gained(figures: Figures, *seats: FinishedSeat, weight=fully, **known: PoolStanding) -> dict[str, float]:
    new = standings_after(match(*seats), figures, known, weight)
    return {player: standing.rating.mu - 1500 for player, standing in new.items()}


def test_winner_of_four_gains_the_most_and_all_are_counted():
    new = standings_after(match(seat("a", 1), seat("b", 2), seat("c", 2), seat("d", 4)), NO_BOTS, {}, fully)
    mus = {player: standing.rating.mu for player, standing in new.items()}
    assert mus["a"] > mus["b"] == mus["c"] > mus["d"]
    assert [(new[p].matches, new[p].wins) for p in "ad"] == [(1, 1), (1, 0)]


def test_player_who_left_ranks_behind_all_others():
    won_by_a_bot = gained(NO_BOTS, seat("a", 1, left=True), seat("b", 2), seat("c", 3))
    lost = gained(NO_BOTS, seat("a", 3), seat("b", 1), seat("c", 2))
    assert won_by_a_bot == lost


def test_two_leavers_are_tied_behind_the_others():
    of = gained(NO_BOTS, seat("a", 1, left=True), seat("b", 3, left=True), seat("c", 2))
    assert of["a"] == of["b"] < 0 < of["c"]


def test_only_the_partner_who_stayed_keeps_the_place_of_the_side():
    of = gained(NO_BOTS, seat("a", 1, 0, left=True), seat("b", 1, 0), seat("c", 2, 1), seat("d", 2, 1))
    assert of["a"] < 0 < of["b"]
    assert of["c"] == of["d"] < 0
    both = standings_after(match(seat("a", 1, 0, left=True), seat("b", 1, 0)), NO_BOTS, {}, fully)
    assert (both["a"].wins, both["b"].wins) == (0, 1)


def test_a_change_against_bots_is_halved():
    alone = gained(BOTS, seat("a", 1), bot("steady", 2))
    (fully,), _ = rate_sides([[Rating()], [Rating(1500, 0.0)]], [1, 2], BOTS.beta)
    assert alone["a"] == pytest.approx((fully.mu - 1500) / 2, abs=0.001)


def test_bot_halves_only_its_own_share_of_a_change():
    of = gained(BOTS, seat("a", 1), seat("b", 2), bot("steady", 3))
    (fully,), _, _ = rate_sides([[Rating()], [Rating()], [Rating(1500, 0.0)]], [1, 2, 3], BOTS.beta)
    assert of["a"] == pytest.approx((fully.mu - 1500) * 0.75, abs=0.001)


def test_bot_of_unknown_strength_is_ignored():
    with_one = gained(NO_BOTS, seat("a", 1), bot("easy", 2), seat("b", 3))
    assert with_one == gained(NO_BOTS, seat("a", 1), seat("b", 2))


def test_repeated_matches_of_a_pair_count_less_and_less():
    repeats = Repeats()
    weights = []
    for n in range(3 * FREE):
        weights.append(repeats.weight(("a", "b")))
        repeats.add(Time(NOON + n), [("a", "b")])
    assert weights[:FREE] == [1.0] * FREE
    assert weights[FREE:] == sorted(weights[FREE:], reverse=True)
    assert weights[-1] < 0.4
    assert repeats.weight(("a", "c")) == 1.0
    less = gained(NO_BOTS, seat("a", 1), seat("b", 2), weight=by_pair(repeats))
    assert 0 < less["a"] < 0.4 * gained(NO_BOTS, seat("a", 1), seat("b", 2))["a"] + 0.01


def test_partners_are_not_rated_against_each_other():
    four = match(seat("a", 1, 0), seat("b", 2, 1), seat("c", 1, 0), seat("d", 2, 1))
    assert sorted(opponents(four)) == [("a", "b"), ("a", "d"), ("b", "c"), ("c", "d")]


def test_repeated_meetings_are_forgotten_after_some_days():
    met = [(Time(NOON + n * 1000 * DAY), [("a", "b")]) for n in range(2 * DAYS)]
    whole, since = Repeats(), Repeats()
    for at, pairs in met:
        whole.add(at, pairs)
    for at, pairs in met:
        if at >= Repeats.since(met[-1][0]):
            since.add(at, pairs)
    assert whole.weight(("a", "b")) == since.weight(("a", "b")) == FREE / (DAYS + 1)
    whole.add(Time(NOON + 4 * DAYS * 1000 * DAY), [])
    assert whole.weight(("a", "b")) == 1.0


def test_rating_of_an_inactive_player_becomes_uncertain():
    known = PoolStanding(Rating(1500, 100), 50, 20, Time(NOON - 1000 * DAY * 1000), 0)
    fresh = replace(known, last=NOON)
    after_rest, at_once = (gained(NO_BOTS, seat("a", 1), seat("b", 2), a=one)["a"] for one in (known, fresh))
    assert after_rest > at_once > 0


def hasty(*matches: str) -> int:
    """Return the number of quick losses that flags player a after such matches: resigned, lost, or neither; 0: no
    flag."""
    standing: dict[str, PoolStanding] = {}
    ways: dict[str, Quick] = {"g": "given_up", "l": "lost", ".": ""}
    for one in "".join(matches):
        played = match(seat("a", 2, quick=ways[one]), seat("b", 1))
        standing |= standings_after(played, NO_BOTS, standing, fully)
    assert standing["b"].hasty == 0
    return standing["a"].hasty


def test_five_early_resignations_are_flagged():
    assert [hasty("g" * n) for n in (4, 5, 18)] == [0, 5, 18]


def test_repeated_resignations_to_the_same_opponent_gain_nothing():
    assert hasty("gggg.g") == hasty(".g.g.g.g.g") == 5
    assert hasty("gggg" + "." * LATELY + "gggg") == 0
    assert hasty("g.." * 10) == 0


def test_ten_quick_losses_are_flagged():
    assert [hasty("l" * n) for n in (9, 10, 12)] == [0, 10, 12]
    assert hasty("l" * 9 + ".") == hasty("l" * 5 + "." + "l" * 9) == 0
    assert hasty("gggllll") == 7


def test_flagged_player_stays_flagged():
    assert hasty("ggggg", "." * 100) == 5
    assert hasty("ggggg", "." * 100, "lg") == 7


def test_repeated_wins_over_one_opponent_lose_value():
    """When boosting, the friend's rating falls, and the pair counts less and less.

    Wins over new opponents would count fully.
    """

    def raised(names: list[str]) -> float:
        standing: dict[str, PoolStanding] = {}
        repeats = Repeats()
        for n, other in enumerate(names):
            one = match(seat("a", 1), seat(other, 2), at=Time(NOON + n))
            standing |= standings_after(one, NO_BOTS, standing, by_pair(repeats))
            repeats.add(one.at, opponents(one))
        return standing["a"].rating.mu

    ten, forty = raised(["b"] * 10) - MU, raised(["b"] * 40) - MU
    assert forty - ten < ten / 2
    strangers = [f"stranger {n}" for n in range(40)]
    assert raised(strangers) - raised(strangers[:10]) > ten
