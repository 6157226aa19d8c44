"""Tests proven players, and the weight of results against unproven ones."""

import pytest

from domain.core.clock import DAY, Time
from domain.core.strengths import Figures
from domain.ratings.finished import FinishedMatch, FinishedSeat, Quick
from domain.ratings.plackett_luce import MU
from domain.ratings.rating_changes import MatchFold, PoolStanding
from domain.ratings.trust import ENOUGH, FIRST, FOUNDERS, MATCHES, MOST_VOUCHED, NEEDED, Trust

POOL = "a_game:usual:live"
NOON = Time(20_000 * 1000 * DAY)


class Server:
    """A server on which matches of two are played, a minute apart."""

    def __init__(self, *founders: str) -> None:
        self.fold = MatchFold(lambda match: Figures())
        self.at = NOON
        for one in founders:
            self.fold.trusts[one] = Trust(needed=0, proven=True)
        self.fold.proven = len(founders)

    def beats(
        self, winner: str, loser: str, *, quick: Quick = "", decided: bool = True, wins: bool = True, left: bool = False
    ) -> None:
        self.at = Time(self.at + 60_000)
        seats = (FinishedSeat(winner, None, 0, 1, decided=wins), FinishedSeat(loser, None, 1, 2, left, quick, decided))
        self.fold.rate(FinishedMatch("a_game", POOL, self.at, seats))

    def plays(self, *order: tuple[str, int]) -> None:
        """Let players finish in these places."""
        self.at = Time(self.at + 60_000)
        seats = [FinishedSeat(player, None, side, place) for side, (player, place) in enumerate(order)]
        self.fold.rate(FinishedMatch("a_game", POOL, self.at, tuple(seats)))

    def knows(self, player: str) -> PoolStanding:
        return self.fold.standings[POOL, player]

    def gains(self, winner: str, loser: str) -> float:
        before = self.fold.standings.get((POOL, winner), PoolStanding()).rating.mu
        self.beats(winner, loser)
        return self.knows(winner).rating.mu - before

    def passes(self, days: int) -> None:
        self.at = Time(self.at + days * 1000 * DAY)

    def proven(self, player: str) -> bool:
        return self.fold.trusts.get(player, Trust()).proven

    def vouchers(self, player: str) -> tuple[str, ...]:
        return self.fold.trusts[player].vouchers


OLD = tuple(f"old {n}" for n in range(FOUNDERS))


def test_result_counts_nothing_for_the_winner_when_the_loser_is_not_proven():
    one = Server(*OLD)
    assert one.gains("ann", "new") == 0
    assert one.knows("new").rating.mu == MU
    assert one.knows("ann").matches == 1


def test_loss_against_a_proven_player_counts_in_full_when_the_loser_is_new():
    one = Server(*OLD)
    one.beats(OLD[0], "new")
    assert one.knows("new").rating.mu < MU - 50


def test_match_changes_no_rating_when_one_side_decided_nothing():
    for wins, loses in ((True, False), (False, True), (False, False)):
        one = Server(*OLD)
        one.beats(OLD[0], OLD[1], decided=loses, wins=wins)
        for player in OLD[:2]:
            assert one.knows(player).rating.mu == MU
            assert (one.knows(player).matches, one.knows(player).wins) == (0, 0)


def test_active_players_are_rated_if_another_decided_nothing():
    one = Server(*OLD)
    seats = [FinishedSeat(player, None, n, n + 1, decided=n != 2) for n, player in enumerate(OLD[:3])]
    one.fold.rate(FinishedMatch("a_game", POOL, NOON, tuple(seats)))
    first, second, third = (one.knows(player) for player in OLD[:3])
    assert first.rating.mu > MU > second.rating.mu
    assert (third.rating.mu, third.matches) == (MU, 0)
    alone = Server(*OLD)
    alone.beats(OLD[0], OLD[1])
    assert alone.knows(OLD[0]).rating == first.rating


