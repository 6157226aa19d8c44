"""Serves duplicate groups, and practice matches with the deals of a finished match."""

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Annotated, Any, Final, Literal

from flask import Response
from msgspec import UNSET, Raw, UnsetType, convert

from api.http.app_state import app_state
from api.http.auth import request_caller, require_caller
from api.http.common_fields import ChosenVisibility, Status, Visibility
from api.http.game_refusals import OF_ENTRIES
from api.http.idempotency import IDEMPOTENCY_KEY, idempotency_key, run_once
from api.http.openapi_operations import (
    ETAG,
    LOCATION,
    MATCH_ID,
    REPLAYED,
    Answer,
    AnyGame,
    Body,
    Count,
    Digest,
    MatchClock,
    MatchSeries,
    Operation,
    Ordinal,
    Parameter,
    Reply,
    Timestamp,
    one_of,
    says,
)
from api.http.path_prefix import public_link
from api.http.problems import Problem, wrong_fields
from api.http.request_parsing import load, read_body
from api.http.request_records import Request
from api.http.responses import json_answer, no_content
from api.http.signed_answers import NonceReceipts, SignedHeadAnswer, add_log_proof, receipts_of, signed_head_answer
from api.resources import match_request
from api.resources.fairness_answer import OPEN_TABLES, anybody_may_sit
from api.resources.match_answer import MatchAnswer
from api.resources.match_routes import created_match_response
from api.resources.seat_answer import LinkOfInvite, ListedSeatAnswer, link_of_invite
from api.resources.seat_answer import seat_answers as seats_of
from domain.core.clock import Clock
from domain.core.options import Length, Omissible, Range
from domain.deal_group import CANCELLED, COMMITTED, EVENTS, EXPIRED, OPEN, STARTED
from domain.ratings.finished import SAME_DEALS
from events.log.commits import serve_events
from events.proof.group_record import CAUSES, FORMAT
from events.proof.signed_heads import DEAL_GROUP, SignedHead
from events.service import access, lobby
from events.service import create as creation
from events.service import deal_groups as service
from events.service import group_tables as groups
from events.service.deal_groups import SeenGroup
from events.service.new_match import NewMatch
from events.service.practice import NoDeals, TooVisible
from events.service.views import Seen
from events.store.records import Remembered
from events.times import write_time

DAY: Final = Clock(per_decision_seconds=24 * 3600)

MOST_TABLES: Final = 32
GROUP_ID: Final = Parameter("group_id", "path", "The id of the group.")


class GroupRequestBody(match_request.AlikeBody):
    """The tables to create."""

    tables: Annotated[tuple[tuple[match_request.SeatPlanBody, ...], ...], Length(2, MOST_TABLES)]
    """The seats of each table. All tables have the same number; you can sit at one."""
    visibility: ChosenVisibility = "public"
    """The readers of the lobbies, and of the tables once all are over."""
    clock: Omissible[Clock] = None
    """The clock of each table."""
    series: match_request.SeriesBody = field(default_factory=match_request.SeriesBody)
    """How many games make the match at each table."""


class PracticeBody(Request):
    """How to replay the deals."""

    hand_no: Omissible[Annotated[int, Range(1, 65_536)]] = None
    """The hand to begin with; by default the first."""
    seats: tuple[match_request.SeatPlanBody, ...] | None = None
    """By default your old seat, and bots."""
    visibility: ChosenVisibility = "private"
    clock: Clock = field(default_factory=Clock)
    """The clock of the match."""


class GroupTableAnswer(Answer):
    table: Annotated[Count, says("The number of the table, from 0.")]
    match: Annotated[str, says("The id of the match.")]
    status: Annotated[Status, says("The status of the table.")]
    seats: Annotated[list[ListedSeatAnswer], says("The seats.")]


class ComparedAnswer(Answer):
    table: Annotated[Count, says("The number of the table, from 0.")]
    seat: Annotated[Count, says("The seat, from 0.")]
    score: Annotated[int | None, says("The score; null if the table had no result.")]
    place: Annotated[int | None, says("The place at its own table.")]
    rank: Annotated[int | None, says("The rank among the tables by score, from 1.")]
    difference: Annotated[float | None, says("The difference between the score and the average of all tables.")]


