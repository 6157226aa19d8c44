"""Serves matches: creates, lists, shows and cancels them."""

from typing import Any

from flask import Blueprint, Response
from marshmallow import fields
from msgspec import to_builtins

from api.http.app_state import app_state
from api.http.auth import INVITE, player_or_none, request_caller, require_caller
from api.http.common_fields import (
    PAGE,
    STATUSES,
    VISIBILITIES,
    SeatQuery,
    choice_field,
    doc,
    game_name_field,
    game_part,
    number_field,
    pattern_field,
)
from api.http.game_refusals import OF_ENTRIES
from api.http.game_request_schemas import record_request_schema
from api.http.idempotency import IDEMPOTENCY_KEY, idempotency_key, run_once
from api.http.openapi_operations import ETAG, LOCATION, MATCH_ID, REPLAYED, Body, Operation, Reply
from api.http.path_prefix import client_link, public_link
from api.http.request_parsing import IF_MATCH, expected_version, load, read_body, read_query
from api.http.responses import FOR_THE_CALLER, is_browser, json_answer, no_content, set_etag
from api.http.sparse_fields import drop_empty_fields, fields_parameter, select_fields
from api.http.strict_fields import Instant, Strict
from api.resources.legal_moves_answer import from_seat, list_legal_moves
from api.resources.match_answer import MatchAnswer, match_answer
from api.resources.match_list_answer import ListedMatchAnswer, MatchListAnswer, match_list_answer
from api.resources.match_request import SeatPlanBody, new_match
from api.resources.search_query import read_cursor, read_search, write_cursor
from domain.core.cards import Seat
from domain.core.clock import Clock
from domain.games.catalogue import GAMES
from domain.match.creation import MOST_RATING, Series
from events.ids import is_id
from events.service import access, lobby, match_lists, views
from events.service import create as creation
from events.service.access import Caller
from events.service.views import Seen
from events.store.records import Remembered

bp = Blueprint("matches", __name__, url_prefix="/v1/matches")


class MatchRequestBody(Strict):
    """The match to be created."""

    game = choice_field(*GAMES, required=True, **doc("The name of the game."))
    options = fields.Dict(
        keys=fields.String(),
        load_default=dict,
        **doc(
            "As the catalogue describes them for the game. Options that are left out have their defaults.",
            **game_part("Options"),
        ),
    )
    preset = fields.String(allow_none=True, load_default=None, **doc("A set of options by name; `options` change it."))
    seats = fields.List(
        fields.Nested(SeatPlanBody),
        allow_none=True,
        load_default=None,
        **doc("By default you, then bots up to the usual number."),
    )
    visibility = choice_field(
        *VISIBILITIES,
        load_default="public",
        **doc("`unlisted`: readable by link; `private`: for seated players and the creator."),
    )
    clock = fields.Nested(lambda: record_request_schema(Clock), load_default=dict, **doc("The clock of the match."))
    series = fields.Nested(
        lambda: record_request_schema(Series), load_default=dict, **doc("How many games make the match.")
    )


class NewMatchQuery(Strict):
    wanted = fields_parameter(MatchAnswer)


class MatchQuery(SeatQuery):
    wanted = fields_parameter(MatchAnswer, "offer", "bare_scene")


class MatchesQuery(Strict):
    game = game_name_field(**doc("Only matches of this game, which need not be installed any longer."))
    status = choice_field(*STATUSES, **doc("Only matches that stand so."))
    player = pattern_field("(?:me|[0-9a-z]{20})", **doc("Only matches in which this player sits; `me` is you."))
    result = choice_field(
        "won",
        "lost",
        "shared",
        **doc("Only matches in which `player` came out so; `shared` is a first place that others have too."),
    )
    variant = fields.String(
        **doc(
            "Only matches of this variant, by code or number, where the game lists some; with `game`.",
            example="2-2-2-3",
        )
    )
    option = fields.List(
        fields.String(),
        **doc(
            "Only matches with this option, written `name:value`; with `game`. May be given for several options.",
            example=["target_score:50"],
        ),
    )
    preset = fields.String(**doc("Only matches that were created by this preset; with `game`."))
    rating = number_field(
        0,
        MOST_RATING,
        **doc("Only matches in the lobby in which a player of this rating may take an open seat that is free."),
    )
    created_after = Instant(**doc("Only matches created at this time or later."))
    created_before = Instant(**doc("Only matches created earlier than this."))
    ended_after = Instant(**doc("Only matches that ended at this time or later."))
    ended_before = Instant(**doc("Only matches that ended earlier than this."))
    cursor = fields.String(**doc("`next` of the page before.", minLength=1))
    limit = number_field(1, PAGE, 50, **doc("How many at most."))
    wanted = fields_parameter(ListedMatchAnswer)


