"""Results: a game of the series is won, the match ends, and the operator may annul it (rules 1.10)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from domain.core import text as words
from domain.core.cards import Seat
from domain.core.game import Outcome
from domain.core.values import value
from domain.match.match_part import MatchPart
from domain.match.state import Match, Result
from domain.match.status import given_up, is_deserted, rank_with_resigned, reason, verdict


@value
class GameWon:
    """The game is over; `winner` is the first seat of the winning side, `NOBODY` if it was drawn or shared.

    `scores` are those of the game, seat by seat.
    """

    winner: Seat | None
    """The first seat of the winning side; null if the game is drawn or shared."""
    scores: tuple[int, ...]
    """The score of each seat in the game."""


@value
class MatchEnded:
    result: Result | None
    """The result of the match; null if it was never played."""
    reason: Literal["played", "resignation", "draw", "abandoned", "cancelled", "expired"]
    """What has ended the match."""


@value
class MatchAnnulled:
    """The operator has annulled the match: it counts for ratings and statistics no longer. Its result is kept."""

    reason: str
    """Why it was annulled, in a sentence."""


@value
class Annul:
    """Annul a match that is over, by a ruling of the operator."""

    reason: str


_STATUS: Final[Mapping[str, str]] = {
    "played": "finished",
    "resignation": "finished",
    "draw": "finished",
    "abandoned": "abandoned",
    "cancelled": "cancelled",
    "expired": "expired",
}
"""The reason of a match's end decides its status."""


_WITHOUT_RESULT: Final[Mapping[str, str]] = {
    "cancelled": "is cancelled before its start",
    "abandoned": "is abandoned: no player ever moved",
}


def say_result(event: MatchEnded) -> str:
    """Return the result of a match in words."""
    if event.result is None:
        return _WITHOUT_RESULT.get(event.reason, "has not started in time")
    games = f"; games won: {words.for_each_seat(event.result.wins)}" if max(event.result.wins) > 1 else ""
    return f"is over: {words.name_winners(event.result.winners)}{words.ending_reason(event.reason)}{games}"


def say_winners(side: Sequence[Seat]) -> str:
    """Return the seats that won a game together."""
    who = words.name_winners(side)
    return f"{who[0].upper()}{who[1:]} the game."


def game_won(m: Match) -> GameWon:
    """Return the winner of the finished game."""
    outcome = m.game.outcome(m.table)
    assert outcome is not None
    return GameWon(_winner(m, outcome), outcome.scores)


def _winner(m: Match, outcome: Outcome) -> Seat | None:
    """Return the single winner of the finished game, or the first seat of its single winning side.

    A seat that resigned the match does not win; a partner who plays on with a bot may.
    """
    if not outcome.winners:
        return None
    sides = m.game.setup.sides(m.options, len(m.seats))
    best = outcome.places if m.game.leaving.resign else rank_with_resigned(m, outcome.places)
    first = {sides[s] for s in m.seats if best[s] == 1}
    return sides.index(first.pop()) if len(first) == 1 else None


def end_match(m: Match) -> tuple[Any, ...]:
    """End the match that is decided, with its result."""
    decided, outcome = verdict(m), m.game.outcome(m.table)
    if is_deserted(m):
        return (MatchEnded(None, "abandoned"),)
    assert decided is not None
    assert outcome is not None
    sides = m.game.setup.sides(m.options, len(m.seats))
    wins = tuple(m.winners.count(sides.index(sides[s])) for s in m.seats)
    one = len(m.winners) == 1
    ahead = outcome.places if one else _by_games(m, wins)
    by_game = one and m.game.leaving.resign and not any(ahead[s] == 1 for s in m.resigned)
    places = ahead if by_game else rank_with_resigned(m, ahead)
    drawn = decided.winner is None and not given_up(m)
    winners = () if drawn else tuple(s for s in m.seats if places[s] == 1)
    return (MatchEnded(Result(winners, places, wins, outcome.scores), reason(m)),)


def _by_games(m: Match, wins: Sequence[int]) -> tuple[int, ...]:
    """Place the seats of a series by the games won; of those behind the first, by the sum of their scores too."""
    sign = 1 if m.game.setup.low_wins else -1
    sums = [sign * sum(game[s] for game in m.scores if game) for s in m.seats]
    most = max(wins)
    rows = [(-won, 0 if won == most else total) for won, total in zip(wins, sums, strict=True)]
    return tuple(1 + sum(other < mine for other in rows) for mine in rows)


def evolve_results(m: Match, event: Any) -> None:
    """Assign the winners of games, and the result of the match."""
    match event:
        case GameWon():
            m.winners, m.scores, m.judged = (*m.winners, event.winner), (*m.scores, event.scores), True
        case MatchEnded():
            m.result, m.status = event.result, _STATUS[event.reason]
        case MatchAnnulled():
            m.annulled = event.reason


RESULTS: Final = MatchPart(
    texts={
        GameWon: "{winner:won}",
        MatchEnded: "The match {:ended}.",
        MatchAnnulled: "The match is void: {reason:as_said}",
    },
    words={
        "as_said": str,
        "won": lambda winner: say_winners([] if winner is None else [winner]),
        "ended": say_result,
    },
    evolve=evolve_results,
    decide={Annul: lambda m, seat, c, now: (MatchAnnulled(c.reason),)},
    admits={"operator": {Annul: lambda m, seat, c, now: m.result is not None and m.annulled is None}},
    read_command={MatchAnnulled: lambda m, event: (0, Annul(event.reason))},
)
