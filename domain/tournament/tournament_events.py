"""Defines the events of a tournament. Everybody who may see it reads all of them: none has a secret part.

Entrants and tables are numbers from 0, rounds count from 1.
"""

from typing import Annotated, Final

from domain.core.clock import Time
from domain.core.types import Doc
from domain.core.values import value
from domain.tournament.entry_events import (
    EntriesClosed,
    PlayerBarred,
    PlayerDisqualified,
    PlayerDropped,
    PlayerEntered,
    PlayerEnteredLate,
    PlayerMovedUp,
    PlayerRested,
    PlayerReturned,
    PlayersInvited,
    PlayerStoppedWaiting,
    PlayerWaits,
    PlayerWithdrew,
)
from domain.tournament.table_events import (
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
)
from domain.tournament.tournament_fields import EntrantNo, Reason
from domain.tournament.tournament_plan import RULES, TournamentPlan
from domain.tournament.tournament_terms import EntryTerms, MatchTerms, PlacePrize, Preparation


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
class PreparationAnnounced:
    """Entrants prepare before the first round, and bring what they gain by that to all tables."""

    preparation: Preparation
    """What they play for that."""


@value
class PodsMade:
    """Entrants begin to prepare, pod by pod."""

    pods: tuple[tuple[int, ...], ...]
    """The entrants of each pod, in the order of the shuffle `seating`."""


@value
class PodFinished:
    """The match of a pod is over. It is disclosed when the tournament is over too."""

    pod: Annotated[int, Doc("The number of the pod, from 0.")]
    match: str
    """The id of the match."""
    head: str
    """The digest of its last event so far, which binds all of them."""
    without: tuple[int, ...]
    """The entrants who have gained nothing."""


@value
class PodRepeated:
    """The match of a pod has not begun, since not all have come; it is played without them."""

    pod: Annotated[int, Doc("The number of the pod, from 0.")]
    match: str
    """The id of the match that has not begun."""
    head: str
    """The digest of its last event, which binds all of it."""
    absent: tuple[int, ...]
    """The entrants who have not come."""
    entrants: tuple[int, ...]
    """The entrants of the pod who are left."""
    attempt: int
    """The number of the match that follows in this pod, from 1."""


@value
class PlayerUnprepared:
    """An entrant has gained nothing before the first round, and is paired no more."""

    entrant: EntrantNo
    after: int
    """The rounds that had been paired: none."""


@value
class TournamentPaused:
    """No round is closed or paired until the tournament goes on."""

    by: str
    """The id of the organiser or helper who has paused it."""
    reason: Reason


@value
class TournamentResumed:
    """The tournament goes on."""

    by: str
    """The id of the organiser or helper who lets it go on."""


@value
class PrizeAwarded:
    """An entrant gets the prize of a place."""

    entrant: EntrantNo
    prize: PlacePrize
    """What the entrant gets."""


@value
class PayoutMade:
    """An entrant gets a part of all that was put in, by the place."""

    entrant: EntrantNo
    percent: str
    """The part of a hundred, as a fraction such as `35/2`."""


@value
class TournamentEnded:
    """The tournament is over."""

    ranked: tuple[int, ...]
    """All entrants, the winner first."""
    places: tuple[int, ...]
    """The place of each of them, from 1; who is level shares it."""


@value
class TournamentCancelled:
    """The tournament is ended without an outcome."""

    by: str | None
    """The id of the organiser or helper who has cancelled it; null: too few had entered by the time that was set."""
    reason: Reason


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
