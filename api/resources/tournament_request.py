"""Reads requests about tournaments: announcements, entries, rulings, lists."""

from dataclasses import field
from typing import Annotated, Final, Literal

from api.http.common_fields import LARGEST, ClubName, GameName, Handle, Name, NonceOrNone, PageQuery, prose
from api.http.long_polling import Seconds, StreamQuery
from api.http.request_records import Request, choice
from api.resources.match_request import AlikeBody, SeriesBody
from api.resources.preparation_parts import PreparationRequestBody
from api.resources.prize_parts import Prizes
from domain.core.clock import Clock, Time
from domain.core.options import Length, Omissible, Range
from domain.tournament import tournament_plan as plans

MOST_HELPERS: Final = 10
MOST_INVITED: Final = 100
REASON: Final = 500
"""Maximum characters of a reason."""
STATUSES: Final = ("announced", "playing", "over", "cancelled")


RatingBound = Annotated[int, Range(0, 5000)] | None


class TournamentRequestBody(AlikeBody):
    """The tournament to create."""

    name: Name
    """The name that others see."""
    clock: Clock = field(default_factory=Clock)
    """The clock of each table."""
    series: SeriesBody = field(default_factory=SeriesBody)
    """How many games make the match at each table."""
    format: plans.FormatName
    """How rounds are paired."""
    seats: Omissible[Annotated[int, Range(2, 10)]] = None
    """The seats of each table; by default 2 if the format and game allow it, else the usual number."""
    rounds: Annotated[int, Range(1, plans.MOST_ROUNDS)] | None = None
    """The rounds of a Swiss or a duplicate.

    Null: in a Swiss, enough to halve the entrants down to one; in a duplicate, the number of seats.
    """
    legs: Annotated[int, Range(1, 4)] = 1
    """How often each pair meets in a league."""
    cut: Annotated[int, choice((0, 4, 8))] = 0
    """Players who advance from a Swiss to an elimination."""
    advance: Annotated[int, Range(1, 5)] = 1
    """Players who advance from each table of more than two in a single elimination."""
    fill: plans.Fill = "bye"
    """Treatment of entrants who do not fill a table: a bye, a smaller table or bots."""
    most: Omissible[Annotated[int, Range(2, plans.MOST_ENTRANTS)]] = None
    """Maximum entrants; later ones join the waiting list. By default the format's maximum."""
    most_waiting: Annotated[int, Range(0, plans.MOST_ENTRANTS)] | None = None
    """Maximum length of the waiting list; null for no limit."""
    late: Annotated[int, Range(0, plans.MOST_ROUNDS)] = 0
    """Number of paired rounds up to which players can enter a Swiss."""
    show_up_seconds: Annotated[int, Range(60, plans.MOST_DAYS * 86_400)] | None = None
    """Time for players to take their seats at a table, or they lose it.

    By default 15 minutes, in an arena 2 minutes, and 3 days if a decision can take an hour or more. Server downtime
    does not count.
    """
    round_days: Annotated[int, Range(1, plans.MOST_DAYS)] | None = None
    """Days from the start of a table to its deadline; null for none. Server downtime does not count."""
    overdue: plans.Overdue = "lost"
    """How a late table ends: the player to move loses, or it is a draw."""
    teams: plans.Teams | None = None
    """In a duplicate, `tables`: teams with as many players as a table has seats; `pairs`: partners at one table.

    `club` names both. Null for individual play.
    """
    closes_at: Time | None = None
    """Time at which entries close automatically; null if you close them."""
    ends_at: Time | None = None
    """When pairing in an arena ends; open tables are played to their end."""
    visibility: Literal["public", "private"] = "public"
    """The readers of the tournament; entry to private ones is by invitation."""
    by_invite: bool = False
    """Whether entry needs an invitation."""
    least_rating: RatingBound = None
    """Minimum current rating in the pool of its matches to enter; null for no limit."""
    most_rating: RatingBound = None
    """Maximum displayed rating of the last four weeks to enter; null for no limit."""
    least_reliability: Annotated[int, Range(1, 100)] | None = None
    """Minimum percentage of on-time moves to enter, in the player's last 30 finished matches with deadlines.

    Players without such moves can enter. Null for no limit.
    """
    helpers: Annotated[tuple[Handle, ...], Length(0, MOST_HELPERS)] = ()
    """The handles of co-organisers, who have your rights."""
    prizes: Prizes = ()
    preparation: PreparationRequestBody | None = None
    """Preparation before the first round; its gains count at the tables. Null if there is none."""


class TournamentEntryBody(Request):
    """How you enter."""

    club: ClubName | None = None
    """Your club, if any; pairings keep players of a club apart."""
    nonce: NonceOrNone = ""
    """Your nonce for all draws, in hex; it stops the server from choosing them."""


Reason = Annotated[str, prose(REASON)]


class RulingBody(Request):
    """The result of an open table, and the reason."""

    places: Annotated[tuple[Annotated[int, Range(1, 10)], ...], Length(2, 10)]
    """The place of each seat, from 1, with ties as in 1, 1, 3. If all share the last place, all lose."""
    reason: Reason
    """The reason, visible to everyone."""


class DisqualificationBody(Request):
    """The player to disqualify, and the reason."""

    entrant: Annotated[int, Range(0, 9_999)] | None = None
    """The number of the entrant, from 0; null if you send `player`."""
    player: Handle | None = None
    """The handle of an entered, waiting or invited player; null if you send `entrant`."""
    reason: Reason
    """The reason, visible to everyone."""


class ReasonBody(Request):
    """The reason for an action."""

    reason: Reason
    """The reason, visible to everyone."""


class InvitationsBody(Request):
    """The players to invite."""

    players: Annotated[tuple[Handle, ...], Length(1, MOST_INVITED)]
    """The handles of the players."""


class TournamentsQuery(PageQuery):
    status: Omissible[Annotated[str, choice(STATUSES)]] = None
    """Only tournaments with this status."""
    game: Omissible[GameName] = None
    """Only tournaments of this game, even if it is no longer installed."""
    mine: Literal["true", "false"] = "false"
    """`true`: only tournaments that you run, have entered, wait for or were invited to."""


class TournamentEventsQuery(StreamQuery):
    after: Annotated[int, Range(0, LARGEST)] = 0
    """Only events with a higher number."""
    limit: Annotated[int, Range(1, 1_000)] = 100
    """Maximum number on a page of JSON."""
    wait: Seconds = None
    """Seconds to wait for news; ignored once the tournament has ended."""
