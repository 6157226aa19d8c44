"""Serves moves: lists the legal ones, and makes one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cache, partial
from typing import Annotated, Any

from flask import Response, request
from msgspec import UNSET, UnsetType, to_builtins

from api.http.app_state import app_state
from api.http.auth import INVITE, open_match_as_player, request_caller
from api.http.common_fields import SIGNED
from api.http.field_messages import list_words, with_value
from api.http.game_refusals import OF_MOVES
from api.http.game_request_schemas import read_command
from api.http.idempotency import IDEMPOTENCY_KEY, check_key, idempotency_key, run_once
from api.http.openapi_operations import (
    ETAG,
    MATCH_ID,
    NOT_MODIFIED,
    PREFERENCE_APPLIED,
    REPLAYED,
    Answer,
    Body,
    Digest,
    Operation,
    Reply,
    says,
)
from api.http.problems import wrong_fields
from api.http.record_reader import Faults
from api.http.request_parsing import (
    IF_MATCH,
    REPRESENTATION,
    confirm_representation,
    expected_version,
    invalid_request,
    load,
    prefers_representation,
    read_body,
    read_query,
)
from api.http.request_records import Request, matches
from api.http.responses import IF_NONE_MATCH, answer_if_changed, json_answer, raw_json_parts
from api.http.signed_answers import SignedHeadAnswer, signed_head_answer
from api.http.sparse_fields import drop_empty_fields, fields_of_answer, select_fields
from api.resources.event_routes import EventAnswer
from api.resources.legal_moves_answer import LegalMovesAnswer, from_seat, list_legal_moves
from api.resources.match_answer import MatchAnswer, scene_answer
from api.resources.match_routes import seen_match_answer
from domain.core.options import Omissible, Range
from domain.games.catalogue import GAMES
from domain.match.move_texts import commands
from events.proof.player_keys import SIGNATURE
from events.proof.signed_heads import MATCH
from events.service import commands as service
from events.service import views
from events.service.access import Caller, check_installed
from events.service.commands import MoveAnswer
from events.service.views import Seen
from events.store.records import Remembered


class MoveBody(Request):
    """A move of the game, or a command of the match."""

    name: str
    """The name of the move."""
    args: Mapping[str, Any] = field(default_factory=dict)
    """The arguments of the move, as the legal moves say."""
    seat: Omissible[Annotated[int, Range(0, 99)]] = None
    """Your seat, if you hold several."""
    signature: Omissible[Annotated[str, matches(SIGNATURE, SIGNED)]] = None
    """Of a seat that was taken with a `player_key`: its signature over the move (docs/proof.md)."""


class MovesQuery(Request):
    seat: Omissible[Annotated[int, Range(0, 99)]] = None
    """Your seat, if you hold several; by default one that the match waits for."""
    fields: Omissible[Annotated[str, fields_of_answer(LegalMovesAnswer)]] = None


class MoveMadeAnswer(Answer):
    """The events of a move, and on request the match after it."""

    game: Annotated[str, says("The name of the game.")]
    version: Annotated[int, says("The number of the last event.")]
    events: Annotated[list[EventAnswer], says("The events of the move, in order.")]
    to_act: Annotated[Sequence[int], says("The seats whose decision the match waits for.")]
    head: Annotated[Digest, says("The digest of the last event, in hex.")]
    signed: Annotated[SignedHeadAnswer | None, says("The head with this server's signature; null if it has no key.")]
    match: Annotated[
        MatchAnswer | UnsetType, says("With `Prefer: return=representation`: the match after the move, as you see it.")
    ] = UNSET
    offer: Annotated[
        LegalMovesAnswer | UnsetType, says("With `Prefer: return=representation`: your legal moves after the move.")
    ] = UNSET


class MoveQuery(Request):
    fields: Omissible[Annotated[str, fields_of_answer(MoveMadeAnswer, "bare_scene")]] = None


@Operation(
    tag="play",
    searches=("legal moves", "what can i play"),
    access="optional",
    parameters=(MATCH_ID, INVITE, IF_NONE_MATCH),
    query=MovesQuery,
    replies={200: Reply("Your legal moves.", LegalMovesAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=("not_seated", "not_found", "game_not_installed"),
)
def list_moves(match_id: str) -> Response:
    """List legal moves.

    `moves` answers the decision that the match waits for, and is empty unless your seat is in `to_act`. Its first
    example is the move that the clock would make. `also` has all other legal moves: off-turn moves and commands of the
    match. The schemas accept exactly the legal moves, and you can post each example unchanged. Without a seat, both
    lists are empty.
    """
    who, context = request_caller(), app_state().context
    seen = views.see_match(context, match_id, who)
    check_installed(seen.match.game)
    asked = read_query(MovesQuery)
    acting = from_seat(match_id, who, seen, asked.seat)
    return select_fields(answer_if_changed(json_answer(list_legal_moves(acting)), acting.version), asked.fields)


@Operation(
    tag="play",
    searches=("make a move", "play a card", "resign", "draw", "takeback"),
    parameters=(MATCH_ID, IDEMPOTENCY_KEY, IF_MATCH, REPRESENTATION),
    query=MoveQuery,
    body=Body(MoveBody),
    replies={
        200: Reply(
            "The events of your move, and of what followed.",
            MoveMadeAnswer,
            headers=(ETAG, REPLAYED, PREFERENCE_APPLIED),
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

    Send a move of the game or a command of the match (`resign`, `offer_draw`, `accept_draw`, `decline_draw`,
    `continue_match`, `take_seat_back`). A refused move changes nothing. With an `Idempotency-Key`, a repeat never makes
    the move twice. With `Prefer: return=representation`, the answer also has the match and your legal moves after it.
    """
    given = read_body()
    check_key()
    who, opened = open_match_as_player(match_id)
    check_installed(opened.game)
    asked = read_query(MoveQuery) if request.query_string else MoveQuery()
    idempotency, context = idempotency_key(given), app_state().context

    def do() -> Response:
        sent = load(MoveBody, given)
        move = read_move(opened.game.name, sent)
        wanted = service.MoveRequest(sent.seat, move, expected_version(opened.version), idempotency, sent.signature)
        made = service.make_move(context, match_id, who, wanted, opened)
        # A waiting request would learn late of an order's move, which another process makes.
        if not opened.takes_orders:
            app_state().poller.hurry()
        return answer(made)

    def repeat_answer(before: Remembered) -> Response:
        return answer(service.repeat_move_answer(context, match_id, who, before))

    def answer(made: MoveAnswer) -> Response:
        after = cache(partial(_seen_after, match_id, who, given.get("seat"), made.version))
        return _move_answer(match_id, opened.game.name, made, after, asked.fields)

    return confirm_representation(run_once(idempotency, do, repeat_answer))


