"""Defines the state of a tournament."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from domain.core.clock import Clock, Time
from domain.core.staking import TableStakes
from domain.core.values import Copied, put, value
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
from domain.tournament.rounds import PlayedRound, Seating, TableResult
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
from domain.tournament.tournament_events import (
    DealsDisclosed,
    DrawsCommitted,
    PayoutMade,
    PlayerUnprepared,
    PodFinished,
    PodRepeated,
    PodsMade,
    PreparationAnnounced,
    PrizeAwarded,
    TournamentAnnounced,
    TournamentCancelled,
    TournamentEnded,
    TournamentPaused,
    TournamentResumed,
)
from domain.tournament.tournament_plan import TournamentPlan
from domain.tournament.tournament_terms import EntryTerms, MatchTerms, PlacePrize, Preparation

ANNOUNCED: Final = "announced"
PLAYING: Final = "playing"
OVER: Final = "over"
CANCELLED: Final = "cancelled"

NO_PLAN: Final = TournamentPlan("swiss", 2, 2)
NO_TERMS: Final = MatchTerms("", {}, None, Clock(), None)


@value
class Applicant:
    """A player who waits for a place: the club, and the nonce that was given."""

    club: str | None
    nonce: str


@dataclass(slots=True)
class Tournament(Copied):
    """This is the state of a tournament.

    `players` and `clubs` have an entry for each entrant, in the order in which they came; `nonces` for those who came
    before entries were closed. `left` says of those who are gone how many rounds had been paired by then, and `barred`
    are the players who were disqualified. `gave_up` has those who wait no longer. `missed` has an entrant for each
    table to which it has not come, `stood_in` for those of this round. `round` is the number of the last paired round,
    which `open` says is not closed. `results` are those of its tables, None where there is none yet, and `attempts`
    counts the matches that are played once more; `tied` has the places after the last tied match of
    each table that had one, and `matches` the match of each table, None where its result was ruled, both by round and
    number. `ranked` and `places` are those after the last closed round. In an arena, `resting` says who is not paired
    for now, and `pairing_over` that its time is over. Where stacks go from table to table, `stakes` are those of the
    tables of this round, `moved` who has come to another table for it, and `broken` the tables that are no more.
    `pods` are the entrants who prepare together; `pods_over` says of each whether it is over, `pod_attempts` counts
    its matches that are played once more, and `pod_matches` has the match of each that is over.
    """

    name: str = ""
    organiser: str = ""
    helpers: tuple[str, ...] = ()
    plan: TournamentPlan = NO_PLAN
    terms: MatchTerms = NO_TERMS
    prizes: tuple[PlacePrize, ...] = ()
    closes: Time | None = None
    entry: EntryTerms = field(default_factory=EntryTerms)
    status: str = ANNOUNCED
    paused: bool = False
    commitment: str = ""
    links: int = 0
    link: int = 0
    deals: str | None = None
    """The commitment to the secret of the deals, and the secret once it is disclosed, in hex."""
    deals_seed: str | None = None
    players: tuple[str, ...] = ()
    clubs: tuple[str | None, ...] = ()
    nonces: tuple[str, ...] = ()
    left: Mapping[int, int] = field(default_factory=dict)
    barred: tuple[str, ...] = ()
    invited: tuple[str, ...] = ()
    missed: tuple[int, ...] = ()
    stood_in: tuple[int, ...] = ()
    resting: Mapping[int, bool] = field(default_factory=dict)
    pairing_over: bool = False
    waiting: Mapping[str, Applicant] = field(default_factory=dict)
    gave_up: tuple[str, ...] = ()
    order: tuple[int, ...] = ()
    rounds: int | None = None
    round: int = 0
    open: bool = False
    stage: str = "main"
    tables: tuple[Seating, ...] = ()
    results: tuple[TableResult | None, ...] = ()
    attempts: tuple[int, ...] = ()
    tied: Mapping[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)
    matches: Mapping[tuple[int, int], str | None] = field(default_factory=dict)
    byes: tuple[int, ...] = ()
    played: tuple[PlayedRound, ...] = ()
    ranked: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    awarded: tuple[PrizeAwarded, ...] = ()
    stakes: tuple[TableStakes, ...] = ()
    moved: tuple[StackMoved, ...] = ()
    broken: tuple[int, ...] = ()
    payouts: tuple[PayoutMade, ...] = ()
    preparation: Preparation | None = None
    pods: tuple[tuple[int, ...], ...] = ()
    pods_over: tuple[bool, ...] = ()
    pod_attempts: tuple[int, ...] = ()
    pod_matches: Mapping[int, str] = field(default_factory=dict)

    @property
    def ended(self) -> bool:
        """Say whether it is over, or was cancelled."""
        return self.status in (OVER, CANCELLED)


def evolve(tournament: Tournament, event: Any) -> Tournament:
    """Give the tournament after an event."""
    t = tournament.copy()
    match event:
        case TournamentAnnounced():
            t.name, t.organiser, t.helpers = event.name, event.organiser, event.helpers
            t.plan, t.terms, t.prizes, t.closes = event.plan, event.terms, event.prizes, event.closes
            t.entry = event.entry
        case DrawsCommitted():
            t.commitment, t.links, t.deals = event.commitment, event.links, event.deals
        case DealsDisclosed():
            t.deals_seed = event.seed
        case PlayersInvited():
            t.invited = (*t.invited, *event.players)
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
        case PlayerWithdrew() | PlayerDropped() | PlayerUnprepared():
            t.left = {**t.left, event.entrant: event.after}
        case PlayerDisqualified():
            t.left = {**t.left, event.entrant: event.after}
            t.barred = (*t.barred, t.players[event.entrant])
        case PlayerBarred():
            t.barred = (*t.barred, event.player)
        case PlayerRested():
            t.resting = {**t.resting, event.entrant: True}
        case PlayerReturned():
            t.resting = {**t.resting, event.entrant: False}
        case EntriesClosed():
            t.status, t.link, t.order, t.rounds = PLAYING, event.link, event.order, event.rounds
        case PreparationAnnounced():
            t.preparation = event.preparation
        case PodsMade():
            t.pods, t.pods_over = event.pods, (False,) * len(event.pods)
            t.pod_attempts = (0,) * len(event.pods)
        case PodFinished():
            t.pods_over = put(t.pods_over, event.pod, True)
            t.pod_matches = {**t.pod_matches, event.pod: event.match}
        case PodRepeated():
            t.pods = put(t.pods, event.pod, event.entrants)
            t.pod_attempts = put(t.pod_attempts, event.pod, event.attempt)
        case RoundPaired():
            t.link, t.round, t.open, t.stage, t.tables = event.link, event.round, True, event.stage, event.tables
            t.results, t.attempts, t.byes = (None,) * len(event.tables), (0,) * len(event.tables), ()
            t.stakes, t.moved, t.broken = (), (), ()
            t.stood_in = ()
        case TablesPaired():
            t.link, t.tables = event.link, (*t.tables, *event.tables)
            more = (None,) * len(event.tables)
            t.results, t.attempts = (*t.results, *more), (*t.attempts, *(0,) * len(event.tables))
        case PairingEnded():
            t.pairing_over = True
        case StackMoved():
            t.moved = (*t.moved, event)
        case TableBroken():
            t.broken = (*t.broken, event.table)
        case TableStaked():
            t.stakes = (*t.stakes, event.stakes)
        case ByeGiven():
            t.byes = (*t.byes, event.entrant)
        case TableFinished():
            t.results = put(t.results, event.table, event.result)
            t.matches = {**t.matches, (event.round, event.table): event.match}
            t.missed = (*t.missed, *event.absent)
        case TableRuled():
            t.results = put(t.results, event.table, event.result)
            t.matches = {**t.matches, (event.round, event.table): None}
        case TableAdjudicated():
            t.results = put(t.results, event.table, event.result)
            t.missed = (*t.missed, *event.absent)
        case TableForfeited():
            t.results = put(t.results, event.table, event.result)
            t.attempts, t.missed = put(t.attempts, event.table, event.attempt), (*t.missed, *event.absent)
            t.stood_in = (*t.stood_in, *event.absent)
        case TableDrawn():
            t.attempts = put(t.attempts, event.table, event.attempt)
            t.tied = {**t.tied, (event.round, event.table): event.result.places}
            t.missed = (*t.missed, *event.absent)
        case RoundClosed():
            # The results of all tables are in.
            t.played = (*t.played, PlayedRound(t.results, t.byes, t.stood_in))  # type: ignore[arg-type]
            t.open = False
            t.ranked, t.places = event.ranked, event.places
        case TournamentPaused():
            t.paused = True
        case TournamentResumed():
            t.paused = False
        case PrizeAwarded():
            t.awarded = (*t.awarded, event)
        case PayoutMade():
            t.payouts = (*t.payouts, event)
        case TournamentEnded():
            t.status, t.ranked, t.places = OVER, event.ranked, event.places
        case TournamentCancelled():
            t.status = CANCELLED
    return t
