"""Reads what a client asks for of a tournament: its announcement, entries, rulings, lists."""

from typing import Any, Final, get_args

from marshmallow import fields, validate

from api.http.common_fields import (
    LARGEST,
    Handle,
    Name,
    PageQuery,
    Prose,
    choice_field,
    doc,
    game_name_field,
    nonce_field,
    number_field,
)
from api.http.game_request_schemas import record_request_schema
from api.http.long_polling import StreamQuery, wait_field
from api.http.strict_fields import Flag, Instant, Strict, Whole
from api.resources.match_request import AlikeBody
from api.resources.preparation_parts import preparation_field
from api.resources.prize_parts import prizes_field
from domain.core.clock import Clock
from domain.match.creation import Series
from domain.tournament.tournament_plan import (
    MOST_DAYS,
    MOST_ENTRANTS,
    MOST_ROUNDS,
    Fill,
    FormatName,
    Overdue,
    Teams,
)

MOST_HELPERS: Final = 10
MOST_INVITED: Final = 100
REASON: Final = 500
"""A reason has at most this many characters."""
STATUSES: Final = ("announced", "playing", "over", "cancelled")


def _handles(most: int, description: str, **more: Any) -> fields.List[str]:
    limits = {"maxItems": most, **({"minItems": 1} if more.get("required") else {})}
    lengths = validate.Length(1 if more.get("required") else 0, most)
    return fields.List(Handle(), validate=lengths, **more, **doc(description, **limits))


class TournamentRequestBody(AlikeBody):
    """The tournament to be announced."""

    name = Name(required=True, **doc("What others see.", minLength=1, maxLength=40))
    clock = fields.Nested(lambda: record_request_schema(Clock), load_default=dict, **doc("The clock of each table."))
    series = fields.Nested(
        lambda: record_request_schema(Series), load_default=dict, **doc("How many games make the match at each table.")
    )
    format = choice_field(*get_args(FormatName), required=True, **doc("How rounds are paired."))
    seats = Whole(
        validate=validate.Range(2, 10),
        **doc("The seats of each table; by default 2 where format and game are played by two, else its usual number."),
    )
    rounds = Whole(
        allow_none=True,
        load_default=None,
        validate=validate.Range(1, MOST_ROUNDS),
        **doc(
            "Of a Swiss; null: as many as it takes to halve the entrants until one is left. Of a duplicate; null: as"
            " many as a table has seats."
        ),
    )
    legs = Whole(load_default=1, validate=validate.Range(1, 4), **doc("How often all meet in a league."))
    cut = Whole(
        load_default=0, validate=validate.OneOf((0, 4, 8)), **doc("How many play on by elimination after a Swiss.")
    )
    advance = Whole(
        load_default=1,
        validate=validate.Range(1, 5),
        **doc("How many of each table go on in single elimination at tables of more than two."),
    )
    fill = choice_field(
        *get_args(Fill),
        load_default="bye",
        **doc("How to handle entrants who fill no table: a bye, a smaller table, or bots."),
    )
    most = Whole(
        validate=validate.Range(2, MOST_ENTRANTS),
        **doc("Maximum entrants; later ones join the waiting list. By default as many as the format admits."),
    )
    most_waiting = Whole(
        allow_none=True,
        load_default=None,
        validate=validate.Range(0, MOST_ENTRANTS),
        **doc("Maximum length of the waiting list; null for no limit."),
    )
    late = Whole(
        load_default=0,
        validate=validate.Range(0, MOST_ROUNDS),
        **doc("Up to this number of paired rounds players may still enter a Swiss."),
    )
    show_up_seconds = Whole(
        allow_none=True,
        load_default=None,
        validate=validate.Range(60, MOST_DAYS * 86_400),
        **doc(
            "The time in which players must take their seats at a table; those who do not have lost it. By default 15"
            " minutes, or 3 days if a decision may take an hour or more; in an arena 2 minutes. Time in which the"
            " server was down does not count."
        ),
    )
    round_days = Whole(
        allow_none=True,
        load_default=None,
        validate=validate.Range(1, MOST_DAYS),
        **doc(
            "The days from the beginning of a table to its deadline; null if there is none. Time in which the server"
            " was down does not count."
        ),
    )
    overdue = choice_field(
        *get_args(Overdue),
        load_default="lost",
        **doc("How a late table ends: the player to move has lost, or it is a draw."),
    )
    teams = choice_field(
        *get_args(Teams),
        allow_none=True,
        load_default=None,
        **doc(
            "In a duplicate, `tables`: teams of as many as a table has seats; `pairs`: partners at one table. Both"
            " are named by `club`. Null for individual play."
        ),
    )
    closes_at = Instant(
        allow_none=True,
        load_default=None,
        **doc("Time at which entries close automatically; null if you close them."),
    )
    ends_at = Instant(
        allow_none=True,
        load_default=None,
        **doc("When an arena is paired no more; the tables that are open then are played to their end."),
    )
    visibility = choice_field(
        "public",
        "private",
        load_default="public",
        **doc("The readers of the tournament; entry to private ones is by invitation."),
    )
    by_invite = Flag(load_default=False, **doc("Whether only those may enter who were invited."))
    least_rating = Whole(
        allow_none=True,
        load_default=None,
        validate=validate.Range(0, 5000),
        **doc("Minimum current rating in the pool of its matches to enter; null for no limit."),
    )
    most_rating = Whole(
        allow_none=True,
        load_default=None,
        validate=validate.Range(0, 5000),
        **doc("The highest rating, shown in the last four weeks, with which players may enter; null for no limit."),
    )
    least_reliability = Whole(
        allow_none=True,
        load_default=None,
        validate=validate.Range(1, 100),
        **doc(
            "Minimum percentage of decisions that players made in time to enter, in their latest 30 finished matches"
            " with deadlines. Players without any such decision may enter. Null: any."
        ),
    )
    helpers = _handles(MOST_HELPERS, "The handles of players who may do all that you may.", load_default=list)
    prizes = prizes_field()
    preparation = preparation_field()


