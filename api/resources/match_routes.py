"""Serves matches: creates, lists, shows and cancels them."""

from typing import Annotated, Any

from flask import Response
from msgspec import to_builtins

from api.http import long_polling
from api.http.app_state import app_state
from api.http.auth import INVITE, player_or_none, request_caller, require_caller
from api.http.common_fields import SeatQuery
from api.http.game_refusals import OF_ENTRIES
from api.http.idempotency import IDEMPOTENCY_KEY, idempotency_key, run_once
from api.http.openapi_operations import (
    ETAG,
    LOCATION,
    MATCH_ID,
    NOT_MODIFIED,
    PREFERENCE_APPLIED,
    REPLAYED,
    Body,
    Operation,
    Reply,
)
from api.http.path_prefix import client_link, public_link
from api.http.request_parsing import IF_MATCH, expected_version, load, read_body, read_query
from api.http.request_records import Request
from api.http.responses import (
    FOR_THE_CALLER,
    IF_NONE_MATCH,
    answer_if_changed,
    client_has,
    is_browser,
    json_answer,
    no_content,
    set_etag,
    tag_of_answer,
)
from api.http.sparse_fields import drop_empty_fields, fields_of_answer, select_fields
from api.resources.legal_moves_answer import from_seat, list_legal_moves
from api.resources.match_answer import MatchAnswer, match_answer
from api.resources.match_list_answer import MatchListAnswer, match_list_answer
from api.resources.match_request import MatchRequestBody, new_match
from api.resources.search_query import MatchesQuery, read_cursor, read_search, write_cursor
from domain.core.cards import Seat
from domain.core.options import Omissible
from domain.games.catalogue import GAMES
from events.ids import is_id
from events.service import access, lobby, match_lists, views
from events.service import create as creation
from events.service.access import Caller
from events.service.views import Seen
from events.store.records import Remembered


class MatchFieldsQuery(Request):
    fields: Omissible[Annotated[str, fields_of_answer(MatchAnswer)]] = None


class MatchQuery(SeatQuery, long_polling.WaitQuery):
    fields: Omissible[Annotated[str, fields_of_answer(MatchAnswer, "offer", "bare_scene")]] = None


