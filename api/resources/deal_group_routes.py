"""Serves groups of tables that get the same deals, and the deals of a finished match played once more."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Final, Literal

from flask import Blueprint, Response
from marshmallow import fields, validate
from msgspec import UNSET, Raw, UnsetType, convert

from api.http.app_state import app_state
from api.http.auth import request_caller, require_caller
from api.http.common_fields import VISIBILITIES, Status, Visibility, choice_field, doc
from api.http.game_refusals import OF_ENTRIES
from api.http.game_request_schemas import record_request_schema
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
from api.http.problems import Problem
from api.http.request_parsing import invalid_request, load, read_body
from api.http.responses import json_answer, no_content
from api.http.signed_answers import NonceReceipts, SignedHeadAnswer, add_log_proof, receipts_of, signed_head_answer
from api.http.strict_fields import Strict, Whole
from api.resources.fairness_answer import OPEN_TABLES, anybody_may_sit
from api.resources.match_answer import MatchAnswer
from api.resources.match_request import AlikeBody, SeatPlanBody, clock_of, new_match, requested_places
from api.resources.match_routes import created_match_response
from api.resources.seat_answer import LinkOfInvite, ListedSeatAnswer, link_of_invite
from api.resources.seat_answer import seat_answers as seats_of
from domain.core.clock import Clock
from domain.deal_group import CANCELLED, COMMITTED, EVENTS, EXPIRED, OPEN, STARTED
from domain.match.creation import Series
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

bp = Blueprint("groups", __name__, url_prefix="/v1")

DAY: Final = {"per_decision_seconds": 24 * 3600}

MOST_TABLES: Final = 32
GROUP_ID: Final = Parameter("group_id", "path", "The id of the group.")


class GroupRequestBody(AlikeBody):
    """The tables to be created."""

    tables = fields.List(
        fields.List(fields.Nested(SeatPlanBody)),
        required=True,
        validate=validate.Length(2, MOST_TABLES),
        **doc(
            "The seats of each table; all have as many, and you sit at one at most.",
            minItems=2,
            maxItems=MOST_TABLES,
        ),
    )
    visibility = choice_field(
        *VISIBILITIES,
        load_default="public",
        **doc("Of the lobbies, and of the tables once all are over."),
    )
    clock = fields.Nested(lambda: record_request_schema(Clock), load_default=dict, **doc("The clock of each table."))
    series = fields.Nested(
        lambda: record_request_schema(Series), load_default=dict, **doc("How many games make the match at each table.")
    )


class PracticeBody(Strict):
    """How to replay the deals."""

    hand_no = Whole(validate=validate.Range(1, 65_536), **doc("The hand to begin with; by default the first."))
    seats = fields.List(
        fields.Nested(SeatPlanBody),
        allow_none=True,
        load_default=None,
        **doc("By default you where you sat, and bots."),
    )
    visibility = choice_field(*VISIBILITIES, load_default="private")
    clock = fields.Nested(lambda: record_request_schema(Clock), load_default=dict, **doc("The clock of the match."))


class GroupTableAnswer(Answer):
    table: Annotated[Count, says("The number of the table, from 0.")]
    match: Annotated[str, says("The id of the match.")]
    status: Annotated[Status, says("How far the table is.")]
    seats: Annotated[list[ListedSeatAnswer], says("The seats.")]


class ComparedAnswer(Answer):
    table: Annotated[Count, says("The number of the table, from 0.")]
    seat: Annotated[Count, says("The seat, from 0.")]
    score: Annotated[int | None, says("Null where the table had no result.")]
    place: Annotated[int | None, says("At its own table.")]
    rank: Annotated[int | None, says("Among the tables, from 1, by the score.")]
    difference: Annotated[float | None, says("Of the score to the average of all tables.")]


class GroupInviteAnswer(Answer):
    table: Annotated[int, says("The number of the table, from 0.")]
    seat: Annotated[int, says("The seat, from 0.")]
    invite: Annotated[str | None, says("Null for a code that can no longer be shown; issue a new one.")]
    link: LinkOfInvite


class DealGroupAnswer(Answer):
    id: Annotated[str, says("The id of the group.")]
    game: AnyGame
    status: Annotated[Status, says("How far the tables are.")]
    preset: Annotated[str | None, says("The preset that the options began with; null if there is none.")]
    options: Annotated[Mapping[str, Any], says("All of them, completed; those of every table.")]
    series: Annotated[MatchSeries, says("How many games make the match.")]
    clock: Annotated[MatchClock, says("The clock of each table.")]
    visibility: Annotated[Visibility, says("The readers of the group.")]
    created_at: Annotated[Timestamp, says("When it was created.")]
    commitment: Annotated[Digest, says("One for the shuffles of all tables.")]
    version: Annotated[Ordinal, says("The number of the last event of the group.")]
    head: Annotated[Digest, says("The digest of that event.")]
    signed: Annotated[SignedHeadAnswer | None, says("The head with this server's signature; null: it has no key.")]
    your_table: Annotated[int | None, says("The table at which you sit, from 0; null: at none.")]
    tables: Annotated[list[GroupTableAnswer], says("The tables, in order.")]
    note: Annotated[str | None, says("A warning to read before you sit down.")]
    results: Annotated[
        list[ComparedAnswer] | None,
        says(
            "Each seat compared with the same seat of the other tables, which had the same cards; only once all"
            " tables are over."
        ),
    ]
    invites: Annotated[list[GroupInviteAnswer] | UnsetType, says("Only for the creator.")] = UNSET
    receipts: NonceReceipts = UNSET


@bp.post("/deal-groups")
@Operation(
    makes="groups",
    tag="matches",
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(
        GroupRequestBody(),
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
            "The group, with the codes of its invites.",
            DealGroupAnswer,
            headers=(LOCATION, REPLAYED),
        )
    },
    refuses=("bad_options", "too_many_bot_matches", *OF_ENTRIES),
)
def create_deal_group() -> Response:
    """Create a duplicate group.

    One match for each table, created together and dealt alike. They begin when every seat of all of them is taken and
    all nonces are in. Until all tables are over, only its own players can read a table, no hidden data is disclosed,
    and each player can sit at only one table. They need a clock; without one there is a day for each decision.
    """
    given = read_body()
    idempotency = idempotency_key(given)
    who = require_caller()

    def do() -> Response:
        new, tables = _tables(load(GroupRequestBody(), given))
        return _created(service.create_group(app_state().context, who, new, tables, idempotency))

    def again(done: Remembered) -> Response:
        return _created(service.repeat_group_answer(app_state().context, who, done))

    return run_once(idempotency, do, again)


def _created(seen: SeenGroup) -> Response:
    return json_answer(
        _group(seen, acknowledges=True),
        201,
        headers={"Location": public_link(f"/v1/deal-groups/{seen.group.group_id}")},
    )


def _tables(asked: Mapping[str, Any]) -> tuple[NewMatch, list[Any]]:
    """Complete what a client asked for: what all tables have in common, and the places of each. Raises 422."""
    asked = {**asked, "clock": asked["clock"] or DAY}
    made = [new_match({**asked, "seats": seats}) for seats in asked["tables"]]
    places = [one.places for one in made]
    if len({len(row) for row in places}) > 1:
        raise invalid_request({"tables": ["All tables must have the same number of seats."]})
    if sum(any(place.kind == "me" for place in row) for row in places) > 1:
        raise invalid_request({"tables": ["You can sit at only one table of a group."]})
    if not made[0].clock.ticks:
        raise invalid_request({"clock": ["The tables wait for each other, so every decision needs a time limit."]})
    most = max(one.options["seats_per_player"] for one in made)
    return replace(made[0], options={**made[0].options, "seats_per_player": most}), places


@bp.get("/deal-groups/<group_id>")
@Operation(
    tag="matches",
    access="optional",
    parameters=(GROUP_ID,),
    replies={200: Reply("The group.", DealGroupAnswer)},
    refuses=("not_found",),
)
def get_deal_group(group_id: str) -> Response:
    """Get a duplicate group.

    Has the players of each table and, once all tables are over, compares each seat's result with the same seat at the
    other tables.
    """
    return json_answer(_group(service.see_group(app_state().context, group_id, request_caller())))


class GroupEventAnswer(Answer):
    v: Annotated[Ordinal, says("The version of its type.")]
    seq: Annotated[Ordinal, says("Its number.")]
    commit: Annotated[Ordinal, says("The number of the first event that was written with it.")]
    type: Annotated[str, one_of(kind.__name__ for kind in EVENTS), says("What happened.")]
    data: Annotated[dict[str, Any], says("The fields of the event.")]
    at: Annotated[Timestamp, says("When it was written.")]
    cause: Annotated[str, one_of(sorted(CAUSES)), says("The cause of the event.")]
    seals: Annotated[dict[str, dict[str, Digest]], says("Empty: nothing of it is sealed.")]
    digest: Annotated[Digest, says("The hash of the digest before it and of the event.")]


class GroupRecordAnswer(Answer):
    """All events of a duplicate group: its matches, and the hashes and nonces that they share."""

    format: Annotated[Literal["dealt-group/1"], says("The format of this document.")]
    group: Annotated[str, says("The id of the group.")]
    version: Annotated[Ordinal, says("The number of the last event.")]
    head: Annotated[Digest, says("The digest of the last event.")]
    events: Annotated[list[GroupEventAnswer], says("The events, from the first.")]
    signed: Annotated[SignedHeadAnswer | UnsetType, says("The head with the signature of this server.")] = UNSET


@bp.get("/deal-groups/<group_id>/record")
@Operation(
    tag="matches",
    access="optional",
    parameters=(GROUP_ID,),
    replies={200: Reply("All events of the group.", GroupRecordAnswer)},
    refuses=("not_found",),
)
def get_deal_group_record(group_id: str) -> Response:
    """Export a group record.

    Which matches are its tables, and the hashes and nonces that all of them share. `dealt verify` checks it without the
    server. `dealt verify --compare` finds a table that was dealt from others.
    """
    seen = service.see_group(app_state().context, group_id, request_caller())
    written: Any = [Raw(item) for item in serve_events(seen.rows)]  # JSON already
    signed = signed_head_answer(add_log_proof(app_state().context, _signed(seen))) or UNSET
    return json_answer(GroupRecordAnswer(FORMAT, group_id, seen.version, seen.head, written, signed))


def _signed(seen: SeenGroup) -> SignedHead | None:
    return app_state().keys.sign(DEAL_GROUP, seen.group.group_id, seen.version, seen.head)


@bp.delete("/deal-groups/<group_id>")
@Operation(
    tag="matches",
    parameters=(GROUP_ID,),
    replies={204: Reply("You are forgotten.")},
    refuses=("forbidden", "not_found", "already_started", "match_over"),
)
def cancel_deal_group(group_id: str) -> Response:
    """Cancel a duplicate group.

    Only for the creator of the group, before the tables begin. Has the invite codes of all seats.
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
        # How far a table has come is its players' alone while the group is on.
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


