"""Who is proven, and how much results count against players who are not."""

import pytest

from domain.core.clock import DAY, Time
from domain.core.strengths import Figures
from domain.ratings import (
    FOUNDERS,
    MATCHES,
    MOST_VOUCHED,
    MU,
    NEEDED,
    UNPROVEN,
    VOUCHES_AFTER_DAYS,
    FinishedMatch,
    FinishedSeat,
    MatchFold,
    PoolStanding,
    Trust,
)
from domain.ratings.finished import Quick

POOL = "a_game:usual:live"
NOON = Time(20_000 * 1000 * DAY)


class Server:
    """A server on which matches of two are played, a minute after each other."""

    def __init__(self, *founders: str) -> None:
        self.fold = MatchFold(lambda match: Figures())
        self.at = NOON
        for one in founders:
            self.fold.trusts[one] = Trust(needed=0, proven_on=0)
        self.fold.proven = len(founders)

    def beats(
        self, winner: str, loser: str, *, quick: Quick = "", decided: bool = True, wins: bool = True, left: bool = False
    ) -> None:
        self.at = Time(self.at + 60_000)
        seats = (FinishedSeat(winner, None, 0, 1, decided=wins), FinishedSeat(loser, None, 1, 2, left, quick, decided))
        self.fold.rate(FinishedMatch("a_game", POOL, self.at, seats))

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


OLD = tuple(f"old {n}" for n in range(FOUNDERS))


def test_result_counts_little_when_the_opponent_is_not_proven():
    one, another = Server(*OLD), Server(*OLD)
    gained = another.gains("ann", OLD[0])
    assert 0 < one.gains("ann", "new") <= 2 * UNPROVEN * gained
    assert one.knows("new").rating.mu < MU
    assert one.knows("ann").matches == 1


def test_result_against_a_player_who_is_not_proven_counts_once_in_a_while():
    one = Server(*OLD)
    assert one.gains("ann", "new") > 0
    assert one.gains("ann", "new") == 0
    one.passes(days=40)
    one.beats("bob", "cem")
    assert one.gains("ann", "new") > 0


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


def test_those_who_decided_are_rated_when_another_at_the_table_decided_nothing():
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


def test_player_is_proven_when_enough_proven_players_have_played_them():
    one = Server(*OLD)
    for n in range(NEEDED):
        assert not one.proven("new")
        one.beats(OLD[n], "new")
    assert one.proven("new")
    assert one.gains(OLD[5], "new") > 10


def test_unproven_players_cannot_prove_each_other():
    one = Server(*OLD)
    for n in range(100):
        one.beats(f"new {n % 10}", f"new {(n + 1 + n // 10) % 10}")
    assert one.fold.proven == FOUNDERS


def test_own_word_for_an_opponent_does_not_count_when_others_are_missing():
    one = Server(*OLD)
    for n in range(NEEDED):
        one.beats(OLD[n], "new")
    assert [one.gains(OLD[n], "new") < 1 for n in (0, NEEDED)] == [True, False]


def test_quick_or_undecided_match_vouches_for_no_one():
    one = Server(*OLD)
    for n in range(2 * NEEDED):
        one.beats(OLD[n], "new", quick="given_up")
        one.beats(OLD[n], "new", quick="lost")
        one.beats(OLD[n], "new", decided=False)
    assert not one.proven("new")


def test_player_vouches_for_few_in_a_month():
    one = Server(*OLD)
    for n in range(MOST_VOUCHED + 5):
        one.beats(OLD[0], f"new {n}")
    vouched = [bool(one.fold.trusts[f"new {n}"].vouchers) for n in range(MOST_VOUCHED + 5)]
    assert vouched == [True] * MOST_VOUCHED + [False] * 5
    one.passes(days=30)
    one.beats(OLD[0], "new 12")
    assert one.fold.trusts["new 12"].vouchers == (OLD[0],)


def test_player_vouches_for_others_only_some_time_after_being_proven():
    one = Server(*OLD)
    for n in range(NEEDED):
        one.beats(OLD[n], "new")
    one.beats("new", "another")
    one.passes(days=VOUCHES_AFTER_DAYS - 1)
    one.beats("new", "another")
    assert one.fold.trusts["another"].vouchers == ()
    one.passes(days=1)
    one.beats("new", "another")
    assert one.fold.trusts["another"].vouchers == ("new",)


