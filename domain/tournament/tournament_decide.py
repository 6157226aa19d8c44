"""Decides what a tournament's commands lead to. Each gives the events, with all that follows, or raises `Refused`."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.core.game import Refused
from domain.core.staking import conserves
from domain.tournament.arena_decide import come_back, end_pairing, missing, rest
from domain.tournament.duplicate_decide import are_enough, check_team, have_scores
from domain.tournament.played_rounds import BOT, Seating, TableResult
from domain.tournament.preparing import fault_of_preparation, finish_pod, repeat_pod
from domain.tournament.swiss import left_over, swiss_rounds
from domain.tournament.tournament_commands import (
    AdjudicateTable,
    CancelTournament,
    CloseEntries,
    ComeBack,
    Disqualify,
    EndPairing,
    Enter,
    FinishPod,
    FinishTable,
    ForfeitTable,
    InvitePlayers,
    LapseEntries,
    Pause,
    RepeatPod,
    Rest,
    Resume,
    RuleTable,
    Withdraw,
)
from domain.tournament.tournament_course import Draws, all_events, draw, ground_of, links_of, order_ask
from domain.tournament.tournament_events import (
    DrawsCommitted,
    EntriesClosed,
    PlayerDisqualified,
    PlayerEntered,
    PlayerEnteredLate,
    PlayerMovedUp,
    PlayersInvited,
    PlayerStoppedWaiting,
    PlayerWaits,
    PlayerWithdrew,
    Preparation,
    PreparationAnnounced,
    TableAdjudicated,
    TableDrawn,
    TableFinished,
    TableForfeited,
    TableRuled,
    TournamentAnnounced,
    TournamentCancelled,
    TournamentPaused,
    TournamentResumed,
)
from domain.tournament.tournament_formats import undecided
from domain.tournament.tournament_plan import faults_of
from domain.tournament.tournament_state import ANNOUNCED, PLAYING, Tournament

NONCE: Final = re.compile(r"[0-9a-f]{16,64}|")
"""A nonce is 16 to 64 lower-case hex characters, or empty (rules 1.6)."""


MOST_INVITED: Final = 2048
"""The most players who are invited to a tournament."""

LAPSED: Final = "Nobody has closed entries for a year."
"""The reason for which a tournament is cancelled whose entries were open for `MOST_OPEN_DAYS`."""

MOST_TIMES: Final = 3
"""A player enters a tournament at most so many times, having left."""


def announce(
    announced: TournamentAnnounced, commitment: str, preparation: Preparation | None = None
) -> tuple[Any, ...]:
    """Begin a tournament. Raises `Refused` for a plan that cannot be played, with the first of its faults."""
    for fault in faults_of(announced.plan):
        raise Refused("bad_options", fault)
    if announced.entry.visibility == "private" and not announced.entry.by_invite:
        raise Refused("bad_options", "A private tournament is entered by invitation.")
    places = [prize.place for prize in announced.prizes]
    if len(set(places)) < len(places) or any(place < 1 for place in places):
        raise Refused("bad_options", "Each prize is for a place of its own, from 1.")
    if not all(_are_counts(prize.boosters) for prize in announced.prizes):
        raise Refused("bad_options", "A prize says how many boosters of which set it has.")
    if announced.plan.ends is not None and announced.closes is not None and announced.closes >= announced.plan.ends:
        raise Refused("bad_options", "Entries to an arena close before it ends.")
    committed = DrawsCommitted(commitment, links_of(announced.plan))
    if preparation is None:
        return announced, committed
    if misfit := fault_of_preparation(preparation, announced.plan):
        raise Refused("bad_options", misfit)
    return announced, PreparationAnnounced(preparation), committed


def _are_counts(boosters: Any) -> bool:
    return isinstance(boosters, Mapping) and all(type(count) is int and count > 0 for count in boosters.values())


def decide(t: Tournament, command: Any, chance: Draws) -> tuple[Any, ...]:
    """Give the events that a command leads to; none for a table that is over already. Raises `Refused`."""
    if t.ended:
        if isinstance(command, FinishTable | ForfeitTable | AdjudicateTable | FinishPod | RepeatPod):
            return ()
        raise Refused("match_over", "The tournament has ended.")
    first = _DECIDE[type(command)](t, command, chance)
    return all_events(t, first, chance) if first else ()


def entrant_of(t: Tournament, player: str) -> int | None:
    """Give the number of a player who has entered and not left; None for others."""
    return next((one for one, who in enumerate(t.players) if who == player and one not in t.left), None)


def there(t: Tournament) -> tuple[int, ...]:
    """Give the entrants who have not left."""
    return tuple(one for one in range(len(t.players)) if one not in t.left)


# --- Coming and going ---------------------------------------------------------------------------------------


def _enter(t: Tournament, command: Enter, chance: Draws) -> tuple[Any, ...]:
    if not NONCE.fullmatch(command.nonce):
        raise Refused("bad_arguments", "A nonce is 16 to 64 lower-case hex characters.")
    if command.player in t.barred:
        raise Refused("forbidden", "You were taken out of this tournament.")
    if entrant_of(t, command.player) is not None or command.player in t.waiting:
        raise Refused("already_done", "You have entered this tournament.")
    if t.players.count(command.player) + t.gave_up.count(command.player) >= MOST_TIMES:
        raise Refused("forbidden", "You have entered this tournament and left it too often.")
    _check_admitted(t, command)
    check_team(t, command)
    if t.status == ANNOUNCED:
        if len(there(t)) < t.plan.most:
            return (PlayerEntered(len(t.players), command.player, command.club, command.nonce, command.rating),)
        return (PlayerWaits(command.player, command.club, command.nonce, command.rating),)
    swiss = not t.pods and t.round <= t.plan.late and t.round < (t.rounds or 0)
    open_still = not t.pairing_over if t.plan.format == "arena" else swiss
    if command.player in t.players or not open_still or len(there(t)) >= t.plan.most:
        raise Refused("wrong_phase", "Entries are closed.")
    if command.nonce:
        raise Refused("wrong_phase", "The draws are bound already; enter without a nonce.")
    return (PlayerEnteredLate(len(t.players), command.player, command.club, command.rating),)


def _check_admitted(t: Tournament, command: Enter) -> None:
    """Raise `Refused` for who needs an invitation, or another rating, to enter."""
    if t.entry.by_invite and command.player not in (*t.invited, t.organiser, *t.helpers):
        raise Refused("forbidden", "This tournament is entered by invitation.")
    least, most, rating = t.entry.least_rating, t.entry.most_rating, command.rating
    if (least is not None or most is not None) and rating is None:
        raise Refused("rating_not_admitted", "This tournament asks for a rating.")
    if rating is not None and not (least is None or rating >= least) & (most is None or rating <= most):
        raise Refused("rating_not_admitted", "Your rating is not within the bounds of this tournament.")


def _invite(t: Tournament, command: InvitePlayers, chance: Draws) -> tuple[Any, ...]:
    _check_runs(t, command.by)
    new = tuple(player for player in dict.fromkeys(command.players) if player not in t.invited)
    if len(t.invited) + len(new) > MOST_INVITED:
        raise Refused("forbidden", f"At most {MOST_INVITED:,} players are invited to a tournament.")
    return (PlayersInvited(new, command.by),) if new else ()


def _withdraw(t: Tournament, command: Withdraw, chance: Draws) -> tuple[Any, ...]:
    if command.player in t.waiting:
        return (PlayerStoppedWaiting(command.player, tuple(one for one in t.waiting if one != command.player)),)
    entrant = entrant_of(t, command.player)
    if entrant is None:
        raise Refused("no_such_object", "You are not in this tournament.")
    return (PlayerWithdrew(entrant, t.round), *_moved_up(t))


def _disqualify(t: Tournament, command: Disqualify, chance: Draws) -> tuple[Any, ...]:
    _check_runs(t, command.by)
    if command.entrant not in there(t):
        raise Refused("no_such_object", "Nobody of this number is in the tournament.")
    return (PlayerDisqualified(command.entrant, t.round, command.reason, command.by), *_moved_up(t))


def _moved_up(t: Tournament) -> tuple[Any, ...]:
    """Give the place that has become free to the first who waits, while entries are open."""
    if t.status != ANNOUNCED or not t.waiting:
        return ()
    (player, found), *_ = t.waiting.items()
    rest = tuple(one for one in t.waiting if one != player)
    return (PlayerMovedUp(len(t.players), player, found.club, found.nonce, rest),)


def _close(t: Tournament, command: CloseEntries, chance: Draws) -> tuple[Any, ...]:
    if command.by is not None:
        _check_runs(t, command.by)
    elif t.closes is None:
        raise Refused("wrong_phase", "No time is set at which entries close.")
    if t.status != ANNOUNCED:
        raise Refused("already_started", "Entries have been closed.")
    entrants = there(t)
    duplicate = t.plan.format == "duplicate"
    fills_none = not are_enough(t, entrants) if duplicate else left_over(len(entrants), t.plan) == len(entrants)
    if len(entrants) < 2 or fills_none:
        if command.by is None:
            return (TournamentCancelled(None, "Too few have entered."),)
        raise Refused("wrong_phase", "So few entrants make no table; wait for more, or cancel the tournament.")
    answer, link, seed = draw(t, order_ask(entrants), chance)
    rounds = swiss_rounds(t.plan, len(entrants)) if t.plan.format == "swiss" else None
    rounds = (t.plan.rounds or t.plan.seats) if duplicate else rounds
    return (EntriesClosed(command.by, link, seed, answer.order, rounds),)


def _lapse(t: Tournament, command: LapseEntries, chance: Draws) -> tuple[Any, ...]:
    if t.status != ANNOUNCED or t.closes is not None or t.plan.ends is not None:
        raise Refused("wrong_phase", "Its entries are closed, or have a time at which they will be.")
    return (TournamentCancelled(None, LAPSED),)


# --- Tables -------------------------------------------------------------------------------------------------


def _finish(t: Tournament, command: FinishTable, chance: Draws) -> tuple[Any, ...]:
    """Take in how a match has ended; nothing of one that is not awaited: it was taken in, or its table was ruled."""
    at = command.table
    if not _awaited(t, command):
        return ()
    seats = t.tables[at]
    if not (are_places(command.places, len(seats)) and _are_games(command, len(seats)) and have_scores(t, command)):
        raise Refused("bad_arguments", "A match that ends so has no such table.")
    if not _are_stacks(t, command):
        raise Refused("bad_arguments", "These stacks are not what has become of those that were brought.")
    result = TableResult(
        seats, command.places, command.wins, command.games, command.drawn, command.chips, command.scores
    )
    if _undecided(t, result):
        return (TableDrawn(t.round, at, command.match, command.head, result, command.attempt + 1),)
    return (TableFinished(t.round, at, command.match, command.head, result),)


def _are_stacks(t: Tournament, command: FinishTable) -> bool:
    """Say whether stacks leave a table as they were brought there, and none where none are."""
    if not t.stakes or command.chips is None:
        return not t.stakes and command.chips is None
    return conserves(t.stakes[command.table], command.chips)


def _check_by_points(t: Tournament) -> None:
    """Raise `Refused` where stacks go from table to table: only the match of a table says where they are."""
    if t.stakes:
        raise Refused("wrong_phase", "Tables of stacks are played to their end; take an entrant out, or cancel it all.")


def _are_games(command: FinishTable, seats: int) -> bool:
    """Say whether so many games can have been won by each of so many seats."""
    won = command.games - command.drawn
    return len(command.wins) == seats and command.drawn >= 0 and all(0 <= wins <= won for wins in command.wins)


def _awaited(t: Tournament, command: FinishTable | ForfeitTable | AdjudicateTable) -> bool:
    """Say whether the match of a command is one that a table of the open round waits for."""
    at = command.table
    if (command.round, t.open) != (t.round, True) or not 0 <= at < len(t.tables) or t.results[at] is not None:
        return False
    return command.attempt == t.attempts[at]


def _forfeit(t: Tournament, command: ForfeitTable, chance: Draws) -> tuple[Any, ...]:
    """Let those lose who have not come; the others share the first place. A second time takes an entrant out."""
    if not _awaited(t, command):
        return ()
    _check_by_points(t)
    at = command.table
    duplicate = t.plan.format == "duplicate"  # there all tables begin once more, also those to which all have come
    if command.absent or not duplicate:
        _check_there(t.tables[at], command.absent)
    result = _placed_last(t.tables[at], command.absent)
    again = duplicate or _undecided(t, result)
    found = TableForfeited(
        t.round,
        at,
        command.match,
        command.head,
        command.absent,
        None if again else result,
        t.attempts[at] + again,
    )
    return (found, *missing(t, command.absent))


def _adjudicate(t: Tournament, command: AdjudicateTable, chance: Draws) -> tuple[Any, ...]:
    """Let those lose who are to move, or all be level."""
    if not _awaited(t, command):
        return ()
    seats = t.tables[command.table]
    _check_there(seats, command.late)
    result = _placed_last(seats, command.late if t.plan.overdue == "lost" else ())
    if _undecided(t, result):
        result = _placed_last(seats, seats)
    return (TableAdjudicated(t.round, command.table, command.match, command.head, command.late, result),)


def _check_there(seats: Seating, named: tuple[int, ...]) -> None:
    """Raise `Refused` unless these are entrants of a table, each named once, and there are any."""
    if not named or len(set(named)) < len(named) or not set(named) <= {one for one in seats if one is not BOT}:
        raise Refused("bad_arguments", "They are not at this table.")


def _placed_last(seats: Seating, last: Seating) -> TableResult:
    """Give a result without games: these share the last place, all others the first; if these are all, all lose."""
    first = sum(one not in last for one in seats)
    places = tuple((first + 1 if first else len(seats)) if one in last else 1 for one in seats)
    return TableResult(seats, places, (0,) * len(seats), 0, 0)


def _rule(t: Tournament, command: RuleTable, chance: Draws) -> tuple[Any, ...]:
    _check_runs(t, command.by)
    if not t.open or not 0 <= command.table < len(t.tables):
        raise Refused("no_such_object", "The open round has no such table.")
    _check_by_points(t)
    seats = t.tables[command.table]
    if not are_places(command.places, len(seats)):
        raise Refused("bad_arguments", "Give the place of each seat, from 1; the same to all but the first: all lose.")
    result = TableResult(seats, command.places, (0,) * len(seats), 0, 0)
    if _undecided(t, result):
        raise Refused("bad_arguments", "These places do not say who goes on; give others, or let all lose.")
    return (TableRuled(t.round, command.table, result, command.reason, command.by),)


def _undecided(t: Tournament, result: TableResult) -> bool:
    last = len(t.tables) == 1 and not t.byes
    return t.stage == "elimination" and undecided(ground_of(t), result, last=last)


def are_places(places: tuple[int, ...], seats: int) -> bool:
    """Say whether these are the places of so many seats: shared ones as in (1, 1, 3); or all the last, if all lose."""
    ranked = all(place == 1 + sum(other < place for other in places) for place in places)
    return len(places) == seats and (ranked or places == (seats,) * seats)


# --- Running it ---------------------------------------------------------------------------------------------


def _pause(t: Tournament, command: Pause, chance: Draws) -> tuple[Any, ...]:
    _check_runs(t, command.by)
    if t.paused or t.status != PLAYING:
        raise Refused("wrong_phase", "Only a tournament that is being played can be paused.")
    return (TournamentPaused(command.by, command.reason),)


def _resume(t: Tournament, command: Resume, chance: Draws) -> tuple[Any, ...]:
    _check_runs(t, command.by)
    if not t.paused:
        raise Refused("wrong_phase", "The tournament is not paused.")
    return (TournamentResumed(command.by),)


def _cancel(t: Tournament, command: CancelTournament, chance: Draws) -> tuple[Any, ...]:
    _check_runs(t, command.by)
    if False in t.pods_over:
        raise Refused("wrong_phase", "The entrants prepare; cancel the tournament when they have.")
    return (TournamentCancelled(command.by, command.reason),)


def _check_runs(t: Tournament, player: str) -> None:
    if player not in (t.organiser, *t.helpers):
        raise Refused("forbidden", "Only the organiser of the tournament and the helpers may do this.")


_DECIDE: Final[Mapping[type, Callable[[Tournament, Any, Draws], tuple[Any, ...]]]] = {
    InvitePlayers: _invite,
    Enter: _enter,
    Withdraw: _withdraw,
    Rest: lambda t, command, chance: rest(t, command, entrant_of(t, command.player)),
    ComeBack: lambda t, command, chance: come_back(t, command, entrant_of(t, command.player)),
    EndPairing: lambda t, command, chance: end_pairing(t, command),
    CloseEntries: _close,
    LapseEntries: _lapse,
    Disqualify: _disqualify,
    FinishPod: lambda t, command, chance: finish_pod(t, command),
    RepeatPod: lambda t, command, chance: repeat_pod(t, command),
    FinishTable: _finish,
    ForfeitTable: _forfeit,
    AdjudicateTable: _adjudicate,
    RuleTable: _rule,
    Pause: _pause,
    Resume: _resume,
    CancelTournament: _cancel,
}
