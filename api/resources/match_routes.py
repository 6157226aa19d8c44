"""Serves matches: creates, lists, shows and cancels them."""

from typing import Any

from flask import Blueprint, Response
from marshmallow import fields
from msgspec import to_builtins

from api.http.app_state import here
from api.http.auth import INVITE, caller, player, seated
from api.http.bodies import IF_MATCH, body, if_match, load, query
from api.http.fields import Instant, Strict
from api.http.game_refusals import OF_ENTRIES
from api.http.game_schemas import of_record
from api.http.idempotency import IDEMPOTENCY_KEY, key, once
from api.http.openapi_operations import ETAG, LOCATION, MATCH_ID, REPLAYED, Body, Operation, Reply
from api.http.part import bare, fields_of, in_part
from api.http.prefix import address_of, with_prefix
from api.http.present import FOR_THE_CALLER, answer, in_browser, marked, nothing
from api.http.schemas import (
    PAGE,
    STATUSES,
    VISIBILITIES,
    SeatQuery,
    game_name,
    number,
    of_the_game,
    one_of,
    said,
    shaped,
)
from api.resources.legal_moves_answer import from_seat, offered
from api.resources.match_answer import MatchAnswer, match
from api.resources.match_list_answer import ListedMatchAnswer, MatchListAnswer, match_list
from api.resources.match_request import SeatPlanBody, new_match
from api.resources.search_query import cursor, read_cursor, search
from domain.core.cards import Seat
from domain.core.clock import Clock
from domain.games.catalogue import GAMES
from domain.match.creation import MOST_RATING, Series
from events.ids import is_id
from events.service import access, lists, lobby, views
from events.service import create as creation
from events.service.access import Caller
from events.service.views import Seen
from events.store.records import Remembered

bp = Blueprint("matches", __name__, url_prefix="/v1/matches")


class NewMatchBody(Strict):
    """The match to be created."""

    game = one_of(*GAMES, required=True, **said("The name of the game."))
    options = fields.Dict(
        keys=fields.String(),
        load_default=dict,
        **said(
            "As the catalogue describes them for the game. What is left out has its default.",
            **of_the_game("Options"),
        ),
    )
    preset = fields.String(allow_none=True, load_default=None, **said("A set of options by name; `options` change it."))
    seats = fields.List(
        fields.Nested(SeatPlanBody),
        allow_none=True,
        load_default=None,
        **said("By default you, then bots up to the usual number."),
    )
    visibility = one_of(
        *VISIBILITIES,
        load_default="public",
        **said("`unlisted`: readable by link; `private`: for seated players and the creator."),
    )
    clock = fields.Nested(lambda: of_record(Clock), load_default=dict, **said("The clock of the match."))
    series = fields.Nested(lambda: of_record(Series), load_default=dict, **said("How many games make the match."))


class NewMatchQuery(Strict):
    wanted = fields_of(MatchAnswer)


class MatchQuery(SeatQuery):
    wanted = fields_of(MatchAnswer, "offer", "bare_scene")


class MatchesQuery(Strict):
    game = game_name(**said("Only matches of this game, which need not be installed any longer."))
    status = one_of(*STATUSES, **said("Only matches that stand so."))
    player = shaped("(?:me|[0-9a-z]{20})", **said("Only matches in which this player sits; `me` is you."))
    result = one_of(
        "won",
        "lost",
        "shared",
        **said("Only matches in which `player` came out so; `shared` is a first place that others have too."),
    )
    variant = fields.String(
        **said(
            "Only matches of this variant, by code or number, where the game lists some; with `game`.",
            example="2-2-2-3",
        )
    )
    option = fields.List(
        fields.String(),
        **said(
            "Only matches with this option, written `name:value`; with `game`. May be given for several options.",
            example=["target_score:50"],
        ),
    )
    preset = fields.String(**said("Only matches that were created by this preset; with `game`."))
    rating = number(
        0,
        MOST_RATING,
        **said("Only matches in the lobby in which a player of this rating may take an open seat that is free."),
    )
    created_after = Instant(**said("Only matches created at this time or later."))
    created_before = Instant(**said("Only matches created earlier than this."))
    ended_after = Instant(**said("Only matches that ended at this time or later."))
    ended_before = Instant(**said("Only matches that ended earlier than this."))
    cursor = fields.String(**said("`next` of the page before.", minLength=1))
    limit = number(1, PAGE, 50, **said("How many at most."))
    wanted = fields_of(ListedMatchAnswer)


