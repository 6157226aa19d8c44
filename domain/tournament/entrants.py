"""Entrants: they enter a tournament, wait for a place, leave it and are disqualified, and entries are closed."""

from typing import Any, Final

from domain.core.choices import Shuffle
from domain.core.fairness import NONCE
from domain.core.game import Refused
from domain.core.values import value
from domain.tournament.format import Draws, TournamentFormat, TournamentPart, draw
from domain.tournament.organiser import TournamentCancelled, check_runs
from domain.tournament.tournament_state import ANNOUNCED, PLAYING, Applicant, Club, EntrantNo, Reason, Tournament

# --- Events -----------------------------------------------------------------------------------------------


@value
class PlayerEntered:
    """A player has entered."""

    entrant: EntrantNo
    player: str
    """The id of the player."""
    club: Club
    nonce: str
    """The player's contribution to all draws, in hex; empty if the player gave none."""
    rating: int | None = None
    """The protected rating of the player; null if the tournament has no rating bounds."""
    reliability: int | None = None
    """The percentage of the player's decisions that were on time; null if the tournament does not check it."""


@value
class PlayerWaits:
    """All places are taken, and a player joined the waiting list."""

    player: str
    """The id of the player."""
    club: Club
    nonce: str
    """The player's contribution to all draws, in hex; empty if the player gave none."""
    rating: int | None = None
    """The protected rating of the player; null if the tournament has no rating bounds."""
    reliability: int | None = None
    """The percentage of the player's decisions that were on time; null if the tournament does not check it."""


@value
class PlayerMovedUp:
    """The first player on the waiting list got a place that became free."""

    entrant: EntrantNo
    player: str
    """The id of the player."""
    club: Club
    nonce: str
    """The player's contribution to all draws, in hex; empty if the player gave none."""
    waiting: tuple[str, ...]
    """The ids of the remaining players on the waiting list, in order."""


@value
class PlayerStoppedWaiting:
    """A player leaves the waiting list."""

    player: str
    """The id of the player."""
    waiting: tuple[str, ...]
    """The ids of the remaining players on the waiting list, in order."""


@value
class PlayerEnteredLate:
    """A player has entered after entries were closed, and is paired from the next round on."""

    entrant: EntrantNo
    player: str
    """The id of the player."""
    club: Club
    rating: int | None = None
    """The protected rating of the player; null if the tournament has no rating bounds."""
    reliability: int | None = None
    """The percentage of the player's decisions that were on time; null if the tournament does not check it."""


@value
class PlayerWithdrew:
    """An entrant has left the tournament, after this number of paired rounds."""

    entrant: EntrantNo
    after: int
    """The number of paired rounds."""


@value
class PlayerDisqualified:
    """An entrant was disqualified, or left earlier, after this number of paired rounds."""

    entrant: EntrantNo
    after: int
    """The number of paired rounds when the entrant left or was disqualified."""
    reason: Reason
    by: str
    """The id of the organiser or co-organiser who ruled."""


@value
class PlayerBarred:
    """A player who has not entered was disqualified, and cannot enter."""

    player: str
    """The id of the waiting or invited player."""
    reason: Reason
    by: str
    """The id of the organiser or co-organiser who ruled."""


@value
class PlayerDropped:
    """An entrant was a no-show for the second time, and is no longer paired."""

    entrant: EntrantNo
    after: int
    """The number of paired rounds."""


@value
class EntriesClosed:
    """Entries are closed, and the order of the shuffle `seating` is drawn. The tournament begins."""

    by: str | None
    """The id of the organiser or co-organiser who closed them; null if they closed automatically."""
    link: int
    """The place of the seed in the chain."""
    seed: str
    """The seed; hashed `link` times, it gives the commitment."""
    order: tuple[int, ...]
    """The entrants, in the drawn order."""
    rounds: int | None
    """The number of rounds of a Swiss or a duplicate; null if it depends on the remaining entrants."""


# --- Commands ---------------------------------------------------------------------------------------------


@value
class Enter:
    """Enter a player; `nonce` is the player's contribution to all draws, in hex, or empty."""

    player: str
    club: str | None = None
    nonce: str = ""
    rating: int | None = None
    """The player's protected rating; None if the tournament has no rating bounds."""
    reliability: int | None = None
    """The percentage of the player's decisions that were on time; None if the tournament does not check it."""


@value
class Withdraw:
    """Withdraw a player."""

    player: str


@value
class CloseEntries:
    """Close entries and begin; `by` is the organiser or helper, None if entries close automatically."""

    by: str | None


@value
class LapseEntries:
    """Cancel a tournament whose entries have been open for the maximum time."""


@value
class Disqualify:
    """Disqualify an entrant, even one who has left."""

    by: str
    entrant: int
    reason: str


@value
class BarPlayer:
    """Disqualify a player who has not entered, but is or was on the waiting list, or is invited."""

    by: str
    player: str
    reason: str


# --- Decisions --------------------------------------------------------------------------------------------


@value
class OrderDrawn:
    """Chance's answer for the shuffle `seating`: the entrants in order."""

    order: tuple[int, ...]


