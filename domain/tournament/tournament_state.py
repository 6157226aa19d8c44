"""Defines the state of a tournament."""

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Final

from domain.core.clock import Clock, Time
from domain.core.staking import TableStakes
from domain.core.types import Doc
from domain.core.values import Copied, mutable, value
from domain.tournament.rounds import PlayedRound, Seating, StackMove, TableResult
from domain.tournament.tournament_plan import EntryTerms, MatchTerms, PlacePrize, Preparation, TournamentPlan

EntrantNo = Annotated[int, Doc("The number of the entrant, from 0.")]

RoundNo = Annotated[int, Doc("The number of the round, from 1.")]

TableNo = Annotated[int, Doc("The number of the table, from 0.")]

Club = Annotated[str | None, Doc("The club of the player; null for none.")]

Reason = Annotated[str, Doc("The reason, visible to everyone.")]

Ended = Annotated[TableResult, Doc("The result, seat by seat.")]

Absent = Annotated[
    tuple[int, ...],
    Doc("The entrants who took no seat in time; the match started and their clocks ran."),
]


ANNOUNCED: Final = "announced"


PLAYING: Final = "playing"


OVER: Final = "over"


CANCELLED: Final = "cancelled"


NO_PLAN: Final = TournamentPlan("swiss", 2, 2)


NO_TERMS: Final = MatchTerms("", {}, None, Clock(), None)


@value
class Applicant:
    """A player on the waiting list, with their club and nonce."""

    club: str | None
    nonce: str


@value
class Award:
    """A prize that an entrant has won."""

    entrant: int
    prize: PlacePrize


@value
class Payout:
    """The percentage of the prize pool that an entrant has won, as a fraction such as `35/2`."""

    entrant: int
    percent: str


@mutable
class Tournament(Copied):
    """The state of a tournament.

    `players` and `clubs` have an entry for each entrant, in the order of entry; `nonces` only for those who entered
    before entries were closed. `left` has the number of rounds paired before each entrant left, and `barred` the
    disqualified players. `gave_up` has the players who left the waiting list. `missed` lists an entrant once for each
    no-show, `stood_in` for those in this round. `round` is the number of the last paired round, which is not closed if
    `open`. `results` are those of its tables (None: not over), and `attempts` counts replayed matches. `tied` has the
    places after the last tied match of a table, and `matches` the match of each table (None: it was ruled), both by
    round and number. `ranked` and `places` are those after the last closed round. In an arena, `resting` are the
    entrants who are not paired for now, and `pairing_over` means that its time is over. If stacks move from table to
    table, `stakes` are those of the tables of this round, `moved` the entrants who changed tables for it, and `broken`
    the tables that were broken. `pods` are the entrants who prepare together; `pods_over` has whether each is over,
    `pod_attempts` counts its replayed matches, and `pod_matches` has the match of each finished pod.
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
    awarded: tuple[Award, ...] = ()
    stakes: tuple[TableStakes, ...] = ()
    moved: tuple[StackMove, ...] = ()
    broken: tuple[int, ...] = ()
    payouts: tuple[Payout, ...] = ()
    preparation: Preparation | None = None
    pods: tuple[tuple[int, ...], ...] = ()
    pods_over: tuple[bool, ...] = ()
    pod_attempts: tuple[int, ...] = ()
    pod_matches: Mapping[int, str] = field(default_factory=dict)

    @property
    def ended(self) -> bool:
        """Return whether it is over, or was cancelled."""
        return self.status in (OVER, CANCELLED)
