"""Serves moves: lists the legal ones, and makes one."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from flask import Blueprint, Response
from marshmallow import ValidationError, fields, validate

from api.http.app_state import app_state
from api.http.auth import INVITE, open_match_as_player, request_caller
from api.http.common_fields import doc, number_field, pattern_field
from api.http.game_refusals import OF_MOVES
from api.http.game_request_schemas import command_request_schema, record_sent
from api.http.idempotency import IDEMPOTENCY_KEY, check_key, idempotency_key, run_once
from api.http.openapi_operations import (
    ETAG,
    MATCH_ID,
    NOT_MODIFIED,
    REPLAYED,
    Answer,
    Body,
    Digest,
    Operation,
    Reply,
    says,
)
from api.http.request_parsing import IF_MATCH, expected_version, invalid_request, load, read_body, read_query
from api.http.responses import IF_NONE_MATCH, answer_if_changed, json_answer, raw_json_parts
from api.http.signed_answers import SignedHeadAnswer, signed_head_answer
from api.http.sparse_fields import fields_parameter, select_fields
from api.http.strict_fields import Strict, Whole
from api.resources.event_routes import EventAnswer
from api.resources.legal_moves_answer import LegalMovesAnswer, from_seat, list_legal_moves
from domain.games.catalogue import GAMES
from domain.match.move_texts import commands
from events.proof.player_keys import SIGNATURE
from events.proof.signed_heads import MATCH
from events.service import commands as service
from events.service import views
from events.service.access import check_installed
from events.service.commands import MoveAnswer
from events.store.records import Remembered

bp = Blueprint("moves", __name__, url_prefix="/v1/matches/<match_id>/moves")


class MoveBody(Strict):
    """A move of the game, or a command of the match, by its name."""

    name = fields.String(required=True, **doc("The name of the move."))
    args = fields.Dict(
        keys=fields.String(), load_default=dict, **doc("The arguments of the move, as the legal moves say.")
    )
    seat = Whole(validate=validate.Range(0, 99), **doc("For a player who holds several."))
    signature = pattern_field(
        SIGNATURE, **doc("Of a seat that was taken with a `player_key`: its signature over the move (docs/proof.md).")
    )


MOVE: Final = MoveBody()


class MovesQuery(Strict):
    seat = number_field(0, 99, **doc("For a player who holds several seats; by default one that the match waits for."))
    wanted = fields_parameter(LegalMovesAnswer)


class MoveMadeAnswer(Answer):
    """The events of a move, with the game that they are about."""

    game: Annotated[str, says("The name of the game.")]
    version: Annotated[int, says("The number of the last event.")]
    events: Annotated[list[EventAnswer], says("The events of the move, in order.")]
    to_act: Annotated[Sequence[int], says("The seats whose decision the match waits for.")]
    head: Annotated[Digest, says("The digest of the last event, in hex.")]
    signed: Annotated[SignedHeadAnswer | None, says("The head with this server's signature; null: it has no key.")]


@bp.get("")
@Operation(
    tag="play",
    access="optional",
    parameters=(MATCH_ID, INVITE, IF_NONE_MATCH),
    query=MovesQuery(),
    replies={200: Reply("What you may do.", LegalMovesAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=("not_seated", "not_found", "game_not_installed"),
)
def list_moves(match_id: str) -> Response:
    """List legal moves.

    `moves` are those by which you answer what you are asked: empty unless your seat is in `to_act`. The first example
    is what the clock would play for you. `also` lists all other legal moves, which no one waits for: moves that the
    game allows off turn, and commands of the match. The schemas admit exactly what is legal now, and each example can
    be posted as it is. Callers without a seat get empty lists.
    """
    who, context = request_caller(), app_state().context
    seen = views.see_match(context, match_id, who)
    check_installed(seen.match.game)
    asked = read_query(MovesQuery())
    acting = from_seat(match_id, who, seen, asked.get("seat"))
    return select_fields(answer_if_changed(json_answer(list_legal_moves(acting)), acting.version), asked)


@bp.post("")
@Operation(
    tag="play",
    parameters=(MATCH_ID, IDEMPOTENCY_KEY, IF_MATCH),
    body=Body(MoveBody()),
    replies={
        200: Reply(
            "The events of your move, and those that followed.",
            MoveMadeAnswer,
            headers=(ETAG, REPLAYED),
        )
    },
    refuses=(
        "not_seated",
        "not_found",
        "match_over",
        "game_not_installed",
        "signature_needed",
        "bad_signature",
        "signature_unasked",
        *OF_MOVES,
        "version_mismatch",
        "duplicate_card",
    ),
)
def make_move(match_id: str) -> Response:
    """Make a move.

    A move of the game, or a command of the match (`resign`, `offer_draw`, `accept_draw`, `decline_draw`,
    `continue_match`, `take_seat_back`). A refused move changes nothing. With an `Idempotency-Key` it is never
    made twice.
    """
    given = read_body()
    check_key()
    who, opened = open_match_as_player(match_id)
    check_installed(opened.game)
    idempotency, context = idempotency_key(given), app_state().context

    def do() -> Response:
        sent = load(MOVE, given)
        move = read_move(opened.game.name, sent)
        insists, signature = expected_version(opened.version), sent.get("signature")
        request = service.MoveRequest(sent.get("seat"), move, insists, idempotency, signature)
        made = service.make_move(context, match_id, who, request, opened)
        # A waiting request would hear late of an order's move, which another process makes.
        if not opened.takes_orders:
            app_state().poller.hurry()
        return _made(match_id, opened.game.name, made)

    def again(before: Remembered) -> Response:
        return _made(match_id, opened.game.name, service.repeat_move_answer(context, match_id, who, before))

    return run_once(idempotency, do, again)


def read_move(game: str, sent: Mapping[str, Any]) -> Any:
    """Make the move that was sent. Raises 422."""
    schema = command_request_schema(game, sent["name"])
    if schema is None:
        raise invalid_request({"name": [f"There is no such move; there are {', '.join(commands(GAMES[game]))}."]})
    try:
        args = schema.load(sent["args"])
    except ValidationError as error:
        raise invalid_request({"args": error.messages}) from None
    return record_sent(commands(GAMES[game])[sent["name"]], args)


def _made(match_id: str, game: str, made: MoveAnswer) -> Response:
    vouched = signed_head_answer(app_state().keys.sign(MATCH, match_id, made.version, made.head))
    shown = MoveMadeAnswer(game, made.version, raw_json_parts(made.events), made.to_act, made.head, vouched)
    return answer_if_changed(json_answer(shown), made.version)
