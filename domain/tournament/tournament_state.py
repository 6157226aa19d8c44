"""Defines the state of a tournament."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from domain.core.clock import Clock, Time
from domain.core.values import Copied, put, value
from domain.tournament.played_rounds import PlayedRound, Seating, TableResult
from domain.tournament.tournament_events import (
    ByeGiven,
    DrawsCommitted,
    EntriesClosed,
    EntryTerms,
    MatchTerms,
    PlacePrize,
    PlayerDisqualified,
    PlayerDropped,
    PlayerEntered,
    PlayerEnteredLate,
    PlayerMovedUp,
    PlayersInvited,
    PlayerStoppedWaiting,
    PlayerWaits,
    PlayerWithdrew,
    PrizeAwarded,
    RoundClosed,
    RoundPaired,
    TableAdjudicated,
    TableDrawn,
    TableFinished,
    TableForfeited,
    TableRuled,
    TournamentAnnounced,
    TournamentCancelled,
    TournamentEnded,
    TournamentPaused,
    TournamentResumed,
)
from domain.tournament.tournament_plan import TournamentPlan

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
    before entries were closed. `left` says of those who are gone how many rounds had been paired by then, and
    `barred` are the players who were disqualified. `gave_up` has those who wait no longer. `missed` has an entrant
    for each table to which it has not come. `round` is the number of the last paired round, which `open` says is not
    closed. `results` are those of its tables, None where there is none yet, and `attempts` counts the matches that
    are played once more. `matches` has the match of each table by round and number, None where its result was ruled.
    `ranked` and `places` are those after the last closed round.
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
    players: tuple[str, ...] = ()
    clubs: tuple[str | None, ...] = ()
    nonces: tuple[str, ...] = ()
    left: Mapping[int, int] = field(default_factory=dict)
    barred: tuple[str, ...] = ()
    invited: tuple[str, ...] = ()
    missed: tuple[int, ...] = ()
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
    matches: Mapping[tuple[int, int], str | None] = field(default_factory=dict)
    byes: tuple[int, ...] = ()
    played: tuple[PlayedRound, ...] = ()
    ranked: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    awarded: tuple[PrizeAwarded, ...] = ()


def evolve(tournament: Tournament, event: Any) -> Tournament:
    """Give the tournament after an event."""
    t = tournament.copy()
    match event:
        case TournamentAnnounced():
            t.name, t.organiser, t.helpers = event.name, event.organiser, event.helpers
            t.plan, t.terms, t.prizes, t.closes = event.plan, event.terms, event.prizes, event.closes
            t.entry = event.entry
        case DrawsCommitted():
            t.commitment, t.links = event.commitment, event.links
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
        case PlayerWithdrew() | PlayerDropped():
            t.left = {**t.left, event.entrant: event.after}
        case PlayerDisqualified():
            t.left = {**t.left, event.entrant: event.after}
            t.barred = (*t.barred, t.players[event.entrant])
        case EntriesClosed():
            t.status, t.link, t.order, t.rounds = PLAYING, event.link, event.order, event.rounds
        case RoundPaired():
            t.link, t.round, t.open, t.stage, t.tables = event.link, event.round, True, event.stage, event.tables
            t.results, t.attempts, t.byes = (None,) * len(event.tables), (0,) * len(event.tables), ()
        case ByeGiven():
            t.byes = (*t.byes, event.entrant)
        case TableFinished():
            t.results = put(t.results, event.table, event.result)
            t.matches = {**t.matches, (event.round, event.table): event.match}
        case TableRuled():
            t.results = put(t.results, event.table, event.result)
            t.matches = {**t.matches, (event.round, event.table): None}
        case TableAdjudicated():
            t.results = put(t.results, event.table, event.result)
        case TableForfeited():
            t.results = put(t.results, event.table, event.result)
            t.attempts, t.missed = put(t.attempts, event.table, event.attempt), (*t.missed, *event.absent)
        case TableDrawn():
            t.attempts = put(t.attempts, event.table, event.attempt)
        case RoundClosed():
            t.played, t.open = (*t.played, PlayedRound(t.results, t.byes)), False  # type: ignore[arg-type]  # all are in
            t.ranked, t.places = event.ranked, event.places
        case TournamentPaused():
            t.paused = True
        case TournamentResumed():
            t.paused = False
        case PrizeAwarded():
            t.awarded = (*t.awarded, event)
        case TournamentEnded():
            t.status, t.ranked, t.places = OVER, event.ranked, event.places
        case TournamentCancelled():
            t.status = CANCELLED
    return t
