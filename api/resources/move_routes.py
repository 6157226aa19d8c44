"""Serves moves: lists the legal ones, and makes one."""

from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from typing import Annotated, Any, Final

from flask import Blueprint, Response
from marshmallow import ValidationError, fields, validate

from api.http.app_state import here
from api.http.auth import INVITE, caller, entered
from api.http.bodies import IF_MATCH, body, if_match, load, query, refused
from api.http.fields import Strict, Whole
from api.http.game_refusals import OF_MOVES
from api.http.game_schemas import of_command, record_sent
from api.http.idempotency import IDEMPOTENCY_KEY, check_key, key, once
from api.http.openapi_operations import (
    ETAG,
    MATCH_ID,
    NOT_MODIFIED,
    REPLAYED,
    Answer,
    Body,
    Digest,
    JsonSchema,
    Operation,
    Reply,
    component,
    of_game,
    says,
)
from api.http.present import IF_NONE_MATCH, answer, as_written, tagged
from api.http.schemas import number, said, shaped
from api.http.signing import SignedHeadAnswer, as_answer
from api.resources.event_routes import EventAnswer
from domain import match as life
from domain.core import type_schema
from domain.core.cards import Seat
from domain.core.choices import X_PROPOSALS, Choice, proposals
from domain.core.game import Choices
from domain.core.where import Where, titled
from domain.games.catalogue import GAMES
from domain.match.move_texts import commands, in_text, name_of
from events.proof.player_keys import SIGNATURE
from events.service import commands as service
from events.service import views
from events.service.access import check_installed
from events.service.commands import Done
from events.service.views import Seen
from events.store.records import Remembered

bp = Blueprint("moves", __name__, url_prefix="/v1/matches/<match_id>/moves")


class MoveBody(Strict):
    """A move of the game, or a command of the match, by its name."""

    name = fields.String(required=True, **said("The name of the move."))
    args = fields.Dict(
        keys=fields.String(), load_default=dict, **said("The arguments of the move, as the legal moves say.")
    )
    seat = Whole(validate=validate.Range(0, 99), **said("For a player who holds several."))
    signature = shaped(
        SIGNATURE, **said("Of a seat that was taken with a `player_key`: its signature over the move (docs/proof.md).")
    )


MOVE: Final = MoveBody()


class MovesQuery(Strict):
    seat = number(0, 99, **said("For a player who holds several seats; by default one that the match waits for."))


class LegalMoveAnswer(Answer):
    name: Annotated[str, says("The name of the move.")]
    args: Annotated[
        JsonSchema,
        says(
            "JSON Schema of the arguments that are legal now. The move and each argument have a `title`; `x-at` says"
            " where in the `scene` of this version an argument lies, and, beside the title of the move, what the move"
            " is about: a JSON Pointer to a zone in which the named cards lie, or a list of them where they may lie in"
            " several, a pointer to a list in which the argument is a position, or a list of pointers in which it is"
            " one. `x-proposals`, beside the title of a move, has whole arguments that are proposed, the best first;"
            " `x-useful`, beside the bounds of a number,"
            " those that are often wanted, and `x-step` the steps in which players count;"
            " beside an enum, `x-names` has what people call its values, and `x-free` those that are never used up."
        ),
    ]
    example: Annotated[Mapping[str, Any], component("Move"), says("A move that is legal now, as it can be sent.")]
    legal_by_schema: Annotated[bool, says("False where not all that the schema admits is legal.")]
    place: Annotated[int, says("Its place in the order of the game, which stays alike from turn to turn.")]


class LegalMovesAnswer(Answer):
    version: Annotated[int, says("The number of the last event.")]
    head: Annotated[Digest, says("The digest of that event, in hex.")]
    seat: Annotated[int | None, says("The seat whose moves these are; null: you hold none.")]
    moves: Annotated[list[LegalMoveAnswer], says("What the seat is asked for.")]
    also: Annotated[list[LegalMoveAnswer], says("What it may do besides.")]


class MoveMadeAnswer(Answer):
    """This says what a move has brought about, with the game by which its events are told apart."""

    game: Annotated[str, of_game("one"), says("The name of the game.")]
    version: Annotated[int, says("The number of the last event.")]
    events: Annotated[list[Annotated[EventAnswer, of_game("Event")]], says("What has happened by the move, in order.")]
    to_act: Annotated[Sequence[int], says("The seats whose decision the match waits for.")]
    head: Annotated[Digest, says("The digest of the last event, in hex.")]
    signed: Annotated[SignedHeadAnswer | None, says("The head with this server's signature; null: it has no key.")]