@bp.post("")
@Operation(
    makes="matches",
    tag="matches",
    parameters=(IDEMPOTENCY_KEY,),
    query=NewMatchQuery(),
    body=Body(
        MatchRequestBody(),
        examples={
            "against_bots": {"summary": "You against three bots", "value": {"game": "hearts", "preset": "standard"}},
            "a_table": {
                "summary": "A table for friends and strangers",
                "value": {
                    "game": "hearts",
                    "options": {"variant": "2-2-2-3", "target_score": 50},
                    "seats": [
                        {"kind": "me"},
                        {"kind": "bot", "level": "steady"},
                        {"kind": "open"},
                        {"kind": "invite"},
                    ],
                    "visibility": "unlisted",
                    "clock": {"per_decision_seconds": 86400},
                },
            },
        },
    ),
    replies={
        201: Reply(
            "The match as you see it, with the codes of its invites.",
            MatchAnswer,
            headers=(LOCATION, ETAG, REPLAYED),
        )
    },
    refuses=("bad_options", "too_many_bot_matches", *OF_ENTRIES),
)
def create_match() -> Response:
    """Create a match.

    Without `seats`, you sit down with bots at the game's usual table. A match starts automatically when every seat is
    taken; if it is still waiting after 30 days, it expires. Options cannot be changed later; `preset` names a set of
    them that the others then change. Invites are codes for invited seats, shown to the creator. Of matches in which
    only bots play you can have some running, and no more (429).
    """
    given, asked = read_body(), read_query(NewMatchQuery())
    idempotency = idempotency_key(given)
    who = require_caller()

    def do() -> Response:
        new = new_match(load(MatchRequestBody(), given))
        return created_match_response(creation.create_match(app_state().context, who, new, idempotency))

    def again(done: Remembered) -> Response:
        return created_match_response(creation.repeat_create_answer(app_state().context, who, done))

    return select_fields(run_once(idempotency, do, again), asked)


def created_match_response(seen: Seen) -> Response:
    """Answer with a match that has just been created."""
    invites = lobby.first_invites(app_state().context, seen, request_caller())
    response = json_answer(match_answer(seen, invites, acknowledges=True), 201)
    response.headers["Location"] = public_link(f"/v1/matches/{seen.match_id}")
    return set_etag(response, seen.version)


@bp.get("/<match_id>")
@Operation(
    tag="matches",
    access="optional",
    parameters=(MATCH_ID, INVITE),
    query=MatchQuery(),
    replies={
        200: Reply("The match as you may see it.", MatchAnswer, headers=(ETAG,)),
        303: Reply(
            "If `Accept` prefers HTML to JSON, as browsers do, redirects to the table at `/play`.", headers=(LOCATION,)
        ),
    },
    refuses=("not_seated", "not_found"),
    leads_browsers=True,
)
def get_match(match_id: str) -> Response:
    """Get a match.

    As you may see it - from your seat, else as a spectator. Always in full: names and invites may change
    without a new version.
    """
    if is_id(match_id) and is_browser():
        return redirect_to_table(match_id)
    who = request_caller()
    seen = views.see_match(app_state().context, match_id, who)
    asked = read_query(MatchQuery())
    seat = asked.get("seat")
    if seat is not None:
        seen = views.see_from_seat(app_state().context, match_id, who, seat)
    return select_fields(
        match_response(seen),
        asked,
        offer=lambda _: _offer(match_id, who, seen, seat),
        bare_scene=lambda whole: drop_empty_fields(whole["scene"]),
    )


def _offer(match_id: str, who: Caller, seen: Seen, seat: Seat | None) -> Any:
    """Return the legal moves as `GET …/moves` lists them; None if the game's rules are not installed."""
    return (
        to_builtins(list_legal_moves(from_seat(match_id, who, seen, seat))) if seen.match.game.name in GAMES else None
    )


def redirect_to_table(match_id: str) -> Response:
    """Lead a browser to the table of a match, be there one or not.

    The id is no fragment: what the browser has behind the `#` of the address, as the code of an invite, comes along.
    """
    place = client_link(f"/play?m={match_id}")
    return Response(status=303, headers={**FOR_THE_CALLER, "Location": place}, content_type="text/plain")


def match_response(seen: Seen, *, acknowledges: bool = False) -> Response:
    """Answer with the match as it is seen; in full always, as names and invites change without a new version."""
    invites = lobby.open_invites(app_state().context, seen, request_caller()) if seen.creator else None
    return set_etag(json_answer(match_answer(seen, invites, acknowledges=acknowledges)), seen.version)


@bp.delete("/<match_id>")
@Operation(
    tag="matches",
    parameters=(MATCH_ID, INVITE, IF_MATCH),
    replies={204: Reply("Done.", headers=(ETAG,))},
    refuses=(
        "forbidden",
        "not_found",
        "match_over",
        "already_started",
        "of_a_group",
        "game_not_installed",
        "version_mismatch",
    ),
)
def cancel_match(match_id: str) -> Response:
    """Cancel a match.

    For its creator, before the start.
    """
    who = require_caller()
    opened = access.open_checked(app_state().context, match_id, who)
    version = lobby.cancel_match(app_state().context, match_id, who, expected_version(opened.version))
    app_state().poller.hurry()
    return no_content(version)


@bp.get("")
@Operation(
    tag="matches",
    access="optional",
    query=MatchesQuery(),
    replies={200: Reply("A page of matches.", MatchListAnswer)},
)
def list_matches() -> Response:
    """List matches.

    Public matches and your own; of these, the ones that fit all that is given. The newest come first; with
    `ended_after` or `ended_before`, those that ended last. A page may hold fewer matches than `limit`, and even
    none, though more follow: go on as long as there is a `next`.
    """
    found_by = player_or_none()
    viewer = found_by.player_id if found_by else None
    asked = read_query(MatchesQuery())
    found = match_lists.find_matches(
        app_state().context, viewer, read_search(asked), read_cursor(asked.get("cursor")), asked["limit"]
    )
    return select_fields(
        json_answer(MatchListAnswer(match_list_answer(found.rows, viewer), write_cursor(found.next))), asked
    )