def read_move(game: str, sent: MoveBody) -> Any:
    """Make the move that was sent. Raises 422."""
    try:
        move = read_command(game, sent.name, sent.args)
    except Faults as faults:
        raise invalid_request(faults, "args") from None
    if move is None:
        names = list_words([f"`{name}`" for name in commands(GAMES[game])])
        raise wrong_fields({"name": [with_value(f"Must be {names}.", sent.name)]})
    return move


def _seen_after(match_id: str, who: Caller, seat: Any, version: int) -> Seen:
    """Return the match at a version: from this seat if the caller still holds it, else as `GET` shows it."""
    context = app_state().context
    seen = views.see_match(context, match_id, who)
    if seat in seen.seats and seat != seen.seat:
        seen = views.see_from_seat(context, match_id, who, seat)
    return seen if seen.version == version else views.view_at_version(context, seen, version)


def _move_answer(match_id: str, game: str, made: MoveAnswer, after: Callable[[], Seen], fields: str | None) -> Response:
    """Answer with a move; `after` shows the match as it then stood, if the caller asks for it."""
    vouched = signed_head_answer(app_state().keys.sign(MATCH, match_id, made.version, made.head))
    shown = MoveMadeAnswer(game, made.version, raw_json_parts(made.events), made.to_act, made.head, vouched)
    if fields is None and prefers_representation():
        seen = after()
        shown.match, shown.offer = seen_match_answer(seen), list_legal_moves(seen)
    return select_fields(
        answer_if_changed(json_answer(shown), made.version),
        fields,
        match=lambda _: to_builtins(seen_match_answer(after())),
        offer=lambda _: to_builtins(list_legal_moves(after())),
        bare_scene=lambda _: drop_empty_fields(to_builtins(scene_answer(after()))),
    )
