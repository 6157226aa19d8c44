"""Decides a series of games (rules 1.10)."""

from collections import Counter
from collections.abc import Sequence

from domain.core.cards import Seat
from domain.core.values import value


@value
class Verdict:
    """A verdict is the end of a series; `winner` is None when it is drawn."""

    winner: Seat | None


def judge_series(best_of: int, winners: Sequence[Seat | None]) -> Verdict | None:
    """Judge a series by the winner of each game so far, None for one that was drawn or shared.

    The first to win more than half of `best_of` takes it. A game without a winner is played again, but
    after three times `best_of` games most wins take it. None while it goes on.
    """
    wins = Counter(w for w in winners if w is not None).most_common(2)
    if wins and wins[0][1] > best_of // 2:
        return Verdict(wins[0][0])
    if len(winners) < 3 * best_of:
        return None
    drawn = not wins or (len(wins) == 2 and wins[0][1] == wins[1][1])
    return Verdict(None if drawn else wins[0][0])