def test_player_against_bots_is_not_rated_when_the_player_decided_nothing():
    fold = MatchFold(lambda match: Figures(bots={"steady": 1500}))
    seats = (FinishedSeat("ann", None, 0, 2, decided=False), FinishedSeat(None, "steady", 1, 1))
    assert not fold.rate(FinishedMatch("a_game", POOL, NOON, seats)).rated
    assert fold.standings[POOL, "ann"].rating.mu == MU


def test_player_is_proven_by_beating_enough_proven_players():
    one = Server(*OLD)
    for n in range(NEEDED):
        assert not one.proven("new")
        one.beats("new", OLD[n])
    assert one.proven("new")
    assert one.gains(OLD[5], "new") > 10


def test_lost_matches_prove_no_one():
    one = Server(*OLD)
    for n in range(FOUNDERS):
        one.beats(OLD[n], "new")
    assert not one.proven("new")


@pytest.mark.parametrize("places", [(1, 1), (2, 1)])
def test_draw_vouches_for_no_one(places: tuple[int, int]):
    one = Server(*OLD)
    one.plays(*zip(("new", OLD[0]), places, strict=True))
    assert one.vouchers("new") == ()


@pytest.mark.parametrize(
    ("order", "vouches"),
    [
        (("new", OLD[0], OLD[1], OLD[2]), True),
        ((OLD[0], "new", OLD[1], OLD[2]), True),
        ((OLD[0], OLD[1], "new", OLD[2]), False),
        (("new", OLD[0], OLD[1], "other"), True),
        (("new", OLD[0], "other", "another"), False),
        (("new", OLD[0], "other"), False),
    ],
)
def test_player_gets_a_voucher_by_beating_proven_players_on_most_of_a_table(order, vouches):
    one = Server(*OLD)
    one.plays(*((player, place) for place, player in enumerate(order, 1)))
    assert len(one.vouchers("new")) == int(vouches)


def test_player_who_left_a_table_is_behind_those_who_stayed():
    one = Server(*OLD)
    one.beats("new", OLD[0], left=True)
    assert one.vouchers("new") == (OLD[0],)
    seats = (FinishedSeat("other", None, 0, 1, left=True), FinishedSeat(OLD[1], None, 1, 2))
    one.fold.rate(FinishedMatch("a_game", POOL, one.at, seats))
    assert one.vouchers("other") == ()


def test_each_further_voucher_lets_a_result_count_again():
    one = Server(*OLD)
    for n in range(NEEDED + 1):
        one.beats("new", OLD[n])
    assert [one.gains("ann", "new") > 0 for _ in range(3)] == [True, True, False]
    for n in range(NEEDED + 1, ENOUGH):
        one.beats("new", OLD[n])
    for _ in range(ENOUGH + 2):
        assert one.gains("ann", "new") > 0


def test_unproven_players_cannot_prove_each_other():
    one = Server(*OLD)
    for n in range(100):
        one.beats(f"new {n % 10}", f"new {(n + 1 + n // 10) % 10}")
    assert one.fold.proven == FOUNDERS


def test_own_voucher_for_an_opponent_does_not_count_if_others_are_missing():
    one = Server(*OLD)
    for n in range(NEEDED):
        one.beats("new", OLD[n])
    assert [one.gains(OLD[n], "new") > 0 for n in (0, NEEDED)] == [False, True]


def test_quick_or_undecided_match_vouches_for_no_one():
    one = Server(*OLD)
    for n in range(2 * NEEDED):
        one.beats("new", OLD[n], quick="given_up")
        one.beats("new", OLD[n], quick="lost")
        one.beats("new", OLD[n], decided=False)
        one.beats("new", OLD[n], wins=False)
    assert not one.proven("new")


