"""Serves moves: lists the legal ones, and makes one."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Annotated, Any, Final

from flask import Blueprint, Response
from marshmallow import ValidationError, fields, validate

from api.http.app_state import here
from api.http.auth import INVITE, caller, entered
from api.http.bodies import IF_MATCH, body, if_match, load, query, refused
from api.http.fields import Strict, Whole, schema_of
from api.http.game_schemas import commands, name_of, of_command, of_record, written
from api.http.idempotency import IDEMPOTENCY_KEY, check_key, key, once
from api.http.operations import (
    CONFLICT,
    ETAG,
    FORBIDDEN,
    MATCH_ID,
    NOT_FOUND,
    NOT_MODIFIED,
    REPLAYED,
    VERSION_MISMATCH,
    Answer,
    Body,
    Digest,
    Operation,
    Reply,
    component,
    says,
)
from api.http.present import IF_NONE_MATCH, answer, tagged
from api.http.schemas import number, said
from api.resources.events import EventAnswer, written_events
from domain import match as life
from domain.core.cards import Seat
from domain.core.choices import Choice
from events.service.access import check_installed
from events.service.views import Seen
from events.service.write import Done

bp = Blueprint("moves", __name__, url_prefix="/v1/matches/<match_id>/moves")


class MoveBody(Strict):
    name = fields.String(required=True)
    args = fields.Dict(keys=fields.String(), load_default=dict, **said("As the legal moves say."))
    seat = Whole(validate=validate.Range(0, 99), **said("For a player who holds several."))


MOVE: Final = MoveBody()


class MovesQuery(Strict):
    seat = number(0, 99, **said("For a player who holds several seats; by default one that the match waits for."))


class LegalMoveAnswer(Answer):
    name: str
    args: Annotated[Mapping[str, Any], says("JSON Schema of the arguments that are legal now.")]
    example: Annotated[Mapping[str, Any], component("Move")]
    legal_by_schema: Annotated[bool, says("False where not all that the schema admits is legal.")]


class LegalMovesAnswer(Answer):
    version: int
    seat: int | None
    moves: list[LegalMoveAnswer]
    also: list[LegalMoveAnswer]


class MoveMadeAnswer(Answer):
    version: int
    events: list[EventAnswer]
    to_act: Sequence[int]
    head: Digest


@bp.get("")
@Operation(
    id="listMoves",
    tag="play",
    access="optional",
    parameters=(MATCH_ID, INVITE, IF_NONE_MATCH),
    query=MovesQuery(),
    replies={200: Reply("What you may do.", LegalMovesAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=(FORBIDDEN, NOT_FOUND, CONFLICT),
)
def index(match_id: str) -> Response:
    """List your legal moves.

    The schemas admit exactly what is legal now. Each example can be posted as it is; the first is what the
    clock would play for you. `also` lists the commands of the match that are open to you. Who holds no seat
    gets empty lists.
    """
    who, matches = caller(), here().matches
    seen = matches.see(match_id, who)
    check_installed(seen.match.game)
    seat = query(MovesQuery()).get("seat")
    if seat is None:
        seat = next((s for s in seen.seats if s in life.to_act(seen.match)), seen.seat)
    if seat != seen.seat:
        seen = matches.see_from(match_id, who, seat)
    return tagged(answer(offered(seen)), seen.version)


def offered(seen: Seen) -> LegalMovesAnswer:
    """List what the seat may do, made from what it was shown alone."""
    if seen.seat is None:
        return LegalMovesAnswer(seen.version, None, [], [])
    m, seat = seen.match, seen.seat
    several = {"seat": seat} if len(seen.seats) > 1 else {}
    return LegalMovesAnswer(
        version=seen.version,
        seat=seat,
        moves=[_offer(m, choice, move, several) for choice, move in _moves(m, seat)],
        also=[_command(m, choice.make, several) for choice in life.also(m, seat)],
    )


def _moves(m: life.Match, seat: Seat) -> list[tuple[Choice, Any]]:
    """Pair the legal moves with examples; first the one that the clock would play."""
    choices = life.legal(m, seat)
    if not choices:
        return []
    default = m.game.timing.default(m.table, seat)
    first = [(choice, default) for choice in choices if choice.admits(default)][:1]
    return first + [(c, c.sample(Random(0))) for c in choices if all(c is not known for known, _ in first)]


def _offer(m: life.Match, choice: Choice, move: Any, several: Mapping[str, int]) -> LegalMoveAnswer:
    name = name_of(m.game.name, choice.make)
    example = {"name": name, "args": written(move), **several}
    return LegalMoveAnswer(name, choice.schema(), example, choice.exact)


def _command(m: life.Match, make: type, several: Mapping[str, int]) -> LegalMoveAnswer:
    name = name_of(m.game.name, make)
    example = {"name": name, "args": {}, **several}
    return LegalMoveAnswer(name, schema_of(of_record(make)), example, legal_by_schema=True)


@bp.post("")
@Operation(
    id="makeMove",
    tag="play",
    parameters=(MATCH_ID, IDEMPOTENCY_KEY, IF_MATCH),
    body=Body(MoveBody(), example={"name": "play_card", "args": {"card": "QS"}}),
    replies={
        200: Reply(
            "What has happened, your move first.",
            MoveMadeAnswer,
            headers=(ETAG, REPLAYED),
        )
    },
    refuses=(FORBIDDEN, NOT_FOUND, CONFLICT, VERSION_MISMATCH),
)
def make(match_id: str) -> Response:
    """Make a move.

    A move of the game, or a command of the match (`resign`, `offer_draw`, `accept_draw`, `decline_draw`,
    `continue_match`, `take_seat_back`). A refused move changes nothing. With an `Idempotency-Key` it is never
    made twice.
    """
    given = body()
    check_key()
    who, opened = entered(match_id)
    check_installed(opened.game)
    idempotency, matches = key(given), here().matches

    def do() -> Response:
        sent = load(MOVE, given)
        move = read(opened.game.name, sent)
        insists = if_match(opened.version)
        made = matches.move(match_id, who, sent.get("seat"), move, insists, idempotency, opened)
        # A waiting request would hear late of an order's move, which another process makes.
        if not opened.takes_orders:
            here().watch.hurry()
        return _made(made)

    return once(idempotency, do, lambda before: _made(matches.done_before(match_id, who, before)))


def read(game: str, sent: Mapping[str, Any]) -> Any:
    """Make the move that was sent. Raises 422."""
    schema = of_command(game, sent["name"])
    if schema is None:
        raise refused({"name": [f"There is no such move; there are {', '.join(commands(game))}."]})
    try:
        args = schema.load(sent["args"])
    except ValidationError as error:
        raise refused({"args": error.messages}) from None
    return commands(game)[sent["name"]](**{name: _rows(value) for name, value in args.items()})


def _rows(x: Any) -> Any:
    """Make tuples of lists, all the way down: the domain knows no others."""
    return tuple(map(_rows, x)) if isinstance(x, list) else x


def _made(made: Done) -> Response:
    shown = MoveMadeAnswer(made.version, written_events(made.events), made.to_act, made.head)
    return tagged(answer(shown), made.version)
