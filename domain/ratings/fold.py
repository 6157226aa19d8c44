"""Folds rated matches into ratings, in memory; the same matches in the same order give the same ratings."""

from collections.abc import Callable, Mapping

from domain.core.strengths import Figures
from domain.core.values import value
from domain.ratings.finished import FinishedMatch
from domain.ratings.rating_changes import PoolStanding, opponents, rate_match
from domain.ratings.repeats import FREE, Repeats, weight_of
from domain.ratings.trust import NOTHING_KNOWN, Trust, trust_after

Key = tuple[str, str]
"""A pool and a player."""


@value
class FoldStep:
    """The effects of a match on the standings of its players, and on the trust in players.

    `rated`: it has changed ratings; other matches count only for flags.
    """

    rated: bool
    standings: Mapping[str, PoolStanding]
    trusts: Mapping[str, Trust]


class MatchFold:
    """Folds matches one by one.

    `standings` and `trusts` hold the current knowledge; `proven` counts the proven players.
    """

    def __init__(self, figures: Callable[[FinishedMatch], Figures]) -> None:
        self.standings: dict[Key, PoolStanding] = {}
        self.trusts: dict[str, Trust] = {}
        self._repeats = Repeats()
        self.proven = 0
        self._figures = figures

    def rate(self, match: FinishedMatch) -> FoldStep:
        """Add a match, and return its changes."""
        people = [seat.player for seat in match.seats if seat.player is not None]
        before = {who: self.standings[match.pool, who] for who in people if (match.pool, who) in self.standings}
        rated, new = rate_match(match, self._figures(match), before, self._weight)
        trusts = trust_after(match, self.trusts, self.proven)
        self.meet(match)
        for who, standing in new.items():
            self.standings[match.pool, who] = standing
        for who, trust in trusts.items():
            self.proven += trust.proven - self.trusts.get(who, NOTHING_KNOWN).proven
            self.trusts[who] = trust
        return FoldStep(rated, new, trusts)

    def meet(self, match: FinishedMatch) -> None:
        """Count that players have met in a match."""
        self._repeats.add(match.at, opponents(match))

    def _weight(self, player: str, other: str) -> float:
        met = self._repeats.met((player, other) if player < other else (other, player))
        share = self.trusts.get(other, NOTHING_KNOWN).share_for(player)
        if met and share < 1:
            return 0.0
        return share if met < FREE else share * weight_of(met)