@bp.post("")
@Operation(
    id="createMatch",
    makes="matches",
    tag="matches",
    parameters=(IDEMPOTENCY_KEY,),
    query=NewMatchQuery(),
    body=Body(
        NewMatchBody(),
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
def create() -> Response:
    """Create a match.

    Without `seats`, you sit down with bots at the game's usual table. A match starts by itself when every seat
    is taken; one that is still waiting after 30 days expires. Options cannot be changed later; `preset` names a
    set of them that the others then change. Invites are codes for invited seats, shown to the creator. Of matches
    in which only bots play you can have some running, and no more (429).
    """
    given, asked = body(), query(NewMatchQuery())
    idempotency = key(given)
    who = seated()

    def do() -> Response:
        new = new_match(load(NewMatchBody(), given))
        return shown_as_created(creation.create(here().context, who, new, idempotency))

    def again(done: Remembered) -> Response:
        return shown_as_created(creation.created_before(here().context, who, done))

    return in_part(once(idempotency, do, again), asked)


def shown_as_created(seen: Seen) -> Response:
    """Answer with a match that has just been created."""
    invites = lobby.first_invites(here().context, seen, caller())
    response = answer(match(seen, invites, acknowledges=True), 201)
    response.headers["Location"] = address_of(f"/v1/matches/{seen.match_id}")
    return marked(response, seen.version)


@bp.get("/<match_id>")
@Operation(
    id="getMatch",
    tag="matches",
    access="optional",
    parameters=(MATCH_ID, INVITE),
    query=MatchQuery(),
    replies={
        200: Reply("The match as you may see it.", MatchAnswer, headers=(ETAG,)),
        303: Reply("Who asks for a page before JSON, as browsers do, finds the table at `/play`.", headers=(LOCATION,)),
    },
    refuses=("not_seated", "not_found"),
    leads_browsers=True,
)
def show(match_id: str) -> Response:
    """Get a match.

    As you may see it - from your seat, else as a spectator. Always in full: names and invites may change
    without a new version.
    """
    if is_id(match_id) and in_browser():
        return to_the_table(match_id)
    who = caller()
    seen = views.see(here().context, match_id, who)
    asked = query(MatchQuery())
    seat = asked.get("seat")
    if seat is not None:
        seen = views.see_from(here().context, match_id, who, seat)
    return in_part(
        shown(seen),
        asked,
        offer=lambda _: _offer(match_id, who, seen, seat),
        bare_scene=lambda whole: bare(whole["scene"]),
    )


def _offer(match_id: str, who: Caller, seen: Seen, seat: Seat | None) -> Any:
    """Give what may be done, as `GET …/moves` lists it; None where the game's rules are not known here."""
    return to_builtins(offered(from_seat(match_id, who, seen, seat))) if seen.match.game.name in GAMES else None


def to_the_table(match_id: str) -> Response:
    """Lead a browser to the table of a match, be there one or not.

    The id is no fragment: what the browser has behind the `#` of the address, as the code of an invite, comes along.
    """
    place = with_prefix(f"/play?m={match_id}")
    return Response(status=303, headers={**FOR_THE_CALLER, "Location": place}, content_type="text/plain")


def shown(seen: Seen, *, acknowledges: bool = False) -> Response:
    """Answer with the match as it is seen; in full always, as names and invites change without a new version."""
    invites = lobby.invites(here().context, seen, caller()) if seen.creator else None
    return marked(answer(match(seen, invites, acknowledges=acknowledges)), seen.version)


@bp.delete("/<match_id>")
@Operation(
    id="cancelMatch",
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
def cancel(match_id: str) -> Response:
    """Cancel a match.

    For its creator, before the start.
    """
    who = seated()
    opened = access.opened(here().context, match_id, who)
    version = lobby.cancel(here().context, match_id, who, if_match(opened.version))
    here().watch.hurry()
    return nothing(version)


@bp.get("")
@Operation(
    id="listMatches",
    tag="matches",
    access="optional",
    query=MatchesQuery(),
    replies={200: Reply("A page of matches.", MatchListAnswer)},
)
def index() -> Response:
    """List matches.

    Public matches and your own; of these, the ones that fit all that is given. The newest come first; with
    `ended_after` or `ended_before`, those that ended last. A page may hold fewer matches than `limit`, and even
    none, though more follow: go on as long as there is a `next`.
    """
    found_by = player()
    viewer = found_by.player_id if found_by else None
    asked = query(MatchesQuery())
    found = lists.find(here().context, viewer, search(asked), read_cursor(asked.get("cursor")), asked["limit"])
    return in_part(answer(MatchListAnswer(match_list(found.rows, viewer), cursor(found.next))), asked)
