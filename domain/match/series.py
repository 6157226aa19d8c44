"""Decides a series of games (rules 1.10)."""

from collections import Counter
from collections.abc import Sequence

from domain.core.cards import Seat
from domain.core.values import value


@value
class Verdict:
    """The end of a series; `winner` is None if it is drawn."""

    winner: Seat | None


def judge_series(best_of: int, winners: Sequence[Seat | None]) -> Verdict | None:
    """Return the end of a series from the winner of each game, None for a drawn or shared one.

    The first to win more than half of `best_of` wins it. A game without a winner is replayed, but after three times
    `best_of` games, the most wins decide. None while it continues.
    """
    wins = Counter(w for w in winners if w is not None).most_common(2)
    if wins and wins[0][1] > best_of // 2:
        return Verdict(wins[0][0])
    if len(winners) < 3 * best_of:
        return None
    drawn = not wins or (len(wins) == 2 and wins[0][1] == wins[1][1])
    return Verdict(None if drawn else wins[0][0])