@Operation(
    makes="matches",
    tag="matches",
    searches=("create match", "play against bots"),
    parameters=(IDEMPOTENCY_KEY,),
    query=MatchFieldsQuery,
    body=Body(
        MatchRequestBody,
        examples={
            "against_bots": {"summary": "You against three bots", "value": {"game": "hearts", "preset": "standard"}},
            "a_table": {
                "summary": "A table with invited and open seats",
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
            "The match as you see it, with its invite codes.",
            MatchAnswer,
            headers=(LOCATION, ETAG, REPLAYED),
        )
    },
    refuses=("bad_options", "too_many_bot_matches", *OF_ENTRIES),
)
def create_match() -> Response:
    """Create a match.

    Without `seats`, you play against bots at the usual table of the game. The match starts when every seat is taken,
    and expires if it is still waiting after 30 days. Options cannot be changed later; they override those of `preset`.
    The creator sees the invite codes of invited seats. The number of your running matches with only bots is limited
    (429).
    """
    given, asked = read_body(), read_query(MatchFieldsQuery)
    idempotency = idempotency_key(given)
    who = require_caller()

    def do() -> Response:
        new = new_match(load(MatchRequestBody, given))
        return created_match_response(creation.create_match(app_state().context, who, new, idempotency))

    def repeat_answer(done: Remembered) -> Response:
        return created_match_response(creation.repeat_create_answer(app_state().context, who, done))

    return select_fields(run_once(idempotency, do, repeat_answer), asked.fields)


def created_match_response(seen: Seen) -> Response:
    """Answer with a match that has just been created."""
    invites = lobby.first_invites(app_state().context, seen, request_caller())
    response = json_answer(match_answer(seen, invites, acknowledges=True), 201)
    response.headers["Location"] = public_link(f"/v1/matches/{seen.match_id}")
    return set_etag(response, seen.version)


@Operation(
    tag="matches",
    searches=("spectate", "watch", "match state"),
    access="optional",
    parameters=(MATCH_ID, INVITE, long_polling.PREFER, IF_NONE_MATCH),
    query=MatchQuery,
    replies={
        200: Reply("The match as you see it.", MatchAnswer, headers=(ETAG, PREFERENCE_APPLIED)),
        303: Reply(
            "If `Accept` prefers HTML to JSON, as browsers do, redirects to the table at `/play`.", headers=(LOCATION,)
        ),
        304: NOT_MODIFIED,
    },
    refuses=("not_seated", "not_found"),
    leads_browsers=True,
)
def get_match(match_id: str) -> Response:
    """Get a match.

    Returns the match as your seat sees it, or as a spectator. With `wait` and `If-None-Match`, the server answers as
    soon as an event changes the match. Names and invites change the `ETag` too, but do not end the wait.
    """
    if is_id(match_id) and is_browser():
        return redirect_to_table(match_id)
    who = request_caller()
    seen = views.see_match(app_state().context, match_id, who)
    asked = read_query(MatchQuery)
    seat = asked.seat
    if seat is not None:
        seen = views.see_from_seat(app_state().context, match_id, who, seat)
    whole = json_answer(seen_match_answer(seen))
    tag = tag_of_answer(seen.version, whole)
    seconds = long_polling.seconds_to_wait(asked.wait)
    if seconds and client_has(tag) and not seen.match.over:
        return long_polling.answer_after(app_state().poller.match(seen.match_no, seen.version, seconds))
    shown = select_fields(
        answer_if_changed(whole, tag),
        asked.fields,
        offer=lambda _: _offer(match_id, who, seen, seat),
        bare_scene=lambda whole: drop_empty_fields(whole["scene"]),
    )
    return long_polling.confirm_preference(shown)


def _offer(match_id: str, who: Caller, seen: Seen, seat: Seat | None) -> Any:
    """Return the legal moves as `GET …/moves` lists them; None if the game's rules are not installed."""
    return (
        to_builtins(list_legal_moves(from_seat(match_id, who, seen, seat))) if seen.match.game.name in GAMES else None
    )


def redirect_to_table(match_id: str) -> Response:
    """Redirect a browser to the table of a match, even if there is none.

    The id is not in the fragment, so that the browser keeps its own fragment, such as an invite code.
    """
    place = client_link(f"/play?m={match_id}")
    return Response(status=303, headers={**FOR_THE_CALLER, "Location": place}, content_type="text/plain")


def match_response(seen: Seen, *, acknowledges: bool = False) -> Response:
    """Answer with the match as the caller sees it."""
    return set_etag(json_answer(seen_match_answer(seen, acknowledges=acknowledges)), seen.version)


def seen_match_answer(seen: Seen, *, acknowledges: bool = False) -> MatchAnswer:
    """Return the match as the caller sees it, with the invites for its creator."""
    invites = lobby.open_invites(app_state().context, seen, request_caller()) if seen.creator else None
    return match_answer(seen, invites, acknowledges=acknowledges)


@Operation(
    tag="matches",
    searches=("cancel match", "delete match"),
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

    Only for the creator, before the start.
    """
    who = require_caller()
    opened = access.open_checked(app_state().context, match_id, who)
    version = lobby.cancel_match(app_state().context, match_id, who, expected_version(opened.version))
    app_state().poller.hurry()
    return no_content(version)


@Operation(
    tag="matches",
    searches=("find a match", "lobby"),
    access="optional",
    query=MatchesQuery,
    replies={200: Reply("A page of matches.", MatchListAnswer)},
)
def list_matches() -> Response:
    """List matches.

    Returns public matches and your own that meet all filters, the newest first. With `ended_after` or `ended_before`,
    the last to end come first. A page can have fewer matches than `limit`, or none, even if more follow: continue while
    there is a `next`.
    """
    found_by = player_or_none()
    viewer = found_by.player_id if found_by else None
    asked = read_query(MatchesQuery)
    found = match_lists.find_matches(
        app_state().context, viewer, read_search(asked), read_cursor(asked.cursor), asked.limit
    )
    return select_fields(
        json_answer(MatchListAnswer(match_list_answer(found.rows, viewer), write_cursor(found.next))), asked.fields
    )
