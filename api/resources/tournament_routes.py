"""Serves tournaments: announces, lists and shows them."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final

from flask import Response
from msgspec import UNSET, json
from msgspec.structs import replace

from api.http.app_state import app_state
from api.http.auth import player_or_none, request_caller, require_caller, require_player
from api.http.idempotency import IDEMPOTENCY_KEY, idempotency_key, run_once
from api.http.openapi_operations import ETAG, LOCATION, REPLAYED, Body, Operation, Parameter, Reply
from api.http.path_prefix import public_link
from api.http.rate_limits import charge_for_events
from api.http.request_parsing import load, read_body, read_query
from api.http.responses import client_has, json_answer, not_modified, set_etag
from api.http.signed_answers import NonceReceipts
from api.resources.announcement_request import complete_announcement, complete_preparation
from api.resources.search_query import read_cursor, write_cursor
from api.resources.tournament_answer import (
    TournamentAnswer,
    TournamentListAnswer,
    tournament_answer,
    tournament_list_answer,
)
from api.resources.tournament_request import TournamentRequestBody, TournamentsQuery
from events.service import tournaments as service
from events.service.access import Caller
from events.service.table_endings import end_unbegun_matches
from events.service.tournaments import HeldTournament
from events.store.records import Idempotency, Remembered
from events.store.search_records import PagePlace
from events.store.tournament_records import TournamentListing

TOURNAMENT_ID: Final = Parameter("tournament_id", "path", "The id of the tournament.", example="8n9y4jktn4n1gzhahebf")
ROUND: Final = Parameter("round", "path", "The number of the round, from 1.", {"type": "integer", "minimum": 1})
TABLE: Final = Parameter("table", "path", "The number of the table, from 0.", {"type": "integer", "minimum": 0})

SEEN: Final = {200: Reply("The updated tournament.", TournamentAnswer, headers=(ETAG,))}


@Operation(
    makes="groups",
    tag="tournaments",
    searches=("create tournament", "host a tournament"),
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(
        TournamentRequestBody,
        examples={
            "an_evening": {
                "summary": "A Swiss of two-handed games, live",
                "value": {
                    "name": "Friday evening",
                    "game": "gin_rummy",
                    "format": "swiss",
                    "clock": {"per_decision_seconds": 60},
                    "closes_at": "2100-01-01T19:00:00Z",
                },
            },
            "an_arena": {
                "summary": "A one-hour arena",
                "value": {
                    "name": "The lunch arena",
                    "game": "gin_rummy",
                    "format": "arena",
                    "clock": {"per_decision_seconds": 20},
                    "closes_at": "2100-01-01T12:00:00Z",
                    "ends_at": "2100-01-01T13:00:00Z",
                },
            },
            "a_duplicate": {
                "summary": "A duplicate of teams: all tables have the same deals",
                "value": {
                    "name": "The club duplicate",
                    "game": "hearts",
                    "format": "duplicate",
                    "teams": "tables",
                    "seats": 4,
                    "fill": "bots",
                    "clock": {"per_decision_seconds": 60},
                },
            },
            "a_season": {
                "summary": "Hearts by mail, four at a table",
                "value": {
                    "name": "The winter season",
                    "game": "hearts",
                    "format": "swiss",
                    "seats": 4,
                    "rounds": 5,
                    "fill": "bots",
                    "clock": {"per_decision_seconds": 86400},
                    "show_up_seconds": 259200,
                    "round_days": 21,
                },
            },
            "a_draft_weekend": {
                "summary": "A draft, and a Swiss with the decks that were built",
                "value": {
                    "name": "Draft weekend",
                    "game": "fivewells",
                    "options": {"format": "draft", "pool": "tournament"},
                    "format": "swiss",
                    "clock": {"per_decision_seconds": 60},
                    "preparation": {"game": "fivewells_draft", "clock": {"per_decision_seconds": 120}},
                    "prizes": [{"place": 1}, {"place": 2}, {"place": 3}, {"place": 4}],
                },
            },
        },
    ),
    replies={201: Reply("The tournament.", TournamentAnswer, headers=(LOCATION, ETAG, REPLAYED))},
    refuses=("bad_options", "forbidden"),
)
def announce_tournament() -> Response:
    """Create a tournament.

    Fixes how it is played, who can enter, and the chain of seeds for all draws. Players enter until you close entries
    or until `closes_at`; the rounds follow automatically. The server creates a match for each table, and players take
    their seats within `show_up_seconds`. You can run at most 20 tournaments at the same time (403).
    """
    require_caller()
    given = read_body()
    idempotency = idempotency_key(given)

    def do() -> Response:
        asked = load(TournamentRequestBody, given)
        return _announced(
            service.announce_tournament(
                app_state().context, complete_announcement(asked), idempotency, complete_preparation(asked)
            )
        )

    def repeat_answer(done: Remembered) -> Response:
        return _announced(service.repeat_tournament_answer(app_state().context, done))

    return run_once(idempotency, do, repeat_answer)


def _announced(found: HeldTournament) -> Response:
    response = json_answer(tournament_answer(found, require_player().player_id, None), 201)
    response.headers["Location"] = public_link(f"/v1/tournaments/{found.head.match_id}")
    return set_etag(response, found.head.version)


@Operation(
    tag="tournaments",
    searches=("tournaments", "find a tournament"),
    access="optional",
    query=TournamentsQuery,
    replies={200: Reply("A page of tournaments.", TournamentListAnswer)},
)
def list_tournaments() -> Response:
    """List tournaments.

    Returns public tournaments, and those that you run, have entered, wait for or were invited to. The latest come
    first.
    """
    asked = read_query(TournamentsQuery)
    mine = asked.mine == "true"
    viewer = require_player().player_id if mine else _viewer()
    before, limit = read_cursor(asked.cursor), asked.limit
    listing = TournamentListing(asked.status, asked.game, mine)
    behind = None if before is None else (before.at_ms, before.match_id)
    rows = service.find_tournaments(app_state().context, viewer, listing, behind, limit + 1)
    page = rows[:limit]
    more = PagePlace(page[-1].created_ms, page[-1].tournament_id) if len(rows) > limit else None
    return json_answer(tournament_list_answer(page, write_cursor(more)))


@Operation(
    tag="tournaments",
    searches=("tournament details", "tournament status"),
    access="optional",
    parameters=(TOURNAMENT_ID,),
    replies={200: Reply("The tournament.", TournamentAnswer, headers=(ETAG,))},
    refuses=("not_found",),
)
def get_tournament(tournament_id: str) -> Response:
    """Get a tournament.

    A private tournament is visible only to its organisers, invited players and entrants; others get 404.
    """
    return tournament_response(open_tournament(tournament_id, request_caller()))


READ_PER_REQUEST: Final = 500
"""The number of events of a tournament that take about as long to read as a request, or as to rank its entrants."""


def open_tournament(tournament_id: str, who: Caller) -> HeldTournament:
    """Return a tournament visible to the caller; a long one counts as many requests. Raise `NotFound`, and 429."""
    found = service.see_tournament(app_state().context, tournament_id, who)
    charge_for_reading(found)
    return found


def charge_for_reading(found: HeldTournament) -> None:
    """Count the events of a tournament that are read. Raises 429."""
    charge_for_events(found.head.version, READ_PER_REQUEST)


def answer_unless_known(
    tournament_id: str, shows: Callable[[HeldTournament], Response], form: Callable[[], str] = str
) -> Response:
    """Answer with a function's result for a tournament's events and the names in it, in a form.

    `form` is called only once the caller may see the tournament, so it takes no longer if there is none. The answer is
    304 if the caller has it already, which counts as one request. Raise `NotFound`, and 429.
    """
    found = service.see_tournament(app_state().context, tournament_id, request_caller())
    content = [found.head.version, form(), service.tournament_identities(app_state().context, tournament_id)]
    tag = f"{found.head.version}-{sha256(json.encode(content)).hexdigest()[:16]}"
    if client_has(tag):
        return not_modified(tag)
    charge_for_reading(found)
    return set_etag(shows(found), tag)


def _viewer() -> str | None:
    known = player_or_none()
    return None if known is None else known.player_id


def tournament_response(found: HeldTournament, receipts: NonceReceipts = UNSET) -> Response:
    """Answer with a tournament as the caller sees it, and with the receipts of nonces that the request gave."""
    table = service.find_table_of_player(found, _viewer())
    seen = replace(tournament_answer(found, _viewer(), table), receipts=receipts)
    return set_etag(json_answer(seen), found.head.version)


def open_tournament_as_player(tournament_id: str) -> HeldTournament:
    """Return a tournament visible to the caller, who is a player. Raise `NotFound`, and 429."""
    return open_tournament(tournament_id, require_caller())


def command_tournament(
    found: HeldTournament, command: Any, idempotency: Idempotency | None = None, if_match: int | None = None
) -> Response:
    """Send a tournament a command; answer with its new state. Raise `Refused`, `Conflict` and `Repeated`."""
    context = app_state().context
    after = service.command_loaded(context, found, [command], idempotency=idempotency, if_match=if_match)
    end_unbegun_matches(context, found, after)
    return tournament_response(after)
