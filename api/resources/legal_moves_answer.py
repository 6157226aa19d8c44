"""Presents what a seat may do: the legal moves with their schemas."""

from collections.abc import Mapping
from functools import partial
from random import Random
from typing import Annotated, Any

from api.http.app_state import app_state
from api.http.openapi_operations import Answer, Digest, JsonSchema, component, says
from domain import match as life
from domain.core import type_schema
from domain.core.cards import Seat
from domain.core.choices import X_PROPOSALS, Choice, proposals
from domain.core.game import Choices
from domain.core.scene_pointers import Where, add_titles
from domain.match.move_texts import in_text, name_of
from events.service import views
from events.service.access import Caller
from events.service.views import Seen


class LegalMoveAnswer(Answer):
    name: Annotated[str, says("The name of the move.")]
    args: Annotated[
        JsonSchema,
        says(
            "JSON Schema of the arguments that are legal now. The move and each argument have a `title`. `x-at` is a"
            " JSON Pointer into the `scene` of this version. For an argument, it is the zone with the named cards (or"
            " a list of zones), or a list in which the argument is a position (or several lists). Next to the title"
            " of the move, it is the subject of the move. Next to the title of a move, `x-proposals` has complete"
            " proposed arguments, best first, and `x-confirm` is true if the player should be asked again. Next to"
            " the bounds of a number, `x-useful` has common values, and `x-step` has usual steps. Next to an enum,"
            " `x-names` has display names, and `x-free` has values that are never used up. Next to a list, `x-other`"
            " names the argument whose value it must not contain."
        ),
    ]
    example: Annotated[Mapping[str, Any], component("Move"), says("A move that is legal now, as it can be sent.")]
    legal_by_schema: Annotated[bool, says("False if the schema also accepts illegal moves.")]
    place: Annotated[int, says("Its place in an order that stays the same from turn to turn.")]


class LegalMovesAnswer(Answer):
    version: Annotated[int, says("The number of the last event.")]
    head: Annotated[Digest, says("The digest of that event, in hex.")]
    seat: Annotated[int | None, says("The seat that can make these moves; null without a seat.")]
    prompt: Annotated[
        str,
        says(
            "The seat's decision as a request, in at most twelve words. It names seats and cards as texts of events do."
            " Empty if the match does not wait for the seat."
        ),
    ]
    moves: Annotated[list[LegalMoveAnswer], says("The moves that the seat must choose from.")]
    also: Annotated[list[LegalMoveAnswer], says("Other legal moves.")]


def from_seat(match_id: str, who: Caller, seen: Seen, seat: Seat | None = None) -> Seen:
    """See a match from a seat of the caller's, by default one that it waits for. Raises `Refused` for another's."""
    if seat is None:
        seat = next((s for s in seen.seats if s in life.to_act(seen.match)), seen.seat)
    return seen if seat is None or seat == seen.seat else views.see_from_seat(app_state().context, match_id, who, seat)


def list_legal_moves(seen: Seen) -> LegalMovesAnswer:
    """List the seat's moves, only from data that it was shown."""
    if seen.seat is None:
        return LegalMovesAnswer(seen.version, seen.head, None, "", [], [])
    m, seat = seen.match, seen.seat
    asked, also = life.legal_answers(m, seat), life.other_legal_moves(m, seat)
    where = m.game.answers.where(m.table, seat) if m.table is not None else {}
    offer = partial(_offer, m, where=where)
    several = {"seat": seat} if len(seen.seats) > 1 else {}
    return LegalMovesAnswer(
        version=seen.version,
        head=seen.head,
        seat=seat,
        prompt=life.prompt(m, seat),
        moves=[offer(choice, move, several, place) for place, choice, move in _examples(m, seat, asked)],
        also=[offer(choice, choice.sample(Random(0)), several, place) for place, choice in enumerate(also, len(asked))],
    )


def _examples(m: life.Match, seat: Seat, asked: Choices) -> list[tuple[int, Choice, Any]]:
    """Return a seat's decisions in the order of the game, with an example.

    The clock's default move comes first.
    """
    placed = [*enumerate(asked)]
    if not asked or life.is_paused(m):
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
    schema = add_titles(example["name"], choice.make, choice.schema(), where.get(choice.make))
    if proposed := proposals(choice):
        schema[X_PROPOSALS] = [in_text(m.game, each)["args"] for each in proposed]
    return LegalMoveAnswer(example["name"], schema, example, choice.exact, place)


def _command(m: life.Match, make: type, several: Mapping[str, int], place: int) -> LegalMoveAnswer:
    name = name_of(m.game, make)
    example = {"name": name, "args": {}, **several}
    schema = add_titles(name, make, type_schema.of_record(make))
    return LegalMoveAnswer(name, schema, example, legal_by_schema=True, place=place)
