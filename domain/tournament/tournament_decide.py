"""Decides what a tournament's commands lead to. Each gives the events, with all that follows, or raises `Refused`."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Final

from domain.core.game import Refused
from domain.core.values import value
from domain.tournament.entrants import ENTRY_DECISIONS
from domain.tournament.format import Decisions, Draws
from domain.tournament.formats.arena import ARENA_DECISIONS
from domain.tournament.formats.format_catalogue import TOO_FEW_PLACES, can_begin, format_of, links_of
from domain.tournament.organiser import ORGANISER_DECISIONS
from domain.tournament.pods import POD_DECISIONS, FinishPod, PreparationAnnounced, RepeatPod
from domain.tournament.round_tables import TABLE_DECISIONS, AdjudicateTable, FinishTable, ForfeitTable
from domain.tournament.table_deals import deals_commitment
from domain.tournament.tournament_events import DealsDisclosed, DrawsCommitted, TournamentAnnounced, evolve
from domain.tournament.tournament_plan import RULES, fault_of_preparation, faults_of
from domain.tournament.tournament_state import PLAYING, Tournament
from domain.tournament.tournament_terms import Preparation


@value
class DiscloseDeals:
    """Disclose the secret of the deals, in hex: the tournament and all its matches are over."""

    seed: str


def announce_tournament(
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
    first = _DECIDE[type(command)](t, command, format_of(t), chance)
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


_DECIDE: Final[Decisions] = {
    **ORGANISER_DECISIONS,
    **ENTRY_DECISIONS,
    **ARENA_DECISIONS,
    **POD_DECISIONS,
    **TABLE_DECISIONS,
}


def follow_up(t: Tournament, chance: Draws) -> Iterator[Any]:
    """Give the events that follow by themselves, until the tournament waits for a table or for somebody."""
    by = format_of(t)
    while t.status == PLAYING and not t.paused and (events := tuple(by.step(t, by, chance))):
        for event in events:
            yield event
            t = evolve(t, event)


def all_events(t: Tournament, first: tuple[Any, ...], chance: Draws) -> tuple[Any, ...]:
    """Give what was decided, and all that follows from it by itself."""
    after = t
    for event in first:
        after = evolve(after, event)
    return tuple(chain(first, follow_up(after, chance)))
