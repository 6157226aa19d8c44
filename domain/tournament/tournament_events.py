"""Defines the events of a tournament. Everybody who may see it reads all of them: none has a secret part.

Entrants and tables are numbers from 0, rounds count from 1.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from domain.core.clock import Clock, Time
from domain.core.staking import TableStakes
from domain.core.types import Doc
from domain.core.values import value
from domain.tournament.played_rounds import Seating, TableResult
from domain.tournament.tournament_plan import TournamentPlan

EntrantNo = Annotated[int, Doc("The number of the entrant, from 0.")]
RoundNo = Annotated[int, Doc("The number of the round, from 1.")]
TableNo = Annotated[int, Doc("The number of the table, from 0.")]
Club = Annotated[str | None, Doc("The club of the player; null where none was named.")]
Reason = Annotated[str, Doc("Why; all can see it.")]
Ended = Annotated[TableResult, Doc("How it has ended, seat by seat.")]


@value
class MatchTerms:
    """Says what is played at every table: a game with its options, a clock, and a series."""

    game: str
    """The name of the game."""
    options: Mapping[str, Any]
    """All options of the game, and those that every game has."""
    preset: str | None
    """The preset that the options began with; null: none."""
    clock: Clock
    """The clock of each match."""
    best_of: int | None
    """The most games of each match, unless games are drawn; null: as the game has it."""


@value
class PlacePrize:
    """Says what everybody gets who ends in a place: boosters by their set, and a promo card."""

    place: int
    """The place, from 1."""
    boosters: Mapping[str, int]
    """How many boosters of which set."""
    promo: str | None
    """The id of a promo card; null: none."""


@value
class EntryTerms:
    """Says who may enter a tournament, and who may see it."""

    visibility: Literal["public", "private"] = "public"
    """Who may see it: all; or its organisers, those who were invited, and its entrants."""
    by_invite: bool = False
    """Whether only those may enter who were invited."""
    least_rating: int | None = None
    """The least rating with which players may enter; null: any."""
    most_rating: int | None = None
    """The most rating with which players may enter; null: any."""


@value
class Preparation:
    """Says what entrants play before the first round, in pods: what they gain there they bring to all tables."""

    terms: MatchTerms
    """What is played in every pod."""
    seats: int
    """The most entrants of a pod."""
    fewest: int
    """The fewest seats with which it is played; bots have those that are left."""


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


@value
class DrawsCommitted:
    """The seeds of all draws are bound: `commitment` is s[0] of a chain of so many links (rules 1.6)."""

    commitment: str
    """s[0] of the chain, in hex."""
    links: int
    """The number of draws that the chain has seeds for."""


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
class PlayersInvited:
    """Players were invited."""

    players: tuple[str, ...]
    """The ids of the players."""
    by: str
    """The id of the organiser or helper who has invited them."""


@value
class PlayerEntered:
    """A player has entered."""

    entrant: EntrantNo
    player: str
    """The id of the player."""
    club: Club
    nonce: str
    """The player's own part of all draws, in hex; empty where none was given."""
    rating: int | None = None
    """The rating of the player, where there are bounds; null: there are none."""


@value
class PlayerWaits:
    """All places are taken, and a player waits for one."""

    player: str
    """The id of the player."""
    club: Club
    nonce: str
    """The player's own part of all draws, in hex; empty where none was given."""
    rating: int | None = None
    """The rating of the player, where there are bounds; null: there are none."""


@value
class PlayerMovedUp:
    """A place has become free, and the first who waited has it."""

    entrant: EntrantNo
    player: str
    """The id of the player."""
    club: Club
    nonce: str
    """The player's own part of all draws, in hex; empty where none was given."""
    waiting: tuple[str, ...]
    """The ids of those who wait on, in order."""


@value
class PlayerStoppedWaiting:
    """A player waits no longer for a place."""

    player: str
    """The id of the player."""
    waiting: tuple[str, ...]
    """The ids of those who wait on, in order."""


@value
class PlayerEnteredLate:
    """A player has entered after entries were closed, and is paired from the next round on."""

    entrant: EntrantNo
    player: str
    """The id of the player."""
    club: Club
    rating: int | None = None
    """The rating of the player, where there are bounds; null: there are none."""


@value
class PlayerWithdrew:
    """An entrant has left the tournament, after so many rounds had been paired."""

    entrant: EntrantNo
    after: int
    """The rounds that had been paired."""


@value
class PlayerDisqualified:
    """An entrant was taken out of the tournament, after so many rounds had been paired."""

    entrant: EntrantNo
    after: int
    """The rounds that had been paired."""
    reason: Reason
    by: str
    """The id of the organiser or helper who has ruled it."""


