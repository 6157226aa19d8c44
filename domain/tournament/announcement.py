"""The announcement of a tournament: its fixed terms, and the commitments to its draws and deals."""

from collections.abc import Mapping
from typing import Any, Final

from domain.core.clock import Time
from domain.core.game import Refused
from domain.core.values import value
from domain.tournament.format import TournamentPart
from domain.tournament.formats.format_catalogue import FORMATS, TOO_FEW_PLACES, can_begin, links_of, plan_faults
from domain.tournament.pods import PreparationAnnounced
from domain.tournament.tournament_plan import RULES, EntryTerms, MatchTerms, PlacePrize, Preparation, TournamentPlan
from domain.tournament.tournament_state import Tournament


@value
class TournamentAnnounced:
    """A tournament is announced, and takes entries."""

    name: str
    """The name that others see."""
    organiser: str
    """The id of the organiser."""
    helpers: tuple[str, ...]
    """The ids of the co-organisers, who have the organiser's rights."""
    plan: TournamentPlan
    """The format and its options."""
    terms: MatchTerms
    """The game at every table."""
    prizes: tuple[PlacePrize, ...]
    """The prizes by place."""
    closes: Time | None
    """When entries close automatically; null if the organiser closes them."""
    entry: EntryTerms = EntryTerms()
    """The conditions of entry, and the visibility."""
    rules: int = RULES
    """The version of the tournament rules."""


@value
class DrawsCommitted:
    """The seeds of all draws are bound: `commitment` is s[0] of a chain of this number of links (rules 1.6)."""

    commitment: str
    """s[0] of the chain, in hex."""
    links: int
    """The number of draws that the chain has seeds for."""
    deals: str | None = None
    """The SHA-256, in hex, of the secret behind the deals at all tables; null if there is none."""


def announce_tournament(
    announced: TournamentAnnounced,
    commitment: str,
    preparation: Preparation | None = None,
    deals: str | None = None,
) -> tuple[Any, ...]:
    """Return the first events of a tournament, with the commitments to its draws and deals.

    Raise `Refused` for a plan that cannot be played, with its first fault.
    """
    for fault in plan_faults(announced.plan):
        raise Refused("bad_options", fault)
    if announced.entry.visibility == "private" and not announced.entry.by_invite:
        raise Refused("bad_options", "A private tournament must be by invitation.")
    if announced.rules != RULES:
        raise Refused("bad_options", f"Use version {RULES} of the tournament rules.")
    _check_enterable(announced)
    places = [prize.place for prize in announced.prizes]
    if len(set(places)) < len(places) or any(place < 1 for place in places):
        raise Refused("bad_options", "Each prize must be for a different place, from 1.")
    if not all(_are_counts(prize.boosters) for prize in announced.prizes):
        raise Refused("bad_options", "Give the number of boosters for each set of a prize.")
    if announced.plan.ends is not None and announced.closes is not None and announced.closes >= announced.plan.ends:
        raise Refused("bad_options", "Entries to an arena must close before it ends.")
    if announced.plan.levels == "clock" and announced.closes is None:
        raise Refused(
            "bad_options", "If levels change by the clock, the first one starts when entries close. Set `closes`."
        )
    committed = DrawsCommitted(commitment, links_of(announced.plan), deals)
    if preparation is None:
        return announced, committed
    if not 2 <= preparation.fewest <= preparation.seats:
        raise Refused("bad_options", "A pod needs at least two seats.")
    if misfit := FORMATS[announced.plan.format].preparation_fault(announced.plan):
        raise Refused("bad_options", misfit)
    return announced, PreparationAnnounced(preparation), committed


def _check_enterable(announced: TournamentAnnounced) -> None:
    """Raise `Refused` if no player can enter the tournament, or if it can never begin."""
    least, most = announced.entry.least_rating, announced.entry.most_rating
    if least is not None and most is not None and least > most:
        raise Refused("bad_options", "`least_rating` must not be greater than `most_rating`.")
    if not can_begin(announced.plan):
        raise Refused("bad_options", TOO_FEW_PLACES)


def _are_counts(boosters: Any) -> bool:
    return isinstance(boosters, Mapping) and all(type(count) is int and count > 0 for count in boosters.values())


def evolve_announcement(t: Tournament, event: Any) -> None:
    """Assign the announced plan and terms to the tournament."""
    match event:
        case TournamentAnnounced():
            t.name, t.organiser, t.helpers = event.name, event.organiser, event.helpers
            t.plan, t.terms, t.prizes, t.closes = event.plan, event.terms, event.prizes, event.closes
            t.entry = event.entry
        case DrawsCommitted():
            t.commitment, t.links, t.deals = event.commitment, event.links, event.deals


ANNOUNCEMENT: Final = TournamentPart(
    events=(TournamentAnnounced, DrawsCommitted),
    evolve=evolve_announcement,
)
