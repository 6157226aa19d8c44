"""Moves: which there are, and making one."""

from collections.abc import Mapping
from random import Random
from typing import Any

from flask import Blueprint, Response
from marshmallow import ValidationError

from api.http.auth import caller, entered
from api.http.bodies import body, if_match, load, query, refused
from api.http.context import here
from api.http.fields import schema_of
from api.http.generated import commands, name_of, of_command, of_record, written
from api.http.idempotency import check_key, key, once
from api.http.present import answer, done, raw, tagged
from api.http.schemas import Move, SeatQuery
from domain import match as life
from domain.core.cards import Seat
from domain.core.choices import Choice
from events.service.play import Done
from events.service.views import Seen

MOVE = Move()

bp = Blueprint("moves", __name__, url_prefix="/v1/matches/<match_id>/moves")


@bp.get("")
def index(match_id: str) -> Response:
    """List the caller's legal moves."""
    who, matches = caller(), here().matches
    seen = matches.see(match_id, who)
    seat = query(SeatQuery()).get("seat")
    if seat is None:
        seat = next((s for s in seen.seats if s in life.to_act(seen.match)), seen.seat)
    if seat != seen.seat:
        seen = matches.see_from(match_id, who, seat)
    return tagged(answer(offered(seen)), seen.version)


def offered(seen: Seen) -> dict[str, Any]:
    """List what the seat may do, made from what it was shown alone."""
    if seen.seat is None:
        return {"version": seen.version, "seat": None, "moves": [], "also": []}
    m, seat = seen.match, seen.seat
    several = {"seat": seat} if len(seen.seats) > 1 else {}
    return {
        "version": seen.version,
        "seat": seat,
        "moves": [_offer(m, choice, move, several) for choice, move in _moves(m, seat)],
        "also": [_command(m, choice.make, several) for choice in life.also(m, seat)],
    }


def _moves(m: life.Match, seat: Seat) -> list[tuple[Choice, Any]]:
    """Pair the legal moves with examples; first the one that the clock would play."""
    choices = life.legal(m, seat)
    if not choices:
        return []
    default = m.game.timing.default(m.table, seat)
    first = [(choice, default) for choice in choices if choice.admits(default)][:1]
    return first + [(c, c.sample(Random(0))) for c in choices if all(c is not known for known, _ in first)]


def _offer(m: life.Match, choice: Choice, move: Any, several: Mapping[str, int]) -> dict[str, Any]:
    name = name_of(m.game.name, choice.make)
    example = {"name": name, "args": written(move), **several}
    return {"name": name, "args": choice.schema(), "example": example, "legal_by_schema": choice.exact}


def _command(m: life.Match, make: type, several: Mapping[str, int]) -> dict[str, Any]:
    name = name_of(m.game.name, make)
    example = {"name": name, "args": {}, **several}
    return {"name": name, "args": schema_of(of_record(make)), "example": example, "legal_by_schema": True}


@bp.post("")
def make(match_id: str) -> Response:
    """Make a move."""
    given = body()
    check_key()
    who, opened = entered(match_id)
    idempotency, matches = key(given), here().matches

    def do() -> Response:
        sent = load(MOVE, given)
        move = read(opened.game.name, sent)
        insists = if_match(opened.version)
        made = matches.move(match_id, who, sent.get("seat"), move, insists, idempotency, opened)
        if not opened.takes_orders:  # who waits would hear later of an order's move, which is made elsewhere
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
    return tagged(raw(done(made)), made.version)