def order_ask(entrants: tuple[int, ...]) -> Shuffle:
    """Return the draw of the order of the entrants when entries close."""
    return Shuffle(OrderDrawn, "seating", entrants)


LAPSED: Final = "Nobody has closed entries for a year."
"""The reason for cancelling a tournament whose entries were open for `MOST_OPEN_DAYS`."""


MOST_TIMES: Final = 3
"""The maximum number of times that a player enters a tournament or leaves its waiting list."""


def entrant_of(t: Tournament, player: str) -> int | None:
    """Return the number of a player who has entered and not left; None for others."""
    return next((one for one, who in enumerate(t.players) if who == player and one not in t.left), None)


def active_entrants(t: Tournament) -> tuple[int, ...]:
    """Return the entrants who have not left."""
    return tuple(one for one in range(len(t.players)) if one not in t.left)


def enter_tournament(t: Tournament, command: Enter, by: TournamentFormat, chance: Draws) -> tuple[Any, ...]:
    """Enter a player, or add the player to the waiting list."""
    if command.nonce and not NONCE.fullmatch(command.nonce):
        raise Refused("bad_arguments", "A nonce must have 16 to 64 lower-case hex digits.")
    if command.player in t.barred:
        raise Refused("forbidden", "You were disqualified from this tournament.")
    if entrant_of(t, command.player) is not None or command.player in t.waiting:
        raise Refused("already_done", "You have already entered this tournament.")
    if t.players.count(command.player) + t.gave_up.count(command.player) >= MOST_TIMES:
        raise Refused("forbidden", "You have entered and left this tournament three times, the maximum.")
    _check_admitted(t, command)
    by.check_entry(t, command.club)
    found = command.rating, command.reliability
    if t.status == ANNOUNCED:
        if len(active_entrants(t)) < t.plan.most:
            return (PlayerEntered(len(t.players), command.player, command.club, command.nonce, *found),)
        if t.plan.most_waiting is not None and len(t.waiting) >= t.plan.most_waiting:
            raise Refused("forbidden", "All places are taken, and the waiting list is full.")
        return (PlayerWaits(command.player, command.club, command.nonce, *found),)
    _check_late(t, command.player, by)
    if command.nonce:
        raise Refused("wrong_phase", "The draws are already committed. Enter without a nonce.")
    return (PlayerEnteredLate(len(t.players), command.player, command.club, *found),)


def _check_late(t: Tournament, player: str, by: TournamentFormat) -> None:
    """Raise `Refused` if a player may not enter once the tournament has begun."""
    if not by.allows_late_entry(t):
        raise Refused("wrong_phase", "Entries are closed.")
    if player in t.players:
        raise Refused("wrong_phase", "You left this tournament after it began, and cannot enter again.")
    if len(active_entrants(t)) >= t.plan.most:
        raise Refused("wrong_phase", "All places are taken.")


def _check_admitted(t: Tournament, command: Enter) -> None:
    """Raise `Refused` if a player lacks the required invitation, rating or reliability."""
    if t.entry.by_invite and command.player not in (*t.invited, t.organiser, *t.helpers):
        raise Refused("forbidden", "This tournament is by invitation only.")
    least, most, rating = t.entry.least_rating, t.entry.most_rating, command.rating
    if (least is not None or most is not None) and rating is None:
        raise Refused("rating_not_admitted", "This tournament requires a rating.")
    if rating is not None and not (least is None or rating >= least) & (most is None or rating <= most):
        raise Refused("rating_not_admitted", "Your rating is outside the limits of this tournament.")
    if t.entry.least_reliability is not None and (command.reliability or 0) < t.entry.least_reliability:
        asked = f"At least {t.entry.least_reliability} % of your latest decisions must have been on time."
        raise Refused("reliability_not_admitted", asked)


def withdraw_player(t: Tournament, command: Withdraw, by: TournamentFormat, chance: Draws) -> tuple[Any, ...]:
    """Withdraw a player from the tournament or its waiting list."""
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


def disqualify_entrant(t: Tournament, command: Disqualify, by: TournamentFormat, chance: Draws) -> tuple[Any, ...]:
    """Disqualify an entrant; for an entrant who left, `after` stays the number of rounds at that time."""
    check_runs(t, command.by)
    entrant = command.entrant
    if entrant in active_entrants(t):
        return (PlayerDisqualified(entrant, t.round, command.reason, command.by), *_moved_up(t))
    if entrant not in t.left:
        raise Refused("no_such_object", "No entrant has this number.")
    player = t.players[entrant]
    if entrant_of(t, player) is not None:
        raise Refused("no_such_object", "This player has entered again, with a new number.")
    _check_not_barred(t, player)
    out = PlayerDisqualified(entrant, t.left[entrant], command.reason, command.by)
    return (out, *_stops_waiting(t, player))


def bar_player(t: Tournament, command: BarPlayer, by: TournamentFormat, chance: Draws) -> tuple[Any, ...]:
    """Disqualify a player who has not entered, but is or was on the waiting list, or is invited."""
    check_runs(t, command.by)
    known = command.player in t.waiting or command.player in (*t.gave_up, *t.invited)
    if not known or command.player in t.players:
        raise Refused("no_such_object", "This player is neither waiting for a place nor invited.")
    _check_not_barred(t, command.player)
    return (PlayerBarred(command.player, command.reason, command.by), *_stops_waiting(t, command.player))