class GroupInviteAnswer(Answer):
    table: Annotated[int, says("The number of the table, from 0.")]
    seat: Annotated[int, says("The seat, from 0.")]
    invite: Annotated[str | None, says("The code; null if it can no longer be shown. Issue a new one then.")]
    link: LinkOfInvite


class DealGroupAnswer(Answer):
    id: Annotated[str, says("The id of the group.")]
    game: AnyGame
    status: Annotated[Status, says("The status of the tables.")]
    preset: Annotated[str | None, says("The preset behind the options; null if there is none.")]
    options: Annotated[Mapping[str, Any], says("All options of every table, with defaults.")]
    series: Annotated[MatchSeries, says("How many games make the match.")]
    clock: Annotated[MatchClock, says("The clock of each table.")]
    visibility: Annotated[Visibility, says("The readers of the group.")]
    created_at: Annotated[Timestamp, says("Creation time.")]
    commitment: Annotated[Digest, says("The commitment for the shuffles of all tables.")]
    version: Annotated[Ordinal, says("The number of the last event of the group.")]
    head: Annotated[Digest, says("The digest of that event.")]
    signed: Annotated[SignedHeadAnswer | None, says("The head with this server's signature; null if it has no key.")]
    your_table: Annotated[int | None, says("Your table, from 0; null if you do not play.")]
    tables: Annotated[list[GroupTableAnswer], says("The tables, in order.")]
    note: Annotated[str | None, says("A warning to read before you sit down.")]
    results: Annotated[
        list[ComparedAnswer] | None,
        says("Each seat compared with the same seat at the other tables, once all tables are over."),
    ]
    invites: Annotated[list[GroupInviteAnswer] | UnsetType, says("Only for the creator.")] = UNSET
    receipts: NonceReceipts = UNSET


@Operation(
    makes="groups",
    tag="matches",
    searches=("duplicate", "same deals"),
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(
        GroupRequestBody,
        example={
            "game": "hearts",
            "tables": [
                [{"kind": "me"}, {"kind": "bot"}, {"kind": "bot"}, {"kind": "bot"}],
                [{"kind": "open"}, {"kind": "bot"}, {"kind": "bot"}, {"kind": "bot"}],
            ],
        },
    ),
    replies={
        201: Reply(
            "The group, with its invite codes.",
            DealGroupAnswer,
            headers=(LOCATION, REPLAYED),
        )
    },
    refuses=("bad_options", "too_many_bot_matches", *OF_ENTRIES),
)
def create_deal_group() -> Response:
    """Create a duplicate group.

    Creates one match per table, all with the same deals. They start when every seat is taken and all nonces are in.
    Until all tables are over, only its own players can read a table, no hidden data is disclosed, and each player can
    sit at only one table. The matches need a clock; by default, each decision has a day.
    """
    given = read_body()
    idempotency = idempotency_key(given)
    who = require_caller()

    def do() -> Response:
        new, tables = _tables(load(GroupRequestBody, given))
        return _created(service.create_group(app_state().context, who, new, tables, idempotency))

    def repeat_answer(done: Remembered) -> Response:
        return _created(service.repeat_group_answer(app_state().context, who, done))

    return run_once(idempotency, do, repeat_answer)


def _created(seen: SeenGroup) -> Response:
    return json_answer(
        _group(seen, acknowledges=True),
        201,
        headers={"Location": public_link(f"/v1/deal-groups/{seen.group.group_id}")},
    )


def _tables(asked: GroupRequestBody) -> tuple[NewMatch, list[Any]]:
    """Complete the requested group: the common settings, and the places of each table. Raises 422."""
    table = match_request.MatchRequestBody(
        game=asked.game,
        options=asked.options,
        preset=asked.preset,
        visibility=asked.visibility,
        clock=asked.clock or DAY,
        series=asked.series,
    )
    made = [match_request.new_match(replace(table, seats=seats)) for seats in asked.tables]
    places = [one.places for one in made]
    if len({len(row) for row in places}) > 1:
        raise wrong_fields({"tables": ["All tables must have the same number of seats."]})
    if sum(any(place.kind == "me" for place in row) for row in places) > 1:
        raise wrong_fields({"tables": ["You can sit at only one table of a group."]})
    if made[0].options["rated"]:
        raise wrong_fields({"options.rated": [SAME_DEALS]}, "bad_options")
    if not made[0].clock.ticks:
        raise wrong_fields({"clock": ["The tables wait for each other, so every decision needs a time limit."]})
    most = max(one.options["seats_per_player"] for one in made)
    return replace(made[0], options={**made[0].options, "seats_per_player": most}), places


