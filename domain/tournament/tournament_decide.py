"""Decides what a tournament's commands lead to. Each gives the events, with all that follows, or raises `Refused`."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.core.game import Refused
from domain.tournament.entry_decide import bar, close, disqualify, enter, entrant_of, lapse, withdraw
from domain.tournament.format import Draws
from domain.tournament.formats.arena import come_back, end_pairing, rest
from domain.tournament.formats.format_catalogue import TOO_FEW_PLACES, can_begin, links_of
from domain.tournament.organiser_decide import cancel, invite, pause, resume
from domain.tournament.preparing import fault_of_preparation, finish_pod, repeat_pod
from domain.tournament.table_deals import deals_commitment
from domain.tournament.table_decide import adjudicate, finish, forfeit, rule
from domain.tournament.tournament_commands import (
    AdjudicateTable,
    BarPlayer,
    CancelTournament,
    CloseEntries,
    ComeBack,
    DiscloseDeals,
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
from domain.tournament.tournament_course import all_events
from domain.tournament.tournament_events import (
    DealsDisclosed,
    DrawsCommitted,
    PreparationAnnounced,
    TournamentAnnounced,
)
from domain.tournament.tournament_plan import RULES, faults_of
from domain.tournament.tournament_state import Tournament
from domain.tournament.tournament_terms import Preparation


def announce(
    announced: TournamentAnnounced,
    commitment: str,
    preparation: Preparation | None = None,
    deals: str | None = None,
) -> tuple[Any, ...]:
    """Begin a tournament, bound by the commitments to its draws and to its deals.

    Raises `Refused` for a plan that cannot be played, with the first of its faults.
    """
    for fault in faults_of(announced.plan):
        raise Refused("bad_options", fault)
    if announced.entry.visibility == "private" and not announced.entry.by_invite:
        raise Refused("bad_options", "A private tournament is entered by invitation.")
    if announced.rules != RULES:
        raise Refused("bad_options", f"Only version {RULES} of the tournament rules can be used.")
    _check_enterable(announced)
    places = [prize.place for prize in announced.prizes]
    if len(set(places)) < len(places) or any(place < 1 for place in places):
        raise Refused("bad_options", "Each prize is for a place of its own, from 1.")
    if not all(_are_counts(prize.boosters) for prize in announced.prizes):
        raise Refused("bad_options", "A prize says how many boosters of which set it has.")
    if announced.plan.ends is not None and announced.closes is not None and announced.closes >= announced.plan.ends:
        raise Refused("bad_options", "Entries to an arena close before it ends.")
    if announced.plan.levels == "clock" and announced.closes is None:
        raise Refused("bad_options", "Levels by the clock are counted from the time at which entries close; say it.")
    committed = DrawsCommitted(commitment, links_of(announced.plan), deals)
    if preparation is None:
        return announced, committed
    if misfit := fault_of_preparation(preparation, announced.plan):
        raise Refused("bad_options", misfit)
    return announced, PreparationAnnounced(preparation), committed


def _check_enterable(announced: TournamentAnnounced) -> None:
    """Raise `Refused` for what nobody can enter, and for what cannot begin however many do."""
    least, most = announced.entry.least_rating, announced.entry.most_rating
    if least is not None and most is not None and least > most:
        raise Refused("bad_options", "Nobody has a rating of at least the one and at most the other.")
    if not can_begin(announced.plan):
        raise Refused("bad_options", TOO_FEW_PLACES)


def _are_counts(boosters: Any) -> bool:
    return isinstance(boosters, Mapping) and all(type(count) is int and count > 0 for count in boosters.values())


def decide(t: Tournament, command: Any, chance: Draws) -> tuple[Any, ...]:
    """Give the events that a command leads to; none for a table that is over already. Raises `Refused`."""
    if isinstance(command, DiscloseDeals):
        return _disclose(t, command)
    if t.ended:
        if isinstance(command, FinishTable | ForfeitTable | AdjudicateTable | FinishPod | RepeatPod):
            return ()
        raise Refused("match_over", "The tournament has ended.")
    first = _DECIDE[type(command)](t, command, chance)
    return all_events(t, first, chance) if first else ()


def _disclose(t: Tournament, command: DiscloseDeals) -> tuple[Any, ...]:
    """Disclose the secret of the deals, once, after the end."""
    if t.deals_seed is not None:
        return ()
    if not t.ended:
        raise Refused("wrong_phase", "Deals are disclosed after the end.")
    secret = bytes.fromhex(command.seed)
    if command.seed != secret.hex() or deals_commitment(secret) != t.deals:
        raise Refused("bad_arguments", "The deals are bound to another secret.")
    return (DealsDisclosed(command.seed),)


_DECIDE: Final[Mapping[type, Callable[[Tournament, Any, Draws], tuple[Any, ...]]]] = {
    InvitePlayers: invite,
    Enter: enter,
    Withdraw: withdraw,
    Rest: lambda t, command, chance: rest(t, command, entrant_of(t, command.player)),
    ComeBack: lambda t, command, chance: come_back(t, command, entrant_of(t, command.player)),
    EndPairing: lambda t, command, chance: end_pairing(t, command),
    CloseEntries: close,
    LapseEntries: lapse,
    Disqualify: disqualify,
    BarPlayer: bar,
    FinishPod: lambda t, command, chance: finish_pod(t, command),
    RepeatPod: lambda t, command, chance: repeat_pod(t, command),
    FinishTable: finish,
    ForfeitTable: forfeit,
    AdjudicateTable: adjudicate,
    RuleTable: rule,
    Pause: pause,
    Resume: resume,
    CancelTournament: cancel,
}