def _check_not_barred(t: Tournament, player: str) -> None:
    if player in t.barred:
        raise Refused("already_done", "This player is already disqualified.")


def _moved_up(t: Tournament) -> tuple[Any, ...]:
    """Pass a place that became free to the first player on the waiting list, while entries are open."""
    if t.status != ANNOUNCED or not t.waiting:
        return ()
    (player, found), *_ = t.waiting.items()
    rest = tuple(one for one in t.waiting if one != player)
    return (PlayerMovedUp(len(t.players), player, found.club, found.nonce, rest),)


def close_entries(t: Tournament, command: CloseEntries, by: TournamentFormat, chance: Draws) -> tuple[Any, ...]:
    """Close entries and draw the order; with too few entrants at the closing time, cancel the tournament."""
    if command.by is not None:
        check_runs(t, command.by)
    elif t.closes is None:
        raise Refused("wrong_phase", "Entries have no closing time.")
    if t.status != ANNOUNCED:
        raise Refused("already_started", "Entries are already closed.")
    entrants = active_entrants(t)
    if len(entrants) < 2 or not by.are_enough(t, entrants):
        if command.by is None:
            return (TournamentCancelled(None, "Too few have entered."),)
        raise Refused("wrong_phase", "Too few entrants for a table. Wait for more, or cancel the tournament.")
    answer, link, seed = draw(t, order_ask(entrants), chance)
    rounds = by.rounds(t.plan, len(entrants))
    return (EntriesClosed(command.by, link, seed, answer.order, rounds),)


def lapse_entries(t: Tournament, command: LapseEntries, by: TournamentFormat, chance: Draws) -> tuple[Any, ...]:
    """Cancel a tournament whose entries were open for too long."""
    if t.status != ANNOUNCED or t.closes is not None or t.plan.ends is not None:
        raise Refused("wrong_phase", "Entries are closed, or have a closing time.")
    return (TournamentCancelled(None, LAPSED),)


def evolve_entrants(t: Tournament, event: Any) -> None:
    """Assign entries, withdrawals, disqualifications and the closing of entries to the tournament."""
    match event:
        case PlayerEntered():
            t.players, t.clubs = (*t.players, event.player), (*t.clubs, event.club)
            t.nonces = (*t.nonces, event.nonce)
        case PlayerWaits():
            t.waiting = {**t.waiting, event.player: Applicant(event.club, event.nonce)}
        case PlayerMovedUp():
            t.players, t.clubs = (*t.players, event.player), (*t.clubs, event.club)
            t.nonces = (*t.nonces, event.nonce)
            t.waiting = {player: t.waiting[player] for player in event.waiting}
        case PlayerStoppedWaiting():
            t.gave_up = (*t.gave_up, event.player)
            t.waiting = {player: t.waiting[player] for player in event.waiting}
        case PlayerEnteredLate():
            t.players, t.clubs = (*t.players, event.player), (*t.clubs, event.club)
            t.order = (*t.order, event.entrant)
        case PlayerWithdrew() | PlayerDropped():
            t.left = {**t.left, event.entrant: event.after}
        case PlayerDisqualified():
            t.left = {**t.left, event.entrant: event.after}
            t.barred = (*t.barred, t.players[event.entrant])
        case PlayerBarred():
            t.barred = (*t.barred, event.player)
        case EntriesClosed():
            t.status, t.link, t.order, t.rounds = PLAYING, event.link, event.order, event.rounds


ENTRANTS: Final = TournamentPart(
    events=(
        PlayerEntered,
        PlayerWaits,
        PlayerMovedUp,
        PlayerStoppedWaiting,
        PlayerEnteredLate,
        PlayerWithdrew,
        PlayerDisqualified,
        PlayerBarred,
        PlayerDropped,
        EntriesClosed,
    ),
    evolve=evolve_entrants,
    decisions={
        Enter: enter_tournament,
        Withdraw: withdraw_player,
        CloseEntries: close_entries,
        LapseEntries: lapse_entries,
        Disqualify: disqualify_entrant,
        BarPlayer: bar_player,
    },
    causes={
        PlayerEntered: lambda t, e: Enter(e.player, e.club, e.nonce, e.rating, e.reliability),
        PlayerWaits: lambda t, e: Enter(e.player, e.club, e.nonce, e.rating, e.reliability),
        PlayerEnteredLate: lambda t, e: Enter(e.player, e.club, rating=e.rating, reliability=e.reliability),
        PlayerStoppedWaiting: lambda t, e: Withdraw(e.player),
        PlayerWithdrew: lambda t, e: Withdraw(t.players[e.entrant]),
        PlayerDisqualified: lambda t, e: Disqualify(e.by, e.entrant, e.reason),
        PlayerBarred: lambda t, e: BarPlayer(e.by, e.player, e.reason),
        EntriesClosed: lambda t, e: CloseEntries(e.by),
    },
    cancels={LAPSED: LapseEntries()},
)