@value
class PlayerDropped:
    """An entrant has not come to a table for the second time, and is paired no more."""

    entrant: EntrantNo
    after: int
    """The rounds that had been paired."""


@value
class PlayerRested:
    """An entrant of an arena is not paired until the entrant is back."""

    entrant: EntrantNo


@value
class PlayerReturned:
    """An entrant of an arena who has rested is paired again."""

    entrant: EntrantNo


@value
class EntriesClosed:
    """Entries are closed, and the order of the shuffle `seating` is drawn. The tournament begins."""

    by: str | None
    """The id of the organiser or helper who has closed them; null: their time had come."""
    link: int
    """The place of the seed in the chain."""
    seed: str
    """The seed: hashed as often as `link` says, it is the commitment."""
    order: tuple[int, ...]
    """The entrants, in the order that was drawn."""
    rounds: int | None
    """The number of rounds of a Swiss or a duplicate; null: it follows from who is left."""


@value
class RoundPaired:
    """A round is paired."""

    round: RoundNo
    stage: Literal["main", "elimination"]
    """Whether a table of it is played on until it is decided."""
    link: int
    """The place of the seed in the chain."""
    seed: str
    """The seed: hashed as often as `link` says, it is the commitment."""
    tables: tuple[Seating, ...]
    """The entrants of each table, seat by seat; null is a bot."""


@value
class TablesPaired:
    """More tables of the open round of an arena are paired, of those who are free."""

    round: RoundNo
    link: int
    """The place of the seed in the chain."""
    seed: str
    """The seed: hashed as often as `link` says, it is the commitment."""
    tables: tuple[Seating, ...]
    """The entrants of each table, seat by seat; they are numbered behind those that there are."""


@value
class PairingEnded:
    """The time of an arena is over: nobody is paired any more, and the tables that are open are played to their end."""


@value
class StackMoved:
    """An entrant is moved to another table with a stack, to the place that posts the big blind soonest."""

    round: RoundNo
    entrant: EntrantNo
    stack: int
    """The chips that the entrant brings."""
    before: TableNo
    """The number of the table in the round before, from 0."""
    table: TableNo


@value
class TableBroken:
    """The entrants of a table have moved to others, which seat them all; `table` is its number in the round before."""

    round: RoundNo
    table: TableNo


@value
class TableStaked:
    """A table goes on with these stacks, and is played for so many hands."""

    round: RoundNo
    table: TableNo
    stakes: TableStakes
    """The stacks, and how long is played with them."""


@value
class ByeGiven:
    """An entrant has no table in a round, and counts as the winner of one."""

    round: RoundNo
    entrant: EntrantNo


@value
class TableFinished:
    """The match of a table is over."""

    round: RoundNo
    table: TableNo
    match: str
    """The id of the match."""
    head: str
    """The digest of its last event, which binds all of it."""
    result: Ended


@value
class TableDrawn:
    """The match of a table is over, and has no winner where there must be one: it is played once more."""

    round: RoundNo
    table: TableNo
    match: str
    """The id of the match."""
    head: str
    """The digest of its last event, which binds all of it."""
    result: Ended
    attempt: int
    """The number of the match that follows at this table, from 1."""


@value
class TableForfeited:
    """The match of a table has not begun, since not all have come; in a duplicate, to any table of the round."""

    round: RoundNo
    table: TableNo
    match: str
    """The id of the match."""
    head: str
    """The digest of its last event, which binds all of it."""
    absent: tuple[int, ...]
    """The entrants who have not come."""
    result: TableResult | None
    """What becomes of it; null: the table is played once more, since it does not say who goes on, or as a duplicate."""
    attempt: int
    """The number of the match that counts at this table, from 0."""


@value
class TableAdjudicated:
    """The match of a table was not over at the deadline."""

    round: RoundNo
    table: TableNo
    match: str
    """The id of the match."""
    head: str
    """The digest of its last event at the deadline, which binds all of it."""
    late: tuple[int, ...]
    """The entrants who were to move."""
    result: Ended


@value
class TableRuled:
    """The result of a table was ruled."""

    round: RoundNo
    table: TableNo
    result: Ended
    reason: Reason
    by: str
    """The id of the organiser or helper who has ruled it."""


@value
class RoundClosed:
    """All tables of a round are over."""

    round: RoundNo
    ranked: tuple[int, ...]
    """All entrants, the first in the standings first."""
    places: tuple[int, ...]
    """The place of each of them, from 1; who is level shares it."""


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
)
