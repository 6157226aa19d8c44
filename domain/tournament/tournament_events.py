"""Defines the events of a whole tournament, lists all events, and folds them into its state.

Everybody who may see a tournament reads all its events: none has a secret part. Entrants and tables are numbers from 0,
rounds count from 1.
"""

from typing import Any, Final

from domain.core.clock import Time
from domain.core.values import value
from domain.tournament.entrants import (
    EntriesClosed,
    PlayerBarred,
    PlayerDisqualified,
    PlayerDropped,
    PlayerEntered,
    PlayerEnteredLate,
    PlayerMovedUp,
    PlayerRested,
    PlayerReturned,
    PlayerStoppedWaiting,
    PlayerWaits,
    PlayerWithdrew,
    evolve_entrants,
)
from domain.tournament.organiser import (
    PlayersInvited,
    TournamentCancelled,
    TournamentPaused,
    TournamentResumed,
    evolve_organiser,
)
from domain.tournament.place_prizes import PayoutMade, PrizeAwarded, evolve_prizes
from domain.tournament.pods import (
    PlayerUnprepared,
    PodFinished,
    PodRepeated,
    PodsMade,
    PreparationAnnounced,
    evolve_pods,
)
from domain.tournament.round_tables import (
    ByeGiven,
    PairingEnded,
    RoundClosed,
    RoundPaired,
    StackMoved,
    TableAdjudicated,
    TableBroken,
    TableDrawn,
    TableFinished,
    TableForfeited,
    TableRuled,
    TablesPaired,
    TableStaked,
    evolve_tables,
)
from domain.tournament.tournament_plan import RULES, TournamentPlan
from domain.tournament.tournament_state import OVER, Tournament
from domain.tournament.tournament_terms import EntryTerms, MatchTerms, PlacePrize


@value
class TournamentAnnounced:
    """A tournament is announced, and takes entries."""

    name: str
    """What others see."""
    organiser: str
    """The id of the player who runs it."""
    helpers: tuple[str, ...]
    """The ids of the players who may do all that the organiser may."""
    plan: TournamentPlan
    """How it is played."""
    terms: MatchTerms
    """What is played at every table."""
    prizes: tuple[PlacePrize, ...]
    """What is awarded by place."""
    closes: Time | None
    """When entries close by themselves; null: the organiser closes them."""
    entry: EntryTerms = EntryTerms()
    """Who may enter, and who may see it."""
    rules: int = RULES
    """The version of the rules by which it is judged."""


@value
class DrawsCommitted:
    """The seeds of all draws are bound: `commitment` is s[0] of a chain of this number of links (rules 1.6)."""

    commitment: str
    """s[0] of the chain, in hex."""
    links: int
    """The number of draws that the chain has seeds for."""
    deals: str | None = None
    """The SHA-256, in hex, of the secret that the deals at all tables follow from; null: they follow from none."""


@value
class DealsDisclosed:
    """The tournament and all its matches are over, and the secret that their deals follow from is disclosed."""

    seed: str
    """The secret, in hex."""


@value
class TournamentEnded:
    """The tournament is over."""

    ranked: tuple[int, ...]
    """All entrants, the winner first."""
    places: tuple[int, ...]
    """The place of each of them, from 1; who is level shares it."""


EVENTS: Final = (
    TournamentAnnounced,
    PreparationAnnounced,
    DrawsCommitted,
    PlayersInvited,
    PlayerEntered,
    PlayerWaits,
    PlayerMovedUp,
    PlayerStoppedWaiting,
    PlayerEnteredLate,
    PlayerWithdrew,
    PlayerDisqualified,
    PlayerBarred,
    PlayerDropped,
    PlayerRested,
    PlayerReturned,
    EntriesClosed,
    PodsMade,
    PodFinished,
    PodRepeated,
    PlayerUnprepared,
    RoundPaired,
    TablesPaired,
    PairingEnded,
    StackMoved,
    TableBroken,
    TableStaked,
    ByeGiven,
    TableFinished,
    TableDrawn,
    TableForfeited,
    TableAdjudicated,
    TableRuled,
    RoundClosed,
    TournamentPaused,
    TournamentResumed,
    PrizeAwarded,
    PayoutMade,
    TournamentEnded,
    TournamentCancelled,
    DealsDisclosed,
)


def evolve(tournament: Tournament, event: Any) -> Tournament:
    """Return the tournament after an event."""
    t = tournament.copy()
    evolve_organiser(t, event)
    evolve_pods(t, event)
    evolve_prizes(t, event)
    evolve_entrants(t, event)
    evolve_tables(t, event)
    _evolve_whole(t, event)
    return t


def _evolve_whole(t: Tournament, event: Any) -> None:
    """Assign to the tournament what concerns the whole of it."""
    match event:
        case TournamentAnnounced():
            t.name, t.organiser, t.helpers = event.name, event.organiser, event.helpers
            t.plan, t.terms, t.prizes, t.closes = event.plan, event.terms, event.prizes, event.closes
            t.entry = event.entry
        case DrawsCommitted():
            t.commitment, t.links, t.deals = event.commitment, event.links, event.deals
        case DealsDisclosed():
            t.deals_seed = event.seed
        case TournamentEnded():
            t.status, t.ranked, t.places = OVER, event.ranked, event.places
