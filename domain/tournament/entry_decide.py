"""Decides who enters a tournament and who leaves it, and when entries are closed."""

from typing import Any, Final

from domain.core.fairness import NONCE
from domain.core.game import Refused
from domain.tournament.entry_events import (
    EntriesClosed,
    PlayerBarred,
    PlayerDisqualified,
    PlayerEntered,
    PlayerEnteredLate,
    PlayerMovedUp,
    PlayerStoppedWaiting,
    PlayerWaits,
    PlayerWithdrew,
)
from domain.tournament.format import Draws, draw
from domain.tournament.formats.format_catalogue import format_of
from domain.tournament.organiser_decide import check_runs
from domain.tournament.tournament_commands import (
    BarPlayer,
    CloseEntries,
    Disqualify,
    Enter,
    LapseEntries,
    Withdraw,
)
from domain.tournament.tournament_course import order_ask
from domain.tournament.tournament_events import TournamentCancelled
from domain.tournament.tournament_state import ANNOUNCED, Tournament

LAPSED: Final = "Nobody has closed entries for a year."
"""The reason for which a tournament is cancelled whose entries were open for `MOST_OPEN_DAYS`."""

MOST_TIMES: Final = 3
"""The maximum number of times that a player enters a tournament again, having left."""


def entrant_of(t: Tournament, player: str) -> int | None:
    """Give the number of a player who has entered and not left; None for others."""
    return next((one for one, who in enumerate(t.players) if who == player and one not in t.left), None)


def there(t: Tournament) -> tuple[int, ...]:
    """Give the entrants who have not left."""
    return tuple(one for one in range(len(t.players)) if one not in t.left)


def enter(t: Tournament, command: Enter, chance: Draws) -> tuple[Any, ...]:
    """Let a player enter, or wait for a place."""
    if command.nonce and not NONCE.fullmatch(command.nonce):
        raise Refused("bad_arguments", "A nonce is 16 to 64 lower-case hex characters.")
    if command.player in t.barred:
        raise Refused("forbidden", "You were taken out of this tournament.")
    if entrant_of(t, command.player) is not None or command.player in t.waiting:
        raise Refused("already_done", "You have entered this tournament.")
    if t.players.count(command.player) + t.gave_up.count(command.player) >= MOST_TIMES:
        raise Refused("forbidden", "You have entered this tournament and left it too often.")
    _check_admitted(t, command)
    format_of(t).check_entry(t, command.club)
    found = command.rating, command.reliability
    if t.status == ANNOUNCED:
        if len(there(t)) < t.plan.most:
            return (PlayerEntered(len(t.players), command.player, command.club, command.nonce, *found),)
        if t.plan.most_waiting is not None and len(t.waiting) >= t.plan.most_waiting:
            raise Refused("forbidden", "All places are taken, and no more players may wait for one.")
        return (PlayerWaits(command.player, command.club, command.nonce, *found),)
    _check_late(t, command.player)
    if command.nonce:
        raise Refused("wrong_phase", "The draws are bound already; enter without a nonce.")
    return (PlayerEnteredLate(len(t.players), command.player, command.club, *found),)


def _check_late(t: Tournament, player: str) -> None:
    """Raise `Refused` if a player may not enter once the tournament has begun."""
    if not format_of(t).allows_late_entry(t):
        raise Refused("wrong_phase", "Entries are closed.")
    if player in t.players:
        raise Refused("wrong_phase", "You have left this tournament after it began, and cannot enter again.")
    if len(there(t)) >= t.plan.most:
        raise Refused("wrong_phase", "All places are taken.")


def _check_admitted(t: Tournament, command: Enter) -> None:
    """Raise `Refused` if a player lacks the invitation, rating or reliability that it takes to enter."""
    if t.entry.by_invite and command.player not in (*t.invited, t.organiser, *t.helpers):
        raise Refused("forbidden", "This tournament is entered by invitation.")
    least, most, rating = t.entry.least_rating, t.entry.most_rating, command.rating
    if (least is not None or most is not None) and rating is None:
        raise Refused("rating_not_admitted", "This tournament asks for a rating.")
    if rating is not None and not (least is None or rating >= least) & (most is None or rating <= most):
        raise Refused("rating_not_admitted", "Your rating is not within the bounds of this tournament.")
    if t.entry.least_reliability is not None and (command.reliability or 0) < t.entry.least_reliability:
        asked = f"Of your latest decisions {t.entry.least_reliability} in a hundred must have been in time."
        raise Refused("reliability_not_admitted", asked)