def test_player_vouches_for_only_a_few_others_per_month():
    one = Server(*OLD)
    for n in range(MOST_VOUCHED + 5):
        one.beats(f"new {n}", OLD[0])
    vouched = [bool(one.vouchers(f"new {n}")) for n in range(MOST_VOUCHED + 5)]
    assert vouched == [True] * MOST_VOUCHED + [False] * 5
    one.passes(days=30)
    one.beats(f"new {MOST_VOUCHED}", OLD[0])
    assert one.vouchers(f"new {MOST_VOUCHED}") == (OLD[0],)


def test_player_vouches_for_others_only_with_enough_vouchers():
    one = Server(*OLD)
    for n in range(ENOUGH):
        one.beats("new", OLD[n])
        one.beats(f"new {n}", "new")
        assert bool(one.vouchers(f"new {n}")) == (n == ENOUGH - 1)


@pytest.mark.parametrize("known", [8, 20])
def test_players_cannot_prove_each_other_once_a_few_others_are_proven(known: int):
    one = Server(*OLD[:known])
    for n in range(100):
        one.beats(OLD[0], f"new {n}")
        one.beats(f"new {n}", f"new {(n + 1) % 100}")
        one.beats(f"new {n}", f"new {(n + 2) % 100}")
    assert one.fold.proven == known


@pytest.mark.parametrize(
    ("known", "vouchers"),
    [(0, 0), (FIRST - 1, 0), (FIRST, NEEDED - 1), (FOUNDERS - 1, NEEDED - 1), (FOUNDERS, NEEDED)],
)
def test_player_needs_more_vouchers_the_more_players_are_proven(known: int, vouchers: int):
    for met in range(vouchers + 1):
        one = Server(*OLD[:known])
        for n in range(MATCHES):
            one.beats("new", f"unknown {n}")
        for n in range(met):
            one.beats("new", OLD[n])
        assert one.proven("new") == (met == vouchers)


def test_founder_vouches_immediately():
    one = Server(*OLD[:FIRST])
    for n in range(NEEDED - 1):
        one.beats("new", OLD[n])
    one.beats("another", "new")
    assert one.vouchers("another") == ("new",)


def test_founder_gets_a_voucher_at_a_table_of_mostly_unproven_players():
    for known, vouches in ((FIRST, True), (FOUNDERS, False)):
        one = Server(*OLD[:known])
        one.plays(("new", 1), (OLD[0], 2), ("other", 3), ("another", 4))
        assert bool(one.vouchers("new")) == vouches


def test_own_voucher_for_an_opponent_does_not_count_on_a_young_server():
    one = Server(*OLD[:FIRST])
    for n in range(NEEDED - 1):
        one.beats("new", OLD[n])
    assert one.proven("new")
    assert [one.gains(OLD[n], "new") > 0 for n in (0, NEEDED)] == [False, True]


def test_first_players_of_a_server_are_proven_by_matches():
    one = Server()
    for n in range(MATCHES):
        assert not one.proven("ann")
        one.beats("ann", "bob" if n % 2 else "cem")
    assert one.proven("ann")
    assert one.gains("bob", "ann") > 50


def test_winner_of_matches_given_away_is_flagged():
    one = Server(*OLD)
    for n in range(5):
        assert one.fold.standings.get((POOL, OLD[0]), PoolStanding()).gifts == 0
        one.beats(OLD[0], f"new {n}", decided=n % 2 > 0, quick="given_up" if n % 2 else "")
    assert one.knows(OLD[0]).gifts == 5
    one.beats(OLD[0], OLD[1])
    assert one.knows(OLD[0]).gifts == 5


def test_winner_is_flagged_after_repeated_resignations_of_provisional_players():
    one = Server(*OLD)
    for n in range(10):
        for m in range(30):
            one.beats(*((OLD[2 + n], OLD[30 + n]) if m % 2 else (OLD[30 + n], OLD[2 + n])))
        one.beats(OLD[0], f"new {n}", left=True)
        one.beats(OLD[1], OLD[2 + n], left=True)
    assert (one.knows(OLD[0]).gifts, one.knows(OLD[1]).gifts) == (10, 0)