@Operation(
    tag="matches",
    searches=("duplicate results", "compare tables"),
    access="optional",
    parameters=(GROUP_ID,),
    replies={200: Reply("The group.", DealGroupAnswer)},
    refuses=("not_found",),
)
def get_deal_group(group_id: str) -> Response:
    """Get a duplicate group.

    Returns the players of each table. Once all tables are over, it compares the result of each seat with the same seat
    at the other tables.
    """
    return json_answer(_group(service.see_group(app_state().context, group_id, request_caller())))


class GroupEventAnswer(Answer):
    v: Annotated[Ordinal, says("The version of its type.")]
    seq: Annotated[Ordinal, says("The number of the event.")]
    commit: Annotated[Ordinal, says("The number of the first event in the same commit.")]
    type: Annotated[str, one_of(kind.__name__ for kind in EVENTS), says("What happened.")]
    data: Annotated[dict[str, Any], says("The fields of the event.")]
    at: Annotated[Timestamp, says("The time when the event was written.")]
    cause: Annotated[str, one_of(sorted(CAUSES)), says("The cause of the event.")]
    seals: Annotated[dict[str, dict[str, Digest]], says("Always empty: nothing is sealed.")]
    digest: Annotated[Digest, says("The hash of the previous digest and the event.")]


class GroupRecordAnswer(Answer):
    """All events of a duplicate group: its matches, and the hashes and nonces that they share."""

    format: Annotated[Literal["dealt-group/1"], says("The format of this document.")]
    group: Annotated[str, says("The id of the group.")]
    version: Annotated[Ordinal, says("The number of the last event.")]
    head: Annotated[Digest, says("The digest of the last event.")]
    events: Annotated[list[GroupEventAnswer], says("The events, from the first.")]
    signed: Annotated[SignedHeadAnswer | UnsetType, says("The head with the signature of this server.")] = UNSET


@Operation(
    tag="matches",
    searches=("export duplicate", "group record"),
    access="optional",
    parameters=(GROUP_ID,),
    replies={200: Reply("All events of the group.", GroupRecordAnswer)},
    refuses=("not_found",),
)
def get_deal_group_record(group_id: str) -> Response:
    """Export a group record.

    Lists the matches of its tables, and the hashes and nonces that they share. `dealt verify` checks it offline. `dealt
    verify --compare` finds a table with other deals.
    """
    seen = service.see_group(app_state().context, group_id, request_caller())
    written: Any = [Raw(item) for item in serve_events(seen.rows)]  # JSON already
    signed = signed_head_answer(add_log_proof(app_state().context, _signed(seen))) or UNSET
    return json_answer(GroupRecordAnswer(FORMAT, group_id, seen.version, seen.head, written, signed))


def _signed(seen: SeenGroup) -> SignedHead | None:
    return app_state().keys.sign(DEAL_GROUP, seen.group.group_id, seen.version, seen.head)


@Operation(
    tag="matches",
    searches=("cancel duplicate", "delete group"),
    parameters=(GROUP_ID,),
    replies={204: Reply("The group was cancelled.")},
    refuses=("forbidden", "not_found", "already_started", "match_over"),
)
def cancel_deal_group(group_id: str) -> Response:
    """Cancel a duplicate group.

    Only for the creator, before the tables start.
    """
    who = require_caller()
    service.cancel_group(app_state().context, group_id, who)
    app_state().poller.hurry()
    return no_content()


_STATUS: Final[Mapping[str, Status]] = {
    OPEN: "lobby",
    COMMITTED: "lobby",
    STARTED: "playing",
    CANCELLED: "cancelled",
    EXPIRED: "expired",
}