def withdraw(t: Tournament, command: Withdraw, chance: Draws) -> tuple[Any, ...]:
    """Let a player leave, or wait no longer."""
    if command.player in t.waiting:
        return _stops_waiting(t, command.player)
    entrant = entrant_of(t, command.player)
    if entrant is None:
        raise Refused("no_such_object", "You are not in this tournament.")
    return (PlayerWithdrew(entrant, t.round), *_moved_up(t))


def _stops_waiting(t: Tournament, player: str) -> tuple[Any, ...]:
    if player not in t.waiting:
        return ()
    return (PlayerStoppedWaiting(player, tuple(one for one in t.waiting if one != player)),)


def disqualify(t: Tournament, command: Disqualify, chance: Draws) -> tuple[Any, ...]:
    """Take an entrant out; who has left is out already, and has done so before the rounds that followed."""
    check_runs(t, command.by)
    entrant = command.entrant
    if entrant in there(t):
        return (PlayerDisqualified(entrant, t.round, command.reason, command.by), *_moved_up(t))
    if entrant not in t.left:
        raise Refused("no_such_object", "Nobody of this number is in the tournament.")
    player = t.players[entrant]
    if entrant_of(t, player) is not None:
        raise Refused("no_such_object", "This player has entered again, and has another number now.")
    _check_not_barred(t, player)
    out = PlayerDisqualified(entrant, t.left[entrant], command.reason, command.by)
    return (out, *_stops_waiting(t, player))


def bar(t: Tournament, command: BarPlayer, chance: Draws) -> tuple[Any, ...]:
    """Let a player never enter who has to do with the tournament and has not entered it."""
    check_runs(t, command.by)
    known = command.player in t.waiting or command.player in (*t.gave_up, *t.invited)
    if not known or command.player in t.players:
        raise Refused("no_such_object", "This player neither waits for a place nor is invited.")
    _check_not_barred(t, command.player)
    return (PlayerBarred(command.player, command.reason, command.by), *_stops_waiting(t, command.player))


def _check_not_barred(t: Tournament, player: str) -> None:
    if player in t.barred:
        raise Refused("already_done", "This player was disqualified before.")


def _moved_up(t: Tournament) -> tuple[Any, ...]:
    """Give the place that has become free to the first who waits, while entries are open."""
    if t.status != ANNOUNCED or not t.waiting:
        return ()
    (player, found), *_ = t.waiting.items()
    rest = tuple(one for one in t.waiting if one != player)
    return (PlayerMovedUp(len(t.players), player, found.club, found.nonce, rest),)


def close(t: Tournament, command: CloseEntries, chance: Draws) -> tuple[Any, ...]:
    """Close entries and draw the order; a tournament that too few have entered is cancelled by its time."""
    if command.by is not None:
        check_runs(t, command.by)
    elif t.closes is None:
        raise Refused("wrong_phase", "No time is set at which entries close.")
    if t.status != ANNOUNCED:
        raise Refused("already_started", "Entries have been closed.")
    entrants = there(t)
    if len(entrants) < 2 or not format_of(t).are_enough(t, entrants):
        if command.by is None:
            return (TournamentCancelled(None, "Too few have entered."),)
        raise Refused("wrong_phase", "So few entrants make no table; wait for more, or cancel the tournament.")
    answer, link, seed = draw(t, order_ask(entrants), chance)
    rounds = format_of(t).rounds(t.plan, len(entrants))
    return (EntriesClosed(command.by, link, seed, answer.order, rounds),)


def lapse(t: Tournament, command: LapseEntries, chance: Draws) -> tuple[Any, ...]:
    """Cancel a tournament whose entries were open for too long."""
    if t.status != ANNOUNCED or t.closes is not None or t.plan.ends is not None:
        raise Refused("wrong_phase", "Its entries are closed, or have a time at which they will be.")
    return (TournamentCancelled(None, LAPSED),)
