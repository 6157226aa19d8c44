"""Results: a game of the series is won, the match ends, is cancelled or stopped, and may be voided (rules 1.10)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from domain.core import text as words
from domain.core.cards import Seat
from domain.core.clock import Time
from domain.core.game import Outcome, Refused
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
    reason: Literal["played", "resignation", "draw", "abandoned", "stopped", "cancelled", "expired"]
    """Why the match ended."""


@value
class CommitmentsAborted:
    """The match is cancelled before its start, after these seats have committed to nonces."""

    seats: tuple[Seat, ...]
    """The seats that had committed to a nonce."""


@value
class MatchStopped:
    """The operator stopped the running match, which now ends without a result."""

    reason: str
    """Why it was stopped, in a sentence."""


@value
class MatchAnnulled:
    """The operator voided the match: its result is kept, but no longer counts for ratings and statistics."""

    reason: str
    """Why it was voided, in a sentence."""


@value
class Cancel:
    """Cancel the match before the start."""


@value
class Expire:
    """End a lobby that has been open too long."""


@value
class Stop:
    """Stop a running match, by a ruling of the operator."""

    reason: str


@value
class Annul:
    """Void a finished match, by a ruling of the operator."""

    reason: str


_STATUS: Final[Mapping[str, str]] = {
    "played": "finished",
    "resignation": "finished",
    "draw": "finished",
    "abandoned": "abandoned",
    "stopped": "stopped",
    "cancelled": "cancelled",
    "expired": "expired",
}
"""The reason of a match's end decides its status."""


_WITHOUT_RESULT: Final[Mapping[str, str]] = {
    "cancelled": "was cancelled before its start",
    "abandoned": "was abandoned: no player ever moved",
    "stopped": "ended without a result",
}


def say_result(event: MatchEnded) -> str:
    """Return the result of a match in words."""
    if event.result is None:
        return _WITHOUT_RESULT.get(event.reason, "expired before its start")
    games = f"; games won: {words.for_each_seat(event.result.wins)}" if max(event.result.wins) > 1 else ""
    return f"ended: {words.name_winners(event.result.winners)}{words.ending_reason(event.reason)}{games}"


def say_winners(side: Sequence[Seat]) -> str:
    """Return the seats that won a game together."""
    who = words.name_winners(side)
    return f"{words.capitalise(who)} the game."


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
    """Return the events that end a decided match, with its result."""
    if m.stopped:
        return (MatchEnded(None, "stopped"),)
    if is_deserted(m):
        return (MatchEnded(None, "abandoned"),)
    decided, outcome = verdict(m), m.game.outcome(m.table)
    assert decided is not None
    assert outcome is not None
    sides = m.game.setup.sides(m.options, len(m.seats))
    wins = tuple(m.series.winners.count(sides.index(sides[s])) for s in m.seats)
    one = len(m.series.winners) == 1
    ahead = outcome.places if one else _by_games(m, wins)
    by_game = one and m.game.leaving.resign and not any(ahead[s] == 1 for s in m.resigned)
    places = ahead if by_game else rank_with_resigned(m, ahead)
    drawn = decided.winner is None and not given_up(m)
    winners = () if drawn else tuple(s for s in m.seats if places[s] == 1)
    return (MatchEnded(Result(winners, places, wins, outcome.scores), reason(m)),)


def _by_games(m: Match, wins: Sequence[int]) -> tuple[int, ...]:
    """Return the places in a series, by games won; behind the first place, then by total score."""
    sign = 1 if m.game.setup.low_wins else -1
    sums = [sign * sum(game[s] for game in m.series.scores if game) for s in m.seats]
    most = max(wins)
    rows = [(-won, 0 if won == most else total) for won, total in zip(wins, sums, strict=True)]
    return tuple(1 + sum(other < mine for other in rows) for mine in rows)


def check_cancel(m: Match, seat: Seat, cancel: Cancel) -> None:
    """Raise `Refused` unless a player may cancel the match."""
    if m.status != "lobby":
        raise Refused("already_started")
    if m.created.deal_group is not None:
        raise Refused("of_a_group")


def cancel_match(m: Match, seat: Seat, c: Cancel, now: Time) -> Iterable[Any]:
    """End a lobby; record it separately if seats have committed to nonces that will never be revealed."""
    if committed := tuple(s for s in m.seats if m.shuffles.hashes[s] is not None):
        yield CommitmentsAborted(committed)
    yield MatchEnded(None, "cancelled")


def is_lobby_of_group(m: Match, seat: Seat, command: Any, now: Time) -> bool:
    """Return whether the match belongs to a duplicate group and has not begun."""
    return m.status == "lobby" and m.created.deal_group is not None


def can_stop(m: Match) -> bool:
    """Return whether the operator may stop the match: it is running, and no other table depends on it."""
    is_alone = m.created.deal_group is None and m.created.tournament is None
    return m.status == "playing" and is_alone and not m.stopped


def evolve_results(m: Match, event: Any) -> None:
    """Assign the winners of games, and the result of the match."""
    series = m.series
    match event:
        case GameWon():
            series.winners = (*series.winners, event.winner)
            series.scores = (*series.scores, event.scores)
            series.judged = True
        case MatchEnded():
            m.result, m.status = event.result, _STATUS[event.reason]
        case CommitmentsAborted():
            m.aborted = True
        case MatchStopped():
            m.stopped = True
        case MatchAnnulled():
            m.annulled = event.reason


_ENDS: Final[Mapping[str, Any]] = {"cancelled": Cancel(), "expired": Expire()}

RESULTS: Final = MatchPart(
    texts={
        GameWon: "{winner:won}",
        MatchEnded: "The match {:ended}.",
        CommitmentsAborted: "The match was cancelled after {seats:committed} committed to nonces.",
        MatchStopped: "The match was stopped: {reason:as_said}",
        MatchAnnulled: "The match was voided: {reason:as_said}",
    },
    words={
        "as_said": str,
        "won": lambda winner: say_winners([] if winner is None else [winner]),
        "ended": say_result,
        "committed": words.seats,
    },
    outside_play=frozenset({GameWon}),
    ends_undo=frozenset({MatchStopped}),
    evolve=evolve_results,
    decide={
        Cancel: cancel_match,
        Expire: lambda m, seat, c, now: (MatchEnded(None, "expired"),),
        Stop: lambda m, seat, c, now: (MatchStopped(c.reason),),
        Annul: lambda m, seat, c, now: (MatchAnnulled(c.reason),),
    },
    admits={
        "time": {Expire: lambda m, seat, c, now: m.status == "lobby" and m.created.deal_group is None},
        "group": {Cancel: is_lobby_of_group, Expire: is_lobby_of_group},
        "operator": {
            Stop: lambda m, seat, c, now: can_stop(m),
            Annul: lambda m, seat, c, now: m.result is not None and m.annulled is None,
        },
    },
    read_command={
        CommitmentsAborted: lambda m, event: (0, Cancel()),
        MatchEnded: lambda m, event: (0, _ENDS[event.reason]) if event.reason in _ENDS else None,
        MatchStopped: lambda m, event: (0, Stop(event.reason)),
        MatchAnnulled: lambda m, event: (0, Annul(event.reason)),
    },
)