@bp.post("/matches/<match_id>/practice")
@Operation(
    makes="matches",
    tag="matches",
    parameters=(MATCH_ID, IDEMPOTENCY_KEY),
    body=Body(PracticeBody(), required=False),
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

    A new match with the deals that this one has disclosed, from a hand on, by default from the first; you sit where you
    sat, against bots, unless `seats` says otherwise. Hands beyond those that are known are dealt afresh. It is marked
    `deal_known` and counts in no results. It cannot be more visible than this match (422).
    """
    given = read_body(optional=True)
    idempotency = idempotency_key(given)
    who = require_caller()
    opened = access.open_checked(app_state().context, match_id, who)

    def do() -> Response:
        asked = load(PracticeBody(), given)
        places = None if asked["seats"] is None else requested_places(opened.game, asked["seats"])
        if places is not None and len(places) != len(opened.seats):
            raise invalid_request({"seats": [f"The deals are for {len(opened.seats)} seats."]})
        if places is not None and any(place.nonce or place.nonce_hash for place in places):
            raise invalid_request({"seats": ["The deals are known, so nonces have no effect. Leave it out."]})
        try:
            clock = clock_of(asked["clock"])
            request = creation.PracticeRequest(asked.get("hand_no"), places, asked["visibility"], clock)
            seen = creation.create_practice(app_state().context, match_id, who, request, idempotency)
        except TooVisible:
            wider = "The visibility must not be wider than that of the original match."
            raise invalid_request({"visibility": [wider]}) from None
        except NoDeals:
            raise Problem("forbidden", "This deal is not disclosed yet.") from None
        return created_match_response(seen)

    def again(done: Remembered) -> Response:
        return created_match_response(creation.repeat_create_answer(app_state().context, who, done))

    return run_once(idempotency, do, again)