class TournamentEntryBody(Strict):
    """How you enter."""

    club = Name(allow_none=True, load_default=None, **doc("Your club, if any: pairing keeps clubs apart."))
    nonce = nonce_field(
        may_be_empty=True,
        load_default="",
        **doc("Your nonce for all draws, in hex: with it, the server cannot choose them."),
    )


class RulingBody(Strict):
    """How a table of the open round ends, and why."""

    places = fields.List(
        Whole(validate=validate.Range(1, 10)),
        required=True,
        validate=validate.Length(2, 10),
        **doc(
            "The place of each seat, from 1, shared ones as in 1, 1, 3; all the last: all lose.",
            minItems=2,
            maxItems=10,
        ),
    )
    reason = Prose(REASON, "", "Why; all can see it.")


class DisqualificationBody(Strict):
    """The player to disqualify, and the reason."""

    entrant = Whole(
        allow_none=True,
        load_default=None,
        validate=validate.Range(0, 9_999),
        **doc("The number of the entrant, from 0; null: `player` says who it is."),
    )
    player = Handle(
        allow_none=True,
        load_default=None,
        **doc("The handle of a player who has entered, waits for a place or is invited; null: `entrant` says who."),
    )
    reason = Prose(REASON, "", "Why; all can see it.")


class ReasonBody(Strict):
    """Why something is done."""

    reason = Prose(REASON, "", "Why; all can see it.")


class InvitationsBody(Strict):
    """The players to invite."""

    players = _handles(MOST_INVITED, "The handles of the players.", required=True)


class TournamentsQuery(PageQuery):
    status = choice_field(*STATUSES, **doc("Only those that stand so."))
    game = game_name_field(**doc("Only those of this game, which need not be installed any longer."))
    mine = choice_field("true", "false", load_default="false", **doc("`true`: only those that you have to do with."))


class TournamentEventsQuery(StreamQuery):
    after = number_field(0, LARGEST, 0, **doc("Only events with a higher number."))
    limit = number_field(1, 1_000, 100, **doc("How many at most, on a page of JSON."))
    wait = wait_field("How many seconds to wait for something new. At once when the tournament has ended.")
