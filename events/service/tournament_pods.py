"""Runs the preparation of entrants before the first round of a tournament, in the matches of their pods.

Entrants bring their gains to all tables. The match of a pod is disclosed once the tournament is over.
"""

from typing import Any, Final

from domain import match as life
from domain.core.game import Refused
from domain.games.catalogue import GAMES
from domain.match import Intent, Match
from domain.match.creation import PREPARING, SeatPlan
from domain.match.group import OpenDeals
from domain.match.match_results import Expire
from domain.tournament.pods import FinishPod, RepeatPod
from domain.tournament.tournament_state import Tournament
from events.ids import match_of
from events.log.cache import Loaded
from events.service.commands import DueIntent, carry_out_all
from events.service.context import Context
from events.service.seat_gains import gains_of, is_entry
from events.service.tournaments import HeldTournament, load_tournament
from events.store.tournament_records import TableRow

LEVEL: Final = "steady"
"""The level of bots that fill seats."""

ENDED_IN_LOBBY: Final = ("expired", "cancelled")
"""The statuses of a match that has ended before it began."""


def pod_seats(t: Tournament, pod: int) -> tuple[SeatPlan, ...]:
    """Return the seats of a pod: its entrants, and bots up to the minimum."""
    assert t.preparation is not None
    kept = [SeatPlan("invite", None, t.players[one]) for one in t.pods[pod]]
    return (*kept, *[SeatPlan("bot", LEVEL, None)] * (t.preparation.fewest - len(kept)))


def ended_pod_command(context: Context, t: Tournament, row: TableRow) -> Any:
    """Return the command that reports to a tournament that the match of a pod ended or did not start."""
    loaded = context.loaded(row.match_id)
    if loaded.state.status not in ENDED_IN_LOBBY:
        return _finished(t, row, loaded)
    seated = zip(t.pods[row.place], loaded.state.players, strict=False)
    absent = tuple(one for one, player in seated if player is None) or t.pods[row.place]
    return RepeatPod(row.place, row.attempt, row.match_id, loaded.head.head.hex(), absent)


def waiting_pod_command(context: Context, t: Tournament, row: TableRow) -> Any | None:
    """Return the command that reports to a tournament that a pod is over; None while its match is running."""
    loaded = context.loaded(row.match_id)
    return _finished(t, row, loaded) if life.waits_for_group(loaded.state) else None


def _finished(t: Tournament, row: TableRow, loaded: Loaded) -> FinishPod:
    game, gained = GAMES[t.terms.game], gains_of(loaded.state)
    got = dict(zip(t.pods[row.place], gained, strict=False))
    without = tuple(one for one in t.pods[row.place] if not is_entry(game, got.get(one)))
    return FinishPod(row.place, row.attempt, row.match_id, loaded.head.head.hex(), without)


def prepared_gains(context: Context, m: Match, player: str) -> Any:
    """Return the gains of a player before the first round of a match's tournament. Raises `Refused`."""
    of = m.created.tournament
    if of is not None and of.round != PREPARING:
        t = load_tournament(context, of.id).state
        for pod, match_id in t.pod_matches.items():
            entrants = [t.players[one] for one in t.pods[pod]]
            if player in entrants:
                gained = gains_of(context.loaded(match_id).state)[entrants.index(player)]
                if is_entry(m.game, gained):
                    return gained
    raise Refused("nothing_gained")


def disclose_pods(context: Context, found: HeldTournament) -> None:
    """Disclose all undisclosed matches of the pods of a finished tournament.

    If it was cancelled, unstarted matches end, and running ones are disclosed when they end.
    """
    t = found.state
    open_ = [match_of(found.head.match_id, PREPARING, pod, t.pod_attempts[pod]) for pod in _not_over(t)]
    for match_id in (*t.pod_matches.values(), *open_):
        carry_out_all(context, match_id, lambda loaded: _closing(loaded.state))


def _not_over(t: Tournament) -> list[int]:
    return [pod for pod, over in enumerate(t.pods_over) if not over]


def _closing(m: Match) -> DueIntent | None:
    """Return the command to the match of a pod whose tournament is over; None if nothing is left to do."""
    if m.status == "lobby":
        return DueIntent(Intent("time", 0, Expire()))
    return DueIntent(Intent("group", 0, OpenDeals())) if life.can_open_deals(m) else None