def test_accounts_cannot_prove_each_other_in_a_day():
    one = Server(*OLD)
    accounts = [f"new {n}" for n in range(100)]
    for n, account in enumerate(accounts[:4]):
        for stranger in OLD[4 * n : 4 * n + 4]:
            one.beats(stranger, account)
    for n, account in enumerate(accounts[4:]):
        for other in accounts[max(n - 10, 0) : n + 4]:
            one.beats(other, account)
    assert one.fold.proven == FOUNDERS + 4


@pytest.mark.parametrize("known", [8, 20])
def test_players_are_not_proven_by_each_other_when_a_few_others_are_proven(known: int):
    one = Server(*OLD[:known])
    for n in range(100):
        one.beats(OLD[0], f"new {n}")
        one.beats(f"new {n}", f"new {(n + 1) % 100}")
        one.beats(f"new {n}", f"new {(n + 2) % 100}")
    assert one.fold.proven == known


@pytest.mark.parametrize(
    ("known", "vouchers"), [(0, 0), (3, 0), (4, 1), (7, 1), (8, 2), (FOUNDERS - 1, 2), (FOUNDERS, 3)]
)
def test_player_needs_more_vouchers_the_more_players_are_proven(known: int, vouchers: int):
    for met in range(vouchers + 1):
        one = Server(*OLD[:known])
        for n in range(MATCHES):
            one.beats("new", f"unknown {n}")
        for n in range(met):
            one.beats(OLD[n], "new")
        assert one.proven("new") == (met == vouchers)


def test_founder_vouches_immediately():
    one = Server(*OLD[:8])
    for n in range(2):
        one.beats(OLD[n], "new")
    one.beats("new", "another")
    assert one.fold.trusts["another"].vouchers == ("new",)


def test_own_word_for_an_opponent_does_not_count_when_the_server_is_young():
    one = Server(*OLD[:4])
    one.beats(OLD[0], "new")
    one.beats(OLD[0], "new")
    assert one.proven("new")
    assert [one.gains(OLD[n], "new") > 10 for n in (0, 1)] == [False, True]


def test_first_players_of_a_server_are_proven_by_matches():
    one = Server()
    for n in range(MATCHES):
        assert not one.proven("ann")
        one.beats("ann", "bob" if n % 2 else "cem")
    assert one.proven("ann")
    assert one.gains("bob", "ann") > 50


def test_winner_is_flagged_when_matches_were_given_to_them():
    one = Server(*OLD)
    for n in range(5):
        assert one.fold.standings.get((POOL, OLD[0]), PoolStanding()).gifts == 0
        one.beats(OLD[0], f"new {n}", decided=n % 2 > 0, quick="given_up" if n % 2 else "")
    assert one.knows(OLD[0]).gifts == 5
    one.beats(OLD[0], OLD[1])
    assert one.knows(OLD[0]).gifts == 5


def test_winner_is_flagged_when_provisional_players_give_up_again_and_again_after_some_time():
    one = Server(*OLD)
    for n in range(10):
        for m in range(30):
            one.beats(*((OLD[2 + n], OLD[30 + n]) if m % 2 else (OLD[30 + n], OLD[2 + n])))
        one.beats(OLD[0], f"new {n}", left=True)
        one.beats(OLD[1], OLD[2 + n], left=True)
    assert (one.knows(OLD[0]).gifts, one.knows(OLD[1]).gifts) == (10, 0)


def test_honest_rating_gains_little_when_a_hundred_new_accounts_lose_to_it():
    """From every state of the rating, and whether or not they decide something before they give up."""
    for played in (0, 5, 60):
        one = Server(*OLD)
        for n in range(played):
            one.beats(*(("ann", OLD[n % 50]) if n % 2 else (OLD[n % 50], "ann")))
        before = one.fold.standings.get((POOL, "ann"), PoolStanding()).rating
        for n in range(100):
            one.beats("ann", f"new {n}", left=True)
        after = one.knows("ann").rating
        assert 0 < after.mu - before.mu <= 30
        assert 0 < after.shown - before.shown <= 30