@bp.get("")
@Operation(
    id="listMoves",
    tag="play",
    access="optional",
    parameters=(MATCH_ID, INVITE, IF_NONE_MATCH),
    query=MovesQuery(),
    replies={200: Reply("What you may do.", LegalMovesAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=("not_seated", "not_found", "game_not_installed"),
)
def index(match_id: str) -> Response:
    """List your legal moves.

    `moves` are those by which you answer what you are asked: empty unless your seat is in `to_act`. The first example
    is what the clock would play for you. `also` lists all else that you may do, and that nobody waits for: moves that
    the game takes off turn, and commands of the match. The schemas admit exactly what is legal now, and each example
    can be posted as it is. Who holds no seat gets empty lists.
    """
    who, context = caller(), here().context
    seen = views.see(context, match_id, who)
    check_installed(seen.match.game)
    seat = query(MovesQuery()).get("seat")
    if seat is None:
        seat = next((s for s in seen.seats if s in life.to_act(seen.match)), seen.seat)
    if seat != seen.seat:
        seen = views.see_from(context, match_id, who, seat)
    return tagged(answer(offered(seen)), seen.version)


def offered(seen: Seen) -> LegalMovesAnswer:
    """List what the seat may do, made from what it was shown alone."""
    if seen.seat is None:
        return LegalMovesAnswer(seen.version, seen.head, None, [], [])
    m, seat = seen.match, seen.seat
    asked, also = life.asked(m, seat), life.also(m, seat)
    where = m.game.answers.where(m.table, seat) if m.table is not None else {}
    offer = partial(_offer, m, where=where)
    several = {"seat": seat} if len(seen.seats) > 1 else {}
    return LegalMovesAnswer(
        version=seen.version,
        head=seen.head,
        seat=seat,
        moves=[offer(choice, move, several, place) for place, choice, move in _examples(m, seat, asked)],
        also=[offer(choice, choice.sample(Random(0)), several, place) for place, choice in enumerate(also, len(asked))],
    )


def _examples(m: life.Match, seat: Seat, asked: Choices) -> list[tuple[int, Choice, Any]]:
    """Give what a seat is asked with its place in the order of the game and an example.

    What the clock would play comes first.
    """
    placed = [*enumerate(asked)]
    if not asked or life.paused(m):
        return [(place, choice, choice.sample(Random(0))) for place, choice in placed]
    default = m.game.timing.default(m.table, seat)
    first = [(place, choice, default) for place, choice in placed if choice.admits(default)][:1]
    chosen = {place for place, *_ in first}
    return first + [(place, choice, choice.sample(Random(0))) for place, choice in placed if place not in chosen]


def _offer(
    m: life.Match, choice: Choice, move: Any, several: Mapping[str, int], place: int, *, where: Where
) -> LegalMoveAnswer:
    if choice.make not in m.game.moves.values():
        return _command(m, choice.make, several, place)
    example = {**in_text(m.game, move), **several}
    schema = titled(example["name"], choice.make, choice.schema(), where.get(choice.make))
    if proposed := proposals(choice):
        schema[X_PROPOSALS] = [in_text(m.game, each)["args"] for each in proposed]
    return LegalMoveAnswer(example["name"], schema, example, choice.exact, place)


def _command(m: life.Match, make: type, several: Mapping[str, int], place: int) -> LegalMoveAnswer:
    name = name_of(m.game, make)
    example = {"name": name, "args": {}, **several}
    schema = titled(name, make, type_schema.of_record(make))
    return LegalMoveAnswer(name, schema, example, legal_by_schema=True, place=place)


@bp.post("")
@Operation(
    id="makeMove",
    tag="play",
    parameters=(MATCH_ID, IDEMPOTENCY_KEY, IF_MATCH),
    body=Body(MoveBody()),
    replies={
        200: Reply(
            "What has happened, your move first.",
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
    idempotency, context = key(given), here().context

    def do() -> Response:
        sent = load(MOVE, given)
        move = read(opened.game.name, sent)
        insists, signature = if_match(opened.version), sent.get("signature")
        request = service.MoveRequest(sent.get("seat"), move, insists, idempotency, signature)
        made = service.move(context, match_id, who, request, opened)
        # A waiting request would hear late of an order's move, which another process makes.
        if not opened.takes_orders:
            here().watch.hurry()
        return _made(match_id, opened.game.name, made)

    def again(before: Remembered) -> Response:
        return _made(match_id, opened.game.name, service.done_before(context, match_id, who, before))

    return once(idempotency, do, again)


def read(game: str, sent: Mapping[str, Any]) -> Any:
    """Make the move that was sent. Raises 422."""
    schema = of_command(game, sent["name"])
    if schema is None:
        raise refused({"name": [f"There is no such move; there are {', '.join(commands(GAMES[game]))}."]})
    try:
        args = schema.load(sent["args"])
    except ValidationError as error:
        raise refused({"args": error.messages}) from None
    return record_sent(commands(GAMES[game])[sent["name"]], args)


def _made(match_id: str, game: str, made: Done) -> Response:
    vouched = as_answer(here().keys.sign(match_id, made.version, made.head))
    shown = MoveMadeAnswer(game, made.version, as_written(made.events), made.to_act, made.head, vouched)
    return tagged(answer(shown), made.version)