def _group(seen: SeenGroup, *, acknowledges: bool = False) -> DealGroupAnswer:
    """Show a group; `acknowledges` says that it answers a request which may have brought nonces."""
    first, over = seen.tables[0].match, all(table.match.over for table in seen.tables)
    status = _STATUS.get(seen.group.state, "finished" if over else "playing")
    return DealGroupAnswer(
        id=seen.group.group_id,
        game=first.game.name,
        status=status,
        preset=first.created.preset,
        options=first.created.options,
        series=first.created.series,
        clock=first.created.clock,
        visibility=first.created.visibility,
        created_at=write_time(seen.group.created_ms),
        commitment=seen.commitment,
        version=seen.version,
        head=seen.head,
        signed=signed_head_answer(_signed(seen)),
        your_table=seen.mine,
        # Table progress is private until the group ends.
        tables=[_table(i, one, one.match.status if over else status) for i, one in enumerate(seen.tables)],
        note=OPEN_TABLES if any(anybody_may_sit(one.match) for one in seen.tables) else None,
        results=_results(seen) if status == "finished" else None,
        invites=_invites(seen) if seen.creator else UNSET,
        receipts=_receipts(seen) if acknowledges else UNSET,
    )


def _table(i: int, table: Seen, status: Status) -> GroupTableAnswer:
    seats = [ListedSeatAnswer(s.seat, s.kind, s.player, s.level) for s in seats_of(table.match)]
    return GroupTableAnswer(i, table.match_id, status, seats)


def _receipts(seen: SeenGroup) -> NonceReceipts:
    """Return the receipts of the nonces with which the caller's table was created."""
    if seen.mine is None:
        return UNSET
    table = seen.tables[seen.mine]
    return receipts_of(app_state().keys, replace(table, seats=access.seats_of(table.match, request_caller())))


def _invites(seen: SeenGroup) -> list[GroupInviteAnswer]:
    return [
        GroupInviteAnswer(i, seat, code, link_of_invite(table.match_id, code))
        for i, table in enumerate(seen.tables)
        for seat, code in sorted(lobby.open_invites(app_state().context, table, request_caller()).items())
    ]


def _results(seen: SeenGroup) -> list[ComparedAnswer]:
    first = seen.tables[0].match
    results = [table.match.result for table in seen.tables]
    found = groups.compare_tables(results, len(first.seats), low_wins=first.game.setup.low_wins)
    return [convert(one, ComparedAnswer, from_attributes=True) for one in found]


@Operation(
    makes="matches",
    tag="matches",
    searches=("practice", "play the same deal again"),
    parameters=(MATCH_ID, IDEMPOTENCY_KEY),
    body=Body(PracticeBody, required=False),
    replies={
        201: Reply(
            "The match as you see it.",
            MatchAnswer,
            headers=(LOCATION, ETAG, REPLAYED),
        )
    },
    refuses=(
        "forbidden",
        "not_found",
        "wrong_phase",
        "game_not_installed",
        "bad_options",
        "too_many_bot_matches",
        *OF_ENTRIES,
    ),
)
def practise_match(match_id: str) -> Response:
    """Practise a finished match.

    Creates a match with the disclosed deals of this one, from the first hand or from `hand_no`. You get your old seat
    against bots, unless `seats` differs. Later hands are dealt at random. The match is marked `deal_known` and does not
    count in results. It cannot be more visible than this match (422).
    """
    given = read_body(optional=True)
    idempotency = idempotency_key(given)
    who = require_caller()
    opened = access.open_checked(app_state().context, match_id, who)

    def do() -> Response:
        asked = load(PracticeBody, given)
        places = None if asked.seats is None else match_request.requested_places(opened.game, asked.seats)
        if places is not None and len(places) != len(opened.seats):
            raise wrong_fields({"seats": [f"The deals are for {len(opened.seats)} seats."]})
        if places is not None and any(place.nonce or place.nonce_hash for place in places):
            raise wrong_fields({"seats": ["The deals are known, so a nonce has no effect. Leave it out."]})
        try:
            clock = match_request.clock_of(asked.clock)
            request = creation.PracticeRequest(asked.hand_no, places, asked.visibility, clock)
            seen = creation.create_practice(app_state().context, match_id, who, request, idempotency)
        except TooVisible:
            wider = "The visibility must not be wider than the original match's."
            raise wrong_fields({"visibility": [wider]}) from None
        except NoDeals:
            raise Problem("forbidden", "This deal is not disclosed yet.") from None
        return created_match_response(seen)

    def repeat_answer(done: Remembered) -> Response:
        return created_match_response(creation.repeat_create_answer(app_state().context, who, done))

    return run_once(idempotency, do, repeat_answer)
